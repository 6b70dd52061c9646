//! Reading a match back.

use crate::installation::Installation;
use crate::playing::{draft, new_stream};
use event_log::{Append, Draft, Position, append};
use futures::future::join_all;
use futures::{StreamExt, TryStreamExt};
use std::time::Duration;

#[tokio::test]
async fn an_entry_reads_back_as_it_was_written() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let draft = Draft { request_id: Some("r".to_owned()), ..draft(new_stream(), 1, "body") };
    writer.handle.append(draft.clone()).await.unwrap();
    writer
        .handle
        .append(Draft { position: Position(2), request_id: None, ..draft.clone() })
        .await
        .unwrap();
    let entries: Vec<_> =
        installation.log.stream(draft.stream, Position::START).try_collect().await.unwrap();
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
    let stream = new_stream();
    let appends: Vec<_> =
        (1..=1200).map(|position| writer.handle.append(draft(stream, position, "x"))).collect();
    assert!(join_all(appends).await.iter().all(|append| *append == Ok(Append::Recorded)));
    let positions: Vec<_> = installation
        .log
        .stream(stream, Position(100))
        .map(|entry| entry.unwrap().position.0)
        .collect()
        .await;
    assert_eq!(positions, (101..=1200).collect::<Vec<_>>());
}
