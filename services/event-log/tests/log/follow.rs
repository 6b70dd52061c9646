//! Following: every entry of other processes is delivered once, with hints and without.

use crate::installation::Installation;
use crate::playing::{Followed, Writer, new_stream, play};
use event_log::{Bucket, Log, Recorded, StreamId, append, follow};
use futures::future::join_all;
use std::time::Duration;
use tokio::time::timeout;

#[tokio::test(flavor = "multi_thread")]
async fn a_follower_that_listens_delivers_every_entry_once() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    let options = follow::Options { poll_wait: Duration::from_secs(3600) };
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
    other: &Log,
    options: follow::Options,
) {
    let here = Followed::by(&installation.log, options).await;
    let there = Followed::by(other, options).await;
    let _interests: Vec<_> = Bucket::all()
        .flat_map(|bucket| [here.handle.interest(bucket), there.handle.interest(bucket)])
        .collect();
    let writer = installation.writer(append::Options::default());
    let streams: Vec<_> = (0..20).map(|_| new_stream()).collect();
    join_all(
        streams.iter().map(|&stream| play(&installation.log, &writer.handle, stream, "a", 10)),
    )
    .await;
    // Notifications are lost with the connection that receives them. The entries are still
    // delivered.
    installation.cut_listeners().await;
    join_all(
        streams.iter().map(|&stream| play(&installation.log, &writer.handle, stream, "b", 10)),
    )
    .await;
    there.until(400).await;
    let mut delivered = there.entries.lock().unwrap().clone();
    for bucket in Bucket::all() {
        let positions: Vec<_> = (delivered.iter())
            .filter(|(stream, _)| Bucket::of(*stream) == bucket)
            .map(|(_, entry)| entry.bucket_position)
            .collect();
        assert_eq!(positions, (1..=positions.len() as i64).collect::<Vec<_>>());
    }
    let sort = |entries: &mut Vec<(StreamId, Recorded)>| {
        entries.sort_by_key(|(stream, entry)| (*stream, entry.position))
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
    let options = follow::Options { poll_wait: Duration::from_secs(3600) };
    let follower = Followed::by(&installation.log, options).await;
    let stream = new_stream();
    play(&installation.log, &here.handle, stream, "a", 10).await;
    let _interest = follower.handle.interest(Bucket::of(stream));
    play(&other, &there.handle, stream, "b", 1).await;
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
    let stream = new_stream();
    play(&installation.log, &writer.handle, stream, "a", 1).await;
    // What was there at the last poll before the interest is not delivered.
    let passed = async {
        while other.high_water_marks()[Bucket::of(stream).index()].position < 1 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(60), passed).await.expect("it polls");
    let interest = follower.handle.interest(Bucket::of(stream));
    play(&installation.log, &writer.handle, stream, "b", 1).await;
    follower.until(1).await;
    drop(interest);
    play(&installation.log, &writer.handle, stream, "c", 1).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let positions: Vec<_> =
        follower.entries.lock().unwrap().iter().map(|(_, entry)| entry.position.0).collect();
    assert_eq!(positions, [2]);
}

#[tokio::test]
async fn a_notification_raises_the_mark_of_a_bucket_without_interest_while_there_is_a_receiver() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    let options = follow::Options { poll_wait: Duration::from_secs(3600) };
    let _follower = Followed::by(&other, options).await;
    let mut changes = other.high_water_changes();
    installation.until_listening().await;
    // A new listener reads all heads once, as the first poll does.
    tokio::time::sleep(Duration::from_millis(200)).await;
    changes.mark_unchanged();
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    play(&installation.log, &writer.handle, stream, "a", 1).await;
    let raised = async {
        while other.high_water_marks()[Bucket::of(stream).index()].position < 1 {
            changes.changed().await.unwrap();
        }
    };
    timeout(Duration::from_secs(60), raised).await.expect("a notification is enough");
}
