//! Appending: order, conflicts, retries, and competing writers.

use crate::installation::Installation;
use crate::playing::{Writer, draft, new_stream, play};
use bytes::Bytes;
use event_log::{Append, AppendError, Draft, Node, Position, StreamId, append};
use futures::future::join_all;
use sqlx::Connection;
use std::collections::HashSet;
use std::time::Duration;
use tokio::time::timeout;
use uuid::Uuid;

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_streams_keep_their_order() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let streams: Vec<_> = (0..64).map(|_| new_stream()).collect();
    join_all(
        streams.iter().map(|&stream| play(&installation.log, &writer.handle, stream, "a", 20)),
    )
    .await;
    for &stream in &streams {
        let entries = installation.log.entries(stream, Position::START, 100).await.unwrap();
        assert_eq!(
            entries.iter().map(|entry| entry.position.0).collect::<Vec<_>>(),
            (1..=20).collect::<Vec<_>>()
        );
        assert_eq!(installation.log.tail(stream).await.unwrap(), Position(20));
    }
    assert_eq!(installation.all_entries().await.len(), 64 * 20);
    let statistics = writer.handle.statistics();
    assert_eq!((statistics.entries, statistics.conflicts, statistics.failures), (64 * 20, 0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_competing_for_the_same_streams_lose_and_duplicate_nothing() {
    let installation = Installation::open().await;
    let (other, here) =
        (installation.another().await, installation.writer(append::Options::default()));
    let there = Writer::run(&other, append::Options::default());
    let streams: Vec<_> = (0..300).map(|_| new_stream()).collect();
    let ours = join_all(
        streams.iter().map(|&stream| play(&installation.log, &here.handle, stream, "a", 4)),
    );
    let theirs =
        join_all(streams.iter().map(|&stream| play(&other, &there.handle, stream, "b", 4)));
    tokio::join!(ours, theirs);
    let entries = installation.all_entries().await;
    assert_eq!(entries.len(), 300 * 8);
    let requests: HashSet<_> =
        entries.iter().map(|(stream, entry)| (stream, &entry.request_id)).collect();
    assert_eq!(requests.len(), 300 * 8);
    for stream in streams {
        let entries = installation.log.entries(stream, Position::START, 100).await.unwrap();
        assert_eq!(
            entries.iter().map(|entry| entry.position.0).collect::<Vec<_>>(),
            (1..=8).collect::<Vec<_>>()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_writer_for_several_nodes_keeps_every_order() {
    let installation = Installation::open().await;
    let service =
        append::Service::on_nodes(&installation.log, &Node::several(3), append::Options::default());
    let writer = Writer::of(service);
    let streams: Vec<_> = (0..64).map(|_| new_stream()).collect();
    let playing =
        streams.iter().map(|&stream| play(&installation.log, &writer.handle, stream, "a", 20));
    join_all(playing).await;
    for &stream in &streams {
        assert_eq!(installation.log.tail(stream).await.unwrap(), Position(20));
    }
    let statistics = writer.handle.statistics();
    assert_eq!((statistics.entries, statistics.conflicts, statistics.failures), (64 * 20, 0, 0));
}

#[tokio::test]
async fn a_writer_that_lost_a_race_gives_way_after_its_next_batch() {
    let installation = Installation::open().await;
    let (other, here) =
        (installation.another().await, installation.writer(append::Options::default()));
    let there = Writer::run(&other, append::Options::default());
    let stream = new_stream();
    play(&installation.log, &here.handle, stream, "a", 1).await;
    assert_eq!(here.handle.statistics().pauses, 0, "no other process writes");
    // Where the batch after a lost race takes a second, there is no race any more.
    let paused = async {
        for round in 0.. {
            play(&other, &there.handle, stream, &format!("b{round}-"), 1).await;
            // Its heads are out of date, so this batch loses the race.
            let conflicts = here.handle.statistics().conflicts;
            play(&installation.log, &here.handle, stream, &format!("a{round}-"), 1).await;
            assert!(here.handle.statistics().conflicts > conflicts);
            tokio::time::sleep(Duration::from_millis(1)).await;
            if here.handle.statistics().pauses > 0 {
                break;
            }
        }
    };
    timeout(Duration::from_secs(60), paused).await.expect("the winner of the race pauses");
}

#[tokio::test]
async fn a_taken_position_is_a_conflict_unless_it_is_the_same_entry() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let first = draft(new_stream(), 1, "first");
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
    let first = draft(new_stream(), 1, "first");
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
    let stream = new_stream();
    play(&installation.log, &here.handle, stream, "a", 1).await;
    play(&other, &there.handle, stream, "b", 1).await;
    // Both drafts are in one batch, and the second was decided on the first, whose position another
    // entry has.
    let (second, third) = tokio::join!(
        here.handle.append(draft(stream, 2, "late")),
        here.handle.append(draft(stream, 3, "later"))
    );
    assert_eq!((second, third), (Ok(Append::Conflict), Ok(Append::Conflict)));
    assert_eq!(installation.log.tail(stream).await.unwrap(), Position(2));
}

#[tokio::test]
async fn a_draft_without_a_predecessor_is_a_conflict_and_so_is_the_draft_after_it() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    let (second, third) = tokio::join!(
        writer.handle.append(draft(stream, 2, "early")),
        writer.handle.append(draft(stream, 3, "earlier")),
    );
    assert_eq!((second, third), (Ok(Append::Conflict), Ok(Append::Conflict)));
    assert_eq!(installation.log.tail(stream).await.unwrap(), Position::START);
}

#[tokio::test]
async fn an_invalid_draft_is_refused_and_does_not_fail_a_batch() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let good = draft(new_stream(), 1, "good");
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

#[tokio::test]
async fn a_retry_after_an_unknown_outcome_records_the_entry_once() {
    let installation = Installation::open().await;
    let writer = installation
        .writer(append::Options { append_wait: Duration::from_millis(200), ..Default::default() });
    let draft = draft(new_stream(), 1, "once");
    let stalled = installation.stall().await;
    assert_eq!(writer.handle.append(draft.clone()).await, Err(AppendError::Unknown));
    stalled.close().await.unwrap();
    writer.until_recorded(draft).await;
    assert_eq!(installation.all_entries().await.len(), 1);
}

#[tokio::test]
async fn a_full_queue_sheds_drafts_at_once_and_answers_the_others() {
    let installation = Installation::open().await;
    let append_wait = Duration::from_secs(120);
    let writer = installation.writer(append::Options { queue_max: 4, append_wait });
    let stalled = installation.stall().await;
    let id = Uuid::new_v4();
    let appends: Vec<_> = (0..40)
        .map(|number| {
            let stream = StreamId(Uuid::from_u128(id.as_u128() & !0xffff_ff00 | number << 8));
            let handle = writer.handle.clone();
            tokio::spawn(async move { handle.append(draft(stream, 1, "x")).await })
        })
        .collect();
    let shed = async {
        while !appends.iter().any(|append| append.is_finished()) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(Duration::from_secs(60), shed).await.expect("some are shed while others wait");
    stalled.close().await.unwrap();
    let answers: Vec<_> = join_all(appends).await.into_iter().map(Result::unwrap).collect();
    let recorded = answers.iter().filter(|answer| **answer == Ok(Append::Recorded)).count();
    let shed = answers.iter().filter(|answer| **answer == Err(AppendError::Busy)).count();
    assert!(shed > 0);
    assert_eq!((recorded, installation.all_entries().await.len()), (40 - shed, 40 - shed));
    assert_eq!(writer.handle.statistics().shed, shed as u64);
}

#[tokio::test]
async fn a_drained_writer_answers_its_drafts_and_accepts_no_more() {
    let installation = Installation::open().await;
    let mut writer = installation.writer(append::Options::default());
    let streams: Vec<_> = (0..200).map(|_| new_stream()).collect();
    let appends: Vec<_> = streams
        .iter()
        .map(|&stream| {
            let handle = writer.handle.clone();
            tokio::spawn(async move { handle.append(draft(stream, 1, "x")).await })
        })
        .collect();
    tokio::task::yield_now().await;
    writer.drain.cancel();
    timeout(Duration::from_secs(60), &mut writer.running).await.expect("the writer ends").unwrap();
    let answers: Vec<_> = join_all(appends).await.into_iter().map(Result::unwrap).collect();
    let recorded = answers.iter().filter(|answer| **answer == Ok(Append::Recorded)).count();
    assert!(
        answers
            .iter()
            .all(|answer| matches!(answer, Ok(Append::Recorded) | Err(AppendError::Closed)))
    );
    assert_eq!(installation.all_entries().await.len(), recorded);
    assert_eq!(writer.handle.append(draft(new_stream(), 1, "x")).await, Err(AppendError::Closed));
}
