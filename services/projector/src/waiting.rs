//! Waiting until a read model includes what a caller has seen.
//!
//! All callers of a process share one poll: while any waits, a few queries per round serve all of
//! them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use futures::future::BoxFuture;
use positions::{BUCKETS, Bucket, Heads, Position};
use rows::MatchId;
use sqlx::Row;
use store::Store;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::error::Error;
use crate::handle::Handle;
use crate::token::{ConsistencyToken, Token};

/// How long a read waits until the model includes its consistency token. A projector that keeps up
/// needs a tenth of a second.
const CONSISTENCY_WAIT: Duration = Duration::from_secs(3);
/// The pause between rounds.
const CONSISTENCY_PAUSE: Duration = Duration::from_millis(10);
/// Callers that may wait; more are refused.
const WAITING_MAX: usize = 4096;

/// The properties of a read model that waiting for it needs.
#[derive(Clone, Copy)]
pub(crate) struct Awaitable {
    /// The name of the model in checkpoints.
    pub name: &'static str,
    pub unsettled: Unsettled,
}

/// Returns the numbers of those tokens that a model does not include until it is settled. The
/// entries of all of them are ingested.
pub(crate) type Unsettled = for<'a> fn(
    &'a Store,
    &'a [Awaited<'a>],
) -> BoxFuture<'a, Result<HashSet<usize>, database::Error>>;

/// A token that a caller waits for, with the number of the caller.
pub(crate) struct Awaited<'a> {
    pub number: usize,
    pub platform: &'a str,
    pub token: &'a Token,
}

/// The callers of this process that wait. Cheap to clone.
#[derive(Clone)]
pub(crate) struct WaitingList(Arc<Inner>);

struct Inner {
    store: Store,
    handle: Handle,
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// How many callers wait, including those that the poll is working on.
    count: usize,
    is_polled: bool,
}

struct Waiting {
    platform: String,
    model: Awaitable,
    token: Token,
    is_ingested: bool,
    until: Instant,
    reply: oneshot::Sender<Result<bool, Error>>,
}

/// By model, how far it has read in each bucket.
type Checkpoints = HashMap<String, Heads>;

impl WaitingList {
    pub fn new(store: &Store, handle: Handle) -> WaitingList {
        WaitingList(Arc::new(Inner { store: store.clone(), handle, queue: Mutex::default() }))
    }

    /// Waits until a model includes a consistency token. Returns false if it does not in time.
    pub async fn reaches(
        &self,
        platform: &str,
        model: Awaitable,
        token: &ConsistencyToken,
    ) -> Result<bool, Error> {
        let (reply, answer) = oneshot::channel();
        let waiting = Waiting {
            platform: platform.to_owned(),
            model,
            token: Token::of(token),
            is_ingested: false,
            until: Instant::now() + CONSISTENCY_WAIT,
            reply,
        };
        if self.join(waiting)? {
            #[expect(
                clippy::disallowed_methods,
                reason = "it ends with its callers, and the next one starts another"
            )]
            tokio::spawn(Poll { list: self.clone(), has_ended: false }.run());
        }
        answer.await.unwrap_or(Err(Error::Database(database::Error::TimedOut)))
    }

    /// Returns whether a poll must be started.
    fn join(&self, waiting: Waiting) -> Result<bool, Error> {
        let mut queue = self.lock();
        if queue.count >= WAITING_MAX {
            return Err(Error::Database(database::Error::Busy));
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
    list: WaitingList,
    has_ended: bool,
}

impl Drop for Poll {
    fn drop(&mut self) {
        if !self.has_ended {
            *self.list.lock() = Queue::default();
        }
    }
}

impl Poll {
    async fn run(mut self) {
        let mut waiting = Vec::new();
        loop {
            {
                let mut queue = self.list.lock();
                waiting.append(&mut queue.waiting);
                waiting.retain(|it: &Waiting| !it.reply.is_closed());
                queue.count = waiting.len();
                if waiting.is_empty() {
                    // Under this lock, so that no caller joins a poll that is about to end.
                    queue.is_polled = false;
                    drop(queue);
                    self.has_ended = true;
                    return;
                }
            }
            waiting = match round(&self.list.0.store, &mut waiting).await {
                Ok(reached) => answer(waiting, &reached),
                Err(error) => fail(waiting, &error),
            };
            if !waiting.is_empty() {
                self.list.0.handle.wake();
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

fn fail(waiting: Vec<Waiting>, error: &database::Error) -> Vec<Waiting> {
    for it in waiting {
        let _ = it.reply.send(Err(Error::Database(error.clone())));
    }
    Vec::new()
}

/// Asks for all callers at once. Returns the numbers of those whose model has reached their token.
async fn round(store: &Store, waiting: &mut [Waiting]) -> Result<HashSet<usize>, database::Error> {
    find_entries(store, waiting).await?;
    let checkpoints = checkpoints(store).await?;
    for it in waiting.iter_mut().filter(|it| !it.is_ingested) {
        let checkpoints = checkpoints.get(it.model.name);
        it.is_ingested = checkpoints.is_some_and(|checkpoints| it.token.is_before(checkpoints));
    }
    let ingested = waiting.iter().enumerate().filter(|(_, it)| it.is_ingested);
    let mut reached: HashSet<usize> = ingested.map(|(number, _)| number).collect();
    let mut awaited: HashMap<&str, (Unsettled, Vec<Awaited>)> = HashMap::new();
    for (number, it) in waiting.iter().enumerate().filter(|(_, it)| it.is_ingested) {
        let of_model = awaited.entry(it.model.name);
        let (_, awaited) = of_model.or_insert_with(|| (it.model.unsettled, Vec::new()));
        awaited.push(Awaited { number, platform: &it.platform, token: &it.token });
    }
    for (unsettled, awaited) in awaited.values() {
        let unsettled = unsettled(store, awaited).await?;
        reached.retain(|number| !unsettled.contains(number));
    }
    Ok(reached)
}

/// Finds the bucket positions of the entries that were not found before.
async fn find_entries(store: &Store, waiting: &mut [Waiting]) -> Result<(), database::Error> {
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
    .fetch_all(store.database().pool_of_all())
    .await?;
    for (number, bucket_position) in rows {
        if let Token::Entry(_, _, at) = &mut waiting[number as usize].token {
            *at = Some(bucket_position);
        }
    }
    Ok(())
}

/// How far the current generation of each model has read.
async fn checkpoints(store: &Store) -> Result<Checkpoints, database::Error> {
    let rows = sqlx::query(
        "select model, checkpoints.bucket, bucket_position
         from projections
         join checkpoints using (model, generation)
         where projections.bucket = 0",
    )
    .fetch_all(store.database().pool_of_all())
    .await?;
    let mut checkpoints = Checkpoints::new();
    for row in rows {
        let bucket: Bucket = row.try_get(1)?;
        let heads = checkpoints.entry(row.try_get(0)?).or_insert([0; BUCKETS]);
        heads[bucket.index()] = row.try_get(2)?;
    }
    Ok(checkpoints)
}
