//! Parses action messages, and prints them.

use bytes::Bytes;
use prost::Message;
use table::{Malformed, Seat, Seats};

use super::{Action, Corporation};

mod pb {
    #![allow(clippy::all, clippy::pedantic, reason = "generated")]
    include!(concat!(env!("OUT_DIR"), "/croupier.games.among_thieves.v1.rs"));
}

use pb::action::Kind;

/// §10.6
pub(super) fn parse(message: &[u8]) -> Result<Action, Malformed> {
    let message = pb::Action::decode(message).map_err(|error| malformed(error.to_string()))?;
    let kind = message.kind.ok_or_else(|| {
        malformed("an action is one of pay, assemble, blackmail, choose and favor")
    })?;
    Ok(match kind {
        Kind::Pay(pay) => Action::Pay { to: present(pay.to)?, millions: pay.millions },
        Kind::Assemble(assemble) => Action::Assemble { team: team(&assemble.seats)? },
        Kind::Blackmail(it) => Action::Blackmail { corporation: corporation(it.corporation())? },
        Kind::Choose(it) => Action::Choose { honorable: is_honorable(it.choice())? },
        Kind::Favor(favor) => Action::Favor { seat: present(favor.seat)? },
    })
}

pub(super) fn print(action: &Action) -> Bytes {
    let number = |seat: Seat| u32::from(u8::from(seat));
    let kind = match *action {
        Action::Pay { to, millions } => Kind::Pay(pb::Pay { to: Some(number(to)), millions }),
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
