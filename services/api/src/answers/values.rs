//! Names, numbers and times, in the form in which the contract writes them.

use std::time::SystemTime;

use bytes::Bytes;
use contract::{Action, names};
use games::Game;
use matches::{Digest, MatchId, Position, Tags, Term};
use prost_types::Timestamp;
use table::{Seat, Viewer};
use time::OffsetDateTime;

pub(crate) fn match_name(MatchId(match_id): MatchId) -> String {
    names::match_name(match_id)
}

pub(crate) fn entry_name(MatchId(match_id): MatchId, Position(position): Position) -> String {
    names::entry_name(match_id, position)
}

pub(crate) fn receipt_name(MatchId(match_id): MatchId, Position(position): Position) -> String {
    names::receipt_name(match_id, position)
}

pub(crate) fn viewer_name(viewer: Viewer) -> String {
    match viewer {
        Viewer::House => names::HOUSE.to_owned(),
        Viewer::Spectator => names::SPECTATOR.to_owned(),
        Viewer::Seat(seat) => names::seat_name(seat),
    }
}

/// A position on the wire, where JSON and TypeScript read it as a number.
pub(crate) fn wire_position(position: Position) -> i32 {
    position.0.try_into().expect("a match has fewer than 2^31 entries")
}

/// A digest on the wire; empty if there is none.
pub(crate) fn wire_digest(digest: Option<Digest>) -> Vec<u8> {
    digest.map(|digest| digest.as_bytes().to_vec()).unwrap_or_default()
}

/// A term on the wire, where JSON reads it as a number.
pub(crate) fn wire_term(term: Term) -> u32 {
    u32::try_from(term.0).unwrap_or(u32::MAX)
}

/// Tags of the form `key=value`, as requests name them.
pub(crate) fn tag_names(tags: &Tags) -> Vec<String> {
    tags.iter().map(|(key, value)| format!("{key}={value}")).collect()
}

pub(crate) fn number(seat: Seat) -> u32 {
    u8::from(seat).into()
}

pub(crate) fn timestamp(time: OffsetDateTime) -> Timestamp {
    Timestamp::from(SystemTime::from(time))
}

/// An action of a game, or of every game.
pub(crate) fn action_of(game: &dyn Game, body: Bytes) -> Action {
    if games::is_common(&body) {
        Action::of_every_game(body)
    } else if Action::has_field(game.name()) {
        Action::of(game.name(), body)
    } else {
        Action::of_module(games::action_as_struct(game, &body))
    }
}
