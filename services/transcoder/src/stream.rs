//! Streamed answers: server-sent events, lines of JSON, Connect envelopes. Each message is sent as
//! soon as the service sends it.
//!
//! *Server-sent events.* Each message is an unnamed event (`onmessage`) with its JSON as `data:`
//! and, if the stream can be resumed, an `id:`. The server ends the stream with an event named
//! `end`: `{}` on success, `{"error": …}` otherwise. A client closes its `EventSource` on `end`,
//! unless the error may be retried. If the connection breaks without `end`, `EventSource` itself
//! reconnects and resumes after the last `id:`. (No event is named `error`: a browser could not
//! tell it from a broken connection.) Comments keep a silent stream alive.
//!
//! *Lines (NDJSON).* Each line is a message. A stream that fails has `{"error": …}` as its last
//! line.
//!
//! *Connect.* Envelopes; the last one holds the result of the stream.

use std::sync::Arc;

use bytes::Bytes;
use futures::stream;
use http::{HeaderValue, Response, StatusCode};
use http_body::Frame;
use http_body_util::StreamBody;
use prost_reflect::DynamicMessage;
use tonic::body::Body;
use tonic::metadata::MetadataMap;
use tonic::{Status, Streaming};

use crate::contract::Procedure;
use crate::framing::{self, Framing};
use crate::refusal::Refusal;
use crate::render::retry_after_seconds;
use crate::shared::Shared;
use crate::{answer, json};

/// How long a browser waits before it reconnects, unless an error names another delay.
const RECONNECT_MS: u32 = 1000;

/// The HTTP response that carries the stream. When the client disconnects, the stream is dropped.
pub fn response(
    shared: Arc<Shared>,
    procedure: Arc<Procedure>,
    framing: Framing,
    response: tonic::Response<Streaming<Bytes>>,
) -> Response<Body> {
    let (metadata, messages, _) = response.into_parts();
    let mut headers = answer::response_headers(metadata);
    // Otherwise buffering proxies would hold events back.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    let state = State::Opening(Box::new(Outgoing { shared, procedure, framing, messages }));
    let chunks = stream::unfold(state, async |state| {
        state.next().await.map(|(chunk, state)| (Ok::<_, Status>(Frame::data(chunk)), state))
    });
    let body = Body::new(StreamBody::new(chunks));
    answer::streamed(StatusCode::OK, framing.content_type(), headers, body)
}

enum State {
    Opening(Box<Outgoing>),
    Running(Box<Outgoing>),
    Ended,
}

struct Outgoing {
    shared: Arc<Shared>,
    procedure: Arc<Procedure>,
    framing: Framing,
    messages: Streaming<Bytes>,
}

impl State {
    async fn next(self) -> Option<(Bytes, Self)> {
        match self {
            Self::Opening(outgoing) => match outgoing.framing {
                Framing::Events => {
                    Some((format!("retry: {RECONNECT_MS}\n\n").into(), Self::Running(outgoing)))
                }
                Framing::Lines | Framing::Envelopes(_) => outgoing.next().await,
            },
            Self::Running(outgoing) => outgoing.next().await,
            Self::Ended => None,
        }
    }
}

impl Outgoing {
    async fn next(mut self: Box<Self>) -> Option<(Bytes, State)> {
        let message = match self.framing {
            Framing::Events => {
                match tokio::time::timeout(self.shared.options.heartbeat, self.messages.message())
                    .await
                {
                    Ok(message) => message,
                    Err(_silence) => {
                        return Some((Bytes::from_static(b":\n\n"), State::Running(self)));
                    }
                }
            }
            Framing::Lines | Framing::Envelopes(_) => self.messages.message().await,
        };
        let end = match message {
            Ok(Some(message)) => match self.framed(message) {
                Ok(chunk) => return Some((chunk, State::Running(self))),
                Err(refusal) => Err(self.shared.options.domain.refuse(refusal)),
            },
            Ok(None) => Ok(self.messages.trailers().await.ok().flatten().unwrap_or_default()),
            Err(status) => Err(status),
        };
        self.ended(end).map(|chunk| (chunk, State::Ended))
    }

    fn framed(&self, message: Bytes) -> Result<Bytes, Refusal> {
        match self.framing {
            Framing::Events => self.event(message),
            Framing::Lines => {
                let mut line = Vec::new();
                json::write_encoded(&self.procedure.output, message, &mut line)?;
                line.push(b'\n');
                Ok(line.into())
            }
            Framing::Envelopes(encoding) => {
                let message = encoding.write(&self.procedure.output, message)?;
                Ok(framing::envelope(framing::MESSAGE, &message))
            }
        }
    }

    fn event(&self, message: Bytes) -> Result<Bytes, Refusal> {
        let message = DynamicMessage::decode(self.procedure.output.clone(), message)
            .map_err(|error| json::inexpressible(&error))?;
        let resumption = self.procedure.resumption.as_ref();
        let id = resumption.and_then(|resumption| resumption.id_of(&message));
        let mut event = Vec::new();
        if let Some(id) = id.filter(|id| !id.contains(['\n', '\r', '\0'])) {
            event.extend_from_slice(format!("id: {id}\n").as_bytes());
        }
        event.extend_from_slice(b"data: ");
        json::write(&message, &mut event)?;
        event.extend_from_slice(b"\n\n");
        Ok(event.into())
    }

    fn ended(&self, end: Result<MetadataMap, Status>) -> Option<Bytes> {
        let renderer = &self.shared.renderer;
        match (self.framing, end) {
            (Framing::Events, Ok(_)) => Some(Bytes::from_static(b"event: end\ndata: {}\n\n")),
            (Framing::Events, Err(status)) => {
                let retry = retry_after_seconds(&status)
                    .map(|seconds| format!("retry: {}\n", seconds * 1000))
                    .unwrap_or_default();
                Some(format!("event: end\n{retry}data: {}\n\n", renderer.rest(&status)).into())
            }
            (Framing::Lines, Ok(_)) => None,
            (Framing::Lines, Err(status)) => Some(format!("{}\n", renderer.rest(&status)).into()),
            (Framing::Envelopes(_), end) => Some(framing::end_of_stream(renderer, end)),
        }
    }
}
