//! The mutable state of a match in memory, and how an entry advances it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use positions::{Digest, Position};
use rows::{MatchId, RecordedEntry, SeatedPlayer, Tags};
use store::SNAPSHOT_INTERVAL;
use table::{Contribution, SAY, Seat, Seats, Small, SpeechKeys, Table};

use super::head::Head;
use super::unsaved::Unsaved;

/// An estimate of what a match takes besides its table, entries and requests: the struct, its row,
/// players, options and tags, and its share of the maps that contain it.
pub(super) const FIXED_BYTES: usize = 2048;

/// The mutable state of a match in memory.
pub(super) struct State {
    pub players: Vec<Option<SeatedPlayer>>,
    /// Whether any player is a bot. Cached, because every action asks.
    pub has_bots: bool,
    pub speech_keys: SpeechKeys,
    /// As this process last read them. Complete once every seat is taken.
    pub contributions: Vec<Contribution>,
    pub head: Head,
    /// The digest of the entry before the head, if the head is among the recent entries.
    pub before: Digest,
    /// See [`Checked`](records::Checked).
    pub has_digests: bool,
    pub recent: VecDeque<Arc<RecordedEntry>>,
    /// The size of `recent`.
    pub recent_bytes: usize,
    /// The position of each request that had an id, by [`request_key`].
    pub requests: HashMap<u128, Position>,
    /// The number of entries of each seat.
    pub acted: Vec<u32>,
    /// Set when an entry arrived that does not follow the head, so the log must be read.
    pub behind: bool,
    /// The position that the match was loaded from: the start, or a snapshot.
    pub base: Position,
    /// Set when the log was seen to differ from the head, so the match must be loaded again.
    pub is_refuted: bool,
    /// Snapshots to write.
    pub unsaved: Vec<Unsaved>,
    /// As this process last read them; others may have changed them since.
    pub tags: Tags,
    pub display_name: Option<String>,
    pub is_in_lobby: bool,
    /// The match that follows this one, as far as this process knows.
    pub next: Option<MatchId>,
}

pub(super) fn is_bot(it: &SeatedPlayer) -> bool {
    it.bot().is_some()
}

pub(super) fn has_bots(players: &[Option<SeatedPlayer>]) -> bool {
    players.iter().flatten().any(is_bot)
}

impl State {
    /// Makes `entry` the head, with the table after it.
    pub fn advance(&mut self, mut entry: Arc<RecordedEntry>, after: Arc<Table>, recent_max: usize) {
        // It may have been decrypted before its player was erased.
        if entry.entry.verb == SAY {
            forget(&mut entry, self.erased());
        }
        self.before = self.head.digest;
        let mut clocks = self.head.clocks.take();
        if let Some(clocks) = &mut clocks {
            Arc::make_mut(clocks).apply(&entry.entry, entry.create_time, &after);
        }
        self.head = Head {
            position: entry.position,
            table: Some(after),
            clocks,
            update_time: Some(entry.create_time),
            digest: entry.digest.unwrap_or(self.head.digest),
        };
        if let Some(request_id) = &entry.request_id {
            self.requests.insert(request_key(entry.entry.seat, request_id), entry.position);
        }
        let acted = entry.entry.seat.map(|seat| usize::from(u8::from(seat)));
        if let Some(acted) = acted.and_then(|seat| self.acted.get_mut(seat)) {
            *acted += 1;
        }
        let dropped = self.recent.drain(..(self.recent.len() + 1).saturating_sub(recent_max));
        self.recent_bytes -= dropped.map(|entry| entry.bytes()).sum::<usize>();
        self.recent_bytes += entry.bytes();
        self.recent.push_back(entry);
        self.unsaved.extend(self.snapshot());
    }

    /// The snapshot at the head, if one is due there.
    fn snapshot(&self) -> Option<Unsaved> {
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

    /// The seats whose players were erased.
    pub fn erased(&self) -> Seats {
        let mut erased = Seats::default();
        for (at, player) in self.players.iter().enumerate() {
            if player.as_ref().is_some_and(|it| it.is_erased) {
                erased.add(Seat::nth(at).expect("a match has few seats"));
            }
        }
        erased
    }

    /// Removes the messages of erased players.
    pub fn forget_erased(&mut self) {
        let erased = self.erased();
        if erased.is_empty() {
            return;
        }
        erased.iter().for_each(|seat| self.speech_keys.remove(seat));
        self.recent.iter_mut().for_each(|entry| forget(entry, erased));
        self.recent_bytes = self.recent.iter().map(|entry| entry.bytes()).sum();
    }

    /// The size of the match, as an estimate.
    pub fn bytes(&self) -> usize {
        let table = self.head.table.as_ref().map_or(0, |table| table.bytes());
        let requests = self.requests.capacity() * size_of::<(u128, Position)>();
        FIXED_BYTES + table + self.recent_bytes + requests
    }
}

/// Removes the messages of these seats from an entry.
fn forget(entry: &mut Arc<RecordedEntry>, erased: Seats) {
    if let Some(seat) = entry.entry.seat.filter(|seat| erased.has(*seat)) {
        let mut forgetful = RecordedEntry::clone(entry);
        forgetful.entry.erase(seat);
        *entry = Arc::new(forgetful);
    }
}

/// Half of a hash of a seat and its request id. The seat is included, so seats cannot use up or
/// probe each other's ids. A key takes a third of an id's memory, and collisions are infeasible.
pub(super) fn request_key(seat: Option<Seat>, request_id: &str) -> u128 {
    let mut hash = blake3::Hasher::new();
    hash.update(&[seat.map_or(u8::MAX, u8::from)]);
    let hash = hash.update(request_id.as_bytes()).finalize();
    let (half, _) = hash.as_bytes().split_first_chunk().expect("a hash has 32 bytes");
    u128::from_le_bytes(*half)
}
