//! Queries answered by the read models: players, standings, holdings, and the progress of models.

use projector::{
    ConsistencyToken, Holding, Model, Player, Pool, Projection, RatingChange, RatingCursor,
    Standing, StandingCursor,
};
use rows::MatchId;

use crate::access::{Caller, Lane};
use crate::error::Error;
use crate::matches::Matches;

/// Opponents returned with a player.
const OPPONENTS_MAX: usize = 50;

impl Matches {
    /// A player's results in each pool, and against the opponents met most often.
    pub async fn player(
        &self,
        caller: &Caller,
        player: &str,
        consistency_token: Option<ConsistencyToken>,
    ) -> Result<Player, Error> {
        let platform = caller.platform()?;
        self.wait_for_model(caller, Model::Players, consistency_token).await?;
        let found = self.0.projector.player(platform, player, OPPONENTS_MAX);
        let found = self.in_lane(Lane::Lists, platform, found).await?;
        found.ok_or(Error::NoSuchPlayer)
    }

    /// A platform's players of a pool by rating, highest first.
    pub async fn standings(
        &self,
        caller: &Caller,
        pool: &Pool,
        consistency_token: Option<ConsistencyToken>,
        after: Option<StandingCursor>,
        limit: usize,
    ) -> Result<Vec<Standing>, Error> {
        let platform = caller.platform()?;
        self.wait_for_model(caller, Model::Players, consistency_token).await?;
        let pool = pool.key();
        let standings = self.0.projector.standings(platform, &pool, after, limit);
        self.in_lane(Lane::Lists, platform, standings).await
    }

    /// How a player's rating in a pool came about, newest change first.
    pub async fn rating_changes(
        &self,
        caller: &Caller,
        player: &str,
        pool: &Pool,
        consistency_token: Option<ConsistencyToken>,
        before: Option<RatingCursor>,
        limit: usize,
    ) -> Result<Vec<RatingChange>, Error> {
        let platform = caller.platform()?;
        self.wait_for_model(caller, Model::Players, consistency_token).await?;
        let pool = pool.key();
        let changes = self.0.projector.rating_changes(platform, player, &pool, before, limit);
        self.in_lane(Lane::Lists, platform, changes).await
    }

    /// The public holdings of each seat of a match.
    pub async fn holdings(
        &self,
        caller: &Caller,
        match_id: MatchId,
        consistency_token: Option<ConsistencyToken>,
    ) -> Result<Vec<Holding>, Error> {
        self.live(caller, match_id).await?;
        self.wait_for_model(caller, Model::Holdings, consistency_token).await?;
        self.in_lane(Lane::Lists, &caller.platform, self.0.projector.holdings(match_id)).await
    }

    /// The progress of a read model, for the platform's matches only.
    pub async fn projection(&self, caller: &Caller, name: &str) -> Result<Projection, Error> {
        let platform = caller.platform()?;
        let model =
            Model::from_name(name).ok_or_else(|| Error::NoSuchProjection(name.to_owned()))?;
        let reading = self.0.projector.projection_for(platform, model);
        self.in_lane(Lane::Lists, platform, reading).await
    }
}
