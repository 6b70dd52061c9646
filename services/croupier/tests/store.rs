//! The log on a real Postgres: several writers at once, servers that are killed, answers that are
//! lost.

use bytes::Bytes;
use croupier::postgres::{self, Postgres};
use futures::future::join_all;
use futures::{StreamExt, TryStreamExt};
use projector::{Filter, Handle, Reader};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use std::collections::HashSet;
use std::sync::{Arc, Mutex as StdMutex, Weak};
use std::time::{Duration, Instant};
use store::{
    Append, AppendError, BUCKETS, Bucket, Created, Draft, Error, MatchId, NewMatch, Options,
    Position, Recorded, Seating, Store, Tags, Window, append, follow,
};
use tempfile::TempDir;
use time::OffsetDateTime;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

#[tokio::test(flavor = "multi_thread")]
async fn matches_played_at_once_each_keep_their_order() {
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
async fn an_entry_is_read_back_as_it_was_written() {
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
async fn a_long_match_is_streamed_whole() {
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
async fn two_processes_racing_for_the_same_matches_lose_and_double_nothing() {
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
async fn what_follows_a_lost_draft_is_lost_with_it() {
    let installation = Installation::open().await;
    let (other, here) =
        (installation.another().await, installation.writer(append::Options::default()));
    let there = Writer::run(&other, append::Options::default());
    let match_id = new_match_id();
    play(&installation.store, &here.handle, match_id, "a", 1).await;
    play(&other, &there.handle, match_id, "b", 1).await;
    // Both drafts are in one batch, and the second was decided on the first, which is not what
    // stands at position 2.
    let (second, third) = tokio::join!(
        here.handle.append(draft(match_id, 2, "late")),
        here.handle.append(draft(match_id, 3, "later"))
    );
    assert_eq!((second, third), (Ok(Append::Conflict), Ok(Append::Conflict)));
    assert_eq!(installation.store.tail(match_id).await.unwrap(), Position(2));
}

#[tokio::test]
async fn a_draft_whose_predecessor_is_missing_is_a_conflict_and_so_is_what_follows_it() {
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
async fn an_unfit_draft_is_refused_before_it_sinks_a_batch() {
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
        assert_eq!(writer.handle.append(draft).await, Err(AppendError::Unfit));
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
            kill_9(installation.server.postgres.pid().expect("the server is up"));
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
async fn an_unknown_outcome_is_known_to_the_next_attempt() {
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

#[tokio::test]
async fn a_full_queue_sheds_at_once_and_answers_the_rest() {
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
    assert!(shed > 0, "some are shed while others wait");
    stalled.close().await.unwrap();
    let answers: Vec<_> = join_all(appends).await.into_iter().map(Result::unwrap).collect();
    let recorded = answers.iter().filter(|answer| **answer == Ok(Append::Recorded)).count();
    assert_eq!(answers.iter().filter(|answer| **answer == Err(AppendError::Busy)).count(), shed);
    assert_eq!((recorded, installation.all_entries().await.len()), (40 - shed, 40 - shed));
    assert_eq!(writer.handle.statistics().shed, shed as u64);
}

#[tokio::test]
async fn a_drained_writer_answers_what_it_has_and_takes_no_more() {
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
    timeout(Duration::from_secs(5), &mut writer.running).await.expect("it ends").unwrap();
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
async fn readers_hear_soon_that_the_server_is_away() {
    let installation = Installation::open_alone().await;
    let postgres = Arc::into_inner(installation.server).expect("nobody shares it").postgres;
    postgres.stop().await;
    let asked = Instant::now();
    let answer = installation.store.tail(new_match_id()).await;
    assert!(matches!(answer, Err(Error::Unavailable(_))), "{answer:?}");
    assert!(asked.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn a_match_is_created_once_and_found_by_its_platform_only() {
    let installation = Installation::open().await;
    let new = new_match("ours", new_match_id());
    assert_eq!(installation.store.create(&new).await.unwrap(), Created::Created);
    let Created::Repeated(row) =
        installation.store.create(&NewMatch { seed: [9; 32], ..new.clone() }).await.unwrap()
    else {
        panic!("the id is taken")
    };
    assert_eq!(
        (&row.request_digest, &row.game, &row.options),
        (&new.request_digest, &new.game, &r#"{"speed": 2}"#.to_owned())
    );
    assert_eq!(installation.store.find("ours", new.match_id).await.unwrap(), Some(*row.clone()));
    assert_eq!(installation.store.find("theirs", new.match_id).await.unwrap(), None);
    assert_eq!(installation.store.find("ours", new_match_id()).await.unwrap(), None);
    // Together they are answered together.
    let asked = [("ours", new.match_id), ("theirs", new.match_id), ("ours", new_match_id())];
    let loaded = join_all(asked.map(|(platform, it)| installation.store.load(platform, it))).await;
    let loaded: Vec<_> = loaded.into_iter().map(Result::unwrap).collect();
    assert_eq!(loaded, [Some((*row, new.seed)), None, None]);
}

#[tokio::test]
async fn a_match_may_begin_with_players_on_its_seats() {
    let installation = Installation::open().await;
    let players = vec![Some("ann".to_owned()), None, Some("bob".to_owned())];
    let new = NewMatch { players, ..new_match("ours", new_match_id()) };
    installation.store.create(&new).await.unwrap();
    // A retry seats nobody anew.
    assert!(matches!(installation.store.create(&new).await.unwrap(), Created::Repeated(_)));
    let row = installation.store.find("ours", new.match_id).await.unwrap().unwrap();
    let seated: Vec<_> = row.seated.iter().map(|row| (row.seat, row.player.as_str())).collect();
    assert_eq!(seated, [(0, "ann"), (2, "bob")]);
    let cid = installation
        .store
        .take_seat(new.match_id, None, "cid", None, new.create_time)
        .await
        .unwrap();
    assert!(matches!(cid, Seating::Taken(row) if row.seat == 1));
}

#[tokio::test]
async fn matches_are_listed_newest_first_with_seats_and_last_entry() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let now = OffsetDateTime::now_utc().replace_nanosecond(0).unwrap();
    let mut created = Vec::new();
    for number in 0..7 {
        // Two at a time share a moment: the id decides between them.
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
    installation.store.take_seat(newest, Some(2), "ann", Some("r"), now).await.unwrap();
    play(&installation.store, &writer.handle, newest, "a", 3).await;
    let reader = Reader::new(&installation.store, Handle::default());
    let mut listed = Vec::new();
    let mut after = None;
    loop {
        let found = reader.find("ours", &Filter::default(), after, 3).await.unwrap();
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
async fn players_racing_for_seats_each_get_one_or_hear_that_it_is_full() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    let new = new_match("ours", new_match_id());
    installation.store.create(&new).await.unwrap();
    let players: Vec<_> = (0..12).map(|player| format!("player {player}")).collect();
    let sit = |store: &Store, player: &String| {
        let (store, player) = (store.clone(), player.clone());
        async move { store.take_seat(new.match_id, None, &player, None, new.create_time).await.unwrap() }
    };
    // Each asks twice, through different processes.
    let seatings = join_all(
        players.iter().flat_map(|player| [sit(&installation.store, player), sit(&other, player)]),
    )
    .await;
    let taken = seatings.iter().filter(|seating| matches!(seating, Seating::Taken(_))).count();
    assert_eq!(taken, 4);
    let row = installation.store.find("ours", new.match_id).await.unwrap().unwrap();
    assert_eq!(row.seated.iter().map(|row| row.seat).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(row.seated.iter().map(|row| &row.player).collect::<HashSet<_>>().len(), 4);
}

#[tokio::test]
async fn a_seat_is_refused_with_the_reason() {
    let installation = Installation::open().await;
    let new = new_match("ours", new_match_id());
    installation.store.create(&new).await.unwrap();
    let sit = async |wish, player| {
        installation
            .store
            .take_seat(new.match_id, wish, player, Some("r"), new.create_time)
            .await
            .unwrap()
    };
    let Seating::Taken(ann) = sit(Some(1), "ann").await else { panic!("the seat is open") };
    assert_eq!(ann.seat, 1);
    let Seating::AlreadySeated(again) = sit(None, "ann").await else { panic!("ann is seated") };
    assert_eq!((again.seat, again.request_id.as_deref()), (1, Some("r")));
    assert_eq!(sit(Some(1), "bob").await, Seating::Occupied);
    assert_eq!(sit(Some(4), "bob").await, Seating::NoSuchSeat);
    assert_eq!(sit(Some(-1), "bob").await, Seating::NoSuchSeat);
    for (seat, player) in [(0, "bob"), (2, "cid"), (3, "dot")] {
        assert!(matches!(sit(None, player).await, Seating::Taken(row) if row.seat == seat));
    }
    assert_eq!(sit(None, "eve").await, Seating::Full);
    let nowhere = installation
        .store
        .take_seat(new_match_id(), None, "ann", None, new.create_time)
        .await
        .unwrap();
    assert_eq!(nowhere, Seating::NoSuchSeat);
}

#[tokio::test]
async fn a_platforms_key_is_valid_until_it_is_revoked() {
    let (installation, now) = (Installation::open().await, OffsetDateTime::now_utc());
    assert!(installation.store.create_platform("ours", now).await.unwrap());
    assert!(!installation.store.create_platform("ours", now).await.unwrap());
    assert!(installation.store.create_platform_key("ours", "k1", &[1; 32], now).await.unwrap());
    assert!(!installation.store.create_platform_key("ours", "k1", &[2; 32], now).await.unwrap());
    assert_eq!(installation.store.platform_key("ours", "k1").await.unwrap(), Some([1; 32]));
    assert_eq!(installation.store.platform_key("theirs", "k1").await.unwrap(), None);
    assert!(installation.store.revoke_platform_key("ours", "k1", now).await.unwrap());
    assert!(!installation.store.revoke_platform_key("ours", "k1", now).await.unwrap());
    assert_eq!(installation.store.platform_key("ours", "k1").await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_agree_on_the_token_keys() {
    let (installation, now) = (Installation::open().await, OffsetDateTime::now_utc());
    let other = installation.another().await;
    let (here, there) =
        tokio::join!(installation.store.token_keys(&[1; 32], now), other.token_keys(&[2; 32], now));
    let (here, there) = (here.unwrap(), there.unwrap());
    assert_eq!((here.len(), here[0].secret), (1, there[0].secret));
    assert!(installation.store.create_token_key(2, &[3; 32], now).await.unwrap());
    let newest_first: Vec<_> =
        other.token_keys(&[4; 32], now).await.unwrap().iter().map(|key| key.key_id).collect();
    assert_eq!(newest_first, [2, 1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_with_hints_is_handed_every_entry_once() {
    followed(follow::Options { poll_wait: Duration::from_secs(60), ..Default::default() }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_without_hints_is_handed_every_entry_once() {
    followed(follow::Options { hints: false, poll_wait: Duration::from_millis(50) }).await;
}

async fn followed(options: follow::Options) {
    let installation = Installation::open().await;
    let other = installation.another().await;
    let here = Followed::by(&installation.store, options).await;
    let there = Followed::by(&other, options).await;
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
    // Hints are lost with the connection that hears them; what follows is noticed all the same.
    installation.cut_listeners().await;
    join_all(
        matches
            .iter()
            .map(|&match_id| play(&installation.store, &writer.handle, match_id, "b", 10)),
    )
    .await;
    there.until(400).await;
    let mut handed = there.entries.lock().unwrap().clone();
    for bucket in Bucket::all() {
        let positions: Vec<_> = (handed.iter())
            .filter(|(match_id, _)| Bucket::of(*match_id) == bucket)
            .map(|(_, entry)| entry.bucket_position)
            .collect();
        assert_eq!(positions, (1..=positions.len() as i64).collect::<Vec<_>>());
    }
    let sort = |entries: &mut Vec<(MatchId, Recorded)>| {
        entries.sort_by_key(|(match_id, entry)| (*match_id, entry.position))
    };
    let mut written = installation.all_entries().await;
    sort(&mut handed);
    sort(&mut written);
    assert_eq!(handed, written);
}

#[tokio::test]
async fn a_follower_does_not_read_back_what_its_own_process_wrote() {
    let installation = Installation::open().await;
    let (other, here) =
        (installation.another().await, installation.writer(append::Options::default()));
    let there = Writer::run(&other, append::Options::default());
    let options = follow::Options { poll_wait: Duration::from_secs(60), ..Default::default() };
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
async fn a_follower_hands_on_what_somebody_is_interested_in() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    let follower = Followed::by(
        &other,
        follow::Options { hints: false, poll_wait: Duration::from_millis(20) },
    )
    .await;
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

/// An empty record.
struct Installation {
    store: Store,
    database: PgConnectOptions,
    server: Arc<Server>,
}

/// A server that is there for as long as a test uses it; tests that run at the same time share one,
/// each with its own database.
struct Server {
    postgres: Postgres,
    _data: TempDir,
}

impl Server {
    async fn start() -> Arc<Self> {
        let data = tempfile::tempdir().unwrap();
        // However many tests run at a time.
        let settings = vec![("max_connections".to_owned(), "500".to_owned())];
        let options = postgres::Options { settings, ..Default::default() };
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

    /// On a server that a test may kill.
    async fn open_alone() -> Self {
        Self::on(Server::start().await).await
    }

    async fn on(server: Arc<Server>) -> Self {
        let name = format!("house_{}", Uuid::new_v4().simple());
        let mut connection = server.postgres.options().connect().await.unwrap();
        connection.execute(AssertSqlSafe(format!("create database {name}"))).await.unwrap();
        let database = server.postgres.options().database(&name);
        let store = Store::connect(Options::new(database.clone())).await.unwrap();
        store.migrate().await.unwrap();
        Self { store, database, server }
    }

    /// The record as another process has it.
    async fn another(&self) -> Store {
        let store = Store::connect(Options::new(self.database.clone())).await.unwrap();
        store.migrate().await.unwrap();
        store
    }

    fn writer(&self, options: append::Options) -> Writer {
        Writer::run(&self.store, options)
    }

    /// Keeps everybody from reading and writing entries until what is returned is closed.
    async fn stall(&self) -> sqlx::PgConnection {
        let mut connection = self.database.connect().await.unwrap();
        connection.execute("begin").await.unwrap();
        connection.execute("lock table entries in access exclusive mode").await.unwrap();
        connection
    }

    async fn cut_listeners(&self) {
        let mut connection = self.database.connect().await.unwrap();
        let cut = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'";
        connection.execute(cut).await.unwrap();
    }

    async fn until_up(&self) {
        let up = async {
            while self.store.bucket_heads().await.is_err() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(Duration::from_secs(10), up).await.expect("the server is started again");
    }

    /// All there is, bucket by bucket, whose positions have no gaps.
    async fn all_entries(&self) -> Vec<(MatchId, Recorded)> {
        let (heads, mut all) = (self.store.bucket_heads().await.unwrap(), Vec::new());
        assert_eq!(heads.len(), BUCKETS);
        for bucket in Bucket::all() {
            let whole = Window { bucket, after: 0, until: i64::MAX };
            let entries = self.store.entries_in(&[whole]).await.unwrap();
            let positions: Vec<_> =
                entries.iter().map(|(_, entry)| entry.bucket_position).collect();
            assert_eq!(positions, (1..=heads[bucket.index()]).collect::<Vec<_>>());
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
        let (service, drain) = (append::Service::new(store, options), CancellationToken::new());
        Self {
            handle: service.handle(),
            drain: drain.clone(),
            running: tokio::spawn(service.run(drain)),
        }
    }
}

/// A follower that keeps what it is handed.
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
        let handed = async {
            while self.entries.lock().unwrap().len() < count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(10), handed).await.expect("everything is handed on");
    }
}

/// Plays as a caller should: decides on the last position it knows, reads on when it has no part in
/// what comes next, and looks for its own request id there before it asks again.
async fn play(
    store: &Store,
    writer: &append::Handle,
    match_id: MatchId,
    who: &str,
    actions: usize,
) {
    let mut tail = Position::START;
    for action in 0..actions {
        let request_id = Some(format!("{who}{action}"));
        let mut is_recorded = false;
        while !is_recorded {
            let draft =
                Draft { request_id: request_id.clone(), ..draft(match_id, tail.next().0, who) };
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
    }
}

fn new_match(platform: &str, match_id: MatchId) -> NewMatch {
    NewMatch {
        match_id,
        platform: platform.to_owned(),
        game: "mountebank".to_owned(),
        seats: 4,
        players: Vec::new(),
        options: r#"{"speed":2}"#.to_owned(),
        tags: Tags::new(),
        request_digest: vec![1, 2, 3],
        seed: [7; 32],
        seed_commitment: [8; 32],
        reveal_wait_s: Some(0),
        create_time: OffsetDateTime::now_utc(),
    }
}

fn new_match_id() -> MatchId {
    MatchId(Uuid::new_v4())
}

fn kill_9(pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).expect("a process");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL)
        .expect("the server is ours to kill");
}
