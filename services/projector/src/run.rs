//! Projecting: models follow the log together, so that it is read and folded once for all. One that
//! is in trouble, or far behind, goes on alone until it is abreast of the others again, and holds
//! up none of them.

use std::sync::Arc;
use std::time::Duration;

use store::{BUCKETS, Bucket, Heads, Store};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::take::Taker;
use crate::{Error, Model};

/// How soon and in what portions.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How often the log is asked for news when there was none: two small queries.
    pub poll_wait: Duration,
    /// How long entries gather before more of them are taken in, unless somebody waits for them.
    /// While matches are played fast, a match's rows are written once in this time and not with
    /// every action.
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
    store: Store,
    options: Options,
    handle: Handle,
}

/// Wakes the projector of this process.
#[derive(Clone, Default)]
pub struct Handle {
    wanted: Arc<Notify>,
}

/// Before a model that failed is tried again.
const FAILED_WAIT: Duration = Duration::from_secs(1);

/// Accepting actions comes first, in the database too. Where entries arrive about as fast as they
/// are taken in, models are so much longer at rest than at work, unless somebody waits for them:
/// they fall behind rather than hold actions up, and catch up when the house is quieter.
const REST: u32 = 9;
/// Entries arrive that fast if it is one for so many that are taken in.
const BUSY: i64 = 4;

/// A model that is so many pages of a bucket behind another is left behind; within one page it is
/// waited for.
const PAGES_BEHIND: i64 = 4;

/// Models that are further behind the log than this say so in the log of the service, now and then.
const LAG_MAX: i64 = 10_000;
const LAG_PAUSE: Duration = Duration::from_secs(10);

impl Service {
    pub fn new(store: &Store, options: Options, handle: Handle) -> Self {
        Self { store: store.clone(), options, handle }
    }

    /// Projects until `drain` is cancelled. What is being taken in then is taken in whole or not at
    /// all.
    pub async fn run(self, drain: CancellationToken) {
        let mut together = self.follower(&Model::ALL);
        let mut alone = JoinSet::new();
        while !drain.is_cancelled() {
            let round = together.round().await;
            let lost = match &round {
                Ok(round) => behind(&round.checkpoints, PAGES_BEHIND * self.options.page),
                Err(Error::Unwritten { model, .. }) => vec![*model],
                Err(_) => Vec::new(),
            };
            for model in lost.into_iter().filter(|&model| together.leave(model)) {
                alone.spawn(self.follower(&[model]).catch_up(model, drain.clone()));
            }
            tokio::select! {
                () = drain.cancelled() => {}
                () = tokio::time::sleep(round.map_or(FAILED_WAIT, |round| round.wait)) => {}
                () = self.handle.wanted.notified() => {}
                Some(abreast) = alone.join_next() => {
                    together.taker.models.extend(abreast.expect("a follower does not panic"));
                }
            }
        }
        while alone.join_next().await.is_some() {}
    }

    fn follower(&self, models: &[Model]) -> Follower {
        let taker = Taker::new(&self.store, models, None);
        Follower { taker, options: self.options, left: 0, warned_at: None }
    }
}

impl Handle {
    /// Somebody waits for the newest entries: look at once.
    pub fn wake(&self) {
        self.wanted.notify_one();
    }
}

/// Models that follow the log together.
struct Follower {
    taker: Taker,
    options: Options,
    /// By how many entries they were behind after the last round.
    left: i64,
    warned_at: Option<Instant>,
}

/// What came of taking in a page of every bucket.
struct Round {
    /// Where all models stood before.
    checkpoints: Vec<(Model, Heads)>,
    /// How long to rest before the next, unless somebody waits for it.
    wait: Duration,
}

impl Follower {
    /// Takes in a page of every bucket that is behind. Where other processes are at work there is
    /// nothing to take.
    async fn round(&mut self) -> Result<Round, Error> {
        let round = self.try_round().await;
        if let Err(error) = &round {
            tracing::warn!(
                error = error as &dyn std::error::Error,
                "the projections {} cannot go on, trying again",
                self.names()
            );
        }
        round
    }

    async fn try_round(&mut self) -> Result<Round, Error> {
        let began = Instant::now();
        let heads = self.taker.store.bucket_heads().await?;
        let checkpoints = self.taker.checkpoints(&Model::ALL).await?;
        let lags = self.lags(&heads, &checkpoints);
        let lag = lags.iter().sum();
        let buckets: Vec<Bucket> = Bucket::all().filter(|it| lags[it.index()] > 0).collect();
        let taken = match buckets[..] {
            [] => 0,
            _ => self.taker.take(&buckets, self.options.page).await? as i64,
        };
        // While much is to come, results of one bucket would be settled before those of another
        // that come first.
        if lag <= taken {
            self.taker.settle().await?;
        }
        self.tell_lag(lag);
        let arrived = lag - self.left;
        self.left = lag - taken;
        let wait = match (taken, self.left > 0, BUSY * arrived > taken) {
            (0, ..) => self.options.poll_wait,
            (_, false, _) => self.options.gather_wait,
            (_, true, false) => Duration::ZERO,
            (_, true, true) => REST * began.elapsed(),
        };
        Ok(Round { checkpoints, wait })
    }

    /// Entries of each bucket that one of these models has not taken in.
    fn lags(&self, heads: &Heads, checkpoints: &[(Model, Heads)]) -> Heads {
        let own = || checkpoints.iter().filter(|(model, _)| self.taker.models.contains(model));
        std::array::from_fn(|bucket| {
            let least = own().map(|(_, checkpoints)| checkpoints[bucket]).min();
            // Another process may have come further since the heads were read.
            least.map_or(0, |least| (heads[bucket] - least).max(0))
        })
    }

    /// Takes a model out, and says whether it was among these.
    fn leave(&mut self, model: Model) -> bool {
        let leaving = self.taker.models.iter().position(|it| *it == model);
        leaving.map(|index| self.taker.models.remove(index)).is_some()
    }

    /// Goes on until this one model is abreast of the others, if there is time.
    async fn catch_up(mut self, model: Model, drain: CancellationToken) -> Option<Model> {
        while !drain.is_cancelled() {
            let round = self.round().await;
            if let Ok(round) = &round
                && !behind(&round.checkpoints, self.options.page).contains(&model)
            {
                return Some(model);
            }
            tokio::select! {
                () = drain.cancelled() => {}
                () = tokio::time::sleep(round.map_or(FAILED_WAIT, |round| round.wait)) => {}
            }
        }
        None
    }

    fn tell_lag(&mut self, lag: i64) {
        tracing::debug!(projections = self.names(), projection.lag = lag, "took entries in");
        if lag > LAG_MAX && self.warned_at.is_none_or(|time| time.elapsed() > LAG_PAUSE) {
            self.warned_at = Some(Instant::now());
            tracing::info!(
                projection.lag = lag,
                "the projections {} are {lag} entries behind",
                self.names()
            );
        }
    }

    fn names(&self) -> String {
        self.taker.models.iter().map(|it| it.name()).collect::<Vec<_>>().join(", ")
    }
}

/// The models that are more than so many entries of some bucket behind another one.
fn behind(checkpoints: &[(Model, Heads)], far: i64) -> Vec<Model> {
    let foremost = |bucket: usize| checkpoints.iter().map(|(_, them)| them[bucket]).max();
    let is_behind = |it: &Heads| (0..BUCKETS).any(|n| Some(it[n] + far) < foremost(n));
    checkpoints.iter().filter(|(_, it)| is_behind(it)).map(|(model, _)| *model).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_behind_if_it_is_in_any_bucket() {
        let standing = |matches: i64, players: i64| {
            let mut heads = [[100; BUCKETS]; 2];
            (heads[0][7], heads[1][7]) = (matches, players);
            [(Model::Matches, heads[0]), (Model::Players, heads[1])]
        };
        assert_eq!(behind(&standing(100, 100), 0), []);
        assert_eq!(behind(&standing(100, 90), 10), []);
        assert_eq!(behind(&standing(100, 89), 10), [Model::Players]);
        assert_eq!(behind(&standing(100, 111), 10), [Model::Matches]);
    }
}
