//! Work that the service does by itself, in one pattern: an agent lists due work, any number of
//! processes attempt it, and keys in the database decide which attempt counts.
//!
//! Nothing is locked or leased. A process that is killed leaves its work due for the others
//! (`tests/it/bots.rs` kills one), and work that two processes attempt at once is done once
//! (`several_processes_let_each_time_run_out_once` in `tests/it/time_controls.rs`).
//!
//! [`Agent`] is one kind of work, and [`run`] does it until the service stops. The agents are
//! [`Timeouts`], [`Bots`] and [`Seatings`].
//!
//! See `docs/decisions/0015-agents-try-keys-decide.md`.

mod agent;
mod bots;
mod run;
mod seatings;
mod timeouts;

pub use agent::{Agent, Due, Error, Outcome};
pub use bots::Bots;
pub use run::{ATTEMPTS, DUE, LATE, run};
pub use seatings::Seatings;
pub use timeouts::Timeouts;
