//! The model `players`: the results of matches, and the standings that follow from them. Results
//! are written with their matches. Ratings, standings and records of opponents are settled later,
//! in the order in which matches ended.

mod outcome;
mod pool;
mod queries;
mod ratings;
mod results;
mod settle;
mod unsettled;

pub use outcome::Outcome;
pub use pool::Pool;
pub use queries::{League, Opponent, Player, RatingChange, RatingCursor, Standing, StandingCursor};
pub(super) use results::Players;
