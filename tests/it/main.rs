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

/// What nobody may learn, in every byte that anybody is sent.
mod secrets;

/// Keys, seat tokens, spectator tokens, and those that are none.
mod grants;

/// Seats that are given up.
mod resigning;

/// The database, gone and back; deadlines.
mod outages;

/// What load balancers, tools and strangers ask first.
mod operations;

/// Requests that make no sense, in every way that a protocol allows.
mod bad_input;
