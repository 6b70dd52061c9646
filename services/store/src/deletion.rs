//! Deleting matches that were never dealt.

use database::{Error, Pool};
use positions::Bucket;
use rows::MatchId;
use sqlx::Row;

use crate::Store;

/// The outcome of [`Store::delete_open`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    Deleted,
    /// The match has no open seat, so it has been or may be dealt at any moment.
    NotOpen,
    /// The platform has no such match.
    NoSuchMatch,
}

/// The matches whose state in memory processes must drop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removals {
    pub deleted: Vec<MatchId>,
    /// The matches that were reduced to their results.
    pub reduced: Vec<MatchId>,
}

/// Reads removals since its last read. It misses none, even if a transaction commits late.
pub struct RemovalReader {
    store: Store,
    since: i64,
}

impl Store {
    /// Deletes a platform's match that was never dealt and has an open seat, with everything that
    /// belongs to it. If a player takes a seat at the same time, the keys let one of the two
    /// succeed.
    pub async fn delete_open(&self, platform: &str, match_id: MatchId) -> Result<Deletion, Error> {
        loop {
            let query = sqlx::query_as("select delete_open_match($1, $2)");
            let query = query.bind(platform).bind(match_id);
            match self.database().write_returning_at(Bucket::of(match_id), query).await {
                Ok((true,)) => return Ok(Deletion::Deleted),
                // A seat or tag was added in the meantime. Both are bounded, so the retries are
                // too.
                Err(Error::Gone(_)) => continue,
                Ok((false,)) => {}
                Err(error) => return Err(error),
            }
            match self.find(platform, match_id).await? {
                None => return Ok(Deletion::NoSuchMatch),
                Some(row) if row.last.is_some() || row.seated.len() >= row.seats as usize => {
                    return Ok(Deletion::NotOpen);
                }
                // It was created just now, by a concurrent request.
                Some(_) => {}
            }
        }
    }

    /// Frees the seat of a player in a platform's match that was never dealt and has an open seat.
    /// Returns whether it did.
    pub async fn leave_open(
        &self,
        platform: &str,
        match_id: MatchId,
        player: &str,
    ) -> Result<bool, Error> {
        let query = sqlx::query_as("select leave_open_match($1, $2, $3)");
        let query = query.bind(platform).bind(match_id).bind(player);
        let (has_left,) = self.database().write_returning_at(Bucket::of(match_id), query).await?;
        Ok(has_left)
    }

    /// A reader of future removals.
    pub async fn removals(&self) -> Result<RemovalReader, Error> {
        let since =
            sqlx::query_scalar("select pg_snapshot_xmin(pg_current_snapshot())::text::int8")
                .fetch_one(self.pool())
                .await?;
        Ok(RemovalReader { store: self.clone(), since })
    }
}

impl RemovalReader {
    pub async fn read(&mut self) -> Result<Removals, Error> {
        if self.store.database().is_sharded().await? {
            return self.read_of_late().await;
        }
        // One statement has one snapshot, in which every transaction before `horizon` has finished.
        let row = sqlx::query(
            "select
                 pg_snapshot_xmin(pg_current_snapshot())::text::int8 as horizon,
                 array(
                     select match_id
                     from deleted_matches
                     where changed_in >= $1::text::xid8
                 ) as deleted,
                 array(
                     select match_id
                     from kept_results
                     where changed_in >= $1::text::xid8
                 ) as reduced",
        )
        .bind(self.since.to_string())
        .fetch_one(self.store.pool())
        .await?;
        let horizon: i64 = row.try_get("horizon")?;
        if horizon < self.since {
            // After a failover to an older state, transactions are counted again from there.
            self.since = 0;
            return Box::pin(self.read()).await;
        }
        self.since = horizon;
        Ok(Removals { deleted: row.try_get("deleted")?, reduced: row.try_get("reduced")? })
    }

    /// The removals of the last hour, except on nodes that are unreachable. Each Postgres numbers
    /// its own transactions, so no number tells what was read before.
    async fn read_of_late(&self) -> Result<Removals, Error> {
        let of_late = async |table, query: &'static str| -> Result<Vec<MatchId>, Error> {
            if !self.store.database().may_have(table, "true").await {
                return Ok(Vec::new());
            }
            let read = async |pool: Pool, buckets: Vec<Bucket>| {
                Ok(sqlx::query_scalar(query).bind(buckets).fetch_all(&pool).await?)
            };
            Ok(self.store.database().each_node(read).await?.found.concat())
        };
        Ok(Removals {
            deleted: of_late(
                "deleted_matches",
                "select match_id
                 from deleted_matches
                 where bucket = any($1) and delete_time > now() - interval '1 hour'",
            )
            .await?,
            reduced: of_late(
                "kept_results",
                "select match_id
                 from kept_results
                 where bucket = any($1) and reduce_time > now() - interval '1 hour'",
            )
            .await?,
        })
    }
}
