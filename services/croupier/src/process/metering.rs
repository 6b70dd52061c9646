//! Metrics for Prometheus: `/metrics`, on an address of its own, beside the pages about health.
//!
//! They are for operators, so they are not served on the public port. Events (calls, appends) are
//! counted where they happen; states (the writer, the matches in memory, the projections) are read
//! for each request. No label contains a match, a player or a platform
//! (`metering::metrics_count_everything_and_reveal_no_secret` in `tests/it`).

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use agents::{ATTEMPTS, DUE, LATE};
use api::MetricsSource;
use api::health::{Readers, Readiness};
use api::meter::{CONNECTIONS_OPEN, REFUSALS, REQUEST_DURATION, REQUESTS, STREAMS_OPEN};
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use contract::duration;
use contract::names::projection_name;
use contract::v1;
use database::NODE_UP;
use database::clock::{AHEAD, KNOWN, STEPS};
use event_log::append::{APPEND_DURATION, BATCH_ENTRIES};
use event_log::hints::HINTS;
use event_log::{ENTRIES_LOST, LATER_TERMS, TERM, WENT_BACK};
use matches::{
    ACTIONS_SHED, BOT_DECISIONS, PUSH_MESSAGES, Sink, WEBHOOK_ATTEMPTS, WEBHOOK_ENTRIES,
};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use projector::{Model, Projection, Reader};
use time::OffsetDateTime;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, watch};
use tokio_util::sync::CancellationToken;
use transparency::Standing;
use transparency::meter::{LEAVES_DUE, LEAVES_LATE, WITNESS_UP};
use uuid::Uuid;

use crate::process::alerts::{Alarms, Reading};
use crate::process::listen::{self, listen};
use crate::process::readiness::Telling;
use crate::process::told::Told;
use crate::process::totals::Totals;
use crate::process::vital::Vital;

const BATCHES: &str = "croupier_append_batches_total";
const CONFLICTS: &str = "croupier_append_conflicts_total";
const FAILURES: &str = "croupier_append_failures_total";
const REFUSED: &str = "croupier_append_refused_total";
const FORWARDED: &str = "croupier_append_forwarded_total";
const HANDED_BACK: &str = "croupier_append_handed_back_total";
const ENTRIES: &str = "croupier_entries_appended_total";
const IN_MEMORY: &str = "croupier_matches_in_memory";
const IN_MEMORY_BYTES: &str = "croupier_matches_in_memory_bytes";
const HITS: &str = "croupier_matches_hits_total";
const LOADS: &str = "croupier_matches_loads_total";
const EVICTIONS: &str = "croupier_matches_evictions_total";
const LAG_ENTRIES: &str = "croupier_projection_lag_entries";
const LAG_SECONDS: &str = "croupier_projection_lag_seconds";
const UNREADABLE: &str = "croupier_matches_unreadable";
const RECORD_UP: &str = "croupier_record_up";
const LOG_OPENINGS: &str = "croupier_log_openings_waiting";
const LOG_OPENINGS_SECONDS: &str = "croupier_log_openings_waiting_seconds";
const LOG_SIGNED_SECONDS: &str = "croupier_log_checkpoint_age_seconds";
const LOG_TOLD_SECONDS: &str = "croupier_log_told_checkpoint_age_seconds";
const DATABASE_BYTES: &str = "croupier_database_bytes";
const DATABASE_CONNECTIONS: &str = "croupier_database_connections";
const DISK_FREE_BYTES: &str = "croupier_disk_free_bytes";
const DISK_BYTES: &str = "croupier_disk_bytes";
const BUILD: &str = "croupier_build_info";

/// Histogram bounds in seconds, from reads in memory to the service's own timeouts.
const DURATIONS: [f64; 14] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Histogram bounds up to the largest possible batch.
const BATCH_SIZES: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

/// How long the database may take to answer for a request. Two Prometheus servers that wait for
/// each other are still answered within their timeout, which is ten seconds by default.
const DATABASE_WAIT: Duration = Duration::from_secs(2);

/// The shortest time between two reads of what operators see without a Prometheus.
const LIVE_PAUSE: Duration = Duration::from_secs(1);

/// How often the samples of histograms are aggregated, so that they do not accumulate between
/// requests.
const UPKEEP_PAUSE: Duration = Duration::from_secs(5);

#[derive(clap::Args, Clone, Debug)]
pub struct Listen {
    /// Serve metrics for Prometheus at /metrics on this address, which only operators should reach,
    /// such as 127.0.0.1:7711 [default: no metrics]
    #[arg(long, value_name = "ADDRESS", env = "CROUPIER_METRICS_LISTEN")]
    metrics_listen: Option<SocketAddr>,
}

/// The sources that are read for each request. A process that only projects has no writer and no
/// matches.
pub struct Sources {
    /// The data folder, if the service's own Postgres is in it.
    pub disk: Option<PathBuf>,
    pub projector: Reader,
    pub writer: Option<event_log::append::Handle>,
    pub matches: Option<Sink>,
}

/// Counts from its creation on; answers requests once it serves.
pub struct Metering {
    listener: TcpListener,
    prometheus: PrometheusHandle,
    sources: Arc<OnceLock<Mutex<Sources>>>,
}

/// Gives a process its sources once it has them: it answers requests before, while it waits for its
/// database.
pub struct Source(Arc<OnceLock<Mutex<Sources>>>);

impl Source {
    pub fn set(self, sources: Sources) {
        let _ = self.0.set(Mutex::new(sources));
    }
}

impl Metering {
    /// Starts counting: everything, if metrics are enabled, and otherwise the totals. Call this
    /// before creating anything that counts.
    pub async fn begin(args: &Listen, totals: &Totals) -> Result<Option<Metering>, listen::Error> {
        let Some(address) = args.metrics_listen else {
            totals.install(None);
            return Ok(None);
        };
        let listener = listen(address).await?;
        let buckets = [
            (REQUEST_DURATION, &DURATIONS[..]),
            (APPEND_DURATION, &DURATIONS),
            (BATCH_ENTRIES, &BATCH_SIZES),
        ];
        let mut recorder = PrometheusBuilder::new();
        for (name, buckets) in buckets {
            let named = Matcher::Full(name.to_owned());
            recorder = recorder
                .set_buckets_for_metric(named, buckets)
                .expect("no list of buckets is empty");
        }
        let recorder = recorder.build_recorder();
        let prometheus = recorder.handle();
        totals.install(Some(recorder));
        describe();
        gauge!(BUILD, "version" => api::VERSION).set(1.0);
        let metering = Metering { listener, prometheus, sources: Arc::default() };
        tracing::info!(metrics.address = %metering.address(), "serving metrics");
        Ok(Some(metering))
    }

    pub fn source(&self) -> Source {
        Source(self.sources.clone())
    }

    /// Answers requests from here to the end of the process, if metrics are enabled.
    pub async fn serve_early(
        args: &Listen,
        telling: &Telling,
        vital: &Vital,
        drain: &CancellationToken,
    ) -> Result<Option<Source>, listen::Error> {
        let Some(metering) = Metering::begin(args, &Totals::default()).await? else {
            return Ok(None);
        };
        let source = metering.source();
        vital.spawn("metrics", drain, metering.serve(telling.receiver()));
        Ok(Some(source))
    }

    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("the listener is bound")
    }

    /// Answers requests until the process ends.
    pub async fn serve(self, ready: watch::Receiver<Readiness>) {
        let Metering { listener, prometheus, sources } = self;
        let aggregating = aggregate(prometheus.clone());
        let answer = move || {
            let (prometheus, sources) = (prometheus.clone(), sources.clone());
            async move {
                match sources.get() {
                    // Concurrent requests read the sources one after another.
                    Some(sources) => sources.lock().await.read().await,
                    None => gauge!(RECORD_UP).set(0.0),
                }
                ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], prometheus.render())
                    .into_response()
            }
        };
        let pages = api::health::pages(ready, Readers::Operators).route("/metrics", get(answer));
        tokio::select! {
            _ = axum::serve(listener, pages).into_future() => {}
            () = aggregating => {}
        }
    }
}

async fn aggregate(prometheus: PrometheusHandle) {
    loop {
        tokio::time::sleep(UPKEEP_PAUSE).await;
        prometheus.run_upkeep();
    }
}

impl Sources {
    async fn read(&self) {
        if let Some(writer) = &self.writer {
            let it = writer.statistics();
            counter!(ENTRIES).absolute(it.entries);
            counter!(BATCHES).absolute(it.batches);
            counter!(CONFLICTS).absolute(it.conflicts);
            counter!(FAILURES).absolute(it.failures);
            counter!(REFUSED).absolute(it.refused);
            counter!(FORWARDED).absolute(it.forwarded);
            counter!(HANDED_BACK).absolute(it.handed_back);
        }
        if let Some(matches) = &self.matches {
            let it = matches.memory_use();
            gauge!(IN_MEMORY).set(it.matches as f64);
            gauge!(IN_MEMORY_BYTES).set(it.bytes as f64);
            counter!(HITS).absolute(it.hits);
            counter!(LOADS).absolute(it.loads);
            counter!(EVICTIONS).absolute(it.evictions);
        }
        if let Some((free, size)) = self.disk_bytes() {
            gauge!(DISK_FREE_BYTES).set(free);
            gauge!(DISK_BYTES).set(size);
        }
        let pool = self.projector.database().pool();
        let (open, idle) = pool.size();
        gauge!(DATABASE_CONNECTIONS, "state" => "idle").set(idle);
        gauge!(DATABASE_CONNECTIONS, "state" => "busy").set(open.saturating_sub(idle));
        let log = transparency::Reader::new(self.projector.database());
        let (bytes, projections, unreadable, log) = tokio::join!(
            answered(self.projector.database().bytes()),
            answered(self.projections()),
            answered(self.projector.unreadable_count()),
            answered(log.standing()),
        );
        gauge!(DATABASE_BYTES).set(bytes.map_or(f64::NAN, |bytes| bytes as f64));
        // Projections are of all nodes.
        let is_lacking = || self.projector.database().check_whole().is_err();
        let is_up = projections.is_some() || bytes.is_some() && is_lacking();
        gauge!(RECORD_UP).set(f64::from(u8::from(is_up)));
        gauge!(UNREADABLE).set(unreadable.map_or(f64::NAN, |count| count as f64));
        // Without a log there are no series. NaN stands for what is not known.
        if log.as_ref().is_none_or(Option::is_some) {
            self.tell_log(log.flatten());
        }
        for (nth, model) in Model::ALL.into_iter().enumerate() {
            // NaN stands for an unknown lag.
            let it = projections
                .as_ref()
                .map(|all| lag(&all[nth], self.projector.database().clock().now()));
            let (entries, seconds) = it.unwrap_or((f64::NAN, f64::NAN));
            gauge!(LAG_ENTRIES, "projection" => model.name()).set(entries);
            gauge!(LAG_SECONDS, "projection" => model.name()).set(seconds);
        }
    }

    /// The free bytes of the disk of the service's own Postgres, and all of them.
    fn disk_bytes(&self) -> Option<(f64, f64)> {
        let disk = rustix::fs::statvfs(self.disk.as_ref()?).ok()?;
        Some(((disk.f_bavail * disk.f_frsize) as f64, (disk.f_blocks * disk.f_frsize) as f64))
    }

    /// What operators see without a Prometheus. However many ask, it is read once a second.
    pub fn live(self, totals: Totals) -> MetricsSource {
        let process = Uuid::new_v4().to_string();
        let last = Mutex::new((Alarms::default(), None::<(Instant, v1::Metrics)>));
        let sources = Arc::new((self, totals, last, process));
        MetricsSource::new(move || {
            let sources = sources.clone();
            Box::pin(async move {
                let (sources, totals, last, process) = &*sources;
                let (alarms, last) = &mut *last.lock().await;
                let known = last.as_ref().filter(|(time, _)| time.elapsed() < LIVE_PAUSE);
                if let Some((_, known)) = known {
                    return known.clone();
                }
                let metrics = sources.told(totals.told(), alarms, process.clone()).await;
                *last = Some((Instant::now(), metrics.clone()));
                metrics
            })
        })
    }

    async fn told(&self, told: Told, alarms: &mut Alarms, process: String) -> v1::Metrics {
        let database = self.projector.database();
        let now = database.clock().now();
        let (open, idle) = database.pool().size();
        let log = transparency::Reader::new(database);
        let (projections, unreadable, log) = tokio::join!(
            answered(self.projections()),
            answered(self.projector.unreadable_count()),
            answered(log.standing()),
        );
        let lags: Option<Vec<_>> =
            projections.map(|all| all.iter().map(|it| lag(it, now)).collect());
        let seconds: Option<Vec<_>> = lags.as_ref().map(|all| all.iter().map(|it| it.1).collect());
        let alerts = alarms.look(&Reading {
            told: &told,
            lags: seconds.as_deref(),
            unreadable,
            log: log.flatten().as_ref(),
            free: self.disk_bytes().map(|(free, size)| free / size),
            now,
        });
        let projections = Model::ALL.into_iter().zip(lags.unwrap_or_default());
        let projections = projections.map(|(model, (entries, seconds))| v1::ProjectionLag {
            name: projection_name(model.name()),
            entries: entries as u32,
            age: age(seconds),
        });
        let due: BTreeMap<_, _> = told.levels_of(DUE).collect();
        let agents = told.levels_of(LATE).map(|(name, late)| v1::AgentBacklog {
            name: name.to_owned(),
            due: due.get(name).map_or(0, |due| *due as u32),
            age: age(late),
        });
        let sum = |name| told.levels_of(name).map(|(_, level)| level).sum::<f64>() as u32;
        let entries = self.writer.as_ref().map_or(0, |it| it.statistics().entries);
        let in_memory = self.matches.as_ref().map_or(0, |it| it.memory_use().matches);
        // Counts go on from 0.
        let count = |it: u64| it as u32;
        v1::Metrics {
            process,
            read_time: Some(SystemTime::from(now).into()),
            calls: count(told.calls + told.refused + told.failed),
            calls_refused: count(told.refused),
            calls_failed: count(told.failed),
            entries: count(entries),
            actions_shed: count(told.shed),
            streams: sum(STREAMS_OPEN),
            connections: sum(CONNECTIONS_OPEN),
            database_busy: open.saturating_sub(idle),
            matches_in_memory: in_memory as u32,
            projections: projections.collect(),
            agents: agents.collect(),
            webhooks_taken: count(told.webhooks_taken),
            webhooks_failed: count(told.webhooks_failed),
            alerts,
        }
    }

    fn tell_log(&self, standing: Option<Standing>) {
        let now = self.projector.database().clock().now();
        let age =
            |time: Option<OffsetDateTime>| time.map(|it| (now - it).as_seconds_f64().max(0.0));
        let (waiting, oldest, signed, told) = match standing {
            Some(it) => (
                it.leaves_waiting as f64,
                age(it.oldest).unwrap_or_default(),
                age(it.signed).unwrap_or(f64::NAN),
                age(it.told).unwrap_or(f64::NAN),
            ),
            None => (f64::NAN, f64::NAN, f64::NAN, f64::NAN),
        };
        gauge!(LOG_OPENINGS).set(waiting);
        gauge!(LOG_OPENINGS_SECONDS).set(oldest);
        gauge!(LOG_SIGNED_SECONDS).set(signed);
        gauge!(LOG_TOLD_SECONDS).set(told);
    }

    async fn projections(&self) -> Result<Vec<Projection>, projector::Error> {
        let mut projections = Vec::new();
        for model in Model::ALL {
            projections.push(self.projector.projection(model).await?);
        }
        Ok(projections)
    }
}

/// What the database answers in time.
async fn answered<T, E>(query: impl Future<Output = Result<T, E>>) -> Option<T> {
    tokio::time::timeout(DATABASE_WAIT, query).await.ok()?.ok()
}

/// The lag of a projection, in entries and in seconds.
fn lag(it: &Projection, now: OffsetDateTime) -> (f64, f64) {
    let since = it.behind_since.map(|since| now - since);
    (it.lag as f64, since.map_or(0.0, |since| since.as_seconds_f64().max(0.0)))
}

/// Seconds that are neither negative nor unknown.
fn age(seconds: f64) -> Option<prost_types::Duration> {
    Some(duration(Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or_default()))
}

fn describe() {
    describe_counter!(REQUESTS, "Completed calls, by method and gRPC code, over all protocols");
    describe_histogram!(REQUEST_DURATION, "The duration of unary calls, by method");
    describe_gauge!(STREAMS_OPEN, "Open streams, by method");
    describe_gauge!(CONNECTIONS_OPEN, "Open connections of clients");
    describe_counter!(REFUSALS, "Refusals, by domain (the service or a game) and reason");
    describe_counter!(ENTRIES, "Entries that this process recorded");
    describe_counter!(BATCHES, "Commits of entries by this process");
    describe_counter!(CONFLICTS, "Batches that conflicted with entries of another process");
    describe_counter!(FAILURES, "Appends that the database did not answer; they are retried");
    describe_counter!(ACTIONS_SHED, "Actions refused as OVERLOADED: too many were waiting");
    counter!(ACTIONS_SHED).increment(0);
    describe_counter!(FORWARDED, "Actions passed to the process that writes for others");
    describe_counter!(HANDED_BACK, "Actions that it did not answer; they were written here");
    describe_histogram!(BATCH_ENTRIES, "Entries per commit");
    describe_histogram!(APPEND_DURATION, "The time from accepting an action to recording it");
    describe_gauge!(IN_MEMORY, "Matches held in memory by this process");
    describe_gauge!(IN_MEMORY_BYTES, "The memory that matches take while nothing uses them");
    describe_counter!(HITS, "Uses of a match that was in memory");
    describe_counter!(LOADS, "Matches read from the database, new ones included");
    describe_counter!(EVICTIONS, "Matches removed from memory to make room for others");
    describe_gauge!(LAG_ENTRIES, "Entries that are recorded but not yet projected");
    describe_gauge!(LAG_SECONDS, "The age of the oldest entry that is not yet projected");
    describe_gauge!(
        UNREADABLE,
        "Matches that projections skip because a release could not read one of their entries"
    );
    describe_counter!(WENT_BACK, "How often the database was seen to have lost recorded entries");
    describe_counter!(ENTRIES_LOST, "Entries that were recorded and then lost, as far as is known");
    // Created at the start, so that the first occurrence is an increase.
    counter!(WENT_BACK).increment(0);
    counter!(ENTRIES_LOST).increment(0);
    describe_gauge!(TERM, "The term of the installation: the Unix time at which it began");
    describe_counter!(LATER_TERMS, "How often a later term was met than that of the database");
    counter!(LATER_TERMS).increment(0);
    describe_counter!(
        HINTS,
        "Hints of new entries to and from other processes, by way (notify, nats) and outcome"
    );
    describe_gauge!(DUE, "What an agent found due when it last asked, by agent");
    describe_gauge!(LATE, "For how long the oldest of it had been due, in seconds, by agent");
    describe_counter!(ATTEMPTS, "What agents tried to do, by agent and outcome");
    describe_counter!(BOT_DECISIONS, "Decisions of bots, by level and outcome");
    describe_counter!(WEBHOOK_ATTEMPTS, "Attempts to send a webhook, by outcome: taken or failed");
    describe_counter!(WEBHOOK_ENTRIES, "Entries that endpoints of webhooks have taken");
    describe_counter!(PUSH_MESSAGES, "Messages to browsers, by outcome: taken, failed or gone");
    describe_gauge!(AHEAD, "By how many seconds this machine's clock is ahead of the database's");
    describe_gauge!(KNOWN, "Whether this process knows the database's time exactly: 1 or 0");
    describe_counter!(
        STEPS,
        "How often a clock was set, by clock: the machine's or the database's"
    );
    for clock in ["machine", "database"] {
        counter!(STEPS, "clock" => clock).increment(0);
    }
    describe_gauge!(RECORD_UP, "Whether the database answered for this request: 1 or 0");
    describe_gauge!(
        NODE_UP,
        "Whether a node of a database of several answers this process, by node: 1 or 0"
    );
    describe_gauge!(LOG_OPENINGS, "Matches whose opening the transparency log does not have yet");
    describe_gauge!(LOG_OPENINGS_SECONDS, "The age of the oldest of them");
    describe_gauge!(LOG_SIGNED_SECONDS, "The age of the newest checkpoint of the log");
    describe_gauge!(LOG_TOLD_SECONDS, "The age of the newest checkpoint that is told");
    describe_gauge!(
        LEAVES_DUE,
        "The leaves that this process found due when it last looked, openings and ends"
    );
    describe_gauge!(LEAVES_LATE, "For how long the oldest of them had been due, in seconds");
    describe_gauge!(
        WITNESS_UP,
        "Whether a witness cosigned the last checkpoint for which this process asked it: 1 or 0"
    );
    describe_gauge!(DATABASE_BYTES, "The size of the database on disk, without its log");
    describe_gauge!(DATABASE_CONNECTIONS, "Connections for queries, by state: busy or idle");
    describe_gauge!(DISK_FREE_BYTES, "The room on the disk of the service's own Postgres");
    describe_gauge!(DISK_BYTES, "The size of that disk");
    describe_gauge!(BUILD, "The version of the program, as a label");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alerts_and_the_dashboard_know_only_metrics_that_exist() {
        let known = [
            REQUESTS,
            REQUEST_DURATION,
            STREAMS_OPEN,
            CONNECTIONS_OPEN,
            REFUSALS,
            ENTRIES,
            BATCHES,
            CONFLICTS,
            FAILURES,
            ACTIONS_SHED,
            BATCH_ENTRIES,
            APPEND_DURATION,
            IN_MEMORY,
            IN_MEMORY_BYTES,
            HITS,
            LOADS,
            EVICTIONS,
            LAG_ENTRIES,
            LAG_SECONDS,
            UNREADABLE,
            RECORD_UP,
            NODE_UP,
            DATABASE_BYTES,
            DATABASE_CONNECTIONS,
            DISK_FREE_BYTES,
            DISK_BYTES,
            WEBHOOK_ATTEMPTS,
            BOT_DECISIONS,
            HINTS,
            BUILD,
            WENT_BACK,
            ENTRIES_LOST,
            TERM,
            LATER_TERMS,
            DUE,
            LATE,
            ATTEMPTS,
            FORWARDED,
            HANDED_BACK,
            AHEAD,
            KNOWN,
            STEPS,
            LOG_OPENINGS,
            LOG_OPENINGS_SECONDS,
            LOG_SIGNED_SECONDS,
            LOG_TOLD_SECONDS,
            LEAVES_DUE,
            LEAVES_LATE,
            WITNESS_UP,
        ];
        let files = [
            include_str!("../../../../deploy/alerts.yml"),
            include_str!("../../../../deploy/alerts_test.yml"),
            include_str!("../../../../deploy/grafana.json"),
        ];
        let words =
            files.iter().flat_map(|it| it.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let mut named = 0;
        for name in words.filter(|word| word.starts_with("croupier_")) {
            let suffixes = ["_bucket", "_sum", "_count"];
            let metric = suffixes.iter().find_map(|it| name.strip_suffix(it)).unwrap_or(name);
            assert!(known.contains(&metric), "{name}");
            named += 1;
        }
        assert!(named > 50, "{named}");
    }
}
