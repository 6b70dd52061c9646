//! Retention: deletes open matches that nobody joined, and reduces ended ones to their results, by
//! age.

mod run;
mod statements;

pub use run::{Outcome, Rules, Run};
pub use statements::{Reduced, Retention};
