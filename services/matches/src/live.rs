//! A match in memory: a cache of its log, which can be dropped and read again at any time.

mod cache;
mod load;
mod reduced;
mod snapshots;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, RwLock};

use clocks::Clocks;
use games::Game;
use store::{
    Contributed, Digest, Epoch, Loaded, MatchId, MatchRow, Origin, Position, Recorded, Store,
    Substitute, Tags,
};
use table::{
    ChaCha, Contribution, Entry, MatchChance, Prompt, SAY, Seat, Seats, Small, SpeechKeys, TALK,
    Table, Viewer,
};
use time::OffsetDateTime;
use tokio::sync::{Semaphore, watch};

use crate::digests::{Checked, Digests};
use crate::rows::{
    PastPlayer, RecordedEntry, SeatedPlayer, contributions_of, game_of, may_replace, options_of,
    players_of, seat_of, seats_of, speech_keys_of,
};
use crate::{Error, Stamp, reveal};

pub(crate) use cache::LiveMatches;
pub use cache::MemoryUse;
use snapshots::Unsaved;

/// Entries kept in memory while somebody watches the match. Watchers further behind read the log.
const RECENT_MAX: usize = 64;
/// Entries kept in memory while nobody watches: for retries, and for reads while the database is
/// unavailable.
const RECENT_UNWATCHED_MAX: usize = 16;

/// Actions of one match that may wait for each other: more than a table of players sends, and few
/// enough to be answered before their senders time out.
const QUEUE_MAX: usize = 128;

/// Entries read from the log at a time: about 100 KB of the largest game.
pub(crate) const PAGE_MAX: usize = 500;

/// What a match takes besides its table, its entries and its requests: itself, its row with the
/// names of its players, its options and tags, and its share of the maps that it is in.
const FIXED_BYTES: usize = 2048;

pub(crate) struct LiveMatch {
    /// Without its players, who are part of the state.
    row: MatchRow,
    pub options: BTreeMap<String, String>,
    pub game: &'static dyn Game,
    seats: u8,
    /// None if only the result of the match is kept.
    seed: Option<[u8; 32]>,
    digests: Digests,
    /// The epoch in which it was read.
    epoch: Epoch,
    /// Held from a decision until its entry is durable, so that a process does not compete with
    /// itself.
    pub writing: tokio::sync::Mutex<()>,
    /// Bounds how many callers wait for `writing`.
    pub queue: Semaphore,
    state: RwLock<State>,
    /// The estimated size of the whole, and whether the match has ended, as of its last change:
    /// both are read with every use of the match.
    bytes: AtomicUsize,
    has_ended: AtomicBool,
    /// Notified whenever there may be something new to read.
    changed: watch::Sender<()>,
}

/// The last entry's position and time, and the table after it.
#[derive(Clone)]
pub(crate) struct Head {
    pub position: Position,
    /// None before the deal.
    pub table: Option<Arc<Table>>,
    /// None in a match without clocks.
    pub clocks: Option<Arc<Clocks>>,
    pub update_time: Option<OffsetDateTime>,
    /// Of the last entry; before the first, of the match as it was created.
    pub digest: Digest,
}

impl Head {
    /// The position that opened the prompt that a seat can answer now.
    pub fn prompt(&self, seat: Seat) -> Option<Position> {
        let prompt = self.table.as_ref()?.prompt(seat)?;
        Some(opened_at(prompt, self.position))
    }
}

/// The position of the entry that opened a prompt, which is open after the entry at `position`.
pub fn opened_at(prompt: &Prompt, position: Position) -> Position {
    Position(position.0 - i64::from(prompt.age))
}

/// What to do with a request.
pub(crate) enum RequestStatus {
    /// Decide it on this head.
    New(Head),
    /// Answer it with the entry at this position.
    Recorded(Position),
}

struct State {
    players: Vec<Option<SeatedPlayer>>,
    /// Whether bots are among the players. Every action asks, and each player's id is elsewhere in
    /// memory.
    has_bots: bool,
    speech_keys: SpeechKeys,
    /// As this process last read them. They are complete once every seat is taken.
    contributions: Vec<Contribution>,
    head: Head,
    /// Of the entry before the head, if the head is among the recent entries.
    before: Digest,
    /// As in [`Checked`].
    has_digests: bool,
    recent: VecDeque<Arc<RecordedEntry>>,
    /// The size of `recent`.
    recent_bytes: usize,
    /// The position of each request that had an id, by [`request_key`].
    requests: HashMap<u128, Position>,
    /// By seat: the entries of its actions.
    acted: Vec<u32>,
    /// Set when an entry arrived that does not follow the head: the log must be read.
    behind: bool,
    /// What it was loaded from: the start, or a snapshot.
    base: Position,
    /// Set when the log was seen to differ from the head: the match must be loaded again.
    is_refuted: bool,
    /// Snapshots to write.
    unsaved: Vec<Unsaved>,
    /// As this process last read them; another process may have changed them since.
    tags: Tags,
    /// The match that follows this one, as far as this process knows.
    next: Option<MatchId>,
}

fn is_bot(it: &SeatedPlayer) -> bool {
    it.bot().is_some()
}

fn has_bots(players: &[Option<SeatedPlayer>]) -> bool {
    players.iter().flatten().any(is_bot)
}

impl LiveMatch {
    /// The match before its first entry; [`LiveMatch::refresh`] brings it up to date.
    /// `epoch` is the one before the row was read.
    pub fn new(loaded: Loaded, epoch: Epoch) -> Result<LiveMatch, Error> {
        let Loaded { row, seed, contributions } = loaded;
        let live = LiveMatch::of_row(row, Some(seed.ok_or(Error::HistoryNotKept)?), epoch)?;
        live.set_contributions(contributions);
        Ok(live)
    }

    fn of_row(row: MatchRow, seed: Option<[u8; 32]>, epoch: Epoch) -> Result<LiveMatch, Error> {
        let options = options_of(&row)?;
        let digests = match &seed {
            Some(seed) => Digests::new(&row, &options, seed)?,
            None => Digests::of_reduced(&row, &options),
        };
        let digest = digests.start().digest;
        let players = players_of(&row);
        let state = State {
            has_bots: has_bots(&players),
            players,
            speech_keys: speech_keys_of(&row),
            contributions: Vec::new(),
            head: Head {
                position: Position::START,
                table: None,
                clocks: Clocks::of(&options, seats_of(&row)).map(Arc::new),
                update_time: None,
                digest,
            },
            before: digest,
            has_digests: false,
            recent: VecDeque::new(),
            recent_bytes: 0,
            requests: HashMap::new(),
            acted: vec![0; seats_of(&row).into()],
            behind: false,
            base: Position::START,
            is_refuted: false,
            unsaved: Vec::new(),
            tags: Tags::new(),
            next: row.next,
        };
        Ok(LiveMatch {
            options,
            game: game_of(&row.game)?,
            seats: seats_of(&row),
            digests,
            row: MatchRow { seated: Vec::new(), ..row },
            seed,
            epoch,
            writing: tokio::sync::Mutex::new(()),
            queue: Semaphore::new(QUEUE_MAX),
            bytes: AtomicUsize::new(FIXED_BYTES),
            has_ended: AtomicBool::new(false),
            state: RwLock::new(state),
            changed: watch::Sender::new(()),
        })
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, State> {
        self.state.read().expect("no holder of this lock panics")
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, State> {
        self.state.write().expect("no holder of this lock panics")
    }
}

// === What never changes ===

impl LiveMatch {
    pub fn id(&self) -> MatchId {
        self.row.match_id
    }

    pub fn row(&self) -> &MatchRow {
        &self.row
    }

    pub fn platform(&self) -> &str {
        &self.row.platform
    }

    pub fn seats(&self) -> u8 {
        self.seats
    }

    /// None if only the result of the match is kept.
    pub fn seed(&self) -> Option<&[u8; 32]> {
        self.seed.as_ref()
    }

    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// The digest of an entry, given the one before it.
    pub fn digest(&self, before: Digest, entry: &RecordedEntry, body: &[u8]) -> Digest {
        self.digests.digest(before, entry, body)
    }

    /// The chance of the entry after so many choices of the match.
    pub fn chance(&self, contributions: &[Contribution], choices: u32) -> ChaCha {
        // Without a seed the match has ended, and nothing is left to chance.
        let seed = self.seed.unwrap_or_default();
        MatchChance::new(self.id().0.as_bytes(), &seed, contributions).after(choices.into())
    }

    /// Seals what is said in an entry of the next position. Refuses what a seat says whose player
    /// was erased: it has no key any more, and must not be recorded in plain text.
    pub fn seal(&self, position: Position, entry: &mut Entry) -> Result<(), Error> {
        if entry.verb != SAY {
            return Ok(());
        }
        let state = self.read();
        if entry.seat.is_some_and(|seat| state.erased().has(seat)) {
            return Err(Error::PlayerErased);
        }
        entry.seal(position.0, &state.speech_keys);
        Ok(())
    }

    fn open(&self, entry: RecordedEntry) -> Result<RecordedEntry, Error> {
        match entry.entry.is_sealed() {
            true => entry.opened(&self.read().speech_keys),
            false => Ok(entry),
        }
    }

    /// Whether the seats can talk to each other: a value of the option [`TALK`].
    pub fn talk(&self) -> &'static str {
        let options = self.game.check_options(&self.options, self.seats);
        options.map_or("off", |options| options.get(TALK))
    }

    /// Returns `seat` if the match has it.
    pub fn check_seat(&self, seat: Seat) -> Result<Seat, Error> {
        self.check_seat_in("seat", seat)
    }

    fn check_seat_in(&self, field: &'static str, seat: Seat) -> Result<Seat, Error> {
        if u8::from(seat) < self.seats {
            Ok(seat)
        } else {
            let rule = format!("the match has {} seats, counted from 0", self.seats);
            Err(Error::Invalid { field, rule })
        }
    }

    pub fn check_viewer(&self, viewer: Viewer) -> Result<(), Error> {
        match viewer {
            Viewer::Seat(seat) => self.check_seat_in("viewer", seat).map(|_| ()),
            Viewer::Spectator | Viewer::House => Ok(()),
        }
    }
}

// === Reading the state ===

impl LiveMatch {
    pub fn head(&self) -> Head {
        self.read().head.clone()
    }

    pub fn position(&self) -> Position {
        self.read().head.position
    }

    pub fn players(&self) -> Vec<Option<SeatedPlayer>> {
        self.read().players.clone()
    }

    /// Whether a bot has the seat.
    pub fn has_bot(&self, seat: Seat) -> bool {
        let state = self.read();
        state.players.get(seat.index()).is_some_and(|it| it.as_ref().is_some_and(is_bot))
    }

    pub fn has_bots(&self) -> bool {
        self.read().has_bots
    }

    /// The seat of a player; none if the player has none. A pseudonym is nobody's id.
    pub fn seat_of(&self, player: &str) -> Option<Seat> {
        let is_it = |it: &SeatedPlayer| it.player == player && !it.is_erased;
        Seat::nth(self.read().players.iter().position(|it| it.as_ref().is_some_and(is_it))?)
    }

    /// What the seats contributed to the chance of the match, as far as this process knows before
    /// the deal.
    pub fn contributions(&self) -> Vec<Contribution> {
        self.read().contributions.clone()
    }

    pub fn is_full(&self) -> bool {
        self.read().players.iter().all(Option::is_some)
    }

    /// How many entries a seat has added to the match.
    pub fn acted(&self, seat: Seat) -> u32 {
        self.read().acted.get(usize::from(u8::from(seat))).copied().unwrap_or(0)
    }

    pub fn tags(&self) -> Tags {
        self.read().tags.clone()
    }

    pub fn next(&self) -> Option<MatchId> {
        self.read().next
    }

    /// The memory that the match takes, as an estimate.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Relaxed)
    }

    /// Fails unless the match is revealed: everyone who may read it may then read all of it.
    pub fn check_revealed(&self) -> Result<(), Error> {
        let head = self.head();
        let ended = head.table.is_some_and(|table| table.ended());
        reveal::check(self.row.reveal_wait_s, head.update_time.filter(|_| ended))
    }

    /// Whether a seat's request was recorded before, as far as this process knows. The head is read
    /// under the same lock: entries of other processes are applied at any time, and this very
    /// request may be among them.
    pub fn request_status(&self, seat: Option<Seat>, request_id: Option<&str>) -> RequestStatus {
        let key = request_id.map(|id| request_key(seat, id));
        let state = self.read();
        match key.and_then(|key| state.requests.get(&key)) {
            Some(&position) => RequestStatus::Recorded(position),
            None => RequestStatus::New(state.head.clone()),
        }
    }

    /// Whether a request was recorded before, as far as this process knows.
    pub fn has_request(&self, seat: Option<Seat>, request_id: &str) -> bool {
        self.read().requests.contains_key(&request_key(seat, request_id))
    }

    /// Notified whenever there may be something new to read.
    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Whether the record, as far as this process knows, still has what this match was read from.
    pub fn is_current(&self, store: &Store) -> bool {
        self.epoch == store.epoch() && !self.read().is_refuted
    }

    /// Whether the record was seen to differ from this match.
    pub fn is_refuted(&self) -> bool {
        self.read().is_refuted
    }

    /// Whether this match may stand for `other`, which was read later.
    pub fn is_as_current_as(&self, other: &LiveMatch) -> bool {
        self.epoch >= other.epoch && !self.read().is_refuted
    }

    /// Whether an entry is missing between the head and the newest entry that arrived.
    pub fn is_behind(&self) -> bool {
        self.read().behind
    }

    /// Up to `limit` entries after `after`: from memory if all of them are there, otherwise from
    /// the log.
    pub async fn entries_after(
        &self,
        store: &Store,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        if let Some(recent) = self.recent_after(after, limit) {
            return Ok(recent);
        }
        self.read_log(store, after, limit).await
    }

    fn recent_after(&self, after: Position, limit: usize) -> Option<Vec<Arc<RecordedEntry>>> {
        let state = self.read();
        if after >= state.head.position {
            return Some(Vec::new());
        }
        let first = state.recent.front()?.position;
        let skip = usize::try_from(after.0 + 1 - first.0).ok()?;
        Some(state.recent.iter().skip(skip).take(limit).cloned().collect())
    }

    /// The digest of an entry that is in memory; none inside for an entry without one.
    pub fn recent_digest(&self, at: Position) -> Option<Option<Digest>> {
        let recent = self.recent_after(Position(at.0.checked_sub(1)?), 1)?;
        recent.first().map(|entry| entry.digest)
    }

    /// Up to `limit` entries after `after` from the log, as many as there are up to the head.
    pub async fn recorded_after(
        &self,
        store: &Store,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        let left = usize::try_from(self.position().0.saturating_sub(after.0)).unwrap_or(0);
        let page = self.read_log(store, after, limit).await?;
        match page.len() < left.min(limit) {
            true => {
                Err(Error::RecordAltered { position: Position(after.0 + 1 + page.len() as i64) })
            }
            false => Ok(page),
        }
    }

    /// Entries from the log. The row before them is read, too, for its digest.
    async fn read_log(
        &self,
        store: &Store,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        let before = Position(after.0.saturating_sub(1).max(0));
        let has_before = after > Position::START;
        let rows = store.entries(self.id(), before, (limit + usize::from(has_before)) as i64);
        let rows = rows.await?;
        self.check_kept(&rows)?;
        let (mut at, rows) = match rows.split_first() {
            None => return Ok(Vec::new()),
            Some(_) if !has_before => (self.digests.start(), &rows[..]),
            Some((last, _)) if last.position != after => {
                return Err(Error::RecordAltered { position: after });
            }
            Some((last, rows)) => match last.digest {
                _ if rows.is_empty() => return Ok(Vec::new()),
                Some(digest) => (Checked { position: after, digest, has_digests: true }, rows),
                // Releases that knew no digests recorded it, or its digest was removed.
                None => (self.check_up_to(store, after).await?.0, rows),
            },
        };
        let keys = self.read().speech_keys.clone();
        let mut next = |row| self.digests.next(&mut at, row, self.game)?.opened(&keys);
        rows.iter().map(|row| Ok(Arc::new(next(row)?))).collect()
    }

    /// Reads the log from the start up to a position, which must not be after the head, and checks
    /// all of it. Returns the last entry, too, which is not opened.
    pub async fn check_up_to(
        &self,
        store: &Store,
        until: Position,
    ) -> Result<(Checked, Option<RecordedEntry>), Error> {
        let (mut at, mut last) = (self.digests.start(), None);
        while at.position < until {
            let left = (until.0 - at.position.0).min(PAGE_MAX as i64);
            let rows = store.entries(self.id(), at.position, left).await?;
            self.check_kept(&rows)?;
            if rows.is_empty() {
                return Err(Error::RecordAltered { position: at.position.next() });
            }
            for row in &rows {
                last = Some(self.digests.next(&mut at, row, self.game)?);
            }
        }
        Ok((at, last))
    }

    /// What identifies an entry, checked from the start as far as the match is kept.
    pub async fn stamp(&self, store: &Store, position: Position) -> Result<Stamp, Error> {
        if position < Position(1) || position > self.position() {
            return Err(Error::NoSuchEntry);
        }
        let match_id = self.id();
        if self.is_reduced() {
            let row = store.entries(match_id, Position(position.0 - 1), 1).await?.pop();
            let row = row.filter(|row| row.position == position).ok_or(Error::NoSuchEntry)?;
            let (create_time, digest) = (row.create_time, row.digest);
            return Ok(Stamp { match_id, position, create_time, digest });
        }
        let (at, entry) = self.check_up_to(store, position).await?;
        let create_time = entry.ok_or(Error::NoSuchEntry)?.create_time;
        let digest = Some(at.digest).filter(|_| at.has_digests);
        Ok(Stamp { match_id, position, create_time, digest })
    }

    /// Fails if the content of an entry is not kept although the match is whole in memory: it was
    /// reduced to its result, which the next caller loads, or somebody altered it.
    fn check_kept(&self, rows: &[Recorded]) -> Result<(), Error> {
        if !self.is_reduced() && rows.iter().any(Recorded::is_stub) {
            self.give_up();
            return Err(Error::HistoryNotKept);
        }
        Ok(())
    }
}

// === Changing the state ===

impl LiveMatch {
    /// Takes over who is seated by now. A row that was read before a player was erased does not
    /// bring the player back.
    pub fn set_seated(&self, row: &MatchRow) {
        let mut state = self.write();
        let before = std::mem::replace(&mut state.players, players_of(row));
        for (player, before) in state.players.iter_mut().zip(before) {
            let stays = |it: &SeatedPlayer| {
                it.is_erased
                    && player.as_ref().is_none_or(|new| new.before.len() <= it.before.len())
            };
            if before.as_ref().is_some_and(stays) {
                *player = before;
            }
        }
        state.has_bots = has_bots(&state.players);
        state.speech_keys = speech_keys_of(row);
        state.forget_erased();
    }

    /// The player of a seat was erased: forgets who it was, and what it said.
    pub fn forget(&self, seat: Seat, pseudonym: &str) {
        let mut state = self.write();
        let player = state.players.get_mut(usize::from(u8::from(seat)));
        if let Some(player) = player {
            let before = player.take().map(|it| it.before).unwrap_or_default();
            let player_id = pseudonym.to_owned();
            *player = Some(SeatedPlayer {
                player: player_id,
                display_name: None,
                is_erased: true,
                before,
            });
        }
        state.forget_erased();
        self.bytes.store(state.bytes(), Relaxed);
    }

    /// Another player takes over a seat with the entry at a position, which is recorded.
    pub fn substitute(&self, position: Position, new: &Substitute) {
        let mut state = self.write();
        let seat = seat_of(new.seat);
        let Some(player) = state.players.get_mut(seat.index()) else { return };
        let mut before = Vec::new();
        let mut has_key = true;
        if let Some(last) = player.take() {
            before = last.before;
            has_key = !last.is_erased;
            let (player, display_name) = (last.player, last.display_name);
            before.push(PastPlayer { until: position, player, display_name });
        }
        *player = Some(SeatedPlayer {
            player: new.player.clone(),
            display_name: new.display_name.clone(),
            is_erased: false,
            before,
        });
        state.has_bots = has_bots(&state.players);
        state.speech_keys.hand_over(seat, has_key, new.speech_key.map(|it| it.0));
    }

    /// What the seats contributed, read after all of them were taken.
    pub fn set_contributions(&self, contributions: Vec<Contributed>) {
        self.write().contributions = contributions_of(contributions);
    }

    /// Another match follows this one: only one ever does.
    pub fn set_next(&self, next: MatchId) {
        self.write().next = Some(next);
    }

    pub fn set_tags(&self, tags: Tags) {
        self.write().tags = tags;
    }

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
        // Whoever reads the log then also reads the players, whose keys open what they say.
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
            RecordedEntry::decode(row, self.game).and_then(|entry| self.open(entry))
        };
        match entry {
            Ok(entry) => {
                self.apply([Arc::new(entry)]);
                // The process that recorded the entry writes its snapshot.
                self.write().unsaved.clear();
            }
            // Readers and watchers read the log, and get the error from there.
            Err(error) => {
                tracing::warn!(match.id = %self.id().0, %error, "an entry cannot be applied");
                self.write().behind = true;
                self.changed.send_replace(());
            }
        }
    }

    /// Applies what the log has after the head. Returns whether there was anything.
    pub async fn refresh(&self, store: &Store) -> Result<bool, Error> {
        let before = self.position();
        loop {
            if !self.is_current(store) {
                return Err(Error::RecordWentBack { position: None, marks: None });
            }
            let mut at = self.checked();
            self.write().behind = false;
            let rows = self.rows_after_head(store, at).await?;
            if rows.iter().any(may_replace) || !rows.is_empty() && !self.is_full() {
                let row = store.find(self.platform(), self.id()).await?;
                self.set_seated(&row.ok_or(Error::NoSuchMatch)?);
            }
            let is_full = rows.len() == PAGE_MAX;
            let mut page = Vec::with_capacity(rows.len());
            for row in &rows {
                let entry = self.decode_next(&mut at, row).map_err(|error| match error {
                    // The first entries that were read may be the ones to blame.
                    Error::RecordAltered { .. } if before > self.read().base => {
                        Error::RecordWentBack { position: None, marks: None }
                    }
                    other => other,
                })?;
                page.push(Arc::new(entry));
            }
            self.apply(page);
            self.save_snapshots(store);
            if !is_full {
                return Ok(self.position() != before);
            }
        }
    }

    /// What the log has after the head. The head's own row and what the match was created with are
    /// compared with what is in memory, so that whatever was altered since is noticed.
    async fn rows_after_head(&self, store: &Store, at: Checked) -> Result<Vec<Recorded>, Error> {
        if at.position == Position::START {
            let rows = store.entries(self.id(), at.position, PAGE_MAX as i64).await?;
            self.check_kept(&rows)?;
            return Ok(rows);
        }
        let reading = store.entries_from(self.id(), at.position, PAGE_MAX as i64 + 1);
        let (origin, mut rows) = reading.await?;
        // If it was reduced to its result, a match that is at its end in memory is still told.
        let is_at_end = self.has_ended() && rows.len() == 1;
        if !is_at_end {
            self.check_kept(&rows)?;
        }
        if !self.holds(at, origin.as_ref(), rows.first()) {
            self.write().is_refuted = true;
            return Err(Error::RecordWentBack { position: None, marks: None });
        }
        rows.remove(0);
        Ok(rows)
    }

    /// Whether the record has what the match was created with, and the row of the head, which was
    /// at `at`. If the match was reduced to its result, it has all of it but the seed and the
    /// content of the row.
    fn holds(&self, at: Checked, origin: Option<&Origin>, row: Option<&Recorded>) -> bool {
        let Some((origin, row)) = origin.zip(row) else { return false };
        let seed = self.seed.as_ref().filter(|_| !row.is_stub());
        if !origin.is_of(&self.row, seed) || row.position != at.position {
            return false;
        }
        if self.is_reduced() && !row.is_stub() {
            return false;
        }
        let state = self.read();
        // If the match has moved on, the next read compares its new head.
        state.head.position != at.position || {
            // A match that was restored from a snapshot has not read the row.
            let recent = state.recent.back().filter(|_| !row.is_stub());
            let is_same = recent.is_none_or(|entry| {
                let seat = entry.entry.seat;
                self.digests.digest_of_row(state.before, seat, row) == at.digest
            });
            is_same && row.digest.map_or(!at.has_digests, |stored| stored == at.digest)
        }
    }

    /// Decodes the entry after the one at `at`, and checks its digest. If the digest is another
    /// one, either the entries in memory are no longer those of the record, or somebody altered the
    /// record.
    fn decode_next(&self, at: &mut Checked, row: &Recorded) -> Result<RecordedEntry, Error> {
        let entry = self.digests.next(at, row, self.game);
        match &entry {
            Err(Error::RecordAltered { .. }) => self.write().is_refuted = true,
            Err(_) => {}
            Ok(_) => self.write().has_digests |= at.has_digests,
        }
        self.open(entry?)
    }

    /// Where the entries in memory end.
    fn checked(&self) -> Checked {
        let state = self.read();
        let Head { position, digest, .. } = state.head;
        Checked { position, digest, has_digests: state.has_digests }
    }

    /// Gives up what is in memory, because the record does not have it any more. Watchers read the
    /// record, and learn what holds.
    pub fn give_up(&self) {
        let mut state = self.write();
        state.is_refuted = true;
        state.recent.clear();
        state.recent_bytes = 0;
        drop(state);
        self.wake();
    }

    /// Wakes everyone who waits for something new, as when the record went back.
    pub fn wake(&self) {
        self.changed.send_replace(());
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
                // What this process decides it also digests.
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
        // A watcher that subscribes after this check reads the new state anyway.
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

impl State {
    /// Makes `entry` the head, with the table after it.
    fn advance(&mut self, mut entry: Arc<RecordedEntry>, after: Arc<Table>, recent_max: usize) {
        // It may have been opened before its player was erased.
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

    /// The seats whose players were erased.
    fn erased(&self) -> Seats {
        let mut erased = Seats::default();
        for (at, player) in self.players.iter().enumerate() {
            if player.as_ref().is_some_and(|it| it.is_erased) {
                erased.add(Seat::nth(at).expect("a match has few seats"));
            }
        }
        erased
    }

    /// Forgets what the players said that were erased.
    fn forget_erased(&mut self) {
        let erased = self.erased();
        if erased.is_empty() {
            return;
        }
        erased.iter().for_each(|seat| self.speech_keys.remove(seat));
        self.recent.iter_mut().for_each(|entry| forget(entry, erased));
        self.recent_bytes = self.recent.iter().map(|entry| entry.bytes()).sum();
    }

    /// The size of the match, as an estimate.
    fn bytes(&self) -> usize {
        let table = self.head.table.as_ref().map_or(0, |table| table.bytes());
        let requests = self.requests.capacity() * size_of::<(u128, Position)>();
        FIXED_BYTES + table + self.recent_bytes + requests
    }
}

/// Forgets what these seats said in an entry.
fn forget(entry: &mut Arc<RecordedEntry>, erased: Seats) {
    if let Some(seat) = entry.entry.seat.filter(|seat| erased.has(*seat)) {
        let mut forgetful = RecordedEntry::clone(entry);
        forgetful.entry.erase(seat);
        *entry = Arc::new(forgetful);
    }
}

/// Half a hash of a request id and the seat whose it is: seats cannot use up each other's ids, nor
/// learn which are used. It takes a third of the memory of an id, and no two ids that share one
/// will be found.
fn request_key(seat: Option<Seat>, request_id: &str) -> u128 {
    let mut hash = blake3::Hasher::new();
    hash.update(&[seat.map_or(u8::MAX, u8::from)]);
    let hash = hash.update(request_id.as_bytes()).finalize();
    let (half, _) = hash.as_bytes().split_first_chunk().expect("a hash has 32 bytes");
    u128::from_le_bytes(*half)
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use table::Small;

    use super::*;
    use crate::fixtures::Played;

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
        let changed = live.subscribe();
        live.apply(recorded(&played, 1..=1));
        assert!(changed.has_changed().expect("the match is held"));
    }

    #[test]
    fn an_erased_player_is_forgotten_for_good() {
        let played = Played::new();
        let live = played.live();
        let seat = Seat::nth(0).expect("a seat");
        let mut row = played.row_at(2);
        row.seated[0].speech_key = Some(store::SpeechKey([1; 32]));
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
        // What was opened before, and a row that was read before.
        live.apply([Arc::new(late)]);
        assert_eq!(last()[0].position, Position(4));
        assert!(last()[0].entry.is_sealed());
        live.set_seated(&row);
        let player = live.players().swap_remove(0).expect("the seat is taken");
        assert_eq!((&*player.player, player.is_erased), ("erased-1", true));
        assert_eq!(live.players()[1].as_ref().map(|it| it.is_erased), Some(false));
        // Not even in plain text is anything more recorded of the seat.
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
    fn a_seat_that_the_match_does_not_have_is_refused() {
        let live = Played::new().live();
        let seat = |n| Seat::nth(n).expect("a table has more seats");
        assert!(live.check_viewer(Viewer::Seat(seat(2))).is_ok());
        assert!(live.check_viewer(Viewer::Seat(seat(3))).is_err());
        assert!(live.check_seat(seat(3)).is_err());
        assert!(live.check_viewer(Viewer::House).is_ok());
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
