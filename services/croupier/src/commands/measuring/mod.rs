//! Commands that measure the service, its rules and its bots.

pub mod arena;
pub mod bench;
pub mod load;
pub mod simulate;
