//! The stored form of an entry: protobuf with compact numbers.
//!
//! The log keeps entries as the house sees them. Decoding checks every number against the layout,
//! so an entry decoded from any bytes can be folded and redacted without a panic: a test in
//! `tests/toy/main.rs` decodes and folds garbled entries.

// A wildcard arm would decide how future variants are stored.
#![deny(clippy::wildcard_enum_match_arm)]

use bytes::Bytes;
use prost::Message;

use crate::{
    AnnouncementId, BadText, CONTRIBUTION_BYTES_MAX, Choice, CoinId, Contribution, DecisionId,
    Entry, Event, Face, Layout, MarkId, Motion, Offer, OfferItem, PLAYER_COMMITMENT_BYTES, Piece,
    PlaceId, PlayerCommitment, Prompt, SAY, Seat, Seats, Small, Speech, Text, Viewers,
    said::with_text,
};

pub(crate) mod pb {
    #![allow(clippy::all, clippy::pedantic, reason = "generated")]
    include!(concat!(env!("OUT_DIR"), "/croupier.store.v1.rs"));
}

use pb::event::Kind;

/// Why bytes cannot be decoded as an entry or a table of this game.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Undecodable {
    #[error("the bytes are not an entry")]
    NoEntry(#[from] prost::DecodeError),
    #[error("the game has no verb {0:?}")]
    NoSuchVerb(String),
    #[error("the number {number} is no {what} of this game")]
    OutOfRange { what: &'static str, number: i64 },
    #[error("the {0} is missing")]
    Missing(&'static str),
    #[error("a choice has no value below its bound")]
    NoChoice,
    #[error("a commitment to a player has not {PLAYER_COMMITMENT_BYTES} bytes")]
    NoCommitment,
    #[error("what was said is not a valid text")]
    NoText(#[from] BadText),
    #[error("what was said is both sealed and in plain text")]
    SaidTwice,
    #[error("what was said was not sealed with the key of its seat")]
    Unsealable,
}

impl Entry {
    /// The stored form of an entry as the house sees it. The bytes of a redacted entry lack the
    /// hidden parts and do not decode.
    pub fn encode(&self) -> Bytes {
        let entry = pb::Entry {
            seat: self.seat.map(number),
            verb: self.verb.into(),
            action: self.stored_action(),
            events: self.events.iter().map(encode_event).collect(),
            prompts: self.prompts.iter().map(encode_prompt).collect(),
            rules: self.rules,
            choices: self.choices.iter().flat_map(|it| [it.bound, it.value]).collect(),
            players: self.players.iter().map(encode_player).collect(),
        };
        entry.encode_to_vec().into()
    }

    /// The entry behind stored bytes. Refuses numbers that the layout does not have.
    pub fn decode(bytes: &[u8], layout: &'static Layout) -> Result<Entry, Undecodable> {
        let entry = pb::Entry::decode(bytes)?;
        let verb = layout.verb(&entry.verb);
        Ok(Entry {
            rules: entry.rules,
            choices: decode_choices(&entry.choices)?,
            players: entry.players.iter().map(decode_player).collect::<Result<_, _>>()?,
            seat: entry.seat.map(seat).transpose()?,
            verb: verb.ok_or(Undecodable::NoSuchVerb(entry.verb))?,
            action: entry.action,
            events: entry
                .events
                .into_iter()
                .map(|event| decode_event(event, layout))
                .collect::<Result<_, _>>()?,
            prompts: entry
                .prompts
                .into_iter()
                .map(|prompt| decode_prompt(prompt, layout))
                .collect::<Result<_, _>>()?,
        })
    }
}

// === To bytes ===

impl Entry {
    /// The action as stored: without a text that is sealed in the events.
    pub(crate) fn stored_action(&self) -> Option<Bytes> {
        let is_sealed = self.verb == SAY && self.speeches().any(|speech| speech.sealed.is_some());
        match &self.action {
            Some(action) if is_sealed => Some(with_text(action, "")),
            action => action.clone(),
        }
    }
}

pub(crate) fn number(seat: Seat) -> u32 {
    seat.0.into()
}

fn up(what: Face) -> Option<u32> {
    match what {
        Face::Up(piece) => Some(piece.0.into()),
        Face::Down(_) | Face::Uncounted => None,
    }
}

fn encode_event(event: &Event) -> pb::Event {
    let kind = match *event {
        Event::Moved { what, from, to } => Kind::Moved(pb::Moved {
            piece: up(what),
            from: from.number().into(),
            to: to.number().into(),
        }),
        Event::Gathered { from, to } => {
            Kind::Gathered(pb::Gathered { from: from.number().into(), to: to.number().into() })
        }
        Event::Shown { what, at, to } => {
            Kind::Shown(pb::Shown { piece: up(what), at: at.number().into(), to: to.0.into() })
        }
        Event::Paid { coin, from, to, amount, aloud } => Kind::Paid(pb::Paid {
            coin: coin.number().into(),
            from: from.number().into(),
            to: to.number().into(),
            amount,
            aloud,
        }),
        Event::Marked { mark, value } => {
            Kind::Marked(pb::Marked { mark: mark.number().into(), value: value.into() })
        }
        Event::Rolled { seat, value } => {
            Kind::Rolled(pb::Rolled { seat: number(seat), value: value.into() })
        }
        Event::Announced { announcement, seat, value } => Kind::Announced(pb::Announced {
            announcement: announcement.number().into(),
            seat: number(seat),
            value: value.into(),
        }),
        Event::RoundBegan(round) => Kind::RoundBegan(round.into()),
        Event::PhaseBegan(phase) => Kind::PhaseBegan(phase.into()),
        Event::TurnBegan(seat) => Kind::TurnBegan(number(seat)),
        Event::Offered(ref offer) => Kind::Offered(encode_offer(offer)),
        Event::OfferClosed { by } => Kind::OfferClosed(number(by)),
        Event::Contributed(ref it) => Kind::Contributed(encode_contribution(it)),
        Event::Scored { seat, points } => Kind::Scored(pb::Scored { seat: number(seat), points }),
        Event::Resigned { seat } => Kind::Resigned(number(seat)),
        Event::TimedOut { seat } => Kind::TimedOut(number(seat)),
        Event::TimeAdded { seat, ms } => Kind::TimeAdded(pb::TimeAdded { seat: number(seat), ms }),
        Event::Ended { winners } => Kind::Ended(winners.0.into()),
        Event::TookBack { age } => Kind::TookBack(age),
        Event::Voted { seat, motion, on } => Kind::Voted(encode_vote(seat, motion, on)),
        Event::Paused { by } => Kind::Paused(pb::By { seat: by.map(number) }),
        Event::Resumed { by } => Kind::Resumed(pb::By { seat: by.map(number) }),
        Event::Abandoned => Kind::Abandoned(pb::Abandoned {}),
        Event::Replaced { seat } => Kind::Replaced(number(seat)),
        Event::Said { seat, ref speech } => Kind::Said(encode_said(seat, speech.as_deref())),
        Event::Stood { seat, decision, on } => {
            Kind::Stood(pb::Stood { seat: number(seat), decision: decision.number().into(), on })
        }
    };
    pb::Event { kind: Some(kind) }
}

fn encode_said(seat: Seat, speech: Option<&Speech>) -> pb::Said {
    let sealed = speech.and_then(|it| it.sealed.clone());
    let plain = speech.and_then(|it| it.text.as_ref()).filter(|_| sealed.is_none());
    pb::Said {
        seat: number(seat),
        to: speech.map_or(0, |it| it.to.0.into()),
        text: plain.map(|it| it.as_str().into()).unwrap_or_default(),
        sealed: sealed.unwrap_or_default(),
    }
}

pub(crate) fn encode_offer(offer: &Offer) -> pb::Offer {
    pb::Offer {
        by: number(offer.by),
        to: number(offer.to),
        give: offer.give.iter().map(encode_term).collect(),
        take: offer.take.iter().map(encode_term).collect(),
    }
}

fn encode_term(term: &OfferItem) -> pb::OfferItem {
    let kind = match *term {
        OfferItem::Piece { piece, to } => pb::offer_item::Kind::Piece(pb::Moved {
            piece: Some(piece.0.into()),
            from: 0,
            to: to.number().into(),
        }),
        OfferItem::Coins { coin, from, to, amount } => pb::offer_item::Kind::Coins(pb::Paid {
            coin: coin.number().into(),
            from: from.number().into(),
            to: to.number().into(),
            amount: Some(amount),
            aloud: false,
        }),
    };
    pb::OfferItem { kind: Some(kind) }
}

pub(crate) fn encode_contribution(it: &Contribution) -> pb::Contributed {
    pb::Contributed {
        seat: number(it.seat),
        contribution: it.bytes.clone(),
        after_commitment: it.after_commitment,
    }
}

fn encode_player(it: &PlayerCommitment) -> pb::PlayerCommitment {
    let commitment = it.commitment.to_vec().into();
    pb::PlayerCommitment { seat: number(it.seat), commitment }
}

pub(crate) fn encode_vote(seat: Seat, motion: Motion, on: bool) -> pb::Vote {
    pb::Vote { seat: number(seat), motion: motion.number(), on }
}

pub(crate) fn encode_prompt(prompt: &Prompt) -> pb::Prompt {
    pb::Prompt {
        seat: number(prompt.seat),
        decision: prompt.decision.number().into(),
        optional: !prompt.must,
        layer: prompt.layer.into(),
        age: prompt.age,
        asked_after: prompt.asked.map_or(0, |asked| prompt.age.saturating_sub(asked)),
        unasked: prompt.asked.is_none(),
    }
}

// === From bytes ===

fn decode_event(event: pb::Event, layout: &Layout) -> Result<Event, Undecodable> {
    Ok(match event.kind.ok_or(Undecodable::Missing("kind of event"))? {
        Kind::Moved(it) => Event::Moved {
            what: Face::Up(piece(it.piece, layout)?),
            from: place(it.from, layout)?,
            to: place(it.to, layout)?,
        },
        Kind::Gathered(it) => {
            Event::Gathered { from: place(it.from, layout)?, to: place(it.to, layout)? }
        }
        Kind::Shown(it) => Event::Shown {
            what: Face::Up(piece(it.piece, layout)?),
            at: place(it.at, layout)?,
            to: Viewers(narrow("set of viewers", it.to)?),
        },
        Kind::Paid(it) => {
            let aloud = it.aloud;
            let OfferItem::Coins { coin, from, to, amount } = coins(it, layout)? else {
                return Err(Undecodable::Missing("amount"));
            };
            Event::Paid { coin, from, to, amount: Some(amount), aloud }
        }
        Kind::Marked(it) => {
            Event::Marked { mark: mark(it.mark, layout)?, value: narrow("value", it.value)? }
        }
        Kind::Rolled(it) => {
            Event::Rolled { seat: seat(it.seat)?, value: narrow("value", it.value)? }
        }
        Kind::Announced(it) => Event::Announced {
            announcement: announcement(it.announcement, layout)?,
            seat: seat(it.seat)?,
            value: narrow("value", it.value)?,
        },
        Kind::RoundBegan(round) => Event::RoundBegan(narrow("round", round)?),
        Kind::PhaseBegan(phase) => Event::PhaseBegan(narrow("phase", phase)?),
        Kind::TurnBegan(it) => Event::TurnBegan(seat(it)?),
        Kind::Offered(it) => Event::Offered(Box::new(decode_offer(it, layout)?)),
        Kind::OfferClosed(by) => Event::OfferClosed { by: seat(by)? },
        Kind::Scored(it) => Event::Scored { seat: seat(it.seat)?, points: it.points },
        Kind::Resigned(it) => Event::Resigned { seat: seat(it)? },
        Kind::TimedOut(it) => Event::TimedOut { seat: seat(it)? },
        Kind::TimeAdded(it) => Event::TimeAdded { seat: seat(it.seat)?, ms: it.ms },
        Kind::Ended(winners) => Event::Ended { winners: Seats(narrow("set of seats", winners)?) },
        Kind::Said(it) => {
            Event::Said { seat: seat(it.seat)?, speech: Some(Box::new(decode_speech(it)?)) }
        }
        Kind::Stood(it) => {
            let (seat, decision, on) = decode_stood(it, layout)?;
            Event::Stood { seat, decision, on }
        }
        Kind::Contributed(it) => Event::Contributed(Box::new(decode_contribution(it)?)),
        Kind::TookBack(age) => Event::TookBack { age },
        Kind::Voted(it) => {
            let (seat, motion, on) = decode_vote(it)?;
            Event::Voted { seat, motion, on }
        }
        Kind::Paused(it) => Event::Paused { by: it.seat.map(seat).transpose()? },
        Kind::Resumed(it) => Event::Resumed { by: it.seat.map(seat).transpose()? },
        Kind::Abandoned(pb::Abandoned {}) => Event::Abandoned,
        Kind::Replaced(it) => Event::Replaced { seat: seat(it)? },
    })
}

/// Each choice is its bound and its value.
fn decode_choices(numbers: &[u32]) -> Result<Vec<Choice>, Undecodable> {
    let (choices, rest) = numbers.as_chunks::<2>();
    let choice = |&[bound, value]: &[u32; 2]| {
        if value < bound { Ok(Choice { bound, value }) } else { Err(Undecodable::NoChoice) }
    };
    if rest.is_empty() { choices.iter().map(choice).collect() } else { Err(Undecodable::NoChoice) }
}

fn decode_player(it: &pb::PlayerCommitment) -> Result<PlayerCommitment, Undecodable> {
    let commitment = (*it.commitment).try_into().map_err(|_| Undecodable::NoCommitment)?;
    Ok(PlayerCommitment { seat: seat(it.seat)?, commitment })
}

fn decode_speech(it: pb::Said) -> Result<Speech, Undecodable> {
    let to = Viewers(narrow("set of viewers", it.to)?);
    Ok(match (it.sealed.is_empty(), it.text.is_empty()) {
        (false, true) => Speech { to, text: None, sealed: Some(it.sealed) },
        (false, false) => return Err(Undecodable::SaidTwice),
        (true, _) => Speech { to, text: Some(Text::recorded(it.text)?), sealed: None },
    })
}

pub(crate) fn decode_offer(offer: pb::Offer, layout: &Layout) -> Result<Offer, Undecodable> {
    let terms = |terms: Vec<pb::OfferItem>| {
        terms.into_iter().map(|term| decode_term(term, layout)).collect::<Result<_, _>>()
    };
    Ok(Offer {
        by: seat(offer.by)?,
        to: seat(offer.to)?,
        give: terms(offer.give)?,
        take: terms(offer.take)?,
    })
}

fn decode_term(term: pb::OfferItem, layout: &Layout) -> Result<OfferItem, Undecodable> {
    match term.kind.ok_or(Undecodable::Missing("kind of term"))? {
        pb::offer_item::Kind::Piece(it) => {
            Ok(OfferItem::Piece { piece: piece(it.piece, layout)?, to: place(it.to, layout)? })
        }
        pb::offer_item::Kind::Coins(it) => coins(it, layout),
    }
}

fn coins(it: pb::Paid, layout: &Layout) -> Result<OfferItem, Undecodable> {
    let coin = coin(it.coin, layout)?;
    let purse = |number| {
        let place = place(number, layout)?;
        known("purse for this coin", number, layout.purse(place, coin).map(|_| place))
    };
    let amount = it.amount.ok_or(Undecodable::Missing("amount"))?;
    Ok(OfferItem::Coins { coin, from: purse(it.from)?, to: purse(it.to)?, amount })
}

pub(crate) fn decode_stood(
    stood: pb::Stood,
    layout: &Layout,
) -> Result<(Seat, DecisionId, bool), Undecodable> {
    Ok((seat(stood.seat)?, decision(stood.decision, layout)?, stood.on))
}

/// The contribution behind the bytes of a message `Contributed`.
pub fn contribution(bytes: &[u8]) -> Result<Contribution, Undecodable> {
    decode_contribution(pb::Contributed::decode(bytes)?)
}

/// The message `Contributed` of a contribution.
pub fn contributed(contribution: &Contribution) -> Bytes {
    encode_contribution(contribution).encode_to_vec().into()
}

pub(crate) fn decode_contribution(it: pb::Contributed) -> Result<Contribution, Undecodable> {
    let length = it.contribution.len();
    let fits = (1..=CONTRIBUTION_BYTES_MAX).contains(&length);
    known("length of a contribution", length as u32, fits.then_some(()))?;
    let (seat, after_commitment) = (seat(it.seat)?, it.after_commitment);
    Ok(Contribution { seat, bytes: it.contribution, after_commitment })
}

pub(crate) fn decode_vote(vote: pb::Vote) -> Result<(Seat, Motion, bool), Undecodable> {
    let motion = known("motion", vote.motion, Motion::numbered(vote.motion))?;
    Ok((seat(vote.seat)?, motion, vote.on))
}

pub(crate) fn decode_prompt(prompt: pb::Prompt, layout: &Layout) -> Result<Prompt, Undecodable> {
    let asked = prompt.age.checked_sub(prompt.asked_after).ok_or(Undecodable::OutOfRange {
        what: "entry that asked",
        number: prompt.asked_after.into(),
    })?;
    Ok(Prompt {
        asked: (!prompt.unasked).then_some(asked),
        seat: seat(prompt.seat)?,
        decision: decision(prompt.decision, layout)?,
        must: !prompt.optional,
        layer: narrow("layer", prompt.layer)?,
        age: prompt.age,
    })
}

pub(crate) fn seat(number: u32) -> Result<Seat, Undecodable> {
    known("seat", number, Seat::nth(number as usize))
}

pub(crate) fn piece(number: Option<u32>, layout: &Layout) -> Result<Piece, Undecodable> {
    let number = number.ok_or(Undecodable::Missing("piece"))?;
    known("piece", number, layout.piece(number))
}

pub(crate) fn place(number: u32, layout: &Layout) -> Result<PlaceId, Undecodable> {
    known("place", number, layout.places.id(number))
}

pub(crate) fn coin(number: u32, layout: &Layout) -> Result<CoinId, Undecodable> {
    known("coin", number, layout.coins.id(number))
}

fn decision(number: u32, layout: &Layout) -> Result<DecisionId, Undecodable> {
    known("decision", number, layout.decisions.id(number))
}

pub(crate) fn mark(number: u32, layout: &Layout) -> Result<MarkId, Undecodable> {
    known("mark", number, layout.marks.id(number))
}

pub(crate) fn announcement(number: u32, layout: &Layout) -> Result<AnnouncementId, Undecodable> {
    known("announcement", number, layout.announcements.id(number))
}

pub(crate) fn known<T>(
    what: &'static str,
    number: u32,
    found: Option<T>,
) -> Result<T, Undecodable> {
    found.ok_or(Undecodable::OutOfRange { what, number: number.into() })
}

pub(crate) fn narrow<W: Copy + Into<i64>, N: TryFrom<W>>(
    what: &'static str,
    wide: W,
) -> Result<N, Undecodable> {
    wide.try_into().map_err(|_| Undecodable::OutOfRange { what, number: wide.into() })
}
