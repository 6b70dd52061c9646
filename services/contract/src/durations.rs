//! Durations in the form of the contract.

use std::time::Duration;

/// A duration of whole seconds.
pub fn seconds(seconds: u32) -> prost_types::Duration {
    prost_types::Duration { seconds: seconds.into(), nanos: 0 }
}

/// A duration. The longest that the contract can write takes the place of longer ones.
pub fn duration(duration: Duration) -> prost_types::Duration {
    duration.try_into().unwrap_or(prost_types::Duration { seconds: i64::MAX, nanos: 0 })
}
