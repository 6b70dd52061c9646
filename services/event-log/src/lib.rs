//! An event log in Postgres: every entry once, in order, durable before it is acknowledged.
#![doc = include_str!("../README.md")]

mod after;
pub mod append;
mod cold;
mod epochs;
mod error;
pub mod follow;
mod heads;
pub mod hints;
mod log;
mod marks;
mod read;
mod settling;
mod tables;
mod terms;

pub use after::Header;
pub use append::{Append, AppendError, Draft, Premise, Right};
pub use cold::Restore;
pub use database::{Database, Node, OfNodes};
pub use epochs::{ENTRIES_LOST, WENT_BACK};
pub use error::{ColdError, Error};
pub use log::{Log, Options};
pub use marks::{Epoch, WentBack};
pub use positions::*;
pub use read::Window;
pub use settling::{LATER_TERMS, TERM};
pub use tables::{Rights, Tables};
pub use terms::{Began, Changed};
