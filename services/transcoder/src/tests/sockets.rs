//! Sockets whose clients are silent, idle or slow. Time is paused, so waiting costs nothing.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use futures::SinkExt;
use http::Extensions;
use prost::Message as _;
use tokio::io::{DuplexStream, duplex};
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::call::{Grpc, Head};
use crate::framing::Encoding;
use crate::session::{CALLS_MAX, Session};

type Client = WebSocketStream<DuplexStream>;

/// A socket to a service, on a connection that holds this many bytes.
async fn open<S>(service: S, encoding: Encoding, held: usize) -> (Client, CancellationToken)
where
    MessageLimit<S>: Grpc + Sync,
{
    let layer = layer(Options { message_bytes_max: LIMIT, resumes: resumes(), ..options() });
    let (grpc, drain) = (layer.limited(service), CancellationToken::new());
    let head = Head { headers: HeaderMap::new(), extensions: Extensions::new() };
    let shared = layer.shared.clone();
    let session = Session { shared, grpc, head, encoding, drain: drain.clone() };
    let (client, server) = duplex(held);
    #[expect(clippy::disallowed_methods, reason = "it ends with the socket")]
    tokio::spawn(session.run(Box::new(server)));
    (WebSocketStream::from_raw_socket(client, Role::Client, None).await, drain)
}

fn read_book(id: &str, book: &str, more: Value) -> Message {
    let name = format!("rooms/1/books/{book}");
    let mut frame =
        json!({ "id": id, "method": "toy.v1.Library.ReadBook", "message": { "name": name } });
    for (name, value) in more.as_object().expect("fields") {
        frame[name] = value.clone();
    }
    Message::text(frame.to_string())
}

/// The next frame in JSON; none when the socket has ended.
async fn next(client: &mut Client) -> Option<Value> {
    loop {
        match client.next().await? {
            Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
            Ok(Message::Close(close)) => {
                let close = close.expect("it says why");
                return Some(json!({ "code": u16::from(close.code), "reason": &*close.reason }));
            }
            Ok(_) => {}
            Err(_) => return None,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_tells_its_places_and_goes_on_after_one() {
    let (mut client, _) = open(tower::service_fn(library), Encoding::Json, 1 << 16).await;
    client.send(read_book("a", "2", json!({ "resume": "40.AQ+/" }))).await.expect("it is open");
    assert_eq!(next(&mut client).await, Some(json!({ "id": "a", "open": true })));
    let page = next(&mut client).await.expect("a page");
    assert_eq!((&page["id"], &page["resume"]), (&json!("a"), &json!("41.AQ+/")));
    assert_eq!(page["message"]["page"]["position"], "41");
    let [_, _] = [next(&mut client).await, next(&mut client).await];
    assert_eq!(next(&mut client).await, Some(json!({ "id": "a", "end": true })));

    client.send(read_book("a", "torn", json!({}))).await.expect("it is open");
    let end = loop {
        let frame = next(&mut client).await.expect("it goes on");
        if frame["end"] == true {
            break frame;
        }
    };
    assert_eq!(end["error"]["status"], "RESOURCE_EXHAUSTED", "an id may be used again");
}

#[tokio::test(start_paused = true)]
async fn binary_frames_have_the_same_meaning() {
    let (mut client, _) = open(tower::service_fn(library), Encoding::Proto, 1 << 16).await;
    let book = message("toy.v1.GetBookRequest", json!({ "name": "rooms/1/books/2" }));
    let head = json!({ "id": "a", "method": "toy.v1.Library/GetBook" }).to_string();
    let frame = [head.as_bytes(), b"\n", &book.encode_to_vec()].concat();
    client.send(Message::binary(frame)).await.expect("it is open");
    let Some(Ok(Message::Binary(answer))) = client.next().await else { panic!("an answer") };
    let at = answer.iter().position(|&byte| byte == b'\n').expect("a message");
    assert_eq!(answer[..at], *br#"{"id":"a"}"#);
    let descriptor = pool().get_message_by_name("toy.v1.Book").expect("a message of toy.proto");
    let book = DynamicMessage::decode(descriptor, &answer[at + 1..]).expect("a book");
    let title = serde_json::to_value(&book).expect("JSON")["title"].clone();
    assert_eq!(title, r#"{"name":"rooms/1/books/2"}"#);
    let Some(Ok(Message::Binary(end))) = client.next().await else { panic!("an end") };
    assert_eq!(end, br#"{"end":true,"id":"a"}"#[..]);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_answers_no_ping_is_dropped_and_an_idle_one_is_told() {
    let began = Instant::now();
    let (mut silent, _) = open(tower::service_fn(library), Encoding::Json, 1 << 16).await;
    silent.send(read_book("a", "endless", json!({}))).await.expect("it is open");
    // It reads nothing, so it answers nothing.
    let mut raw = silent.into_inner();
    let mut nothing = tokio::io::sink();
    let read = tokio::io::copy(&mut raw, &mut nothing);
    timeout(Duration::from_secs(100), read).await.expect("it is dropped").expect("it is closed");
    assert!(began.elapsed() > Duration::from_secs(75), "after {:?}", began.elapsed());

    let began = Instant::now();
    let (mut idle, _) = open(tower::service_fn(library), Encoding::Json, 1 << 16).await;
    let close = json!({ "code": 1000, "reason": "no call is open" });
    assert_eq!(next(&mut idle).await, Some(close));
    assert!(began.elapsed() > Duration::from_secs(300), "after {:?}", began.elapsed());

    let (mut busy, drain) = open(tower::service_fn(library), Encoding::Json, 1 << 16).await;
    busy.send(read_book("a", "endless", json!({}))).await.expect("it is open");
    for _ in 0..4 {
        next(&mut busy).await.expect("it goes on");
    }
    assert!(timeout(Duration::from_secs(3600), next(&mut busy)).await.is_err(), "it is kept");
    drain.cancel();
    assert_eq!(next(&mut busy).await.expect("it says so")["code"], 1012);
}

/// Pages of a kilobyte without end, which are counted.
fn endless(count: &Arc<AtomicUsize>) -> impl FnMut(Request<Body>) -> Endless + Clone + use<> {
    let count = count.clone();
    move |_| {
        let count = count.clone();
        let page = move |position| {
            count.fetch_add(1, SeqCst);
            let page = json!({ "page": { "position": position, "text": "x".repeat(1024) } });
            Ok::<_, Status>(Frame::data(frame("toy.v1.ReadBookResponse", page)))
        };
        let pages = futures::stream::iter(0..1_000_000).map(page);
        std::future::ready(Ok(grpc(Body::new(StreamBody::new(pages)))))
    }
}

type Endless = std::future::Ready<Result<Response<Body>, Infallible>>;

#[tokio::test(start_paused = true)]
async fn a_slow_reader_costs_bounded_memory_and_a_window_holds_up_one_call_only() {
    let count = Arc::new(AtomicUsize::new(0));
    let service = tower::service_fn(endless(&count));
    let (mut slow, _) = open(service.clone(), Encoding::Json, 4096).await;
    for id in ["a", "b", "c", "d"] {
        slow.send(read_book(id, "2", json!({}))).await.expect("it is open");
    }
    sleep(Duration::from_secs(10)).await;
    let read = count.load(SeqCst);
    assert!((4..100).contains(&read), "{read} pages were read for a client that reads none");
    sleep(Duration::from_secs(10)).await;
    assert_eq!(count.load(SeqCst), read);
    // After a minute it is dropped, and the streams with it.
    sleep(Duration::from_secs(60)).await;
    while let Some(Ok(_)) = slow.next().await {}
    assert_eq!(count.load(SeqCst), read);

    count.store(0, SeqCst);
    let (mut client, _) = open(service, Encoding::Json, 1 << 16).await;
    client.send(read_book("held", "2", json!({ "window": 2 }))).await.expect("it is open");
    let mut pages = 0;
    for _ in 0..3 {
        let frame = next(&mut client).await.expect("it goes on");
        pages += usize::from(frame["message"].is_object());
    }
    assert_eq!(pages, 2);
    assert!(timeout(Duration::from_secs(10), next(&mut client)).await.is_err(), "it waits");
    client.send(read_book("free", "2", json!({ "window": 1 }))).await.expect("it is open");
    for _ in 0..2 {
        assert_eq!(next(&mut client).await.expect("it goes on")["id"], "free");
    }
    let more = json!({ "id": "held", "more": 1 }).to_string();
    client.send(Message::text(more)).await.expect("it is open");
    assert_eq!(next(&mut client).await.expect("it goes on")["id"], "held");
    assert!(count.load(SeqCst) < 20, "{count:?}");
}

#[tokio::test(start_paused = true)]
async fn a_refusal_arrives_while_as_many_calls_as_possible_have_frames_to_send() {
    let service = tower::service_fn(endless(&Arc::default()));
    let (mut client, _) = open(service, Encoding::Json, 4096).await;
    for id in 0..CALLS_MAX {
        client.send(read_book(&id.to_string(), "2", json!({}))).await.expect("it is open");
    }
    // All places of the queue are taken, and each call waits for one.
    sleep(Duration::from_secs(1)).await;
    client.send(read_book("over", "2", json!({}))).await.expect("it is open");
    let refused = async {
        loop {
            let frame = next(&mut client).await.expect("it goes on");
            if frame["id"] == "over" {
                return frame;
            }
        }
    };
    let refused = timeout(Duration::from_secs(20), refused).await.expect("it is told");
    assert_eq!(refused["error"]["status"], "RESOURCE_EXHAUSTED", "{refused}");
}
