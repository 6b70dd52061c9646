//! Reading players: their standings in each game, and their records against each other.

use positions::Bucket;
use rows::MatchId;
use time::OffsetDateTime;

use super::outcome::Outcome;
use super::pool::Pool;
use super::ratings;
use crate::error::Error;
use crate::reader::Reader;

/// The content of a player's page.
#[derive(Clone, Debug)]
pub struct Player {
    /// By pool.
    pub leagues: Vec<League>,
    /// The most frequent opponents first.
    pub opponents: Vec<Opponent>,
}

/// A player's standing in one pool.
#[derive(Clone, Debug)]
pub struct League {
    pub pool: Pool,
    pub standing: Standing,
}

/// The same as a row, with the key of the pool.
#[derive(sqlx_macros::FromRow)]
struct LeagueRow {
    game: String,
    #[sqlx(flatten)]
    standing: Standing,
}

/// A player's standing in a pool. Rating, mean and deviation are in millionths.
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

/// By how much the square of a deviation grows with a day without matches, in squares of a point. A
/// deviation of 2 becomes one of 4.3 in a year, and that of a new player in four and a half.
const GROWTH_PER_DAY: f64 = 0.04;

impl Standing {
    /// The deviation now, in millionths: results say less about a player as time passes. It is not
    /// stored, since it is another one at any time.
    pub fn deviation_at(&self, now: OffsetDateTime) -> i64 {
        let most = ratings::Standing::default().deviation;
        let idle_days = (now - self.last_end_time).as_seconds_f64().max(0.0) / 86_400.0;
        let own = self.deviation as f64;
        let grown = (own * own + GROWTH_PER_DAY * idle_days * 1e12).sqrt().round() as i64;
        grown.min(most).max(self.deviation)
    }
}

/// A result of a player in a pool, with the rating after it. Mean and deviation are in millionths.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ResultRow {
    pub match_id: MatchId,
    pub seat: i16,
    pub points: i32,
    /// From 1; those who are level share a rank.
    pub rank: i16,
    pub outcome: Outcome,
    pub end_time: OffsetDateTime,
    pub mean: i64,
    pub deviation: i64,
}

/// A change of a player's rating.
#[derive(Clone, Debug)]
pub struct RatingChange {
    pub result: ResultRow,
    /// Mean and deviation before; `None` for the first result of the pool.
    pub before: Option<(i64, i64)>,
}

/// The end and the id of the match of the last change of a page.
pub type RatingCursor = (OffsetDateTime, MatchId);

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
        let leagues: Vec<LeagueRow> = sqlx::query_as(
            "select game, player, rating, mean, deviation, played, won, shared, last_end_time
             from standings
             where bucket = $1 and platform = $2 and player = $3
             order by game",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(player)
        .fetch_all(self.store.database().at(Bucket::of_name(platform)))
        .await?;
        let league =
            |it: LeagueRow| Some(League { pool: Pool::of_key(&it.game)?, standing: it.standing });
        let leagues: Vec<League> = leagues.into_iter().filter_map(league).collect();
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
        .fetch_all(self.store.database().at(Bucket::of_name(platform)))
        .await?;
        Ok(Some(Player { leagues, opponents }))
    }

    async fn is_seated(&self, platform: &str, player: &str) -> Result<bool, Error> {
        for seats in [
            "select 1 from seats where platform = $1 and player = $2 limit 1",
            "select 1 from former_players where platform = $1 and player = $2 limit 1",
        ] {
            let seat = sqlx::query(seats).bind(platform).bind(player);
            if seat.fetch_optional(self.store.database().pool_of_all()).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The settled results of a player in a pool before a cursor, newest first; at most `limit`.
    pub async fn rating_changes(
        &self,
        platform: &str,
        player: &str,
        pool: &str,
        before: Option<RatingCursor>,
        limit: usize,
    ) -> Result<Vec<RatingChange>, Error> {
        let (end_time, match_id) = before.unzip();
        // One more, for the rating before the last one.
        let rows: Vec<ResultRow> = sqlx::query_as(
            "select match_id, seat, points, rank, outcome, end_time, mean, deviation
             from results
             where platform = $1 and player = $2 and game = $3 and mean is not null
             and ($4::timestamptz is null or (end_time, match_id) < ($4, $5::uuid))
             order by end_time desc, match_id desc
             limit $6",
        )
        .bind(platform)
        .bind(player)
        .bind(pool)
        .bind(end_time)
        .bind(match_id)
        .bind(limit as i64 + 1)
        .fetch_all(self.store.database().pool_of_all())
        .await?;
        let befores = rows.iter().skip(1).map(|it| Some((it.mean, it.deviation)));
        let befores: Vec<_> = befores.chain([None]).collect();
        let changes = rows.into_iter().zip(befores).take(limit);
        Ok(changes.map(|(result, before)| RatingChange { result, before }).collect())
    }

    /// The players of a pool after a cursor, by rating, highest first; ties by name; at most
    /// `limit`.
    pub async fn standings(
        &self,
        platform: &str,
        pool: &str,
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
        .bind(pool)
        .bind(rating)
        .bind(player)
        .bind(limit as i64)
        .fetch_all(self.store.database().at(Bucket::of_name(platform)))
        .await?;
        Ok(standings)
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;

    #[test]
    fn a_deviation_grows_while_a_player_is_away_up_to_that_of_a_new_player() {
        let last_end_time = OffsetDateTime::UNIX_EPOCH;
        let standing = Standing {
            player: "ada".to_owned(),
            rating: 19_000_000,
            mean: 25_000_000,
            deviation: 2_000_000,
            played: 40,
            won: 20,
            shared: 0,
            last_end_time,
        };
        let after = |days| standing.deviation_at(last_end_time + Duration::days(days));
        assert_eq!(after(0), 2_000_000);
        assert_eq!(after(100), 2_828_427);
        assert_eq!(after(365), 4_312_772);
        assert!(after(700) < 6_000_000 && after(801) > 6_000_000, "provisional again");
        assert_eq!([after(1637), after(100_000)], [8_333_333; 2]);
        assert_eq!(after(-1), 2_000_000, "a clock that goes wrong takes no doubt away");
        let new = Standing { deviation: 8_333_333, ..standing };
        assert_eq!(new.deviation_at(last_end_time + Duration::days(9)), 8_333_333);
    }
}
