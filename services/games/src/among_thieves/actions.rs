//! The actions of a seat, and their messages.

use bytes::Bytes;
use prost::Message;
use table::{Malformed, Offer, OfferItem, Seat, Seats};

use super::vocabulary::Corporation;

mod pb {
    #![allow(clippy::all, clippy::pedantic, reason = "generated")]
    include!(concat!(env!("OUT_DIR"), "/croupier.games.among_thieves.v1.rs"));
}

use pb::action::Kind;

#[derive(Clone, Debug, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Action {
    Pay {
        to: Seat,
        millions: u32,
        turn: u32,
    },
    Assemble {
        team: Seats,
    },
    Blackmail {
        corporation: Corporation,
    },
    Choose {
        honorable: bool,
    },
    Favor {
        seat: Seat,
    },
    Offer {
        to: Seat,
        terms: Terms,
        turn: u32,
    },
    Withdraw,
    /// The accepted terms, so that an offer changed in the meantime is refused.
    Accept {
        by: Seat,
        terms: Terms,
        turn: u32,
    },
    Refuse {
        by: Seat,
    },
}

/// The terms of an offer: the millions that its maker gives, and those that it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    pub give: u32,
    pub take: u32,
}

impl Terms {
    pub(super) fn of(offer: &Offer) -> Terms {
        let millions = |items: &[OfferItem]| match *items {
            [OfferItem::Coins { amount, .. }, ..] => amount,
            [OfferItem::Piece { .. }, ..] | [] => 0,
        };
        Terms { give: millions(&offer.give), take: millions(&offer.take) }
    }
}

/// §10.6
pub(super) fn parse(message: &[u8]) -> Result<Action, Malformed> {
    let message = pb::Action::decode(message).map_err(|error| malformed(error.to_string()))?;
    let kind = message.kind.ok_or_else(|| {
        malformed(
            "an action is one of pay, assemble, blackmail, choose, favor, offer, withdraw, accept \
             and refuse",
        )
    })?;
    Ok(match kind {
        Kind::Pay(it) => {
            Action::Pay { to: present(it.to)?, millions: it.millions, turn: turn(it.turn)? }
        }
        Kind::Assemble(assemble) => Action::Assemble { team: team(&assemble.seats)? },
        Kind::Blackmail(it) => Action::Blackmail { corporation: corporation(it.corporation())? },
        Kind::Choose(it) => Action::Choose { honorable: is_honorable(it.choice())? },
        Kind::Favor(favor) => Action::Favor { seat: present(favor.seat)? },
        Kind::Offer(it) => {
            let terms = Terms { give: it.give, take: it.take };
            Action::Offer { to: present(it.to)?, terms, turn: turn(it.turn)? }
        }
        Kind::Withdraw(pb::Withdraw {}) => Action::Withdraw,
        Kind::Accept(it) => {
            let terms = Terms { give: it.give, take: it.take };
            Action::Accept { by: present(it.by)?, terms, turn: turn(it.turn)? }
        }
        Kind::Refuse(it) => Action::Refuse { by: present(it.by)? },
    })
}

pub(super) fn print(action: &Action) -> Bytes {
    let number = |seat: Seat| u32::from(u8::from(seat));
    let kind = match *action {
        Action::Pay { to, millions, turn } => {
            Kind::Pay(pb::Pay { to: Some(number(to)), millions, turn: Some(turn) })
        }
        Action::Assemble { team } => {
            Kind::Assemble(pb::Assemble { seats: team.iter().map(number).collect() })
        }
        Action::Blackmail { corporation } => {
            let corporation = match corporation {
                Corporation::Corvid => pb::Corporation::Corvid,
                Corporation::Lefleur => pb::Corporation::Lefleur,
                Corporation::Paragon => pb::Corporation::Paragon,
            };
            Kind::Blackmail(pb::Blackmail { corporation: corporation.into() })
        }
        Action::Choose { honorable } => {
            let choice = if honorable { pb::Choice::Honorable } else { pb::Choice::Dishonorable };
            Kind::Choose(pb::Choose { choice: choice.into() })
        }
        Action::Favor { seat } => Kind::Favor(pb::Favor { seat: Some(number(seat)) }),
        Action::Offer { to, terms: Terms { give, take }, turn } => {
            Kind::Offer(pb::Offer { to: Some(number(to)), give, take, turn: Some(turn) })
        }
        Action::Withdraw => Kind::Withdraw(pb::Withdraw {}),
        Action::Accept { by, terms: Terms { give, take }, turn } => {
            Kind::Accept(pb::Accept { by: Some(number(by)), give, take, turn: Some(turn) })
        }
        Action::Refuse { by } => Kind::Refuse(pb::Refuse { by: Some(number(by)) }),
    };
    pb::Action { kind: Some(kind) }.encode_to_vec().into()
}

fn malformed(sentence: impl Into<String>) -> Malformed {
    Malformed(sentence.into())
}

fn seat(number: u32) -> Result<Seat, Malformed> {
    let number = u8::try_from(number).unwrap_or(u8::MAX);
    Seat::try_from(number).map_err(|error| malformed(error.to_string()))
}

fn present(number: Option<u32>) -> Result<Seat, Malformed> {
    number.ok_or_else(|| malformed("a seat is missing")).and_then(seat)
}

/// §3.6
fn turn(number: Option<u32>) -> Result<u32, Malformed> {
    number.ok_or_else(|| malformed("the turn is missing"))
}

fn team(numbers: &[u32]) -> Result<Seats, Malformed> {
    let mut team = Seats::default();
    for &number in numbers {
        let seat = seat(number)?;
        if team.has(seat) {
            return Err(malformed(format!("seat {seat} is named twice")));
        }
        team.add(seat);
    }
    Ok(team)
}

fn corporation(corporation: pb::Corporation) -> Result<Corporation, Malformed> {
    match corporation {
        pb::Corporation::Unspecified => Err(malformed("the corporation is missing")),
        pb::Corporation::Corvid => Ok(Corporation::Corvid),
        pb::Corporation::Lefleur => Ok(Corporation::Lefleur),
        pb::Corporation::Paragon => Ok(Corporation::Paragon),
    }
}

fn is_honorable(choice: pb::Choice) -> Result<bool, Malformed> {
    match choice {
        pb::Choice::Unspecified => Err(malformed("the choice is missing")),
        pb::Choice::Honorable => Ok(true),
        pb::Choice::Dishonorable => Ok(false),
    }
}
