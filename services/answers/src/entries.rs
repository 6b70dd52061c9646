//! Entries and their events as messages of the contract, with names in place of numbers. Their
//! types, such as `RedactedEntry`, are redacted already, so nothing here decides what a viewer
//! sees.

#![deny(clippy::wildcard_enum_match_arm)]

use std::time::Duration;

use contract::duration;
use contract::v1::{self, event::Kind};
use positions::Position;
use rows::RedactedEntry;
use table::{Choice, Event, Face, Layout, Seat, Speech, Viewer, Viewers};

use crate::legal::motion_of;
use crate::tables::{offer_of, prompts_of};
use crate::values::{action_of, entry_name, number, timestamp, wire_digest, wire_position};

/// The entry without texts.
pub fn entry_of(redacted: &RedactedEntry) -> v1::Entry {
    let (layout, entry) = (redacted.game.layout(), &redacted.entry);
    v1::Entry {
        name: entry_name(redacted.match_id, redacted.position),
        position: wire_position(redacted.position),
        create_time: Some(timestamp(redacted.create_time)),
        seat: entry.seat.map(number),
        verb: entry.verb.to_owned(),
        action: entry.action.clone().map(|body| action_of(redacted.game, body)),
        events: entry.events.iter().map(|it| event_of(layout, it, redacted.position)).collect(),
        prompts: prompts_of(layout, &entry.prompts, redacted.position),
        digest: wire_digest(redacted.digest),
        rules_version: entry.rules,
        choices: entry.choices.iter().map(choice_of).collect(),
        ..v1::Entry::default()
    }
}

/// An event of the entry at `position`.
fn event_of(layout: &Layout, event: &Event, position: Position) -> v1::Event {
    let place = |place| layout.place_name(place).to_owned();
    let kind = match *event {
        Event::Moved { what, from, to } => {
            let (piece, back) = face_of(layout, what);
            Kind::Moved(v1::Moved { piece, back, from: place(from), to: place(to) })
        }
        Event::Gathered { from, to } => {
            Kind::Gathered(v1::Gathered { from: place(from), to: place(to) })
        }
        Event::Shown { what, at, to } => {
            let (piece, back) = face_of(layout, what);
            Kind::Shown(shown(piece, back, place(at), to))
        }
        Event::Paid { coin, from, to, amount, aloud: _ } => {
            let coin = layout.coin_name(coin).to_owned();
            Kind::Paid(v1::Paid { coin, from: place(from), to: place(to), amount })
        }
        Event::Marked { mark, value } => {
            let mark = layout.mark_name(mark).to_owned();
            Kind::Marked(v1::Marked { mark, value: value.into() })
        }
        Event::Rolled { seat, value } => {
            Kind::Rolled(v1::Rolled { seat: number(seat), value: value.into() })
        }
        Event::Announced { announcement, seat, value } => Kind::Announced(v1::Announced {
            announcement: layout.announcement_name(announcement).to_owned(),
            seat: number(seat),
            value: value.into(),
            points: layout.score_points(announcement, value),
        }),
        Event::RoundBegan(round) => Kind::RoundBegan(round.into()),
        Event::PhaseBegan(phase) => Kind::PhaseBegan(phase.into()),
        Event::TurnBegan(seat) => Kind::TurnBegan(number(seat)),
        Event::Offered(ref offer) => Kind::Offered(offer_of(layout, offer)),
        Event::OfferClosed { by } => Kind::OfferClosed(number(by)),
        Event::Scored { seat, points } => Kind::Scored(v1::Scored { seat: number(seat), points }),
        Event::Resigned { seat } => Kind::Resigned(number(seat)),
        Event::TimedOut { seat } => Kind::TimedOut(number(seat)),
        Event::TimeAdded { seat, ms } => Kind::TimeAdded(v1::TimeAdded {
            seat: number(seat),
            duration: Some(duration(Duration::from_millis(ms.into()))),
        }),
        Event::Ended { winners } => {
            Kind::Ended(v1::Ended { winners: winners.iter().map(number).collect() })
        }
        Event::TookBack { age } => Kind::TookBack(v1::TookBack {
            position: wire_position(Position(position.0 - i64::from(age))),
        }),
        Event::Voted { seat, motion, on } => {
            let motion = motion_of(motion).into();
            Kind::Voted(v1::Voted { seat: number(seat), motion, on })
        }
        Event::Paused { by } => Kind::Paused(v1::Paused { seat: by.map(number) }),
        Event::Resumed { by } => Kind::Resumed(v1::Resumed { seat: by.map(number) }),
        Event::Abandoned => Kind::Abandoned(v1::Abandoned {}),
        Event::Replaced { seat } => Kind::Replaced(v1::Replaced { seat: number(seat) }),
        Event::Said { seat, ref speech } => Kind::Said(said(seat, speech.as_deref())),
        Event::Contributed(ref it) => Kind::Contributed(v1::Contributed {
            seat: number(it.seat),
            contribution: it.bytes.to_vec(),
            after_commitment: it.after_commitment,
        }),
        Event::Stood { seat, decision, on } => {
            let decision = layout.decision_name(decision).to_owned();
            Kind::Stood(v1::Stood { seat: number(seat), decision, on })
        }
    };
    v1::Event { kind: Some(kind) }
}

fn choice_of(it: &Choice) -> v1::Choice {
    v1::Choice { bound: it.bound, value: it.value }
}

/// The piece's name if it is face up, otherwise the name of its back; neither if the viewer cannot
/// count the pieces.
fn face_of(layout: &Layout, face: Face) -> (String, String) {
    match face {
        Face::Up(piece) => (layout.piece_name(piece).to_owned(), String::new()),
        Face::Down(back) => (String::new(), layout.back_name(back).to_owned()),
        Face::Uncounted => (String::new(), String::new()),
    }
}

fn shown(piece: String, back: String, at: String, to: Viewers) -> v1::Shown {
    let (seats, everyone) = audience(to);
    v1::Shown { piece, back, at, seats, everyone }
}

fn said(seat: Seat, speech: Option<&Speech>) -> v1::Said {
    let Some(Speech { to, text, sealed: _ }) = speech else {
        return v1::Said { seat: number(seat), ..v1::Said::default() };
    };
    let (mut seats, everyone) = audience(*to);
    seats.retain(|&it| it != number(seat));
    let erased = text.is_none();
    let text = text.as_ref().map(|text| text.as_str().to_owned()).unwrap_or_default();
    v1::Said { seat: number(seat), text, seats, everyone, erased }
}

/// The seats among these viewers, or whether everyone is among them.
fn audience(to: Viewers) -> (Vec<u32>, bool) {
    let everyone = to.has(Viewer::Spectator);
    (if everyone { Vec::new() } else { to.seats().iter().map(number).collect() }, everyone)
}
