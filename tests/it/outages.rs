//! Outages: while the database is down, writes are refused as retryable, reads are served from
//! memory, and deadlines are kept.

use std::time::{Duration, Instant};

use contract::v1::*;
use tokio::task::JoinSet;
use tonic::Code;

use crate::harness::*;

/// The longest a call may take while the database is down, on a busy machine.
const ANSWER_MAX: Duration = Duration::from_secs(20);

#[tokio::test]
async fn without_a_database_writes_are_retryable_and_reads_continue() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 91).await;
    playing.steps(5).await;
    let before = get(&client, &playing.name).await;
    let listed = entries(&client, &playing.name, "spectator").await;
    let action = playing.plan().await.expect("an answer").expect("the match goes on");
    installation.stop_postgres().await;

    let began = Instant::now();
    let failure = client.ask(&action).await.expect_err("it cannot be recorded");
    assert!(began.elapsed() < ANSWER_MAX, "it took {:?}", began.elapsed());
    assert_eq!(failure.code, Code::Unavailable);
    let reasons = ["OUTCOME_UNKNOWN", "DATABASE_UNAVAILABLE"];
    assert!(
        reasons.contains(&failure.reason.as_str()) && failure.retry_ms.is_some(),
        "{failure:?}"
    );

    assert_eq!(get(&client, &playing.name).await, before);
    assert_eq!(view(&client, &playing.name, "seats/0", None).await.position, 6);
    assert_eq!(entries(&client, &playing.name, "spectator").await, listed);
    let unknown = GetMatchRequest {
        name: "matches/00000000-0000-4000-8000-000000000000".to_owned(),
        ..GetMatchRequest::default()
    };
    let failure = client.ask(&unknown).await.expect_err("nobody can tell");
    failure.check(Code::Unavailable, "DATABASE_UNAVAILABLE");
    assert!(failure.retry_ms.is_some());
    let failure = client.ask(&new_match(2)).await.expect_err("it cannot be recorded");
    assert_eq!((failure.code, failure.retry_ms.is_some()), (Code::Unavailable, true));

    installation.start_postgres().await;
    until("the service finds it", async || playing.submit(&action).await.ok()).await;
    let entry = playing.entries.last().expect("an entry").clone();
    assert_eq!(client.ask(&action).await.expect("a retry").entry, Some(entry));
    playing.finish().await;
    check_record(&playing, &[&client], &mut installation.database().await).await;
}

#[tokio::test]
async fn a_watcher_misses_nothing_during_an_outage() {
    let mut installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (client, elsewhere) =
        (installation.client(Protocol::Grpc), second.client(Protocol::Events));
    let mut playing = Playing::new(&client, 2, 92).await;
    let request = WatchEntriesRequest { parent: playing.name.clone(), ..Default::default() };
    let mut watch = elsewhere.watch(&request).await;
    let mut seen = watch.up_to(1).await.expect("the deal");
    installation.stop_postgres().await;
    installation.start_postgres().await;
    while playing.patient_step().await {}
    seen.extend(watch.up_to(i32::MAX).await.expect("it ends well"));
    assert_eq!(seen, entries(&client, &playing.name, "spectator").await);
}

#[tokio::test]
async fn a_deadline_is_answered_in_time() {
    let mut installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&key, 2, 93).await;
    let action = playing.plan().await.expect("an answer").expect("the match goes on");
    installation.stop_postgres().await;
    for protocol in PROTOCOLS {
        let client = match protocol {
            Protocol::ConnectJson | Protocol::ConnectProto => {
                key.speaking(protocol).with_header("connect-timeout-ms", 300)
            }
            _ => key.speaking(protocol).with_header("grpc-timeout", "300m"),
        };
        // A busy machine may be late once, but not again and again.
        until("an answer in time", async || {
            let began = Instant::now();
            let failure = client.ask(&action).await.expect_err("it cannot be recorded");
            failure.check(Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
            (began.elapsed() < Duration::from_secs(3)).then_some(())
        })
        .await;
    }
    installation.start_postgres().await;
    until("the service finds it", async || playing.submit(&action).await.ok()).await;
    playing.steps(3).await;
    let requests = recorded_requests(&mut installation.database().await, &playing.name).await;
    assert_eq!(requests[1..], playing.requests, "what was given up was recorded once at the most");
}

/// Whichever timer fires first: the deadlines are as short as an answer takes.
#[tokio::test]
async fn a_deadline_of_a_moment_is_answered_in_the_callers_protocol() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let (mut answered, mut exceeded) = (0, 0);
    let mut wait_us = 200;
    // On a slow machine, an answer takes longer.
    while wait_us < 60_000 || answered == 0 {
        let hurried = client.with_header("grpc-timeout", format!("{wait_us}u"));
        wait_us += 100;
        match hurried.ask(&ListMatchesRequest::default()).await {
            Ok(_) => answered += 1,
            Err(failure) => {
                failure.check(Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
                exceeded += 1;
            }
        }
    }
    assert!(answered > 0 && exceeded > 0, "{answered} answered, {exceeded} exceeded");
}

#[tokio::test]
async fn callers_crowding_one_match_are_refused_with_a_retry_delay() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 95).await;
    let action = playing.plan().await.expect("an answer").expect("the match goes on");
    // Nothing is written until this lock is released, so one action is accepted and the others wait
    // for it.
    let mut database = installation.database().await;
    let held = sqlx::raw_sql("begin; lock table entries in exclusive mode");
    held.execute(&mut database).await.expect("the lock");
    let crowd = 200;
    let mut asking = JoinSet::new();
    for number in 0..crowd {
        let request_id = format!("crowd-{number}");
        let (client, request) =
            (client.clone(), SubmitActionRequest { request_id, ..action.clone() });
        asking.spawn(async move { client.ask(&request).await });
    }
    for _ in QUEUE_MAX..crowd {
        let refused = asking.join_next().await.expect("they are many").expect("no panic");
        let refused = refused.expect_err("nothing is written yet");
        refused.check(Code::ResourceExhausted, "OVERLOADED");
        assert!(refused.retry_ms.is_some(), "it says when to come again");
    }
    sqlx::raw_sql("commit").execute(&mut database).await.expect("it is let go");
    let mut accepted = 0;
    while let Some(answer) = asking.join_next().await {
        match answer.expect("no panic") {
            Ok(_) => accepted += 1,
            Err(failure) => assert_eq!(failure.code, Code::FailedPrecondition, "{failure:?}"),
        }
    }
    assert!(accepted > 0);
    assert_eq!(get(&client, &playing.name).await.position, accepted + 1);
}

/// How many actions may wait for one match.
const QUEUE_MAX: usize = 128;
