//! Through the wire: the real program over a real Postgres, asked as clients ask it. Nothing here looks inside.
//!
//! `harness` starts what a test needs and takes it away again; each module below it is one promise.

mod harness;

/// Whole matches, over every protocol, from the first seat taken to the last deal checked.
mod matches;

/// The service and its database, killed in the middle of a match.
mod crashes;

/// Two processes on one database, asked at once.
mod races;

/// The same request again, from thirty connections at once or for something else.
mod retries;

/// Streams that break, wait, end and are taken up again.
mod watching;
