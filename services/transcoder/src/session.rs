//! An open socket: its calls, side by side, until either side leaves.
//!
//! Memory is bounded: a call has at most one message that waits to be sent, the client at most
//! [`SENT_AHEAD_MAX`] that wait to be received, and no more than [`CALLS_MAX`] calls are open. What
//! the client does not read stops the streams of this socket, and nothing else. A call with a
//! `window` stops by itself, so that it does not hold up its neighbours.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, SplitSink, SplitStream};
use futures::{SinkExt, Stream, StreamExt, stream};
use http::HeaderValue;
use prost::Message as _;
use prost_reflect::DynamicMessage;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{Instant, interval_at, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::call::{self, Grpc, Head};
use crate::codec::too_large;
use crate::contract::Procedure;
use crate::deadline::Arrived;
use crate::frames::{self, Asked, Further, Opening};
use crate::framing::Encoding;
use crate::handover::Io;
use crate::json;
use crate::refusal::{Failure, Reason, Refusal};
use crate::request_id::REQUEST_ID;
use crate::shared::Shared;

/// The calls of a socket that may be open at once.
pub const CALLS_MAX: usize = 32;

/// The messages of a call that the client may send before the service has taken them. The service
/// grants further ones when half of them are taken.
const SENT_AHEAD_MAX: usize = 8;

/// The messages that the client may have granted and not received.
const WINDOW_MAX: usize = 1 << 20;

/// The frames of all calls that wait to be written.
const QUEUE_MAX: usize = 8;

/// What a frame may have besides its message.
const HEAD_BYTES_MAX: usize = 16 * 1024;

const PING_INTERVAL: Duration = Duration::from_secs(30);

/// The longest silence of a client: it answers pings.
const SILENCE_MAX: Duration = Duration::from_secs(75);

/// How long a client may take to read anything.
const WRITE_MAX: Duration = Duration::from_secs(60);

/// How long a socket may stay open without a call.
const IDLE_MAX: Duration = Duration::from_secs(300);

/// How long calls may take to end when the service stops.
const DRAIN_WAIT: Duration = Duration::from_secs(5);

/// How long the end of a socket may take.
const FAREWELL_MAX: Duration = Duration::from_secs(2);

/// A socket after its handshake.
pub struct Session<G> {
    pub shared: Arc<Shared>,
    pub grpc: G,
    /// The headers and extensions of the handshake, which its calls inherit.
    pub head: Head,
    pub encoding: Encoding,
    /// Cancelled when the service stops.
    pub drain: CancellationToken,
}

type Socket = WebSocketStream<Box<dyn Io>>;

/// How a socket ends: with this frame, or without one.
type End = Option<CloseFrame>;

fn close(code: CloseCode, reason: &str) -> End {
    // A frame has room for 123 bytes of it.
    let reason = &reason[..reason.floor_char_boundary(120)];
    Some(CloseFrame { code, reason: reason.to_owned().into() })
}

impl<G: Grpc + Sync> Session<G> {
    /// Answers until either side leaves.
    pub async fn run(self, io: Box<dyn Io>) {
        let message_max = self.shared.options.message_bytes_max + HEAD_BYTES_MAX;
        let config = WebSocketConfig::default()
            .read_buffer_size(4 * 1024)
            .write_buffer_size(4 * 1024)
            .max_message_size(Some(message_max))
            .max_frame_size(Some(message_max));
        let socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
        let (sink, mut source) = socket.split();
        let (out, outgoing) = mpsc::channel(QUEUE_MAX);
        let mut writing = Box::pin(write(sink, outgoing));
        let end = tokio::select! {
            end = self.serve(&mut source, out) => end,
            _lost = &mut writing => return,
        };
        let farewell = async {
            let sink = writing.await?;
            leave(sink.reunite(source).ok()?, end).await
        };
        let _ = timeout(FAREWELL_MAX, farewell).await;
    }

    async fn serve(mut self, source: &mut SplitStream<Socket>, out: mpsc::Sender<Message>) -> End {
        let mut calls = Calls { open: HashMap::new(), running: FuturesUnordered::new(), number: 0 };
        let mut pings = interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
        let (mut heard, mut used) = (Instant::now(), Instant::now());
        let mut until: Option<Instant> = None;
        loop {
            if until.is_some() && calls.running.is_empty() {
                return close(CloseCode::Restart, COME_AGAIN);
            }
            tokio::select! {
                received = source.next(), if calls.running.len() <= CALLS_MAX => {
                    heard = Instant::now();
                    match self.frame(received) {
                        Ok(None) => {}
                        Ok(Some(frame)) => {
                            let asked = match Asked::read(self.encoding, &frame) {
                                Ok(asked) => asked,
                                Err(error) => return close(CloseCode::Invalid, &error.to_string()),
                            };
                            if let Err(end) = self.take(asked, &mut calls, &out) {
                                return end;
                            }
                        }
                        Err(end) => return end,
                    }
                }
                Some(ended) = calls.running.next(), if !calls.running.is_empty() => {
                    if let Some(id) = ended {
                        calls.open.remove(&id);
                    }
                    used = Instant::now();
                }
                _ = pings.tick() => {
                    if heard.elapsed() > SILENCE_MAX {
                        return None;
                    }
                    if calls.running.is_empty() && used.elapsed() > IDLE_MAX {
                        return close(CloseCode::Normal, "no call is open");
                    }
                    // If frames wait already, the client has something to answer to.
                    let _ = out.try_send(Message::Ping(Bytes::new()));
                }
                () = self.drain.cancelled(), if until.is_none() => {
                    until = Some(Instant::now() + DRAIN_WAIT);
                }
                () = at(until), if until.is_some() => {
                    return close(CloseCode::Restart, COME_AGAIN);
                }
            }
        }
    }

    /// The content of a frame with some, or how the socket ends.
    fn frame(&self, received: Option<Result<Message, Error>>) -> Result<Option<Bytes>, End> {
        match received {
            Some(Ok(Message::Text(text))) if self.encoding == Encoding::Json => {
                Ok(Some(text.into()))
            }
            Some(Ok(Message::Binary(bytes))) if self.encoding == Encoding::Proto => Ok(Some(bytes)),
            Some(Ok(Message::Text(_) | Message::Binary(_))) => {
                Err(close(CloseCode::Unsupported, "the subprotocol has frames of the other kind"))
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => Ok(None),
            Some(Err(Error::Capacity(_))) => {
                let bytes_max = self.shared.options.message_bytes_max;
                Err(close(CloseCode::Size, &format!("a message has up to {bytes_max} bytes")))
            }
            Some(Err(Error::Utf8(_))) => Err(close(CloseCode::Invalid, "the text is not UTF-8")),
            Some(Err(Error::Protocol(error))) => {
                Err(close(CloseCode::Protocol, &error.to_string()))
            }
            Some(Ok(Message::Close(_)) | Err(_)) | None => Err(None),
        }
    }

    fn take(
        &mut self,
        asked: Asked,
        calls: &mut Calls,
        out: &mpsc::Sender<Message>,
    ) -> Result<(), End> {
        match asked {
            Asked::Headers(headers) => frames::set_headers(&mut self.head.headers, &headers)
                .map_err(|refusal| close(CloseCode::Invalid, &refusal.message)),
            Asked::Open { id, .. } if calls.open.contains_key(&id) => {
                Err(close(CloseCode::Invalid, "a call with this id is open"))
            }
            Asked::Open { id, opening } => {
                calls.number += 1;
                if let Err(refusal) = self.open(&id, opening, calls, out) {
                    let refused = Err(self.shared.options.domain.refuse(refusal));
                    let end = frames::end(self.encoding, &self.shared.renderer, &id, &refused);
                    let out = out.clone();
                    // The frames of open calls have their turn before it, so they must go on.
                    calls.running.push(Box::pin(async move {
                        let _ = out.send(end).await;
                        None
                    }));
                }
                Ok(())
            }
            Asked::Further { id, further } => {
                // A call that has ended since is no mistake of the client.
                if let Some(call) = calls.open.get_mut(&id) {
                    let options = &self.shared.options;
                    if let Err(refusal) =
                        call.take(further, self.encoding, options.message_bytes_max)
                    {
                        call.stop(options.domain.refuse(refusal));
                    }
                }
                Ok(())
            }
        }
    }

    fn open(
        &self,
        id: &str,
        opening: Opening,
        calls: &mut Calls,
        out: &mpsc::Sender<Message>,
    ) -> Result<(), Refusal> {
        if calls.open.len() >= CALLS_MAX {
            let calls_max = CALLS_MAX.to_string();
            let message = format!("a socket has up to {calls_max} open calls");
            return Err(Reason::TooManyCalls.refusal(message, [("calls_max", calls_max)]));
        }
        let procedure = self.shared.contract.named(&opening.method)?;
        let bytes_max = self.shared.options.message_bytes_max;
        let first = match opening.message {
            Some(message) if message.len() > bytes_max => return Err(too_large(bytes_max)),
            None if procedure.client_streaming => None,
            message => {
                let message = message.unwrap_or_default();
                Some(first_message(procedure, self.encoding, message, opening.resume.as_deref())?)
            }
        };
        let mut head = self.head.clone();
        frames::set_headers(&mut head.headers, &opening.headers)?;
        head.extensions.insert(Arrived(Instant::now()));
        name_call(&mut head, calls.number);

        let (stop, stopped) = oneshot::channel();
        let window = opening.window.map(|window| Semaphore::new((window as usize).min(WINDOW_MAX)));
        let window = window.map(Arc::new);
        let (further, messages) = mpsc::channel(SENT_AHEAD_MAX);
        let open = Open {
            procedure: procedure.clone(),
            messages: procedure.client_streaming.then_some(further),
            window: window.clone(),
            stop: Some(stop),
        };
        let id: Arc<str> = id.into();
        let grants = Grants { id: id.clone(), encoding: self.encoding, out: out.downgrade() };
        let call = Call {
            shared: self.shared.clone(),
            procedure: procedure.clone(),
            encoding: self.encoding,
            id: id.clone(),
            window,
            out: out.clone(),
        };
        let messages = stream::iter(first).chain(grants.granting(messages));
        let running = call.run(self.grpc.clone(), head, messages, stopped);
        calls.open.insert(id.to_string(), open);
        calls.running.push(Box::pin(running));
        Ok(())
    }
}

const COME_AGAIN: &str = "the service stops: come again";

async fn at(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until).await,
        None => std::future::pending().await,
    }
}

/// Writes the frames, and returns the sink after the last one; `None` if the client is gone.
async fn write(
    mut sink: SplitSink<Socket, Message>,
    mut outgoing: mpsc::Receiver<Message>,
) -> Option<SplitSink<Socket, Message>> {
    while let Some(frame) = outgoing.recv().await {
        timeout(WRITE_MAX, sink.feed(frame)).await.ok()?.ok()?;
        if outgoing.is_empty() {
            timeout(WRITE_MAX, sink.flush()).await.ok()?.ok()?;
        }
    }
    Some(sink)
}

/// Ends the socket so that the client gets to know why: if unread bytes were left, the system would
/// reset the connection, and drop the frame that says it.
async fn leave(mut socket: Socket, end: End) -> Option<()> {
    match end {
        Some(frame) => socket.send(Message::Close(Some(frame))).await.ok()?,
        None => socket.flush().await.ok()?,
    }
    socket.get_mut().shutdown().await.ok()?;
    let mut discarded = [0; 1024];
    while socket.get_mut().read(&mut discarded).await.ok()? > 0 {}
    Some(())
}

/// The first message of a call, as protobuf.
fn first_message(
    procedure: &Procedure,
    encoding: Encoding,
    message: Bytes,
    resume: Option<&str>,
) -> Result<Bytes, Refusal> {
    let Some(resume) = resume else { return encoding.read(&procedure.input, message) };
    let malformed = |why| Reason::MalformedMessage.refusal(why, []);
    let Some(resumption) = &procedure.resumption else {
        return Err(malformed("this method has no places to resume after"));
    };
    let mut message = match encoding {
        Encoding::Json => json::read(&procedure.input, &message)?,
        Encoding::Proto => DynamicMessage::decode(procedure.input.clone(), message)
            .map_err(|_| malformed("the bytes are not a message of this method"))?,
    };
    let wrong = |_| malformed("`resume` is not the place of a message of this stream");
    resumption.start_after(&mut message, resume).map_err(wrong)?;
    Ok(message.encode_to_vec().into())
}

/// Gives a call the request id of its socket, with its number.
fn name_call(head: &mut Head, number: u64) {
    let of_socket = head.headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let id = of_socket.and_then(|id| HeaderValue::try_from(format!("{id}.{number}")).ok());
    if let Some(id) = id {
        head.headers.insert(REQUEST_ID, id);
    }
}

/// The open calls of a socket.
struct Calls {
    open: HashMap<String, Open>,
    /// Open calls, each of which returns its id when it has ended, and refusals to be written. No
    /// frame is read while there are more than [`CALLS_MAX`].
    running: FuturesUnordered<BoxFuture<'static, Option<String>>>,
    /// How many calls were opened.
    number: u64,
}

/// What the client can still do about a call.
struct Open {
    procedure: Arc<Procedure>,
    /// `None` once the client sends no further messages.
    messages: Option<mpsc::Sender<Bytes>>,
    window: Option<Arc<Semaphore>>,
    stop: Option<oneshot::Sender<Status>>,
}

impl Open {
    fn take(
        &mut self,
        further: Further,
        encoding: Encoding,
        bytes_max: usize,
    ) -> Result<(), Refusal> {
        if further.cancel {
            self.stop(Status::cancelled("the client has cancelled the call"));
            return Ok(());
        }
        if let Some(window) = &self.window {
            let room = WINDOW_MAX.saturating_sub(window.available_permits());
            window.add_permits(room.min(further.more as usize));
        }
        if let Some(message) = further.message {
            if message.len() > bytes_max {
                return Err(too_large(bytes_max));
            }
            let message = encoding.read(&self.procedure.input, message)?;
            let malformed = |why| Reason::MalformedMessage.refusal(why, []);
            let messages = self.messages.as_ref();
            let messages =
                messages.ok_or_else(|| malformed("the call takes no further message"))?;
            // A service that takes no more is about to end the call.
            if let Err(mpsc::error::TrySendError::Full(_)) = messages.try_send(message) {
                return Err(malformed("there are more messages than the service has granted"));
            }
        }
        if further.end {
            self.messages = None;
        }
        Ok(())
    }

    fn stop(&mut self, status: Status) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(status);
        }
    }
}

/// Lets the client send further messages as the service takes them.
struct Grants {
    id: Arc<str>,
    encoding: Encoding,
    /// Weak, because the service may read on when the socket has gone.
    out: mpsc::WeakSender<Message>,
}

impl Grants {
    fn granting(self, messages: mpsc::Receiver<Bytes>) -> impl Stream<Item = Bytes> + Send {
        stream::unfold((self, messages, 0), async |(grants, mut messages, taken)| {
            let message = messages.recv().await?;
            let mut taken = taken + 1;
            if taken == SENT_AHEAD_MAX / 2 {
                if let Some(out) = grants.out.upgrade() {
                    let _ = out.send(frames::more(grants.encoding, &grants.id, taken)).await;
                }
                taken = 0;
            }
            Some((message, (grants, messages, taken)))
        })
    }
}

/// A call, on the service's side.
struct Call {
    shared: Arc<Shared>,
    procedure: Arc<Procedure>,
    encoding: Encoding,
    id: Arc<str>,
    window: Option<Arc<Semaphore>>,
    out: mpsc::Sender<Message>,
}

impl Call {
    async fn run(
        self,
        grpc: impl Grpc,
        head: Head,
        messages: impl Stream<Item = Bytes> + Send + 'static,
        stopped: oneshot::Receiver<Status>,
    ) -> Option<String> {
        let ended = tokio::select! {
            Ok(status) = stopped => Err(status),
            ended = self.answer(grpc, head, messages) => {
                ended.map_err(|failure| failure.status(self.shared.options.domain))
            }
        };
        let end = frames::end(self.encoding, &self.shared.renderer, &self.id, &ended);
        let _ = self.out.send(end).await;
        Some(self.id.to_string())
    }

    async fn answer(
        &self,
        grpc: impl Grpc,
        head: Head,
        messages: impl Stream<Item = Bytes> + Send + 'static,
    ) -> Result<(), Failure> {
        let mut answers = call::open(grpc, &self.procedure, head, messages).await?.into_inner();
        if self.procedure.server_streaming {
            let _ = self.out.send(frames::accepted(self.encoding, &self.id)).await;
        }
        while let Some(message) = answers.message().await? {
            let frame = self.framed(message)?;
            if let Some(window) = &self.window {
                window.acquire().await.expect("it is not closed").forget();
            }
            if self.out.send(frame).await.is_err() {
                break;
            }
        }
        Ok(())
    }

    fn framed(&self, message: Bytes) -> Result<Message, Refusal> {
        let (resumption, output) = (self.procedure.resumption.as_ref(), &self.procedure.output);
        if resumption.is_none() && self.encoding == Encoding::Proto {
            return Ok(frames::message(self.encoding, &self.id, None, &message));
        }
        let decoded = DynamicMessage::decode(output.clone(), message.clone())
            .map_err(|error| json::inexpressible(&error))?;
        let resume = resumption.and_then(|it| it.id_of(&decoded));
        let mut text = Vec::new();
        let message = match self.encoding {
            Encoding::Proto => &message[..],
            Encoding::Json => {
                json::write(&decoded, &mut text)?;
                &text
            }
        };
        Ok(frames::message(self.encoding, &self.id, resume.as_deref(), message))
    }
}
