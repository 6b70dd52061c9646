//! The clocks of a match: how long each seat may take to decide.
//!
//! A match is created with a [`TimeControl`], or has no clocks. [`Clocks`] is a fold over the
//! entries of the match and their times and over nothing else, so every process and every rebuild
//! finds the same deadlines. It knows no game: a seat's clock runs while the match waits for it.

mod clock;
mod control;

pub use clock::{Clock, Clocks};
pub use control::{BadTimeControl, OnTimeout, PRESETS, TimeControl};
