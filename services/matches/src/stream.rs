//! Many matches as one stream, all of a platform's or all of a player's: the recorded entries, then
//! new ones, each once.
//!
//! A stream has a position in every bucket and reads the log from there. Hints about new entries
//! only wake it up; it never takes entries from them. So history and live entries come from one
//! source, and there is no seam where an entry could be lost or sent twice.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::pin::Pin;
use std::time::Duration;

use futures::Stream;
use store::{
    BUCKETS, Bucket, Claims, Epoch, Leased, Mark, Marks, MatchId, Position, Scope, Streamed, Tags,
    WentBack, Window, WindowEnds,
};
use table::Viewer;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_stream::wrappers::ReceiverStream;

use crate::budgets::{Lane, StreamKind};
use crate::create::check_player;
use crate::rows::{RecordedEntry, game_of, seat_of, speech_keys};
use crate::tags::check_tags;
use crate::{Caller, Error, Matches, RedactedEntry, reveal};

/// Bucket positions covered by one read, over all buckets: some hundred kilobytes of the log.
const READ_MAX: usize = 4096;

/// Entries sent at a time. With names written out, an entry takes a kilobyte, a set-up ten; common
/// clients accept messages of four megabytes.
const BATCH_MAX: usize = 256;

/// Batches that wait for the client; its connection buffers some more.
const READY_MAX: usize = 2;

/// Matches that a stream remembers as revealed.
const REVEALED_MAX: usize = 10_000;

/// Which entries a stream sends. Filters are combined with AND; empty filters are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryFilter {
    pub games: Vec<String>,
    pub verbs: Vec<String>,
    pub players: Vec<String>,
    /// Tags that a match must have when the stream reads its entries.
    pub tags: Tags,
    /// Whether entries of revealed matches are sent as the house sees them.
    pub is_whole: bool,
}

#[derive(Clone, Debug)]
pub enum StreamStart {
    Beginning,
    Now,
    /// After the position that a cursor names.
    After(Box<Claims>),
}

#[derive(Clone, Copy, Debug)]
pub struct StreamTiming {
    /// How long a stream is silent before it sends an empty batch.
    pub heartbeat: Duration,
    /// How long the client may take to accept a batch.
    pub take_wait: Duration,
}

/// Some entries of a stream; none in a heartbeat.
#[derive(Clone, Debug)]
pub struct Batch {
    pub entries: Vec<RedactedEntry>,
    /// Entries among them that this release cannot read. The stream has passed them.
    pub unreadable: Vec<(MatchId, Position)>,
    /// The position after these entries, to resume from.
    pub at: Marks,
}

/// Why a stream ended, and the position to resume from.
#[derive(Debug)]
pub struct StreamError {
    pub error: Error,
    pub at: Marks,
}

impl Batch {
    fn empty(at: Marks) -> Batch {
        Batch { entries: Vec::new(), unreadable: Vec::new(), at }
    }

    fn len(&self) -> usize {
        self.entries.len() + self.unreadable.len()
    }
}

pub type BatchStream = Pin<Box<dyn Stream<Item = Result<Batch, StreamError>> + Send>>;

impl Matches {
    /// The entries of all matches of the caller's platform.
    pub async fn stream(
        &self,
        caller: &Caller,
        filter: EntryFilter,
        start: StreamStart,
        timing: StreamTiming,
    ) -> Result<BatchStream, Error> {
        let platform = caller.platform()?;
        check_tags("filter.tags", &filter.tags)?;
        let open = self.open_stream(caller, StreamKind::ManyMatches)?;
        let at = self.start_marks(platform, start).await?;
        let assignment = Assignment::all(at);
        let reader = LogReader::new(self, platform, filter, assignment, timing.heartbeat);
        Ok(spawn_stream(reader, timing.take_wait, open))
    }

    /// The entries of all matches in which a player of the caller's platform has a seat, each as
    /// that seat sees it.
    pub async fn watch_player(
        &self,
        caller: &Caller,
        player: &str,
        start: StreamStart,
        timing: StreamTiming,
    ) -> Result<BatchStream, Error> {
        caller.check_player(player)?;
        check_player("name", player)?;
        // It reads the log as the stream of a whole platform does.
        let open = self.open_stream(caller, StreamKind::ManyMatches)?;
        let at = self.start_marks(&caller.platform, start).await?;
        let filter = EntryFilter { players: vec![player.to_owned()], ..EntryFilter::default() };
        let assignment = Assignment::all(at);
        let reader = LogReader::new(self, &caller.platform, filter, assignment, timing.heartbeat)
            .of_player();
        Ok(spawn_stream(reader, timing.take_wait, open))
    }

    /// The positions to start after.
    pub(crate) async fn start_marks(
        &self,
        platform: &str,
        start: StreamStart,
    ) -> Result<Marks, Error> {
        // Heads come from the database: this process may not have seen the newest entries of
        // others.
        match start {
            StreamStart::Beginning => Ok([Mark::default(); BUCKETS]),
            StreamStart::Now => {
                self.in_lane(Lane::Streams, platform, self.0.store.bucket_heads()).await
            }
            StreamStart::After(claims) => self.marks_of(platform, &claims).await,
        }
    }

    /// The position that a cursor names, if the record still has it.
    pub(crate) async fn marks_of(&self, platform: &str, claims: &Claims) -> Result<Marks, Error> {
        let checking = self.0.store.check_claims(claims);
        let marks = self.in_lane(Lane::Streams, platform, checking).await?;
        marks.map_err(|lost| Error::RecordWentBack { position: None, marks: Some(lost.holds) })
    }
}

/// The buckets that a stream reads, and its position in each.
pub(crate) struct Assignment {
    /// Read up to here; the start in buckets that are not assigned.
    at: Marks,
    is_assigned: [bool; BUCKETS],
}

impl Assignment {
    pub(crate) fn new(leased: &[Leased]) -> Assignment {
        let at = [Mark::default(); BUCKETS];
        let mut assignment = Assignment { at, is_assigned: [false; BUCKETS] };
        assignment.assign(leased);
        assignment
    }

    /// Every bucket, from these positions.
    fn all(at: Marks) -> Assignment {
        Assignment { at, is_assigned: [true; BUCKETS] }
    }

    pub(crate) fn at(&self) -> Marks {
        self.at
    }

    /// The assigned buckets.
    pub(crate) fn buckets(&self) -> impl Iterator<Item = Bucket> {
        Bucket::all().filter(|bucket| self.is_assigned[bucket.index()])
    }

    /// Moves an assigned bucket, forward or back.
    pub(crate) fn set(&mut self, bucket: Bucket, mark: Mark) {
        self.at[bucket.index()] = mark;
    }

    /// Assigns these buckets and no others. A bucket that was assigned before continues where it
    /// is.
    pub(crate) fn assign(&mut self, leased: &[Leased]) {
        let before = std::mem::replace(&mut self.is_assigned, [false; BUCKETS]);
        for Leased { bucket, acknowledged } in leased {
            let n = bucket.index();
            self.is_assigned[n] = true;
            if !before[n] || self.at[n].position < *acknowledged {
                self.at[n] = Mark::new(*acknowledged, None);
            }
        }
        for n in (0..BUCKETS).filter(|&n| !self.is_assigned[n]) {
            self.at[n] = Mark::default();
        }
    }

    /// What to read next: a part of each bucket that is behind its head.
    fn windows(&self, heads: &Marks) -> Vec<Window> {
        let is_behind = |bucket: &Bucket| {
            let n = bucket.index();
            self.is_assigned[n] && self.at[n].position < heads[n].position
        };
        let buckets: Vec<Bucket> = Bucket::all().filter(is_behind).collect();
        let each = READ_MAX.div_ceil(buckets.len().max(1)) as i64;
        let window = |bucket: Bucket| {
            let after = self.at[bucket.index()].position;
            let head = heads[bucket.index()].position;
            Window { bucket, after, until: head.min(after + each) }
        };
        buckets.into_iter().map(window).collect()
    }
}

/// What a window holds of a stream.
pub(crate) struct ReadWindow {
    pub bucket: Bucket,
    /// By bucket position.
    pub found: Vec<(Mark, Found)>,
    /// The end of the window.
    pub until: Mark,
}

/// An entry of a stream.
pub(crate) enum Found {
    Entry(Box<RedactedEntry>),
    /// One that this release cannot read.
    Unreadable(MatchId, Position),
}

/// Reads the assigned buckets of the log in batches, and waits at their end.
pub(crate) struct LogReader {
    matches: Matches,
    scope: Scope,
    verbs: Vec<String>,
    is_whole: bool,
    pub(crate) assignment: Assignment,
    heartbeat: Duration,
    news: watch::Receiver<()>,
    /// Read and not returned yet.
    ready: VecDeque<Batch>,
    /// When the last batch was returned.
    returned: Instant,
    revealed: HashSet<MatchId>,
    /// The epoch in which the positions were last seen to hold.
    epoch: Epoch,
}

impl LogReader {
    pub(crate) fn new(
        matches: &Matches,
        platform: &str,
        filter: EntryFilter,
        assignment: Assignment,
        heartbeat: Duration,
    ) -> LogReader {
        let EntryFilter { games, verbs, players, tags, is_whole } = filter;
        LogReader {
            matches: matches.clone(),
            scope: Scope { platform: platform.to_owned(), games, players, tags, tells_seat: false },
            verbs,
            is_whole,
            assignment,
            heartbeat,
            news: matches.0.store.high_water_changes(),
            ready: VecDeque::new(),
            returned: Instant::now(),
            revealed: HashSet::new(),
            epoch: matches.0.store.epoch(),
        }
    }

    /// Each entry is redacted for the seat of the player, who must be the only one of the filter.
    fn of_player(mut self) -> LogReader {
        self.scope.tells_seat = true;
        self
    }

    /// The next batch, or an empty one when a heartbeat is due; none if `until` comes first.
    pub(crate) async fn next(&mut self, until: Option<Instant>) -> Result<Option<Batch>, Error> {
        loop {
            if until.is_some_and(|until| until <= Instant::now()) {
                return Ok(None);
            }
            self.check_epoch().await?;
            if let Some(batch) = self.ready.pop_front() {
                self.returned = Instant::now();
                return Ok(Some(batch));
            }
            if self.returned.elapsed() >= self.heartbeat {
                self.returned = Instant::now();
                return Ok(Some(Batch::empty(self.assignment.at)));
            }
            // Marked as seen before the heads are read, so that a later change wakes the wait.
            self.news.borrow_and_update();
            let windows = self.assignment.windows(&self.matches.0.store.high_water_marks());
            if windows.is_empty() {
                self.wait(until).await?;
            } else {
                self.read(&windows).await?;
            }
        }
    }

    /// Reads the digests of positions that were stored without them.
    pub(crate) async fn identify(&mut self) -> Result<(), Error> {
        let is_unknown = |mark: &Mark| mark.position > 0 && mark.digest.is_none();
        if self.assignment.at.iter().any(is_unknown) {
            let claims = Claims(self.assignment.at.map(|it| (it.position, it.digest_start())));
            match self.matches.0.store.check_claims(&claims).await? {
                Ok(marks) => self.assignment.at = marks,
                Err(WentBack { holds }) => return Err(self.went_back(*holds)),
            }
        }
        Ok(())
    }

    /// After the record was seen to go back, makes sure that it still has what was read.
    pub(crate) async fn check_epoch(&mut self) -> Result<(), Error> {
        let epoch = self.matches.0.store.epoch();
        if self.epoch != epoch {
            if let Err(WentBack { holds }) =
                self.matches.0.store.check_marks(&self.assignment.at).await?
            {
                return Err(self.went_back(*holds));
            }
            self.epoch = epoch;
        }
        Ok(())
    }

    /// The stream resumes from what still holds.
    fn went_back(&mut self, holds: Marks) -> Error {
        self.ready.clear();
        self.assignment.at = holds;
        Error::RecordWentBack { position: None, marks: Some(Box::new(holds)) }
    }

    async fn read(&mut self, windows: &[Window]) -> Result<(), Error> {
        let mut at = self.assignment.at;
        let mut batch = Batch::empty(at);
        for window in self.read_windows(windows).await? {
            for (mark, found) in window.found {
                let before = std::mem::replace(&mut at[window.bucket.index()], mark);
                match found {
                    Found::Entry(entry) => batch.entries.push(*entry),
                    Found::Unreadable(match_id, position) => {
                        batch.unreadable.push((match_id, position));
                    }
                }
                // A cursor cannot name a place among what is told after the fact.
                if batch.len() >= BATCH_MAX && before.position != mark.position {
                    let full = std::mem::replace(&mut batch, Batch::empty(at));
                    self.ready.push_back(Batch { at, ..full });
                }
            }
            at[window.bucket.index()] = window.until;
        }
        if batch.len() > 0 {
            self.ready.push_back(Batch { at, ..batch });
        }
        self.assignment.at = at;
        Ok(())
    }

    /// What these windows hold of the stream, by bucket. Each must begin where its bucket was read
    /// up to.
    pub(crate) async fn read_windows(
        &mut self,
        windows: &[Window],
    ) -> Result<Vec<ReadWindow>, Error> {
        let reading = self.matches.0.store.entries_in_scope(windows, &self.scope);
        let found = self.matches.in_lane_of_streams(&self.scope.platform, reading).await?;
        let at = self.assignment.at;
        for ends in &found.ends {
            let known = at[ends.bucket.index()].digest;
            if known.is_some() && known != ends.after.digest {
                let holds = self.matches.0.store.check_marks(&at).await?;
                return Err(self.went_back(holds.map_or_else(|lost| *lost.holds, |()| at)));
            }
        }
        let entries = self.with_what_was_missed(found.entries).await?;
        if self.is_whole {
            self.find_revealed(&entries).await?;
        }
        let decode = |row: &Streamed| RecordedEntry::decode(&row.recorded, game_of(&row.game)?);
        let mut decoded: Vec<_> = entries.iter().map(decode).collect();
        self.open(&entries, &mut decoded).await?;
        let window = |&WindowEnds { bucket, until, .. }: &WindowEnds| {
            (bucket, (ReadWindow { bucket, found: Vec::new(), until }, at[bucket.index()]))
        };
        let mut read: BTreeMap<Bucket, (ReadWindow, Mark)> =
            found.ends.iter().map(window).collect();
        for (row, decoded) in entries.iter().zip(decoded) {
            let found = match decoded.and_then(|recorded| self.redact(row, &recorded)) {
                // What was recorded is gone for good, so there is nothing to tell.
                Err(Error::HistoryNotKept) => None,
                // It does not hold up the entries of other matches.
                Err(Error::MatchUnreadable { .. }) => {
                    Some(Found::Unreadable(row.match_id, row.recorded.position))
                }
                redacted => redacted?.map(|it| Found::Entry(Box::new(it))),
            };
            let (window, mark) = read.get_mut(&row.bucket).expect("each entry is of a window");
            // What is told after the fact has passed nothing.
            if row.taken_over.is_none_or(|it| row.recorded.position >= it) {
                *mark = row.recorded.mark();
            }
            window.found.extend(found.map(|found| (*mark, found)));
        }
        Ok(read.into_values().map(|(window, _)| window).collect())
    }

    /// A player who took over a seat is told the match from its first entry on, at the entry of the
    /// take-over: so every stream tells it the same, whenever it passes that entry.
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
                        self.matches.0.store.entries(row.match_id, Position::START, before);
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

    /// Opens what was said in these entries. Where nothing was, this costs nothing.
    async fn open(
        &self,
        rows: &[Streamed],
        decoded: &mut [Result<RecordedEntry, Error>],
    ) -> Result<(), Error> {
        let is_sealed =
            |it: &Result<RecordedEntry, Error>| it.as_ref().is_ok_and(|it| it.entry.is_sealed());
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

    /// The redacted entry, if it passes the filter.
    fn redact(
        &self,
        row: &Streamed,
        recorded: &RecordedEntry,
    ) -> Result<Option<RedactedEntry>, Error> {
        let game = game_of(&row.game)?;
        if !self.verbs.is_empty() && self.verbs.iter().all(|verb| verb != recorded.entry.verb) {
            return Ok(None);
        }
        let viewer = match row.seat {
            Some(seat) => Viewer::Seat(seat_of(seat)),
            // The player was erased while the entry was read.
            None if self.scope.tells_seat => return Ok(None),
            None if self.revealed.contains(&row.match_id) => Viewer::House,
            None => Viewer::Spectator,
        };
        Ok(Some(RedactedEntry::redact(row.match_id, game, recorded, viewer)))
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
        let reading = self.matches.0.store.last_entries(&unknown);
        for last in self.matches.in_lane_of_streams(&self.scope.platform, reading).await? {
            let game = game_of(games[&last.match_id]);
            let recorded = game.and_then(|game| RecordedEntry::decode(&last.recorded, game));
            // What cannot be read is not known to be revealed.
            let Ok(recorded) = recorded else { continue };
            if reveal::check(last.reveal_wait_s, recorded.end_time()).is_ok() {
                self.revealed.insert(last.match_id);
            }
        }
        Ok(())
    }

    async fn wait(&mut self, until: Option<Instant>) -> Result<(), Error> {
        let drain = self.matches.0.drain.clone();
        let heartbeat = self.returned + self.heartbeat;
        let wake = until.map_or(heartbeat, |until| until.min(heartbeat));
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

/// Something that produces the batches of a stream.
pub(crate) trait BatchSource: Send + 'static {
    fn next(&mut self) -> impl Future<Output = Result<Batch, Error>> + Send;
    /// The position to resume from before the first batch.
    fn at(&self) -> Marks;
    /// Called once when the stream ends, for whatever reason.
    fn close(self) -> impl Future<Output = ()> + Send;
}

impl BatchSource for LogReader {
    async fn next(&mut self) -> Result<Batch, Error> {
        Ok(LogReader::next(self, None).await?.expect("only `until` ends the wait without a batch"))
    }

    fn at(&self) -> Marks {
        self.assignment.at()
    }

    async fn close(self) {}
}

/// Runs `source` in a task of its own and returns its batches as a stream. The source is at most a
/// few batches ahead of the client. A client that accepts none for `take_wait` gets
/// [`Error::SlowConsumer`] and must resume, so that nothing is held for it.
///
/// `open` counts the stream, together with whatever else ends with it.
pub(crate) fn spawn_stream<Open: Send + 'static>(
    mut source: impl BatchSource,
    take_wait: Duration,
    open: Open,
) -> BatchStream {
    let (sender, receiver) = mpsc::channel(READY_MAX);
    tokio::spawn(async move {
        let _open = open;
        let mut at = source.at();
        let error = loop {
            let batch = tokio::select! {
                () = sender.closed() => break None,
                batch = source.next() => batch,
            };
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => break Some(error),
            };
            match tokio::time::timeout(take_wait, sender.reserve()).await {
                Err(_) => break Some(Error::SlowConsumer),
                Ok(Err(_)) => break None,
                Ok(Ok(slot)) => {
                    at = batch.at;
                    slot.send(Ok(batch));
                }
            }
        };
        let reread = source.at();
        // Before the error is sent, so that other consumers can take over at once.
        source.close().await;
        if let Some(error) = error {
            if matches!(error, Error::RecordWentBack { .. }) {
                at = reread;
            }
            let _ = sender.send(Err(StreamError { error, at })).await;
        }
    });
    Box::pin(ReceiverStream::new(receiver))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leased(buckets: &[(usize, i64)]) -> Vec<Leased> {
        let bucket = |n: usize| Bucket::all().nth(n).expect("there are more buckets");
        let leased = buckets.iter();
        leased.map(|&(n, acknowledged)| Leased { bucket: bucket(n), acknowledged }).collect()
    }

    fn windows(assignment: &Assignment, heads: &[i64; BUCKETS]) -> Vec<(usize, i64, i64)> {
        let heads = heads.map(|position| Mark::new(position, None));
        let windows = assignment.windows(&heads).into_iter();
        windows.map(|it| (it.bucket.index(), it.after, it.until)).collect()
    }

    #[test]
    fn only_assigned_buckets_that_are_behind_are_read() {
        let assignment = Assignment::new(&leased(&[(1, 5), (2, 7)]));
        let mut heads = [9; BUCKETS];
        heads[2] = 7;
        assert_eq!(windows(&assignment, &heads), [(1, 5, 9)]);
    }

    #[test]
    fn a_read_is_bounded_and_shared_by_the_buckets() {
        let assignment = Assignment::new(&leased(&[(1, 0), (2, 0)]));
        let half = READ_MAX as i64 / 2;
        let heads = [READ_MAX as i64; BUCKETS];
        assert_eq!(windows(&assignment, &heads), [(1, 0, half), (2, 0, half)]);
    }

    #[test]
    fn a_bucket_that_stays_assigned_continues_where_it_is() {
        let mut assignment = Assignment::new(&leased(&[(1, 5), (2, 5)]));
        assignment.at[1] = Mark::new(8, None);
        assignment.assign(&leased(&[(1, 6), (3, 4)]));
        assert_eq!(windows(&assignment, &[9; BUCKETS]), [(1, 8, 9), (3, 4, 9)]);
        assert_eq!(assignment.at()[2].position, 0, "a bucket that is not assigned has no position");
        assignment.assign(&leased(&[(1, 9), (2, 6)]));
        assert_eq!(assignment.at()[1].position, 9, "another consumer acknowledged more");
        let again = assignment.at()[2].position;
        assert_eq!(again, 6, "assigned again, it starts from what is acknowledged");
    }

    /// Sends numbered batches; the position of bucket 0 is the number.
    struct Numbers {
        sent: i64,
        closed: Option<tokio::sync::oneshot::Sender<()>>,
        fails_after: i64,
    }

    impl BatchSource for Numbers {
        async fn next(&mut self) -> Result<Batch, Error> {
            if self.sent == self.fails_after {
                return Err(Error::ShuttingDown);
            }
            self.sent += 1;
            Ok(Batch::empty(self.at()))
        }

        fn at(&self) -> Marks {
            let mut at = [Mark::default(); BUCKETS];
            at[0] = Mark::new(self.sent, None);
            at
        }

        async fn close(mut self) {
            self.closed.take().expect("it closes once").send(()).expect("the test waits");
        }
    }

    fn numbers(fails_after: i64) -> (Numbers, tokio::sync::oneshot::Receiver<()>) {
        let (closed, is_closed) = tokio::sync::oneshot::channel();
        (Numbers { sent: 0, closed: Some(closed), fails_after }, is_closed)
    }

    #[tokio::test]
    async fn an_error_ends_a_stream_with_the_position_of_the_last_batch() {
        use futures::StreamExt;
        let (source, is_closed) = numbers(2);
        let batches: Vec<_> = spawn_stream(source, Duration::from_secs(60), ()).collect().await;
        is_closed.await.expect("the source is closed");
        let at: Vec<i64> = batches.iter().flatten().map(|batch| batch.at[0].position).collect();
        assert_eq!(at, [1, 2]);
        let Some(Err(StreamError { error: Error::ShuttingDown, at })) = batches.last() else {
            panic!("the error of the source comes last");
        };
        assert_eq!(at[0].position, 2);
    }

    #[tokio::test]
    async fn a_client_that_accepts_no_batch_in_time_must_resume_after_the_last_one() {
        use futures::StreamExt;
        let (source, is_closed) = numbers(i64::MAX);
        let stream = spawn_stream(source, Duration::from_millis(1), ());
        is_closed.await.expect("the source is closed before the client reads");
        let batches: Vec<_> = stream.collect().await;
        assert_eq!(batches.len(), READY_MAX + 1);
        let Some(Err(StreamError { error: Error::SlowConsumer, at })) = batches.last() else {
            panic!("the client was too slow");
        };
        assert_eq!(at[0].position, READY_MAX as i64);
    }

    #[tokio::test]
    async fn a_client_that_disconnects_closes_the_source() {
        let (source, is_closed) = numbers(i64::MAX);
        drop(spawn_stream(source, Duration::from_secs(60), ()));
        is_closed.await.expect("the source is closed");
    }
}
