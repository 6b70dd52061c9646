//! Snapshots of long matches, so that only few entries are ever folded.
//!
//! A snapshot is written after its entry is durable, by any process that folds past it. Together,
//! the snapshots hold every request id, so a retry of an old request is recognised without reading
//! old entries.
//!
//! See `docs/decisions/0036-snapshots-of-long-matches.md`.

use std::sync::Arc;

use clocks::{Clocks, TimeControl};
use positions::Position;
use store::{SNAPSHOT_INTERVAL, Snapshot, Store};
use table::{SNAPSHOT_VERSION, Table};

use super::head::Head;
use super::live_match::LiveMatch;
use super::pages::Pages;
use super::unsaved::decode_requests;
use crate::error::Error;

/// The snapshot lacks the clocks of its match.
struct NoClocks;

impl LiveMatch {
    /// Whether the match had enough entries for a snapshot when its row was read.
    pub fn is_long(&self) -> bool {
        self.last_of_row().0 >= SNAPSHOT_INTERVAL
    }

    fn last_of_row(&self) -> Position {
        self.row.last.as_ref().map_or(Position::START, |last| last.position)
    }

    /// Starts from the last snapshot instead of the first entry, if there is one. The first entry
    /// is still read, because it holds the match's contributions.
    pub async fn restore(&self, pages: &Pages) -> Result<(), Error> {
        let store = &pages.store;
        let (first, _) = self.check_up_to(pages, Position::START.next()).await?;
        let last = self.last_of_row();
        let requests = store.snapshot_requests(self.id(), last, SNAPSHOT_VERSION).await?;
        // A missing snapshot also means missing requests. So the snapshot before the gap is used,
        // and the missing one is written again.
        let expected = (1..).map(|nth| Position(nth * SNAPSHOT_INTERVAL));
        let complete = requests.iter().zip(expected).take_while(|((at, _), next)| at == next);
        let complete = complete.count();
        let Some((at, _)) = requests[..complete].last() else { return Ok(()) };
        let Some((snapshot, table)) = self.snapshot_before(store, *at).await? else {
            return Ok(());
        };
        if snapshot.position != *at || snapshot.acted.len() != usize::from(self.seats) {
            return Ok(());
        }
        let clocks = match self.clocks_at(&snapshot) {
            Ok(clocks) => clocks,
            Err(NoClocks) => return Ok(()),
        };
        let mut state = self.write();
        state.base = snapshot.position;
        state.has_digests = first.has_digests;
        state.head = Head {
            position: snapshot.position,
            table: Some(Arc::new(table)),
            clocks: clocks.map(Arc::new),
            update_time: Some(snapshot.create_time),
            digest: snapshot.digest,
        };
        state.acted = snapshot.acted.iter().map(|&it| it.try_into().unwrap_or(0)).collect();
        state.requests = requests[..complete]
            .iter()
            .flat_map(|(at, bytes)| decode_requests(bytes, *at))
            .collect();
        Ok(())
    }

    /// The clocks at a snapshot, if the match has clocks. Fails if a release that knew no clocks
    /// wrote the snapshot.
    fn clocks_at(&self, snapshot: &Snapshot) -> Result<Option<Clocks>, NoClocks> {
        let Some(control) = TimeControl::of(self.options()) else { return Ok(None) };
        let stored = snapshot.clocks.as_deref().ok_or(NoClocks)?;
        Clocks::decode(stored, control, self.seats).ok_or(NoClocks).map(Some)
    }

    /// The last snapshot at or before a position, and its table, if this release can read it.
    pub async fn snapshot_before(
        &self,
        store: &Store,
        position: Position,
    ) -> Result<Option<(Snapshot, Table)>, Error> {
        let found = store.snapshot(self.id(), position, SNAPSHOT_VERSION).await?;
        let Some(snapshot) = found else { return Ok(None) };
        match Table::decode(&snapshot.table, self.game.layout(), self.seats) {
            Ok(table) => Ok(Some((snapshot, table))),
            Err(error) => {
                tracing::warn!(
                    match.id = %self.id().0,
                    entry.position = snapshot.position.0,
                    error = &error as &dyn std::error::Error,
                    "a snapshot cannot be read, and its match is folded from the start"
                );
                Ok(None)
            }
        }
    }

    /// Writes the snapshots that were passed, in the background. Failures do not matter: the next
    /// process that folds the match writes them.
    pub fn save_snapshots(&self, store: &Store) {
        if self.read().unsaved.is_empty() {
            return;
        }
        let unsaved = std::mem::take(&mut self.write().unsaved);
        let (match_id, store) = (self.id(), store.clone());
        #[expect(
            clippy::disallowed_methods,
            reason = "it ends with these snapshots, which are not needed"
        )]
        tokio::spawn(async move {
            for unsaved in unsaved {
                if let Err(error) = store.save_snapshot(match_id, &unsaved.encode()).await {
                    tracing::debug!(match.id = %match_id.0, %error, "a snapshot was not written");
                    return;
                }
            }
        });
    }
}
