//! A platform's own affairs: its limits and keys, which operators change, tokens, tags of its
//! matches, erasing a player.

mod erasing;
mod operating;
mod platform;
mod tags;
mod tokens;

pub use operating::check_platform_name;
pub use platform::{LimitState, PlatformState};
pub use tags::MatchChanges;
