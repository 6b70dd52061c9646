//! How a command becomes the next entry of a match: it is decided on the newest table, made
//! durable, then applied. Seats, the platform and agents all record through here.

mod accept;
mod clocks;
mod command;
mod decide;
mod watching;

pub use accept::ACTIONS_SHED;
pub use command::{Action, ActionOf, Expected};
pub(crate) use command::{Command, Replacement, SET_UP_ID, Vote, refusal};
pub(crate) use watching::unexcused;
