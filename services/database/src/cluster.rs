//! Which nodes of a cluster answer, for monitors.
//!
//! Every node is asked once a second, also those without buckets, such as a coordinator: what all
//! nodes have cannot change without it. One Postgres is not asked.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use metrics::gauge;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use crate::error::is_of_node;
use crate::nodes::AWAY_WAIT;
use crate::{Database, Error, Node, SeenNode, pace};

/// Whether a node of several answers this process: 1 or 0. NaN once it is no node any more.
pub const NODE_UP: &str = "croupier_database_node_up";

const PAUSE: Duration = Duration::from_secs(1);
/// How often the list of nodes is read again.
const LIST_PAUSE: Duration = Duration::from_secs(10);
/// After this time, a node is as it was last found. One that hangs is found earlier.
const LOOK_WAIT: Duration = Duration::from_secs(3);

/// Looks at the nodes until `drain` is cancelled. On one Postgres it ends at once.
pub(crate) async fn watch(database: &Database, drain: &CancellationToken) {
    let mut nodes = Nodes::default();
    while !drain.is_cancelled() {
        match timeout(AWAY_WAIT, database.is_sharded()).await {
            Ok(Ok(false)) => return,
            Ok(Ok(true)) => {
                nodes.follow(database).await;
                let seen = join_all(nodes.of.iter().map(|node| look(database, node))).await;
                nodes.tell(&seen);
                database.saw(seen.into());
            }
            Ok(Err(_)) | Err(_) => {}
        }
        tokio::select! {
            () = drain.cancelled() => {}
            () = pace::pause(PAUSE) => {}
        }
    }
}

#[derive(Default)]
struct Nodes {
    of: Vec<Node>,
    /// When the list was read.
    read: Option<Instant>,
    /// The nodes of which there are series.
    told: BTreeSet<String>,
}

impl Nodes {
    /// Reads the list again if it is time. While it cannot be read, the last one holds.
    async fn follow(&mut self, database: &Database) {
        if self.read.is_none_or(|read| read.elapsed() >= LIST_PAUSE)
            && let Ok(Ok(addresses)) = timeout(AWAY_WAIT, database.node_addresses()).await
        {
            let known = database.known_nodes();
            let find = |name: &str| {
                let own = || self.of.iter().find(|node| node.name() == name);
                known.iter().find(|node| node.name() == name).or_else(own).cloned()
            };
            let node = |(host, port): (String, i32)| {
                let name = format!("{host}:{port}");
                let other = || {
                    let hosts = Arc::new(database.hosts_at(&host, port));
                    Node::of(name.clone(), Some(hosts), Vec::new())
                };
                find(&name).unwrap_or_else(other)
            };
            self.of = addresses.into_iter().map(node).collect();
            self.read = Some(Instant::now());
        }
    }

    fn tell(&mut self, seen: &[SeenNode]) {
        for gone in std::mem::take(&mut self.told) {
            if seen.iter().all(|it| it.name != gone) {
                gauge!(NODE_UP, "node" => gone).set(f64::NAN);
            }
        }
        for it in seen {
            gauge!(NODE_UP, "node" => it.name.clone()).set(f64::from(u8::from(it.answers)));
            self.told.insert(it.name.clone());
        }
    }
}

async fn look(database: &Database, node: &Node) -> SeenNode {
    let pool = database.readers().of_node(node);
    let asking = async { sqlx::query("select 1").execute(&pool).await };
    let asking = node.ask(database.hosts(), is_of_node, asking);
    let answers = match timeout(LOOK_WAIT, asking).await {
        Ok(Ok(answer)) => answer.is_some(),
        // It answers, and has too much to do.
        Ok(Err(_)) => true,
        Err(_) => !node.is_away(),
    };
    SeenNode { name: node.name().to_owned(), answers }
}

impl Database {
    /// Fails if a node of a cluster was last seen away, so that what needs all nodes is not begun.
    /// It asks nobody.
    pub fn check_whole(&self) -> Result<(), Error> {
        match self.watch_nodes().borrow().iter().all(|it| it.answers) {
            true => Ok(()),
            false => Err(Error::of_node()),
        }
    }
}
