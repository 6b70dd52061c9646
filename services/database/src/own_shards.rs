//! Reads of a node's own shards, by their names.
//!
//! If the database has several nodes, Citus plans a statement about several buckets at each call,
//! and each of its shards again: milliseconds, where Postgres takes a tenth of one. A statement
//! that names the shards is planned once. In the same snapshot it asks whether they are still on
//! the node. If they were moved, its answer means nothing, and the caller asks through Citus.
//!
//! Nothing is written this way: Citus would not notice, and move a shard without what was written.
//!
//! See `docs/decisions/0099-reads-of-own-shards.md`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use positions::Bucket;
use sqlx::SqlStr;
use sqlx::postgres::PgConnection;

/// The shards of a table that are on one node.
#[derive(Clone, Debug)]
pub struct OwnShards {
    table: String,
    shards: Vec<Shard>,
}

/// A shard, and those of the buckets asked for that are in it.
#[derive(Clone, Debug)]
struct Shard {
    id: i64,
    buckets: Vec<Bucket>,
}

impl OwnShards {
    /// The shards with these buckets, if the server of the connection has all of them.
    pub async fn of(
        connection: &mut PgConnection,
        table: &str,
        buckets: &[Bucket],
    ) -> Result<Option<Self>, sqlx::Error> {
        let shards: Result<Vec<(i64, Vec<Bucket>)>, _> = sqlx::query_as(
            "select placed.shardid, array_agg(placed.bucket)
             from (
                 select bucket, get_shard_id_for_distribution_column($1, bucket) as shardid
                 from unnest($2::smallint[]) as bucket
             ) as placed
             join pg_dist_placement as place on place.shardid = placed.shardid
             where place.groupid = (select groupid from pg_dist_local_group)
             group by placed.shardid
             order by placed.shardid",
        )
        .bind(table)
        .bind(buckets)
        .fetch_all(connection)
        .await;
        let shards = match shards {
            Ok(shards) => shards,
            // It is no Citus, or not one that shows this.
            Err(sqlx::Error::Database(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let shards: Vec<Shard> =
            shards.into_iter().map(|(id, buckets)| Shard { id, buckets }).collect();
        let count: usize = shards.iter().map(|it| it.buckets.len()).sum();
        let has_all = count == buckets.len() && !shards.is_empty();
        Ok(has_all.then(|| Self { table: table.to_owned(), shards }))
    }

    /// The table of each shard, and its buckets.
    pub fn each(&self) -> impl Iterator<Item = (String, &[Bucket])> {
        self.shards.iter().map(|it| (format!("{}_{}", self.table, it.id), &it.buckets[..]))
    }

    /// The rows of all shards: a query.
    pub fn rows(&self, columns: &str) -> String {
        let each = self.each().map(|(table, _)| format!("select {columns} from {table}"));
        each.collect::<Vec<_>>().join(" union all ")
    }

    /// Whether a shard has a row that fulfils the condition: an expression.
    pub(crate) fn have(&self, condition: &str) -> String {
        let each = self.each();
        let each = each
            .map(|(table, _)| format!("exists (select 1 from {table} as its where {condition})"));
        each.collect::<Vec<_>>().join(" or ")
    }

    /// Whether the node still has the shards: an expression.
    pub fn are_here(&self) -> String {
        let ids: Vec<String> = self.shards.iter().map(|it| it.id.to_string()).collect();
        format!(
            "(
                 select count(*)
                 from pg_dist_placement
                 where shardid = any('{{{}}}'::int8[])
                     and groupid = (select groupid from pg_dist_local_group)
             ) = {}",
            ids.join(","),
            ids.len()
        )
    }
}

/// The statements that ask nodes whether they have a row, by node, table and condition, with the
/// buckets of the node at that time.
#[derive(Default)]
pub(crate) struct Asked(Mutex<HashMap<Key, Statement>>);

/// A node, a table and a condition.
pub(crate) type Key = (String, &'static str, &'static str);

type Statement = (Arc<[Bucket]>, SqlStr);

impl Asked {
    pub(crate) fn get(&self, key: &Key, buckets: &Arc<[Bucket]>) -> Option<SqlStr> {
        let asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked.get(key).filter(|(its, _)| its == buckets).map(|(_, statement)| statement.clone())
    }

    pub(crate) fn set(&self, key: Key, buckets: Arc<[Bucket]>, statement: SqlStr) {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        asked.insert(key, (buckets, statement));
    }

    pub(crate) fn remove(&self, key: &Key) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_names_the_shards_and_asks_whether_they_are_there() {
        let bucket = |it: i16| Bucket::try_from(it).unwrap();
        let shards = OwnShards {
            table: "entries".to_owned(),
            shards: vec![
                Shard { id: 7, buckets: vec![bucket(1), bucket(3)] },
                Shard { id: 9, buckets: vec![bucket(2)] },
            ],
        };
        assert_eq!(
            shards.rows("body"),
            "select body from entries_7 union all select body from entries_9"
        );
        let buckets: Vec<usize> = shards.each().map(|(_, buckets)| buckets.len()).collect();
        assert_eq!(buckets, [2, 1]);
        assert!(
            shards.have("its.body is null").contains("from entries_9 as its where its.body is")
        );
        let are_here = shards.are_here();
        assert!(are_here.contains("'{7,9}'") && are_here.ends_with("= 2"), "{are_here}");
    }
}
