//! Durations and the fields of an update in the form of the contract.

use std::time::Duration;

/// A duration of whole seconds.
pub fn seconds(seconds: u32) -> prost_types::Duration {
    prost_types::Duration { seconds: seconds.into(), nanos: 0 }
}

/// A duration. The longest that the contract can write takes the place of longer ones.
pub fn duration(duration: Duration) -> prost_types::Duration {
    duration.try_into().unwrap_or(prost_types::Duration { seconds: i64::MAX, nanos: 0 })
}

/// The fields that an update names: those that are to change.
pub fn field_mask<'f>(fields: impl IntoIterator<Item = (&'f str, bool)>) -> prost_types::FieldMask {
    let named = fields.into_iter().filter(|(_, changes)| *changes);
    prost_types::FieldMask { paths: named.map(|(field, _)| field.to_owned()).collect() }
}
