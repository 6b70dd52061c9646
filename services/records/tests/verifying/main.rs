//! What verification finds, and what it says of matches that other releases recorded.

mod common;

/// Random mutations, each found at its place.
mod mutations;

/// Matches of other releases, and what somebody knows about a match.
mod releases;
