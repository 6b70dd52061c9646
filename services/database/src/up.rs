//! Whether the database of this process answers.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether the database answered the last probe. True in a process without one.
///
/// A caller who waited in vain, for a connection or an answer, asks this to tell an outage from an
/// overload.
pub fn is_up() -> bool {
    UP.load(Relaxed)
}

pub(crate) fn set(is_up: bool) {
    UP.store(is_up, Relaxed);
}

/// A process has one database.
static UP: AtomicBool = AtomicBool::new(true);
