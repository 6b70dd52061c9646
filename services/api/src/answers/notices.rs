//! Notices to a player about entries.

use contract::v1::player_notice::Kind;
use contract::v1::{self, MatchEnded, MatchStarted, PlayerNotice, YourTurn};
use matches::{Position, RedactedEntry, opened_at};
use table::{Event, Seat, Viewer};

use super::values::{match_name, wire_position};

/// The position of the entry that deals a match.
const OPENING: Position = Position(1);

/// The notices for the player for whose seat an entry was redacted. `told` is the same entry as it
/// is sent; its prompts are sent again.
pub(crate) fn notices_of(entry: &RedactedEntry, told: &v1::Entry) -> Vec<PlayerNotice> {
    let own = match entry.viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator | Viewer::House => None,
    };
    let mut kinds = Vec::new();
    if entry.position == OPENING {
        kinds.push(Kind::MatchStarted(MatchStarted {}));
    }
    kinds.extend(turns(entry, own, told));
    for event in &entry.entry.events {
        if let Event::Ended { winners } = event {
            kinds.push(Kind::MatchEnded(MatchEnded { won: own.is_some_and(|it| winners.has(it)) }));
        }
    }
    let notice = |kind| PlayerNotice {
        r#match: match_name(entry.match_id),
        position: wire_position(entry.position),
        kind: Some(kind),
    };
    kinds.into_iter().map(notice).collect()
}

/// The prompts that the entry opened and that the seat must answer.
fn turns<'e>(
    entry: &'e RedactedEntry,
    own: Option<Seat>,
    told: &'e v1::Entry,
) -> impl Iterator<Item = Kind> + 'e {
    let prompts = entry.entry.prompts.iter().zip(&told.prompts);
    let opened = prompts.filter(move |(prompt, _)| {
        Some(prompt.seat) == own
            && prompt.must
            && opened_at(prompt, entry.position) == entry.position
    });
    opened.map(|(_, told)| Kind::YourTurn(YourTurn { prompt: Some(told.clone()) }))
}
