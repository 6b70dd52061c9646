//! A match in memory: a cache of the log, which may always be dropped and read again.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, RwLock, Weak};

use games::Game;
use quick_cache::sync::Cache;
use store::{MatchId, MatchRow, Position, Recorded, Tags};
use table::{ChaCha, Entry, Event, Seat, Table, Viewer};
use time::OffsetDateTime;
use tokio::sync::{Semaphore, watch};

use crate::play::{SET_UP_ID, What};
use crate::{Caller, Error, Matches, reveal};

/// How many of the last entries are kept, for those who watch. Whoever falls further behind reads
/// the log.
const RECENT_MAX: usize = 64;
/// How many are kept while nobody watches: for those who ask again, and for those who look while
/// the record is away.
const RECENT_UNWATCHED_MAX: usize = 16;

/// How many actions of a match may wait for one another: more than anybody at a table sends, and no
/// more than can be answered while their senders listen.
const QUEUE_MAX: usize = 128;

/// Entries read from the log at a time: some 100 KB of the largest game.
pub(crate) const PAGE_MAX: usize = 500;

/// An entry with its place in the log.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub position: Position,
    pub create_time: OffsetDateTime,
    pub request_id: Option<String>,
    pub entry: Entry,
}

impl Placed {
    pub fn decode(row: &Recorded, game: &'static dyn Game) -> Result<Placed, Error> {
        let entry = Entry::decode(&row.body, game.layout())
            .map_err(|error| Error::Internal(error.into()))?;
        Ok(Placed {
            position: row.position,
            create_time: row.create_time,
            request_id: row.request_id.clone(),
            entry,
        })
    }

    /// When the match ended, if this is its last entry and it has.
    pub fn end(&self) -> Option<OffsetDateTime> {
        let is_end = |event: &Event| matches!(event, Event::Ended { .. });
        self.entry.events.iter().any(is_end).then_some(self.create_time)
    }
}

pub(crate) struct LiveMatch {
    row: MatchRow,
    pub options: BTreeMap<String, String>,
    pub game: &'static dyn Game,
    seats: u8,
    seed: [u8; 32],
    /// Held from a decision until its entry is durable, so that one process does not race with
    /// itself.
    pub writing: tokio::sync::Mutex<()>,
    /// Whoever waits for that has a place here.
    pub queue: Semaphore,
    state: RwLock<State>,
    /// Changes whenever there may be something new to read.
    moved: watch::Sender<()>,
}

#[derive(Clone)]
pub(crate) struct Head {
    pub position: Position,
    /// None before the deal.
    pub table: Option<Arc<Table>>,
    /// Of the last entry.
    pub update_time: Option<OffsetDateTime>,
}

struct State {
    players: Vec<Option<String>>,
    head: Head,
    recent: VecDeque<Arc<Placed>>,
    /// Where each named request was recorded, by its [`digest`].
    requests: HashMap<u128, Position>,
    /// An entry was overheard that does not follow the head: the log is to be read.
    behind: bool,
    /// As they were seen last; anybody may have changed them since.
    tags: Tags,
}

impl LiveMatch {
    /// The match as it was before anything was dealt; [`LiveMatch::refresh`] brings it up to date.
    pub fn new(row: MatchRow, seed: [u8; 32]) -> Result<LiveMatch, Error> {
        let game = game_of(&row)?;
        let state = State {
            players: players_of(&row),
            head: Head { position: Position::START, table: None, update_time: None },
            recent: VecDeque::new(),
            requests: HashMap::new(),
            behind: false,
            tags: Tags::new(),
        };
        Ok(LiveMatch {
            options: options_of(&row)?,
            seats: seats_of(&row),
            row,
            game,
            seed,
            writing: tokio::sync::Mutex::new(()),
            queue: Semaphore::new(QUEUE_MAX),
            state: RwLock::new(state),
            moved: watch::Sender::new(()),
        })
    }

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

    pub fn seated(&self, seat: Seat) -> Result<Seat, Error> {
        if u8::from(seat) < self.seats {
            Ok(seat)
        } else {
            Err(Error::Invalid(format!("the match has {} seats, counted from 0", self.seats())))
        }
    }

    pub fn check_viewer(&self, viewer: Viewer) -> Result<(), Error> {
        match viewer {
            Viewer::Seat(seat) => self.seated(seat).map(|_| ()),
            Viewer::Spectator | Viewer::House => Ok(()),
        }
    }

    /// Whether everyone who may look at this match is told the whole of it.
    pub fn revealed(&self) -> Result<(), Error> {
        let head = self.head();
        let ended = head.table.is_some_and(|table| table.ended());
        reveal::check(self.row.reveal_wait_s, head.update_time.filter(|_| ended))
    }

    /// The chance of the entry at `position`: its own stream of the match's seed.
    pub fn chance(&self, position: Position) -> ChaCha {
        ChaCha::of(self.seed, position.0.unsigned_abs())
    }

    pub fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    pub fn head(&self) -> Head {
        self.read().head.clone()
    }

    pub fn position(&self) -> Position {
        self.read().head.position
    }

    pub fn players(&self) -> Vec<Option<String>> {
        self.read().players.clone()
    }

    pub fn set_players(&self, players: Vec<Option<String>>) {
        self.write().players = players;
    }

    pub fn tags(&self) -> Tags {
        self.read().tags.clone()
    }

    pub fn set_tags(&self, tags: Tags) {
        self.write().tags = tags;
    }

    pub fn is_full(&self) -> bool {
        self.read().players.iter().all(Option::is_some)
    }

    /// What a request is decided on; or where it was recorded before, as far as this process knows.
    /// Both are looked at as one: entries of other processes take effect at any time, and this very
    /// request may be among them.
    pub fn head_for(&self, request_id: Option<&str>) -> Result<Head, Position> {
        let digest = request_id.map(digest);
        let state = self.read();
        match digest.and_then(|it| state.requests.get(&it)) {
            Some(position) => Err(*position),
            None => Ok(state.head.clone()),
        }
    }

    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.moved.subscribe()
    }

    /// Lets entries take effect that are durable. Those already known are passed over.
    pub fn apply(&self, entries: impl IntoIterator<Item = Arc<Placed>>) {
        let mut state = self.write();
        let before = state.head.position;
        for placed in entries {
            if placed.position.0 == state.head.position.0 + 1 {
                let recent_max =
                    if self.moved.receiver_count() > 0 { RECENT_MAX } else { RECENT_UNWATCHED_MAX };
                state.apply(placed, self.game, self.seats(), recent_max);
            } else if placed.position > state.head.position {
                state.behind = true;
            }
        }
        let news = state.behind || state.head.position != before;
        drop(state);
        // Whoever begins to watch after this looks at the state after this.
        if news && self.moved.receiver_count() > 0 {
            self.moved.send_replace(());
        }
    }

    /// Lets an entry that another process recorded take effect.
    pub fn apply_remote(&self, recorded: &Recorded) {
        match self.decode(recorded) {
            Ok(placed) => self.apply([Arc::new(placed)]),
            Err(error) => {
                tracing::error!(match.id = %self.id().0, %error, "an entry cannot be read")
            }
        }
    }

    pub fn is_behind(&self) -> bool {
        self.read().behind
    }

    /// Reads what the log has after the head, and says whether there was anything.
    pub async fn refresh(&self, store: &store::Store) -> Result<bool, Error> {
        let before = self.position();
        loop {
            let known = self.position();
            self.write().behind = false;
            let page = self.read_log(store, known, PAGE_MAX).await?;
            let full = page.len() == PAGE_MAX;
            self.apply(page);
            if !full {
                return Ok(self.position() != before);
            }
        }
    }

    /// Up to `limit` entries after `after`, from memory if they are all there, otherwise from the
    /// log.
    pub async fn since(
        &self,
        store: &store::Store,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<Placed>>, Error> {
        if let Some(recent) = self.recent(after, limit) {
            return Ok(recent);
        }
        self.read_log(store, after, limit).await
    }

    fn recent(&self, after: Position, limit: usize) -> Option<Vec<Arc<Placed>>> {
        let state = self.read();
        if after >= state.head.position {
            return Some(Vec::new());
        }
        let first = state.recent.front()?.position;
        let skip = usize::try_from(after.0 + 1 - first.0).ok()?;
        Some(state.recent.iter().skip(skip).take(limit).cloned().collect())
    }

    async fn read_log(
        &self,
        store: &store::Store,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<Placed>>, Error> {
        let rows = store.entries(self.id(), after, limit as i64).await?;
        rows.iter().map(|row| Ok(Arc::new(self.decode(row)?))).collect()
    }

    fn decode(&self, row: &Recorded) -> Result<Placed, Error> {
        Placed::decode(row, self.game)
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, State> {
        self.state.read().expect("nobody panics while holding it")
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, State> {
        self.state.write().expect("nobody panics while holding it")
    }
}

impl Matches {
    /// The match, up to date as far as the log answers, and dealt if its seats are taken.
    ///
    /// A match of another platform and no match at all go the same way: both are one query that
    /// finds no row.
    pub(crate) async fn live(
        &self,
        caller: &Caller,
        match_id: MatchId,
    ) -> Result<Arc<LiveMatch>, Error> {
        caller.enters(match_id)?;
        let known = self.0.live.find(match_id).filter(|live| live.platform() == caller.platform);
        let live = match known {
            Some(live) => live,
            // What seldom happens is kept out of the way: the rest is a small future, and there are
            // many of it.
            None => Box::pin(self.load(&caller.platform, match_id)).await?,
        };
        if !live.is_full() || live.position() == Position::START {
            Box::pin(self.deal_if_full(&live)).await?;
        }
        Ok(live)
    }

    async fn load(&self, platform: &str, match_id: MatchId) -> Result<Arc<LiveMatch>, Error> {
        let loaded = self.0.store.load(platform, match_id).await?;
        let (row, seed) = loaded.ok_or(Error::NoSuchMatch)?;
        let live = self.0.live.add(LiveMatch::new(row, seed)?);
        live.refresh(&self.0.store).await?;
        Ok(live)
    }

    /// Whoever comes first after the last seat was taken sets the table up: the player who took it,
    /// or anyone later, should the service have stopped in between. The log lets it happen once.
    async fn deal_if_full(&self, live: &Arc<LiveMatch>) -> Result<(), Error> {
        if !live.is_full() {
            let row = self.0.store.find(live.platform(), live.id()).await?;
            live.set_players(players_of(&row.ok_or(Error::NoSuchMatch)?));
        }
        if live.is_full() && live.position() == Position::START {
            self.accept(live, What::SetUp, None, Some(SET_UP_ID.to_owned())).await?;
        }
        Ok(())
    }
}

/// The rules of a stored match.
pub(crate) fn game_of(row: &MatchRow) -> Result<&'static dyn Game, Error> {
    games::find(&row.game)
        .ok_or_else(|| Error::Internal(format!("no rules for {:?}", row.game).into()))
}

pub(crate) fn seats_of(row: &MatchRow) -> u8 {
    row.seats.try_into().expect("a match has few seats")
}

/// Who sits where; none where a seat is open.
pub(crate) fn players_of(row: &MatchRow) -> Vec<Option<String>> {
    let mut players = vec![None; seats_of(row).into()];
    for seated in &row.seated {
        players[seated.seat as usize] = Some(seated.player.clone());
    }
    players
}

pub(crate) fn options_of(row: &MatchRow) -> Result<BTreeMap<String, String>, Error> {
    serde_json::from_str(&row.options).map_err(|error| Error::Internal(error.into()))
}

impl State {
    fn apply(
        &mut self,
        placed: Arc<Placed>,
        game: &'static dyn Game,
        seats: u8,
        recent_max: usize,
    ) {
        let boxed = || Arc::new(Table::new(game.layout(), seats, Viewer::House));
        let table = self.head.table.get_or_insert_with(boxed);
        Arc::make_mut(table).apply(&placed.entry);
        self.head.position = placed.position;
        self.head.update_time = Some(placed.create_time);
        if let Some(request_id) = &placed.request_id {
            self.requests.insert(digest(request_id), placed.position);
        }
        self.recent.drain(..(self.recent.len() + 1).saturating_sub(recent_max));
        self.recent.push_back(placed);
    }
}

/// Half a hash: two request ids that share it will not be found, and it takes a third of the room
/// that an id does.
fn digest(request_id: &str) -> u128 {
    let hash = blake3::hash(request_id.as_bytes());
    let (half, _) = hash.as_bytes().split_first_chunk().expect("a hash has 32 bytes");
    u128::from_le_bytes(*half)
}

/// The matches in memory: the ones in use, found as long as anybody holds them, and the last few
/// used.
pub(crate) struct LiveMatches {
    warm: Cache<MatchId, Arc<LiveMatch>>,
    used: Mutex<Used>,
}

struct Used {
    live: HashMap<MatchId, Weak<LiveMatch>>,
    /// At this size the ones nobody holds any more are swept out.
    sweep_at: usize,
}

/// Below this many, sweeping is not worth it.
const SWEEP_MIN: usize = 1024;

impl LiveMatches {
    pub fn new(warm_max: usize) -> LiveMatches {
        let used = Used { live: HashMap::new(), sweep_at: SWEEP_MIN };
        LiveMatches { warm: Cache::new(warm_max), used: Mutex::new(used) }
    }

    pub fn find(&self, match_id: MatchId) -> Option<Arc<LiveMatch>> {
        if let Some(live) = self.warm.get(&match_id) {
            return Some(live);
        }
        let live = self.lock().live.get(&match_id)?.upgrade()?;
        self.warm.insert(match_id, live.clone());
        Some(live)
    }

    /// Adds `live`, unless its match is there already: there is never more than one of a match.
    pub fn add(&self, live: LiveMatch) -> Arc<LiveMatch> {
        let match_id = live.id();
        let mut used = self.lock();
        if let Some(live) = used.live.get(&match_id).and_then(Weak::upgrade) {
            return live;
        }
        let live = Arc::new(live);
        used.live.insert(match_id, Arc::downgrade(&live));
        if used.live.len() > used.sweep_at {
            used.live.retain(|_, live| live.strong_count() > 0);
            used.sweep_at = SWEEP_MIN.max(used.live.len() * 2);
        }
        drop(used);
        self.warm.insert(match_id, live.clone());
        live
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.lock().live.values().filter(|live| live.strong_count() > 0).count()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Used> {
        self.used.lock().expect("nobody panics while holding it")
    }
}
