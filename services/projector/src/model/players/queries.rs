//! Reading players: their standings in each game, and their records against each other.

use positions::Bucket;
use time::OffsetDateTime;

use crate::error::Error;
use crate::reader::Reader;

/// The content of a player's page.
#[derive(Clone, Debug)]
pub struct Player {
    /// By game.
    pub leagues: Vec<League>,
    /// The most frequent opponents first.
    pub opponents: Vec<Opponent>,
}

/// A player's standing in one game.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct League {
    pub game: String,
    #[sqlx(flatten)]
    pub standing: Standing,
}

/// A player's standing in a game. Rating, mean and deviation are in millionths.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Standing {
    pub player: String,
    pub rating: i64,
    pub mean: i64,
    pub deviation: i64,
    pub played: i32,
    pub won: i32,
    pub shared: i32,
    pub last_end_time: OffsetDateTime,
}

/// A player's record against an opponent, over all games.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct Opponent {
    pub opponent: String,
    pub played: i32,
    /// Matches in which the player ranked before the opponent.
    pub ahead: i32,
    pub behind: i32,
    pub level: i32,
}

/// The rating and the name of the last player of a page of standings.
pub type StandingCursor = (i64, String);

impl Reader {
    /// A player's page with at most `opponents_max` opponents; `None` if no player with this id
    /// ever took a seat.
    pub async fn player(
        &self,
        platform: &str,
        player: &str,
        opponents_max: usize,
    ) -> Result<Option<Player>, Error> {
        let leagues: Vec<League> = sqlx::query_as(
            "select game, player, rating, mean, deviation, played, won, shared, last_end_time
             from standings
             where bucket = $1 and platform = $2 and player = $3
             order by game",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(player)
        .fetch_all(self.store.database().pool())
        .await?;
        if leagues.is_empty() && !self.is_seated(platform, player).await? {
            return Ok(None);
        }
        let opponents = sqlx::query_as(
            "select opponent, played, ahead, behind, level
             from opponents
             where bucket = $1 and platform = $2 and player = $3
             order by played desc, opponent
             limit $4",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(player)
        .bind(opponents_max as i64)
        .fetch_all(self.store.database().pool())
        .await?;
        Ok(Some(Player { leagues, opponents }))
    }

    async fn is_seated(&self, platform: &str, player: &str) -> Result<bool, Error> {
        for seats in [
            "select 1 from seats where platform = $1 and player = $2 limit 1",
            "select 1 from former_players where platform = $1 and player = $2 limit 1",
        ] {
            let seat = sqlx::query(seats).bind(platform).bind(player);
            if seat.fetch_optional(self.store.database().pool()).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The players of a game after a cursor, by rating, highest first; ties by name; at most
    /// `limit`.
    pub async fn standings(
        &self,
        platform: &str,
        game: &str,
        after: Option<StandingCursor>,
        limit: usize,
    ) -> Result<Vec<Standing>, Error> {
        let (rating, player) = after.unwrap_or((i64::MAX, String::new()));
        let standings = sqlx::query_as(
            "select player, rating, mean, deviation, played, won, shared, last_end_time
             from standings
             where bucket = $1 and platform = $2 and game = $3
             and rating <= $4 and (rating < $4 or player > $5)
             order by rating desc, player
             limit $6",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(game)
        .bind(rating)
        .bind(player)
        .bind(limit as i64)
        .fetch_all(self.store.database().pool())
        .await?;
        Ok(standings)
    }
}
