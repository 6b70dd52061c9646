//! Batched reads: many callers share few queries.
//!
//! Keys that arrive at a [`BatchLoader`] while a query runs are loaded by the next query. There is
//! no timer, so a lone key is loaded at once, and under load more callers share a query.
//!
//! Keys of different lanes share no query and no queue, so that the keys of one node of the
//! database do not wait for those of another.

use crate::Error;
use std::collections::HashMap;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// Loads values by key, combining the keys of concurrent callers.
pub struct BatchLoader<Key, Value> {
    lane_of: Box<dyn Fn(&Key) -> usize + Send + Sync>,
    begin: Box<dyn Fn() -> Queue<Key, Value> + Send + Sync>,
    lanes: StdMutex<HashMap<usize, Queue<Key, Value>>>,
    /// Cancelled when one of its tasks ends, which should not happen while the loader exists.
    ended: CancellationToken,
}

type Queue<Key, Value> = mpsc::Sender<Request<Key, Value>>;

/// A key, and the channel for its value.
type Request<Key, Value> = (Key, oneshot::Sender<Result<Value, Error>>);

/// The value of each key.
pub type Answers<Value> = Vec<Result<Value, Error>>;

/// The maximum number of waiting keys, about a tenth of a second's work; more are refused.
const QUEUE_MAX: usize = 4096;
/// The maximum number of keys in a query: enough to spread its cost, few enough that no caller
/// waits long for others' rows.
const BATCH_MAX: usize = 64;
/// The number of concurrent queries: several, so that a large result delays few callers.
pub(crate) const QUERIES_MAX: usize = 3;
/// The timeout of an answer. It is longer than the statement timeout, so a connection without an
/// answer is dead.
const ANSWER_WAIT: Duration = Duration::from_secs(8);

impl<Key: Clone + Send + Sync + 'static, Value: Send + 'static> BatchLoader<Key, Value> {
    /// `query` loads the values of the given keys, in the keys' order. It may fail as a whole or
    /// for some keys.
    pub fn new<Loading>(query: impl Fn(Vec<Key>) -> Loading + Clone + Send + Sync + 'static) -> Self
    where
        Loading: Future<Output = Result<Answers<Value>, Error>> + Send + 'static,
    {
        Self::in_lanes(|_| 0, query)
    }

    /// The same with a lane for each value of `lane_of`.
    pub fn in_lanes<Loading>(
        lane_of: impl Fn(&Key) -> usize + Send + Sync + 'static,
        query: impl Fn(Vec<Key>) -> Loading + Clone + Send + Sync + 'static,
    ) -> Self
    where
        Loading: Future<Output = Result<Answers<Value>, Error>> + Send + 'static,
    {
        let ended = CancellationToken::new();
        let of_lane = ended.clone();
        // A lane begins with its first key, and runs where the loader was made.
        let runtime = Handle::current();
        let begin = move || {
            let (queue, requests) = mpsc::channel(QUEUE_MAX);
            let requests = Arc::new(Mutex::new(requests));
            for _ in 0..QUERIES_MAX {
                let work = work(requests.clone(), query.clone());
                let guard = of_lane.clone().drop_guard();
                #[expect(clippy::disallowed_methods, reason = "`ended` tells when one has ended")]
                runtime.spawn(async move {
                    let _guard = guard;
                    work.await;
                });
            }
            queue
        };
        let lanes = StdMutex::default();
        Self { lane_of: Box::new(lane_of), begin: Box::new(begin), lanes, ended }
    }

    /// Returns when one of the loader's tasks has ended, by a panic.
    pub async fn ended(&self) {
        self.ended.cancelled().await;
    }

    /// Fails with [`Error::Busy`] if too many keys are waiting.
    pub async fn load(&self, key: Key) -> Result<Value, Error> {
        let (reply, value) = oneshot::channel();
        let lane = (self.lane_of)(&key);
        let queue = {
            let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
            lanes.entry(lane).or_insert_with(|| (self.begin)()).clone()
        };
        queue.try_send((key, reply)).map_err(|_| Error::Busy)?;
        value.await.unwrap_or(Err(Error::TimedOut))
    }
}

/// Loads batch after batch until the loader is dropped.
async fn work<Key: Clone, Value, Loading>(
    requests: Arc<Mutex<mpsc::Receiver<Request<Key, Value>>>>,
    query: impl Fn(Vec<Key>) -> Loading,
) where
    Loading: Future<Output = Result<Answers<Value>, Error>>,
{
    loop {
        let mut batch = Vec::new();
        if requests.lock().await.recv_many(&mut batch, BATCH_MAX).await == 0 {
            return;
        }
        // Callers that have given up need no value.
        batch.retain(|(_, reply)| !reply.is_closed());
        if batch.is_empty() {
            continue;
        }
        let (keys, replies): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let loading = retry_lost_connections(|| query(keys.clone()));
        match timeout(ANSWER_WAIT, loading).await.unwrap_or(Err(Error::TimedOut)) {
            Ok(values) => replies.into_iter().zip(values).for_each(|(reply, value)| {
                let _ = reply.send(value);
            }),
            Err(error) => replies.into_iter().for_each(|reply| {
                let _ = reply.send(Err(error.clone()));
            }),
        }
    }
}

/// Repeats a query whose connection died while it was idle. The pool may hold as many dead
/// connections as there are concurrent queries; the attempt after those opens a new one.
async fn retry_lost_connections<Value, Loading>(query: impl Fn() -> Loading) -> Result<Value, Error>
where
    Loading: Future<Output = Result<Value, Error>>,
{
    for _ in 0..QUERIES_MAX {
        match query().await {
            Err(error) if error.is_connection_lost() => {}
            done => return done,
        }
    }
    query().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::join_all;
    use std::sync::Mutex as StdMutex;

    #[tokio::test]
    async fn keys_that_arrive_during_a_query_share_the_next_one() {
        let sizes = Arc::<StdMutex<Vec<usize>>>::default();
        let seen = sizes.clone();
        let loader = BatchLoader::new(move |keys: Vec<usize>| {
            seen.lock().unwrap().push(keys.len());
            async move {
                tokio::task::yield_now().await;
                Ok(keys.into_iter().map(|it| Ok(it * 2)).collect())
            }
        });
        let values = join_all((0..200).map(|it| loader.load(it))).await;
        for (it, value) in values.into_iter().enumerate() {
            assert_eq!(value.unwrap(), it * 2);
        }
        let sizes = sizes.lock().unwrap();
        assert_eq!(sizes.iter().sum::<usize>(), 200);
        assert!(sizes.len() < 10 && sizes.iter().all(|it| *it <= BATCH_MAX), "{sizes:?}");
    }

    #[tokio::test]
    async fn every_caller_of_a_failed_query_gets_the_error() {
        let loader = BatchLoader::new(|_: Vec<()>| async { Err::<Answers<()>, _>(Error::Busy) });
        for value in join_all((0..3).map(|_| loader.load(()))).await {
            assert!(matches!(value, Err(Error::Busy)));
        }
    }

    #[tokio::test]
    async fn a_query_on_dead_idle_connections_is_repeated() {
        let dead = Arc::new(StdMutex::new(QUERIES_MAX));
        let loader = BatchLoader::new(move |keys: Vec<()>| {
            let dead = dead.clone();
            async move {
                let mut dead = dead.lock().unwrap();
                if *dead > 0 {
                    *dead -= 1;
                    let reset = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
                    return Err(sqlx::Error::Io(reset).into());
                }
                Ok(keys.into_iter().map(Ok).collect())
            }
        });
        assert!(loader.load(()).await.is_ok());
    }

    #[tokio::test]
    async fn a_panic_of_a_query_ends_the_loader() {
        let loader = BatchLoader::new(|_: Vec<()>| async { panic!("a mistake") });
        let loaded: Result<(), _> = loader.load(()).await;
        assert!(matches!(loaded, Err(Error::TimedOut)));
        timeout(Duration::from_secs(60), loader.ended()).await.expect("it has ended");
    }

    #[tokio::test(start_paused = true)]
    async fn a_query_that_never_returns_times_out() {
        let loader =
            BatchLoader::new(|_: Vec<()>| std::future::pending::<Result<Answers<()>, _>>());
        assert!(matches!(loader.load(()).await, Err(Error::TimedOut)));
    }

    #[tokio::test]
    async fn a_full_queue_refuses_more_keys() {
        let loader =
            BatchLoader::new(|_: Vec<()>| std::future::pending::<Result<Answers<()>, _>>());
        let loading = join_all(
            (0..QUEUE_MAX + 1)
                .map(|_| async { timeout(Duration::from_millis(50), loader.load(())).await }),
        );
        let refused = loading.await.into_iter().filter(|it| matches!(it, Ok(Err(Error::Busy))));
        assert_eq!(refused.count(), 1);
    }
}
