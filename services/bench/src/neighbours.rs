//! What one platform notices of another one that does its worst.

use std::collections::BTreeMap;
use std::slice;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use contract::names::match_name;
use contract::v1::{GetViewRequest, ListMatchesRequest};
use croupier_client::{Croupier, Options, Refusal};
use futures::{StreamExt, TryStreamExt, stream};
use hdrhistogram::Histogram;
use http::uri::PathAndQuery;
use prost::Message;
use rows::MatchId;
use serde::Serialize;
use serde_json::{Map, Value, json};
use store::Store;
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::attack::{self, Attacker, Effect, Worst};
use crate::connection::{Connection, GET_VIEW, reason};
use crate::drive::{self, Playing, Run, Tally};
use crate::plan::{self, Mix, Planned};
use crate::report::{CREATING, Error, Percentiles, Report, histogram, progress, rounded};
use crate::service::Service;
use crate::usage::Programs;

const LIST_MATCHES: PathAndQuery =
    PathAndQuery::from_static("/croupier.v1.MatchService/ListMatches");

/// Play and read as one platform, alone and while another platform does its worst: views in words,
/// streams that are never read, searches, seeks, and webhooks that stall
///
/// Prints a JSON object, with the ratios of the latencies. Calls are sent at fixed rates, and
/// measured from when they are due.
#[derive(clap::Args)]
pub struct Args {
    /// An API key of the other platform, which attacks
    #[arg(long, env = "CROUPIER_RIVAL_KEY", hide_env_values = true, value_name = "KEY")]
    rival_key: String,
    /// How long to measure alone, and then beside the attack, in seconds
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// The number of matches of R.I.G.S. that the attacking platform has
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    history: u64,
    #[command(flatten)]
    worst: Worst,
}

#[derive(Serialize)]
struct Outcome {
    alone: Calls,
    beside: Calls,
    /// The latencies beside the attack as multiples of those alone.
    ratios: Map<String, Value>,
    /// What the attacking platform called, and what came of it.
    attack: Value,
    /// Null if the service does not run on this machine.
    service_memory_mb: Option<Memory>,
}

/// The latencies of one phase, in milliseconds, by kind of call, and the refusals.
#[derive(Serialize)]
struct Calls {
    actions: Percentiles,
    views: Percentiles,
    views_in_words: Percentiles,
    lists: Percentiles,
    calls: u64,
    refused: BTreeMap<String, u64>,
}

#[derive(Serialize)]
struct Memory {
    before: u64,
    most: u64,
    /// When the attack has been over for [`REST`].
    after: u64,
}

/// The matches that the innocent platform plays, and those that it reads.
const PLAYED: u64 = 200;
const READ: u64 = 20;

/// Calls of one kind per second: few, so that the platform does not wait for itself.
const ACTIONS_PER_S: u32 = 100;
const READS_PER_S: u32 = 50;

/// How long the attack lasts before the calls beside it are measured.
const WARM_UP: Duration = Duration::from_secs(3);
const REST: Duration = Duration::from_secs(5);

/// How often the memory is looked at.
const SAMPLE: Duration = Duration::from_millis(200);

/// Connections of the attacker.
const CONNECTIONS: usize = 8;
/// Actions sent at once while matches are played in advance.
const AT_ONCE: usize = 64;

pub async fn run(args: &Args, service: &Service, store: &Store) -> Result<Report, Error> {
    Ok(Report::json(&measure(args, service, store).await?))
}

async fn measure(args: &Args, service: &Service, store: &Store) -> Result<Outcome, Error> {
    let rival = Service {
        options: Options {
            credentials: args.rival_key.clone().into(),
            retry_for: Duration::ZERO,
            ..service.options.clone()
        },
        ..service.clone()
    };
    let attacker = attacker(&rival, store, args.history).await?;
    let client = service.connect().await?;
    let read = begun(&client, service, store, READ).await?;
    let plans = async || {
        let bar = progress(CREATING, PLAYED);
        plan::plan(&client, store, &Mix::of(&[], 0, None)?, 0..PLAYED, &bar).await
    };
    let (first, second) = (plans().await?, plans().await?);
    let connections = Connection::connect_all(slice::from_ref(service), 4).await?;
    let innocent = Innocent { connections, read, time: Duration::from_secs(args.seconds) };
    let programs = Programs::find(slice::from_ref(service), store).await?;

    let alone = innocent.call(first).await;
    let memory = || programs.count().memory;
    let before = memory();
    let (stop, effect) = (CancellationToken::new(), Arc::new(Effect::default()));
    let attacking = attack::begin(attacker, args.worst, effect.clone(), stop.clone());
    let calling = async {
        sleep(WARM_UP).await;
        innocent.call(second).await
    };
    let (beside, most) = with_most(calling, memory).await;
    let told = effect.told();
    stop.cancel();
    attacking.join().expect("the attack does not panic");
    sleep(REST).await;
    let after = memory();
    let memory = before.zip(most).zip(after);
    Ok(Outcome {
        ratios: ratios(&alone, &beside),
        alone,
        beside,
        attack: json!({"worst": args.worst, "effect": told}),
        service_memory_mb: memory.map(|((before, most), after)| Memory {
            before: before >> 20,
            most: most >> 20,
            after: after >> 20,
        }),
    })
}

/// The attacking platform, with matches in the middle of play.
async fn attacker(rival: &Service, store: &Store, history: u64) -> Result<Attacker, Error> {
    let client = rival.connect().await?;
    let matches = begun(&client, rival, store, history).await?;
    let connect = || Connection::connect_all(slice::from_ref(rival), CONNECTIONS);
    Ok(Attacker { client, calling: connect().await?, unread: connect().await?, matches })
}

/// Matches of R.I.G.S., each played to its middle.
async fn begun(
    client: &Croupier,
    service: &Service,
    store: &Store,
    count: u64,
) -> Result<Vec<MatchId>, Error> {
    let bar = progress(CREATING, count);
    let mix = Mix::of(&["rigs".to_owned()], 1, None)?;
    let planned = plan::plan(client, store, &mix, 0..count, &bar).await?;
    let connections = Connection::connect_all(slice::from_ref(service), 1).await?;
    let half = async |it: Planned| {
        let count = it.requests.len() / 2;
        for request in it.requests.into_iter().take(count) {
            connections[0].submit(request).await?;
        }
        Ok::<_, Status>(it.match_id)
    };
    let begun = stream::iter(planned).map(half).buffer_unordered(AT_ONCE);
    Ok(begun.try_collect().await.map_err(Refusal::from)?)
}

/// The platform that suffers.
struct Innocent {
    connections: Vec<Connection>,
    /// The matches whose tables it reads.
    read: Vec<MatchId>,
    time: Duration,
}

/// The latencies and refusals of one kind of calls.
struct Timed {
    took_us: Histogram<u64>,
    refused: BTreeMap<String, u64>,
}

impl Innocent {
    /// Makes calls of every kind, each on a connection of its own.
    async fn call(&self, planned: Vec<Planned>) -> Calls {
        let matches: Vec<Playing> = planned.into_iter().map(Playing::new).collect();
        let [playing, viewing, wording, listing] = &self.connections[..] else {
            unreachable!("there are four connections")
        };
        let gap = Duration::from_secs(1) / ACTIONS_PER_S;
        let run = Run::new(self.time);
        let (actions, views, views_in_words, lists) = tokio::join!(
            drive::open(run, vec![playing.clone()], matches, gap),
            self.read(viewing, GET_VIEW, self.views("")),
            self.read(wording, GET_VIEW, self.views("en")),
            self.read(listing, LIST_MATCHES, vec![ListMatchesRequest::default().encode_to_vec()]),
        );
        Calls::of(&actions, [views, views_in_words, lists])
    }

    fn views(&self, language: &str) -> Vec<Vec<u8>> {
        let view = |match_id: &MatchId| GetViewRequest {
            name: match_name(match_id.0),
            viewer: "seats/0".to_owned(),
            language: language.to_owned(),
            ..GetViewRequest::default()
        };
        self.read.iter().map(|it| view(it).encode_to_vec()).collect()
    }

    /// Sends these requests in rotation, at a fixed rate whether or not earlier ones were answered.
    async fn read(
        &self,
        connection: &Connection,
        method: PathAndQuery,
        requests: Vec<Vec<u8>>,
    ) -> Timed {
        let timed = Arc::new(Mutex::new(Timed { took_us: histogram(), refused: BTreeMap::new() }));
        let (mut due, until) = (Instant::now(), Instant::now() + self.time);
        let mut calls = JoinSet::new();
        for request in requests.into_iter().map(Bytes::from).collect::<Vec<_>>().iter().cycle() {
            due += Duration::from_secs(1) / READS_PER_S;
            sleep_until(due.into()).await;
            if due >= until {
                break;
            }
            let (connection, method) = (connection.clone(), method.clone());
            let (request, timed) = (request.clone(), timed.clone());
            calls.spawn(async move {
                let answer = connection.call(request, method).await;
                let mut timed = timed.lock().expect(LOCKED);
                match answer {
                    Ok(_) => timed.took_us.saturating_record(due.elapsed().as_micros() as u64),
                    Err(status) => *timed.refused.entry(reason(&status).0).or_default() += 1,
                }
            });
        }
        calls.join_all().await;
        Arc::into_inner(timed).expect("every call has ended").into_inner().expect(LOCKED)
    }
}

const LOCKED: &str = "no thread panics while it holds the lock";

impl Calls {
    fn of(actions: &Tally, reads: [Timed; 3]) -> Calls {
        let mut refused = actions.refusals.clone();
        let mut calls = actions.took_us.len();
        for it in &reads {
            calls += it.took_us.len();
            it.refused
                .iter()
                .for_each(|(reason, n)| *refused.entry(reason.clone()).or_default() += n);
        }
        let [views, views_in_words, lists] = reads.map(|it| Percentiles::of_us(&it.took_us));
        let actions = Percentiles::of_us(&actions.took_us);
        Calls { actions, views, views_in_words, lists, calls, refused }
    }

    fn kinds(&self) -> [(&'static str, Percentiles); 4] {
        [
            ("actions", self.actions),
            ("views", self.views),
            ("views_in_words", self.views_in_words),
            ("lists", self.lists),
        ]
    }
}

fn ratios(alone: &Calls, beside: &Calls) -> Map<String, Value> {
    let of = |beside: f64, alone: f64| rounded(beside / alone);
    let both = alone.kinds().into_iter().zip(beside.kinds());
    let ratio = |((kind, alone), (_, beside)): ((&str, Percentiles), (_, Percentiles))| {
        let ratios = json!({"p50": of(beside.p50, alone.p50), "p99": of(beside.p99, alone.p99)});
        (kind.to_owned(), ratios)
    };
    both.map(ratio).collect()
}

/// The result, and the largest amount that was seen until then.
async fn with_most<T>(
    running: impl Future<Output = T>,
    amount: impl Fn() -> Option<u64>,
) -> (T, Option<u64>) {
    let mut most = amount();
    let mut sampling = tokio::time::interval(SAMPLE);
    tokio::pin!(running);
    loop {
        tokio::select! {
            result = &mut running => return (result, most),
            _ = sampling.tick() => most = most.max(amount()),
        }
    }
}
