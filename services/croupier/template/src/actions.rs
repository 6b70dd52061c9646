//! The actions of a seat, and their messages.

use croupier_game::table::Malformed;
use prost::{Message, bytes::Bytes};

use crate::table::{Card, LAYOUT};

mod pb {
    #![allow(clippy::all, reason = "generated")]
    include!(concat!(env!("OUT_DIR"), "/croupier.games.new_game.v1.rs"));
}

use pb::action::Kind;

#[derive(Clone, Debug, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Action {
    Draw,
    Drop { card: Card },
    Keep,
}

pub fn parse(message: &[u8]) -> Result<Action, Malformed> {
    let message = pb::Action::decode(message).map_err(|error| Malformed(error.to_string()))?;
    match message.kind.ok_or_else(|| Malformed("an action is draw, drop or keep".into()))? {
        Kind::Draw(_) => Ok(Action::Draw),
        Kind::Drop(drop) => match LAYOUT.named(&drop.card) {
            Some(card) => Ok(Action::Drop { card }),
            None => Err(Malformed(format!("there is no card {:?}", drop.card))),
        },
        Kind::Keep(_) => Ok(Action::Keep),
    }
}

pub fn print(action: &Action) -> Bytes {
    let kind = match action {
        Action::Draw => Kind::Draw(pb::Draw {}),
        Action::Drop { card } => Kind::Drop(pb::Drop { card: card.name().into() }),
        Action::Keep => Kind::Keep(pb::Keep {}),
    };
    pb::Action { kind: Some(kind) }.encode_to_vec().into()
}
