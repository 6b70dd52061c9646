//! A module loops, takes memory or traps in a hundred matches of a platform at once: each gets its
//! refusal, and the matches of another platform go on.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use contract::v1::{GetMatchRequest, Match};
use tokio::task::JoinSet;
use tokio::time::sleep;
use tonic::Code;

use super::Drill;
use super::neighbours::{percentile_99, play_timed};
use crate::harness::*;
use crate::metering::{figure, scrape};
use crate::modules::{add_faults, pebbles, take};

/// The faulty matches.
const MATCHES: usize = 100;

/// How long the neighbours play.
const LOAD: Duration = Duration::from_secs(20);

/// Who takes so many pebbles asks for a fault, which is told as this.
const FAULTS: [(u32, &str); 3] = [(10, "TOO_LONG"), (11, "TOO_MUCH_MEMORY"), (12, "TRAPPED")];

/// How often a match fails while the others play. A loop takes a processor for a while, and a
/// match that is tried again and again would be a crowd of callers, which is another drill.
const PAUSE: Duration = Duration::from_secs(5);

/// Every 64 entries the module's table is compared with the host's, and differs: another instance
/// gets the table of the record then.
const DIFFERS: &str = "TABLE_DIFFERS";

async fn read(client: &Client, it: &Match) -> Match {
    let request = GetMatchRequest { name: it.name.clone(), ..<_>::default() };
    client.ask_in_a_rush(&request).await.expect("it is there").r#match.expect("a match")
}

/// Takes a pebble. Returns how often the module failed before.
async fn act_soundly(client: &Client, it: &Match) -> usize {
    let mut failures = 0;
    while let Err(failure) = act(client, it, 1).await {
        assert_eq!(failure.facts["fault"], DIFFERS, "{failure:?}");
        failures += 1;
    }
    failures
}

/// Takes pebbles for the seat whose turn it is. What an overloaded service has refused is asked
/// again.
async fn act(client: &Client, it: &Match, pebbles: u32) -> Result<(), Failure> {
    loop {
        let now = read(client, it).await;
        match take(client, it, now.waiting_for[0], pebbles).await {
            Err(failure) if failure.reason == "OVERLOADED" => sleep(PAUSE / 50).await,
            answer => return answer,
        }
    }
}

/// A faulty match: two actions, then the fault until `over`, then another action. Returns how often
/// the module failed, by fault.
async fn fail(client: Client, number: usize, over: Arc<AtomicBool>) -> [(&'static str, usize); 2] {
    let (asks_for_it, fault) = FAULTS[number % FAULTS.len()];
    let request = pebbles();
    let created = client.ask_in_a_rush(&request).await.expect("it is created");
    let it = created.r#match.expect("a match");
    let mut differed = 0;
    for _ in 0..2 {
        differed += act_soundly(&client, &it).await;
    }
    let before = read(&client, &it).await;
    let mut failures = 0;
    while failures == 0 || !over.load(Relaxed) {
        let failure = act(&client, &it, asks_for_it).await.expect_err(fault);
        failure.check(Code::FailedPrecondition, "MODULE_FAILED");
        assert_eq!(failure.facts["fault"], fault);
        failures += 1;
        sleep(PAUSE).await;
    }
    assert_eq!(read(&client, &it).await, before, "nothing was recorded");
    differed += act_soundly(&client, &it).await;
    [(fault, failures), (DIFFERS, differed)]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute, and needs what `.ci/modules` makes: make drills"]
async fn a_module_that_fails_in_a_hundred_matches() {
    let mut drill = Drill::begin("a module that fails in a hundred matches");
    let mut installation = Installation::open().await;
    let metrics = installation.service.metrics().await;
    let client = installation.client(Protocol::Grpc);
    let rival = client.apart().holding(installation.platform("rival").await);
    add_faults(&installation).await;
    let quiet = play_timed(&client, LOAD / 2, 0).await;
    let over = Arc::new(AtomicBool::new(false));
    let mut failing = JoinSet::new();
    for number in 0..MATCHES {
        failing.spawn(fail(rival.apart(), number, over.clone()));
    }
    // Each of its calls is answered, and accepted.
    let took = play_timed(&client, LOAD, 100).await;
    over.store(true, Relaxed);
    let mut failures: BTreeMap<&str, usize> = BTreeMap::new();
    while let Some(failed) = failing.join_next().await {
        for (fault, count) in failed.expect("no panic") {
            *failures.entry(fault).or_default() += count;
        }
    }
    let all: usize = failures.values().sum();
    let asked: usize = FAULTS.iter().map(|(_, fault)| failures[fault]).sum();
    assert!(asked >= MATCHES, "{failures:?}");

    // What an alert looks at.
    let page = scrape(&metrics).await;
    let counted = figure(&page, "croupier_refusals_total", &[("reason", "MODULE_FAILED")]);
    assert_eq!(counted, Some(all as f64));

    drill.figure("matches", MATCHES);
    for (fault, count) in failures {
        drill.figure(&format!("failures_{}", fault.to_lowercase()), count);
    }
    drill.figure("calls_alone", quiet.len());
    drill.figure("calls", took.len());
    let (alone, beside) = (percentile_99(quiet), percentile_99(took));
    drill.figure("p99_ms_alone", alone.as_secs_f64() * 1000.0);
    drill.figure("p99_ms", beside.as_secs_f64() * 1000.0);
    drill.figure("p99_ratio", beside.as_secs_f64() / alone.as_secs_f64());
    // Nothing of the neighbours is lost.
    let url = installation.postgres().url();
    crate::files::done(&["verify", "--all", "--platform", "local", "--database-url", &url]).await;
}
