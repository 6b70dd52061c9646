//! Read models: tables derived from the record that answer questions across matches.
//!
//! # Invariants
//!
//! - A read model equals the fold of all entries up to its checkpoints, and may be emptied or
//!   rebuilt at any time: `projections::a_rebuilt_projection_equals_the_old_one_row_for_row`.
//! - Models are made from tables that all games share, so they cover every game: what they are
//!   given, `fold::MatchState`, hides its game.
//! - A row that was altered by hand is found:
//!   `projections::a_row_altered_by_hand_is_found_and_rebuilt`.
//! - Any number of processes may project at once. One that advances a bucket locks its checkpoint,
//!   and the others meanwhile work on other buckets:
//!   `projections::a_rebuild_during_play_loses_nothing`.
//! - A match that this release cannot read affects no other. Models skip it and remember that they
//!   did, and a release that can read it writes its rows:
//!   `unreadable::an_unreadable_match_affects_no_other_and_is_read_as_soon_as_it_can_be`.
//! - A read that passes a [`ConsistencyToken`] waits, within bounds, until the model includes it:
//!   `projections::an_entry_name_as_consistency_token_includes_that_entry`,
//!   `projections::a_stream_cursor_as_consistency_token_includes_what_it_passed`.
//! - Read models hold only what is public:
//!   `holdings::a_private_purse_of_any_game_is_included_only_once_the_match_is_revealed`.
//!
//! # Reading order
//!
//! 1. `migrations/0006_read_models.sql`: the tables and their constraints.
//! 2. [`fold`]: a match folded from its entries.
//! 3. [`reader`], for the queries, and [`waiting`], for a [`ConsistencyToken`].
//! 4. [`model`]: the read models, and the list of them.
//! 5. [`match_cache`], which reads and caches matches; [`ingest`], which updates models page by
//!    page; [`skipped`], the matches that they had to skip.
//! 6. [`run`], which ingests continuously; [`rebuild`], which starts from the first entry;
//!    [`compare`], which finds rows that the record does not give; [`progress`], the lag of models.
//!
//! # Adding a read model
//!
//! Its tables in a migration; a file in `model/`, like `model/holdings.rs`, with its writes and
//! queries; its lines in `model/mod.rs`; its public items, below.

mod compare;
mod error;
mod fold;
mod handle;
mod ingest;
mod match_cache;
mod model;
mod progress;
mod reader;
mod rebuild;
mod run;
mod skipped;
mod token;
mod waiting;

pub use compare::{Differences, compare};
pub use error::Error;
pub use handle::Handle;
pub use model::{
    Cursor, Filter, FoundMatch, Holding, League, Model, Opponent, Outcome, Player, Pool,
    PublicState, RatingChange, RatingCursor, Standing, StandingCursor, State, StoredState,
};
pub use progress::Projection;
pub use reader::Reader;
pub use rebuild::{Rebuilt, rebuild};
pub use run::{Options, Service};
pub use skipped::UnreadableMatch;
pub use token::ConsistencyToken;
