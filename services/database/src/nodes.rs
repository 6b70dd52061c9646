//! The nodes of the database: one Postgres with everything or, with the extension Citus, several
//! with some of the buckets each.
//!
//! A node that has the rows runs a statement about them at nearly the cost of plain Postgres, three
//! times less than through another one. So the writer has a connection for each node, and readers
//! have a pool for each. If buckets move, the statements still reach them, at that higher cost,
//! until the places are read again.
//!
//! A node may be unreachable, or hang, while the others answer. So reads of all buckets go node by
//! node, and report the missing buckets. A statement about one bucket waits for its node at most
//! twice [`AWAY_WAIT`]. While the node is known to be away it is refused at once, and it holds no
//! connection that the other nodes need.
//!
//! See `docs/decisions/0031-several-nodes-same-statements.md` and
//! `docs/decisions/0092-a-pool-for-each-node.md`.

use crate::{Error, Hosts};
use positions::Bucket;
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Executor};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// A node of the database.
#[derive(Clone)]
pub struct Node {
    its: Arc<Its>,
    pub buckets: Arc<[Bucket]>,
}

/// What stays with a node while its buckets change.
struct Its {
    /// Its address, which tells it apart from others.
    name: String,
    /// How to reach it; `None` for the address with which the service was configured.
    hosts: Option<Arc<Hosts>>,
    /// When it was last found unreachable; `None` if it has answered since.
    away: Mutex<Option<Instant>>,
}

/// The nodes as they are known, cheap to clone. Empty until they are read.
#[derive(Clone, Default)]
pub(crate) struct Places(Arc<RwLock<Arc<[Node]>>>);

impl Places {
    pub(crate) fn all(&self) -> Arc<[Node]> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set(&self, nodes: Vec<Node>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = nodes.into();
    }

    /// The node that has a bucket, and its number; `None` on one Postgres.
    pub(crate) fn of(&self, bucket: Bucket) -> Option<(usize, Node)> {
        let nodes = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if nodes.len() < 2 {
            return None;
        }
        let (number, node) =
            nodes.iter().enumerate().find(|(_, node)| node.buckets.contains(&bucket))?;
        Some((number, node.clone()))
    }
}

/// A node of a cluster, as last seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenNode {
    /// Its address, as the nodes have it for each other.
    pub name: String,
    pub answers: bool,
}

/// All nodes, as last seen; empty on one Postgres.
pub type SeenNodes = Arc<[SeenNode]>;

/// The result of a read of all buckets, node by node.
#[derive(Debug)]
pub struct OfNodes<T> {
    /// The rows of each node that answered.
    pub found: Vec<T>,
    /// The buckets of the unreachable nodes. At least one node has answered.
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
    /// Fails if a node is unreachable.
    pub fn whole(self) -> Result<Vec<T>, Error> {
        if self.away.is_empty() { Ok(self.found) } else { Err(Error::TimedOut) }
    }
}

/// After this time without a connection, a node is reached through the configured address.
const CONNECT_WAIT: Duration = Duration::from_secs(1);
/// How often an unreachable node is tried again.
const AWAY_PAUSE: Duration = Duration::from_secs(1);
/// The timeout of that attempt. A statement that takes longer makes its caller ask whether the node
/// answers at all.
pub(crate) const AWAY_WAIT: Duration = Duration::from_secs(1);
/// After this time without another attempt, a node is no longer taken for unreachable. The follower
/// of the log reads every second.
const AWAY_MAX: Duration = Duration::from_secs(5);

impl Node {
    /// The only node: the configured address, with all buckets.
    pub fn only() -> Node {
        Node::of(String::new(), None, Bucket::all().collect())
    }

    /// Several nodes at that address, with the buckets assigned in turn.
    pub fn several(count: usize) -> Vec<Node> {
        let buckets = |n| Bucket::all().filter(move |bucket| bucket.index() % count == n).collect();
        (0..count).map(|n| Node::of(n.to_string(), None, buckets(n))).collect()
    }

    pub(crate) fn of(name: String, hosts: Option<Arc<Hosts>>, buckets: Vec<Bucket>) -> Node {
        let its = Its { name, hosts, away: Mutex::default() };
        Node { its: Arc::new(its), buckets: buckets.into() }
    }

    /// This node with other buckets.
    pub(crate) fn with(&self, buckets: Vec<Bucket>) -> Node {
        Node { its: self.its.clone(), buckets: buckets.into() }
    }

    pub(crate) fn name(&self) -> &str {
        &self.its.name
    }

    /// Waits for a statement of this node, one of several. Returns `None` if it is unreachable: an
    /// error for which `is_of_node` holds, or no answer, is reason to ask it. `given` is the
    /// configured address.
    pub(crate) async fn ask<T, E>(
        &self,
        given: &Hosts,
        is_of_node: impl Fn(&E) -> bool,
        reading: impl Future<Output = Result<T, E>>,
    ) -> Result<Option<T>, E> {
        let seen = *self.away();
        match seen {
            None => {}
            Some(seen) if seen.elapsed() < AWAY_PAUSE => return Ok(None),
            Some(_) => {
                // In the meantime no other task tries.
                *self.away() = Some(Instant::now());
                if !self.answers(given).await {
                    return Ok(None);
                }
            }
        }
        let mut reading = pin!(reading);
        let read = match timeout(AWAY_WAIT, &mut reading).await.ok() {
            Some(read) => Some(read),
            None if self.answers(given).await => Some(reading.await),
            // Its statement would use up its time.
            None => None,
        };
        // Otherwise the statement itself failed, perhaps because it took too long.
        let is_of_node = matches!(&read, Some(Err(error)) if is_of_node(error));
        let is_away = read.is_none() || is_of_node && !self.answers(given).await;
        *self.away() = is_away.then(Instant::now);
        if is_away && seen.is_none() {
            tracing::warn!("the node {} of the database does not answer", self.its.name);
        } else if !is_away && seen.is_some() {
            tracing::info!("the node {} of the database answers again", self.its.name);
        }
        read.filter(|_| !is_away).transpose()
    }

    /// Whether the node has just been found unreachable. It asks nobody.
    pub(crate) fn is_away(&self) -> bool {
        self.away().is_some_and(|seen| seen.elapsed() < AWAY_MAX)
    }

    /// How to reach the node; `None` for the address with which the service was configured.
    pub fn hosts(&self) -> Option<&Hosts> {
        self.its.hosts.as_deref()
    }

    pub(crate) fn shared_hosts(&self) -> Option<&Arc<Hosts>> {
        self.its.hosts.as_ref()
    }

    pub(crate) async fn answers(&self, given: &Hosts) -> bool {
        matches!(timeout(AWAY_WAIT, self.try_answer(given)).await, Ok(Ok(())))
    }

    /// Sends the node a trivial query, on a connection of its own, since unanswered queries could
    /// occupy the whole pool.
    async fn try_answer(&self, given: &Hosts) -> Result<(), sqlx::Error> {
        let mut connection = self.hosts().unwrap_or(given).open().await?;
        let limit = format!("set statement_timeout = {}", AWAY_WAIT.as_millis());
        connection.execute(sqlx::AssertSqlSafe(limit)).await?;
        sqlx::query("select count(*) from buckets where bucket = any($1)")
            .bind(&self.buckets[..])
            .fetch_one(&mut connection)
            .await?;
        let _ = connection.close().await;
        Ok(())
    }

    fn away(&self) -> MutexGuard<'_, Option<Instant>> {
        self.its.away.lock().expect("no holder of this lock panics")
    }

    /// A connection to the node or, if it cannot be reached, to the configured address.
    pub async fn connect(&self, given: &Hosts) -> Result<PgConnection, sqlx::Error> {
        if let Some(hosts) = self.hosts()
            && let Ok(Ok(connection)) = timeout(CONNECT_WAIT, hosts.open()).await
        {
            return Ok(connection);
        }
        given.open().await
    }
}
