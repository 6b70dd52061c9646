//! A match in memory: a cache of its log, which can be dropped and read again at any time.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};

use clocks::Clocks;
use database::Clock;
use event_log::{Epoch, Header};
use games::Game;
use positions::{Digest, Position, Recorded};
use records::Digests;
use rows::{
    MatchId, MatchRow, RecordedEntry, SeatedPlayer, Tags, contributions_of, deciding_game_of,
    game_of, is_revealed, players_of, reveal_time, seat_of, seats_of, speech_keys_of, version_of,
};
use store::{Loaded, Notes, Store, Substitute};
use table::{
    ChaCha, Contribution, Entry, MatchChance, OPEN, PlayerCommitment, SAY, Seat, Small, TALK,
    Viewer,
};
use tokio::sync::{Semaphore, watch};

use super::head::Head;
use super::state::{FIXED_BYTES, State, has_bots, is_bot, request_key};
use super::too_long::TooLong;
use crate::error::Error;

/// Actions of one match that may be queued: more than a table of players sends, and few enough to
/// be answered before their senders time out.
const QUEUE_MAX: usize = 128;

pub(crate) struct LiveMatch {
    /// Without the players, who are part of the state.
    pub(super) row: MatchRow,
    /// The rules that decide: see [`deciding_game_of`].
    pub game: &'static dyn Game,
    pub(super) seats: u8,
    /// `None` if only the result of the match is kept.
    pub(super) seed: Option<[u8; 32]>,
    pub(super) digests: Digests,
    /// The match's header, from the log when the match was read.
    pub(super) header: Option<Header>,
    /// The epoch in which the match was read.
    epoch: Epoch,
    clock: Clock,
    /// Held from a decision until its entry is durable, so that this process does not conflict with
    /// itself.
    pub writing: tokio::sync::Mutex<()>,
    /// Bounds how many callers wait for `writing`.
    pub queue: Semaphore,
    pub too_long: TooLong,
    state: RwLock<State>,
    /// The estimated size, and whether the match has ended, as of the last change. Both are read
    /// with every use of the match, so they need no lock.
    pub(super) bytes: AtomicUsize,
    pub(super) has_ended: AtomicBool,
    /// Notified whenever there may be something new to read.
    pub(super) changed: watch::Sender<()>,
}

/// What to do with a request.
pub(crate) enum RequestStatus {
    /// Decide it on this head.
    New(Head),
    /// Answer it with the entry at this position.
    Recorded(Position),
}

impl LiveMatch {
    /// The match before its first entry; [`LiveMatch::refresh`] brings it up to date. `epoch` is
    /// the epoch before the row was read.
    pub fn new(loaded: Loaded, epoch: Epoch, clock: Clock) -> Result<LiveMatch, Error> {
        let Loaded { row, seed, contributions, header } = loaded;
        let seed = seed.ok_or(Error::HistoryNotKept)?;
        let live = LiveMatch::of_row(row, Some(seed), header, epoch, clock)?;
        live.write().contributions = contributions_of(contributions);
        Ok(live)
    }

    pub(super) fn of_row(
        row: MatchRow,
        seed: Option<[u8; 32]>,
        header: Option<Header>,
        epoch: Epoch,
        clock: Clock,
    ) -> Result<LiveMatch, Error> {
        let digests = match &seed {
            Some(seed) => Digests::new(&row, seed)?,
            None => Digests::of_reduced(&row),
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
                clocks: Clocks::of(&row.terms.options, seats_of(&row)).map(Arc::new),
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
            display_name: row.display_name.clone(),
            is_in_lobby: row.is_in_lobby,
            next: row.next,
        };
        Ok(LiveMatch {
            game: deciding_game_of(&row)?,
            seats: seats_of(&row),
            digests,
            row: MatchRow { seated: Vec::new(), ..row },
            seed,
            header,
            epoch,
            clock,
            writing: tokio::sync::Mutex::new(()),
            queue: Semaphore::new(QUEUE_MAX),
            too_long: TooLong::default(),
            bytes: AtomicUsize::new(FIXED_BYTES),
            has_ended: AtomicBool::new(false),
            state: RwLock::new(state),
            changed: watch::Sender::new(()),
        })
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().expect("no holder of this lock panics")
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().expect("no holder of this lock panics")
    }
}

// === What never changes ===

impl LiveMatch {
    pub fn id(&self) -> MatchId {
        self.row.match_id
    }

    /// Whether it is a match of a module, which is named in its actions too.
    pub fn is_of_module(&self) -> bool {
        self.row.terms.module().is_some()
    }

    /// The hash of the module that decides, if one does.
    pub fn module(&self) -> Option<String> {
        let kept = || games::kept(self.game.name(), self.game.rules_version());
        self.row.terms.module().map(str::to_owned).or_else(kept)
    }

    /// The rules by which bots think: those of the match, or the rules of this release if a module
    /// that was kept of earlier ones knows no levels of bots.
    pub fn game_of_bots(&self) -> &'static dyn Game {
        match self.game.own_levels() {
            [] => game_of(&self.row).unwrap_or(self.game),
            _ => self.game,
        }
    }

    /// Whether a module decides: of another game, or of an earlier version of the rules.
    pub fn is_decided_by_module(&self) -> bool {
        !games::find(self.game.name()).is_some_and(|it| std::ptr::addr_eq(it, self.game))
    }

    /// Whether a process of another release dealt the match after this one had read it, by rules
    /// of its own.
    pub fn is_dealt_by_others(&self, first: &Recorded) -> bool {
        let rules = version_of(first);
        let is_first = first.position == Position::START.next();
        is_first && !self.is_of_module() && rules != 0 && rules != self.game.rules_version()
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

    pub fn options(&self) -> &BTreeMap<String, String> {
        &self.row.terms.options
    }

    /// `None` if only the result of the match is kept.
    pub fn seed(&self) -> Option<&[u8; 32]> {
        self.seed.as_ref()
    }

    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// The digest of an entry, given the digest before it.
    pub fn digest(&self, before: Digest, entry: &RecordedEntry, body: &[u8]) -> Digest {
        self.digests.digest(before, entry, body)
    }

    /// The source of chance for the next entry, after `choices` choices of the match.
    pub fn chance(&self, contributions: &[Contribution], choices: u32) -> ChaCha {
        // Without its seed, the match has ended and draws nothing more.
        let seed = self.seed.unwrap_or_default();
        MatchChance::new(self.id().0.as_bytes(), &seed, contributions).after(choices.into())
    }

    /// Encrypts speech in the entry at `position`. Refuses speech of a seat whose player was
    /// erased: its key is gone, and speech must not be recorded in plain text.
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

    /// Commits to the players who take seats with an entry that is about to be recorded, as far as
    /// their seats have keys. Once all seats are taken, only entries and erasures change players.
    pub fn commit_to_players(&self, entry: &mut Entry, substitute: Option<&Substitute>) {
        let match_id = self.id().0;
        if let Some(Substitute { seat, player, speech_key: Some(key), .. }) = substitute {
            let seat = seat_of(*seat);
            let of = PlayerCommitment::new(match_id.as_bytes(), seat, &key.0, player);
            entry.players = vec![of];
        } else if entry.verb == OPEN {
            let state = self.read();
            let seated = Seat::all().zip(&state.players);
            let of = |(seat, it): (Seat, &Option<SeatedPlayer>)| {
                let it = it.as_ref().filter(|it| !it.is_erased)?;
                state.speech_keys.commit(match_id.as_bytes(), seat, &it.player)
            };
            entry.players = seated.filter_map(of).collect();
        }
    }

    pub(super) fn open(&self, entry: RecordedEntry) -> Result<RecordedEntry, Error> {
        match entry.entry.is_sealed() {
            true => Ok(entry.opened(&self.read().speech_keys)?),
            false => Ok(entry),
        }
    }

    /// Whether the seats can talk to each other: a value of the option [`TALK`].
    pub fn talk(&self) -> &'static str {
        let options = self.game.check_options(self.options(), self.seats);
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

    /// The seat of a player. The pseudonym of an erased player never matches.
    pub fn seat_of(&self, player: &str) -> Option<Seat> {
        let is_it = |it: &SeatedPlayer| it.player == player && !it.is_erased;
        Seat::nth(self.read().players.iter().position(|it| it.as_ref().is_some_and(is_it))?)
    }

    /// The player of a seat, by the pseudonym if the player was erased; `None` if it is open.
    pub fn player_of(&self, seat: Seat) -> Option<String> {
        let state = self.read();
        state.players.get(seat.index())?.as_ref().map(|it| it.player.clone())
    }

    /// The seats' contributions to the chance of the match. Before the deal they may be incomplete.
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

    /// The name that the platform gave the match, as this process last read it.
    pub fn display_name(&self) -> Option<String> {
        self.read().display_name.clone()
    }

    /// The notes of the platform about the match, as this process last read them.
    pub fn notes(&self) -> Notes {
        let state = self.read();
        Notes { display_name: state.display_name.clone(), tags: state.tags.clone() }
    }

    /// Whether the match is in the lobby while it has open seats.
    pub fn is_in_lobby(&self) -> bool {
        self.read().is_in_lobby
    }

    pub fn next(&self) -> Option<MatchId> {
        self.read().next
    }

    /// An estimate of the memory that the match takes.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Whether the match has clocks.
    pub fn is_timed(&self) -> bool {
        self.read().head.clocks.is_some()
    }

    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Relaxed)
    }

    /// Fails unless the match is revealed.
    pub fn check_revealed(&self) -> Result<(), Error> {
        let head = self.head();
        let is_ended = head.table.is_some_and(|table| table.ended());
        let end = head.update_time.filter(|_| is_ended).ok_or(Error::NotEnded)?;
        let wait_s = self.row.terms.reveal_wait_s;
        match is_revealed(wait_s, end, self.clock.now()) {
            true => Ok(()),
            false => Err(Error::NotRevealed { from: reveal_time(wait_s, end) }),
        }
    }

    /// Whether a seat's request was recorded before, as far as this process knows. The head is read
    /// under the same lock, because an entry of another process may be applied at any time, and it
    /// may record this very request.
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

    /// Notified whenever there may be something new to read, and at once: what came before may
    /// not have been read either.
    pub fn subscribe(&self) -> watch::Receiver<()> {
        let mut changed = self.changed.subscribe();
        changed.mark_changed();
        changed
    }

    /// Whether the record, as far as this process knows, still has the rows from which this match
    /// was read.
    pub fn is_current(&self, store: &Store) -> bool {
        self.epoch == store.log().epoch() && !self.read().is_refuted
    }

    /// Whether the record was seen to differ from this match.
    pub fn is_refuted(&self) -> bool {
        self.read().is_refuted
    }

    /// Whether this match can be used instead of `other`, which was read later.
    pub fn is_as_current_as(&self, other: &LiveMatch) -> bool {
        self.epoch >= other.epoch && !self.read().is_refuted
    }

    /// Whether an entry is missing between the head and the newest entry that arrived.
    pub fn is_behind(&self) -> bool {
        self.read().behind
    }

    /// Whether only the result of the match is kept.
    pub fn is_reduced(&self) -> bool {
        self.seed.is_none()
    }
}

// === Giving up ===

impl LiveMatch {
    /// Marks the match as refuted, because the record no longer has what is in memory. Watchers
    /// then read the record.
    pub fn give_up(&self) {
        let mut state = self.write();
        state.is_refuted = true;
        state.recent.clear();
        state.recent_bytes = 0;
        drop(state);
        self.wake();
    }

    /// Wakes all watchers, as after the record went back.
    pub fn wake(&self) {
        self.changed.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Played;

    #[test]
    fn a_seat_that_the_match_does_not_have_is_refused() {
        let live = Played::new().live();
        let seat = |n| Seat::nth(n).expect("a table has more seats");
        assert!(live.check_viewer(Viewer::Seat(seat(2))).is_ok());
        assert!(live.check_viewer(Viewer::Seat(seat(3))).is_err());
        assert!(live.check_seat(seat(3)).is_err());
        assert!(live.check_viewer(Viewer::House).is_ok());
    }
}
