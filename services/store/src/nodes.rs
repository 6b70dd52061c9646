//! The nodes of the database: one Postgres with everything or, with the extension Citus, several
//! that have some of the buckets each.
//!
//! A node that has the rows runs a statement about them at nearly the cost of plain Postgres, three
//! times less than through another one. So the writer has a connection for each node. Where the
//! buckets are is read once: if they move meanwhile, the statements still reach them, at that cost.

use crate::hosts::Hosts;
use crate::{Bucket, Error, Store};
use sqlx::postgres::PgConnection;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A node of the database.
#[derive(Clone)]
pub struct Node {
    /// How to reach it; none for the address that the service was given.
    hosts: Option<Arc<Hosts>>,
    pub(crate) buckets: Vec<Bucket>,
}

/// A node that cannot be reached in this time is asked through the address that the service was
/// given.
const CONNECT_WAIT: Duration = Duration::from_secs(1);

impl Node {
    /// The only node: the address that the service was given, with all buckets.
    pub fn only() -> Node {
        Node { hosts: None, buckets: Bucket::all().collect() }
    }

    /// Several nodes at that address, which take turns with the buckets.
    pub fn several(count: usize) -> Vec<Node> {
        let buckets = |n| Bucket::all().filter(move |bucket| bucket.index() % count == n).collect();
        (0..count).map(|n| Node { hosts: None, buckets: buckets(n) }).collect()
    }

    /// A connection to the node.
    pub(crate) async fn connect(&self, store: &Store) -> Result<PgConnection, sqlx::Error> {
        if let Some(hosts) = &self.hosts
            && let Ok(Ok(connection)) = timeout(CONNECT_WAIT, store.connection_to(hosts)).await
        {
            return Ok(connection);
        }
        store.connection().await
    }
}

impl Store {
    /// The nodes of the database. Each bucket is on one of them.
    pub async fn nodes(&self) -> Result<Vec<Node>, Error> {
        if !self.is_sharded().await? {
            return Ok(vec![Node::only()]);
        }
        let places: Vec<(Bucket, String, i32)> = sqlx::query_as(
            "select placed.bucket, place.nodename, place.nodeport
             from (
                 select bucket, get_shard_id_for_distribution_column('entries', bucket) as shard
                 from unnest($1::smallint[]) as bucket
             ) as placed
             join pg_dist_shard_placement as place on place.shardid = placed.shard
             where exists (
                 select 1 from pg_dist_partition where logicalrelid = 'entries'::regclass
             )",
        )
        .bind(Bucket::all().collect::<Vec<_>>())
        .fetch_all(&self.pool)
        .await?;
        let mut nodes = BTreeMap::<(String, i32), Vec<Bucket>>::new();
        for (bucket, host, port) in places {
            nodes.entry((host, port)).or_default().push(bucket);
        }
        if nodes.values().map(Vec::len).sum::<usize>() != crate::BUCKETS {
            return Ok(vec![Node::only()]);
        }
        let given = self.shared.hosts.current();
        let node = |((host, port), buckets): ((String, i32), _)| {
            let port = u16::try_from(port).unwrap_or_default();
            let hosts = Hosts::new(vec![given.clone().host(&host).port(port)], false);
            Node { hosts: Some(Arc::new(hosts)), buckets }
        };
        Ok(nodes.into_iter().map(node).collect())
    }
}
