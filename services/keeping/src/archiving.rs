//! Archiving: moves the content of matches that ended a while ago to an object store.
//!
//! An object is named in the database before it is written, and read back and verified before one
//! statement records it and empties the rows. So a run can be killed at any point and loses
//! nothing, and of several runs at once that statement lets one have each match
//! (`archiving::runs_that_are_killed_lose_and_double_nothing` in `tests/it`).
//!
//! [`Archive`] finds archived matches and restores the content of their entries, [`ColdStore`]
//! holds the objects, [`Content`] is the content of one, and [`Run`] archives.

mod archive;
mod archived;
mod cache;
mod cold_store;
mod content;
mod place;
mod private;
mod run;
mod size;
mod statements;

pub use archive::Archive;
pub use archived::Archived;
pub use cold_store::ColdStore;
pub use content::{Content, pack};
pub use private::make_folder;
pub(crate) use run::remove_reduced;
pub use run::{Outcome, Rules, Run, RunError};
pub use statements::Archiving;
