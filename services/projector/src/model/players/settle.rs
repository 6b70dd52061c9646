//! Settling results: updates ratings, standings and head-to-head records, league by league, in the
//! order of (end_time, match_id).
//!
//! See `docs/decisions/0039-results-in-order-of-end-time.md`.

use std::collections::{BTreeMap, HashMap};

use positions::Bucket;
use rows::MatchId;
use sqlx::{Connection, FromRow, PgConnection, Row};
use time::OffsetDateTime;

use super::ratings::{HeadToHead, SeatResult, Standing, head_to_heads, rate, whole_matches};

/// A match's place in the order in which results are settled.
type Order = (OffsetDateTime, MatchId);

/// Results settled in one transaction: about a thousand matches, so that a league's row is not
/// locked for long.
const RESULTS_MAX: i64 = 4000;

/// Settles all unsettled results. Leagues that another process is settling are skipped.
pub(super) async fn settle(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let leagues: Vec<(String, String)> = sqlx::query_as(
        "select distinct platform, game
         from results
         where mean is null
         order by platform, game",
    )
    .fetch_all(&mut *connection)
    .await?;
    for (platform, game) in leagues {
        let league = League { bucket: Bucket::of_name(&platform), platform, game };
        while league.settle_some(connection).await? {}
    }
    Ok(())
}

/// A league: one game on one platform.
struct League {
    bucket: Bucket,
    platform: String,
    game: String,
}

impl League {
    /// Settles the next page of results, and returns whether there may be more.
    async fn settle_some(&self, connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
        let mut transaction = connection.begin().await?;
        let Some(settled) = self.try_lock(&mut transaction).await? else { return Ok(false) };
        let Some(first) = self.first_unsettled(&mut transaction).await? else { return Ok(false) };
        if settled.is_some_and(|settled| settled >= first.0) {
            self.unsettle_after(&mut transaction, first).await?;
        }
        let results = self.next_results(&mut transaction, first).await?;
        let is_last_page = results.len() < RESULTS_MAX as usize;
        let whole = whole_matches(&results, is_last_page);
        let mut standings = self.standings_before(&mut transaction, whole, first).await?;
        let after = rate(whole, &mut standings);
        write_results(&mut transaction, whole, &after).await?;
        self.write_standings(&mut transaction, whole, &standings).await?;
        self.write_opponents(&mut transaction, whole).await?;
        self.write_settled_time(&mut transaction, whole).await?;
        transaction.commit().await?;
        Ok(!is_last_page)
    }

    /// Locks the league for this transaction, and returns the end of its last settled match.
    /// Returns `None` if another process is settling the league.
    async fn try_lock(
        &self,
        connection: &mut PgConnection,
    ) -> Result<Option<Option<OffsetDateTime>>, sqlx::Error> {
        sqlx::query_scalar(
            "select settled_time
             from leagues
             where bucket = $1 and platform = $2 and game = $3
             for update skip locked",
        )
        .bind(self.bucket)
        .bind(&self.platform)
        .bind(&self.game)
        .fetch_optional(connection)
        .await
    }

    async fn write_settled_time(
        &self,
        connection: &mut PgConnection,
        results: &[SeatResult],
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
    ) -> Result<Option<Order>, sqlx::Error> {
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

    /// Unsettles the results that come after a result that arrived late. Their standings were
    /// computed without it.
    async fn unsettle_after(
        &self,
        connection: &mut PgConnection,
        (end_time, match_id): Order,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "update results
             set mean = null
             where platform = $1 and game = $2 and (end_time, match_id) > ($3, $4) and mean is not null",
        )
        .bind(&self.platform)
        .bind(&self.game)
        .bind(end_time)
        .bind(match_id)
        .execute(connection)
        .await?;
        Ok(())
    }

    async fn next_results(
        &self,
        connection: &mut PgConnection,
        (end_time, match_id): Order,
    ) -> Result<Vec<SeatResult>, sqlx::Error> {
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

    /// The standing of each player after the player's last match before `first`. Players without
    /// such a match are left out.
    async fn standings_before(
        &self,
        connection: &mut PgConnection,
        results: &[SeatResult],
        first: Order,
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
            // Results usually arrive in order, and then this is the standing. A later standing
            // includes results that are unsettled now.
            let standing = if last < first.0 {
                Some(Standing::from_row(&row)?)
            } else {
                self.standing_before(connection, &player, first).await?
            };
            standings.extend(standing.map(|standing| (player, standing)));
        }
        Ok(standings)
    }

    async fn standing_before(
        &self,
        connection: &mut PgConnection,
        player: &str,
        (end_time, match_id): Order,
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
        results: &[SeatResult],
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

    /// Adds to the records of opponents. Each result is added once, even if it is settled several
    /// times; the order does not matter, because the records are sums.
    async fn write_opponents(
        &self,
        connection: &mut PgConnection,
        results: &[SeatResult],
    ) -> Result<(), sqlx::Error> {
        let records = head_to_heads(results);
        let count = |count: fn(&HeadToHead) -> i32| records.values().map(count).collect::<Vec<_>>();
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
        .bind(records.keys().map(|(player, _)| *player).collect::<Vec<_>>())
        .bind(records.keys().map(|(_, opponent)| *opponent).collect::<Vec<_>>())
        .bind(count(|record| record.ahead))
        .bind(count(|record| record.behind))
        .bind(count(|record| record.level))
        .execute(connection)
        .await?;
        Ok(())
    }
}

async fn write_results(
    connection: &mut PgConnection,
    results: &[SeatResult],
    after: &[Standing],
) -> Result<(), sqlx::Error> {
    let buckets = Bucket::distinct(results.iter().map(|it| it.bucket));
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
         and results.bucket = any($9)
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
    .bind(buckets)
    .execute(connection)
    .await?;
    Ok(())
}
