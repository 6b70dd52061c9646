//! Metrics, as Prometheus reads them: `/metrics`, on an address of its own.
//!
//! They are for operators and stand apart from the public port, which anybody can reach. What is
//! counted where it happens (calls, appends) is only told here; how things stand (the writer, the
//! matches in memory, the projections) is looked up when somebody asks. No label names a match, a
//! player or a platform.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::meter::{REFUSALS, REQUEST_DURATION, REQUESTS, STREAMS_OPEN};
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use matches::Sink;
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use projector::{Model, Projection, Reader};
use store::append::{APPEND_DURATION, BATCH_ENTRIES};
use time::OffsetDateTime;
use tokio::net::TcpListener;
use tokio::sync::Mutex;

use crate::serve::Error;

const BATCHES: &str = "croupier_append_batches_total";
const CONFLICTS: &str = "croupier_append_conflicts_total";
const FAILURES: &str = "croupier_append_failures_total";
const SHED: &str = "croupier_append_shed_total";
const ENTRIES: &str = "croupier_entries_appended_total";
const IN_MEMORY: &str = "croupier_matches_in_memory";
const LAG_ENTRIES: &str = "croupier_projection_lag_entries";
const LAG_SECONDS: &str = "croupier_projection_lag_seconds";
const RECORD_UP: &str = "croupier_record_up";
const BUILD: &str = "croupier_build_info";

/// From what memory answers to what the service gives up on, in seconds.
const DURATIONS: [f64; 14] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Up to the largest batch there is.
const BATCH_SIZES: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];

/// How long the record may take to say how the projections stand: less than Prometheus waits.
const RECORD_WAIT: Duration = Duration::from_secs(2);

/// How often samples of histograms are added up, so that they do not pile up while nobody asks.
const UPKEEP_PAUSE: Duration = Duration::from_secs(5);

/// Where metrics are told.
#[derive(clap::Args, Clone, Debug)]
pub struct Listen {
    /// Where to tell metrics to Prometheus, at /metrics: an address for operators alone, such as
    /// 127.0.0.1:7711. Nowhere if none is named
    #[arg(long, value_name = "ADDRESS", env = "CROUPIER_METRICS_LISTEN")]
    metrics_listen: Option<SocketAddr>,
}

/// What is looked up when somebody asks. A process has not all of these.
pub struct Sources {
    pub projector: Reader,
    pub writer: Option<store::append::Handle>,
    pub matches: Option<Sink>,
}

/// Counts from the moment it is made, and tells once it serves.
pub struct Metering {
    listener: TcpListener,
    told: PrometheusHandle,
}

impl Metering {
    /// Listens, if that is asked for, and begins to count: so this comes before whatever is counted
    /// is made.
    pub async fn begin(args: &Listen) -> Result<Option<Metering>, Error> {
        let Some(address) = args.metrics_listen else { return Ok(None) };
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|source| Error::Listen { address, source })?;
        let buckets = [
            (REQUEST_DURATION, &DURATIONS[..]),
            (APPEND_DURATION, &DURATIONS),
            (BATCH_ENTRIES, &BATCH_SIZES),
        ];
        let mut recorder = PrometheusBuilder::new();
        for (name, buckets) in buckets {
            let named = Matcher::Full(name.to_owned());
            recorder = recorder.set_buckets_for_metric(named, buckets).expect("there are buckets");
        }
        let recorder = recorder.build_recorder();
        let told = recorder.handle();
        metrics::set_global_recorder(recorder).expect("a process has one recorder");
        describe();
        gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        Ok(Some(Metering { listener, told }))
    }

    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("the listener is bound")
    }

    /// Tells whoever asks, for as long as the process lives.
    pub fn serve(self, sources: Sources) {
        let Metering { listener, told } = self;
        tokio::spawn(keep_up(told.clone()));
        // One looks up at a time, however many ask.
        let sources = Arc::new(Mutex::new(sources));
        let tell = move || {
            let (told, sources) = (told.clone(), sources.clone());
            async move {
                sources.lock().await.look().await;
                ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], told.render())
                    .into_response()
            }
        };
        let pages = Router::new().route("/metrics", get(tell));
        tokio::spawn(async move { axum::serve(listener, pages).await });
    }
}

async fn keep_up(told: PrometheusHandle) {
    loop {
        tokio::time::sleep(UPKEEP_PAUSE).await;
        told.run_upkeep();
    }
}

impl Sources {
    async fn look(&self) {
        if let Some(writer) = &self.writer {
            let it = writer.statistics();
            counter!(ENTRIES).absolute(it.entries);
            counter!(BATCHES).absolute(it.batches);
            counter!(CONFLICTS).absolute(it.conflicts);
            counter!(FAILURES).absolute(it.failures);
            counter!(SHED).absolute(it.shed);
        }
        if let Some(matches) = &self.matches {
            gauge!(IN_MEMORY).set(matches.count() as f64);
        }
        let projections = tokio::time::timeout(RECORD_WAIT, self.projections()).await;
        let projections = projections.ok().and_then(Result::ok);
        gauge!(RECORD_UP).set(f64::from(u8::from(projections.is_some())));
        for (nth, model) in Model::ALL.into_iter().enumerate() {
            // Not a number is neither in step nor behind: nobody knows.
            let it = projections.as_ref().map(|all| lag(&all[nth]));
            let (entries, seconds) = it.unwrap_or((f64::NAN, f64::NAN));
            gauge!(LAG_ENTRIES, "projection" => model.name()).set(entries);
            gauge!(LAG_SECONDS, "projection" => model.name()).set(seconds);
        }
    }

    async fn projections(&self) -> Result<Vec<Projection>, projector::Error> {
        let mut projections = Vec::new();
        for model in Model::ALL {
            projections.push(self.projector.projection(model).await?);
        }
        Ok(projections)
    }
}

/// By how many entries a projection is behind, and since how many seconds.
fn lag(it: &Projection) -> (f64, f64) {
    let since = it.behind_since.map(|since| OffsetDateTime::now_utc() - since);
    (it.lag as f64, since.map_or(0.0, |since| since.as_seconds_f64().max(0.0)))
}

fn describe() {
    describe_counter!(REQUESTS, "Calls that ended, by method and gRPC code, over all protocols");
    describe_histogram!(REQUEST_DURATION, "How long calls that answer once took, by method");
    describe_gauge!(STREAMS_OPEN, "Streams under way, by method");
    describe_counter!(REFUSALS, "Refusals, by who refused (the service or a game) and reason");
    describe_counter!(ENTRIES, "Entries that this process appended");
    describe_counter!(BATCHES, "Commits of entries by this process");
    describe_counter!(CONFLICTS, "Batches that a key refused: another process was quicker");
    describe_counter!(FAILURES, "Appends that the database did not answer, to be tried again");
    describe_counter!(SHED, "Actions refused because too many were waiting to be recorded");
    describe_histogram!(BATCH_ENTRIES, "Entries of a commit");
    describe_histogram!(APPEND_DURATION, "How long an accepted action took to be recorded");
    describe_gauge!(IN_MEMORY, "Matches at hand in this process");
    describe_gauge!(LAG_ENTRIES, "Entries recorded and not yet in a projection");
    describe_gauge!(LAG_SECONDS, "How long the oldest of those has been waiting");
    describe_gauge!(RECORD_UP, "Whether the database answered when these metrics were asked for");
    describe_gauge!(BUILD, "The version that is running");
}
