//! Access to Postgres: connections that survive a failover, one statement at a time, on one server
//! or several.
//!
//! It knows only the tables that name the installation and its buckets. In reading order:
//!
//! 1. [`Options`], [`Database`] and [`Pool`]: the pool of a process, and [`Database::write`], which
//!    leaves nothing half done if its call is given up.
//! 2. [`Error`]: failures by the caller's next step.
//! 3. [`Database::at`] and [`Database::each_node`]: statements about one bucket, or about all,
//!    which may be on several servers, one of which may be unreachable. [`groups`] divides
//!    statements for them.
//!    [`OwnShards`] and [`Database::may_have`] read what a server has without planning it anew.
//! 4. [`BatchLoader`]: reads that many callers share.
//! 5. [`probe`] and [`Hazard`]: whether the server answers, and whether its commits are durable.
//!    [`Database::watch_nodes`]: whether each node of several does.
//! 6. [`clock`]: the time that all processes share.
//! 7. [`pace`]: how often a process looks for what others changed.
//!
//! # Invariants
//!
//! - No caller begins a transaction on a pool, because a [`Pool`] runs single statements. One that
//!   is given up leaves nothing:
//!   `cancellation::calls_given_up_at_any_moment_lose_no_acknowledged_write`.
//! - A node that hangs takes no connection that another one needs:
//!   `away::a_node_that_hangs_takes_no_connection_that_another_needs`.

mod at;
mod batch;
pub mod clock;
mod cluster;
mod connecting;
mod database;
mod durability;
mod error;
mod groups;
mod hosts;
mod jitter;
mod may_have;
mod nodes;
mod own_shards;
pub mod pace;
mod pool;
mod pools;
pub mod probe;
mod settings;
mod up;

pub use at::At;
pub use batch::{Answers, BatchLoader};
pub use clock::{Clock, Reading, SimulatedTime};
pub use cluster::NODE_UP;
pub use connecting::{Options, QUERY_CONNECTIONS};
pub use database::{Database, Query, QueryAs};
pub use durability::Hazard;
pub use error::{
    Error, is_answered, is_disk_full, is_given_up, is_rejected, is_unique_violation, violates,
};
pub use groups::{Group, groups, read_apart};
pub use hosts::{Hosts, UrlError};
pub use jitter::jittered;
pub use nodes::{Node, OfNodes, SeenNode, SeenNodes};
pub use own_shards::OwnShards;
pub use pool::Pool;
pub use pools::Pools;
pub use settings::{DURABLE, PLANNED_ONCE, READ_ONLY};
pub use up::is_up;
