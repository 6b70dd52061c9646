//! Adding entries: many callers, few commits.
//!
//! Callers pass drafts to a [`Handle`]; a [flusher](flush) with a connection of its own writes
//! them. It writes all waiting drafts, up to [`BATCH_MAX`], in one statement; drafts that arrive in
//! the meantime form its next batch. There is no timer: a lone draft is written at once, and
//! batches grow with the load. If several processes write, [`peers`] combines their drafts into one
//! batch.

mod counters;
mod draft;
mod flush;
mod handle;
mod peers;
mod queues;
mod service;

pub use counters::{APPEND_DURATION, BATCH_ENTRIES, Statistics};
pub use draft::{
    Append, AppendError, BATCH_MAX, BODY_MAX, Draft, Premise, REQUEST_ID_MAX, Right, TIME_ERROR_MAX,
};
pub use handle::Handle;
pub use peers::Listening;
pub use service::{Options, Service};
