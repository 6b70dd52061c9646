//! Waiting until a read model includes what a caller has seen.
//!
//! All callers of a process share one poll: while any waits, a few queries a round ask for all of
//! them, however many there are.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use sqlx::Row;
use store::{BUCKETS, Bucket, Heads, MatchId, OfMatches, Position, Store, of_matches};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::ConsistencyToken;
use crate::{Error, Handle, Model};

/// How long a read waits until the model includes its consistency token. A projector that keeps up
/// needs a tenth of a second.
const CONSISTENCY_WAIT: Duration = Duration::from_secs(3);
/// The pause between rounds.
const CONSISTENCY_PAUSE: Duration = Duration::from_millis(10);
/// Callers that may wait; more are refused.
const WAITING_MAX: usize = 4096;

/// Cheap to clone.
#[derive(Clone)]
pub(super) struct Progress(Arc<Inner>);

struct Inner {
    store: Store,
    handle: Handle,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// How many wait, those included that the poll works on.
    count: usize,
    is_polled: bool,
}

struct Waiting {
    platform: String,
    model: Model,
    token: Token,
    is_ingested: bool,
    until: Instant,
    reply: oneshot::Sender<Result<bool, Error>>,
}

enum Token {
    /// An entry, and its bucket position once it is known.
    Entry(MatchId, Position, Option<i64>),
    Stream(Box<Heads>),
}

/// By model, how far it has read in each bucket.
type Checkpoints = HashMap<String, Heads>;

impl Progress {
    pub fn new(store: &Store, handle: Handle) -> Progress {
        Progress(Arc::new(Inner { store: store.clone(), handle, queue: Mutex::default() }))
    }

    /// Waits until a model includes a consistency token. Returns false if it does not in time.
    pub async fn reaches(
        &self,
        platform: &str,
        model: Model,
        token: &ConsistencyToken,
    ) -> Result<bool, Error> {
        let token = match token {
            ConsistencyToken::Entry(match_id, position) => Token::Entry(*match_id, *position, None),
            ConsistencyToken::Stream(claims) => Token::Stream(Box::new(claims.positions())),
        };
        let (reply, answer) = oneshot::channel();
        let waiting = Waiting {
            platform: platform.to_owned(),
            model,
            token,
            is_ingested: false,
            until: Instant::now() + CONSISTENCY_WAIT,
            reply,
        };
        if self.join(waiting)? {
            tokio::spawn(Poll { progress: self.clone(), has_ended: false }.run());
        }
        answer.await.unwrap_or(Err(Error::Store(store::Error::TimedOut)))
    }

    /// Returns whether a poll must be started.
    fn join(&self, waiting: Waiting) -> Result<bool, Error> {
        let mut queue = self.lock();
        if queue.count >= WAITING_MAX {
            return Err(Error::Store(store::Error::Busy));
        }
        queue.count += 1;
        queue.waiting.push(waiting);
        Ok(!std::mem::replace(&mut queue.is_polled, true))
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().expect("no holder of this lock panics")
    }
}

/// The one poll of a process. If it is dropped, its callers get an error, and the next one starts
/// another.
struct Poll {
    progress: Progress,
    has_ended: bool,
}

impl Drop for Poll {
    fn drop(&mut self) {
        if !self.has_ended {
            *self.progress.lock() = Queue::default();
        }
    }
}

impl Poll {
    async fn run(mut self) {
        let mut waiting = Vec::new();
        loop {
            {
                let mut queue = self.progress.lock();
                waiting.append(&mut queue.waiting);
                waiting.retain(|it: &Waiting| !it.reply.is_closed());
                queue.count = waiting.len();
                if waiting.is_empty() {
                    // Under this lock, so that nobody joins a poll that is about to end.
                    queue.is_polled = false;
                    drop(queue);
                    self.has_ended = true;
                    return;
                }
            }
            waiting = match round(&self.progress.0.store, &mut waiting).await {
                Ok(reached) => answer(waiting, &reached),
                Err(error) => fail(waiting, &error),
            };
            if !waiting.is_empty() {
                self.progress.0.handle.wake();
                tokio::time::sleep(CONSISTENCY_PAUSE).await;
            }
        }
    }
}

/// Answers the callers whose model has reached their token, and those whose time is up. Returns the
/// others.
fn answer(waiting: Vec<Waiting>, reached: &HashSet<usize>) -> Vec<Waiting> {
    let now = Instant::now();
    let mut left = Vec::new();
    for (number, it) in waiting.into_iter().enumerate() {
        let is_reached = reached.contains(&number);
        if is_reached || it.until < now {
            let _ = it.reply.send(Ok(is_reached));
        } else {
            left.push(it);
        }
    }
    left
}

fn fail(waiting: Vec<Waiting>, error: &store::Error) -> Vec<Waiting> {
    for it in waiting {
        let _ = it.reply.send(Err(Error::Store(error.clone())));
    }
    Vec::new()
}

/// Asks for all of them at once. Returns the numbers of those whose model has reached their token.
async fn round(store: &Store, waiting: &mut [Waiting]) -> Result<HashSet<usize>, store::Error> {
    find_entries(store, waiting).await?;
    let checkpoints = checkpoints(store).await?;
    for it in waiting.iter_mut().filter(|it| !it.is_ingested) {
        let checkpoints = checkpoints.get(it.model.name());
        it.is_ingested = checkpoints.is_some_and(|checkpoints| it.token.is_before(checkpoints));
    }
    let ingested = waiting.iter().enumerate().filter(|(_, it)| it.is_ingested);
    let mut reached: HashSet<usize> = ingested.map(|(number, _)| number).collect();
    // The standings are settled after results were ingested.
    let unsettled = unsettled(store, waiting).await?;
    reached.retain(|number| !unsettled.contains(number));
    Ok(reached)
}

impl Token {
    fn is_before(&self, checkpoints: &Heads) -> bool {
        match self {
            Token::Entry(match_id, _, Some(at)) => {
                checkpoints[Bucket::of(*match_id).index()] >= *at
            }
            Token::Entry(_, _, None) => false,
            Token::Stream(heads) => heads.iter().zip(checkpoints).all(|(head, at)| at >= head),
        }
    }
}

/// Finds the bucket positions of the entries that were not found before.
async fn find_entries(store: &Store, waiting: &mut [Waiting]) -> Result<(), store::Error> {
    let unknown = waiting.iter().enumerate().filter_map(|(number, it)| match it.token {
        Token::Entry(match_id, position, None) => Some((number, match_id, position)),
        Token::Entry(_, _, Some(_)) | Token::Stream(_) => None,
    });
    let unknown: Vec<(usize, MatchId, Position)> = unknown.collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let rows: Vec<(i64, i64)> = sqlx::query_as(
        "select number, bucket_position
         from unnest($1::smallint[], $2::uuid[], $3::int8[], $4::int8[])
             as sought (bucket, match_id, position, number)
         join entries using (bucket, match_id, position)",
    )
    .bind(unknown.iter().map(|it| Bucket::of(it.1)).collect::<Vec<_>>())
    .bind(unknown.iter().map(|it| it.1).collect::<Vec<_>>())
    .bind(unknown.iter().map(|it| it.2).collect::<Vec<_>>())
    .bind(unknown.iter().map(|it| it.0 as i64).collect::<Vec<_>>())
    .fetch_all(store.pool())
    .await?;
    for (number, bucket_position) in rows {
        if let Token::Entry(_, _, at) = &mut waiting[number as usize].token {
            *at = Some(bucket_position);
        }
    }
    Ok(())
}

/// How far the current generation of each model has read.
async fn checkpoints(store: &Store) -> Result<Checkpoints, store::Error> {
    let rows = sqlx::query(
        "select model, checkpoints.bucket, bucket_position
         from projections
         join checkpoints using (model, generation)
         where projections.bucket = 0",
    )
    .fetch_all(store.pool())
    .await?;
    let mut checkpoints = Checkpoints::new();
    for row in rows {
        let bucket: Bucket = row.try_get(1)?;
        let heads = checkpoints.entry(row.try_get(0)?).or_insert([0; BUCKETS]);
        heads[bucket.index()] = row.try_get(2)?;
    }
    Ok(checkpoints)
}

/// Of the callers that wait for standings and whose entries are ingested: the numbers of those
/// whose results are not settled yet. Results after a stream's position are ignored: a busy
/// platform always has some that are unsettled.
async fn unsettled(store: &Store, waiting: &[Waiting]) -> Result<HashSet<usize>, store::Error> {
    let (mut entries, mut streams) = (Vec::new(), Vec::new());
    for (number, it) in waiting.iter().enumerate() {
        match (&it.token, it.model, it.is_ingested) {
            (_, Model::Matches | Model::Holdings, _) | (_, _, false) => {}
            (Token::Entry(match_id, ..), Model::Players, true) => entries.push((number, *match_id)),
            (Token::Stream(heads), Model::Players, true) => {
                streams.push((number, &it.platform, heads));
            }
        }
    }
    let mut unsettled: HashSet<usize> = HashSet::new();
    if !entries.is_empty() {
        let match_ids: Vec<MatchId> = entries.iter().map(|it| it.1).collect();
        let found: Vec<(MatchId,)> = store.of_matches(UNSETTLED, &match_ids, None).await?;
        let found: HashSet<MatchId> = found.into_iter().map(|(match_id,)| match_id).collect();
        let its = entries.iter().filter(|(_, match_id)| found.contains(match_id));
        unsettled.extend(its.map(|(number, _)| number));
    }
    if !streams.is_empty() {
        let found: Vec<(String, Bucket, i64)> = sqlx::query_as(
            "select its.platform, its.bucket, min(last.bucket_position)
             from (
                 select distinct platform, bucket, match_id
                 from results
                 where platform = any($1) and mean is null
             ) as its
             cross join lateral (
                 select bucket_position
                 from entries
                 where entries.bucket = its.bucket and entries.match_id = its.match_id
                 order by position desc
                 limit 1
             ) as last
             group by its.platform, its.bucket",
        )
        .bind(streams.iter().map(|it| it.1.as_str()).collect::<Vec<_>>())
        .fetch_all(store.pool())
        .await?;
        for (number, platform, heads) in streams {
            let includes = |bucket: &Bucket, last: &i64| heads[bucket.index()] >= *last;
            let mut its = found.iter().filter(|it| it.0 == *platform);
            if its.any(|(_, bucket, last)| includes(bucket, last)) {
                unsettled.insert(number);
            }
        }
    }
    Ok(unsettled)
}

const UNSETTLED: OfMatches = of_matches!(
    "select distinct match_id
     from results
     where",
    "and mean is null"
);
