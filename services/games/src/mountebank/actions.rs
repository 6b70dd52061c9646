//! The actions of a seat, and their messages.

use bytes::Bytes;
use prost::Message;
use table::{Malformed, Set};

use super::{
    layout::{LAYOUT, name},
    vocabulary::{Card, Suit},
};

mod pb {
    #![allow(clippy::all, clippy::pedantic, reason = "generated")]
    include!(concat!(env!("OUT_DIR"), "/croupier.games.mountebank.v1.rs"));
}

use pb::action::Kind;

#[derive(Clone, Debug, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Action {
    Draw,
    Take { card: Card },
    Con { cards: Set<Card>, primary: Suit },
    Pass,
}

/// §7.1
pub(super) fn parse(message: &[u8]) -> Result<Action, Malformed> {
    let message = pb::Action::decode(message).map_err(|error| malformed(error.to_string()))?;
    match message.kind.ok_or_else(|| malformed("an action is one of draw, take, con and pass"))? {
        Kind::Draw(_) => Ok(Action::Draw),
        Kind::Take(take) => Ok(Action::Take { card: card(&take.card)? }),
        Kind::Con(con) => {
            let mut cards = Set::EMPTY;
            for name in &con.cards {
                let card = card(name)?;
                if cards.has(card) {
                    return Err(malformed(format!("{name} is named twice")));
                }
                cards.add(card);
            }
            if cards.is_empty() {
                return Err(malformed("a con takes at least one card"));
            }
            Ok(Action::Con { cards, primary: suit(con.primary())? })
        }
        Kind::Pass(_) => Ok(Action::Pass),
    }
}

pub(super) fn print(action: &Action) -> Bytes {
    let kind = match *action {
        Action::Draw => Kind::Draw(pb::Draw {}),
        Action::Take { card } => Kind::Take(pb::Take { card: name(card).into() }),
        Action::Con { cards, primary } => Kind::Con(pb::Con {
            cards: cards.iter().map(|card| name(card).into()).collect(),
            primary: suit_to_pb(primary).into(),
        }),
        Action::Pass => Kind::Pass(pb::Pass {}),
    };
    pb::Action { kind: Some(kind) }.encode_to_vec().into()
}

fn malformed(sentence: impl Into<String>) -> Malformed {
    Malformed(sentence.into())
}

fn card(name: &str) -> Result<Card, Malformed> {
    LAYOUT.named(name).ok_or_else(|| match name {
        "" => malformed("a card is missing"),
        name => malformed(format!("there is no card {name:?}")),
    })
}

fn suit(suit: pb::Suit) -> Result<Suit, Malformed> {
    match suit {
        pb::Suit::Unspecified => Err(malformed("the primary suit is missing")),
        pb::Suit::Moons => Ok(Suit::Moons),
        pb::Suit::Suns => Ok(Suit::Suns),
        pb::Suit::Waves => Ok(Suit::Waves),
        pb::Suit::Leaves => Ok(Suit::Leaves),
        pb::Suit::Wyrms => Ok(Suit::Wyrms),
        pb::Suit::Knots => Ok(Suit::Knots),
    }
}

fn suit_to_pb(suit: Suit) -> pb::Suit {
    match suit {
        Suit::Moons => pb::Suit::Moons,
        Suit::Suns => pb::Suit::Suns,
        Suit::Waves => pb::Suit::Waves,
        Suit::Leaves => pb::Suit::Leaves,
        Suit::Wyrms => pb::Suit::Wyrms,
        Suit::Knots => pb::Suit::Knots,
    }
}
