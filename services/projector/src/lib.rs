//! Read models: tables derived from the record that answer questions across matches.
//!
//! # Contract
//!
//! - A read model equals the fold of all entries up to its checkpoints. It may be emptied or
//!   rebuilt at any time.
//! - Models are made from universal tables and events only, so they cover every game without
//!   knowing any.
//! - Any number of processes may project at once. A process that advances a bucket locks its
//!   checkpoint, and the others work on other buckets.
//! - A match that this release cannot read affects no other: models skip it and remember that they
//!   did, and a release that can read it writes its rows.
//! - A read that passes a [`ConsistencyToken`] waits, within bounds, until the model includes it.
//!
//! # Reading order
//!
//! 1. `migrations/0002_projections.sql`: the tables, and what keeps them correct.
//! 2. [`Model`], and the models themselves in `model/`.
//! 3. `match_cache.rs`, which folds entries into matches, and `ingest.rs`, which updates models
//!    from them, page by page.
//! 4. `unreadable.rs`: the matches that models had to skip.
//! 5. [`Service`], which ingests continuously, and [`rebuild`], which starts again from the first
//!    entry.
//! 6. [`Reader`], which queries the models.

mod ingest;
mod match_cache;
mod model;
mod read;
mod rebuild;
mod run;
mod unreadable;

pub use model::{Model, Outcome};
pub use read::{
    ConsistencyToken, Cursor, Filter, FoundMatch, Holding, League, Opponent, Player, Projection,
    Reader, Standing, StandingCursor, State,
};
pub use rebuild::{Rebuilt, rebuild};
pub use run::{Handle, Options, Service};
pub use unreadable::UnreadableMatch;

pub(crate) use unreadable::Unreadable;

/// Why a read model could not be updated or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error("projection {} cannot be written", model.name())]
    Unwritten { model: Model, source: store::Error },
    #[error("a newer rebuild has begun")]
    Superseded,
    #[error("the old tables stayed in use too long, so the rebuilt ones were not put in place")]
    TablesInUse,
}

impl From<sqlx::Error> for Error {
    fn from(source: sqlx::Error) -> Self {
        Error::Store(source.into())
    }
}
