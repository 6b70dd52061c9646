//! A platform's own affairs: its limits and keys, tokens, tags of its matches, erasing a player.

mod erasing;
mod platform;
mod tags;
mod tokens;

pub use platform::{LimitState, PlatformState};
pub use tags::MatchChanges;
