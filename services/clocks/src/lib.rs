//! The clocks of a match: how long each seat may take to decide.
//!
//! A match is created with a [`TimeControl`], or has no clocks. [`Clocks`] is a fold over the
//! entries of the match and their times only (`clippy.toml` forbids the machine's clocks), so every
//! process and every rebuild computes the same deadlines. A seat's clock runs while the match waits
//! for it, in any game; `tests/decisions.rs` plays random matches and checks how long each seat
//! had.

mod clock;
mod control;

pub use clock::{Clock, Clocks};
pub use control::{BadTimeControl, OnTimeout, PRESETS, TimeControl, preset_names};
