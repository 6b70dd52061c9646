//! Connect's unary calls.

use super::*;

fn get_book(content_type: &str, body: impl Into<Bytes>) -> Request<Bytes> {
    request("POST", "/toy.v1.Library/GetBook", content_type, body)
}

async fn refusal(request: Request<Bytes>) -> (u16, String, String) {
    let (status, body) = read_json(send(request).await).await;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (status, text(&body["code"]), text(&body["details"][0]["debug"]["reason"]))
}

#[track_caller]
fn is(refusal: (u16, String, String), status: u16, code: &str, reason: &str) {
    assert_eq!(refusal, (status, code.to_owned(), reason.to_owned()));
}

#[tokio::test]
async fn a_call_is_made_in_json_or_in_protobuf() {
    let response = send(get_book("application/json", r#"{"name": "books/2"}"#)).await;
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(response.headers()["x-shelf-mark"], "Q7");
    assert_eq!(read_json(response).await.1["title"], r#"{"name":"books/2"}"#);

    let bytes_in = message("toy.v1.GetBookRequest", json!({ "name": "books/2" })).encode_to_vec();
    let response = send(get_book("application/proto", bytes_in)).await;
    assert_eq!(response.headers()["content-type"], "application/proto");
    let book = pool().get_message_by_name("toy.v1.Book").expect("a book");
    let book = DynamicMessage::decode(book, bytes(response).await).expect("a book");
    assert_eq!(
        book.get_field_by_name("title").expect("a title").as_str(),
        Some(r#"{"name":"books/2"}"#)
    );
}

#[tokio::test]
async fn a_read_may_be_a_get() {
    for query in [
        "encoding=json&message=%7B%22name%22%3A%22books/2%22%7D&connect=v1",
        "encoding=json&base64=1&message=eyJuYW1lIjoiYm9va3MvMiJ9",
        "encoding=json&base64=1&message=eyJuYW1lIjoiYm9va3MvMiIgfQ%3D%3D",
    ] {
        let (status, book) = read_json(
            send(request("GET", &format!("/toy.v1.Library/GetBook?{query}"), "", "")).await,
        )
        .await;
        assert_eq!((status, &book["title"]), (200, &json!(r#"{"name":"books/2"}"#)), "{query}");
    }
    is(
        refusal(request("GET", "/toy.v1.Library/GetBook?encoding=xml", "", "")).await,
        400,
        "invalid_argument",
        "MALFORMED_MESSAGE",
    );
    is(
        refusal(request("GET", "/toy.v1.Library/LendBook?encoding=json&message={}", "", "")).await,
        405,
        "unimplemented",
        "WRONG_METHOD",
    );
}

#[tokio::test]
async fn the_timeout_becomes_a_grpc_timeout() {
    let mut request = get_book("application/json", "{}");
    request.headers_mut().insert("connect-protocol-version", HeaderValue::from_static("1"));
    request.headers_mut().insert("connect-timeout-ms", HeaderValue::from_static("2500"));
    assert_eq!(read_json(send(request).await).await.1["authors"], json!(["grpc-timeout: 2500m"]));
    let mut request = get_book("application/json", "{}");
    request.headers_mut().insert("connect-timeout-ms", HeaderValue::from_static("9999999999"));
    assert_eq!(
        read_json(send(request).await).await.1["authors"],
        json!(["grpc-timeout: 9999999S"])
    );
}

#[tokio::test]
async fn each_mistake_is_answered_as_a_connect_error() {
    is(refusal(get_book("application/json", "{")).await, 400, "invalid_argument", "MALFORMED_JSON");
    is(
        refusal(get_book("application/json", r#"{"nam": ""}"#)).await,
        400,
        "invalid_argument",
        "UNKNOWN_FIELD",
    );
    is(
        refusal(get_book("application/json", "x".repeat(LIMIT + 1))).await,
        413,
        "resource_exhausted",
        "MESSAGE_TOO_LARGE",
    );
    is(refusal(get_book("text/xml", "{}")).await, 415, "unimplemented", "UNSUPPORTED_MEDIA_TYPE");
    is(
        refusal(get_book("application/connect+json", "{}")).await,
        415,
        "unimplemented",
        "UNSUPPORTED_MEDIA_TYPE",
    );
    is(
        refusal(request("PUT", "/toy.v1.Library/GetBook", "", "")).await,
        405,
        "unimplemented",
        "WRONG_METHOD",
    );
    for (header, value, status, reason) in [
        ("connect-protocol-version", "2", 400, "MALFORMED_HEADER"),
        ("connect-timeout-ms", "soon", 400, "MALFORMED_HEADER"),
        ("connect-timeout-ms", "99999999999", 400, "MALFORMED_HEADER"),
        ("content-encoding", "gzip", 415, "UNSUPPORTED_MEDIA_TYPE"),
    ] {
        let mut request = get_book("application/json", "{}");
        request.headers_mut().insert(header, HeaderValue::from_static(value));
        let (found, _, found_reason) = refusal(request).await;
        assert_eq!((found, found_reason.as_str()), (status, reason), "{header}");
    }
    let mut nowhere = request("POST", "/toy.v1.Library/Burn", "application/json", "{}");
    nowhere.headers_mut().insert("connect-protocol-version", HeaderValue::from_static("1"));
    is(refusal(nowhere).await, 404, "unimplemented", "UNKNOWN_ROUTE");
}

#[tokio::test]
async fn a_stream_of_requests_is_refused_with_the_protocol_that_carries_it() {
    for content_type in ["application/json", "application/connect+json", "application/proto", ""] {
        let request = request("POST", "/toy.v1.Library/LendBooks", content_type, "{}");
        let (status, body) = read_json(send(request).await).await;
        assert_eq!((status, &body["code"]), (415, &json!("unimplemented")), "{content_type}");
        let message = body["message"].as_str().expect("a message");
        assert!(message.contains("call it over gRPC"), "{message}");
        let info = &body["details"][0]["debug"];
        assert_eq!(info["reason"], "UNSUPPORTED_MEDIA_TYPE");
        assert_eq!(info["metadata"]["accepts"], "application/grpc");
    }
}

#[tokio::test]
async fn an_error_of_the_service_keeps_its_details() {
    let response = send(get_book("application/json", r#"{"name": "rooms/refused/books/8"}"#)).await;
    assert_eq!(response.headers()["retry-after"], "2");
    let (status, body) = read_json(response).await;
    assert_eq!(
        (status, &body["code"], &body["message"]),
        (429, &json!("resource_exhausted"), &json!("a page is torn"))
    );
    assert_eq!(body["details"][0]["type"], "google.rpc.RetryInfo");
}
