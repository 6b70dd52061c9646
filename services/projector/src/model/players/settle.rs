//! Settling results: ratings, standings, and who met whom, league by league, in the order of
//! (end_time, match_id).

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use sqlx::{Connection, FromRow, PgConnection, Row};
use store::{Bucket, MatchId};
use time::OffsetDateTime;

/// Results settled in one transaction: some hundred matches, so that a league's row is never held
/// for long.
const RESULTS_MAX: i64 = 4000;

/// Ratings are kept in millionths.
const WHOLE: f64 = 1e6;

/// Settles whatever is unsettled in any league. Leagues that another process is at are left to it.
pub(in crate::model) async fn settle(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let leagues: Vec<(String, String)> = sqlx::query_as(
        "select platform, game
         from leagues
         where exists (
             select
             from results
             where results.platform = leagues.platform and results.game = leagues.game and mean is null
         )
         order by platform, game",
    )
    .fetch_all(&mut *connection)
    .await?;
    for (platform, game) in leagues {
        let league = League { bucket: Bucket::of_platform(&platform), platform, game };
        while league.settle_some(connection).await? {}
    }
    Ok(())
}

struct League {
    bucket: Bucket,
    platform: String,
    game: String,
}

/// A row of `results`, as far as settling reads it.
#[derive(FromRow)]
struct Outcome {
    bucket: Bucket,
    match_id: MatchId,
    seat: i16,
    player: String,
    rank: i16,
    outcome: i16,
    end_time: OffsetDateTime,
    is_counted: bool,
}

/// A player's standing after some match.
#[derive(Clone, Copy, FromRow)]
struct Standing {
    mean: i64,
    deviation: i64,
    played: i32,
    won: i32,
    shared: i32,
}

impl League {
    /// Settles the next results in order, and says whether there may be more.
    async fn settle_some(&self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let mut transaction = connection.begin().await?;
        if !self.is_ours(&mut transaction).await? {
            return Ok(false);
        }
        let Some(first) = self.first_unsettled(&mut transaction).await? else { return Ok(false) };
        self.unsettle_after(&mut transaction, first).await?;
        let results = self.next_results(&mut transaction, first).await?;
        let is_last = results.len() < RESULTS_MAX as usize;
        let whole = whole_matches(&results, is_last);
        let mut standings = self.standings_before(&mut transaction, whole, first).await?;
        let after = rate(whole, &mut standings);
        write_results(&mut transaction, whole, &after).await?;
        self.write_standings(&mut transaction, whole, &standings).await?;
        self.count_opponents(&mut transaction, whole).await?;
        self.settled(&mut transaction, whole).await?;
        transaction.commit().await?;
        Ok(!is_last)
    }

    /// Takes the league for this transaction, unless another process is at it.
    async fn is_ours(&self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let league = sqlx::query(
            "select
             from leagues
             where bucket = $1 and platform = $2 and game = $3
             for update skip locked",
        )
        .bind(self.bucket)
        .bind(&self.platform)
        .bind(&self.game)
        .fetch_optional(connection)
        .await?;
        Ok(league.is_some())
    }

    /// Notes how far the league is settled.
    async fn settled(
        &self,
        connection: &mut PgConnection,
        results: &[Outcome],
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "update leagues
             set settled_time = $4
             where bucket = $1 and platform = $2 and game = $3",
        )
        .bind(self.bucket)
        .bind(&self.platform)
        .bind(&self.game)
        .bind(results.last().map(|last| last.end_time))
        .execute(connection)
        .await?;
        Ok(())
    }

    async fn first_unsettled(
        &self,
        connection: &mut PgConnection,
    ) -> Result<Option<(OffsetDateTime, MatchId)>, sqlx::Error> {
        sqlx::query_as(
            "select end_time, match_id
             from results
             where platform = $1 and game = $2 and mean is null
             order by end_time, match_id
             limit 1",
        )
        .bind(&self.platform)
        .bind(&self.game)
        .fetch_optional(connection)
        .await
    }

    /// A result came in behind others: what was made of those is void.
    async fn unsettle_after(
        &self,
        connection: &mut PgConnection,
        (end_time, match_id): (OffsetDateTime, MatchId),
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "update results
             set mean = null
             where platform = $1 and game = $2 and (end_time, match_id) > ($3, $4) and mean is not null
             and exists (
                 select
                 from leagues
                 where bucket = $5 and platform = $1 and game = $2 and settled_time >= $3
             )",
        )
        .bind(&self.platform)
        .bind(&self.game)
        .bind(end_time)
        .bind(match_id)
        .bind(self.bucket)
        .execute(connection)
        .await?;
        Ok(())
    }

    async fn next_results(
        &self,
        connection: &mut PgConnection,
        (end_time, match_id): (OffsetDateTime, MatchId),
    ) -> Result<Vec<Outcome>, sqlx::Error> {
        sqlx::query_as(
            "select bucket, match_id, seat, player, rank, outcome, end_time, is_counted
             from results
             where platform = $1 and game = $2 and (end_time, match_id) >= ($3, $4)
             order by end_time, match_id, seat
             limit $5",
        )
        .bind(&self.platform)
        .bind(&self.game)
        .bind(end_time)
        .bind(match_id)
        .bind(RESULTS_MAX)
        .fetch_all(connection)
        .await
    }

    /// By player: the standing after the player's last match before `first`. Who had none is left
    /// out.
    async fn standings_before(
        &self,
        connection: &mut PgConnection,
        results: &[Outcome],
        first: (OffsetDateTime, MatchId),
    ) -> Result<HashMap<String, Standing>, sqlx::Error> {
        let mut players: Vec<&str> = results.iter().map(|result| &*result.player).collect();
        players.sort_unstable();
        players.dedup();
        let rows = sqlx::query(
            "select player, mean, deviation, played, won, shared, last_end_time
             from standings
             where bucket = $1 and platform = $2 and game = $3 and player = any($4)",
        )
        .bind(self.bucket)
        .bind(&self.platform)
        .bind(&self.game)
        .bind(players)
        .fetch_all(&mut *connection)
        .await?;
        let mut standings = HashMap::new();
        for row in rows {
            let (player, last): (String, OffsetDateTime) =
                (row.try_get("player")?, row.try_get("last_end_time")?);
            // Mostly results come in order. A standing from later on is of results that are
            // unsettled now.
            let standing = match last < first.0 {
                true => Some(Standing::from_row(&row)?),
                false => self.standing_before(connection, &player, first).await?,
            };
            standings.extend(standing.map(|standing| (player, standing)));
        }
        Ok(standings)
    }

    async fn standing_before(
        &self,
        connection: &mut PgConnection,
        player: &str,
        (end_time, match_id): (OffsetDateTime, MatchId),
    ) -> Result<Option<Standing>, sqlx::Error> {
        sqlx::query_as(
            "select mean, deviation, played, won, shared
             from results
             where platform = $1 and game = $2 and player = $3
             and (end_time, match_id) < ($4, $5)
             order by end_time desc, match_id desc
             limit 1",
        )
        .bind(&self.platform)
        .bind(&self.game)
        .bind(player)
        .bind(end_time)
        .bind(match_id)
        .fetch_optional(connection)
        .await
    }

    async fn write_standings(
        &self,
        connection: &mut PgConnection,
        results: &[Outcome],
        standings: &HashMap<String, Standing>,
    ) -> Result<(), sqlx::Error> {
        let last: BTreeMap<&str, OffsetDateTime> =
            results.iter().map(|result| (&*result.player, result.end_time)).collect();
        let of = |player: &&str| standings[*player];
        sqlx::query(
            "insert into standings
                 (bucket, platform, game, player, mean, deviation, played, won, shared, last_end_time)
             select $1, $2, $3, *
             from unnest($4::text[], $5::int8[], $6::int8[], $7::int[], $8::int[], $9::int[], $10::timestamptz[])
             on conflict (bucket, platform, game, player) do update
             set mean = excluded.mean,
                 deviation = excluded.deviation,
                 played = excluded.played,
                 won = excluded.won,
                 shared = excluded.shared,
                 last_end_time = excluded.last_end_time",
        )
        .bind(self.bucket)
        .bind(&self.platform)
        .bind(&self.game)
        .bind(last.keys().collect::<Vec<_>>())
        .bind(last.keys().map(|player| of(player).mean).collect::<Vec<_>>())
        .bind(last.keys().map(|player| of(player).deviation).collect::<Vec<_>>())
        .bind(last.keys().map(|player| of(player).played).collect::<Vec<_>>())
        .bind(last.keys().map(|player| of(player).won).collect::<Vec<_>>())
        .bind(last.keys().map(|player| of(player).shared).collect::<Vec<_>>())
        .bind(last.values().collect::<Vec<_>>())
        .execute(connection)
        .await?;
        Ok(())
    }

    /// Counts who met whom. A result is counted once, however often it is settled; sums ask for no
    /// order.
    async fn count_opponents(
        &self,
        connection: &mut PgConnection,
        results: &[Outcome],
    ) -> Result<(), sqlx::Error> {
        let mut met: BTreeMap<(&str, &str), [i32; 3]> = BTreeMap::new();
        for seats in matches(results).filter(|seats| !seats[0].is_counted) {
            for (own, other) in pairs(seats) {
                let way = match own.rank.cmp(&other.rank) {
                    Ordering::Less => AHEAD,
                    Ordering::Greater => BEHIND,
                    Ordering::Equal => LEVEL,
                };
                met.entry((&own.player, &other.player)).or_default()[way] += 1;
            }
        }
        let count = |way: usize| met.values().map(|fared| fared[way]).collect::<Vec<_>>();
        sqlx::query(
            "insert into opponents (bucket, platform, player, opponent, played, ahead, behind, level)
             select $1, $2, player, opponent, ahead + behind + level, ahead, behind, level
             from unnest($3::text[], $4::text[], $5::int[], $6::int[], $7::int[])
                 as met (player, opponent, ahead, behind, level)
             on conflict (bucket, platform, player, opponent) do update
             set played = opponents.played + excluded.played,
                 ahead = opponents.ahead + excluded.ahead,
                 behind = opponents.behind + excluded.behind,
                 level = opponents.level + excluded.level",
        )
        .bind(self.bucket)
        .bind(&self.platform)
        .bind(met.keys().map(|met| met.0).collect::<Vec<_>>())
        .bind(met.keys().map(|met| met.1).collect::<Vec<_>>())
        .bind(count(AHEAD))
        .bind(count(BEHIND))
        .bind(count(LEVEL))
        .execute(connection)
        .await?;
        Ok(())
    }
}

const AHEAD: usize = 0;
const BEHIND: usize = 1;
const LEVEL: usize = 2;

async fn write_results(
    connection: &mut PgConnection,
    results: &[Outcome],
    after: &[Standing],
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update results
         set mean = settled.mean,
             deviation = settled.deviation,
             played = settled.played,
             won = settled.won,
             shared = settled.shared,
             is_counted = true
         from unnest(
             $1::smallint[], $2::uuid[], $3::smallint[], $4::int8[], $5::int8[], $6::int[], $7::int[], $8::int[]
         ) as settled (bucket, match_id, seat, mean, deviation, played, won, shared)
         where results.bucket = settled.bucket
         and results.match_id = settled.match_id
         and results.seat = settled.seat",
    )
    .bind(results.iter().map(|it| it.bucket).collect::<Vec<_>>())
    .bind(results.iter().map(|it| it.match_id).collect::<Vec<_>>())
    .bind(results.iter().map(|it| it.seat).collect::<Vec<_>>())
    .bind(after.iter().map(|it| it.mean).collect::<Vec<_>>())
    .bind(after.iter().map(|it| it.deviation).collect::<Vec<_>>())
    .bind(after.iter().map(|it| it.played).collect::<Vec<_>>())
    .bind(after.iter().map(|it| it.won).collect::<Vec<_>>())
    .bind(after.iter().map(|it| it.shared).collect::<Vec<_>>())
    .execute(connection)
    .await?;
    Ok(())
}

/// The results without the last match, of which there may be more seats to come; all of them if
/// there is nothing to come.
fn whole_matches(results: &[Outcome], is_last: bool) -> &[Outcome] {
    let cut = results.last().filter(|_| !is_last).map(|last| last.match_id);
    let whole = results.iter().take_while(|result| Some(result.match_id) != cut).count();
    &results[..whole]
}

/// The seats of each match.
fn matches(results: &[Outcome]) -> impl Iterator<Item = &[Outcome]> {
    results.chunk_by(|one, other| one.match_id == other.match_id)
}

/// Each seat with each other one.
fn pairs(seats: &[Outcome]) -> impl Iterator<Item = (&Outcome, &Outcome)> {
    let others = |own: &Outcome| {
        let seat = own.seat;
        seats.iter().filter(move |other| other.seat != seat)
    };
    seats.iter().flat_map(move |own| others(own).map(move |other| (own, other)))
}

/// Lets each match in turn change the standings of its players; returns, for each result, the
/// standing after it.
fn rate(results: &[Outcome], standings: &mut HashMap<String, Standing>) -> Vec<Standing> {
    let mut after = Vec::with_capacity(results.len());
    for seats in matches(results) {
        let before: Vec<Standing> = seats
            .iter()
            .map(|seat| standings.get(&seat.player).copied().unwrap_or_default())
            .collect();
        for (seat, standing) in seats.iter().zip(rated(seats, &before)) {
            standings.insert(seat.player.clone(), standing);
            after.push(standing);
        }
    }
    after
}

/// The standings after one match: Weng and Lin's method, each seat a team of one.
fn rated(seats: &[Outcome], before: &[Standing]) -> Vec<Standing> {
    let teams: Vec<[WengLinRating; 1]> =
        before.iter().map(|standing| [standing.rating()]).collect();
    let ranked: Vec<(&[WengLinRating], MultiTeamOutcome)> = teams
        .iter()
        .zip(seats)
        .map(|(team, seat)| (&team[..], MultiTeamOutcome::new(seat.rank as usize)))
        .collect();
    let after = weng_lin_multi_team(&ranked, &WengLinConfig::new());
    let seats = seats.iter().zip(before).zip(after);
    seats.map(|((seat, before), after)| before.after(seat.outcome, after[0])).collect()
}

impl Standing {
    fn rating(&self) -> WengLinRating {
        let (mean, deviation) = (self.mean as f64 / WHOLE, self.deviation as f64 / WHOLE);
        WengLinRating { rating: mean, uncertainty: deviation }
    }

    fn after(&self, outcome: i16, rating: WengLinRating) -> Standing {
        Standing {
            mean: (rating.rating * WHOLE).round() as i64,
            deviation: (rating.uncertainty * WHOLE).round() as i64,
            played: self.played + 1,
            won: self.won + i32::from(outcome == 1),
            shared: self.shared + i32::from(outcome == 2),
        }
    }
}

/// A player nobody knows anything about.
impl Default for Standing {
    fn default() -> Standing {
        let new = Standing { mean: 0, deviation: 0, played: -1, won: 0, shared: 0 };
        new.after(0, WengLinRating::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::Duration;

    /// A match of these players, by rank.
    fn played(nth: i64, players: &[(&str, i16)]) -> Vec<Outcome> {
        let match_id = MatchId(uuid(nth));
        let seat = |(seat, &(player, rank)): (usize, &(&str, i16))| Outcome {
            bucket: Bucket::of(match_id),
            match_id,
            seat: seat as i16,
            player: player.to_owned(),
            rank,
            outcome: i16::from(rank == 1),
            end_time: OffsetDateTime::UNIX_EPOCH + Duration::seconds(nth),
            is_counted: false,
        };
        players.iter().enumerate().map(seat).collect()
    }

    fn uuid(nth: i64) -> sqlx::types::Uuid {
        sqlx::types::Uuid::from_u128(nth as u128)
    }

    #[test]
    fn whoever_wins_rises_and_whoever_loses_falls() {
        let mut standings = HashMap::new();
        let mut results = played(1, &[("ada", 1), ("ben", 2)]);
        results.extend(played(2, &[("ben", 2), ("ada", 1)]));
        let after = rate(&results, &mut standings);
        let new = Standing::default();
        assert_eq!((new.mean, new.deviation), (25_000_000, 8_333_333));
        assert!(after[0].mean > new.mean && after[1].mean < new.mean);
        assert!(after[0].deviation < new.deviation, "more is known of her");
        assert!(standings["ada"].mean > after[0].mean);
        assert_eq!((standings["ada"].played, standings["ada"].won), (2, 2));
        assert_eq!((standings["ben"].played, standings["ben"].won), (2, 0));
    }

    #[test]
    fn pages_end_with_a_whole_match() {
        let mut results = played(1, &[("ada", 1), ("ben", 2)]);
        results.extend(played(2, &[("ada", 1), ("eve", 2)]));
        assert_eq!(whole_matches(&results, true).len(), 4);
        assert_eq!(whole_matches(&results, false).len(), 2);
    }
}
