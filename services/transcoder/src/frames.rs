//! The frames of a socket: each is a JSON object with the `id` of a call. Of the subprotocol in
//! JSON, the object has the message too; of the one in protobuf, the message's bytes follow the
//! object after a line feed.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tonic::Status;

use crate::deadline::GRPC_TIMEOUT;
use crate::framing::Encoding;
use crate::refusal::{Reason, Refusal};
use crate::render::Renderer;

/// The longest id of a call.
const ID_BYTES_MAX: usize = 64;

/// The headers that a frame may set. All others are those of the handshake: a proxy that is trusted
/// to write them does not see frames.
const HEADERS: [HeaderName; 3] =
    [header::AUTHORIZATION, header::ACCEPT_LANGUAGE, HeaderName::from_static(GRPC_TIMEOUT)];

/// A frame from the client.
#[derive(Debug)]
pub enum Asked {
    /// The headers of later calls, above all their credentials.
    Headers(BTreeMap<String, String>),
    /// A new call.
    Open { id: String, opening: Opening },
    /// Something about a call that was opened before.
    Further { id: String, further: Further },
}

#[derive(Debug)]
pub struct Opening {
    /// `library.v1.Library.GetBook`, or with a slash before the method.
    pub method: String,
    pub headers: BTreeMap<String, String>,
    /// The place in the stream after which it goes on.
    pub resume: Option<String>,
    /// How many messages the client takes before it sends `more`; without it, any number.
    pub window: Option<u32>,
    pub message: Option<Bytes>,
}

#[derive(Debug)]
pub struct Further {
    pub message: Option<Bytes>,
    /// How many further messages the client takes.
    pub more: u32,
    /// Whether the client sends no further message.
    pub end: bool,
    pub cancel: bool,
}

#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Head<'f> {
    id: Option<String>,
    method: Option<String>,
    headers: BTreeMap<String, String>,
    resume: Option<String>,
    window: Option<u32>,
    more: u32,
    end: bool,
    cancel: bool,
    #[serde(borrow)]
    message: Option<&'f RawValue>,
}

/// Why a frame cannot be read. It ends the socket, because nobody knows which call it is of.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(String);

impl Asked {
    pub fn read(encoding: Encoding, frame: &Bytes) -> Result<Self, Unreadable> {
        let (head, bytes) = match encoding {
            Encoding::Json => (&frame[..], None),
            Encoding::Proto => match frame.iter().position(|&byte| byte == b'\n') {
                Some(at) => (&frame[..at], Some(frame.slice(at + 1..))),
                None => (&frame[..], None),
            },
        };
        let head: Head<'_> =
            serde_json::from_slice(head).map_err(|error| Unreadable(error.to_string()))?;
        let wrong = |why: &str| Err(Unreadable(why.to_owned()));
        let message = match (encoding, head.message) {
            (Encoding::Proto, Some(_)) => return wrong("a message follows the object"),
            (Encoding::Proto, None) => bytes,
            (Encoding::Json, message) => message.map(|it| frame.slice_ref(it.get().as_bytes())),
        };
        let Head { id, method, headers, resume, window, more, end, cancel, .. } = head;
        let of_opening = resume.is_some() || window.is_some();
        match (id, method) {
            (Some(id), _) if id.is_empty() || id.len() > ID_BYTES_MAX => {
                wrong("an id has 1 to 64 bytes")
            }
            (Some(id), Some(method)) if more == 0 && !end && !cancel => {
                let opening = Opening { method, headers, resume, window, message };
                Ok(Self::Open { id, opening })
            }
            (Some(_), Some(_)) => wrong("a frame that opens a call does nothing else"),
            (Some(id), None) if headers.is_empty() && !of_opening => {
                Ok(Self::Further { id, further: Further { message, more, end, cancel } })
            }
            (None, None) if message.is_none() && !of_opening && more == 0 && !end && !cancel => {
                Ok(Self::Headers(headers))
            }
            _ => wrong("a frame opens a call, or is of a call that was opened"),
        }
    }
}

/// Sets the headers that frames may set.
pub fn set_headers(
    headers: &mut HeaderMap,
    given: &BTreeMap<String, String>,
) -> Result<(), Refusal> {
    for (name, text) in given {
        let malformed = || {
            let names = HEADERS.map(|name| name.to_string()).join(", ");
            let message = format!("frames set no other headers than {names}, to a text");
            Reason::MalformedHeader.refusal(message, [("header", name.clone())])
        };
        let known = HEADERS.into_iter().find(|it| name.eq_ignore_ascii_case(it.as_str()));
        let known = known.ok_or_else(malformed)?;
        let mut value = HeaderValue::try_from(text.as_str()).map_err(|_| malformed())?;
        value.set_sensitive(known == header::AUTHORIZATION);
        headers.insert(known, value);
    }
    Ok(())
}

/// A message of a call. `resume` is the place in the stream after it.
pub fn message(encoding: Encoding, id: &str, resume: Option<&str>, message: &[u8]) -> Message {
    let mut head = json!({ "id": id });
    if let Some(resume) = resume {
        head["resume"] = resume.into();
    }
    let mut bytes = head.to_string().into_bytes();
    match encoding {
        Encoding::Json => {
            bytes.pop();
            bytes.extend_from_slice(b",\"message\":");
            bytes.extend_from_slice(message);
            bytes.push(b'}');
            text(bytes)
        }
        Encoding::Proto => {
            bytes.push(b'\n');
            bytes.extend_from_slice(message);
            Message::Binary(bytes.into())
        }
    }
}

/// The end of a call: `{"id": …, "end": true}`, or with the `error` as REST has it in JSON, and
/// Connect in protobuf.
pub fn end(encoding: Encoding, renderer: &Renderer, id: &str, end: &Result<(), Status>) -> Message {
    let mut head = json!({ "id": id, "end": true });
    if let Err(status) = end {
        head["error"] = match encoding {
            Encoding::Json => renderer.rest(status)["error"].take(),
            Encoding::Proto => renderer.connect(status),
        };
    }
    object(encoding, &head)
}

/// Says that the service has accepted a stream, which may be silent for long.
pub fn accepted(encoding: Encoding, id: &str) -> Message {
    object(encoding, &json!({ "id": id, "open": true }))
}

/// Lets the client send further messages of a call.
pub fn more(encoding: Encoding, id: &str, count: usize) -> Message {
    object(encoding, &json!({ "id": id, "more": count }))
}

fn object(encoding: Encoding, head: &Value) -> Message {
    match encoding {
        Encoding::Json => text(head.to_string().into_bytes()),
        Encoding::Proto => Message::Binary(head.to_string().into_bytes().into()),
    }
}

fn text(bytes: Vec<u8>) -> Message {
    Message::Text(Utf8Bytes::try_from(Bytes::from(bytes)).expect("JSON is UTF-8"))
}
