//! Applying entries to a match in memory: those that this process decided, and those of others.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use positions::Recorded;
use records::Checked;
use rows::{RecordedEntry, may_replace};
use table::{Entry, Table, Viewer};

use super::head::Head;
use super::live_match::LiveMatch;
use crate::error::Error;

/// Entries kept in memory while the match is watched. Watchers further behind read the log.
const RECENT_MAX: usize = 64;
/// Entries kept in memory while there are no watchers: for retries, and for reads while the
/// database is unavailable.
const RECENT_UNWATCHED_MAX: usize = 16;

impl LiveMatch {
    /// Applies durable entries, in order. Entries at or before the head are skipped.
    pub fn apply(&self, entries: impl IntoIterator<Item = Arc<RecordedEntry>>) {
        self.apply_all(entries.into_iter().map(|entry| (entry, None)));
    }

    /// Applies a durable entry that this process decided. `after` is the table that the decision
    /// led to, so the entry is not folded a second time.
    pub fn apply_decided(&self, entry: Arc<RecordedEntry>, after: Arc<Table>) {
        self.apply_all([(entry, Some(after))]);
    }

    /// Applies an entry that another process recorded.
    pub fn apply_remote(&self, row: &Recorded) {
        // The players may be others now, with other keys. Reading the log also reads them.
        if !self.is_full() || may_replace(row) {
            self.write().behind = true;
            self.changed.send_replace(());
            return;
        }
        let mut at = self.checked();
        let follows = row.position == at.position.next();
        let entry = if follows {
            self.decode_next(&mut at, row)
        } else {
            RecordedEntry::decode(row, self.game)
                .map_err(Error::from)
                .and_then(|entry| self.open(entry))
        };
        match entry {
            Ok(entry) => {
                self.apply([Arc::new(entry)]);
                // The process that recorded the entry writes its snapshot.
                self.write().unsaved.clear();
            }
            // Readers and watchers read the log and get the error from there.
            Err(error) => {
                tracing::warn!(match.id = %self.id().0, %error, "an entry cannot be applied");
                self.write().behind = true;
                self.changed.send_replace(());
            }
        }
    }

    /// Decodes the entry after the one at `at` and checks its digest. A wrong digest means that the
    /// record went back or was altered.
    pub(super) fn decode_next(
        &self,
        at: &mut Checked,
        row: &Recorded,
    ) -> Result<RecordedEntry, Error> {
        let entry = self.digests.next(at, row, self.game).map_err(Error::from);
        let entry = entry.inspect_err(|error| self.note(error))?;
        self.write().has_digests |= at.has_digests;
        self.open(entry)
    }

    /// Notes an error of decoding the entries after the head.
    pub(super) fn note(&self, error: &Error) {
        if matches!(error, Error::RecordAltered { .. }) {
            self.write().is_refuted = true;
        }
    }

    /// The end of the entries in memory.
    pub(super) fn checked(&self) -> Checked {
        let state = self.read();
        let Head { position, digest, .. } = state.head;
        Checked { position, digest, has_digests: state.has_digests }
    }

    fn apply_all(
        &self,
        entries: impl IntoIterator<Item = (Arc<RecordedEntry>, Option<Arc<Table>>)>,
    ) {
        let is_watched = || self.changed.receiver_count() > 0;
        let mut state = self.write();
        let before = state.head.position;
        for (entry, after) in entries {
            if entry.position == state.head.position.next() {
                let recent_max = if is_watched() { RECENT_MAX } else { RECENT_UNWATCHED_MAX };
                // An entry that this process decided has the digest that this process computed.
                state.has_digests |= after.is_some() && entry.digest.is_some();
                let after = self.table_after(state.head.table.take(), &entry.entry, after);
                state.advance(entry, after, recent_max);
            } else if entry.position > state.head.position {
                state.behind = true;
            }
        }
        let is_new = state.behind || state.head.position != before;
        self.bytes.store(state.bytes(), Relaxed);
        self.has_ended.store(state.head.table.as_ref().is_some_and(|it| it.ended()), Relaxed);
        drop(state);
        // A watcher that subscribes after this check reads the new state.
        if is_new && is_watched() {
            self.changed.send_replace(());
        }
    }

    /// The table after `entry`: `decided` if this process decided the entry, otherwise the fold.
    fn table_after(
        &self,
        before: Option<Arc<Table>>,
        entry: &Entry,
        decided: Option<Arc<Table>>,
    ) -> Arc<Table> {
        let fold = |before: Option<Arc<Table>>| {
            let opened = || Arc::new(Table::new(self.game.layout(), self.seats, Viewer::House));
            let mut table = before.unwrap_or_else(opened);
            // Copies the table only while a reader holds it.
            Arc::make_mut(&mut table).apply(entry);
            table
        };
        match decided {
            Some(decided) => {
                debug_assert!(
                    fold(before) == decided,
                    "the decided table differs from the fold of its entry"
                );
                decided
            }
            None => fold(before),
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use positions::Position;
    use table::{SAY, Seat, Small};

    use super::*;
    use crate::fixtures::Played;
    use crate::live::RequestStatus;

    fn recorded(
        played: &Played,
        positions: std::ops::RangeInclusive<i64>,
    ) -> Vec<Arc<RecordedEntry>> {
        positions.map(|position| Arc::new(played.recorded(position))).collect()
    }

    #[test]
    fn the_head_is_the_fold_of_the_entries() {
        let played = Played::new();
        let live = played.live();
        assert_eq!(live.head().table, None);
        live.apply(recorded(&played, 1..=played.last()));
        let last = played.playout.steps.last().expect("the match has actions");
        assert_eq!(live.head().table.as_deref(), Some(&last.after));
        assert_eq!(live.position(), Position(played.last()));
        assert_eq!(live.head().update_time, Some(crate::fixtures::time(played.last())));
    }

    #[test]
    fn a_decided_table_becomes_the_head() {
        let played = Played::new();
        let live = played.live();
        let after = Arc::new(played.playout.opening.0.clone());
        live.apply_decided(Arc::new(played.recorded(1)), after.clone());
        assert!(Arc::ptr_eq(&after, &live.head().table.expect("the match is dealt")));
        for (position, step) in (2..).zip(&played.playout.steps) {
            live.apply_decided(Arc::new(played.recorded(position)), Arc::new(step.after.clone()));
        }
        assert_eq!(live.position(), Position(played.last()));
    }

    #[test]
    #[should_panic(expected = "the decided table differs from the fold of its entry")]
    fn a_debug_build_compares_the_decided_table_with_the_fold() {
        let played = Played::new();
        let live = played.live();
        let other = played.playout.steps[0].after.clone();
        live.apply_decided(Arc::new(played.recorded(1)), Arc::new(other));
    }

    #[test]
    fn a_decided_entry_that_is_already_applied_is_skipped() {
        let played = Played::new();
        let live = played.live();
        live.apply(recorded(&played, 1..=2));
        let after = Arc::new(played.playout.opening.0.clone());
        live.apply_decided(Arc::new(played.recorded(1)), after);
        assert_eq!(live.position(), Position(2));
        assert_eq!(live.head().table.as_deref(), Some(&played.playout.steps[0].after));
        assert!(!live.is_behind());
    }

    #[test]
    fn a_gap_is_noticed_and_not_applied() {
        let played = Played::new();
        let live = played.live();
        live.apply(recorded(&played, 1..=2));
        let mut changed = live.subscribe();
        changed.mark_unchanged();
        live.apply(recorded(&played, 4..=4));
        assert_eq!(live.position(), Position(2));
        assert!(live.is_behind());
        assert!(changed.has_changed().expect("the match is held"), "watchers must refresh");
        changed.mark_unchanged();
        live.apply(recorded(&played, 1..=2));
        assert!(live.is_behind(), "entries that are already applied do not close a gap");
    }

    #[test]
    fn applying_an_entry_wakes_watchers() {
        let played = Played::new();
        let live = played.live();
        let mut changed = live.subscribe();
        changed.mark_unchanged();
        live.apply(recorded(&played, 1..=1));
        assert!(changed.has_changed().expect("the match is held"));
    }

    #[test]
    fn an_erased_player_is_forgotten_for_good() {
        let played = Played::new();
        let live = played.live();
        let seat = Seat::nth(0).expect("a seat");
        let mut row = played.row_at(2);
        row.seated[0].speech_key = Some(rows::SpeechKey([1; 32]));
        live.set_seated(&row);
        live.apply(recorded(&played, 1..=2));
        let says = |position| {
            let speech = table::Speech {
                to: table::Viewers::ALL,
                text: Some(table::Text::of("Hush.").expect("it is plain")),
                sealed: None,
            };
            let mut entry = played.recorded(2);
            entry.position = Position(position);
            entry.entry.seat = Some(seat);
            entry.entry.verb = SAY;
            entry.entry.action = Some(games::say("Hush."));
            entry.entry.choices = Vec::new();
            entry.entry.events = vec![table::Event::Said { seat, speech: Some(speech.into()) }];
            entry
        };
        let [mut one, mut late] = [says(3), says(4)];
        live.seal(one.position, &mut one.entry).expect("the seat has a key");
        live.seal(late.position, &mut late.entry).expect("the seat has a key");
        live.apply([Arc::new(one)]);
        let last = || live.recent_after(Position(live.position().0 - 1), 1).expect("in memory");
        assert!(!last()[0].entry.is_sealed());

        live.forget(seat, "erased-1");
        assert!(last()[0].entry.is_sealed());
        // An entry that was opened before the erasure, and a row that was read before it.
        live.apply([Arc::new(late)]);
        assert_eq!(last()[0].position, Position(4));
        assert!(last()[0].entry.is_sealed());
        live.set_seated(&row);
        let player = live.players().swap_remove(0).expect("the seat is taken");
        assert_eq!((&*player.player, player.is_erased), ("erased-1", true));
        assert_eq!(live.players()[1].as_ref().map(|it| it.is_erased), Some(false));
        // Nothing more is recorded of the seat, not even in plain text.
        let refused = live.seal(Position(5), &mut says(5).entry);
        assert!(matches!(refused, Err(Error::PlayerErased)));
    }

    #[test]
    fn a_recorded_request_is_found_by_its_id() {
        let played = Played::new();
        let live = played.live();
        live.apply(recorded(&played, 1..=3));
        let seat = played.recorded(2).entry.seat;
        let status = |seat, id| live.request_status(seat, id);
        assert!(matches!(status(seat, Some("r2")), RequestStatus::Recorded(Position(2))));
        let is_new =
            |seat, id| matches!(status(seat, id), RequestStatus::New(head) if head.position.0 == 3);
        assert!(is_new(seat, Some("r4")));
        assert!(is_new(seat, None));
        let other = Seat::nth((usize::from(u8::from(seat.expect("a seat acted"))) + 1) % 3);
        assert!(is_new(other, Some("r2")), "each seat has request ids of its own");
    }

    /// The first rows of a match as they are stored, each with its digest.
    fn rows(played: &Played, live: &LiveMatch, count: i64) -> Vec<Recorded> {
        let mut before = live.head().digest;
        let row = |position| {
            let entry = played.recorded(position);
            let row = played.row_at(position).last.expect("it is the last one");
            before = live.digest(before, &entry, &row.body);
            Recorded { digest: Some(before), ..row }
        };
        (1..=count).map(row).collect()
    }

    #[test]
    fn entries_continue_the_digest_of_the_head() {
        let played = Played::new();
        let live = played.live();
        let rows = rows(&played, &live, 3);
        live.apply_remote(&Recorded { digest: None, ..rows[0].clone() });
        live.apply_remote(&rows[1]);
        assert_eq!(live.position(), Position(2), "an entry without a digest has the one it would");
        live.apply_remote(&Recorded { digest: None, ..rows[2].clone() });
        assert_eq!(live.position(), Position(2), "later ones must have theirs");
        live.apply_remote(&rows[2]);
        assert_eq!(Some(live.head().digest), rows[2].digest);
    }

    #[test]
    fn an_entry_that_does_not_continue_the_head_is_not_applied() {
        let played = Played::new();
        let stored = rows(&played, &played.live(), 2);
        let changes: [fn(&mut Recorded); 4] = [
            |row| row.create_time += std::time::Duration::from_micros(1),
            |row| row.request_id = None,
            |row| row.digest = Some([0; 32].into()),
            |row| row.body = Bytes::from([&row.body[..], &[0]].concat()),
        ];
        for change in changes {
            let live = played.live();
            live.apply_remote(&stored[0]);
            let mut altered = stored[1].clone();
            change(&mut altered);
            live.apply_remote(&altered);
            assert_eq!(live.position(), Position(1));
        }
    }

    #[test]
    fn recent_entries_are_read_from_memory() {
        let played = Played::new();
        let live = played.live();
        let kept = RECENT_UNWATCHED_MAX as i64;
        let last = kept + 4;
        assert!(last < played.last(), "the match is long enough");
        live.apply(recorded(&played, 1..=last));
        let positions = |after, limit| {
            let recent = live.recent_after(Position(after), limit)?;
            Some(recent.iter().map(|entry| entry.position.0).collect::<Vec<_>>())
        };
        assert_eq!(positions(last - 2, 9), Some(vec![last - 1, last]));
        assert_eq!(positions(last - 4, 2), Some(vec![last - 3, last - 2]));
        assert_eq!(positions(last, 9), Some(vec![]));
        assert_eq!(positions(last - kept, 1), Some(vec![last - kept + 1]));
        assert_eq!(positions(last - kept - 1, 1), None, "no longer in memory");
    }

    #[test]
    fn a_watched_match_keeps_more_entries() {
        let played = Played::new();
        let live = played.live();
        let _watcher = live.subscribe();
        live.apply(recorded(&played, 1..=played.last()));
        let first = (played.last() - RECENT_MAX as i64).max(0);
        assert!(first < played.last() - RECENT_UNWATCHED_MAX as i64, "the match is long enough");
        assert!(live.recent_after(Position(first), 1).is_some());
    }

    #[test]
    fn a_match_is_revealed_once_its_last_entry_is_applied() {
        let played = Played::new();
        let live = played.live();
        assert!(matches!(live.check_revealed(), Err(Error::NotEnded)));
        live.apply(recorded(&played, 1..=played.last() - 1));
        assert!(matches!(live.check_revealed(), Err(Error::NotEnded)));
        live.apply(recorded(&played, played.last()..=played.last()));
        assert!(live.check_revealed().is_ok());
    }
}
