//! The projector: models ingest entries together, so that each entry is read and folded once. A
//! model that fails or is far behind advances alone until it has caught up, and does not delay the
//! others.

use std::time::Duration;

use database::pace;
use futures::future::BoxFuture;
use positions::{BUCKETS, Bucket, Heads, positions};
use store::Store;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::error::Error;
use crate::handle::Handle;
use crate::ingest::Ingester;
use crate::model::Model;

/// Options of the projector.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The pause after a check that found nothing to ingest. A check costs three small queries.
    pub poll_wait: Duration,
    /// How long to pause after it while there is no news, if the projector is [told
    /// of](Service::told_of) news.
    pub idle_wait: Duration,
    /// The pause between two pages while entries keep arriving, unless a reader waits for them. The
    /// rows of a match that is played fast are written once in this time instead of with each
    /// action.
    pub batch_wait: Duration,
    /// Entries of a bucket ingested at a time.
    pub page: i64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            poll_wait: Duration::from_millis(100),
            idle_wait: Duration::from_secs(2),
            batch_wait: Duration::from_millis(500),
            page: 500,
        }
    }
}

impl Options {
    /// The pause after a round that ingested `ingested` entries, when `arrived` entries had come
    /// since the previous round and `left` are still missing.
    fn pause(&self, ingested: i64, arrived: i64, left: i64, took: Duration) -> Duration {
        let rest = if FEW * arrived > ingested { REST * took } else { Duration::ZERO };
        match (ingested, left) {
            (0, _) => self.poll_wait,
            (_, ..=0) => rest.max(self.batch_wait),
            (_, _) => rest,
        }
    }
}

/// The projector. Any number of processes may run one; they divide the work by locking checkpoints.
pub struct Service {
    store: Store,
    options: Options,
    handle: Handle,
    /// Changes with each entry that this process writes or sees.
    news: Option<watch::Receiver<()>>,
}

/// The wait before a failed model is tried again.
const FAILED_WAIT: Duration = Duration::from_secs(1);

/// Accepting actions has priority. While entries arrive, the projector rests this many times as
/// long as it works, unless a reader waits for it. It alternates with its session in Postgres, so
/// together they take at most a third of a processor, even if models are far behind. That suffices
/// under full load: each match is written once per round, so larger rounds cost less per entry.
const REST: u32 = 2;
/// Arrivals count only if there is at least one for this many ingested entries, so an idle service
/// lets models catch up at full speed.
const FEW: i64 = 16;

/// A model that is this many pages behind another one in some bucket continues alone, until it is
/// within one page.
const PAGES_BEHIND: i64 = 4;

/// A lag above this many entries is logged, at most once in [`LAG_PAUSE`].
const LAG_MAX: i64 = 10_000;
const LAG_PAUSE: Duration = Duration::from_secs(10);

/// How often matches that could not be read are retried. During an upgrade, processes of the older
/// release may skip matches after those of the newer one have started.
const RETRY_PAUSE: Duration = Duration::from_secs(60);

impl Service {
    pub fn new(store: &Store, options: Options, handle: Handle) -> Self {
        Self { store: store.clone(), options, handle, news: None }
    }

    /// Checks seldom while the receiver does not change. It changes with each entry that a log of
    /// this process writes or sees: the projector's own log has no follower.
    pub fn told_of(self, news: watch::Receiver<()>) -> Self {
        Self { news: Some(news), ..self }
    }

    /// Projects until `drain` is cancelled. The page that is being ingested then is ingested as a
    /// whole or not at all.
    pub fn run(self, drain: CancellationToken) -> BoxFuture<'static, ()> {
        // Compiled here: docs/decisions/0054-code-that-rarely-runs-is-compiled-for-size.md
        Box::pin(self.project(drain))
    }

    async fn project(mut self, drain: CancellationToken) {
        let mut together = self.group(&Model::ALL);
        let mut alone = JoinSet::new();
        let mut news = self.news.take();
        while !drain.is_cancelled() {
            news.iter_mut().for_each(watch::Receiver::mark_unchanged);
            let round = together.round().await;
            let detached = match &round {
                Ok(round) => models_behind(&round.checkpoints, PAGES_BEHIND * self.options.page),
                Err(Error::Unwritten { model, .. }) => {
                    Model::from_name(model).into_iter().collect()
                }
                Err(
                    Error::Database(_) | Error::Log(_) | Error::Superseded | Error::TablesInUse,
                ) => Vec::new(),
            };
            for model in detached.into_iter().filter(|&model| together.remove(model)) {
                alone.spawn(self.group(&[model]).catch_up(model, drain.clone()));
            }
            tokio::select! {
                () = drain.cancelled() => {}
                () = self.pause(round.ok(), news.as_mut()) => {}
                () = self.handle.woken() => {}
                Some(caught_up) = alone.join_next() => {
                    together.ingester.models.extend(caught_up.expect("ingesting does not panic"));
                }
            }
        }
        while alone.join_next().await.is_some() {}
    }

    /// Waits after a round; if there was nothing to ingest, until there is news.
    async fn pause(&self, round: Option<Round>, news: Option<&mut watch::Receiver<()>>) {
        let wait = round.as_ref().map_or(FAILED_WAIT, |round| round.wait);
        tokio::time::sleep(wait).await;
        if let Some(news) = news.filter(|_| round.is_some_and(|round| round.is_idle)) {
            tokio::select! {
                () = pace::pause(self.options.idle_wait) => {}
                _ = news.changed() => {}
            }
        }
    }

    fn group(&self, models: &[Model]) -> ModelGroup {
        let ingester = Ingester::new(&self.store, models, None);
        let (options, page) = (self.options, self.options.page);
        ModelGroup { ingester, options, page, lag: 0, warned_at: None, retried_at: None }
    }
}

/// Models that ingest entries together.
struct ModelGroup {
    ingester: Ingester,
    options: Options,
    /// Entries of a bucket in the next round: fewer after a failure, since a slow database may
    /// never answer for as many in the time that a statement has.
    page: i64,
    /// Entries that were left after the last round.
    lag: i64,
    warned_at: Option<Instant>,
    /// When matches that could not be read were last tried again.
    retried_at: Option<Instant>,
}

/// The result of ingesting a page of every bucket.
struct Round {
    /// The checkpoints of all models before the round.
    checkpoints: Vec<(Model, Heads)>,
    /// How long to pause before the next round, unless a reader waits for it.
    wait: Duration,
    /// Whether there was nothing to ingest.
    is_idle: bool,
}

impl ModelGroup {
    /// Ingests a page of every bucket that has new entries. Buckets that other processes are
    /// ingesting are left to them.
    async fn round(&mut self) -> Result<Round, Error> {
        let round = self.try_round().await;
        self.page = next_page(self.page, self.options.page, round.is_ok());
        if let Err(error) = &round {
            tracing::warn!(
                error = error as &dyn std::error::Error,
                "the projections {} cannot be updated, retrying",
                self.names()
            );
        }
        round
    }

    async fn try_round(&mut self) -> Result<Round, Error> {
        let began = Instant::now();
        if self.retried_at.is_none_or(|time| time.elapsed() > RETRY_PAUSE) {
            self.ingester.retry_unreadable(self.retried_at.is_none()).await?;
            self.retried_at = Some(began);
        }
        let heads = positions(&self.ingester.store.log().bucket_heads().await?);
        let checkpoints = self.ingester.checkpoints(&Model::ALL).await?;
        let lags = self.lags(&heads, &checkpoints);
        let lag = lags.iter().sum();
        let buckets: Vec<Bucket> = Bucket::all().filter(|it| lags[it.index()] > 0).collect();
        let ingested = match buckets[..] {
            [] => 0,
            _ => self.ingester.ingest(&buckets, self.page).await? as i64,
        };
        // Before all entries are ingested, earlier results of other buckets may still be missing,
        // and would unsettle what is settled now.
        let database = self.ingester.store.database();
        if lag <= ingested && database.may_have("results", "its.mean is null").await {
            self.ingester.settle().await?;
        }
        self.report_lag(lag);
        let arrived = lag - self.lag;
        self.lag = lag - ingested;
        let wait = self.options.pause(ingested, arrived, self.lag, began.elapsed());
        Ok(Round { checkpoints, wait, is_idle: lag == 0 })
    }

    /// By bucket: the entries that some model of this group does not include yet.
    fn lags(&self, heads: &Heads, checkpoints: &[(Model, Heads)]) -> Heads {
        let own = || checkpoints.iter().filter(|(model, _)| self.ingester.models.contains(model));
        std::array::from_fn(|bucket| {
            let least = own().map(|(_, checkpoints)| checkpoints[bucket]).min();
            // Another process may have advanced the checkpoint since the heads were read.
            least.map_or(0, |least| (heads[bucket] - least).max(0))
        })
    }

    /// Returns false if the model is not in this group.
    fn remove(&mut self, model: Model) -> bool {
        let index = self.ingester.models.iter().position(|it| *it == model);
        index.map(|index| self.ingester.models.remove(index)).is_some()
    }

    /// Ingests until this model has caught up with the others. Returns `None` if drained before.
    async fn catch_up(mut self, model: Model, drain: CancellationToken) -> Option<Model> {
        while !drain.is_cancelled() {
            let round = self.round().await;
            if let Ok(round) = &round
                && !models_behind(&round.checkpoints, self.options.page).contains(&model)
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

    fn report_lag(&mut self, lag: i64) {
        tracing::debug!(projections = self.names(), projection.lag = lag, "ingested entries");
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
        self.ingester.models.iter().map(|it| it.name()).collect::<Vec<_>>().join(", ")
    }
}

/// The entries of a bucket in a round after one that had `page`.
fn next_page(page: i64, page_max: i64, succeeded: bool) -> i64 {
    if succeeded { (2 * page).min(page_max) } else { (page / 2).max(1) }
}

/// The models that are more than `entries_max` entries behind another one in some bucket.
fn models_behind(checkpoints: &[(Model, Heads)], entries_max: i64) -> Vec<Model> {
    let foremost = |bucket: usize| checkpoints.iter().map(|(_, them)| them[bucket]).max();
    let is_behind = |it: &Heads| (0..BUCKETS).any(|n| Some(it[n] + entries_max) < foremost(n));
    checkpoints.iter().filter(|(_, it)| is_behind(it)).map(|(model, _)| *model).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_projector_rests_in_proportion_to_its_work_while_entries_arrive() {
        let options = Options::default();
        let [short, long] = [Duration::from_millis(100), Duration::from_secs(1)];
        // It keeps up: the rows of a match that is played fast are written from time to time.
        assert_eq!(options.pause(1000, 1000, 0, short), options.batch_wait);
        assert_eq!(options.pause(32_000, 32_000, 0, long), REST * long);
        // It is behind.
        assert_eq!(options.pause(32_000, 32_000, 9000, long), REST * long);
        assert_eq!(options.pause(32_000, 4000, 9000, short), REST * short);
        assert_eq!(options.pause(32_000, 1000, 9000, long), Duration::ZERO);
        // There was nothing to do, or other processes do it.
        assert_eq!(options.pause(0, 0, 0, short), options.poll_wait);
        assert_eq!(options.pause(0, 500, 9000, short), options.poll_wait);
    }

    #[test]
    fn a_round_that_failed_is_tried_with_fewer_entries() {
        assert_eq!(next_page(500, 500, false), 250);
        assert_eq!(next_page(1, 500, false), 1);
        assert_eq!(next_page(1, 500, true), 2);
        assert_eq!(next_page(300, 500, true), 500);
    }

    #[test]
    fn a_model_is_behind_if_it_is_behind_in_any_bucket() {
        let checkpoints = |matches: i64, players: i64| {
            let mut heads = [[100; BUCKETS]; 2];
            (heads[0][7], heads[1][7]) = (matches, players);
            [(Model::Matches, heads[0]), (Model::Players, heads[1])]
        };
        assert_eq!(models_behind(&checkpoints(100, 100), 0), []);
        assert_eq!(models_behind(&checkpoints(100, 90), 10), []);
        assert_eq!(models_behind(&checkpoints(100, 89), 10), [Model::Players]);
        assert_eq!(models_behind(&checkpoints(100, 111), 10), [Model::Matches]);
    }
}
