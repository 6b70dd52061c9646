//! The secrets of a match.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The secret that determines all chance in a match.
pub type Seed = [u8; 32];

/// A secret that encrypts the messages of one seat and keeps the commitment to its player from
/// being guessed.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SpeechKey(#[serde(with = "hex::serde")] pub [u8; 32]);

impl fmt::Debug for SpeechKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SpeechKey")
    }
}
