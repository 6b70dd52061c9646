//! Through the wire: the real program over a real Postgres, asked as clients ask it. Nothing here looks inside.
//!
//! `harness` starts what a test needs and takes it away again; each module below it is one promise.

mod harness;

/// Whole matches, over every protocol, from the first seat taken to the last deal checked.
mod matches;

/// Everything that happens on a platform, as a stream that is taken up again wherever it broke, and shared by subscription.
mod streams;

/// Looking back: tables as they were, what changed, matches again, and when all is revealed.
mod travel;

/// Matches in files: exported, checked, replayed without a service, and imported elsewhere.
mod files;
