//! Tests of what verification finds, also in matches that other releases recorded.

mod common;

/// Random mutations, each found at its place.
mod mutations;

/// Matches of other releases, and facts that somebody kept.
mod releases;
