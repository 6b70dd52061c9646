//! Single faults, each injected with certainty: a campaign may miss them, these tests do not.

use std::fs;
use std::time::{Duration, Instant};

use contract::v1::entry_service_client::EntryServiceClient;
use contract::v1::*;
use sqlx::postgres::PgConnection;
use tonic::{Code, Request, Streaming};

use super::clients::sleepers;
use super::site::{Disk, drowsy_channel, memory};
use crate::harness::*;
use crate::lifecycle::{read_page, until_healthy};

#[tokio::test]
async fn an_unanswered_committed_action_is_answered_by_another_process() {
    let mut installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (doomed, other) = (installation.client(Protocol::Grpc), second.client(Protocol::Grpc));
    let mut playing = Playing::new(&doomed, 3, 111).await;
    let mut holder = installation.database().await;
    let mut database = installation.database().await;
    for _ in 0..3 {
        playing.seats.fill(doomed.clone());
        // The database must have prepared the statement: an unprepared one takes two messages, and
        // the process sends only one.
        playing.steps(2).await;
        let action = playing.plan().await.expect("an answer").expect("the match goes on");
        hold(&mut holder).await;
        let asking = tokio::spawn({
            let (client, action) = (doomed.clone(), action.clone());
            async move { client.ask(&action).await }
        });
        until("a writer that waits", async || (waiting(&mut database).await > 0).then_some(()))
            .await;
        installation.service.stop().await;
        let_go(&mut holder).await;
        until("the commit", async || {
            let requests = recorded_requests(&mut database, &playing.name).await;
            requests.contains(&action.request_id).then_some(())
        })
        .await;
        installation.service.kill().await;
        let failure = asking.await.expect("a task").expect_err("nobody is left to answer");
        assert!(failure.is_of_connection(), "{failure:?}");

        playing.seats.fill(other.clone());
        let entry = playing.submit(&action).await.expect("it is recorded");
        assert_eq!(entry.position, playing.entries.len() as i32 + 1);
        installation.service.start_again().await;
    }
    playing.finish().await;
    check_record(&playing, &[&doomed, &other], &mut database).await;
}

/// Blocks every append.
async fn hold(database: &mut PgConnection) {
    let hold = "begin; lock table entries in share row exclusive mode";
    sqlx::raw_sql(hold).execute(database).await.expect("a lock");
}

async fn let_go(database: &mut PgConnection) {
    sqlx::raw_sql("commit").execute(database).await.expect("no lock");
}

async fn waiting(database: &mut PgConnection) -> i64 {
    let waiting =
        "select count(*) from pg_locks where relation = 'entries'::regclass and not granted";
    sqlx::query_scalar(waiting).fetch_one(database).await.expect("a number")
}

/// The longest a call may take while nothing can be written, on a busy machine.
const ANSWER_MAX: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_full_disk_is_reported_and_survived() {
    let folder = new_folder();
    let data = folder.path().join("database");
    copy_cluster(&data).await;
    let Some(disk) = Disk::mount(&data.join("cluster/base")) else {
        return eprintln!("skipped: only root can put the database on a small disk");
    };
    let postgres = start_postgres(&data).await;
    let mut service = Service::start(&folder.path().join("a"), Some(&postgres.url())).await;
    let metrics = service.metrics().await;
    let client = service.client(Protocol::Grpc);
    // The game with the longest matches.
    let game = "games/rigs".to_owned();
    let it = create(&client, &CreateMatchRequest { game, ..new_match(4) }).await;
    let mut playing = Playing::of(&client, &it, 112);
    disk.fill().expect("it can be filled");

    // The rest of the last pages is still written.
    let (action, failure) = loop {
        let action = playing.plan().await.expect("an answer").expect("the match is long enough");
        let began = Instant::now();
        match playing.submit(&action).await {
            Ok(_) => {}
            Err(failure) => {
                assert!(began.elapsed() < ANSWER_MAX, "it took {:?}", began.elapsed());
                break (action, failure);
            }
        }
    };
    failure.check(Code::ResourceExhausted, "DATABASE_FULL");
    assert!(failure.retry_ms.is_some(), "{failure:?}");
    let position = playing.entries.len() as i32 + 1;
    assert_eq!(get(&client, &playing.name).await.position, position, "reads go on");

    // Callers are told the reason and when to come again, so load balancers still send calls.
    let full = "ready for reads only: the database's disk is full\n";
    until("it is not ready", async || (read_page(&client, "/readyz").await.0 == 503).then_some(()))
        .await;
    for client in [&client, &metrics] {
        assert_eq!(read_page(client, "/readyz").await, (503, full.to_owned()));
        assert_eq!(read_page(client, "/readyz/reads").await, (200, full.to_owned()));
    }
    until_healthy(service.port(), true).await;
    // It writes nothing for the first one.
    let folder_of_other = folder.path().join("b");
    let other = ["--without-peers"];
    let other = Service::start_with(&folder_of_other, Some(&postgres.url()), &other).await;
    let fresh = other.client(Protocol::Grpc);
    until("the other finds out", async || {
        (read_page(&fresh, "/readyz").await.0 == 503).then_some(())
    })
    .await;
    assert_eq!(get(&fresh, &playing.name).await.position, position);
    let failure = playing.submit(&action).await.expect_err("there is no room");
    failure.check(Code::ResourceExhausted, "DATABASE_FULL");
    let again = || {
        let log = fs::read_to_string(service.folder.join("service.txt")).expect("a log");
        log.matches("entries are recorded again").count()
    };
    assert_eq!(again(), 0);

    disk.clear();
    for client in [&client, &fresh] {
        until("it is ready", async || (read_page(client, "/readyz").await.0 == 200).then_some(()))
            .await;
    }
    until("the service finds it", async || playing.submit(&action).await.ok()).await;
    playing.steps(5).await;
    assert_eq!(again(), 1);
    let mut database = connect(&postgres.options()).await;
    assert_eq!(recorded_requests(&mut database, &playing.name).await[1..], playing.requests);
    drop((service, other, postgres, disk));
}

/// The number of unread streams, and of their connections.
const SLEEPERS: (usize, usize) = (1000, 10);
/// The memory that an unread stream may cost: a few batches, and the connection's own buffers.
const SLEEPER_BYTES_MAX: u64 = 64 << 10;

#[tokio::test]
async fn a_thousand_unread_streams_do_not_slow_others() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut alone = Playing::new(&client, 3, 113).await;
    let usual = pace(&mut alone).await;

    let mut playing = Playing::new(&client, 3, 113).await;
    let before = memory(installation.service.id());
    let asleep = fall_asleep(&installation, &playing.name).await;
    let request = WatchEntriesRequest { parent: playing.name.clone(), ..Default::default() };
    let mut awake = client.watch(&request).await;
    let slowed = pace(&mut playing).await;
    let taken = memory(installation.service.id()).saturating_sub(before);
    let told = entries(&client, &playing.name, "spectator").await;
    assert_eq!(awake.up_to(i32::MAX).await.expect("it ends well"), told);
    eprintln!("{} asleep: {} KiB, {usual:?} became {slowed:?}", asleep.len(), taken >> 10);
    assert_eq!(asleep.len(), SLEEPERS.0);
    assert!(taken < SLEEPER_BYTES_MAX * SLEEPERS.0 as u64, "{} MiB", taken >> 20);
    assert!(slowed < 5 * usual + Duration::from_secs(1), "{usual:?} became {slowed:?}");
    check_record(&playing, &[&client], &mut installation.database().await).await;
}

/// Plays a match to its end and returns the median latency of its actions.
async fn pace(playing: &mut Playing) -> Duration {
    let mut took = Vec::new();
    while let Some(action) = playing.plan().await.expect("an answer") {
        let began = Instant::now();
        playing.submit(&action).await.expect("accepted");
        took.push(began.elapsed());
    }
    took.sort_unstable();
    took[took.len() / 2]
}

async fn fall_asleep(
    installation: &Installation,
    name: &str,
) -> Vec<Streaming<WatchEntriesResponse>> {
    let (count, connections) = SLEEPERS;
    let bearer = format!("Bearer {}", installation.service.key());
    let request = || {
        let parent = name.to_owned();
        let mut request = Request::new(WatchEntriesRequest { parent, ..Default::default() });
        request.metadata_mut().insert("authorization", bearer.parse().expect("a header's value"));
        request
    };
    let mut asleep = Vec::new();
    for _ in 0..connections {
        let client = EntryServiceClient::new(drowsy_channel(installation.service.port()));
        asleep.extend(sleepers(&client, count / connections, request).await);
    }
    asleep
}
