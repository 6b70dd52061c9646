//! The messages of the actions that every game has, parsed into [`Common`] and printed back.

use bytes::Bytes;
use prost::{Message, encoding::decode_key};
use table::{Common, Layout, Malformed, Seat, Seats};

mod pb {
    #![allow(clippy::all, clippy::pedantic, reason = "generated")]
    include!(concat!(env!("OUT_DIR"), "/croupier.table.v1.rs"));
}

use pb::action::Kind;

/// Whether a recorded action is one that every game has.
pub fn is_common(message: &[u8]) -> bool {
    kind(message).is_some()
}

/// The lowest field number of the actions that every game has; a game's own have lower ones.
pub(crate) const FIRST: u32 = 101;

/// `None` if the first field is one of a game's own, which is the usual case.
fn kind(message: &[u8]) -> Option<Kind> {
    let (first, _) = decode_key(&mut &*message).ok()?;
    if first < FIRST { None } else { pb::Action::decode(message).ok()?.kind }
}

/// The message `Say` to everyone.
pub fn say(text: &str) -> Bytes {
    let say = pb::Say { to: Vec::new(), text: text.into() };
    pb::Action { kind: Some(Kind::Say(say)) }.encode_to_vec().into()
}

/// `None` if the message is not an action of every game; it may then be one of the game's own.
pub fn parse(message: &[u8], layout: &Layout) -> Option<Result<Common, Malformed>> {
    Some(match kind(message)? {
        Kind::Say(say) => seats(&say.to).map(|to| Common::Say { to, text: say.text }),
        Kind::Stand(pb::Stand { decision, on }) => {
            let mut decisions = layout.decisions().iter();
            let found = decisions.find(|it| it.name == decision);
            let unknown = || Malformed(format!("the game has no decision {decision:?}"));
            found.map(|it| Common::Stand { decision: it.id, on }).ok_or_else(unknown)
        }
    })
}

/// The message of an action of every game; `parse` gives the same action back.
pub fn print(action: &Common, layout: &Layout) -> Bytes {
    let kind = match *action {
        Common::Say { to, ref text } => {
            let to = to.iter().map(|seat| u8::from(seat).into()).collect();
            Kind::Say(pb::Say { to, text: text.clone() })
        }
        Common::Stand { decision, on } => {
            Kind::Stand(pb::Stand { decision: layout.decision_name(decision).into(), on })
        }
    };
    pb::Action { kind: Some(kind) }.encode_to_vec().into()
}

fn seats(numbers: &[u32]) -> Result<Seats, Malformed> {
    let mut seats = Seats::default();
    for &number in numbers {
        let seat = Seat::try_from(u8::try_from(number).unwrap_or(u8::MAX));
        let seat = seat.map_err(|error| Malformed(error.to_string()))?;
        if seats.has(seat) {
            return Err(Malformed(format!("seat {seat} is named twice")));
        }
        seats.add(seat);
    }
    Ok(seats)
}
