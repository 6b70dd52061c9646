//! Players who take over seats, in the statement that records the entry of the replacement.

use rows::{SpeechKey, name_key};
use serde::Serialize;

/// A player who takes over a seat. The caller has checked that the player has no seat in the match
/// and had none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substitute {
    pub seat: i16,
    pub player: String,
    pub display_name: Option<String>,
    pub speech_key: Option<SpeechKey>,
}

/// The argument of the SQL function `seat_substitute`.
#[derive(Serialize)]
struct Companion<'a> {
    seat: i16,
    player: &'a str,
    display_name: Option<&'a str>,
    display_name_key: Option<String>,
    speech_key: Option<SpeechKey>,
}

impl Substitute {
    /// The argument that the log passes to the function that seats the player.
    pub fn companion(&self) -> Box<str> {
        let Self { seat, player, display_name, speech_key } = self;
        let companion = Companion {
            seat: *seat,
            player,
            display_name: display_name.as_deref(),
            display_name_key: display_name.as_deref().map(name_key),
            speech_key: *speech_key,
        };
        serde_json::to_string(&companion).expect("it is plain data").into()
    }
}
