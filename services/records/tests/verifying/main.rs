//! Tests of what verification finds, also in matches that other releases recorded.

mod common;

/// Entries of every kind, as the service records them.
mod kinds;

/// Matches as a file has them, read whole.
mod files;

/// Rows of a running match, of which the digests show whether they were altered.
mod rows_read;

/// Random mutations, each found at its place.
mod mutations;

/// Matches of other releases, and facts that somebody kept.
mod releases;
