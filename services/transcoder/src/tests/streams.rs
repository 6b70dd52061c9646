//! Streamed answers over REST and Connect. Time is paused, so pauses cost nothing.

use super::*;

fn read(book: &str, accept: &'static str) -> Request<Bytes> {
    let mut request = request("GET", &format!("/v1/rooms/1/books/{book}:read"), "", "");
    request.headers_mut().insert("accept", HeaderValue::from_static(accept));
    request
}

async fn text(request: Request<Bytes>) -> String {
    String::from_utf8(bytes(send(request).await).await.to_vec()).expect("text")
}

fn event(position: u32) -> String {
    format!(
        "id: {position}\ndata: {{\"page\":{{\"position\":\"{position}\",\"text\":\"once\",\"digest\":\"\"}}}}\n\n"
    )
}

#[tokio::test(start_paused = true)]
async fn events_have_ids_and_an_end() {
    let response = send(read("2", "text/event-stream")).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let expected =
        format!("retry: 1000\n\n{}{}{}event: end\ndata: {{}}\n\n", event(1), event(2), event(3));
    assert_eq!(bytes(response).await, expected);
}

#[tokio::test(start_paused = true)]
async fn last_event_id_resumes_a_stream() {
    let mut request = read("2", "text/html, text/event-stream;q=0.9");
    *request.uri_mut() = "/v1/rooms/1/books/2:read?after_position=1".parse().expect("a path");
    request.headers_mut().insert("last-event-id", HeaderValue::from_static("40"));
    assert!(text(request).await.starts_with(&format!("retry: 1000\n\n{}", event(41))));

    let mut request = read("2", "text/event-stream");
    request.headers_mut().insert("last-event-id", HeaderValue::from_static("40.AQ+/"));
    let page = r#"{"page":{"position":"41","text":"once","digest":"AQ+/"}}"#;
    let first = format!("retry: 1000\n\nid: 41.AQ+/\ndata: {page}\n\n");
    assert!(text(request).await.starts_with(&first), "an id of several fields");

    for wrong in ["yesterday", "40.?", "40.AQ+/.1"] {
        let mut request = read("2", "text/event-stream");
        request.headers_mut().insert("last-event-id", HeaderValue::from_static(wrong));
        let (status, body) = read_json(send(request).await).await;
        let reason = &body["error"]["details"][0]["reason"];
        assert_eq!((status, reason), (400, &json!("MALFORMED_HEADER")), "{wrong}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_fails_ends_with_its_error() {
    let events = text(read("torn", "text/event-stream")).await;
    let (_, end) = events.split_once("event: end\n").expect("an end");
    assert!(end.starts_with("retry: 2000\ndata: {\"error\":{\"code\":429,"), "{end}");
    let lines = text(read("torn", "application/json")).await;
    let lines: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((lines.len(), &lines[3]["error"]["status"]), (4, &json!("RESOURCE_EXHAUSTED")));
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_fails_at_once_is_answered_like_any_call() {
    let request = request("GET", "/v1/rooms/refused/books/5:read", "", "");
    assert_eq!(read_json(send(request).await).await.0, 404);
}

#[tokio::test(start_paused = true)]
async fn lines_are_the_default() {
    let response = send(read("2", "*/*")).await;
    assert_eq!(response.headers()["content-type"], "application/x-ndjson");
    let line = |position: u32| {
        format!("{{\"page\":{{\"position\":\"{position}\",\"text\":\"once\",\"digest\":\"\"}}}}\n")
    };
    assert_eq!(bytes(response).await, [line(1), line(2), line(3)].concat());
}

#[tokio::test(start_paused = true)]
async fn messages_are_sent_at_once_and_silence_is_filled_with_comments() {
    let mut body = send(read("endless", "text/event-stream")).await.into_body();
    let started = tokio::time::Instant::now();
    let mut next =
        async || body.frame().await.expect("a frame").expect("of data").into_data().expect("data");
    assert_eq!(next().await, "retry: 1000\n\n");
    for page in 1..=3 {
        assert_eq!(next().await, event(page));
        assert_eq!(started.elapsed().as_secs(), u64::from(page) * 10);
    }
    assert_eq!(next().await, ":\n\n");
    assert_eq!(next().await, ":\n\n");
    assert_eq!(started.elapsed().as_secs(), 30 + 2 * 15);
}

#[tokio::test]
async fn the_inner_stream_is_dropped_when_the_client_disconnects() {
    let alive = Arc::new(());
    let held = alive.clone();
    let service = tower::service_fn(move |_: Request<Body>| {
        let held = held.clone();
        let silent = futures::stream::once(async move {
            let _held = held;
            std::future::pending::<Result<Frame<Bytes>, Status>>().await
        });
        async { Ok::<_, Infallible>(grpc(Body::new(StreamBody::new(silent)))) }
    });
    let layer = layer(options());
    let service = layer.layer(service);
    let Ok(response) = service.clone().oneshot(read("2", "text/event-stream").map(Full::new)).await;
    let holders = Arc::strong_count(&alive);
    drop(response);
    assert_eq!(Arc::strong_count(&alive), holders - 1);
}

#[tokio::test(start_paused = true)]
async fn the_token_of_a_stream_may_be_in_the_query_string() {
    let service = tower::service_fn(|request: Request<Body>| async move {
        let token = request.headers().get("authorization").cloned();
        Ok::<_, Infallible>(
            Status::unauthenticated(format!("{:?}", token.map(|token| token.is_sensitive())))
                .into_http(),
        )
    });
    let layer = layer(options());
    let ask = async |uri: &str| {
        let Ok(response) =
            layer.layer(service).oneshot(request("GET", uri, "", "").map(Full::new)).await;
        read_json(response).await.1["error"]["message"].clone()
    };
    assert_eq!(ask("/v1/rooms/1/books/2:read?access_token=secret").await, "Some(true)");
    let refused = ask("/v1/rooms/1/books/2?access_token=secret").await;
    let refused = refused.as_str().expect("a message");
    assert!(refused.contains("`authorization: Bearer {token}`"), "only streams need it: {refused}");
    assert!(!refused.contains("secret"));
}

fn envelope(flags: u8, content: &str) -> Bytes {
    crate::framing::envelope(flags, content.as_bytes())
}

fn connect_read(book: &str) -> Request<Bytes> {
    let message =
        json!({ "name": format!("rooms/1/books/{book}"), "after_position": 6 }).to_string();
    request("POST", "/toy.v1.Library/ReadBook", "application/connect+json", envelope(0, &message))
}

#[tokio::test(start_paused = true)]
async fn connect_sends_envelopes_and_the_last_holds_the_result() {
    let response = send(connect_read("2")).await;
    assert_eq!(response.headers()["content-type"], "application/connect+json");
    let page = |position: u32| {
        envelope(
            0,
            &format!(
                "{{\"page\":{{\"position\":\"{position}\",\"text\":\"once\",\"digest\":\"\"}}}}"
            ),
        )
    };
    assert_eq!(bytes(response).await, [page(7), page(8), page(9), envelope(2, "{}")].concat());

    let torn = bytes(send(connect_read("torn")).await).await;
    let error = &last_envelope(&torn)["error"];
    assert_eq!(error["code"], "resource_exhausted");
    assert_eq!(error["details"][1]["type"], "google.rpc.ErrorInfo");
}

/// The content of the envelope that ends a stream.
fn last_envelope(mut envelopes: &[u8]) -> Value {
    loop {
        let length = u32::from_be_bytes(envelopes[1..5].try_into().expect("four bytes")) as usize;
        let (content, rest) = envelopes[5..].split_at(length);
        if envelopes[0] == 2 {
            assert!(rest.is_empty());
            return serde_json::from_slice(content).expect("JSON");
        }
        envelopes = rest;
    }
}

#[tokio::test]
async fn a_malformed_connect_stream_request_is_answered_with_its_error() {
    for body in ["", "\0\0\0\0\u{9}{}", "\u{2}\0\0\0\u{2}{}"] {
        let response =
            send(request("POST", "/toy.v1.Library/ReadBook", "application/connect+json", body))
                .await;
        assert_eq!(response.status(), 200);
        let body = bytes(response).await;
        let error = &last_envelope(&body)["error"];
        assert_eq!(error["code"], "invalid_argument");
        assert_eq!(error["details"][0]["debug"]["reason"], "MALFORMED_MESSAGE");
    }
}
