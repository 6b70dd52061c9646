//! Keys that encrypt players' messages.

use rows::SpeechKey;

use crate::random::random;

/// A new key for one seat.
pub(crate) fn speech_key() -> SpeechKey {
    SpeechKey(random())
}
