//! Output of a match in memory: its summary, and redacted entries.

use projector::PublicState;
use rows::{MatchRow, RecordedEntry, RedactedEntry};
use table::Viewer;

use super::live_match::LiveMatch;
use crate::summary::Summary;

impl LiveMatch {
    pub fn summary(&self) -> Summary {
        let head = self.head();
        let now = head.table.as_deref();
        let now = now.map(|table| PublicState::of(table, head.clocks.as_deref()));
        let row = MatchRow {
            next: self.next(),
            is_in_lobby: self.is_in_lobby(),
            display_name: self.display_name(),
            ..self.row().clone()
        };
        let last = head.update_time.map(|time| (head.position, time));
        let summary = Summary::new(row, self.players(), last, now.unwrap_or_default());
        let seed = self.seed().copied().filter(|_| self.check_revealed().is_ok());
        Summary { seed, ..summary }
    }

    /// An entry of the match as a viewer sees it.
    pub fn redact(&self, entry: &RecordedEntry, viewer: Viewer) -> RedactedEntry {
        RedactedEntry::redact(self.id(), self.game, entry, viewer)
    }
}

#[cfg(test)]
mod tests {
    use positions::Position;
    use table::{Seat, Small};

    use super::*;
    use crate::fixtures::Played;

    #[test]
    fn an_entry_is_redacted_for_its_viewer() {
        let played = Played::new();
        let live = played.live();
        let opening = played.recorded(1);
        let layout = live.game.layout();
        let mut forms = Vec::new();
        for viewer in [Viewer::House, Viewer::Spectator, Viewer::Seat(Seat::nth(0).unwrap())] {
            let redacted = live.redact(&opening, viewer);
            assert_eq!(redacted.entry, opening.entry.seen_by(viewer, layout));
            assert_eq!((redacted.match_id, redacted.position), (live.id(), Position(1)));
            assert!(!forms.contains(&redacted.entry), "{viewer:?} sees what another one sees");
            forms.push(redacted.entry);
        }
    }
}
