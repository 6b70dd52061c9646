//! Notices to a player about entries.

use contract::v1::player_notice::Kind;
use contract::v1::{self, MatchEnded, MatchStarted, PlayerNotice, SeatTakenOver, YourTurn};
use matches::{Position, RedactedEntry, StreamedEntry};
use table::{Event, Seat, Viewer};

use super::values::{match_name, wire_position};

/// The position of the entry that deals a match.
const OPENING: Position = Position(1);

/// The notices for the player for whose seat an entry was redacted. `told` is the same entry as it
/// is sent; its prompts are sent again.
pub(crate) fn notices_of(streamed: &StreamedEntry, told: &v1::Entry) -> Vec<PlayerNotice> {
    let StreamedEntry { entry, is_seated, .. } = streamed;
    let own = match entry.viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator | Viewer::House => None,
    };
    let mut kinds = Vec::new();
    if entry.position == OPENING {
        kinds.push(Kind::MatchStarted(MatchStarted {}));
    }
    if *is_seated {
        kinds.extend(turn(entry, own, told));
    }
    for event in &entry.entry.events {
        match event {
            Event::Ended { winners } => {
                let won = own.is_some_and(|it| winners.has(it));
                kinds.push(Kind::MatchEnded(MatchEnded { won, abandoned: false }));
            }
            Event::Abandoned => {
                kinds.push(Kind::MatchEnded(MatchEnded { won: false, abandoned: true }));
            }
            Event::Replaced { seat } if Some(*seat) == own && !is_seated => {
                kinds.push(Kind::SeatTakenOver(SeatTakenOver {}));
            }
            _ => {}
        }
    }
    let notice = |kind| PlayerNotice {
        r#match: match_name(entry.match_id),
        position: wire_position(entry.position),
        kind: Some(kind),
    };
    kinds.into_iter().map(notice).collect()
}

/// The turn of the seat, if the entry asks it: with the prompt that it can answer now.
fn turn(entry: &RedactedEntry, own: Option<Seat>, told: &v1::Entry) -> Option<Kind> {
    let own = own.filter(|seat| entry.entry.turns().has(*seat))?;
    let prompts = entry.entry.prompts.iter().zip(&told.prompts);
    let mut asked = prompts.filter(|(prompt, _)| prompt.seat == own && prompt.is_turn());
    // Of several prompts of a seat, the last one is answered first.
    let (_, told) = asked.next_back()?;
    Some(Kind::YourTurn(YourTurn { prompt: Some(told.clone()) }))
}
