//! Projecting: each model follows the log on its own, so that one in trouble holds up no other.

use std::sync::Arc;
use std::time::Duration;

use log::{Bucket, Log};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::take::Taker;
use crate::{Error, Model};

/// How soon and in what portions.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How often the log is asked for news when there was none. Two small queries a model.
    pub poll_wait: Duration,
    /// How long entries gather before more of them are taken in, unless somebody waits for them. While matches are played fast, a
    /// match's rows are written once in this time and not with every action.
    pub gather_wait: Duration,
    /// Entries of a bucket taken in at a time.
    pub page: i64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            poll_wait: Duration::from_millis(100),
            gather_wait: Duration::from_millis(500),
            page: 500,
        }
    }
}

/// The projector. Any number of processes may run one; the checkpoints keep them apart.
pub struct Service {
    log: Log,
    options: Options,
    handle: Handle,
}

/// Wakes the projector of this process.
#[derive(Clone, Default)]
pub struct Handle {
    wanted: Arc<[Notify; Model::ALL.len()]>,
}

/// Before a model that failed is tried again.
const FAILED_WAIT: Duration = Duration::from_secs(1);

/// Accepting actions comes first, in the database too. Where entries arrive about as fast as a model takes them in, it is so much
/// longer at rest than at work, unless somebody waits for it: it falls behind rather than hold actions up, and catches up when
/// the house is quieter.
const REST: u32 = 9;
/// Entries arrive that fast if it is one for so many that are taken in.
const BUSY: i64 = 4;

/// A model that is further behind than this says so in the log of the service, now and then.
const LAG_MAX: i64 = 10_000;
const LAG_PAUSE: Duration = Duration::from_secs(10);

impl Service {
    pub fn new(log: &Log, options: Options, handle: Handle) -> Self {
        Self { log: log.clone(), options, handle }
    }

    /// Projects until `drain` is cancelled. What is being taken in then is taken in whole or not at all.
    pub async fn run(self, drain: CancellationToken) {
        let mut models: JoinSet<()> = Model::ALL
            .into_iter()
            .map(|model| {
                let taker = Taker::new(&self.log, model, None);
                follow(taker, self.options, self.handle.clone(), drain.clone())
            })
            .collect();
        while models.join_next().await.is_some() {}
    }
}

impl Handle {
    /// Somebody waits for the newest entries: look at once.
    pub fn wake(&self, model: Model) {
        self.wanted[model as usize].notify_one();
    }
}

async fn follow(mut taker: Taker, options: Options, handle: Handle, drain: CancellationToken) {
    let model = taker.model;
    let mut told = None;
    // By how many entries it was behind after the last round.
    let mut left = 0;
    loop {
        let began = tokio::time::Instant::now();
        let wait = match round(&mut taker, options.page).await {
            Ok(Round { taken: 0, .. }) => options.poll_wait,
            Ok(Round { taken, lag }) => {
                tell_lag(model, lag, &mut told);
                let arrived = lag - left;
                left = lag - taken;
                match (left > 0, BUSY * arrived > taken) {
                    (false, _) => options.gather_wait,
                    (true, false) => Duration::ZERO,
                    (true, true) => REST * began.elapsed(),
                }
            }
            Err(error) => {
                tracing::warn!(
                    projection = model.name(),
                    error = &error as &dyn std::error::Error,
                    "the projection {} cannot go on, trying again",
                    model.name()
                );
                FAILED_WAIT
            }
        };
        tokio::select! {
            () = drain.cancelled() => return,
            () = tokio::time::sleep(wait) => {}
            () = handle.wanted[model as usize].notified() => {}
        }
    }
}

/// What a model took in, and by how many entries it was behind.
struct Round {
    taken: i64,
    lag: i64,
}

/// Takes in a page of every bucket that is behind. Where others are at work there is nothing to take.
async fn round(taker: &mut Taker, page: i64) -> Result<Round, Error> {
    let heads = taker.log.bucket_heads().await?;
    let checkpoints = taker.checkpoints().await?;
    let behind = |bucket: &Bucket| heads[bucket.index()] > checkpoints[bucket.index()];
    let buckets: Vec<Bucket> = Bucket::all().filter(behind).collect();
    let lag = buckets.iter().map(|it| heads[it.index()] - checkpoints[it.index()]).sum();
    let taken = if buckets.is_empty() { 0 } else { taker.take(&buckets, page).await? as i64 };
    // While much is to come, results of one bucket would be settled before those of another that come first.
    if lag <= taken {
        taker.settle().await?;
    }
    Ok(Round { taken, lag })
}

fn tell_lag(model: Model, lag: i64, told: &mut Option<tokio::time::Instant>) {
    tracing::debug!(projection = model.name(), projection.lag = lag, "took entries in");
    if lag > LAG_MAX && told.is_none_or(|told| told.elapsed() > LAG_PAUSE) {
        *told = Some(tokio::time::Instant::now());
        tracing::info!(
            projection = model.name(),
            projection.lag = lag,
            "the projection {} is {lag} entries behind",
            model.name()
        );
    }
}
