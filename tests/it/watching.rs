//! Watching: every entry once, in order, whatever breaks in between.

use contract::v1::*;
use futures::future::join_all;
use rustix::process::Signal;
use table::{ChaCha, Chance};
use tokio::join;
use tonic::Code;

use crate::harness::*;

#[tokio::test]
async fn reconnecting_watchers_see_every_entry_once() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 4, 51).await;
    let name = playing.name.clone();
    let watchers = STREAMING.iter().enumerate().flat_map(|(number, protocol)| {
        ["spectator", "seats/2"].map(|viewer| {
            let client = client.speaking(*protocol).apart();
            watch_in_pieces(client, request(&name, viewer), number as u64)
        })
    });
    let (seen, ()) = join!(join_all(watchers), playing.finish());
    let spectator = entries(&client, &name, "spectator").await;
    let seat = entries(&client, &name, "seats/2").await;
    for (number, seen) in seen.into_iter().enumerate() {
        assert_eq!(seen, if number % 2 == 0 { spectator.clone() } else { seat.clone() });
    }
}

/// Watches to the end, disconnecting after every few entries.
async fn watch_in_pieces(
    client: Client,
    mut request: WatchEntriesRequest,
    seed: u64,
) -> Vec<Entry> {
    let mut chance = ChaCha::of([8; 32], seed);
    let (mut seen, mut id): (Vec<Entry>, Option<String>) = (Vec::new(), None);
    loop {
        let mut watch = match &id {
            // As browsers do: the same URL again with the last event's id.
            Some(id) => client.with_header("last-event-id", id).watch(&request).await,
            None => client.watch(&request).await,
        };
        for _ in 0..=chance.below(7) {
            let batch = watch.next().await.unwrap_or_else(|error| panic!("{error:?}"));
            let Some(batch) = batch else { return seen };
            assert!(!batch.message.entries.is_empty());
            assert_eq!(batch.message.position, batch.message.entries.last().expect("one").position);
            match client.protocol {
                Protocol::Events => id = Some(batch.id.expect("events say where to go on")),
                _ => request.after_position = batch.message.position,
            }
            seen.extend(batch.message.entries);
        }
    }
}

fn request(name: &str, viewer: &str) -> WatchEntriesRequest {
    WatchEntriesRequest {
        parent: name.to_owned(),
        after_position: 0,
        viewer: viewer.to_owned(),
        ..WatchEntriesRequest::default()
    }
}

#[tokio::test]
async fn a_watcher_of_an_open_match_sees_the_deal() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let open = CreateMatchRequest { players: vec![player(0)], ..new_match(2) };
    let open = create(&client, &open).await;
    let mut watches = Vec::new();
    for protocol in STREAMING {
        watches.push(client.speaking(protocol).apart().watch(&request(&open.name, "")).await);
    }
    let join =
        JoinMatchRequest { name: open.name.clone(), player: player(1), ..Default::default() };
    client.ask(&join).await.expect("a seat is open");
    for watch in &mut watches {
        let first = watch.next().await.expect("it goes on").expect("an entry");
        assert_eq!(first.message.position, 1);
        assert_eq!(first.message.entries[0].seat, None);
    }
}

#[tokio::test]
async fn a_stream_ends_with_ok_after_the_last_entry() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 52).await;
    playing.finish().await;
    let last = get(&client, &playing.name).await.position;
    for protocol in STREAMING {
        let client = client.speaking(protocol);
        let whole = request(&playing.name, "house");
        let mut watch = client.watch(&whole).await;
        let seen = watch.up_to(i32::MAX).await.expect("it ends well");
        assert_eq!(seen, entries(&client, &playing.name, "house").await);
        let nothing = WatchEntriesRequest { after_position: last, ..whole.clone() };
        assert!(client.watch(&nothing).await.next().await.expect("it ends well").is_none());
        let ahead = WatchEntriesRequest { after_position: last + 1, ..whole };
        let failure = client.watch(&ahead).await.next().await.expect_err("nothing will come");
        failure.check(Code::OutOfRange, "POSITION_AHEAD");
        assert_eq!(failure.facts["position"], last.to_string());
    }
}

#[tokio::test]
async fn watchers_of_a_stopping_service_resume_with_the_next() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 53).await;
    playing.steps(6).await;
    let mut watchers = Vec::new();
    for protocol in STREAMING {
        let client = client.speaking(protocol).apart();
        let mut watch = client.watch(&request(&playing.name, "")).await;
        let seen = watch.up_to(7).await.expect("it goes on");
        watchers.push((client, watch, seen));
    }
    installation.service.signal(Signal::TERM);
    for (_, watch, _) in &mut watchers {
        let failure = watch.next().await.expect_err("it ends here");
        assert_eq!(failure.code, Code::Unavailable);
        assert_eq!((failure.reason.as_str(), failure.retry_ms.is_some()), ("SHUTTING_DOWN", true));
    }
    let drained = watchers.into_iter().map(|(client, _, seen)| (client, seen));
    let watchers: Vec<_> = drained.collect();
    assert!(installation.service.ended().await.success());

    installation.service.start_again().await;
    let client = installation.client(Protocol::Grpc);
    playing.seats.fill(client.clone());
    playing.finish().await;
    let told = entries(&client, &playing.name, "").await;
    for (client, mut seen) in watchers {
        let after_position = seen.last().expect("entries").position;
        let request = WatchEntriesRequest { after_position, ..request(&playing.name, "") };
        let rest = client.apart().watch(&request).await.up_to(i32::MAX).await;
        seen.extend(rest.expect("it ends well"));
        assert_eq!(seen, told);
    }
}

#[tokio::test]
async fn a_stream_ends_when_its_token_expires() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let it = create(&client, &new_match(2)).await;
    let open = async |lifetime_s: u32| {
        let request = CreateTokenRequest {
            parent: it.name.clone(),
            seat: Some(0),
            lifetime: Some(contract::seconds(lifetime_s)),
        };
        let token = client.ask(&request).await.expect("a platform may").token;
        let mut watches = Vec::new();
        for protocol in STREAMING {
            let client = client.speaking(protocol).apart().holding(&token);
            let mut watch = client.watch(&self::request(&it.name, "")).await;
            match watch.up_to(1).await {
                Ok(dealt) => assert_eq!(dealt.len(), 1),
                Err(late) if late.reason == "TOKEN_EXPIRED" => return None,
                Err(failure) => panic!("{failure:?}"),
            }
            watches.push(watch);
        }
        Some(watches)
    };
    // On a slow machine, opening them all may take longer than a token lasts.
    let mut watches = None;
    for lifetime_s in [2, 8, 32] {
        watches = open(lifetime_s).await;
        if watches.is_some() {
            break;
        }
    }
    for watch in &mut watches.expect("they open") {
        let failure = watch.next().await.expect_err("it ends here");
        failure.check(Code::Unauthenticated, "TOKEN_EXPIRED");
    }
}

#[tokio::test]
async fn a_browser_may_send_its_token_in_a_streams_url() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Events);
    let it = create(&client, &new_match(2)).await;
    let token = token(&client, &it.name, None).await;
    let client = client.anonymous();
    let uri = format!("/v1/{}/entries:watch?access_token={token}&afterPosition=1", it.name);
    let response = client.head(&uri).await;
    assert_eq!(response.expect("it begins"), 200);
    let refused = client.head(&format!("/v1/{}?access_token={token}", it.name)).await;
    assert_ne!(refused.expect("an answer"), 200, "streams alone take it so");
}
