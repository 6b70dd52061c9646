//! The protocols as bytes: how each encodes a call and its answer. Written from the protocols'
//! specifications without the service's code, so that both cannot share a mistake.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use bytes::{BufMut, Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use http_body_util::Full;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor, SerializeOptions};
use serde_json::Value;
use tonic::{Code, Status};
use tonic_types::StatusExt;
use tonic_types::pb::{ErrorInfo, LocalizedMessage, RetryInfo};

/// The protocol of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protocol {
    Grpc,
    GrpcWeb,
    ConnectJson,
    ConnectProto,
    /// Streams are lines of JSON.
    Rest,
    /// REST with server-sent events for streams.
    Events,
}

use Protocol::*;

/// Every protocol with unary calls of its own: `Rest` and `Events` differ only in streams.
pub const PROTOCOLS: [Protocol; 5] = [Grpc, GrpcWeb, ConnectJson, ConnectProto, Rest];

pub const STREAMING: [Protocol; 6] = [Grpc, GrpcWeb, ConnectJson, ConnectProto, Rest, Events];

/// Why a call failed, the same in every protocol.
#[derive(Clone, Debug)]
pub struct Failure {
    pub code: Code,
    pub domain: Box<str>,
    pub reason: String,
    pub facts: BTreeMap<String, String>,
    pub message: String,
    /// The language of the message for people, and the message, if there is one.
    pub localized: Option<Box<(String, String)>>,
    /// The retry delay, if there is one.
    pub retry_ms: Option<u32>,
    /// The raw response.
    pub response: Box<RawResponse>,
}

/// A response as received.
#[derive(Clone, Debug, Default)]
pub struct RawResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
    pub trailers: HeaderMap,
}

impl RawResponse {
    /// Everything but the date, the request id and CORS headers, to compare responses and search
    /// them for secrets. One of the cards is called `origin`, which `vary` mentions too.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.status.to_string().into_bytes();
        let is_told = |name: &str| {
            !["date", "vary", "x-request-id"].contains(&name)
                && !name.starts_with("access-control-")
        };
        let headers = self.headers.iter().chain(&self.trailers);
        for (name, value) in headers.filter(|it| is_told(it.0.as_str())) {
            bytes.extend_from_slice(format!("\n{name}: ").as_bytes());
            bytes.extend_from_slice(value.as_bytes());
            if name == "grpc-status-details-bin" {
                bytes.extend(BASE64_STANDARD_NO_PAD.decode(value.as_bytes()).unwrap_or_default());
            }
        }
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

impl Failure {
    /// The connection broke, or there was none.
    pub fn of_connection(error: impl std::fmt::Debug) -> Failure {
        Failure { message: format!("{error:?}"), ..Failure::plain(Code::Unavailable) }
    }

    /// Asserts that the service refused, for this reason.
    #[track_caller]
    pub fn check(&self, code: Code, reason: &str) {
        let refused = (self.code, &*self.domain, self.reason.as_str());
        assert_eq!(refused, (code, "croupier", reason), "{}", self.message);
    }

    /// Whether there was no answer at all.
    pub fn is_of_connection(&self) -> bool {
        self.code == Code::Unavailable && self.domain.is_empty()
    }

    fn plain(code: Code) -> Failure {
        Failure {
            code,
            domain: Box::default(),
            reason: String::new(),
            facts: BTreeMap::new(),
            message: String::new(),
            localized: None,
            retry_ms: None,
            response: Box::default(),
        }
    }

    pub fn of_status(status: &Status) -> Failure {
        let info = status.get_details_error_info();
        let info = info.map(|info| (info.domain.into(), info.reason, info.metadata));
        let (domain, reason, facts) = info.unwrap_or_default();
        Failure {
            domain,
            reason,
            facts: facts.into_iter().collect(),
            message: status.message().to_owned(),
            localized: status
                .get_details_localized_message()
                .map(|it| Box::new((it.locale, it.message))),
            retry_ms: status.get_details_retry_info().and_then(|it| it.retry_delay).map(whole_ms),
            ..Failure::plain(status.code())
        }
    }

    pub fn of_connect(error: &Value) -> Failure {
        let details = error["details"].as_array().cloned().unwrap_or_default();
        let of_type = |name: &str| details.iter().find(|detail| detail["type"] == name);
        let value = |name: &str| {
            let value = of_type(name)?["value"].as_str().expect("a detail has a value");
            Some(BASE64_STANDARD_NO_PAD.decode(value).expect("in base64"))
        };
        let info = value("google.rpc.ErrorInfo")
            .map(|bytes| ErrorInfo::decode(&bytes[..]).expect("an ErrorInfo"))
            .unwrap_or_default();
        let localized = value("google.rpc.LocalizedMessage")
            .map(|bytes| LocalizedMessage::decode(&bytes[..]).expect("a LocalizedMessage"));
        let retry = value("google.rpc.RetryInfo")
            .and_then(|bytes| RetryInfo::decode(&bytes[..]).expect("a RetryInfo").retry_delay);
        Failure {
            domain: info.domain.into(),
            reason: info.reason,
            facts: info.metadata.into_iter().collect(),
            message: text(&error["message"]),
            localized: localized.map(|it| Box::new((it.locale, it.message))),
            retry_ms: retry.map(|delay| whole_ms(delay.try_into().expect("it lies ahead"))),
            ..Failure::plain(code_named(&text(&error["code"])))
        }
    }

    pub fn of_rest(error: &Value) -> Failure {
        let details = error["details"].as_array().cloned().unwrap_or_default();
        let of_type = |name: &str| {
            let name = format!("type.googleapis.com/google.rpc.{name}");
            details.iter().find(|detail| detail["@type"] == name)
        };
        let info = of_type("ErrorInfo").cloned().unwrap_or_default();
        let facts = info["metadata"].as_object().cloned().unwrap_or_default();
        Failure {
            domain: text(&info["domain"]).into(),
            reason: text(&info["reason"]),
            facts: facts.iter().map(|(name, fact)| (name.clone(), text(fact))).collect(),
            message: text(&error["message"]),
            localized: of_type("LocalizedMessage")
                .map(|detail| Box::new((text(&detail["locale"]), text(&detail["message"])))),
            retry_ms: of_type("RetryInfo")
                .map(|detail| whole_ms(delay(&text(&detail["retryDelay"])))),
            ..Failure::plain(code_named(&text(&error["status"])))
        }
    }
}

fn whole_ms(delay: Duration) -> u32 {
    delay.as_millis().try_into().expect("a delay is short")
}

/// `0.5s`
fn delay(text: &str) -> Duration {
    let seconds = text.strip_suffix('s').and_then(|seconds| seconds.parse().ok());
    Duration::from_secs_f64(seconds.expect("a duration as JSON has it"))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// `NOT_FOUND` or `not_found`; Connect spells one code the American way.
pub fn code_named(name: &str) -> Code {
    let same = |code: &Code| format!("{code:?}").eq_ignore_ascii_case(&name.replace('_', ""));
    let code = (0..=16).map(Code::from_i32).find(same);
    code.or((name == "canceled").then_some(Code::Cancelled)).unwrap_or(Code::Unknown)
}

// === Requests ===

/// A call of `method`, encoded for the protocol.
pub fn request(
    protocol: Protocol,
    method: &MethodDescriptor,
    message: &DynamicMessage,
) -> Request<Full<Bytes>> {
    if matches!(protocol, Rest | Events) {
        return rest_request(protocol, method, message);
    }
    let message = match protocol {
        ConnectJson => json(message).to_string().into_bytes(),
        _ => message.encode_to_vec(),
    };
    raw_request(protocol, method, &message)
}

/// The same with any bytes as the message. Not for REST, whose message is spread over URL and body.
pub fn raw_request(
    protocol: Protocol,
    method: &MethodDescriptor,
    message: &[u8],
) -> Request<Full<Bytes>> {
    let streaming = method.is_server_streaming();
    let content_type = match (protocol, streaming) {
        (Grpc, _) => "application/grpc",
        (GrpcWeb, _) => "application/grpc-web+proto",
        (ConnectJson, false) => "application/json",
        (ConnectJson, true) => "application/connect+json",
        (ConnectProto, false) => "application/proto",
        (ConnectProto, true) => "application/connect+proto",
        (Rest | Events, _) => panic!("REST has no message as such"),
    };
    let framed = streaming || matches!(protocol, Grpc | GrpcWeb);
    let body = if framed { frame(0, message) } else { Bytes::copy_from_slice(message) };
    let mut request = Request::post(path(method)).header("content-type", content_type);
    request = match protocol {
        Grpc => request.header("te", "trailers"),
        GrpcWeb => request.header("x-grpc-web", "1"),
        _ => request.header("connect-protocol-version", "1"),
    };
    request.body(Full::new(body)).expect("a request")
}

/// `/croupier.v1.MatchService/GetMatch`
pub fn path(method: &MethodDescriptor) -> String {
    format!("/{}/{}", method.parent_service().full_name(), method.name())
}

/// Flags, length, content: a frame of gRPC, an envelope of Connect.
pub fn frame(flags: u8, content: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(5 + content.len());
    frame.put_u8(flags);
    frame.put_u32(content.len().try_into().expect("a message is short"));
    frame.put_slice(content);
    frame.freeze()
}

/// The HTTP verb and the path template of an rpc, and what of its message the body holds: `*` for
/// all of it, a field, or nothing.
pub fn http_rule(method: &MethodDescriptor) -> (Method, String, String) {
    let extension = method.parent_pool().get_extension_by_name("google.api.http");
    let options = method.options();
    let rule = options.get_extension(&extension.expect("the contract has HTTP rules"));
    let rule = rule.as_message().expect("a rule is a message");
    let text = |field: &str| {
        let value = rule.get_field_by_name(field).expect("a field of the rule");
        value.as_str().unwrap_or_default().to_owned()
    };
    let verbs = [
        ("get", Method::GET),
        ("post", Method::POST),
        ("patch", Method::PATCH),
        ("delete", Method::DELETE),
    ];
    let rule = verbs.map(|(field, verb)| (verb, text(field)));
    let found = rule.into_iter().find(|(_, template)| !template.is_empty());
    let (verb, template) = found.expect("a rule has a verb");
    (verb, template, text("body"))
}

/// The characters that are not escaped in a path.
const SEGMENT: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

fn rest_request(
    protocol: Protocol,
    method: &MethodDescriptor,
    message: &DynamicMessage,
) -> Request<Full<Bytes>> {
    let (verb, template, of_body) = http_rule(method);
    let mut fields = json(message).as_object().cloned().expect("a message is an object");
    let mut uri = template.clone();
    if let Some((before, rest)) = template.split_once('{') {
        let (variable, after) = rest.split_once('}').expect("the brace is closed");
        let path = variable.split('=').next().expect("a variable has a name");
        let value = match path.split_once('.') {
            None => fields.remove(path),
            Some((within, field)) => fields
                .get_mut(within)
                .and_then(Value::as_object_mut)
                .and_then(|within| within.remove(field)),
        };
        let value = value.map(|value| text(&value)).unwrap_or_default();
        uri = format!("{before}{}{after}", utf8_percent_encode(&value, SEGMENT));
    }
    let mut body = Bytes::new();
    let has_body = !of_body.is_empty();
    if of_body == "*" {
        body = Value::from(std::mem::take(&mut fields)).to_string().into();
    } else if has_body {
        let field = fields.remove(&of_body).unwrap_or_default();
        body = field.to_string().into();
    }
    if !fields.is_empty() {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in &fields {
            // A repeated field is a repeated parameter.
            let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            for value in values {
                query.append_pair(name, value.as_str().unwrap_or(&value.to_string()));
            }
        }
        uri = format!("{uri}?{}", query.finish());
    }
    let mut request = Request::builder().method(verb).uri(uri);
    if has_body {
        request = request.header("content-type", "application/json");
    }
    if protocol == Events {
        request = request.header("accept", "text/event-stream");
    }
    request.body(Full::new(body)).expect("a request")
}

/// A message as conformant JSON, without what is not set.
fn json(message: &DynamicMessage) -> Value {
    let options = SerializeOptions::new().skip_default_fields(true);
    message
        .serialize_with_options(serde_json::value::Serializer, &options)
        .expect("a message is JSON")
}

// === Responses ===

/// The message of a unary response, or its failure.
pub fn answer(
    protocol: Protocol,
    output: MessageDescriptor,
    response: &RawResponse,
) -> Result<DynamicMessage, Failure> {
    let message = match protocol {
        Grpc | GrpcWeb => {
            let mut buffer = BytesMut::from(&response.body[..]);
            let mut message = None;
            let mut trailers = response.trailers.clone();
            while let Some((flags, content)) = unframe(&mut buffer) {
                match flags & 0x80 {
                    0 => message = Some(content),
                    _ => trailers = parse_trailers(&content),
                }
            }
            ended(&response.headers, &trailers)?;
            message.expect("an answer that succeeds has a message")
        }
        ConnectJson | ConnectProto if response.status != StatusCode::OK => {
            return Err(Failure::of_connect(&parse_json(&response.body)));
        }
        Rest | Events if response.status != StatusCode::OK => {
            return Err(Failure::of_rest(&parse_json(&response.body)["error"]));
        }
        Rest | Events if response.headers["content-type"] != "application/json" => {
            return Ok(with_body(output, &response.headers["content-type"], &response.body));
        }
        _ => response.body.clone(),
    };
    Ok(read(protocol, output, &message))
}

/// The answer whose `google.api.HttpBody` is the body of a response.
fn with_body(
    output: MessageDescriptor,
    content_type: &HeaderValue,
    data: &Bytes,
) -> DynamicMessage {
    let is_body = |it: &prost_reflect::FieldDescriptor| {
        it.kind().as_message().is_some_and(|it| it.full_name() == "google.api.HttpBody")
    };
    let field = output.fields().find(is_body).expect("the answer has a body");
    let kind = field.kind();
    let mut body = DynamicMessage::new(kind.as_message().expect("a message").clone());
    let content_type = content_type.to_str().expect("a media type").to_owned();
    body.set_field_by_name("content_type", prost_reflect::Value::String(content_type));
    body.set_field_by_name("data", prost_reflect::Value::Bytes(data.clone()));
    let mut answer = DynamicMessage::new(output);
    answer.set_field(&field, prost_reflect::Value::Message(body));
    answer
}

/// The status of a gRPC call, from its trailers or, if there was no message, its headers.
fn ended(headers: &HeaderMap, trailers: &HeaderMap) -> Result<(), Failure> {
    let status = Status::from_header_map(trailers).or_else(|| Status::from_header_map(headers));
    match status {
        Some(status) if status.code() == Code::Ok => Ok(()),
        Some(status) => Err(Failure::of_status(&status)),
        None => Err(Failure::of_connection("the stream broke off without a status")),
    }
}

fn read(protocol: Protocol, output: MessageDescriptor, message: &[u8]) -> DynamicMessage {
    match protocol {
        Grpc | GrpcWeb | ConnectProto => {
            DynamicMessage::decode(output, message).expect("a message")
        }
        ConnectJson | Rest | Events => {
            let mut text = serde_json::Deserializer::from_slice(message);
            let read = DynamicMessage::deserialize(output, &mut text);
            read.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(message)))
        }
    }
}

fn parse_json(text: &[u8]) -> Value {
    let parsed = serde_json::from_slice(text);
    parsed.unwrap_or_else(|error| panic!("{error}: {:?}", String::from_utf8_lossy(text)))
}

/// The trailers of gRPC-Web, which are a text frame.
fn parse_trailers(content: &[u8]) -> HeaderMap {
    let text = std::str::from_utf8(content).expect("trailers are text");
    let pairs = text.lines().filter_map(|line| line.split_once(':')).map(|(name, value)| {
        let name = http::HeaderName::try_from(name.trim()).expect("a header's name");
        (name, HeaderValue::try_from(value.trim()).expect("a header's value"))
    });
    pairs.collect()
}

/// The next complete frame, if there is one.
fn unframe(buffer: &mut BytesMut) -> Option<(u8, Bytes)> {
    let (header, rest) = buffer.split_first_chunk::<5>()?;
    let [flags, length @ ..] = *header;
    let length = u32::from_be_bytes(length) as usize;
    if rest.len() < length {
        return None;
    }
    let mut frame = buffer.split_to(5 + length).freeze();
    Some((flags, frame.split_off(5)))
}

/// An element of a stream.
pub enum Piece {
    Message {
        message: Box<DynamicMessage>,
        raw: Bytes,
        id: Option<String>,
    },
    End(Result<(), Failure>),
    /// A comment, or a reconnection delay.
    Nothing,
}

/// The next complete element, if there is one.
pub fn piece(
    protocol: Protocol,
    output: &MessageDescriptor,
    buffer: &mut BytesMut,
) -> Option<Piece> {
    let (raw, id) = match protocol {
        Grpc | GrpcWeb => match unframe(buffer)? {
            (flags, content) if flags & 0x80 != 0 => {
                let trailers = parse_trailers(&content);
                return Some(Piece::End(ended(&HeaderMap::new(), &trailers)));
            }
            (_, content) => (content, None),
        },
        ConnectJson | ConnectProto => match unframe(buffer)? {
            (0, content) => (content, None),
            (_, end) => {
                let end = parse_json(&end);
                let failure = end.get("error").map(Failure::of_connect);
                return Some(Piece::End(failure.map_or(Ok(()), Err)));
            }
        },
        Rest => {
            let end = buffer.iter().position(|byte| *byte == b'\n')?;
            let line = buffer.split_to(end + 1).freeze();
            if let Some(error) = parse_json(&line).get("error") {
                return Some(Piece::End(Err(Failure::of_rest(error))));
            }
            (line, None)
        }
        Events => {
            let end = buffer.windows(2).position(|pair| pair == b"\n\n")?;
            let event = buffer.split_to(end + 2);
            let event = std::str::from_utf8(&event).expect("events are text");
            let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
            let Some(data) = field("data: ") else { return Some(Piece::Nothing) };
            if field("event: ") == Some("end") {
                let failure = parse_json(data.as_bytes()).get("error").map(Failure::of_rest);
                return Some(Piece::End(failure.map_or(Ok(()), Err)));
            }
            (Bytes::copy_from_slice(data.as_bytes()), field("id: ").map(str::to_owned))
        }
    };
    let message = Box::new(read(protocol, output.clone(), &raw));
    Some(Piece::Message { message, raw, id })
}

/// The end of a stream whose body has ended: gRPC reports it in trailers, NDJSON by ending, the
/// other protocols before.
pub fn end_of_body(
    protocol: Protocol,
    headers: &HeaderMap,
    trailers: &HeaderMap,
) -> Result<(), Failure> {
    match protocol {
        Grpc | GrpcWeb => ended(headers, trailers),
        Rest => Ok(()),
        _ => Err(Failure::of_connection("the stream broke off")),
    }
}
