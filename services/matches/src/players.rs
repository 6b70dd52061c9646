//! Queries across matches, answered by the read models: players, standings, holdings.

use games::Game;
use projector::{ConsistencyToken, Holding, Model, Player, Projection, Standing, StandingCursor};
use store::{MatchId, PlayerRevocation, Position};

use crate::budgets::Lane;
use crate::create::check_player;
use crate::{Caller, Error, Matches};

/// Opponents returned with a player.
const OPPONENTS_MAX: usize = 50;

impl Matches {
    /// A player's results in each game, and against the opponents met most often.
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

    /// A platform's players of a game by rating, highest first.
    pub async fn standings(
        &self,
        caller: &Caller,
        game: &dyn Game,
        consistency_token: Option<ConsistencyToken>,
        after: Option<StandingCursor>,
        limit: usize,
    ) -> Result<Vec<Standing>, Error> {
        let platform = caller.platform()?;
        self.wait_for_model(caller, Model::Players, consistency_token).await?;
        let standings = self.0.projector.standings(platform, game.name(), after, limit);
        self.in_lane(Lane::Lists, platform, standings).await
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

    /// The number that a token carries which a platform mints now for one of its players. The
    /// player need not have a seat anywhere yet.
    pub async fn player_token_number(&self, caller: &Caller, player: &str) -> Result<i64, Error> {
        let platform = caller.platform()?;
        check_player("parent", player)?;
        let reading = self.0.store.player_token_number(platform, player);
        self.in_lane(Lane::Lists, platform, reading).await
    }

    /// Revokes the tokens minted so far for a player.
    pub async fn revoke_player_tokens(
        &self,
        caller: &Caller,
        player: &str,
    ) -> Result<PlayerRevocation, Error> {
        let platform = caller.platform()?;
        check_player("parent", player)?;
        let revoking = self.0.store.revoke_player_tokens(platform, player);
        self.in_lane(Lane::Writes, platform, revoking).await
    }

    /// The state of a read model, as far as it concerns the platform.
    pub async fn projection(&self, caller: &Caller, name: &str) -> Result<Projection, Error> {
        let platform = caller.platform()?;
        let model =
            Model::from_name(name).ok_or_else(|| Error::NoSuchProjection(name.to_owned()))?;
        let reading = self.0.projector.projection_for(platform, model);
        self.in_lane(Lane::Lists, platform, reading).await
    }

    /// Waits, for a bounded time, until a read model includes what the token stands for.
    pub(crate) async fn wait_for_model(
        &self,
        caller: &Caller,
        model: Model,
        consistency_token: Option<ConsistencyToken>,
    ) -> Result<(), Error> {
        let Some(consistency_token) = consistency_token else { return Ok(()) };
        match &consistency_token {
            ConsistencyToken::Entry(match_id, position) => {
                self.check_entry(caller, *match_id, *position).await?
            }
            ConsistencyToken::Stream(claims) => {
                caller.platform()?;
                self.marks_of(&caller.platform, claims).await?;
            }
        }
        match self.0.projector.has_reached(&caller.platform, model, &consistency_token).await? {
            true => Ok(()),
            false => Err(Error::ProjectionBehind),
        }
    }

    /// Fails unless the entry exists and the caller may know of it.
    async fn check_entry(
        &self,
        caller: &Caller,
        match_id: MatchId,
        position: Position,
    ) -> Result<(), Error> {
        caller.check_match(match_id)?;
        let finding = self.0.store.find(&caller.platform, match_id);
        let row = self.in_lane(Lane::Lists, &caller.platform, finding).await?;
        let row = row.ok_or(Error::NoSuchMatch)?;
        if let Some(player) = caller.player()
            && !row.seated.iter().any(|it| it.player == player && !it.is_erased)
        {
            return Err(Error::NoSuchMatch);
        }
        if row.last.is_none_or(|last| last.position < position) || position.0 < 1 {
            return Err(Error::NoSuchEntry);
        }
        Ok(())
    }
}
