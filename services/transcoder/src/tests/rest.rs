//! REST: where each part of a request goes, and how each mistake is answered.

use super::*;

/// The request as the service received it, for requests that are answered with a book.
async fn asked(request: Request<Bytes>) -> Value {
    let (status, book) = read_json(send(request).await).await;
    assert_eq!(status, 200, "{book}");
    let title =
        book["title"].as_str().or_else(|| book["books"][0]["title"].as_str()).expect("a title");
    serde_json::from_str(title).expect("the request")
}

#[track_caller]
fn get(uri: &str) -> Request<Bytes> {
    request("GET", uri, "", "")
}

#[tokio::test]
async fn the_path_names_the_resource() {
    assert_eq!(asked(get("/v1/rooms/1/books/2")).await, json!({ "name": "rooms/1/books/2" }));
    assert_eq!(
        asked(get("/v1/books/2")).await,
        json!({ "name": "books/2" }),
        "an additional binding"
    );
    assert_eq!(asked(get("/v1/rooms/1/books")).await, json!({ "parent": "rooms/1" }));
}

#[tokio::test]
async fn the_query_string_fills_the_rest() {
    let query = "page_size=5&bindings=BINDING_CLOTH&bindings=2&filter.since=2026-01-31T12:00:00Z&filter.loan=2.5s\
                 &filter.authors=A&filter.authors=B%20C&filter.onLoan=true&filter.pictured=true&readMask=name,printTime";
    assert_eq!(
        asked(get(&format!("/v1/rooms/1/books?{query}"))).await,
        json!({
            "parent": "rooms/1",
            "pageSize": 5,
            "bindings": ["BINDING_CLOTH", "BINDING_PAPER"],
            "filter": {
                "since": "2026-01-31T12:00:00Z",
                "loan": "2.500s",
                "authors": ["A", "B C"],
                "onLoan": true,
                "pictured": true,
            },
            "readMask": "name,printTime",
        })
    );
}

#[tokio::test]
async fn the_body_is_one_field_or_the_whole_message() {
    let book = json!({ "title": "Emma", "notes": { "jane": { "text": "good" } }, "room": "1" });
    assert_eq!(
        asked(request(
            "POST",
            "/v1/rooms/1/books?book_id=emma",
            "application/json",
            book.to_string()
        ))
        .await,
        json!({ "parent": "rooms/1", "bookId": "emma", "book": book })
    );
    let lend = request(
        "POST",
        "/v1/rooms/1/books/2:lend",
        "application/json; charset=utf-8",
        r#"{"reader": "jane"}"#,
    );
    assert_eq!(asked(lend).await, json!({ "name": "rooms/1/books/2", "reader": "jane" }));
    let empty = request("POST", "/v1/rooms/1/books/2:lend", "", "");
    assert_eq!(
        asked(empty).await,
        json!({ "name": "rooms/1/books/2" }),
        "no body is an empty message"
    );
    let other = request(
        "POST",
        "/v1/rooms/1/books/2:lend",
        "application/json",
        r#"{"name": "rooms/9/books/9"}"#,
    );
    assert_eq!(
        asked(other).await,
        json!({ "name": "rooms/1/books/2" }),
        "the path has the last word"
    );
}

#[tokio::test]
async fn an_answer_includes_default_values_and_writes_64_bit_numbers_as_text() {
    let response = send(get("/v1/books/2")).await;
    assert_eq!(response.headers()["x-shelf-mark"], "Q7");
    assert_eq!(response.headers()["content-type"], "application/json");
    assert!(!response.headers().contains_key("grpc-status"));
    let (_, book) = read_json(response).await;
    assert_eq!(book["pages"], "9007199254740993");
    assert_eq!(
        (&book["binding"], &book["name"], &book["notes"]),
        (&json!("BINDING_UNSPECIFIED"), &json!(""), &json!({}))
    );
    assert_eq!((book.get("printTime"), book.get("room")), (None, None));
}

#[tokio::test]
async fn metadata_passes_through_except_headers_of_the_http_message() {
    let mut request = get("/v1/books/2");
    for (name, value) in [
        ("authorization", "Bearer x"),
        ("x-anything", "y"),
        ("grpc-timeout", "2S"),
        ("accept", "a/b"),
    ] {
        request.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    let (_, book) = read_json(send(request).await).await;
    assert_eq!(
        book["authors"],
        json!(["authorization: Bearer x", "grpc-timeout: 2S", "x-anything: y"])
    );
}

/// Checks that the request is refused with this HTTP status, reason and field.
async fn check(request: Request<Bytes>, status: u16, reason: &str, field: &str) {
    let asked = format!("{} {}", request.method(), request.uri());
    let (found, body) = read_json(send(request).await).await;
    let info = &body["error"]["details"][0];
    assert_eq!(found, status, "{asked}: {body}");
    assert_eq!(body["error"]["code"], status, "{asked}");
    assert_eq!(
        (&info["reason"], &info["domain"]),
        (&json!(reason), &json!("toy")),
        "{asked}: {body}"
    );
    assert_eq!(info["metadata"]["field"].as_str().unwrap_or_default(), field, "{asked}: {body}");
}

fn lend(body: &str) -> Request<Bytes> {
    request("POST", "/v1/rooms/1/books/2:lend", "application/json", body.to_owned())
}

fn create(body: &str) -> Request<Bytes> {
    request("POST", "/v1/rooms/1/books", "application/json", body.to_owned())
}

#[tokio::test]
async fn each_mistake_in_a_body_has_its_reason() {
    check(lend("{"), 400, "MALFORMED_JSON", "").await;
    check(lend(r#"{"days": 1} x"#), 400, "MALFORMED_JSON", "").await;
    check(lend(r#"{"dais": 1}"#), 400, "UNKNOWN_FIELD", "dais").await;
    check(lend(r#"{"days": "soon"}"#), 400, "WRONG_TYPE", "days").await;
    check(lend(r#"{"days": 3000000000}"#), 400, "WRONG_TYPE", "days").await;
    check(lend("[]"), 400, "WRONG_TYPE", "").await;
    check(lend("null"), 400, "WRONG_TYPE", "").await;
    check(create("7"), 400, "WRONG_TYPE", "book").await;
    check(create(r#"{"binding": "LEATHER"}"#), 400, "WRONG_TYPE", "book.binding").await;
    check(create(r#"{"authors": ["A", 7]}"#), 400, "WRONG_TYPE", "book.authors[1]").await;
    check(create(r#"{"authors": "A"}"#), 400, "WRONG_TYPE", "book.authors").await;
    check(
        create(r#"{"notes": {"jane": {"txt": ""}}}"#),
        400,
        "UNKNOWN_FIELD",
        "book.notes.jane.txt",
    )
    .await;
    check(create(r#"{"notes": {"jane": 7}}"#), 400, "WRONG_TYPE", "book.notes.jane").await;
    check(
        create(r#"{"volumes": [{}, {"volumes": [{"print_time": "noon"}]}]}"#),
        400,
        "WRONG_TYPE",
        "book.volumes[1].volumes[0].print_time",
    )
    .await;
    let both = create(r#"{"room": "1", "reader": "jane"}"#);
    check(both, 400, "DUPLICATE_FIELD", "book.room").await;
    for (book, field) in [
        (r#"{"title": "a", "pages": 1, "title": "a"}"#, "title"),
        (r#"{"print_time": null, "printTime": null}"#, "print_time"),
        (r#"{"volumes": [{}, {"title": "a", "title": "b"}]}"#, "volumes[1].title"),
        (r#"{"notes": {"jane": {}, "john": {}, "jane": {}}}"#, "notes.jane"),
        (r#"{"notes": {"jane": {"text": "a", "text": "b"}}}"#, "notes.jane.text"),
    ] {
        check(create(book), 400, "DUPLICATE_FIELD", field).await;
    }
    let book = r#"{"notes": {"title": {}}, "title": "a", "volumes": [{"title": "a"}]}"#;
    assert_eq!(send(create(book)).await.status(), 200, "names of different objects");
    check(
        create(&format!(r#"{{"title": "{}"}}"#, "x".repeat(LIMIT))),
        413,
        "MESSAGE_TOO_LARGE",
        "",
    )
    .await;
    check(
        request("POST", "/v1/rooms/1/books/2:lend", "text/plain", "{}"),
        415,
        "UNSUPPORTED_MEDIA_TYPE",
        "",
    )
    .await;
}

#[tokio::test]
async fn each_mistake_in_a_query_string_has_its_reason() {
    check(get("/v1/rooms/1/books?size=1"), 400, "UNKNOWN_FIELD", "size").await;
    check(get("/v1/rooms/1/books?page_size.x=1"), 400, "UNKNOWN_FIELD", "page_size.x").await;
    check(get("/v1/rooms/1/books?page_size=x"), 400, "WRONG_TYPE", "page_size").await;
    check(get("/v1/rooms/1/books?filter=x"), 400, "WRONG_TYPE", "filter").await;
    check(get("/v1/rooms/1/books?filter.since=noon"), 400, "WRONG_TYPE", "filter.since").await;
    check(get("/v1/rooms/1/books?page_size=1&pageSize=2"), 400, "DUPLICATE_FIELD", "page_size")
        .await;
    check(get("/v1/rooms/1/books?parent=rooms/2"), 400, "DUPLICATE_FIELD", "parent").await;
    let mut lend = lend("{}");
    *lend.uri_mut() = "/v1/rooms/1/books/2:lend?days=3".parse().expect("a path");
    check(lend, 400, "UNKNOWN_FIELD", "days").await;
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_arrives_is_abandoned() {
    let never = StreamBody::new(futures::stream::pending::<Result<Frame<Bytes>, Status>>());
    let layer = layer(options());
    let request = lend("").map(|_| never);
    let Ok(response) = layer.layer(tower::service_fn(library)).oneshot(request).await;
    assert_eq!(read_json(response).await.0, 504);
}

#[tokio::test]
async fn an_unknown_path_and_a_wrong_verb_are_refused() {
    check(get("/v1/rooms"), 404, "UNKNOWN_ROUTE", "").await;
    for (path, hint) in [
        ("/v1/rooms", "/openapi.json describes all of them"),
        ("/rooms/1/books", "the API is at /v1, and /openapi.json describes it"),
        ("/", "the API is at /v1, and /openapi.json describes it"),
        ("/v10/rooms", "the API is at /v1, and /openapi.json describes it"),
    ] {
        let (status, body) = read_json(send(get(path)).await).await;
        let message = body["error"]["message"].as_str().expect("a message");
        assert!(status == 404 && message.ends_with(hint), "{path}: {message}");
    }
    check(request("DELETE", "/v1/rooms/1/books", "", ""), 405, "WRONG_METHOD", "").await;
    check(request("GET", "/v1/rooms/1/books/2:lend", "", ""), 405, "WRONG_METHOD", "").await;
    let response = send(request("DELETE", "/v1/rooms/1/books", "", "")).await;
    assert_eq!(response.headers()["allow"], "GET, POST");
}

#[tokio::test]
async fn an_error_of_the_service_keeps_its_details() {
    let response = send(get("/v1/rooms/refused/books/8")).await;
    assert_eq!(response.headers()["retry-after"], "2");
    assert_eq!(
        read_json(response).await,
        (
            429,
            json!({ "error": {
                "code": 429,
                "status": "RESOURCE_EXHAUSTED",
                "message": "a page is torn",
                "details": [
                    { "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.500s" },
                    {
                        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                        "reason": "TORN",
                        "domain": "toy",
                        "metadata": { "page": "7" },
                    },
                ],
            }})
        )
    );
    assert_eq!(send(get("/v1/rooms/refused/books/5")).await.status(), 404);
    assert_eq!(send(get("/v1/rooms/refused/books/9")).await.status(), 400);
    let unknown_caller = send(get("/v1/rooms/refused/books/16")).await;
    assert_eq!(unknown_caller.status(), 401);
    assert_eq!(unknown_caller.headers()["www-authenticate"], "Bearer");
}
