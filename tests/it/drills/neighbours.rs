//! One platform misbehaves, loses its key or has a match that cannot be read: the others notice
//! nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use contract::v1::*;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tonic::Code;

use super::Drill;
use super::crowd::Crowd;
use super::failover::{PLAYERS, check_nothing_lost, note};
use crate::credentials::{key_id, platform};
use crate::fairness::{speech, with_talk};
use crate::harness::*;
use crate::unreadable::{empty_projections, listed, poison};

/// How long the bad neighbour goes on.
const NUISANCE: Duration = Duration::from_secs(20);

/// The 99th percentile of an innocent call, on a busy machine and in an unoptimized program.
const P99_MAX: Duration = Duration::from_secs(3);

/// Within this time a revoked key is refused everywhere.
const REVOKED_WITHIN: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn a_platform_that_misbehaves() {
    let mut drill = Drill::begin("a platform that misbehaves");
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let quiet = play_timed(&client, NUISANCE / 4, 0).await;
    let rival = client.apart().holding(installation.platform("rival").await);
    let calls = Arc::new(AtomicUsize::new(0));
    let nuisance = misbehave(&rival, &calls).await;
    let took = play_timed(&client, NUISANCE, 100).await;
    drop(nuisance);
    drill.figure("calls", took.len());
    drill.figure("calls_of_the_other", calls.load(Relaxed));
    drill.figure("p99_ms_alone", percentile_99(quiet).as_millis() as u64);
    let longest = took.iter().max().expect("calls").as_millis() as u64;
    let p99 = percentile_99(took);
    drill.figure("p99_ms", p99.as_millis() as u64);
    drill.figure("longest_ms", longest);
    assert!(p99 < P99_MAX, "{p99:?}");
}

/// Plays matches one after the other, with four players at once, and returns how long each call
/// took. All are answered.
pub async fn play_timed(client: &Client, time: Duration, seed: u64) -> Vec<Duration> {
    let mut players = JoinSet::new();
    let began = Instant::now();
    for player in 0..4 {
        let client = client.clone();
        players.spawn(async move {
            let mut took = Vec::new();
            while began.elapsed() < time {
                let seed = seed + player;
                let mut playing = timed(&mut took, Playing::new(&client, 2, seed)).await;
                timed(&mut took, client.ask(&ListMatchesRequest::default())).await.expect("a list");
                while began.elapsed() < time {
                    let planned = timed(&mut took, playing.plan()).await;
                    let Some(action) = planned.expect("an answer") else { break };
                    timed(&mut took, playing.submit(&action)).await.expect("it is accepted");
                }
                timed(&mut took, get(&client, &playing.name)).await;
            }
            took
        });
    }
    players.join_all().await.into_iter().flatten().collect()
}

async fn timed<T>(took: &mut Vec<Duration>, call: impl Future<Output = T>) -> T {
    let began = Instant::now();
    let answer = call.await;
    took.push(began.elapsed());
    answer
}

pub fn percentile_99(mut took: Vec<Duration>) -> Duration {
    took.sort();
    took[took.len() * 99 / 100]
}

/// Floods the service with calls, streams, consumers, invalid keys and talk, until it is dropped.
async fn misbehave(rival: &Client, calls: &Arc<AtomicUsize>) -> JoinSet<()> {
    let mut tasks = JoinSet::new();
    let talk = create(rival, &with_talk(3)).await.name;
    let name = "subscriptions/feed".to_owned();
    let subscription = CreateSubscriptionRequest { name: name.clone(), ..Default::default() };
    rival.ask(&subscription).await.expect("it is made");
    for number in 0..16 {
        let (rival, calls, talk) = (rival.clone(), calls.clone(), talk.clone());
        tasks.spawn(async move {
            let action = Some(speech());
            let say = SubmitActionRequest {
                name: talk.clone(),
                action,
                seat: Some(0),
                ..Default::default()
            };
            let stranger = rival.holding("croupier_key_of_nobody");
            loop {
                match number % 4 {
                    0 => drop(rival.ask(&new_match(2)).await),
                    1 => drop(rival.ask(&ListMatchesRequest::default()).await),
                    2 => drop(rival.ask(&say).await),
                    _ => drop(stranger.ask(&ListMatchesRequest::default()).await),
                }
                calls.fetch_add(1, Relaxed);
                // Players are on the same machine, and need a share of it.
                sleep(Duration::from_millis(5)).await;
            }
        });
    }
    for number in 0..240 {
        let (rival, name, parent) = (rival.clone(), name.clone(), talk.clone());
        let consumer = format!("consumer-{number}");
        tasks.spawn(async move {
            let consume = ConsumeSubscriptionRequest {
                name,
                consumer,
                heartbeat: Some(contract::seconds(1)),
                ..Default::default()
            };
            let watch = WatchEntriesRequest { parent, ..Default::default() };
            let stream = StreamEntriesRequest {
                live: true,
                heartbeat: Some(contract::seconds(1)),
                ..Default::default()
            };
            loop {
                match number % 3 {
                    0 => hold(rival.stream(&consume).await).await,
                    1 => hold(rival.watch(&watch).await).await,
                    _ => hold(rival.stream(&stream).await).await,
                }
            }
        });
    }
    tasks
}

/// Reads a message of a stream, and keeps it open without reading on.
async fn hold<T: prost::Message + Default>(mut stream: Watch<T>) {
    let _ = stream.next().await;
    sleep(Duration::from_secs(2)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn a_revoked_key() {
    let mut drill = Drill::begin("a revoked key");
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let key = installation.platform("rival").await;
    let rival = client.apart().holding(&key);
    let crowd = Crowd::gather(&client, PLAYERS / 2).await;
    let request =
        CreateSubscriptionRequest { name: "subscriptions/feed".to_owned(), ..Default::default() };
    rival.ask(&request).await.expect("it is made");
    let mut ending = JoinSet::new();
    for number in 0..10 {
        let mut playing = Playing::new(&rival, 2, number).await.with_tokens().await;
        playing.steps(3).await;
        let watch = WatchEntriesRequest { parent: playing.name.clone(), ..Default::default() };
        let consume = ConsumeSubscriptionRequest {
            name: request.name.clone(),
            consumer: format!("consumer-{number}"),
            heartbeat: Some(contract::seconds(1)),
            ..Default::default()
        };
        let stream =
            StreamEntriesRequest { heartbeat: Some(contract::seconds(1)), ..Default::default() };
        let asking = [rival.clone(), playing.seats[0].clone(), playing.seats[1].clone()];
        ending.spawn(ended(playing.seats[0].speaking(Protocol::Events).watch(&watch).await));
        ending.spawn(ended(rival.watch(&watch).await));
        ending.spawn(ended(rival.stream(&consume).await));
        ending.spawn(ended(rival.stream(&stream).await));
        for client in asking {
            let get = GetMatchRequest { name: playing.name.clone(), ..GetMatchRequest::default() };
            ending.spawn(async move {
                loop {
                    if let Err(failure) = client.ask(&get).await {
                        return failure;
                    }
                    sleep(Duration::from_millis(50)).await;
                }
            });
        }
    }
    crowd.play_on(100).await;
    let count = ending.len();
    let began = Instant::now();
    platform(&installation, &["revoke", "rival", key_id(&key)]).await;
    while let Some(ended) = ending.join_next().await {
        ended.expect("no panic").check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    }
    let took = began.elapsed();
    drill.figure("streams_and_callers_ended", count);
    drill.figure("all_ended_after_ms", took.as_millis() as u64);
    assert!(took < REVOKED_WITHIN, "{took:?}");
    crowd.play_on(100).await;
    let mut database = installation.database().await;
    let url = installation.postgres().url();
    let account = crowd.account(&mut database, &url, installation.folder.path()).await;
    note(&mut drill, &account);
    check_nothing_lost(&account, &mut installation.service).await;
}

/// The failure that ends a stream.
async fn ended<T: prost::Message + Default>(mut stream: Watch<T>) -> Failure {
    loop {
        match stream.next().await {
            Ok(batch) => assert!(batch.is_some(), "it ended in peace"),
            Err(failure) => return failure,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn a_poisoned_entry() {
    let mut drill = Drill::begin("a poisoned entry");
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut poisoned = Playing::new(&client, 2, 1).await;
    poisoned.steps(4).await;
    installation.service.kill().await;
    let mut database = installation.database().await;
    poison(&mut database, &poisoned.name).await;
    empty_projections(&mut database).await;
    installation.service.start_again().await;
    let mut crowd = Crowd::gather(&client, PLAYERS).await;
    crowd.unreadable = Some((poisoned.name.clone(), 5));
    crowd.play_on(300).await;
    let get = GetMatchRequest { name: poisoned.name.clone(), ..GetMatchRequest::default() };
    let refused = client.ask(&get).await.expect_err("it cannot be read");
    refused.check(Code::FailedPrecondition, "MATCH_UNREADABLE");
    let url = installation.postgres().url();
    let account = crowd.account(&mut database, &url, installation.folder.path()).await;
    note(&mut drill, &account);
    let all = listed(&client).await;
    let unreadable: Vec<&String> =
        all.iter().filter(|(_, it)| it.unreadable).map(|(name, _)| name).collect();
    assert_eq!(unreadable, [&poisoned.name]);
    check_nothing_lost(&account, &mut installation.service).await;
}
