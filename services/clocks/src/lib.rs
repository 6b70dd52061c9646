//! The clocks of a match: how long each seat may take to decide.
//!
//! A match is created with a [`TimeControl`], or has no clocks. [`Clocks`] is a fold over the
//! entries of the match and their times only (`clippy.toml` forbids the machine's clocks), so every
//! process and every rebuild computes the same deadlines. A seat's clock runs while the match waits
//! for it, in any game; `tests/decisions.rs` plays random matches and checks how long each seat
//! had.
//!
//! # Invariants
//!
//! - A seat has its time for a decision once, whatever is paused, asked or taken back:
//!   `decisions::a_decision_has_its_time_once_whatever_is_taken_back_and_paused`.
//! - A timeout is recorded once (`time_controls::several_processes_let_each_time_run_out_once`),
//!   and verification finds one before the deadline
//!   (`releases::a_timeout_before_its_time_is_wrong`).

mod clock;
mod control;

pub use clock::{Clock, Clocks};
pub use control::{BadTimeControl, ClockClass, OnTimeout, PRESETS, TimeControl, preset_names};
