//! The toy library of `toy.proto` behind the transcoder, called in every protocol.
//!
//! Its gRPC service answers from descriptors alone, without generated code.

mod connect;
mod fuzz;
mod rest;
mod sockets;
mod streams;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};
use futures::StreamExt;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body::Frame;
use http_body_util::{BodyExt, Full, StreamBody};
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::{Value, json};
use tonic::body::Body;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};
use tower::ServiceExt;
use tower_layer::Layer;

use crate::*;

const LIMIT: usize = 1000;

pub fn pool() -> DescriptorPool {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/src/tests");
    let protos = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proto");
    let mut compiler = protox::Compiler::new([here, protos]).expect("folders of protos");
    compiler
        .include_imports(true)
        .include_source_info(true)
        .open_file("toy.proto")
        .expect("toy.proto is valid");
    DescriptorPool::decode(compiler.encode_file_descriptor_set().as_slice())
        .expect("the set was just encoded")
}

fn message(name: &str, json: Value) -> DynamicMessage {
    let descriptor = pool().get_message_by_name(name).expect("a message of toy.proto");
    DynamicMessage::deserialize(descriptor, json).expect("its JSON")
}

/// The JSON of a request as the service received it, without default values.
fn received(name: &str, bytes: &[u8]) -> Value {
    let descriptor = pool().get_message_by_name(name).expect("a message of toy.proto");
    let message = DynamicMessage::decode(descriptor, &bytes[5..]).expect("a frame with a message");
    serde_json::to_value(&message).expect("JSON")
}

/// Answers every call with a book whose title is the request.
async fn library(request: Request<Body>) -> Result<Response<Body>, Infallible> {
    let (parts, body) = request.into_parts();
    assert_eq!(parts.headers["content-type"], "application/grpc");
    let body = body.collect().await;
    let body = match body {
        Ok(body) => body.to_bytes(),
        Err(status) => return Ok(status.into_http()),
    };
    let method =
        parts.uri.path().strip_prefix("/toy.v1.Library/").expect("a method of the library");
    let asked = received(&format!("toy.v1.{method}Request"), &body);
    if let Some(code) =
        asked["name"].as_str().and_then(|name| name.strip_prefix("rooms/refused/books/"))
    {
        return Ok(refused(code.parse::<i32>().expect("a code").into()).into_http());
    }
    match method {
        "ReadBook" => Ok(pages(&asked)),
        "ListBooks" => Ok(answer(
            "toy.v1.ListBooksResponse",
            json!({ "books": [echo(&asked, &parts.headers)] }),
        )),
        _ => Ok(answer("toy.v1.Book", echo(&asked, &parts.headers))),
    }
}

/// A book whose title is the request and whose authors are the metadata of interest.
fn echo(asked: &Value, headers: &HeaderMap) -> Value {
    let authors: Vec<_> = ["authorization", "grpc-timeout", "x-anything", "accept"]
        .iter()
        .filter_map(|name| Some(format!("{name}: {}", headers.get(*name)?.to_str().expect("text"))))
        .collect();
    json!({ "title": asked.to_string(), "authors": authors, "pages": "9007199254740993" })
}

fn refused(code: Code) -> Status {
    let mut details =
        ErrorDetails::with_error_info("TORN", "toy", [("page".to_owned(), "7".to_owned())]);
    if code == Code::ResourceExhausted {
        details.set_retry_info(Some(Duration::from_millis(1500)));
    }
    Status::with_error_details(code, "a page is torn", details)
}

fn answer(name: &str, json: Value) -> Response<Body> {
    let chunks = [
        Ok::<_, Status>(Frame::data(frame(name, json))),
        Ok(Frame::trailers(trailers(&Status::ok("")))),
    ];
    grpc(Body::new(StreamBody::new(futures::stream::iter(chunks))))
}

fn grpc(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert("content-type", HeaderValue::from_static("application/grpc"));
    response.headers_mut().insert("x-shelf-mark", HeaderValue::from_static("Q7"));
    response
}

fn frame(name: &str, json: Value) -> Bytes {
    let message = message(name, json).encode_to_vec();
    let mut frame = BytesMut::new();
    frame.put_u8(0);
    frame.put_u32(u32::try_from(message.len()).expect("short"));
    frame.put_slice(&message);
    frame.freeze()
}

fn trailers(status: &Status) -> HeaderMap {
    let mut trailers = HeaderMap::new();
    status.add_header(&mut trailers).expect("a status fits into trailers");
    trailers
}

/// Three pages after `after_position`, with a pause before each and the digest of the page that was
/// named. Then the book `torn` fails and `endless` stays silent.
fn pages(asked: &Value) -> Response<Body> {
    let after: i64 =
        asked["afterPosition"].as_str().map_or(0, |after| after.parse().expect("a number"));
    let digest = asked["afterDigest"].as_str().unwrap_or_default().to_owned();
    let pages = futures::stream::iter(after + 1..after + 4).then(move |position| {
        let (position, digest) = (position.to_string(), digest.clone());
        let page = json!({ "page": { "position": position, "text": "once", "digest": digest } });
        async move {
            tokio::time::sleep(Duration::from_secs(10)).await;
            Ok::<_, Status>(Frame::data(frame("toy.v1.ReadBookResponse", page)))
        }
    });
    let name = asked["name"].as_str().expect("a name").to_owned();
    let end = futures::stream::once(async move {
        match name.rsplit('/').next() {
            Some("torn") => Ok(Frame::trailers(trailers(&refused(Code::ResourceExhausted)))),
            Some("endless") => std::future::pending().await,
            _ => Ok(Frame::trailers(trailers(&Status::ok("")))),
        }
    });
    grpc(Body::new(StreamBody::new(pages.chain(end))))
}

fn resumes() -> Vec<Resume> {
    let id = &["page.position", "page.digest"];
    let after = &["after_position", "after_digest"];
    vec![Resume { method: "toy.v1.Library.ReadBook", id, after }]
}

fn options() -> Options {
    Options::new(Domain::new("toy"))
}

fn layer(options: Options) -> TranscoderLayer {
    TranscoderLayer::new(&pool(), options).expect("the toy contract is valid")
}

/// Sends a request to the library through the transcoder.
async fn send(request: Request<Bytes>) -> Response<Body> {
    let options = Options { message_bytes_max: LIMIT, resumes: resumes(), ..options() };
    let Ok(response) =
        layer(options).layer(tower::service_fn(library)).oneshot(request.map(Full::new)).await;
    response
}

fn request(verb: &str, uri: &str, content_type: &str, body: impl Into<Bytes>) -> Request<Bytes> {
    let mut request = Request::builder().method(verb).uri(uri);
    if !content_type.is_empty() {
        request = request.header("content-type", content_type);
    }
    request.body(body.into()).expect("a request")
}

async fn bytes(response: Response<Body>) -> Bytes {
    response.into_body().collect().await.expect("a whole body").to_bytes()
}

async fn read_json(response: Response<Body>) -> (u16, Value) {
    let status = response.status().as_u16();
    (status, serde_json::from_slice(&bytes(response).await).expect("JSON"))
}

#[test]
fn a_resumption_with_an_unknown_field_is_refused_at_the_start() {
    let nothing = Resume { after: &["after_page"], ..resumes().remove(0) };
    assert!(Contract::new(&pool(), &[nothing]).is_err());
    let half = Resume { id: &["page.position", "page.seal"], ..resumes().remove(0) };
    assert!(Contract::new(&pool(), &[half]).is_err());
}

#[tokio::test]
async fn grpc_passes_through_except_for_messages_that_are_too_long() {
    let call = |length: usize| {
        let text = json!({ "name": "x".repeat(length) });
        request(
            "POST",
            "/toy.v1.Library/GetBook",
            "application/grpc",
            frame("toy.v1.GetBookRequest", text),
        )
    };
    let answer = send(call(100)).await.into_body().collect().await.expect("a whole body");
    assert_eq!(answer.trailers().expect("trailers")["grpc-status"], "0");
    let refusal = send(call(LIMIT)).await;
    assert_eq!(refusal.status(), StatusCode::OK);
    assert_eq!(refusal.headers()["grpc-status"], "8");
}
