//! Limits that an operator has set for a platform.

use database::Error;
use positions::Bucket;

use crate::Accounts;

/// A platform's limits; `None` where the service's default applies.
#[derive(Clone, Debug, Default, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct LimitsRow {
    pub platform: String,
    pub calls_per_s: Option<i32>,
    pub actions_per_s: Option<i32>,
    pub actions_max: Option<i32>,
    pub matches_per_s: Option<i32>,
    pub watches_max: Option<i32>,
    pub streams_max: Option<i32>,
    pub subscriptions_max: Option<i32>,
    pub consumers_max: Option<i32>,
    pub seat_calls_per_s: Option<i32>,
    pub seat_actions_per_s: Option<i32>,
    pub seat_streams_max: Option<i32>,
    pub seat_entries_max: Option<i32>,
    pub spectator_calls_per_s: Option<i32>,
    pub spectator_streams_max: Option<i32>,
}

impl LimitsRow {
    /// The limit of this name.
    pub fn limit(&mut self, name: &str) -> Option<&mut Option<i32>> {
        Some(match name {
            "calls_per_s" => &mut self.calls_per_s,
            "actions_per_s" => &mut self.actions_per_s,
            "actions_max" => &mut self.actions_max,
            "matches_per_s" => &mut self.matches_per_s,
            "watches_max" => &mut self.watches_max,
            "streams_max" => &mut self.streams_max,
            "subscriptions_max" => &mut self.subscriptions_max,
            "consumers_max" => &mut self.consumers_max,
            "seat_calls_per_s" => &mut self.seat_calls_per_s,
            "seat_actions_per_s" => &mut self.seat_actions_per_s,
            "seat_streams_max" => &mut self.seat_streams_max,
            "seat_entries_max" => &mut self.seat_entries_max,
            "spectator_calls_per_s" => &mut self.spectator_calls_per_s,
            "spectator_streams_max" => &mut self.spectator_streams_max,
            _ => return None,
        })
    }

    /// The limits, in the order of the table's columns.
    fn values(&self) -> [Option<i32>; 14] {
        [
            self.calls_per_s,
            self.actions_per_s,
            self.actions_max,
            self.matches_per_s,
            self.watches_max,
            self.streams_max,
            self.subscriptions_max,
            self.consumers_max,
            self.seat_calls_per_s,
            self.seat_actions_per_s,
            self.seat_streams_max,
            self.seat_entries_max,
            self.spectator_calls_per_s,
            self.spectator_streams_max,
        ]
    }
}

impl Accounts {
    /// The limits of those of these platforms that have any set.
    pub async fn platform_limits(&self, platforms: &[String]) -> Result<Vec<LimitsRow>, Error> {
        let buckets: Vec<Bucket> = platforms.iter().map(|it| Bucket::of_name(it)).collect();
        let rows = sqlx::query_as(
            "select *
             from platform_limits
             where (bucket, platform) in (select * from unnest($1::smallint[], $2::text[]))",
        )
        .bind(buckets)
        .bind(platforms)
        .fetch_all(self.pool())
        .await?;
        Ok(rows)
    }

    /// Replaces a platform's limits. Returns false if there is no such platform.
    pub async fn set_platform_limits(&self, row: &LimitsRow) -> Result<bool, Error> {
        let mut setting = sqlx::query(
            "insert into platform_limits
                 (bucket, platform, calls_per_s, actions_per_s, actions_max, matches_per_s,
                  watches_max, streams_max, subscriptions_max, consumers_max, seat_calls_per_s,
                  seat_actions_per_s, seat_streams_max, seat_entries_max,
                  spectator_calls_per_s, spectator_streams_max)
             select bucket, platform, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
             from platforms
             where bucket = $1 and platform = $2
             on conflict (bucket, platform) do update
             set calls_per_s = excluded.calls_per_s,
                 actions_per_s = excluded.actions_per_s,
                 actions_max = excluded.actions_max,
                 matches_per_s = excluded.matches_per_s,
                 watches_max = excluded.watches_max,
                 streams_max = excluded.streams_max,
                 subscriptions_max = excluded.subscriptions_max,
                 consumers_max = excluded.consumers_max,
                 seat_calls_per_s = excluded.seat_calls_per_s,
                 seat_actions_per_s = excluded.seat_actions_per_s,
                 seat_streams_max = excluded.seat_streams_max,
                 seat_entries_max = excluded.seat_entries_max,
                 spectator_calls_per_s = excluded.spectator_calls_per_s,
                 spectator_streams_max = excluded.spectator_streams_max",
        )
        .bind(Bucket::of_name(&row.platform))
        .bind(&row.platform);
        for limit in row.values() {
            setting = setting.bind(limit);
        }
        let set = setting.execute(self.pool()).await?;
        Ok(set.rows_affected() == 1)
    }

    /// Like [`Accounts::set_platform_limits`], as the role that serves, for an operator whose key
    /// this proves. Returns `None` without one.
    pub async fn set_platform_limits_by(
        &self,
        proof: &[u8; 32],
        row: &LimitsRow,
    ) -> Result<Option<bool>, Error> {
        let setting = sqlx::query_as("select set_platform_limits($1, $2, $3, $4)")
            .bind(proof.to_vec())
            .bind(Bucket::of_name(&row.platform))
            .bind(row.platform.clone())
            .bind(row.values().to_vec());
        let (set,): (Option<bool>,) = self.database().write_returning(setting).await?;
        Ok(set)
    }
}
