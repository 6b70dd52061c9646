//! The text in the message of saying something.

use bytes::Bytes;
use prost::Message;

mod pb {
    #![allow(clippy::all, clippy::pedantic, reason = "generated")]
    include!(concat!(env!("OUT_DIR"), "/croupier.table.v1.rs"));
}

use pb::action::Kind;

/// None if the action says nothing.
fn say(action: &[u8]) -> Option<pb::Say> {
    match pb::Action::decode(action).ok()?.kind? {
        Kind::Say(say) => Some(say),
        Kind::Stand(_) => None,
    }
}

/// The text as it was typed.
pub(crate) fn text_of(action: &[u8]) -> Option<String> {
    say(action).map(|say| say.text)
}

/// The message of an action with another text, if it says something.
pub(crate) fn with_text(action: &[u8], text: &str) -> Bytes {
    let Some(say) = say(action) else { return Bytes::copy_from_slice(action) };
    let say = pb::Say { text: text.to_owned(), ..say };
    pb::Action { kind: Some(Kind::Say(say)) }.encode_to_vec().into()
}
