//! Random waits.

use std::time::Duration;

use uuid::Uuid;

/// A random time between half of `wait` and all of it, so that processes that failed together do
/// not retry together.
pub fn jittered(wait: Duration) -> Duration {
    let chance = u32::from(Uuid::new_v4().as_bytes()[0]);
    wait / 2 + wait * chance / 512
}
