//! Reading the log for a stream: the recorded entries of many matches, then new ones, each exactly
//! once.
//!
//! A reader has a position in every bucket and reads the log from there. Hints about new entries
//! only wake it; entries always come from the log. So there is no seam between history and live
//! entries where an entry could be lost or sent twice (`tests/it/streams.rs` kills a reader a
//! thousand times).

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::Duration;

use event_log::{Epoch, WentBack, Window};
use positions::{BUCKETS, Bookmark, Bucket, Claims, DigestStart, Mark, Marks, Position, Term};
use rows::{MatchId, RecordedEntry, RedactedEntry, is_revealed, rules_of, seat_of, speech_keys};
use store::{Scope, Streamed, WindowEnds};
use table::{Seats, Viewer};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::assignment::Assignment;
use super::batches::{Batch, BatchSource, StreamedEntry};
use super::filter::EntryFilter;
use crate::access::{Lane, Slot};
use crate::error::Error;
use crate::happening::Happening;
use crate::matches::Matches;
use crate::sent::{Key, OF_PLATFORM_MAX, OF_PLAYER_MAX, Sent};
use crate::went_back::RecordWentBack;

/// The maximum number of entries in a batch. With names written out, an entry takes a kilobyte and
/// a set-up ten; common clients accept messages of four megabytes.
const BATCH_MAX: usize = 256;

/// The bucket positions that one read of the past covers, over all buckets, at least and at most.
/// Not all of them are of the stream, so a read covers more if the one before found few entries.
const REACH_MIN: usize = 128;
const REACH_MAX: usize = 4096;

/// A read finds about as many entries: few enough for the memory that a stream may take, and enough
/// for a round trip.
const FOUND_MIN: usize = 64;
const FOUND_MAX: usize = 257;

/// A stream that is further behind reads the past: more than a tenth of a second of play.
const NEWS_MAX: i64 = 4096;

/// The bucket positions that one read of news covers: little, because every stream may hold them.
const REACH_NEWS: usize = 256;

/// How many revealed matches a stream remembers.
const REVEALED_MAX: usize = 10_000;

/// The entries of a stream in one window of the log.
pub(crate) struct ReadWindow {
    pub bucket: Bucket,
    /// In the order of the bucket.
    pub found: Vec<(Mark, Found)>,
    /// The end of the window.
    pub until: Mark,
}

/// An entry of a stream.
pub(crate) enum Found {
    Entry(Box<StreamedEntry>),
    /// An entry that this release cannot read.
    Unreadable(MatchId, Position),
}

/// Reads the assigned buckets of the log in batches, and waits at their end.
pub(crate) struct LogReader {
    matches: Matches,
    scope: Scope,
    verbs: Vec<String>,
    happenings: Vec<Happening>,
    is_whole: bool,
    pub(crate) assignment: Assignment,
    heartbeat: Duration,
    news: watch::Receiver<()>,
    /// How many positions the next read covers.
    reach: usize,
    /// Read and not returned yet.
    ready: VecDeque<Batch>,
    /// Held while a part of the past is read and until it is taken.
    _past: Option<Slot>,
    /// When the last batch was returned.
    returned: Instant,
    revealed: HashSet<MatchId>,
    /// The epoch in which the positions were last seen to hold, and its term.
    epoch: Epoch,
    term: Term,
    sent: Sent,
    /// What other streams have in common with this one, if they may continue it.
    key: Option<Key>,
    /// What the reader of the stream is to be told next.
    void: Option<Void>,
}

/// Entries that were sent and are gone.
struct Void {
    /// The term in which they were sent.
    term: Term,
    /// The last position in each bucket that is still valid.
    holds: Box<Marks>,
    matches: HashSet<MatchId>,
    is_complete: bool,
}

impl LogReader {
    pub(crate) fn new(
        matches: &Matches,
        platform: &str,
        filter: EntryFilter,
        assignment: Assignment,
        heartbeat: Duration,
    ) -> LogReader {
        let is_whole = filter.is_whole;
        let (scope, verbs, happenings) = parts_of(platform, filter);
        LogReader {
            matches: matches.clone(),
            scope,
            verbs,
            happenings,
            is_whole,
            assignment,
            heartbeat,
            news: matches.0.store.log().high_water_changes(),
            reach: REACH_NEWS,
            ready: VecDeque::new(),
            _past: None,
            returned: Instant::now(),
            revealed: HashSet::new(),
            epoch: matches.0.store.log().epoch(),
            term: matches.term(),
            sent: Sent::new(OF_PLATFORM_MAX),
            key: None,
            void: None,
        }
    }

    /// Reads by another filter from here on. What was read and not returned yet passed the earlier
    /// one.
    pub(crate) fn filter_by(&mut self, filter: EntryFilter) {
        let tells_seat = self.scope.tells_seat;
        let (scope, verbs, happenings) = parts_of(&self.scope.platform, filter.clone());
        self.scope = Scope { tells_seat, ..scope };
        (self.verbs, self.happenings, self.is_whole) = (verbs, happenings, filter.is_whole);
        if let Some(subscription) = self.key.take().map(|it| it.subscription) {
            self.key = Some(self.key_of(subscription));
        }
    }

    /// What other streams have in common with this one.
    fn key_of(&self, subscription: Option<String>) -> Key {
        let Scope { platform, games, players, tags, .. } = self.scope.clone();
        let (verbs, happenings) = (self.verbs.clone(), self.happenings.clone());
        Key { platform, games, players, tags, verbs, happenings, subscription }
    }

    /// Continues what an earlier stream of the same entries has sent in a term, of a subscription
    /// or without one.
    pub(crate) fn continuing(mut self, subscription: Option<&str>, term: Term) -> LogReader {
        let key = self.key_of(subscription.map(str::to_owned));
        if let Some(sent) = self.matches.0.closed_streams.take(&key, term) {
            self.sent = sent;
        }
        self.key = Some(key);
        self
    }

    /// Notes where the stream begins.
    pub(crate) fn begin(&mut self) {
        for bucket in self.assignment.buckets() {
            self.sent.begin(bucket, self.assignment.at[bucket.index()].position);
        }
    }

    /// Begins at positions that a client presented, some of which the record does not have any
    /// more. They were read in `term`.
    pub(crate) fn after_loss(mut self, holds: Marks, term: Term) -> LogReader {
        self.went_back(holds, term);
        self
    }

    /// Where the stream resumes after what was returned so far.
    pub(crate) fn bookmark(&self) -> Bookmark {
        self.bookmark_at(self.assignment.at)
    }

    fn bookmark_at(&self, marks: Marks) -> Bookmark {
        let buckets = self.assignment.buckets().fold(0, |bits, bucket| bits | bucket.bit());
        Bookmark { term: self.term, buckets, marks }
    }

    /// Each entry is redacted for the seat of the player, who must be the only one of the filter.
    pub(crate) fn of_player(mut self) -> LogReader {
        self.scope.tells_seat = true;
        self.sent = Sent::new(OF_PLAYER_MAX);
        self
    }

    /// The next batch, or an empty one when a heartbeat is due. `None` if `until` comes first.
    /// Called once the batch before was taken.
    pub(crate) async fn next(&mut self, until: Option<Instant>) -> Result<Option<Batch>, Error> {
        loop {
            match self.read_on(until).await {
                Err(Error::RecordWentBack { .. }) if self.void.is_some() => {}
                read => return read,
            }
        }
    }

    /// Like [`LogReader::next`], but fails if the record went back.
    async fn read_on(&mut self, until: Option<Instant>) -> Result<Option<Batch>, Error> {
        loop {
            if until.is_some_and(|until| until <= Instant::now()) {
                return Ok(None);
            }
            self.check_epoch().await?;
            if let Some(void) = &self.void {
                let notice = self.notice_of(void).await?;
                (self.void, self.returned) = (None, Instant::now());
                return Ok(Some(notice));
            }
            if let Some(batch) = self.ready.pop_front() {
                self.returned = Instant::now();
                return Ok(Some(batch));
            }
            if self.returned.elapsed() >= self.heartbeat {
                self.returned = Instant::now();
                return Ok(Some(Batch::empty(self.bookmark())));
            }
            // Marked as seen before the heads are read, so that a later change wakes the wait.
            self.news.borrow_and_update();
            self._past = None;
            let heads = self.matches.0.store.log().high_water_marks();
            if self.assignment.behind(&heads) > NEWS_MAX {
                let Some(slot) = self.enter_past(until).await? else { continue };
                self._past = Some(slot);
            } else {
                self.reach = REACH_NEWS;
            }
            let windows = self.assignment.windows(&heads, self.reach);
            if windows.is_empty() {
                self.wait(until).await?;
            } else {
                self.read(&windows).await?;
            }
        }
    }

    /// Compares positions that were stored with the record, and reads their digests.
    pub(crate) async fn identify(&mut self) -> Result<(), Error> {
        let unchecked = std::mem::take(&mut self.assignment.unchecked);
        if unchecked.is_empty() {
            return Ok(());
        }
        let checked = self.check_stored(&unchecked).await;
        if !matches!(checked, Ok(()) | Err(Error::RecordWentBack { .. })) {
            self.assignment.unchecked = unchecked;
        }
        checked
    }

    /// Like [`LogReader::identify`]; the next batch tells of a loss.
    pub(crate) async fn identify_or_tell(&mut self) -> Result<(), Error> {
        match self.identify().await {
            Err(Error::RecordWentBack { .. }) if self.void.is_some() => Ok(()),
            identified => identified,
        }
    }

    async fn check_stored(&mut self, unchecked: &BTreeMap<Bucket, Term>) -> Result<(), Error> {
        let (mut at, mut lost) = (self.assignment.at, None);
        // A release that knew no digests stored no terms either.
        for has_digest in [false, true] {
            let its = |bucket: &Bucket| self.assignment.at[bucket.index()];
            let is_asked =
                |(bucket, _): &(&Bucket, &Term)| its(bucket).digest.is_some() == has_digest;
            let asked: Vec<(&Bucket, &Term)> = unchecked.iter().filter(is_asked).collect();
            let mut marks = [(0, DigestStart::default()); BUCKETS];
            for (bucket, _) in &asked {
                marks[bucket.index()] = (its(bucket).position, its(bucket).digest_start());
            }
            let terms = asked.iter().map(|(_, term)| **term).filter(|_| has_digest);
            let term = terms.min().unwrap_or_default();
            let claims = Claims { term, buckets: Bookmark::ALL, marks };
            let found = match Box::pin(self.matches.0.store.log().check_claims(&claims)).await? {
                Ok(found) => Box::new(found),
                Err(WentBack { holds }) => {
                    lost = Some(term);
                    holds
                }
            };
            for (bucket, _) in &asked {
                at[bucket.index()] = found[bucket.index()];
            }
        }
        for &bucket in unchecked.keys() {
            self.sent.begin(bucket, self.assignment.at[bucket.index()].position);
        }
        match lost {
            Some(term) => Err(self.went_back(at, term)),
            None => {
                self.assignment.at = at;
                Ok(())
            }
        }
    }

    /// After the record went back, checks that it still has the entries that were read.
    pub(crate) async fn check_epoch(&mut self) -> Result<(), Error> {
        let epoch = self.matches.0.store.log().epoch();
        if self.epoch != epoch {
            let (at, log) = (&self.assignment.at, self.matches.0.store.log());
            if let Err(WentBack { holds }) = log.check_marks(at, self.term).await? {
                return Err(self.went_back(*holds, self.term));
            }
            (self.epoch, self.term) = (epoch, self.matches.term());
        }
        Ok(())
    }

    /// Moves the stream back to what the record still has. What is void was sent in `term`.
    fn went_back(&mut self, holds: Marks, term: Term) -> Error {
        self.ready.clear();
        let is_lost = |bucket: &Bucket| {
            holds[bucket.index()].position < self.assignment.at[bucket.index()].position
        };
        let lost: Vec<Bucket> = self.assignment.buckets().filter(is_lost).collect();
        if !lost.is_empty() {
            let (matches, is_complete) = self.sent.take_void(&lost, &holds);
            let earlier = self.void.take();
            let earlier = earlier.as_ref();
            self.void = Some(Void {
                term: earlier.map_or(term, |it| it.term.min(term)),
                holds: Box::new(holds),
                is_complete: is_complete && earlier.is_none_or(|it| it.is_complete),
                matches: earlier
                    .iter()
                    .flat_map(|it| it.matches.iter().copied())
                    .chain(matches)
                    .collect(),
            });
        }
        self.assignment.at = holds;
        self.term = self.matches.term();
        self.assignment.since = self.term;
        Error::RecordWentBack { position: None, resume: Some(Box::new(self.bookmark())) }
    }

    /// A batch that tells which entries are void.
    async fn notice_of(&self, void: &Void) -> Result<Batch, Error> {
        let (log, platform) = (self.matches.0.store.log(), &self.scope.platform);
        let mut valid = Vec::new();
        for &match_id in &void.matches {
            let until = void.holds[Bucket::of(match_id).index()].position;
            let reading = log.last_within(match_id, until);
            valid.push((match_id, self.matches.in_lane_of_streams(platform, reading).await?));
        }
        let went_back = RecordWentBack {
            term: self.term,
            matches: self.matches.with_digests(platform, valid).await?,
            is_complete: void.is_complete,
            void_since: log.changed_since(void.term).void_since,
        };
        Ok(Batch { went_back: Some(went_back), ..Batch::empty(self.bookmark()) })
    }

    async fn read(&mut self, windows: &[Window]) -> Result<(), Error> {
        let mut at = self.assignment.at;
        let mut batch = Batch::empty(self.bookmark());
        for window in self.read_windows(windows).await? {
            for (mark, found) in window.found {
                let before = std::mem::replace(&mut at[window.bucket.index()], mark);
                match found {
                    Found::Entry(entry) => {
                        self.sent.note(entry.entry.match_id, mark.position);
                        batch.entries.push(*entry);
                    }
                    Found::Unreadable(match_id, position) => {
                        self.sent.note(match_id, mark.position);
                        batch.unreadable.push((match_id, position));
                    }
                }
                // No cursor can point between entries that share a mark: see
                // `with_what_was_missed`.
                if batch.len() >= BATCH_MAX && before.position != mark.position {
                    let at = self.bookmark_at(at);
                    let full = std::mem::replace(&mut batch, Batch::empty(at.clone()));
                    self.ready.push_back(Batch { at, ..full });
                }
            }
            at[window.bucket.index()] = window.until;
        }
        if batch.len() > 0 {
            self.ready.push_back(Batch { at: self.bookmark_at(at), ..batch });
        }
        self.sent.reach(&at);
        self.assignment.at = at;
        Ok(())
    }

    /// The entries of the stream in these windows, by bucket. Each window must begin at the
    /// position in its bucket.
    pub(crate) async fn read_windows(
        &mut self,
        windows: &[Window],
    ) -> Result<Vec<ReadWindow>, Error> {
        let platform = self.scope.platform.clone();
        let behind = self.assignment.behind(&self.matches.0.store.log().high_water_marks());
        // What happens now does not wait for those who read the past.
        let lane = if behind > NEWS_MAX { Lane::History } else { Lane::Streams };
        let reading = self.matches.0.store.entries_in_scope(windows, &self.scope);
        let found = self.matches.0.budgets.in_lane_patiently(lane, &platform, reading).await?;
        self.reach = reach_after(self.reach, found.entries.len());
        let at = self.assignment.at;
        for ends in &found.ends {
            let known = at[ends.bucket.index()].digest;
            if known.is_some() && known != ends.after.digest {
                let holds = self.matches.0.store.log().check_marks(&at, self.term).await?;
                let holds = holds.map_or_else(|lost| *lost.holds, |()| at);
                return Err(self.went_back(holds, self.term));
            }
        }
        let entries = self.with_what_was_missed(found.entries).await?;
        if self.is_whole {
            self.find_revealed(&entries).await?;
        }
        let pages = &self.matches.0.live.pages;
        let count = entries.len();
        let decode = move || {
            let decode = |row: &Streamed| RecordedEntry::decode(&row.recorded, row.rules()?);
            let decoded: Vec<_> = entries.iter().map(decode).collect();
            (entries, decoded)
        };
        let (entries, mut decoded) = pages.work(&platform, count, decode).await?;
        self.open(&entries, &mut decoded).await?;
        let window = |&WindowEnds { bucket, until, .. }: &WindowEnds| {
            (bucket, (ReadWindow { bucket, found: Vec::new(), until }, at[bucket.index()]))
        };
        let mut read: BTreeMap<Bucket, (ReadWindow, Mark)> =
            found.ends.iter().map(window).collect();
        let redacting = entries.into_iter().zip(decoded).map(|(row, decoded)| {
            let viewer = decoded.as_ref().ok().and_then(|recorded| self.viewer_of(&row, recorded));
            (row, viewer, decoded)
        });
        let redacting: Vec<_> = redacting.collect();
        let redact = move || {
            let redact = |(row, viewer, decoded): (Streamed, Option<Viewer>, Result<_, _>)| {
                let redacted = decoded.and_then(|recorded| redact(&row, &recorded, viewer));
                (row, redacted)
            };
            redacting.into_iter().map(redact).collect::<Vec<_>>()
        };
        let mut redacted = pages.work(&platform, count, redact).await?;
        self.add_results(&mut redacted).await?;
        for (row, redacted) in redacted {
            let found = match redacted {
                // The content is gone for good, so there is nothing to send.
                Err(rows::Error::HistoryNotKept) => None,
                // An unreadable match must not block other matches.
                Err(rows::Error::Unreadable { .. }) => {
                    Some(Found::Unreadable(row.match_id, row.recorded.position))
                }
                redacted => redacted?.map(|it| Found::Entry(Box::new(it))),
            };
            let (window, mark) = read.get_mut(&row.bucket).expect("each entry is of a window");
            // Entries that are sent late do not advance the position.
            if row.taken_over.is_none_or(|it| row.recorded.position >= it) {
                *mark = row.recorded.mark();
            }
            window.found.extend(found.map(|found| (*mark, found)));
        }
        Ok(read.into_values().map(|(window, _)| window).collect())
    }

    /// Inserts the entries that a player who took over a seat has missed: all earlier entries of
    /// the match, at the entry of the take-over. So every stream sends the same entries when it
    /// passes that entry.
    async fn with_what_was_missed(&self, found: Vec<Streamed>) -> Result<Vec<Streamed>, Error> {
        if found.iter().all(|row| row.taken_over.is_none()) {
            return Ok(found);
        }
        let mut entries = Vec::new();
        for row in found {
            match row.taken_over {
                Some(taken_over) if row.recorded.position < taken_over => continue,
                Some(taken_over) if row.recorded.position == taken_over => {
                    let before = taken_over.0 - 1;
                    let reading =
                        self.matches.0.store.log().entries(row.match_id, Position::START, before);
                    let past = self.matches.in_lane_of_streams(&self.scope.platform, reading);
                    let told = |recorded| Streamed { recorded, ..row.clone() };
                    entries.extend(past.await?.into_iter().map(told));
                }
                Some(_) | None => {}
            }
            entries.push(row);
        }
        Ok(entries)
    }

    /// Decrypts speech in these entries. Costs no query if there is none.
    async fn open(
        &self,
        rows: &[Streamed],
        decoded: &mut [Result<RecordedEntry, rows::Error>],
    ) -> Result<(), Error> {
        let is_sealed = |it: &Result<RecordedEntry, rows::Error>| {
            it.as_ref().is_ok_and(|it| it.entry.is_sealed())
        };
        let sealed = rows.iter().zip(&*decoded).filter(|(_, it)| is_sealed(it));
        let sealed: HashSet<MatchId> = sealed.map(|(row, _)| row.match_id).collect();
        if sealed.is_empty() {
            return Ok(());
        }
        let sealed: Vec<MatchId> = sealed.into_iter().collect();
        let reading = self.matches.0.store.speech_keys(&sealed);
        let found = self.matches.in_lane_of_streams(&self.scope.platform, reading).await?;
        for (row, decoded) in rows.iter().zip(decoded).filter(|(_, it)| is_sealed(it)) {
            let its = found.iter().filter(|(match_id, _)| *match_id == row.match_id);
            let keys = speech_keys(its.map(|(_, key)| *key));
            if let Ok(recorded) = decoded {
                *decoded = recorded.clone().opened(&keys);
            }
        }
        Ok(())
    }

    /// Adds the results of matches that end, if the filter asks for ends. If it asks only for those
    /// that count for ratings, the others are left out.
    async fn add_results(
        &self,
        entries: &mut [(Streamed, Result<Option<StreamedEntry>, rows::Error>)],
    ) -> Result<(), Error> {
        if !self.happenings.iter().any(|it| it.is_end()) {
            return Ok(());
        }
        let ends = |it: &StreamedEntry| it.entry.entry.winners().is_some();
        let ended = entries.iter().filter_map(|(_, it)| it.as_ref().ok()?.as_ref());
        let ended: Vec<MatchId> = ended.filter(|it| ends(it)).map(|it| it.entry.match_id).collect();
        if ended.is_empty() {
            return Ok(());
        }
        let mut results = self.matches.results(&self.scope.platform, &ended).await?;
        for (row, entry) in entries {
            let Ok(told) = entry else { continue };
            let Some(it) = told.as_mut().filter(|it| ends(it)) else { continue };
            it.result = results.remove(&row.match_id).map(Box::new);
            let is_rated = it.result.as_ref().is_none_or(|it| it.is_rated());
            let (entry, position, seats) = (&it.entry.entry, it.entry.position, own_seats(row));
            let wanted = |wanted: &Happening| {
                wanted.is_in(entry, position, seats) && (is_rated || *wanted != Happening::Rated)
            };
            if !self.happenings.iter().any(wanted) {
                *told = None;
            }
        }
        Ok(())
    }

    /// Whether something happened with the entry that the filter asks for.
    fn has_happened(&self, row: &Streamed, recorded: &RecordedEntry) -> bool {
        let (entry, position, seats) = (&recorded.entry, recorded.position, own_seats(row));
        let happens = |it: &Happening| it.is_in(entry, position, seats);
        self.happenings.is_empty() || self.happenings.iter().any(happens)
    }

    /// The viewer of an entry; `None` if it does not pass the filter.
    fn viewer_of(&self, row: &Streamed, recorded: &RecordedEntry) -> Option<Viewer> {
        if !self.verbs.is_empty() && self.verbs.iter().all(|verb| verb != recorded.entry.verb) {
            return None;
        }
        if !self.has_happened(row, recorded) {
            return None;
        }
        match row.seat {
            Some(seat) => Some(Viewer::Seat(seat_of(seat))),
            // The player was erased while the entry was read.
            None if self.scope.tells_seat => None,
            None if self.revealed.contains(&row.match_id) => Some(Viewer::House),
            None => Some(Viewer::Spectator),
        }
    }

    /// Finds out which of the matches of these entries are revealed by now.
    async fn find_revealed(&mut self, rows: &[Streamed]) -> Result<(), Error> {
        if self.revealed.len() > REVEALED_MAX {
            self.revealed.clear();
        }
        let games: HashMap<MatchId, &str> =
            rows.iter().map(|row| (row.match_id, row.game.as_str())).collect();
        let unknown: Vec<MatchId> =
            games.keys().filter(|id| !self.revealed.contains(id)).copied().collect();
        let now = self.matches.now();
        let reading = self.matches.0.store.last_entries(&unknown);
        for last in self.matches.in_lane_of_streams(&self.scope.platform, reading).await? {
            let game = rules_of(games[&last.match_id], last.terms.module());
            let recorded = game.and_then(|game| RecordedEntry::decode(&last.recorded, game));
            // An unreadable match is treated as not revealed.
            let Ok(recorded) = recorded else { continue };
            let wait_s = last.terms.reveal_wait_s;
            if recorded.end_time().is_some_and(|end| is_revealed(wait_s, end, now)) {
                self.revealed.insert(last.match_id);
            }
        }
        Ok(())
    }

    /// When the next heartbeat is due or `until` comes.
    fn wake(&self, until: Option<Instant>) -> Instant {
        let heartbeat = self.returned + self.heartbeat;
        until.map_or(heartbeat, |until| until.min(heartbeat))
    }

    /// Waits for a slot to read the past; `None` if a heartbeat or `until` comes first.
    async fn enter_past(&self, until: Option<Instant>) -> Result<Option<Slot>, Error> {
        let entering = self.matches.0.budgets.past(&self.scope.platform, self.scope.tells_seat);
        let entering = timeout_at(self.wake(until), entering);
        let entered = self.matches.0.drain.run_until_cancelled(entering).await;
        entered.ok_or(Error::ShuttingDown)?.ok().transpose()
    }

    async fn wait(&mut self, until: Option<Instant>) -> Result<(), Error> {
        let drain = self.matches.0.drain.clone();
        let wake = self.wake(until);
        tokio::select! {
            () = drain.cancelled() => Err(Error::ShuttingDown),
            news = self.news.changed() => {
                news.expect("the store is held");
                Ok(())
            }
            () = tokio::time::sleep_until(wake) => Ok(()),
        }
    }
}

/// The parts of a filter: what the database is asked for, the verbs, and what is to have happened.
fn parts_of(platform: &str, filter: EntryFilter) -> (Scope, Vec<String>, Vec<Happening>) {
    let EntryFilter { games, verbs, players, happenings, tags, is_whole: _ } = filter;
    let is_of_seats = |it: &Happening| matches!(it, Happening::Turn | Happening::Action);
    let scope = Scope {
        platform: platform.to_owned(),
        games,
        tells_seat: false,
        tells_seats: !players.is_empty() && happenings.iter().any(is_of_seats),
        players,
        tags,
    };
    (scope, verbs, happenings)
}

/// The seats of the filter's players, if turns and actions are to be theirs.
fn own_seats(row: &Streamed) -> Option<Seats> {
    Some(row.seats.as_ref()?.iter().map(|&it| seat_of(it)).collect())
}

/// The entry as the viewer sees it; `None` without a viewer.
fn redact(
    row: &Streamed,
    recorded: &RecordedEntry,
    viewer: Option<Viewer>,
) -> Result<Option<StreamedEntry>, rows::Error> {
    let Some(viewer) = viewer else { return Ok(None) };
    let entry = RedactedEntry::redact(row.match_id, row.rules()?, recorded, viewer);
    let (taken_over, until) = (row.taken_over, row.until);
    let is_seated = taken_over.is_none_or(|it| it <= recorded.position)
        && until.is_none_or(|it| recorded.position < it);
    Ok(Some(StreamedEntry { entry, is_seated, result: None }))
}

/// How far the next read reaches, given how many entries this one found.
fn reach_after(reach: usize, found: usize) -> usize {
    match found {
        ..FOUND_MIN => (reach * 2).min(REACH_MAX),
        FOUND_MAX.. => (reach / 2).max(REACH_MIN),
        _ => reach,
    }
}

impl BatchSource for LogReader {
    async fn next(&mut self) -> Result<Batch, Error> {
        Ok(LogReader::next(self, None).await?.expect("only `until` ends the wait without a batch"))
    }

    fn at(&self) -> Bookmark {
        self.bookmark()
    }

    async fn close(self) {
        if let Some(key) = self.key {
            self.matches.0.closed_streams.put(key, self.term, self.sent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_reaches_as_far_as_it_finds_a_message_of_entries() {
        let after =
            |founds: &[usize]| founds.iter().fold(REACH_NEWS, |reach, it| reach_after(reach, *it));
        assert_eq!(after(&[FOUND_MIN]), REACH_NEWS);
        assert_eq!(after(&[0; 9]), REACH_MAX, "the entries of a small platform lie far apart");
        assert_eq!(after(&[REACH_MAX; 9]), REACH_MIN);
    }
}
