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
//! - A read that passes a [`ConsistencyToken`] waits, within bounds, until the model includes it.
//!
//! # Reading order
//!
//! 1. `migrations/0002_projections.sql`: the tables, and what keeps them correct.
//! 2. [`Model`], and the models themselves in `model/`.
//! 3. `match_cache.rs`, which folds entries into matches, and `ingest.rs`, which updates models
//!    from them, page by page.
//! 4. [`Service`], which ingests continuously, and [`rebuild`], which starts again from the first
//!    entry.
//! 5. [`Reader`], which queries the models.

mod ingest;
mod match_cache;
mod model;
mod read;
mod rebuild;
mod run;

pub use model::{Model, Outcome};
pub use read::{
    ConsistencyToken, Cursor, Filter, FoundMatch, Holding, League, Opponent, Player, Projection,
    Reader, Standing, StandingCursor, State,
};
pub use rebuild::{Rebuilt, rebuild};
pub use run::{Handle, Options, Service};

use store::{MatchId, Position};

/// Why a read model could not be updated or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The entry is not skipped: without it, the model would stay wrong.
    #[error("entry {} of match {} cannot be decoded", position.0, match_id.0)]
    Undecodable { match_id: MatchId, position: Position, source: table::stored::Undecodable },
    #[error("match {} has entries, but was never created or is of an unknown game", .0.0)]
    NoSuchMatch(MatchId),
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
