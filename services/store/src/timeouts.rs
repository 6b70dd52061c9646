//! Passed deadlines, and outages in which no process watched the clocks.

use database::{Error, Reading};
use event_log::append::TIME_ERROR_MAX;
use rows::MatchId;
use time::{Duration, OffsetDateTime};

use crate::Store;

/// A match whose deadline may have passed.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct DueMatch {
    pub platform: String,
    pub match_id: MatchId,
    pub deadline: OffsetDateTime,
}

/// A period in which no process watched the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct Outage {
    pub begin_time: OffsetDateTime,
    pub end_time: OffsetDateTime,
}

/// Outages that ended longer ago affect no match: no time control allows so long for a decision.
const OUTAGES_KEPT: &str = "interval '3 years'";

/// Reads the due matches of each platform, by its index.
const DUE: &str = "select platform, match_id, deadline
     from (
         select platform, each.*,
             row_number() over (partition by platform order by each.deadline) as turn
         from platforms
         cross join lateral (
             select match_id, deadline
             from match_summaries as of
             where of.platform = platforms.platform
             and of.deadline is not null
             and of.deadline <= (case when $2::timestamptz is null then $1 else 'infinity' end)
             and (of.deadline <= $1 or of.update_time < $2)
             and of.match_id <> all($4)
             order by of.deadline
             limit $3
         ) as each
     ) as due
     order by turn, deadline
     limit $3";

/// The same on several nodes: each returns the due matches of each platform in each bucket.
const DUE_IN_SHARDS: &str = "select platform, match_id, deadline
     from (
         select platform, match_id, deadline,
             row_number() over (partition by platform order by deadline) as turn
         from (
             select bucket, platform, match_id, deadline,
                 row_number() over (partition by bucket, platform order by deadline) as nth
             from match_summaries
             where deadline is not null
             and deadline <= (case when $2::timestamptz is null then $1 else 'infinity' end)
             and (deadline <= $1 or update_time < $2)
             and match_id <> all($4)
         ) as each
         where nth <= $3
     ) as due
     order by turn, deadline
     limit $3";

impl Store {
    /// Records that this process watches the clocks at this time. If no process has for
    /// `outage_min`, the time in between is recorded as an outage. Returns false, and records
    /// nothing, if the database's clock contradicts the time.
    pub async fn note_presence(&self, now: &Reading, outage_min: Duration) -> Result<bool, Error> {
        // If several processes return at once, the row lock orders them: the first records the
        // outage, and the others see that the clocks are watched.
        // A time that lies ahead was noted before the database's clock was set back.
        let noted = sqlx::query_as(
            "with agreed as materialized (
                 select abs(extract(epoch from clock_timestamp() - $3::timestamptz)) <= $4 as agrees
             ), last as (
                 select beat_time from presence where bucket = 0 for update
             ), noticed as (
                 insert into outages (begin_time, end_time)
                 select beat_time, $1::timestamptz
                 from last
                 where beat_time < $2
                     and (select agrees from agreed)
                 on conflict do nothing
                 returning bucket
             ), noted as (
                 insert into presence (beat_time)
                 select $1::timestamptz
                 -- Only then, or the row above would be read as it is afterwards.
                 from (select count(*) from noticed) as done
                 where (select agrees from agreed)
                 on conflict (bucket) do update
                 set beat_time = excluded.beat_time
                 where presence.beat_time < excluded.beat_time
                     or presence.beat_time > $5
             )
             select agrees from agreed",
        )
        .bind(now.time)
        .bind(now.time - outage_min)
        .bind(now.of_database_now())
        .bind(TIME_ERROR_MAX.as_secs_f64())
        // Several nodes accept no sum of a time and an interval in this place.
        .bind(now.time + outage_min);
        let (agrees,): (bool,) = self.database().write_returning(noted).await?;
        Ok(agrees)
    }

    /// The outages that may affect a running match, oldest first.
    pub async fn outages(&self) -> Result<Vec<Outage>, Error> {
        let outages = sqlx::query_as(sqlx::AssertSqlSafe(format!(
            "select begin_time, end_time
             from outages
             where bucket = 0 and end_time > now() - {OUTAGES_KEPT}
             order by begin_time"
        )))
        .fetch_all(self.pool())
        .await?;
        Ok(outages)
    }

    /// Matches whose deadline has passed at this time, or that have clocks and no entry since
    /// `unexcused_since`. Longest due first, platforms in turn; without those in `except`.
    pub async fn due_matches(
        &self,
        now: OffsetDateTime,
        unexcused_since: Option<OffsetDateTime>,
        most: usize,
        except: &[MatchId],
    ) -> Result<Vec<DueMatch>, Error> {
        if !self.database().may_have("match_summaries", "its.deadline is not null").await {
            return Ok(Vec::new());
        }
        let due = match self.database().is_sharded().await? {
            true => sqlx::query_as(DUE_IN_SHARDS),
            false => sqlx::query_as(DUE),
        };
        let due = due
            .bind(now)
            .bind(unexcused_since)
            .bind(i64::try_from(most).unwrap_or(i64::MAX))
            .bind(except)
            .fetch_all(self.pool_of_all())
            .await?;
        Ok(due)
    }
}
