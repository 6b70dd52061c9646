//! Snapshots of long matches, so that few entries are folded however many there are.
//!
//! A snapshot is written after its entry is durable, by whoever folds past it. All of them together
//! hold every request id, so a retry of an old request is recognised without reading old entries.

use std::sync::Arc;

use bytes::Bytes;
use clocks::{Clocks, TimeControl};
use store::{Digest, Position, SNAPSHOT_INTERVAL, Snapshot, Store};
use table::{SNAPSHOT_VERSION, Table};
use time::OffsetDateTime;

use super::{Head, LiveMatch, State};
use crate::Error;

/// A snapshot that is not written yet.
pub(super) struct Unsaved {
    position: Position,
    create_time: OffsetDateTime,
    digest: Digest,
    table: Arc<Table>,
    acted: Vec<u32>,
    clocks: Option<Arc<Clocks>>,
    /// The requests since the previous snapshot.
    requests: Vec<(u128, Position)>,
}

/// A snapshot lacks the clocks of its match.
struct NoClocks;

/// A request in a snapshot: its digest, and how many entries are between it and the snapshot
/// before.
const REQUEST_BYTES: usize = 18;

impl State {
    /// The snapshot at the head, if there is to be one.
    pub(super) fn snapshot(&self) -> Option<Unsaved> {
        let Head { position, table, clocks, update_time, digest } = &self.head;
        if position.0 % SNAPSHOT_INTERVAL != 0 {
            return None;
        }
        let before = position.0 - SNAPSHOT_INTERVAL;
        let requests = self.requests.iter().filter(|(_, position)| position.0 > before);
        Some(Unsaved {
            position: *position,
            create_time: (*update_time)?,
            digest: *digest,
            table: table.clone()?,
            acted: self.acted.clone(),
            clocks: clocks.clone(),
            requests: requests.map(|(digest, position)| (*digest, *position)).collect(),
        })
    }
}

impl Unsaved {
    fn encode(&self) -> Snapshot {
        Snapshot {
            position: self.position,
            create_time: self.create_time,
            digest: self.digest,
            version: SNAPSHOT_VERSION,
            table: self.table.encode(),
            acted: self.acted.iter().map(|&count| count.try_into().unwrap_or(i32::MAX)).collect(),
            requests: encode_requests(&self.requests, self.position),
            clocks: self.clocks.as_ref().map(|clocks| clocks.encode().into()),
        }
    }
}

fn encode_requests(requests: &[(u128, Position)], at: Position) -> Bytes {
    let mut bytes = Vec::with_capacity(requests.len() * REQUEST_BYTES);
    for (digest, position) in requests {
        let distance = position.0 - (at.0 - SNAPSHOT_INTERVAL) - 1;
        let distance = u16::try_from(distance).expect("it is less than an interval");
        bytes.extend_from_slice(&digest.to_le_bytes());
        bytes.extend_from_slice(&distance.to_le_bytes());
    }
    bytes.into()
}

fn decode_requests(bytes: &[u8], at: Position) -> impl Iterator<Item = (u128, Position)> + '_ {
    let (requests, _) = bytes.as_chunks::<REQUEST_BYTES>();
    requests.iter().filter_map(move |request| {
        let (digest, distance) = request.split_first_chunk()?;
        let distance = i64::from(u16::from_le_bytes(distance.try_into().ok()?));
        let position = Position(at.0 - SNAPSHOT_INTERVAL + 1 + distance);
        Some((u128::from_le_bytes(*digest), position))
    })
}

impl LiveMatch {
    /// Whether the match had enough entries for a snapshot when its row was read.
    pub fn is_long(&self) -> bool {
        self.last_of_row().0 >= SNAPSHOT_INTERVAL
    }

    fn last_of_row(&self) -> Position {
        self.row.last.as_ref().map_or(Position::START, |last| last.position)
    }

    /// Starts from the last snapshot instead of the first entry, if the match has any. The first
    /// entry is read nevertheless: it tells what the match was created with.
    pub async fn restore(&self, store: &Store) -> Result<(), Error> {
        let (first, _) = self.check_up_to(store, Position::START.next()).await?;
        let last = self.last_of_row();
        let requests = store.snapshot_requests(self.id(), last, SNAPSHOT_VERSION).await?;
        // If one is missing, so are its requests: the entries after the one before are folded, and
        // the missing one is written again.
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

    /// The clocks at a snapshot, if the match has any. Fails if the snapshot lacks them: a release
    /// that knew no clocks wrote it.
    fn clocks_at(&self, snapshot: &Snapshot) -> Result<Option<Clocks>, NoClocks> {
        let Some(control) = TimeControl::of(&self.options) else { return Ok(None) };
        let stored = snapshot.clocks.as_deref().ok_or(NoClocks)?;
        Clocks::decode(stored, control, self.seats).ok_or(NoClocks).map(Some)
    }

    /// The last snapshot at or before a position, and its table; none if there is none that this
    /// release can read.
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

    /// Writes the snapshots that were passed, in the background. They are not needed: what fails is
    /// left to whoever folds the match next.
    pub fn save_snapshots(&self, store: &Store) {
        if self.read().unsaved.is_empty() {
            return;
        }
        let unsaved = std::mem::take(&mut self.write().unsaved);
        let (match_id, store) = (self.id(), store.clone());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_of_a_snapshot_keep_their_positions() {
        let at = Position(3 * SNAPSHOT_INTERVAL);
        let first = Position(2 * SNAPSHOT_INTERVAL + 1);
        let requests = [(u128::MAX, first), (7, Position(first.0 + 100)), (1 << 99, at)];
        let bytes = encode_requests(&requests, at);
        assert_eq!(bytes.len(), 3 * REQUEST_BYTES);
        assert_eq!(decode_requests(&bytes, at).collect::<Vec<_>>(), requests);
    }
}
