//! Names, numbers and times, in the form in which the contract writes them.

use bytes::Bytes;
use contract::{Action, names};
use games::Game;
use positions::{Digest, Position};
use prost_types::Timestamp;
use rows::MatchId;
use table::{Seat, Viewer};
use time::OffsetDateTime;

/// `matches/{match}`.
pub fn match_name(MatchId(match_id): MatchId) -> String {
    names::match_name(match_id)
}

/// `matches/{match}/entries/{position}`.
pub fn entry_name(MatchId(match_id): MatchId, Position(position): Position) -> String {
    names::entry_name(match_id, position)
}

/// The name of a viewer, such as `seats/0`.
pub fn viewer_name(viewer: Viewer) -> String {
    match viewer {
        Viewer::House => names::HOUSE.to_owned(),
        Viewer::Spectator => names::SPECTATOR.to_owned(),
        Viewer::Seat(seat) => names::seat_name(seat),
    }
}

/// A position on the wire, where JSON and TypeScript read it as a number.
pub fn wire_position(position: Position) -> i32 {
    position.0.try_into().expect("a match has fewer than 2^31 entries")
}

/// A digest on the wire; empty if there is none.
pub fn wire_digest(digest: Option<Digest>) -> Vec<u8> {
    digest.map(|digest| digest.as_bytes().to_vec()).unwrap_or_default()
}

/// The number of a seat.
pub fn number(seat: Seat) -> u32 {
    u8::from(seat).into()
}

/// A time of the record.
pub fn timestamp(time: OffsetDateTime) -> Timestamp {
    Timestamp { seconds: time.unix_timestamp(), nanos: time.nanosecond() as i32 }
}

/// An action of a game, or of every game.
pub fn action_of(game: &dyn Game, body: Bytes) -> Action {
    if games::is_common(&body) {
        Action::of_every_game(body)
    } else if Action::has_field(game.name()) {
        Action::of(game.name(), body)
    } else {
        Action::of_module(games::action_as_struct(game, &body))
    }
}
