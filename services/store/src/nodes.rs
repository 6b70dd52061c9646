//! The nodes of the database: one Postgres with everything or, with the extension Citus, several
//! that have some of the buckets each.
//!
//! A node that has the rows runs a statement about them at nearly the cost of plain Postgres, three
//! times less than through another one. So the writer has a connection for each node. Where the
//! buckets are is read once: if they move meanwhile, the statements still reach them, at that cost.
//!
//! A node may be away while the others answer. So what is about all buckets is read a node at a
//! time, and what is missing is told.

use crate::hosts::Hosts;
use crate::{BUCKETS, Bucket, Error, Store};
use futures::future::join_all;
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Executor};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// A node of the database.
#[derive(Clone)]
pub struct Node {
    /// How to reach it; none for the address that the service was given.
    hosts: Option<Arc<Hosts>>,
    pub(crate) buckets: Vec<Bucket>,
    /// When it was last seen to be away; none if it answered since.
    away: Arc<Mutex<Option<Instant>>>,
}

/// What was read of all buckets, a node at a time.
#[derive(Debug)]
pub struct OfNodes<T> {
    /// What each node said that answered.
    pub found: Vec<T>,
    /// The buckets of the nodes that are away, of which there is always another one.
    pub away: Vec<Bucket>,
}

impl<T> OfNodes<Vec<T>> {
    /// The rows of all nodes as one list, in this order: the first ones, at most `limit`.
    pub fn in_order<Key: Ord>(self, limit: usize, key: impl Fn(&T) -> Key) -> OfNodes<T> {
        let is_of_one = self.found.len() == 1;
        let mut found: Vec<T> = self.found.into_iter().flatten().collect();
        if !is_of_one {
            found.sort_by_key(key);
            found.truncate(limit);
        }
        OfNodes { found, away: self.away }
    }
}

impl<T> OfNodes<T> {
    /// Fails if a node is away.
    pub fn whole(self) -> Result<Vec<T>, Error> {
        if self.away.is_empty() { Ok(self.found) } else { Err(Error::TimedOut) }
    }
}

/// A node that cannot be reached in this time is asked through the address that the service was
/// given.
const CONNECT_WAIT: Duration = Duration::from_secs(1);
/// A node that is away is asked once in this time whether it is back.
const AWAY_PAUSE: Duration = Duration::from_secs(1);
/// How long the answer may take. A node that does not answer at all delays the others by no more.
const AWAY_WAIT: Duration = Duration::from_millis(500);

impl Node {
    /// The only node: the address that the service was given, with all buckets.
    pub fn only() -> Node {
        Node::of(None, Bucket::all().collect())
    }

    /// Several nodes at that address, which take turns with the buckets.
    pub fn several(count: usize) -> Vec<Node> {
        let buckets = |n| Bucket::all().filter(move |bucket| bucket.index() % count == n).collect();
        (0..count).map(|n| Node::of(None, buckets(n))).collect()
    }

    fn of(hosts: Option<Arc<Hosts>>, buckets: Vec<Bucket>) -> Node {
        Node { hosts, buckets, away: Arc::default() }
    }

    /// Reads from this node, one of several. Returns none if it is away.
    pub(crate) async fn ask<T>(
        &self,
        store: &Store,
        reading: impl Future<Output = Result<T, Error>>,
    ) -> Result<Option<T>, Error> {
        let seen = *self.away();
        match seen {
            None => {}
            Some(seen) if seen.elapsed() < AWAY_PAUSE => return Ok(None),
            Some(_) => {
                // Meanwhile nobody else asks.
                *self.away() = Some(Instant::now());
                if !self.answers(store).await {
                    return Ok(None);
                }
            }
        }
        let read = reading.await;
        // Otherwise it is the statement that fails, perhaps because it takes too long.
        let is_away = read.as_ref().is_err_and(Error::is_of_node) && !self.answers(store).await;
        *self.away() = is_away.then(Instant::now);
        if is_away { Ok(None) } else { read.map(Some) }
    }

    async fn answers(&self, store: &Store) -> bool {
        matches!(timeout(AWAY_WAIT, self.try_answer(store)).await, Ok(Ok(())))
    }

    /// Asks the node for next to nothing. On a connection of its own, since the pool's would be
    /// taken by questions that are not answered.
    async fn try_answer(&self, store: &Store) -> Result<(), sqlx::Error> {
        let mut connection = store.connection().await?;
        let limit = format!("set statement_timeout = {}", AWAY_WAIT.as_millis());
        connection.execute(sqlx::AssertSqlSafe(limit)).await?;
        sqlx::query("select count(*) from buckets where bucket = any($1)")
            .bind(&self.buckets)
            .fetch_one(&mut connection)
            .await?;
        let _ = connection.close().await;
        Ok(())
    }

    fn away(&self) -> MutexGuard<'_, Option<Instant>> {
        self.away.lock().expect("no holder of this lock panics")
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
    /// Reads of the buckets of each node. Fails if no node can be read, or one for another reason
    /// than that it is away. One Postgres is asked for all buckets at once.
    pub async fn each_node<T, Reading>(
        &self,
        read: impl Fn(Vec<Bucket>) -> Reading,
    ) -> Result<OfNodes<T>, Error>
    where
        Reading: Future<Output = Result<T, Error>>,
    {
        let nodes = self.nodes().await?;
        if let [only] = nodes {
            return Ok(OfNodes {
                found: vec![read(only.buckets.clone()).await?],
                away: Vec::new(),
            });
        }
        let answers =
            join_all(nodes.iter().map(|node| node.ask(self, read(node.buckets.clone())))).await;
        let mut all = OfNodes { found: Vec::new(), away: Vec::new() };
        for (node, answer) in nodes.iter().zip(answers) {
            match answer? {
                Some(found) => all.found.push(found),
                None => all.away.extend(&node.buckets),
            }
        }
        if all.found.is_empty() { Err(Error::TimedOut) } else { Ok(all) }
    }

    /// The nodes of the database. Each bucket is on one of them.
    pub async fn nodes(&self) -> Result<&[Node], Error> {
        Ok(self.shared.shards.nodes.get_or_try_init(|| self.find_nodes()).await?)
    }

    async fn find_nodes(&self) -> Result<Vec<Node>, Error> {
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
        if nodes.values().map(Vec::len).sum::<usize>() != BUCKETS {
            return Ok(vec![Node::only()]);
        }
        let given = self.shared.hosts.current();
        let node = |((host, port), buckets): ((String, i32), _)| {
            let port = u16::try_from(port).unwrap_or_default();
            let hosts = Hosts::new(vec![given.clone().host(&host).port(port)], false);
            Node::of(Some(Arc::new(hosts)), buckets)
        };
        Ok(nodes.into_iter().map(node).collect())
    }
}
