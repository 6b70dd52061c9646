//! Columns of seats, for all seats of a match at once.

use rows::{SpeechKey, name_key};

/// The column `display_name_key` for each name.
pub(crate) fn keys_of<'a>(names: impl Iterator<Item = Option<&'a str>>) -> Vec<Option<String>> {
    names.map(|name| name.map(name_key)).collect()
}

/// The column `key` for each seat.
pub(crate) fn key_bytes<'a>(
    keys: impl Iterator<Item = &'a Option<SpeechKey>>,
) -> Vec<Option<Vec<u8>>> {
    keys.map(|key| key.map(|key| key.0.to_vec())).collect()
}
