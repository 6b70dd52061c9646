//! Keeps the record small: archiving and retention of matches that ended long ago.
//!
//! [`archiving`] moves their content to [`objects`], [`retention`] reduces them to their
//! results. Both need the role that owns the tables, and go through the record in atomic batches,
//! so the next run continues one that was killed
//! (`retention::a_run_that_is_killed_is_continued_by_the_next` in `tests/it`). They neither print
//! nor prompt: they report progress to their caller and return an outcome.
//!
//! # Invariants
//!
//! - An archived match answers as before: `archiving::an_archived_match_answers_as_before`.

pub mod archiving;
mod emptying;
mod ended;
pub mod objects;
pub mod retention;
