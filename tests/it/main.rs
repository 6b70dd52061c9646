//! Through the wire: the real program over a real Postgres, asked as clients ask it. Nothing here
//! looks inside.
//!
//! `harness` starts what a test needs and takes it away again; each module below it is one promise.

mod harness;

/// Whole matches, over every protocol, from the first seat taken to the last deal checked.
mod matches;

/// What is asked across matches: found, filtered, rebuilt, tagged, and told to nobody else.
mod projections;

/// The service and its database, killed in the middle of a match.
mod crashes;

/// Two processes on one database, asked at once.
mod races;

/// Everything that can break, broken while many matches are played, and every promise checked
/// afterwards.
mod torture;

/// The same request again, from thirty connections at once or for something else.
mod retries;

/// Many actions over one line.
mod play_streams;

/// The commands that measure.
mod measuring;

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

/// What operators read on an address of their own, and what they never read.
mod metering;

/// Requests that make no sense, in every way that a protocol allows.
mod bad_input;

/// Everything that happens on a platform, as a stream that is taken up again wherever it broke, and
/// shared by subscription.
mod streams;

/// Looking back: tables as they were, what changed, matches again, and when all is revealed.
mod travel;

/// Matches in files: exported, checked, replayed without a service, and imported elsewhere.
mod files;
