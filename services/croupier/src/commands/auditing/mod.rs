//! Commands for those who watch a service from outside, by its transparency log.
//!
//! In reading order: `remote`, a log that is served somewhere; `following`, what one look at it
//! after another shows; and the commands.

mod clock;
mod following;
pub mod monitor;
mod remote;
pub mod witness;

pub use remote::{Remote, parse_log_url};
