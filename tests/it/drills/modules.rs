//! A module loops, takes memory or traps in a hundred matches of a platform at once: each gets its
//! refusal, and the matches of another platform go on. Another one is uploaded under load.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use contract::v1::{GetMatchRequest, Match};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::Drill;
use super::neighbours::{percentile_99, play_timed};
use crate::harness::*;
use crate::installing::{game, operator_key};
use crate::metering::{figure, scrape};
use crate::modules::{add_faults, module, pebbles, take};

/// The faulty matches.
const MATCHES: usize = 100;

/// How long the neighbours play.
const LOAD: Duration = Duration::from_secs(20);

/// Who takes so many pebbles asks for a fault, which is told as this.
const FAULTS: [(u32, &str); 3] = [(10, "TOO_LONG"), (11, "TOO_MUCH_MEMORY"), (12, "TRAPPED")];

/// Who takes so many is refused by the rules, and there is no fault.
const REFUSED: u32 = 9;

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

/// Takes pebbles for the seat whose turn it is.
async fn act(client: &Client, it: &Match, pebbles: u32) -> Result<(), Failure> {
    let now = read(client, it).await;
    take(client, it, now.waiting_for[0], pebbles).await
}

/// A match: two actions, then the fault, or what the rules refuse, until `over`, then another
/// action. Returns how often the module failed, by fault.
async fn fail(
    client: Client,
    fault: Option<(u32, &'static str)>,
    over: Arc<AtomicBool>,
) -> [(&'static str, usize); 2] {
    let (asks_for_it, fault) = fault.unwrap_or((REFUSED, "a refusal"));
    let request = pebbles();
    let mut differed = 0;
    let created = loop {
        match client.ask_in_a_rush(&request).await {
            Err(failure) if failure.facts.get("fault").is_some_and(|it| it == DIFFERS) => {
                differed += 1;
            }
            created => break created.expect("it is created"),
        }
    };
    let it = created.r#match.expect("a match");
    for _ in 0..2 {
        differed += act_soundly(&client, &it).await;
    }
    let before = read(&client, &it).await;
    let mut failures = 0;
    while failures == 0 || !over.load(Relaxed) {
        let failure = act(&client, &it, asks_for_it).await.expect_err(fault);
        let is_fault = failure.reason == "MODULE_FAILED";
        assert_eq!(is_fault, asks_for_it != REFUSED, "{failure:?}");
        assert!(!is_fault || failure.facts["fault"] == fault, "{failure:?}");
        failures += 1;
        sleep(PAUSE).await;
    }
    assert_eq!(read(&client, &it).await, before, "nothing was recorded");
    differed += act_soundly(&client, &it).await;
    [(fault, failures), (DIFFERS, differed)]
}

/// Plays while the rival has a hundred matches that ask for faults, or for what is refused. Returns
/// how long each call took, and how often the module failed, by fault.
async fn play_beside(
    client: &Client,
    rival: &Client,
    fault: impl Fn(usize) -> Option<(u32, &'static str)>,
) -> (Vec<Duration>, BTreeMap<&'static str, usize>) {
    let over = Arc::new(AtomicBool::new(false));
    let mut failing = JoinSet::new();
    for number in 0..MATCHES {
        failing.spawn(fail(rival.apart(), fault(number), over.clone()));
    }
    let took = play_timed(client, LOAD, 100).await;
    over.store(true, Relaxed);
    let mut failures = BTreeMap::new();
    while let Some(failed) = failing.join_next().await {
        for (fault, count) in failed.expect("no panic") {
            *failures.entry(fault).or_default() += count;
        }
    }
    (took, failures)
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
    // Each call of the neighbours is answered, and accepted.
    let (sound, differed) = play_beside(&client, &rival, |_| None).await;
    let (took, failures) =
        play_beside(&client, &rival, |number| Some(FAULTS[number % FAULTS.len()])).await;
    let all: usize = failures.values().sum();
    let asked: usize = FAULTS.iter().map(|(_, fault)| failures[fault]).sum();
    assert!(asked >= MATCHES, "{failures:?}");

    // What an alert looks at.
    let page = scrape(&metrics).await;
    let counted = figure(&page, "croupier_refusals_total", &[("reason", "MODULE_FAILED")]);
    assert_eq!(counted, Some((all + differed[DIFFERS]) as f64));

    drill.figure("matches", MATCHES);
    for (fault, count) in failures {
        drill.figure(&format!("failures_{}", fault.to_lowercase()), count);
    }
    drill.figure("calls_alone", quiet.len());
    drill.figure("calls", took.len());
    drill.figure("calls_beside_sound_matches", sound.len());
    let [alone, sound, beside] = [quiet, sound, took].map(|it| percentile_99(it).as_secs_f64());
    drill.figure("p99_ms_alone", alone * 1000.0);
    drill.figure("p99_ms_beside_sound_matches", sound * 1000.0);
    drill.figure("p99_ms", beside * 1000.0);
    drill.figure("p99_ratio", beside / alone);
    drill.figure("p99_ratio_to_sound_matches", beside / sound);
    // Nothing of the neighbours is lost.
    let url = installation.postgres().url();
    crate::files::done(&["verify", "--all", "--platform", "local", "--database-url", &url]).await;
}

/// Two processes serve, and other matches are played in both: an operator uploads a module that
/// nobody has seen, and somebody plays it, in either process.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute, and needs what `.ci/modules` makes: make drills"]
async fn the_first_move_of_a_module_never_seen() {
    let mut drill = Drill::begin("the first move of a module never seen");
    let mut installation = Installation::open().await;
    let second = installation.serve("b").await;
    installation.restrict().await;
    let key = operator_key(&installation).await;
    let clients = [installation.client(Protocol::Grpc), second.client(Protocol::Grpc)];
    let mut load = JoinSet::new();
    for (client, seed) in clients.iter().cloned().zip([0, 100]) {
        load.spawn(async move { play_timed(&client, LOAD * 30, seed).await });
    }
    sleep(LOAD / 4).await;

    let began = Instant::now();
    let mut since = |name: &str| drill.figure(name, began.elapsed().as_secs_f64());
    let file = module("pebbles");
    let file = file.to_str().expect("a plain path");
    game(&installation.service, &key, &["add", file]).await.expect("it is admitted");
    since("admitted_after_s");
    // The process that tried it has its code; the other one has never seen it.
    for (client, name) in clients.iter().rev().zip(["other_process", "same_process"]) {
        let created = client.ask_in_a_rush(&pebbles()).await.expect("it is created");
        let it = created.r#match.expect("a match");
        act(client, &it, 1).await.expect("it is legal");
        since(&format!("first_move_in_the_{name}_after_s"));
    }
    drill.figure("is_within_a_minute", began.elapsed() < Duration::from_secs(60));
}
