//! The text inside a message `Say`.

use bytes::Bytes;
use prost::Message;

mod pb {
    #![allow(clippy::all, clippy::pedantic, reason = "generated")]
    include!(concat!(env!("OUT_DIR"), "/croupier.table.v1.rs"));
}

use pb::action::Kind;

/// `None` if the action is not a `Say`.
fn say(action: &[u8]) -> Option<pb::Say> {
    match pb::Action::decode(action).ok()?.kind? {
        Kind::Say(say) => Some(say),
        Kind::Stand(_) => None,
    }
}

/// The text as typed.
pub(crate) fn text_of(action: &[u8]) -> Option<String> {
    say(action).map(|say| say.text)
}

/// The message of the action with another text, if it is a `Say`.
pub(crate) fn with_text(action: &[u8], text: &str) -> Bytes {
    let Some(say) = say(action) else { return Bytes::copy_from_slice(action) };
    let say = pb::Say { text: text.to_owned(), ..say };
    pb::Action { kind: Some(Kind::Say(say)) }.encode_to_vec().into()
}
