//! Through the wire: the real program over a real Postgres, asked as clients ask it. Nothing here looks inside.
//!
//! `harness` starts what a test needs and takes it away again; each module below it is one promise.

mod harness;

/// Whole matches, over every protocol, from the first seat taken to the last deal checked.
mod matches;

/// What is asked across matches: found, filtered, rebuilt, tagged, and told to nobody else.
mod projections;
