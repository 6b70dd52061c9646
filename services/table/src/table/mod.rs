//! The state of a match: where every piece and coin is, for the house and for every other viewer.

// The state, and how events change it.
mod fold;

// What it tells.
mod reading;

// What a viewer does not know of it.
mod imagining;

// What must hold of it.
mod checking;

// How it is written.
mod snapshot;

pub use fold::Table;
pub use reading::{PlaceSeen, top_layer};
pub use snapshot::SNAPSHOT_VERSION;
