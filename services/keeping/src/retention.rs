//! Retention: by age, deletes matches that still have open seats, and reduces ended ones to their
//! results.

mod run;
mod statements;

pub use run::{Outcome, Rules, Run};
pub use statements::{Reduced, Retention};
