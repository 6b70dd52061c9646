//! The log, shared by the writer, the follower and the readers of one process.

use std::sync::Arc;

use database::{BatchLoader, Database, PLANNED_ONCE, READ_ONLY};
use positions::Bucket;
use uuid::Uuid;

use crate::after::{self, After, Read};
use crate::cold::Restore;
use crate::hints::{self, ChangedBuckets, Hints};
use crate::marks::SharedMarks;
use crate::tables::{Statements, Tables};
use crate::terms::Terms;

/// A log, cheap to clone.
#[derive(Clone)]
pub struct Log(pub(crate) Arc<Shared>);

/// State that the writer, the follower and the readers of one process share.
pub(crate) struct Shared {
    pub database: Database,
    pub tables: Tables,
    pub statements: Arc<Statements>,
    /// Identifies this process in hints and among peers.
    pub process: Uuid,
    pub hints: Hints,
    /// Buckets that have entries for the follower of this process.
    pub hinted: ChangedBuckets,
    /// How far this process has written or read.
    pub marks: SharedMarks,
    pub terms: Terms,
    pub after: BatchLoader<After, Read>,
    pub cold: Option<Arc<dyn Restore>>,
}

/// The options of a log.
#[derive(Clone)]
pub struct Options {
    pub tables: Tables,
    /// How a writer notifies the followers of other processes of new entries.
    pub hints: hints::Options,
    /// Restores content that was moved out of the log.
    pub cold: Option<Arc<dyn Restore>>,
}

impl Options {
    pub fn new(tables: Tables) -> Self {
        Self { tables, hints: hints::Options::default(), cold: None }
    }
}

impl Log {
    /// The log with these tables, which must exist. Call it within a tokio runtime.
    pub fn new(database: &Database, options: Options) -> Self {
        let statements = Arc::new(Statements::of(&options.tables));
        let pools = database.batched_pools(&format!("{READ_ONLY}; {PLANNED_ONCE}"));
        let (of, by, nodes) = (database.clone(), statements.clone(), database.clone());
        let lane = move |key: &After| nodes.lane(Bucket::of(key.stream));
        let load = move |keys| after::load(of.clone(), pools.clone(), by.clone(), keys);
        let after = BatchLoader::in_lanes(lane, load);
        let process = Uuid::new_v4();
        Self(Arc::new(Shared {
            database: database.clone(),
            tables: options.tables,
            statements,
            process,
            hints: Hints::new(options.hints, process),
            hinted: ChangedBuckets::default(),
            marks: SharedMarks::default(),
            terms: Terms::default(),
            after,
            cold: options.cold,
        }))
    }

    /// The database that the log is in.
    pub fn database(&self) -> &Database {
        &self.0.database
    }

    /// Returns when a task that reads for many callers has ended, which happens only by a panic.
    pub async fn reading_ended(&self) {
        self.0.after.ended().await;
    }

    /// Every statement about the tables, for a test of the nodes on which they run.
    #[doc(hidden)]
    pub fn statements(tables: &Tables) -> Vec<String> {
        Statements::of(tables).all().into_iter().map(str::to_owned).collect()
    }
}
