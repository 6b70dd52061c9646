//! The state of a match: where every piece and coin is, for the house and for every other viewer.

// The state, and how events change it.
mod fold;

// Accessors.
mod reading;

// What a viewer does not know, for sampling.
mod imagining;

// Checks.
mod checking;

// The stored form.
mod snapshot;

// From what a viewer knows.
mod known;

pub use fold::{ScorePart, Table};
pub use known::Known;
pub use reading::{PlaceSeen, top_layer, waiting_for};
pub use snapshot::SNAPSHOT_VERSION;
