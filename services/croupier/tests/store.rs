//! The event store on a real Postgres, with competing writers, killed servers and lost answers; and
//! the settling of results, whose order Postgres determines.

use bytes::Bytes;
use futures::future::join_all;
use futures::{StreamExt, TryStreamExt};
use postgres_server::Postgres;
use projector::{Filter, Handle, Reader};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex as StdMutex, Weak};
use std::task::Poll;
use std::time::{Duration, Instant};
use store::append::Listening;
use store::{
    Append, AppendError, BUCKETS, Bucket, Claims, Created, CredentialChanges, Credentials, Digest,
    Draft, Epoch, Error, Mark, MatchId, NewMatch, Node, Options, Place, PlatformKey, Position,
    Recorded, Seating, Store, SubscriptionRow, Tags, Window, append, follow, hints,
};
use tempfile::TempDir;
use time::OffsetDateTime;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_matches_keep_their_order() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let matches: Vec<_> = (0..64).map(|_| new_match_id()).collect();
    join_all(
        matches
            .iter()
            .map(|&match_id| play(&installation.store, &writer.handle, match_id, "a", 20)),
    )
    .await;
    for &match_id in &matches {
        let entries = installation.store.entries(match_id, Position::START, 100).await.unwrap();
        assert_eq!(
            entries.iter().map(|entry| entry.position.0).collect::<Vec<_>>(),
            (1..=20).collect::<Vec<_>>()
        );
        assert_eq!(installation.store.tail(match_id).await.unwrap(), Position(20));
    }
    assert_eq!(installation.all_entries().await.len(), 64 * 20);
    let statistics = writer.handle.statistics();
    assert_eq!((statistics.entries, statistics.conflicts, statistics.failures), (64 * 20, 0, 0));
}

#[tokio::test]
async fn an_entry_reads_back_as_it_was_written() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let draft = Draft { request_id: Some("r".to_owned()), ..draft(new_match_id(), 1, "body") };
    writer.handle.append(draft.clone()).await.unwrap();
    writer
        .handle
        .append(Draft { position: Position(2), request_id: None, ..draft.clone() })
        .await
        .unwrap();
    let entries: Vec<_> =
        installation.store.stream(draft.match_id, Position::START).try_collect().await.unwrap();
    assert_eq!(entries[0].request_id.as_deref(), Some("r"));
    assert_eq!(entries[0].body, draft.body);
    assert!((entries[0].create_time - draft.create_time).abs() < Duration::from_micros(1));
    assert_eq!(entries[1].request_id, None);
    assert_eq!((entries[0].bucket_position, entries[1].bucket_position), (1, 2));
}

#[tokio::test]
async fn a_long_match_is_streamed_in_full() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let match_id = new_match_id();
    let appends: Vec<_> =
        (1..=1200).map(|position| writer.handle.append(draft(match_id, position, "x"))).collect();
    assert!(join_all(appends).await.iter().all(|append| *append == Ok(Append::Recorded)));
    let positions: Vec<_> = installation
        .store
        .stream(match_id, Position(100))
        .map(|entry| entry.unwrap().position.0)
        .collect()
        .await;
    assert_eq!(positions, (101..=1200).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_competing_for_the_same_matches_lose_and_duplicate_nothing() {
    let installation = Installation::open().await;
    let (other, here) =
        (installation.another().await, installation.writer(append::Options::default()));
    let there = Writer::run(&other, append::Options::default());
    let matches: Vec<_> = (0..300).map(|_| new_match_id()).collect();
    let ours = join_all(
        matches.iter().map(|&match_id| play(&installation.store, &here.handle, match_id, "a", 4)),
    );
    let theirs =
        join_all(matches.iter().map(|&match_id| play(&other, &there.handle, match_id, "b", 4)));
    tokio::join!(ours, theirs);
    let entries = installation.all_entries().await;
    assert_eq!(entries.len(), 300 * 8);
    let requests: HashSet<_> =
        entries.iter().map(|(match_id, entry)| (match_id, &entry.request_id)).collect();
    assert_eq!(requests.len(), 300 * 8);
    for match_id in matches {
        let entries = installation.store.entries(match_id, Position::START, 100).await.unwrap();
        assert_eq!(
            entries.iter().map(|entry| entry.position.0).collect::<Vec<_>>(),
            (1..=8).collect::<Vec<_>>()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_writer_for_several_nodes_keeps_every_order() {
    let installation = Installation::open().await;
    let service = append::Service::on_nodes(
        &installation.store,
        &Node::several(3),
        append::Options::default(),
    );
    let writer = Writer::of(service);
    let matches: Vec<_> = (0..64).map(|_| new_match_id()).collect();
    let playing = matches
        .iter()
        .map(|&match_id| play(&installation.store, &writer.handle, match_id, "a", 20));
    join_all(playing).await;
    for &match_id in &matches {
        assert_eq!(installation.store.tail(match_id).await.unwrap(), Position(20));
    }
    let statistics = writer.handle.statistics();
    assert_eq!((statistics.entries, statistics.conflicts, statistics.failures), (64 * 20, 0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_processes_one_writes_what_both_decide() {
    let installation = Installation::open().await;
    let Pair { passes_on, writes, .. } = Pair::of(&installation).await;
    let before = (passes_on.handle.statistics(), writes.handle.statistics());
    let (ours, theirs): (Vec<_>, Vec<_>) =
        (0..100).map(|_| (new_match_id(), new_match_id())).unzip();
    let playing = [(&passes_on, &ours), (&writes, &theirs)].map(|(writer, matches)| {
        join_all(
            (matches.iter())
                .map(|&match_id| play(&installation.store, &writer.handle, match_id, "a", 10)),
        )
    });
    join_all(playing).await;
    for &match_id in ours.iter().chain(&theirs) {
        assert_eq!(installation.store.tail(match_id).await.unwrap(), Position(10));
    }
    let (one, other) = (passes_on.handle.statistics(), writes.handle.statistics());
    assert_eq!(one.forwarded - before.0.forwarded, 100 * 10);
    assert_eq!((one.entries, one.handed_back), (before.0.entries, 0));
    assert_eq!(other.entries - before.1.entries, 2 * 100 * 10);
    // Once for what the other wrote itself until it had found this one.
    assert!(other.conflicts <= before.1.conflicts + 1, "nobody competes with it");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_one_that_writes_follows_what_its_peer_decided() {
    let installation = Installation::open().await;
    let Pair { passes_on, store_of_writer, .. } = Pair::of(&installation).await;
    let options = follow::Options { poll_wait: Duration::from_secs(3600) };
    let followed = Followed::by(&store_of_writer, options).await;
    let match_id = new_match_id();
    let _interest = followed.handle.interest(Bucket::of(match_id));
    play(&installation.store, &passes_on.handle, match_id, "a", 10).await;
    followed.until(10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_peer_that_dies_does_not_answer_is_recorded_once() {
    let installation = Installation::open().await;
    let Pair { passes_on, writes, .. } = Pair::of(&installation).await;
    let matches: Vec<_> = (0..20).map(|_| new_match_id()).collect();
    let stalled = installation.stall().await;
    let appending = matches.iter().map(|&it| passes_on.handle.append(draft(it, 1, "x")));
    let appending = join_all(appending);
    let forwarded = passes_on.handle.statistics().forwarded;
    let dying = async {
        while passes_on.handle.statistics().forwarded < forwarded + 20 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // What it has begun to insert is still inserted, when the database can.
        writes.running.abort();
        while passes_on.handle.statistics().handed_back == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(stalled);
    };
    let (outcomes, ()) = tokio::join!(appending, dying);
    assert_eq!(outcomes, [Ok(Append::Recorded); 20]);
    for match_id in matches {
        assert_eq!(installation.store.tail(match_id).await.unwrap(), Position(1));
    }
    assert_eq!(passes_on.handle.statistics().handed_back, 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_peer_that_falls_silent_does_not_answer_is_recorded() {
    let installation = Installation::open().await;
    let Pair { passes_on, proxy, .. } = Pair::of(&installation).await;
    proxy.freeze();
    let match_id = new_match_id();
    play(&installation.store, &passes_on.handle, match_id, "a", 3).await;
    assert_eq!(installation.store.tail(match_id).await.unwrap(), Position(3));
    assert!(passes_on.handle.statistics().handed_back > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_is_told_nothing_by_the_address_for_peers() {
    let installation = Installation::open().await;
    let Pair { proxy, .. } = Pair::of(&installation).await;
    for said in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0, 48], &[0, 3, 1, 2, 3], &[255; 70_000]] {
        let mut stranger = TcpStream::connect(proxy.target).await.unwrap();
        let _ = stranger.write_all(said).await;
        let mut answer = Vec::new();
        let reading = timeout(Duration::from_secs(10), stranger.read_to_end(&mut answer));
        let _ = reading.await.expect("it is hung up on");
        assert!(answer.is_empty(), "{said:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_writes_nothing_after_an_entry_that_only_its_sender_knew() {
    let installation = Installation::open().await;
    let Pair { passes_on, store, .. } = Pair::of(&installation).await;
    let (lost, kept) = (new_match_id(), new_match_id());
    let third = Writer::run(&installation.another().await, append::Options::default());
    third.handle.append(draft(lost, 1, "x")).await.unwrap();
    // The sender reads the entry; the one that writes never does. Then it is lost.
    assert_eq!(store.entries(lost, Position::START, 10).await.unwrap().len(), 1);
    installation.lose_after(lost, 0).await;
    let next = Draft { epoch: store.epoch(), ..draft(lost, 2, "x") };
    assert_eq!(passes_on.handle.append(next).await, Ok(Append::Conflict));
    assert_eq!(installation.store.tail(lost).await.unwrap(), Position::START);
    play(&installation.store, &passes_on.handle, kept, "a", 2).await;
}

#[tokio::test]
async fn a_writer_that_lost_a_race_gives_way_after_its_next_batch() {
    let installation = Installation::open().await;
    let (other, here) =
        (installation.another().await, installation.writer(append::Options::default()));
    let there = Writer::run(&other, append::Options::default());
    let match_id = new_match_id();
    play(&installation.store, &here.handle, match_id, "a", 1).await;
    assert_eq!(here.handle.statistics().pauses, 0, "no other process writes");
    play(&other, &there.handle, match_id, "b", 1).await;
    // Its heads are out of date, so this batch loses the race.
    play(&installation.store, &here.handle, match_id, "a", 1).await;
    let statistics = here.handle.statistics();
    assert!(statistics.conflicts > 0);
    let paused = async {
        while here.handle.statistics().pauses == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(Duration::from_secs(5), paused).await.expect("the winner of the race pauses");
}

#[tokio::test]
async fn a_taken_position_is_a_conflict_unless_it_is_the_same_entry() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let first = draft(new_match_id(), 1, "first");
    let other = Draft { body: Bytes::from("other"), ..first.clone() };
    assert_eq!(writer.handle.append(first.clone()).await, Ok(Append::Recorded));
    assert_eq!(writer.handle.append(first).await, Ok(Append::Recorded));
    assert_eq!(writer.handle.append(other).await, Ok(Append::Conflict));
    assert_eq!(installation.all_entries().await.len(), 1);
}

#[tokio::test]
async fn of_two_drafts_for_one_position_one_is_recorded() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let first = draft(new_match_id(), 1, "first");
    let other = Draft { body: Bytes::from("other"), ..first.clone() };
    let (first, other) = tokio::join!(writer.handle.append(first), writer.handle.append(other));
    assert_eq!((first, other), (Ok(Append::Recorded), Ok(Append::Conflict)));
}

#[tokio::test]
async fn a_draft_decided_on_a_lost_draft_is_a_conflict_too() {
    let installation = Installation::open().await;
    let (other, here) =
        (installation.another().await, installation.writer(append::Options::default()));
    let there = Writer::run(&other, append::Options::default());
    let match_id = new_match_id();
    play(&installation.store, &here.handle, match_id, "a", 1).await;
    play(&other, &there.handle, match_id, "b", 1).await;
    // Both drafts are in one batch, and the second was decided on the first, whose position another
    // entry has.
    let (second, third) = tokio::join!(
        here.handle.append(draft(match_id, 2, "late")),
        here.handle.append(draft(match_id, 3, "later"))
    );
    assert_eq!((second, third), (Ok(Append::Conflict), Ok(Append::Conflict)));
    assert_eq!(installation.store.tail(match_id).await.unwrap(), Position(2));
}

#[tokio::test]
async fn a_draft_without_a_predecessor_is_a_conflict_and_so_is_the_draft_after_it() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let match_id = new_match_id();
    let (second, third) = tokio::join!(
        writer.handle.append(draft(match_id, 2, "early")),
        writer.handle.append(draft(match_id, 3, "earlier")),
    );
    assert_eq!((second, third), (Ok(Append::Conflict), Ok(Append::Conflict)));
    assert_eq!(installation.store.tail(match_id).await.unwrap(), Position::START);
}

#[tokio::test]
async fn an_invalid_draft_is_refused_and_does_not_fail_a_batch() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let good = draft(new_match_id(), 1, "good");
    let bad = [
        Draft { request_id: Some("zero\0".to_owned()), ..good.clone() },
        Draft { request_id: Some("x".repeat(append::REQUEST_ID_MAX + 1)), ..good.clone() },
        Draft { body: vec![0; append::BODY_MAX + 1].into(), ..good.clone() },
        Draft { position: Position(0), ..good.clone() },
    ];
    for draft in bad {
        assert_eq!(writer.handle.append(draft).await, Err(AppendError::Invalid));
    }
    assert_eq!(writer.handle.append(good).await, Ok(Append::Recorded));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_acknowledged_entry_survives_kill_9_of_the_server() {
    let installation = Installation::open_alone().await;
    let writer = installation.writer(append::Options::default());
    let matches: Vec<_> = (0..32).map(|_| new_match_id()).collect();
    let playing = join_all(
        matches
            .iter()
            .map(|&match_id| play(&installation.store, &writer.handle, match_id, "a", 300)),
    );
    let killing = async {
        for _ in 0..2 {
            tokio::time::sleep(Duration::from_millis(150)).await;
            kill_9(installation.server.postgres.pid().expect("the server is running"));
            installation.until_up().await;
        }
    };
    tokio::join!(playing, killing);
    let entries = installation.all_entries().await;
    assert_eq!(entries.len(), 32 * 300);
    let requests: HashSet<_> =
        entries.iter().map(|(match_id, entry)| (match_id, &entry.request_id)).collect();
    assert_eq!(requests.len(), 32 * 300);
    assert!(writer.handle.statistics().failures > 0);
}

#[tokio::test]
async fn a_retry_after_an_unknown_outcome_records_the_entry_once() {
    let installation = Installation::open().await;
    let writer = installation
        .writer(append::Options { append_wait: Duration::from_millis(200), ..Default::default() });
    let draft = draft(new_match_id(), 1, "once");
    let stalled = installation.stall().await;
    assert_eq!(writer.handle.append(draft.clone()).await, Err(AppendError::Unknown));
    stalled.close().await.unwrap();
    assert_eq!(writer.handle.append(draft).await, Ok(Append::Recorded));
    assert_eq!(installation.all_entries().await.len(), 1);
}

/// An installation with an entry, and a writer that has to wait for a standby that is away.
async fn without_standby() -> (Installation, Writer) {
    let installation = Installation::open_alone().await;
    let writer = installation
        .writer(append::Options { append_wait: Duration::from_millis(600), ..Default::default() });
    let connected = writer.handle.append(draft(new_match_id(), 1, "x")).await;
    assert_eq!(connected, Ok(Append::Recorded));
    installation.wait_for_standby(true).await;
    (installation, writer)
}

#[tokio::test]
async fn what_only_a_crashed_primary_has_is_not_acknowledged() {
    let (installation, writer) = without_standby().await;
    let draft = draft(new_match_id(), 1, "once");
    assert_eq!(writer.handle.append(draft.clone()).await, Err(AppendError::Unknown));
    let server = installation.server.postgres.pid().expect("the server is running");
    kill_9(server);
    while installation.server.postgres.pid().is_none_or(|pid| pid == server) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    installation.until_up().await;
    assert_eq!(installation.all_entries().await.len(), 2, "it can be read");
    assert_eq!(writer.handle.append(draft.clone()).await, Err(AppendError::Unknown));
    installation.wait_for_standby(false).await;
    assert_eq!(writer.handle.append(draft).await, Ok(Append::Recorded));
    assert_eq!(installation.all_entries().await.len(), 2);
}

#[tokio::test]
async fn while_the_standby_is_away_one_session_waits_for_it() {
    let (installation, writer) = without_standby().await;
    let drafts: Vec<_> = (0..6).map(|_| draft(new_match_id(), 1, "x")).collect();
    for draft in &drafts {
        assert_eq!(writer.handle.append(draft.clone()).await, Err(AppendError::Unknown));
    }
    let sessions = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'";
    let pool = installation.store.pool();
    let waiting: i64 = sqlx::query_scalar(sessions).fetch_one(pool).await.unwrap();
    assert_eq!(waiting, 1);
    installation.wait_for_standby(false).await;
    for draft in &drafts {
        assert_eq!(writer.handle.append(draft.clone()).await, Ok(Append::Recorded));
    }
    assert_eq!(installation.all_entries().await.len(), 1 + drafts.len());
}

#[tokio::test]
async fn a_full_queue_sheds_drafts_at_once_and_answers_the_others() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options { queue_max: 4, ..Default::default() });
    let stalled = installation.stall().await;
    let id = Uuid::new_v4();
    let appends: Vec<_> = (0..40)
        .map(|number| {
            let match_id = MatchId(Uuid::from_u128(id.as_u128() & !0xffff_ff00 | number << 8));
            let handle = writer.handle.clone();
            tokio::spawn(async move { handle.append(draft(match_id, 1, "x")).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(200)).await;
    let shed = appends.iter().filter(|append| append.is_finished()).count();
    assert!(shed > 0, "some drafts are shed while others wait");
    stalled.close().await.unwrap();
    let answers: Vec<_> = join_all(appends).await.into_iter().map(Result::unwrap).collect();
    let recorded = answers.iter().filter(|answer| **answer == Ok(Append::Recorded)).count();
    assert_eq!(answers.iter().filter(|answer| **answer == Err(AppendError::Busy)).count(), shed);
    assert_eq!((recorded, installation.all_entries().await.len()), (40 - shed, 40 - shed));
    assert_eq!(writer.handle.statistics().shed, shed as u64);
}

#[tokio::test]
async fn a_drained_writer_answers_its_drafts_and_accepts_no_more() {
    let installation = Installation::open().await;
    let mut writer = installation.writer(append::Options::default());
    let matches: Vec<_> = (0..200).map(|_| new_match_id()).collect();
    let appends: Vec<_> = matches
        .iter()
        .map(|&match_id| {
            let handle = writer.handle.clone();
            tokio::spawn(async move { handle.append(draft(match_id, 1, "x")).await })
        })
        .collect();
    tokio::task::yield_now().await;
    writer.drain.cancel();
    timeout(Duration::from_secs(5), &mut writer.running).await.expect("the writer ends").unwrap();
    let answers: Vec<_> = join_all(appends).await.into_iter().map(Result::unwrap).collect();
    let recorded = answers.iter().filter(|answer| **answer == Ok(Append::Recorded)).count();
    assert!(
        answers
            .iter()
            .all(|answer| matches!(answer, Ok(Append::Recorded) | Err(AppendError::Closed)))
    );
    assert_eq!(installation.all_entries().await.len(), recorded);
    assert_eq!(writer.handle.append(draft(new_match_id(), 1, "x")).await, Err(AppendError::Closed));
}

#[tokio::test]
async fn reads_fail_fast_while_the_server_is_down() {
    let installation = Installation::open_alone().await;
    let postgres = Arc::into_inner(installation.server).expect("the server is not shared").postgres;
    postgres.stop().await;
    let began = Instant::now();
    let answer = installation.store.tail(new_match_id()).await;
    assert!(matches!(answer, Err(Error::Unavailable(_))), "{answer:?}");
    assert!(began.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn a_match_is_created_once_and_found_by_its_own_platform_only() {
    let installation = Installation::open().await;
    let new = new_match("ours", new_match_id());
    assert_eq!(installation.store.create(&new).await.unwrap(), Created::Created);
    let Created::Repeated(row) =
        installation.store.create(&NewMatch { seed: [9; 32], ..new.clone() }).await.unwrap()
    else {
        panic!("the match exists already")
    };
    assert_eq!(
        (&row.request_digest, &row.game, &row.options),
        (&new.request_digest, &new.game, &r#"{"speed": 2}"#.to_owned())
    );
    assert_eq!(installation.store.find("ours", new.match_id).await.unwrap(), Some(*row.clone()));
    assert_eq!(installation.store.find("theirs", new.match_id).await.unwrap(), None);
    assert_eq!(installation.store.find("ours", new_match_id()).await.unwrap(), None);
    // Concurrent loads share a query.
    let keys = [("ours", new.match_id), ("theirs", new.match_id), ("ours", new_match_id())];
    let loaded = join_all(keys.map(|(platform, it)| installation.store.load(platform, it))).await;
    let loaded: Vec<_> = loaded.into_iter().map(Result::unwrap).collect();
    let loaded = loaded.into_iter().map(|it| it.map(|it| (it.row, it.seed)));
    assert_eq!(loaded.collect::<Vec<_>>(), [Some((*row, Some(new.seed))), None, None]);
}

#[tokio::test]
async fn a_match_can_be_created_with_players() {
    let installation = Installation::open().await;
    let players = vec![Some("ann".to_owned()), None, Some("bob".to_owned())];
    let new = NewMatch { players, ..new_match("ours", new_match_id()) };
    installation.store.create(&new).await.unwrap();
    // A retry seats nobody a second time.
    assert!(matches!(installation.store.create(&new).await.unwrap(), Created::Repeated(_)));
    let row = installation.store.find("ours", new.match_id).await.unwrap().unwrap();
    let seated: Vec<_> = row.seated.iter().map(|row| (row.seat, row.player.as_str())).collect();
    assert_eq!(seated, [(0, "ann"), (2, "bob")]);
    let cid = installation
        .store
        .take_seat(new.match_id, ("cid", None), Place::default(), new.create_time)
        .await
        .unwrap();
    assert!(matches!(cid, Seating::Taken(row) if row.seat == 1));
}

#[tokio::test]
async fn matches_are_listed_newest_first_with_their_seats_and_last_entries() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let now = OffsetDateTime::now_utc().replace_nanosecond(0).unwrap();
    let mut created = Vec::new();
    for number in 0..7 {
        // Pairs of matches have the same time and are ordered by id.
        let new = NewMatch {
            create_time: now + Duration::from_secs(number / 2),
            ..new_match("ours", new_match_id())
        };
        installation.store.create(&new).await.unwrap();
        created.push((new.create_time, new.match_id));
    }
    installation.store.create(&new_match("theirs", new_match_id())).await.unwrap();
    created.sort_by(|one, other| other.cmp(one));
    let newest = created[0].1;
    installation
        .store
        .take_seat(
            newest,
            ("ann", None),
            Place { requested: Some(2), request_id: Some("r"), ..Place::default() },
            now,
        )
        .await
        .unwrap();
    play(&installation.store, &writer.handle, newest, "a", 3).await;
    let reader = Reader::new(&installation.store, Handle::default());
    let mut listed = Vec::new();
    let mut after = None;
    loop {
        let found = reader.find("ours", &Filter::default(), after, 3).await.unwrap().found;
        let Some(last) = found.last() else { break };
        after = Some((last.create_time, last.match_id));
        let ids: Vec<_> = found.iter().map(|found| found.match_id).collect();
        listed.extend(installation.store.find_all(&ids).await.unwrap());
    }
    assert_eq!(
        listed.iter().map(|row| (row.create_time, row.match_id)).collect::<Vec<_>>(),
        created
    );
    assert_eq!(listed[0].last.as_ref().map(|entry| entry.position), Some(Position(3)));
    assert_eq!((listed[0].seated[0].seat, listed[0].seated[0].player.as_str()), (2, "ann"));
    assert_eq!((listed[1].last.as_ref(), listed[1].seated.len()), (None, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn players_competing_for_seats_each_get_one_or_learn_that_the_match_is_full() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    let new = new_match("ours", new_match_id());
    installation.store.create(&new).await.unwrap();
    let players: Vec<_> = (0..12).map(|player| format!("player {player}")).collect();
    let take_seat = |store: &Store, player: &String| {
        let (store, player) = (store.clone(), player.clone());
        async move {
            store
                .take_seat(new.match_id, (&player, None), Place::default(), new.create_time)
                .await
                .unwrap()
        }
    };
    // Each player requests a seat twice, through different processes.
    let seatings =
        join_all(players.iter().flat_map(|player| {
            [take_seat(&installation.store, player), take_seat(&other, player)]
        }))
        .await;
    let taken = seatings.iter().filter(|seating| matches!(seating, Seating::Taken(_))).count();
    assert_eq!(taken, 4);
    let row = installation.store.find("ours", new.match_id).await.unwrap().unwrap();
    assert_eq!(row.seated.iter().map(|row| row.seat).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(row.seated.iter().map(|row| &row.player).collect::<HashSet<_>>().len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn players_competing_for_a_display_name_sit_under_it_once() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    for _ in 0..8 {
        let new = new_match("ours", new_match_id());
        installation.store.create(&new).await.unwrap();
        let seatings = join_all((0..6).map(|nth| {
            let store = if nth % 2 == 0 { &installation.store } else { &other };
            let (store, player) = (store.clone(), format!("u{nth}"));
            let name = if nth < 3 { "Ann" } else { "ANN" };
            async move {
                let named = (&player[..], Some(name));
                store
                    .take_seat(new.match_id, named, Place::default(), new.create_time)
                    .await
                    .unwrap()
            }
        }))
        .await;
        let taken = seatings.iter().filter(|it| matches!(it, Seating::Taken(_))).count();
        let refused = seatings.iter().filter(|it| **it == Seating::NameTaken).count();
        assert_eq!((taken, refused), (1, 5));
        let by_id = ("ann", None);
        let by_id =
            installation.store.take_seat(new.match_id, by_id, Place::default(), new.create_time);
        assert_eq!(by_id.await.unwrap(), Seating::NameTaken);
    }
}

#[tokio::test]
async fn a_refused_seat_has_a_reason() {
    let installation = Installation::open().await;
    let new = new_match("ours", new_match_id());
    installation.store.create(&new).await.unwrap();
    let take_seat = async |requested, player| {
        installation
            .store
            .take_seat(
                new.match_id,
                (player, None),
                Place { requested, request_id: Some("r"), ..Place::default() },
                new.create_time,
            )
            .await
            .unwrap()
    };
    let Seating::Taken(ann) = take_seat(Some(1), "ann").await else { panic!("the seat is open") };
    assert_eq!(ann.seat, 1);
    let Seating::AlreadySeated(again) = take_seat(None, "ann").await else {
        panic!("ann is seated")
    };
    assert_eq!((again.seat, again.request_id.as_deref()), (1, Some("r")));
    assert_eq!(take_seat(Some(1), "bob").await, Seating::Occupied);
    assert_eq!(take_seat(Some(4), "bob").await, Seating::NoSuchSeat);
    assert_eq!(take_seat(Some(-1), "bob").await, Seating::NoSuchSeat);
    for (seat, player) in [(0, "bob"), (2, "cid"), (3, "dot")] {
        assert!(matches!(take_seat(None, player).await, Seating::Taken(row) if row.seat == seat));
    }
    assert_eq!(take_seat(None, "eve").await, Seating::Full);
    let nowhere = installation
        .store
        .take_seat(new_match_id(), ("ann", None), Place::default(), new.create_time)
        .await
        .unwrap();
    assert_eq!(nowhere, Seating::NoSuchSeat);
}

#[tokio::test]
async fn a_platforms_key_is_valid_until_it_is_revoked() {
    let (installation, now) = (Installation::open().await, OffsetDateTime::now_utc());
    let mut reader = Credentials::new(&installation.store);
    assert!(installation.store.create_platform("ours", now).await.unwrap());
    assert!(!installation.store.create_platform("ours", now).await.unwrap());
    assert!(installation.store.create_platform_key("ours", "k1", &[1; 32], now).await.unwrap());
    assert!(!installation.store.create_platform_key("ours", "k1", &[2; 32], now).await.unwrap());
    let (platform, key_id) = ("ours".to_owned(), "k1".to_owned());
    let key = PlatformKey { platform, key_id, hash: [1; 32], is_revoked: false };
    assert_eq!(reader.read().await.unwrap().keys, std::slice::from_ref(&key));
    assert!(installation.store.revoke_platform_key("ours", "k1", now).await.unwrap());
    assert!(!installation.store.revoke_platform_key("ours", "k1", now).await.unwrap());
    let revoked = PlatformKey { is_revoked: true, ..key };
    assert_eq!(reader.read().await.unwrap().keys, [revoked]);
}

#[tokio::test]
async fn a_reader_of_credentials_misses_no_transaction_that_commits_late() {
    let (installation, now) = (Installation::open().await, OffsetDateTime::now_utc());
    let mut reader = Credentials::new(&installation.store);
    assert!(installation.store.create_platform("ours", now).await.unwrap());
    let mut late = installation.store.connection().await.unwrap();
    for statement in [
        "begin",
        "insert into platform_keys (bucket, platform, key_id, hash, create_time)
         select bucket, platform, 'late', decode(repeat('07', 32), 'hex'), now() from platforms",
    ] {
        sqlx::raw_sql(statement).execute(&mut late).await.unwrap();
    }
    let ids = |changes: CredentialChanges| -> Vec<String> {
        changes.keys.into_iter().map(|key| key.key_id).collect()
    };
    for key_id in ["k1", "k2"] {
        assert!(
            installation.store.create_platform_key("ours", key_id, &[1; 32], now).await.unwrap()
        );
        assert!(ids(reader.read().await.unwrap()).contains(&key_id.to_owned()));
    }
    sqlx::raw_sql("commit").execute(&mut late).await.unwrap();
    assert!(ids(reader.read().await.unwrap()).contains(&"late".to_owned()));
    // Autovacuum may hold the horizon back for a moment.
    let forgetting = async {
        while !ids(reader.read().await.unwrap()).is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(15), forgetting).await.expect("what was read is not read again");
}

#[tokio::test]
async fn an_older_releases_revocation_is_read_too() {
    let (installation, now) = (Installation::open().await, OffsetDateTime::now_utc());
    assert!(installation.store.create_platform("ours", now).await.unwrap());
    assert!(installation.store.create_platform_key("ours", "k1", &[1; 32], now).await.unwrap());
    let mut reader = Credentials::new(&installation.store);
    assert!(!reader.read().await.unwrap().keys[0].is_revoked);
    let mut connection = installation.store.connection().await.unwrap();
    let update = "update platform_keys set revoke_time = now()";
    sqlx::raw_sql(update).execute(&mut connection).await.unwrap();
    assert!(reader.read().await.unwrap().keys[0].is_revoked);
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_agree_on_the_token_keys() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    let (here, there) = tokio::join!(
        installation.store.create_first_token_key(&[1; 32]),
        other.create_first_token_key(&[2; 32]),
    );
    here.and(there).unwrap();
    let read = async || {
        let keys = Credentials::new(&other).read().await.unwrap().token_keys;
        keys.into_iter().map(|key| (key.key_id, key.secret)).collect::<Vec<_>>()
    };
    let first = read().await;
    assert_eq!(first.len(), 1);
    assert_eq!(installation.store.rotate_token_keys(&[3; 32], false).await.unwrap(), 2);
    assert_eq!(read().await, [(2, [3; 32]), first[0]], "newest first, and the old one verifies");
    assert_eq!(installation.store.rotate_token_keys(&[4; 32], true).await.unwrap(), 3);
    assert_eq!(read().await, [(3, [4; 32])], "the old ones are dropped");
    let mut connection = installation.store.connection().await.unwrap();
    let update = "update token_keys set create_time = create_time - interval '26 hours'";
    sqlx::raw_sql(update).execute(&mut connection).await.unwrap();
    assert_eq!(installation.store.rotate_token_keys(&[5; 32], false).await.unwrap(), 4);
    assert_eq!(read().await.len(), 2);
    sqlx::raw_sql(update).execute(&mut connection).await.unwrap();
    assert_eq!(read().await, [(4, [5; 32])], "every token of the replaced one has expired");
}

/// A call may be given up at any moment. Neither may its connection then take part in a transaction
/// that nobody ends, nor may a write that was acknowledged on it later be lost.
#[tokio::test(flavor = "multi_thread")]
async fn calls_given_up_at_any_moment_lose_no_acknowledged_write() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let store = &installation.store;
    let now = OffsetDateTime::now_utc();
    store.create_platform("acme", now).await.unwrap();
    store.create_subscription(&subscription("shared"), &[0; BUCKETS], None).await.unwrap();
    let tagged = new_match_id();
    store.create(&new_match("acme", tagged)).await.unwrap();
    let mut written = Vec::new();
    for round in 0..20 {
        // At most this often each call is polled: enough for the longest to end.
        let giving_up = (0..24).map(async |polls| {
            let name = format!("{round}-{polls}");
            let tags = Tags::from([(format!("t{polls}"), name.clone())]);
            let removed = [format!("t{}", (polls + 12) % 24)];
            give_up(polls, store.lease("acme", "shared", &name)).await;
            give_up(polls, store.tag(tagged, &removed, &tags)).await;
            give_up(polls, store.leave("acme", "shared", &name)).await;
            give_up(polls, store.create(&new_match("acme", new_match_id()))).await;
            give_up(polls, store.take_seat(tagged, (&name, None), Place::default(), now)).await;
            give_up(polls, store.acknowledge("acme", "shared", &[Mark::new(round, None); BUCKETS]))
                .await;
        });
        join_all(giving_up).await;
        let writing = (0..8).map(|nth| Written::write(store, &writer.handle, round * 8 + nth));
        written.extend(join_all(writing).await);
        assert_eq!(installation.idle_in_transaction().await, 0, "in round {round}");
    }
    let fresh = installation.another().await;
    for it in &written {
        it.check(&fresh).await;
    }
    // Nothing was done by halves either.
    let shared = acknowledged(&fresh, "shared").await;
    assert!(shared.iter().all(|at| *at == shared[0]), "{shared:?}");
    assert!(fresh.tags(&[tagged]).await.unwrap()[&tagged].len() <= store::TAGS_MAX);
}

/// They lock the same rows, so they must do so in one order.
#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_can_be_deleted_while_its_consumers_come_and_go() {
    let installation = Installation::open().await;
    let store = &installation.store;
    store.create_platform("acme", OffsetDateTime::now_utc()).await.unwrap();
    for round in 0..40 {
        store.create_subscription(&subscription("feed"), &[0; BUCKETS], None).await.unwrap();
        let consumers: Vec<String> = (0..6).map(|nth| format!("{round}-{nth}")).collect();
        for consumer in &consumers {
            store.lease("acme", "feed", consumer).await.unwrap().expect("it is there");
        }
        let coming_and_going = join_all(consumers.iter().map(async |consumer| {
            store.lease("acme", "feed", consumer).await.unwrap();
            store.leave("acme", "feed", consumer).await.unwrap();
        }));
        let deleting = store.delete_subscription("acme", "feed");
        let (_, deleted) = tokio::join!(coming_and_going, deleting);
        assert!(deleted.unwrap());
    }
}

/// Whatever leaves a connection in a transaction, its next user is not part of it.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the pool must bear what they can do")]
async fn a_connection_in_a_transaction_is_not_used_again() {
    let installation = Installation::open().await;
    let mut options = Options::new(installation.database.clone());
    options.query_connections = 3;
    let store = Store::connect(options).await.unwrap();
    let backend = async || -> i32 {
        sqlx::query_scalar("select pg_backend_pid()").fetch_one(store.pool()).await.unwrap()
    };
    let healthy = backend().await;
    assert_eq!(backend().await, healthy, "a connection is used again");
    for statement in ["begin", "begin; create table lost (id int)", "begin; select 1 / 0"] {
        let before = backend().await;
        let mut connection = store.pool().acquire().await.unwrap();
        let _ = connection.execute(statement).await;
        drop(connection);
        assert_ne!(backend().await, before, "after {statement:?}");
    }
    for polls in 0..8 {
        let before = backend().await;
        let given_up = give_up(polls, store.pool().begin()).await.is_none();
        backend().await;
        assert_eq!(installation.idle_in_transaction().await, 0, "{polls}, {before}, {given_up}");
    }
}

/// Polls a call so many times, and drops it if it has not ended by then.
async fn give_up<T>(polls: i64, call: impl Future<Output = T>) -> Option<T> {
    let mut call = std::pin::pin!(call);
    let mut left = polls;
    std::future::poll_fn(move |cx| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        match call.as_mut().poll(cx) {
            Poll::Pending if left == 0 => Poll::Ready(None),
            polled => polled.map(Some),
        }
    })
    .await
}

/// A write of each kind, all of them acknowledged.
struct Written {
    name: String,
    match_id: MatchId,
    key: [u8; 32],
}

impl Written {
    async fn write(store: &Store, writer: &append::Handle, nth: i64) -> Self {
        let (name, match_id) = (format!("w{nth}"), new_match_id());
        let now = OffsetDateTime::now_utc();
        let key = *blake3::hash(name.as_bytes()).as_bytes();
        let created = store.create(&new_match("acme", match_id)).await.unwrap();
        assert_eq!(created, Created::Created);
        let seating = store
            .take_seat(
                match_id,
                (&name, None),
                Place { requested: Some(2), ..Place::default() },
                now,
            )
            .await
            .unwrap();
        assert!(matches!(seating, Seating::Taken(_)));
        store.tag(match_id, &[], &[("by".to_owned(), name.clone())].into()).await.unwrap();
        assert!(
            store.create_subscription(&subscription(&name), &[0; BUCKETS], None).await.unwrap()
        );
        let leased = store.lease("acme", &name, "one").await.unwrap().unwrap();
        assert_eq!(leased.len(), BUCKETS);
        store.acknowledge("acme", &name, &[Mark::new(nth, None); BUCKETS]).await.unwrap();
        for id in ["kept", "revoked"] {
            let id = format!("{name}-{id}");
            assert!(store.create_platform_key("acme", &id, &key, now).await.unwrap());
        }
        let revoked = format!("{name}-revoked");
        assert!(store.revoke_platform_key("acme", &revoked, now).await.unwrap());
        assert!(store.create_platform(&name, now).await.unwrap());
        let recorded = writer.append(draft(match_id, 1, &name)).await;
        assert_eq!(recorded, Ok(Append::Recorded));
        Self { name, match_id, key }
    }

    async fn check(&self, store: &Store) {
        let Self { name, match_id, key } = self;
        let row = store.find("acme", *match_id).await.unwrap();
        let row = row.unwrap_or_else(|| panic!("the match of {name} is lost"));
        let seated: Vec<_> = row.seated.iter().map(|it| (it.seat, it.player.as_str())).collect();
        assert_eq!(seated, [(2, name.as_str())]);
        assert_eq!(row.last.expect("an entry").body, Bytes::copy_from_slice(name.as_bytes()));
        let tags = store.tags(&[*match_id]).await.unwrap();
        assert_eq!(tags.get(match_id), Some(&[("by".to_owned(), name.clone())].into()));
        let found = store.find_subscription("acme", name).await.unwrap();
        assert!(found.is_some(), "the subscription {name} is lost");
        let at: i64 = name[1..].parse().unwrap();
        assert_eq!(acknowledged(store, name).await, [at; BUCKETS]);
        let keys = Credentials::new(store).read().await.unwrap().keys;
        let is_valid = |id: &str| {
            let found = keys.iter().find(|it| it.key_id == format!("{name}-{id}"));
            found.is_some_and(|it| it.hash == *key && !it.is_revoked)
        };
        assert!(is_valid("kept") && !is_valid("revoked"));
        assert!(!store.create_platform(name, OffsetDateTime::now_utc()).await.unwrap());
    }
}

fn subscription(name: &str) -> SubscriptionRow {
    SubscriptionRow {
        platform: "acme".to_owned(),
        subscription: name.to_owned(),
        games: Vec::new(),
        verbs: Vec::new(),
        players: Vec::new(),
        tags: Tags::new(),
        is_whole: false,
        create_time: OffsetDateTime::now_utc(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_that_listens_delivers_every_entry_once() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    let options = follow::Options { poll_wait: Duration::from_secs(60) };
    check_every_entry_is_delivered(&installation, &other, options).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_that_only_polls_delivers_every_entry_once() {
    let installation = Installation::open().await;
    let other = installation.another_without_hints().await;
    let options = follow::Options { poll_wait: Duration::from_millis(50) };
    check_every_entry_is_delivered(&installation, &other, options).await;
}

async fn check_every_entry_is_delivered(
    installation: &Installation,
    other: &Store,
    options: follow::Options,
) {
    let here = Followed::by(&installation.store, options).await;
    let there = Followed::by(other, options).await;
    let _interests: Vec<_> = Bucket::all()
        .flat_map(|bucket| [here.handle.interest(bucket), there.handle.interest(bucket)])
        .collect();
    let writer = installation.writer(append::Options::default());
    let matches: Vec<_> = (0..20).map(|_| new_match_id()).collect();
    join_all(
        matches
            .iter()
            .map(|&match_id| play(&installation.store, &writer.handle, match_id, "a", 10)),
    )
    .await;
    // Notifications are lost with the connection that receives them. The entries are delivered all
    // the same.
    installation.cut_listeners().await;
    join_all(
        matches
            .iter()
            .map(|&match_id| play(&installation.store, &writer.handle, match_id, "b", 10)),
    )
    .await;
    there.until(400).await;
    let mut delivered = there.entries.lock().unwrap().clone();
    for bucket in Bucket::all() {
        let positions: Vec<_> = (delivered.iter())
            .filter(|(match_id, _)| Bucket::of(*match_id) == bucket)
            .map(|(_, entry)| entry.bucket_position)
            .collect();
        assert_eq!(positions, (1..=positions.len() as i64).collect::<Vec<_>>());
    }
    let sort = |entries: &mut Vec<(MatchId, Recorded)>| {
        entries.sort_by_key(|(match_id, entry)| (*match_id, entry.position))
    };
    let mut written = installation.all_entries().await;
    sort(&mut delivered);
    sort(&mut written);
    assert_eq!(delivered, written);
}

#[tokio::test]
async fn a_follower_does_not_deliver_entries_of_its_own_process() {
    let installation = Installation::open().await;
    let (other, here) =
        (installation.another().await, installation.writer(append::Options::default()));
    let there = Writer::run(&other, append::Options::default());
    let options = follow::Options { poll_wait: Duration::from_secs(60) };
    let follower = Followed::by(&installation.store, options).await;
    let match_id = new_match_id();
    play(&installation.store, &here.handle, match_id, "a", 10).await;
    let _interest = follower.handle.interest(Bucket::of(match_id));
    play(&other, &there.handle, match_id, "b", 1).await;
    follower.until(1).await;
    let positions: Vec<_> =
        follower.entries.lock().unwrap().iter().map(|(_, entry)| entry.position.0).collect();
    assert_eq!(positions, [11]);
}

#[tokio::test]
async fn a_follower_delivers_the_buckets_that_have_an_interest() {
    let installation = Installation::open().await;
    let other = installation.another_without_hints().await;
    let options = follow::Options { poll_wait: Duration::from_millis(20) };
    let follower = Followed::by(&other, options).await;
    let writer = installation.writer(append::Options::default());
    let match_id = new_match_id();
    play(&installation.store, &writer.handle, match_id, "a", 1).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let interest = follower.handle.interest(Bucket::of(match_id));
    play(&installation.store, &writer.handle, match_id, "b", 1).await;
    follower.until(1).await;
    drop(interest);
    play(&installation.store, &writer.handle, match_id, "c", 1).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let positions: Vec<_> =
        follower.entries.lock().unwrap().iter().map(|(_, entry)| entry.position.0).collect();
    assert_eq!(positions, [2]);
}

#[tokio::test]
async fn a_notification_raises_the_mark_of_a_bucket_without_interest_while_there_is_a_receiver() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    let options = follow::Options { poll_wait: Duration::from_secs(60) };
    let _follower = Followed::by(&other, options).await;
    let mut changes = other.high_water_changes();
    installation.until_listening().await;
    // A new listener reads all heads once, as the first poll does.
    tokio::time::sleep(Duration::from_millis(200)).await;
    changes.mark_unchanged();
    let writer = installation.writer(append::Options::default());
    let match_id = new_match_id();
    play(&installation.store, &writer.handle, match_id, "a", 1).await;
    let changed = timeout(Duration::from_secs(10), changes.changed()).await;
    changed.expect("a notification is enough").unwrap();
    assert_eq!(other.high_water_marks()[Bucket::of(match_id).index()].position, 1);
}

#[tokio::test]
async fn nothing_is_added_after_entries_that_the_record_lost() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let match_id = new_match_id();
    play(&installation.store, &writer.handle, match_id, "a", 10).await;
    assert_eq!(installation.store.epoch(), Epoch::default());
    installation.lose_after(match_id, 7).await;
    let append = |position| writer.handle.append(draft(match_id, position, "x"));
    assert_eq!(append(11).await, Ok(Append::Conflict));
    assert!(installation.store.epoch() > Epoch::default());
    assert_eq!(installation.store.tail(match_id).await.unwrap(), Position(7));
    let marks = installation.store.high_water_marks();
    assert_eq!(marks[Bucket::of(match_id).index()].position, 7);
    let current = Draft { epoch: installation.store.epoch(), ..draft(match_id, 8, "x") };
    assert_eq!(writer.handle.append(current).await, Ok(Append::Recorded));
    assert_eq!(installation.all_entries().await.len(), 8, "without a gap");
}

#[tokio::test]
async fn nothing_is_added_to_another_history_of_the_same_length() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let match_id = new_match_id();
    play(&installation.store, &writer.handle, match_id, "a", 10).await;
    installation.lose_after(match_id, 7).await;
    let other = Digest::from([9; 32]);
    {
        let store = installation.another().await;
        let writer = Writer::run(&store, append::Options::default());
        for position in 8..=10 {
            let before = if position == 8 { digest(match_id, 7) } else { other };
            let draft = draft(match_id, position, "other");
            let draft = Draft { before: Some(before), digest: other, ..draft };
            assert_eq!(writer.handle.append(draft).await, Ok(Append::Recorded));
        }
    }
    let late = || writer.handle.append(draft(match_id, 11, "x"));
    assert_eq!(late().await, Ok(Append::Conflict));
    let current = Draft { epoch: installation.store.epoch(), ..draft(match_id, 11, "x") };
    assert_eq!(late().await, Ok(Append::Conflict), "it was decided in an earlier epoch");
    let current = Draft { before: Some(other), ..current };
    assert_eq!(writer.handle.append(current).await, Ok(Append::Recorded));
    assert_eq!(installation.all_entries().await.len(), 11);
}

#[tokio::test]
async fn a_match_of_an_earlier_epoch_is_checked_even_if_the_heads_hold() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let lost = new_match_id();
    // Of the same bucket.
    let mut bytes = *new_match_id().0.as_bytes();
    bytes[15] = lost.0.as_bytes()[15];
    let kept = MatchId(Uuid::from_bytes(bytes));
    play(&installation.store, &writer.handle, kept, "a", 3).await;
    play(&installation.store, &writer.handle, lost, "a", 5).await;
    installation.lose_after(lost, 2).await;
    let old = Epoch::default();
    assert_eq!(writer.handle.append(draft(kept, 4, "x")).await, Ok(Append::Recorded));
    assert!(installation.store.epoch() > old, "the other match's entry revealed it");
    assert_eq!(writer.handle.append(draft(kept, 5, "x")).await, Ok(Append::Recorded));
    assert_eq!(writer.handle.append(draft(lost, 6, "x")).await, Ok(Append::Conflict));
    assert_eq!(installation.all_entries().await.len(), 3 + 2 + 2);
}

#[tokio::test]
async fn a_follower_notices_that_the_record_went_back() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let match_id = new_match_id();
    play(&installation.store, &writer.handle, match_id, "a", 10).await;
    let other = installation.another().await;
    let mut epochs = other.epochs();
    let options = follow::Options { poll_wait: Duration::from_millis(50) };
    let _follower = Followed::by(&other, options).await;
    installation.lose_after(match_id, 9).await;
    timeout(Duration::from_secs(10), epochs.changed()).await.expect("it polls").unwrap();
    assert_eq!(other.high_water_marks()[Bucket::of(match_id).index()].position, 9);
    assert!(timeout(Duration::from_millis(200), epochs.changed()).await.is_err(), "once");
}

#[tokio::test]
async fn a_claim_is_accepted_only_for_the_history_it_was_made_of() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let match_id = new_match_id();
    play(&installation.store, &writer.handle, match_id, "a", 4).await;
    let heads = installation.store.bucket_heads().await.unwrap();
    let claims = Claims(heads.map(|mark| (mark.position, mark.digest_start())));
    let bucket = Bucket::of(match_id).index();
    assert_eq!(installation.store.check_claims(&claims).await.unwrap(), Ok(heads));
    let mut forged = claims.clone();
    forged.0[bucket].1[0] ^= 1;
    let lost = installation.store.check_claims(&forged).await.unwrap().unwrap_err();
    assert_eq!(lost.holds[bucket].position, 0, "where the histories part is not known");
    installation.lose_after(match_id, 3).await;
    let lost = installation.store.check_claims(&claims).await.unwrap().unwrap_err();
    assert_eq!(lost.holds[bucket].position, 3);
}

#[tokio::test]
async fn a_weak_default_of_the_database_is_overridden_in_every_session() {
    let installation = Installation::open().await;
    let mut connection = installation.store.connection().await.unwrap();
    connection.execute("alter database postgres set synchronous_commit = off").await.unwrap();
    let store = installation.another().await;
    let setting: String = sqlx::query_scalar("select current_setting('synchronous_commit')")
        .fetch_one(store.pool())
        .await
        .unwrap();
    assert_eq!(setting, "on");
    assert_eq!(store.hazards().await.unwrap(), []);
}

#[tokio::test]
async fn standings_follow_from_the_results() {
    let installation = Installation::open().await;
    let results = Results { installation: &installation, platform: "ours" };
    results.create_league().await;
    results.insert(1, &[("ann", 1, WON), ("bob", 2, LOST), ("cid", 3, LOST)]).await;
    results.insert(2, &[("bob", 2, LOST), ("ann", 1, WON), ("cid", 2, LOST)]).await;
    results.insert(3, &[("ann", 1, SHARED), ("bob", 1, SHARED), ("cid", 3, LOST)]).await;
    results.settle().await;
    let (standings, players) = results.standings().await;
    let counts: Vec<_> = standings
        .iter()
        .map(|it| (it.player.as_str(), it.played, it.won, it.shared, it.rating > 0))
        .collect();
    assert_eq!(
        counts,
        [("ann", 3, 2, 1, true), ("bob", 3, 0, 1, true), ("cid", 3, 0, 0, false)],
        "by rating, highest first"
    );
    assert_eq!(players[0], [("bob", 3, 2, 0, 1), ("cid", 3, 3, 0, 0)]);
    assert_eq!(players[1], [("ann", 3, 0, 2, 1), ("cid", 3, 2, 0, 1)]);
    assert_eq!(players[2], [("ann", 3, 0, 3, 0), ("bob", 3, 0, 2, 1)]);
}

#[tokio::test]
async fn a_late_result_leads_to_the_same_standings_as_one_in_time() {
    let installation = Installation::open().await;
    let in_time = Results { installation: &installation, platform: "in-time" };
    let late = Results { installation: &installation, platform: "late" };
    let (first, second) =
        ([("ann", 1, WON), ("bob", 2, LOST)], [("bob", 1, WON), ("cid", 2, LOST)]);
    let third = [("cid", 1, WON), ("ann", 2, LOST)];
    for results in [&in_time, &late] {
        results.create_league().await;
        results.insert(1, &first).await;
    }
    in_time.insert(2, &second).await;
    for results in [&in_time, &late] {
        results.insert(3, &third).await;
        results.settle().await;
    }
    let before = late.rows().await;
    late.insert(2, &second).await;
    late.settle().await;
    assert_eq!(late.rows().await, in_time.rows().await);
    assert_ne!(late.rows().await[4..], before[2..], "the third match was settled again");
    let (standings, players) = late.standings().await;
    let (expected_standings, expected_players) = in_time.standings().await;
    let rating = |it: &projector::Standing| (it.player.clone(), it.mean, it.deviation, it.played);
    assert_eq!(
        standings.iter().map(rating).collect::<Vec<_>>(),
        expected_standings.iter().map(rating).collect::<Vec<_>>()
    );
    assert_eq!(players, expected_players, "a match that is settled twice is counted once");
}

const LOST: i16 = 0;
const WON: i16 = 1;
const SHARED: i16 = 2;

/// The results of a league, inserted as the projector inserts them.
struct Results<'a> {
    installation: &'a Installation,
    platform: &'a str,
}

impl Results<'_> {
    async fn create_league(&self) {
        let insert = "insert into leagues (bucket, platform, game) values ($1, $2, 'mountebank')";
        sqlx::query(insert)
            .bind(Bucket::of_platform(self.platform))
            .bind(self.platform)
            .execute(self.installation.store.pool())
            .await
            .unwrap();
    }

    /// A match that ended at second `nth`, with the rank and the outcome of each seat's player.
    async fn insert(&self, nth: i64, seats: &[(&str, i16, i16)]) {
        let match_id = MatchId(Uuid::new_v4());
        for (seat, (player, rank, outcome)) in (0_i16..).zip(seats) {
            sqlx::query(
                "insert into results
                     (bucket, match_id, seat, platform, game, player, points, rank, outcome, end_time)
                 values ($1, $2, $3, $4, 'mountebank', $5, 0, $6, $7, $8)",
            )
            .bind(Bucket::of(match_id))
            .bind(match_id)
            .bind(seat)
            .bind(self.platform)
            .bind(player)
            .bind(rank)
            .bind(outcome)
            .bind(OffsetDateTime::UNIX_EPOCH + Duration::from_secs(nth.unsigned_abs()))
            .execute(self.installation.store.pool())
            .await
            .unwrap();
        }
    }

    /// Runs a projector until every result is settled.
    async fn settle(&self) {
        let (store, drain) = (&self.installation.store, CancellationToken::new());
        let options = projector::Options::default();
        let projector = projector::Service::new(store, options, Handle::default());
        let running = tokio::spawn(projector.run(drain.clone()));
        let unsettled = "select count(*) from results where mean is null";
        let settled = async {
            while sqlx::query_scalar::<_, i64>(unsettled).fetch_one(store.pool()).await.unwrap() > 0
            {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(10), settled).await.expect("all results are settled");
        drain.cancel();
        running.await.unwrap();
    }

    /// The standings after each result, in order.
    async fn rows(&self) -> Vec<(i16, String, i64, i64, i32, i32, i32)> {
        sqlx::query_as(
            "select seat, player, mean, deviation, played, won, shared
             from results
             where platform = $1
             order by end_time, seat",
        )
        .bind(self.platform)
        .fetch_all(self.installation.store.pool())
        .await
        .unwrap()
    }

    /// The standings, and by player the records against each opponent: played, ahead, behind,
    /// level.
    async fn standings(&self) -> (Vec<projector::Standing>, Vec<Vec<Record>>) {
        let reader = Reader::new(&self.installation.store, Handle::default());
        let standings = reader.standings(self.platform, "mountebank", None, 10).await.unwrap();
        let mut players = Vec::new();
        for player in ["ann", "bob", "cid"] {
            let found = reader.player(self.platform, player, 10).await.unwrap().unwrap();
            let records = found.opponents.into_iter().map(|it| {
                let opponent = ["ann", "bob", "cid"].into_iter().find(|name| *name == it.opponent);
                (opponent.unwrap(), it.played, it.ahead, it.behind, it.level)
            });
            players.push(records.collect());
        }
        (standings, players)
    }
}

type Record = (&'static str, i32, i32, i32, i32);

/// An installation with an empty record.
struct Installation {
    store: Store,
    database: PgConnectOptions,
    server: Arc<Server>,
}

/// A server that runs as long as a test uses it. Concurrent tests share one, each with its own
/// database.
struct Server {
    postgres: Postgres,
    _data: TempDir,
}

impl Server {
    async fn start() -> Arc<Self> {
        let data = tempfile::tempdir().unwrap();
        // Enough for all tests at once.
        let settings = vec![("max_connections".to_owned(), "500".to_owned())];
        let options =
            postgres_server::Options { settings, ..postgres_server::Options::new("croupier") };
        let postgres = Postgres::start(data.path(), options).await.unwrap();
        Arc::new(Self { postgres, _data: data })
    }

    async fn share() -> Arc<Self> {
        static SHARED: Mutex<Weak<Server>> = Mutex::const_new(Weak::new());
        let mut shared = SHARED.lock().await;
        if let Some(server) = shared.upgrade() {
            return server;
        }
        let server = Self::start().await;
        *shared = Arc::downgrade(&server);
        server
    }
}

impl Installation {
    async fn open() -> Self {
        Self::on(Server::share().await).await
    }

    /// On a server of its own, which a test may kill.
    async fn open_alone() -> Self {
        Self::on(Server::start().await).await
    }

    async fn on(server: Arc<Server>) -> Self {
        let name = format!("store_{}", Uuid::new_v4().simple());
        let mut connection = server.postgres.options().connect().await.unwrap();
        connection.execute(AssertSqlSafe(format!("create database {name}"))).await.unwrap();
        let database = server.postgres.options().database(&name);
        let store = Store::connect(Options::new(database.clone())).await.unwrap();
        store.migrate().await.unwrap();
        Self { store, database, server }
    }

    /// How many sessions wait in a transaction for their client.
    async fn idle_in_transaction(&self) -> i64 {
        let mut connection = self.database.connect().await.unwrap();
        let count = "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'";
        sqlx::query_scalar(count).fetch_one(&mut connection).await.unwrap()
    }

    /// The store of another process of the same installation.
    async fn another(&self) -> Store {
        let store = Store::connect(Options::new(self.database.clone())).await.unwrap();
        store.migrate().await.unwrap();
        store
    }

    async fn another_without_hints(&self) -> Store {
        let mut options = Options::new(self.database.clone());
        options.hints = hints::Options::none();
        Store::connect(options).await.unwrap()
    }

    fn writer(&self, options: append::Options) -> Writer {
        Writer::run(&self.store, options)
    }

    /// Blocks all reads and writes of entries until the returned connection is closed.
    async fn stall(&self) -> sqlx::PgConnection {
        let mut connection = self.database.connect().await.unwrap();
        connection.execute("begin").await.unwrap();
        connection.execute("lock table entries in access exclusive mode").await.unwrap();
        connection
    }

    /// Whether commits wait for a standby from now on; there is none.
    async fn wait_for_standby(&self, waits: bool) {
        let mut connection = self.database.connect().await.unwrap();
        let names = if waits { "'*'" } else { "''" };
        let set = format!("alter system set synchronous_standby_names = {names}");
        connection.execute(sqlx::AssertSqlSafe(set)).await.unwrap();
        connection.execute("select pg_reload_conf()").await.unwrap();
        let setting = "select current_setting('synchronous_standby_names') <> ''";
        let mut database = self.database.connect().await.unwrap();
        while sqlx::query_scalar::<_, bool>(setting).fetch_one(&mut database).await.unwrap()
            != waits
        {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn cut_listeners(&self) {
        let mut connection = self.database.connect().await.unwrap();
        let cut = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'";
        connection.execute(cut).await.unwrap();
    }

    async fn until_listening(&self) {
        let mut connection = self.database.connect().await.unwrap();
        let count = "select count(*) from pg_stat_activity where datname = current_database() and query ilike 'listen%'";
        let listening = async {
            while sqlx::query_scalar::<_, i64>(count).fetch_one(&mut connection).await.unwrap() == 0
            {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(10), listening).await.expect("the follower listens");
    }

    /// Removes a match's entries after a position, as a standby that takes over may lack them.
    async fn lose_after(&self, match_id: MatchId, position: i64) {
        let lost = sqlx::query("delete from entries where match_id = $1 and position > $2")
            .bind(match_id)
            .bind(position)
            .execute(self.store.pool())
            .await
            .unwrap();
        assert!(lost.rows_affected() > 0);
    }

    async fn until_up(&self) {
        let up = async {
            while self.store.bucket_heads().await.is_err() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(Duration::from_secs(10), up).await.expect("the server starts again");
    }

    /// All entries, by bucket. Checks that bucket positions have no gaps.
    async fn all_entries(&self) -> Vec<(MatchId, Recorded)> {
        let (heads, mut all) = (self.store.bucket_heads().await.unwrap(), Vec::new());
        assert_eq!(heads.len(), BUCKETS);
        for bucket in Bucket::all() {
            let whole = Window { bucket, after: 0, until: i64::MAX };
            let entries = self.store.entries_in(&[whole]).await.unwrap();
            let positions: Vec<_> =
                entries.iter().map(|(_, entry)| entry.bucket_position).collect();
            assert_eq!(positions, (1..=heads[bucket.index()].position).collect::<Vec<_>>());
            all.extend(entries);
        }
        all
    }
}

struct Writer {
    handle: append::Handle,
    drain: CancellationToken,
    running: JoinHandle<()>,
}

impl Writer {
    fn run(store: &Store, options: append::Options) -> Self {
        Self::of(append::Service::new(store, options))
    }

    fn of(service: append::Service) -> Self {
        let drain = CancellationToken::new();
        Self {
            handle: service.handle(),
            drain: drain.clone(),
            running: tokio::spawn(service.run(drain)),
        }
    }
}

/// Two processes on one database, of which one passes on what it decides to the other.
struct Pair {
    passes_on: Writer,
    /// Of the one that passes on.
    store: Store,
    writes: Writer,
    store_of_writer: Store,
    /// Between the two.
    proxy: Proxy,
}

impl Pair {
    async fn of(installation: &Installation) -> Pair {
        let mut each = Vec::new();
        for _ in 0..2 {
            let store = installation.another().await;
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let proxy = Proxy::to(listener.local_addr().unwrap()).await;
            let listening = Listening { listener, address: proxy.address.to_string() };
            let service = append::Service::new(&store, append::Options::default());
            let writer = Writer::of(service.with_peers(Some(listening)));
            each.push((writer, store, proxy));
        }
        let finding = async {
            while each.iter().all(|(writer, ..)| writer.handle.statistics().forwarded == 0) {
                for (writer, ..) in &each {
                    writer.handle.append(draft(new_match_id(), 1, "x")).await.unwrap();
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(20), finding).await.expect("they find each other");
        each.sort_by_key(|(writer, ..)| writer.handle.statistics().forwarded);
        let [(writes, store_of_writer, proxy), (passes_on, store, _)] =
            each.try_into().ok().expect("there are two");
        Pair { passes_on, store, writes, store_of_writer, proxy }
    }
}

/// Relays connections until it is frozen: then it keeps them open and relays nothing.
struct Proxy {
    address: SocketAddr,
    target: SocketAddr,
    frozen: CancellationToken,
}

impl Proxy {
    async fn to(target: SocketAddr) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, frozen) = (listener.local_addr().unwrap(), CancellationToken::new());
        let freezes = frozen.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let freezes = freezes.clone();
                tokio::spawn(async move {
                    let Ok(mut to) = TcpStream::connect(target).await else { return };
                    let relaying = tokio::io::copy_bidirectional(&mut stream, &mut to);
                    if freezes.run_until_cancelled(relaying).await.is_none() {
                        std::future::pending::<()>().await;
                    }
                });
            }
        });
        Proxy { address, target, frozen }
    }

    fn freeze(&self) {
        self.frozen.cancel();
    }
}

/// A follower and the entries it has delivered.
struct Followed {
    handle: follow::Handle,
    entries: Arc<StdMutex<Vec<(MatchId, Recorded)>>>,
}

impl Followed {
    async fn by(store: &Store, options: follow::Options) -> Self {
        let entries = Arc::<StdMutex<Vec<_>>>::default();
        let sink = entries.clone();
        let service = follow::Service::new(store, options, move |_, entries| {
            sink.lock().unwrap().extend(entries)
        });
        let service = service.await.unwrap();
        let handle = service.handle();
        tokio::spawn(service.run(CancellationToken::new()));
        Self { handle, entries }
    }

    async fn until(&self, count: usize) {
        let delivered = async {
            while self.entries.lock().unwrap().len() < count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(10), delivered).await.expect("all entries are delivered");
    }
}

/// Plays as a caller should: decides on the last position it knows, and after a conflict reads the
/// new entries and looks for its own request id among them before it tries again.
async fn play(
    store: &Store,
    writer: &append::Handle,
    match_id: MatchId,
    name: &str,
    actions: usize,
) {
    let mut tail = Position::START;
    for action in 0..actions {
        let request_id = Some(format!("{name}{action}"));
        let mut is_recorded = false;
        while !is_recorded {
            let draft =
                Draft { request_id: request_id.clone(), ..draft(match_id, tail.next().0, name) };
            if writer.append(draft).await == Ok(Append::Recorded) {
                tail = tail.next();
                break;
            }
            for entry in store.entries(match_id, tail, 10_000).await.unwrap_or_default() {
                tail = entry.position;
                is_recorded |= entry.request_id == request_id;
            }
        }
    }
}

fn draft(match_id: MatchId, position: i64, body: &str) -> Draft {
    let body = Bytes::copy_from_slice(body.as_bytes());
    Draft {
        match_id,
        position: Position(position),
        request_id: None,
        create_time: OffsetDateTime::now_utc(),
        body,
        before: Some(digest(match_id, position - 1)).filter(|_| position > 1),
        digest: digest(match_id, position),
        epoch: Epoch::default(),
        substitute: None,
    }
}

/// The acknowledged position of each bucket of a subscription.
async fn acknowledged(store: &Store, subscription: &str) -> store::Heads {
    let mut states = store.subscription_states("acme", &[subscription.to_owned()]).await.unwrap();
    states.remove(subscription).expect("it has a state").0
}

/// The digest that an entry has in these tests.
fn digest(match_id: MatchId, position: i64) -> Digest {
    let hash = blake3::keyed_hash(&[position as u8; 32], match_id.0.as_bytes());
    Digest::from(*hash.as_bytes())
}

fn new_match(platform: &str, match_id: MatchId) -> NewMatch {
    NewMatch {
        match_id,
        platform: platform.to_owned(),
        game: "mountebank".to_owned(),
        seats: 4,
        players: Vec::new(),
        display_names: Vec::new(),
        contributions: Vec::new(),
        speech_keys: Vec::new(),
        options: r#"{"speed":2}"#.to_owned(),
        tags: Tags::new(),
        request_digest: vec![1, 2, 3],
        seed: [7; 32],
        seed_commitment: [8; 32],
        reveal_wait_s: Some(0),
        follows: None,
        create_time: OffsetDateTime::now_utc(),
    }
}

fn new_match_id() -> MatchId {
    MatchId(Uuid::new_v4())
}

fn kill_9(pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).expect("a process id is not zero");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL)
        .expect("the server is a child of this process");
}
