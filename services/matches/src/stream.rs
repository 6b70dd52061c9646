//! All that a platform's matches have to tell, as one stream: history, then what happens, each
//! entry once.
//!
//! A stream stands at a position of every bucket and reads the log from there; what other parts of
//! the service know in memory only tells it when to look. So history and the present are one thing,
//! and there is no seam where an entry could be lost or told twice.

use std::collections::{HashMap, HashSet, VecDeque};
use std::pin::Pin;
use std::time::Duration;

use futures::Stream;
use store::{BUCKETS, Bucket, Heads, Leased, MatchId, Scope, Streamed, Tags, Window};
use table::Viewer;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_stream::wrappers::ReceiverStream;

use crate::rows::RecordedEntry;
use crate::tags::check_tags;
use crate::{Caller, Error, Matches, RedactedEntry, reveal};

/// Positions passed in one read, over all buckets: some hundred kilobytes of the log.
const READ_MAX: usize = 4096;

/// Entries sent at a time. As they are named on the wire they have a kilobyte each, or ten for a
/// set-up, and common clients take messages of four megabytes.
const BATCH_MAX: usize = 256;

/// Batches that wait for the client to take them; the client's own connection holds some more.
const READY_MAX: usize = 2;

/// Matches of which a stream remembers that they are revealed.
const REVEALED_MAX: usize = 10_000;

/// Which entries a stream tells; what is empty asks for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    pub games: Vec<String>,
    pub verbs: Vec<String>,
    pub players: Vec<String>,
    /// Matches that have all of these as the stream reads their entries.
    pub tags: Tags,
    /// Whether matches that are revealed are told whole.
    pub is_whole: bool,
}

#[derive(Clone, Debug)]
pub enum Start {
    Beginning,
    Now,
    After(Box<Heads>),
}

/// What client and stream expect of each other.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// How often a silent stream gives a sign.
    pub heartbeat: Duration,
    /// How long the client may take to take a batch.
    pub take_wait: Duration,
}

/// Some entries of a stream, each with the eyes that it is told to; none in a sign that the stream
/// is alive.
#[derive(Clone, Debug)]
pub struct Batch {
    pub entries: Vec<(RedactedEntry, Viewer)>,
    /// Where to go on after these.
    pub at: Heads,
}

/// Why a stream ended, and where to go on.
#[derive(Debug)]
pub struct Broken {
    pub error: Error,
    pub at: Heads,
}

pub type BatchStream = Pin<Box<dyn Stream<Item = Result<Batch, Broken>> + Send>>;

impl Matches {
    /// The entries of all matches of the caller's platform.
    pub async fn stream(
        &self,
        caller: &Caller,
        filter: Choice,
        start: Start,
        terms: Terms,
    ) -> Result<BatchStream, Error> {
        let platform = caller.platform()?;
        check_tags(&filter.tags)?;
        let at = self.starts(start).await?;
        let whole = Bucket::all().map(|bucket| Leased { bucket, acknowledged: at[bucket.index()] });
        let share = Share::new(&whole.collect::<Vec<_>>());
        let follower = Follower::new(self, platform, filter, share, terms.heartbeat);
        Ok(pumped(follower, terms.take_wait))
    }

    /// The positions to start after.
    pub(crate) async fn starts(&self, start: Start) -> Result<Heads, Error> {
        // The record itself is asked: what this process knows of other processes' entries may be a
        // moment old.
        let heads = self.0.store.bucket_heads().await?;
        match start {
            Start::Beginning => Ok([0; BUCKETS]),
            Start::Now => Ok(heads),
            Start::After(at) if at.iter().zip(&heads).all(|(at, head)| at <= head) => Ok(*at),
            Start::After(_) => Err(Error::CursorAhead),
        }
    }
}

/// What a stream reads: which buckets, and how far it is in each.
pub(crate) struct Share {
    /// Read up to here.
    at: Heads,
    held: [bool; BUCKETS],
}

impl Share {
    pub(crate) fn new(leased: &[Leased]) -> Share {
        let mut share = Share { at: [0; BUCKETS], held: [false; BUCKETS] };
        share.hold(leased);
        share
    }

    pub(crate) fn at(&self) -> Heads {
        self.at
    }

    /// Holds these buckets and no others. One that was held already goes on where it is.
    pub(crate) fn hold(&mut self, leased: &[Leased]) {
        let before = std::mem::replace(&mut self.held, [false; BUCKETS]);
        for Leased { bucket, acknowledged } in leased {
            let (n, was_held) = (bucket.index(), before[bucket.index()]);
            self.held[n] = true;
            self.at[n] = if was_held { self.at[n].max(*acknowledged) } else { *acknowledged };
        }
        for n in (0..BUCKETS).filter(|&n| !self.held[n]) {
            self.at[n] = 0;
        }
    }

    /// What there is to read: some of each bucket that is behind.
    fn windows(&self, heads: &Heads) -> Vec<Window> {
        let behind = |bucket: &Bucket| {
            let n = bucket.index();
            self.held[n] && self.at[n] < heads[n]
        };
        let buckets: Vec<Bucket> = Bucket::all().filter(behind).collect();
        let each = READ_MAX.div_ceil(buckets.len().max(1)) as i64;
        let window = |bucket: Bucket| {
            let (after, head) = (self.at[bucket.index()], heads[bucket.index()]);
            Window { bucket, after, until: head.min(after + each) }
        };
        buckets.into_iter().map(window).collect()
    }
}

/// Reads the log behind what was told, and waits at its end.
pub(crate) struct Follower {
    matches: Matches,
    scope: Scope,
    verbs: Vec<String>,
    is_whole: bool,
    pub(crate) share: Share,
    heartbeat: Duration,
    news: watch::Receiver<()>,
    /// Read and not sent yet.
    ready: VecDeque<Batch>,
    sent: Instant,
    revealed: HashSet<MatchId>,
}

impl Follower {
    pub(crate) fn new(
        matches: &Matches,
        platform: &str,
        filter: Choice,
        share: Share,
        heartbeat: Duration,
    ) -> Follower {
        let Choice { games, verbs, players, tags, is_whole } = filter;
        Follower {
            matches: matches.clone(),
            scope: Scope { platform: platform.to_owned(), games, players, tags },
            verbs,
            is_whole,
            share,
            heartbeat,
            news: matches.0.store.news(),
            ready: VecDeque::new(),
            sent: Instant::now(),
            revealed: HashSet::new(),
        }
    }

    /// The next batch, or a sign of life when it is time for one; none if `until` comes first.
    pub(crate) async fn next(&mut self, until: Option<Instant>) -> Result<Option<Batch>, Error> {
        loop {
            if until.is_some_and(|until| until <= Instant::now()) {
                return Ok(None);
            }
            if let Some(batch) = self.ready.pop_front() {
                self.sent = Instant::now();
                return Ok(Some(batch));
            }
            if self.sent.elapsed() >= self.heartbeat {
                self.sent = Instant::now();
                return Ok(Some(Batch { entries: Vec::new(), at: self.share.at }));
            }
            // Seen before the heads are: what comes in between is news.
            self.news.borrow_and_update();
            let windows = self.share.windows(&self.matches.0.store.known_heads());
            if windows.is_empty() {
                self.wait(until).await?;
            } else {
                self.read(&windows).await?;
            }
        }
    }

    async fn read(&mut self, windows: &[Window]) -> Result<(), Error> {
        let rows = self.matches.0.store.windows(windows, &self.scope).await?;
        if self.is_whole {
            self.find_revealed(&rows).await?;
        }
        let (mut rows, mut at, mut entries) = (rows.iter().peekable(), self.share.at, Vec::new());
        for window in windows {
            while let Some(row) = rows.next_if(|row| row.bucket == window.bucket) {
                at[window.bucket.index()] = row.recorded.bucket_position;
                entries.extend(self.redact(row)?);
                if entries.len() == BATCH_MAX {
                    self.ready.push_back(Batch { entries: std::mem::take(&mut entries), at });
                }
            }
            at[window.bucket.index()] = window.until;
        }
        if !entries.is_empty() {
            self.ready.push_back(Batch { entries, at });
        }
        self.share.at = at;
        Ok(())
    }

    /// The entry as its reader may know it, if it is one of those asked for.
    fn redact(&self, row: &Streamed) -> Result<Option<(RedactedEntry, Viewer)>, Error> {
        let game = games::find(&row.game);
        let game =
            game.ok_or_else(|| Error::Internal(format!("no rules for {:?}", row.game).into()))?;
        let placed = RecordedEntry::decode(&row.recorded, game)?;
        if !self.verbs.is_empty() && self.verbs.iter().all(|verb| verb != placed.entry.verb) {
            return Ok(None);
        }
        let is_revealed = self.revealed.contains(&row.match_id);
        let viewer = if is_revealed { Viewer::House } else { Viewer::Spectator };
        Ok(Some((RedactedEntry::seen(row.match_id, game, &placed, viewer), viewer)))
    }

    /// Finds out which of these entries' matches are revealed by now.
    async fn find_revealed(&mut self, rows: &[Streamed]) -> Result<(), Error> {
        if self.revealed.len() > REVEALED_MAX {
            self.revealed.clear();
        }
        let games: HashMap<MatchId, &str> =
            rows.iter().map(|row| (row.match_id, row.game.as_str())).collect();
        let unsure: Vec<MatchId> =
            games.keys().filter(|it| !self.revealed.contains(it)).copied().collect();
        for last in self.matches.0.store.lasts(&unsure).await? {
            let game = games::find(games[&last.match_id]);
            let game = game.ok_or_else(|| Error::Internal("no rules for a match".into()))?;
            let placed = RecordedEntry::decode(&last.recorded, game)?;
            if reveal::check(last.reveal_wait_s, placed.end_time()).is_ok() {
                self.revealed.insert(last.match_id);
            }
        }
        Ok(())
    }

    async fn wait(&mut self, until: Option<Instant>) -> Result<(), Error> {
        let drain = self.matches.0.drain.clone();
        let sign = self.sent + self.heartbeat;
        tokio::select! {
            () = drain.cancelled() => Err(Error::ShuttingDown),
            news = self.news.changed() => {
                news.expect("the log is held");
                Ok(())
            }
            () = tokio::time::sleep_until(until.map_or(sign, |until| until.min(sign))) => Ok(()),
        }
    }
}

/// Something that goes on telling.
pub(crate) trait Teller: Send + 'static {
    fn next(&mut self) -> impl Future<Output = Result<Batch, Error>> + Send;
    /// Where to go on if nothing is told.
    fn at(&self) -> Heads;
    /// Nobody listens any more.
    fn leave(self) -> impl Future<Output = ()> + Send;
}

impl Teller for Follower {
    async fn next(&mut self) -> Result<Batch, Error> {
        Ok(Follower::next(self, None).await?.expect("nothing else was waited for"))
    }

    fn at(&self) -> Heads {
        self.share.at()
    }

    async fn leave(self) {}
}

/// The teller's batches as a stream. It works ahead by a few and no more; a client that takes none
/// for `take_wait` is told to come back, so that nothing is held for it.
pub(crate) fn pumped(mut teller: impl Teller, take_wait: Duration) -> BatchStream {
    let (outlet, inlet) = mpsc::channel(READY_MAX);
    tokio::spawn(async move {
        let mut at = teller.at();
        let error = loop {
            let batch = tokio::select! {
                () = outlet.closed() => break None,
                batch = teller.next() => batch,
            };
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => break Some(error),
            };
            match tokio::time::timeout(take_wait, outlet.reserve()).await {
                Err(_) => break Some(Error::SlowConsumer),
                Ok(Err(_)) => break None,
                Ok(Ok(room)) => {
                    at = batch.at;
                    room.send(Ok(batch));
                }
            }
        };
        // First of all, so that others can go on at once.
        teller.leave().await;
        if let Some(error) = error {
            let _ = outlet.send(Err(Broken { error, at })).await;
        }
    });
    Box::pin(ReceiverStream::new(inlet))
}
