//! A record that went back: marks, claims and epochs.

use crate::installation::Installation;
use crate::playing::{Followed, Writer, digest, draft, new_stream, play};
use event_log::{Append, Bucket, Claims, Digest, Draft, Epoch, Position, StreamId, append, follow};
use std::time::Duration;
use tokio::time::timeout;
use uuid::Uuid;

#[tokio::test]
async fn nothing_is_added_after_entries_that_the_record_lost() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    play(&installation.log, &writer.handle, stream, "a", 10).await;
    assert_eq!(installation.log.epoch(), Epoch::default());
    installation.lose_after(stream, 7).await;
    let append = |position| writer.handle.append(draft(stream, position, "x"));
    assert_eq!(append(11).await, Ok(Append::Conflict));
    assert!(installation.log.epoch() > Epoch::default());
    assert_eq!(installation.log.tail(stream).await.unwrap(), Position(7));
    let marks = installation.log.high_water_marks();
    assert_eq!(marks[Bucket::of(stream).index()].position, 7);
    let current = Draft { epoch: installation.log.epoch(), ..draft(stream, 8, "x") };
    assert_eq!(writer.handle.append(current).await, Ok(Append::Recorded));
    assert_eq!(installation.all_entries().await.len(), 8, "without a gap");
}

#[tokio::test]
async fn nothing_is_added_to_another_history_of_the_same_length() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    play(&installation.log, &writer.handle, stream, "a", 10).await;
    installation.lose_after(stream, 7).await;
    let other = Digest::from([9; 32]);
    {
        let log = installation.another().await;
        let writer = Writer::run(&log, append::Options::default());
        for position in 8..=10 {
            let before = if position == 8 { digest(stream, 7) } else { other };
            let draft = draft(stream, position, "other");
            let draft = Draft { before: Some(before), digest: other, ..draft };
            assert_eq!(writer.handle.append(draft).await, Ok(Append::Recorded));
        }
    }
    let late = || writer.handle.append(draft(stream, 11, "x"));
    assert_eq!(late().await, Ok(Append::Conflict));
    let current = Draft { epoch: installation.log.epoch(), ..draft(stream, 11, "x") };
    assert_eq!(late().await, Ok(Append::Conflict), "it was decided in an earlier epoch");
    let current = Draft { before: Some(other), ..current };
    assert_eq!(writer.handle.append(current).await, Ok(Append::Recorded));
    assert_eq!(installation.all_entries().await.len(), 11);
}

#[tokio::test]
async fn a_match_of_an_earlier_epoch_is_checked_even_if_the_heads_hold() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let lost = new_stream();
    // A stream of the same bucket.
    let mut bytes = *new_stream().0.as_bytes();
    bytes[15] = lost.0.as_bytes()[15];
    let kept = StreamId(Uuid::from_bytes(bytes));
    play(&installation.log, &writer.handle, kept, "a", 3).await;
    play(&installation.log, &writer.handle, lost, "a", 5).await;
    installation.lose_after(lost, 2).await;
    let old = Epoch::default();
    assert_eq!(writer.handle.append(draft(kept, 4, "x")).await, Ok(Append::Recorded));
    assert!(installation.log.epoch() > old, "the other match's entry revealed it");
    assert_eq!(writer.handle.append(draft(kept, 5, "x")).await, Ok(Append::Recorded));
    assert_eq!(writer.handle.append(draft(lost, 6, "x")).await, Ok(Append::Conflict));
    assert_eq!(installation.all_entries().await.len(), 3 + 2 + 2);
}

#[tokio::test]
async fn a_follower_notices_that_the_record_went_back() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    play(&installation.log, &writer.handle, stream, "a", 10).await;
    let other = installation.another().await;
    let mut epochs = other.epochs();
    let options = follow::Options { poll_wait: Duration::from_millis(50) };
    let _follower = Followed::by(&other, options).await;
    installation.lose_after(stream, 9).await;
    timeout(Duration::from_secs(60), epochs.changed()).await.expect("it polls").unwrap();
    assert_eq!(other.high_water_marks()[Bucket::of(stream).index()].position, 9);
    assert!(timeout(Duration::from_millis(200), epochs.changed()).await.is_err(), "once");
}

#[tokio::test]
async fn a_claim_is_accepted_only_for_the_history_it_was_made_of() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    play(&installation.log, &writer.handle, stream, "a", 4).await;
    let heads = installation.log.bucket_heads().await.unwrap();
    let claims = Claims::of_marks(&heads);
    let bucket = Bucket::of(stream).index();
    assert_eq!(installation.log.check_claims(&claims).await.unwrap(), Ok(heads));
    let mut forged = claims.clone();
    forged.marks[bucket].1[0] ^= 1;
    let lost = installation.log.check_claims(&forged).await.unwrap().unwrap_err();
    assert_eq!(lost.holds[bucket].position, 0, "where the histories part is not known");
    installation.lose_after(stream, 3).await;
    let lost = installation.log.check_claims(&claims).await.unwrap().unwrap_err();
    assert_eq!(lost.holds[bucket].position, 3);
}
