//! A client of the WebSocket, written from its documentation without the service's code.

use std::collections::{HashMap, VecDeque};

use bytes::Bytes;
use futures::{SinkExt, StreamExt};
use http::{HeaderValue, Request};
use prost::Message as _;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

use super::{Failure, PATIENCE, Rpc, method};

/// The two subprotocols.
pub const OF_JSON: &str = "croupier.v1.json";
pub const OF_PROTO: &str = "croupier.v1.proto";

/// An open socket.
pub struct Socket {
    frames: WebSocketStream<TcpStream>,
    is_binary: bool,
    /// Frames that were received for other calls than the one that was asked about.
    held: HashMap<String, VecDeque<Frame>>,
    /// How the service closed the socket, if it has.
    closed: Option<Option<CloseFrame>>,
    ids: u32,
}

/// A frame from the service.
#[derive(Clone, Debug)]
pub struct Frame {
    pub head: Value,
    message: Option<Bytes>,
}

/// An open call.
#[derive(Clone, Debug)]
pub struct Call {
    pub id: String,
    output: MessageDescriptor,
}

/// How a call goes on.
#[derive(Debug)]
pub enum Told<T> {
    Message { message: T, resume: Option<String> },
    Open,
    More(u64),
    End(Result<(), Failure>),
}

impl Socket {
    /// Opens a socket with these headers of its handshake.
    pub async fn open(port: u16, headers: &[(&'static str, &str)]) -> Result<Socket, Failure> {
        Socket::open_at(port, "/v1/socket", headers).await
    }

    pub async fn open_at(
        port: u16,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Socket, Failure> {
        let host = format!("127.0.0.1:{port}");
        let request = Request::get(format!("ws://{host}{path}")).header("host", &host);
        let request = request.header("connection", "Upgrade").header("upgrade", "websocket");
        let request = request.header("sec-websocket-version", "13");
        let mut request =
            request.header("sec-websocket-key", generate_key()).body(()).expect("a request");
        for (name, value) in headers {
            request.headers_mut().append(*name, HeaderValue::from_str(value).expect("a value"));
        }
        let tcp = TcpStream::connect(&host).await.map_err(Failure::of_connection)?;
        match timeout(PATIENCE, client_async(request, tcp)).await.expect("an answer in time") {
            Ok((frames, response)) => {
                let chosen = response.headers().get("sec-websocket-protocol");
                let is_binary = chosen.is_some_and(|it| it == OF_PROTO);
                let (held, closed) = (HashMap::new(), None);
                Ok(Socket { frames, is_binary, held, closed, ids: 0 })
            }
            Err(Error::Http(response)) => {
                let body = response.body().clone().unwrap_or_default();
                let body: Value = serde_json::from_slice(&body).expect("a refusal in JSON");
                Err(Failure::of_rest(&body["error"]))
            }
            Err(error) => Err(Failure::of_connection(error)),
        }
    }

    /// One with the key or token in the header of the handshake.
    pub async fn holding(port: u16, token: &str) -> Socket {
        let bearer = format!("Bearer {token}");
        Socket::open(port, &[("authorization", &bearer)]).await.expect("it opens")
    }

    /// Sends a frame, with a message if there is one.
    pub async fn send<M: prost::Message>(&mut self, mut head: Value, message: Option<&M>) {
        let bytes = message.map(prost::Message::encode_to_vec);
        let frame = if self.is_binary {
            let mut frame = head.to_string().into_bytes();
            if let Some(bytes) = bytes {
                frame.push(b'\n');
                frame.extend(bytes);
            }
            Message::binary(frame)
        } else {
            if let Some(bytes) = bytes {
                let name = head["method"].as_str().unwrap_or(PLAY).to_owned();
                let message = DynamicMessage::decode(method(&name).input(), &bytes[..]);
                let message = message.expect("a request of this rpc");
                head["message"] = serde_json::to_value(&message).expect("JSON");
            }
            Message::text(head.to_string())
        };
        self.send_raw(frame).await;
    }

    pub async fn send_raw(&mut self, frame: Message) {
        let sent = timeout(PATIENCE, self.frames.send(frame)).await.expect("it is taken in time");
        sent.expect("the socket is open");
    }

    /// Opens a call with its request, and what else the frame has.
    pub async fn call<R: Rpc>(&mut self, request: &R, with: Value) -> Call {
        let method = R::method();
        self.ids += 1;
        let call = Call { id: format!("call-{}", self.ids), output: method.output() };
        let mut head = json!({ "id": call.id, "method": method.full_name() });
        for (name, value) in with.as_object().expect("fields") {
            head[name] = value.clone();
        }
        self.send(head, Some(request)).await;
        call
    }

    /// Opens a stream of actions.
    pub async fn play(&mut self) -> Call {
        self.ids += 1;
        let call = Call { id: format!("call-{}", self.ids), output: method(PLAY).output() };
        let head = json!({ "id": call.id, "method": PLAY });
        self.send::<()>(head, None).await;
        call
    }

    /// Calls a unary method.
    pub async fn ask<R: Rpc>(&mut self, request: &R) -> Result<R::Answer, Failure> {
        let call = self.call(request, json!({})).await;
        let answer = self.message(&call).await?.0;
        match self.next::<()>(&call).await {
            Told::End(end) => end.map(|()| answer),
            other => panic!("{other:?}"),
        }
    }

    /// The next message of a call and the place in its stream; fails with its end.
    pub async fn message<T: prost::Message + Default>(
        &mut self,
        call: &Call,
    ) -> Result<(T, Option<String>), Failure> {
        loop {
            match self.next(call).await {
                Told::Message { message, resume } => return Ok((message, resume)),
                Told::Open | Told::More(_) => {}
                Told::End(end) => return Err(end.expect_err("it does not end before")),
            }
        }
    }

    /// How a call ends; what comes before is skipped.
    pub async fn end(&mut self, call: &Call) -> Result<(), Failure> {
        loop {
            if let Told::End(end) = self.next::<()>(call).await {
                return end;
            }
        }
    }

    pub async fn next<T: prost::Message + Default>(&mut self, call: &Call) -> Told<T> {
        let frame = self.frame_of(&call.id).await;
        let Frame { head, message } = frame;
        if head["end"] == true {
            let refused = head.get("error").map(|error| match self.is_binary {
                true => Failure::of_connect(error),
                false => Failure::of_rest(error),
            });
            return Told::End(refused.map_or(Ok(()), Err));
        }
        if head["open"] == true {
            return Told::Open;
        }
        if let Some(more) = head["more"].as_u64() {
            return Told::More(more);
        }
        let resume = head["resume"].as_str().map(str::to_owned);
        let bytes = match message {
            Some(bytes) => bytes,
            None => {
                let message = DynamicMessage::deserialize(call.output.clone(), &head["message"]);
                message.expect("a message of this call").encode_to_vec().into()
            }
        };
        let message = T::decode(bytes).expect("a message of this call");
        Told::Message { message, resume }
    }

    /// The next frame of a call.
    pub async fn frame_of(&mut self, id: &str) -> Frame {
        loop {
            if let Some(frame) = self.held.get_mut(id).and_then(VecDeque::pop_front) {
                return frame;
            }
            let frame = self.frame().await.unwrap_or_else(|| panic!("closed: {:?}", self.closed));
            let of = frame.head["id"].as_str().expect("an id").to_owned();
            self.held.entry(of).or_default().push_back(frame);
        }
    }

    /// The next frame of any call; none when the socket has ended.
    pub async fn frame(&mut self) -> Option<Frame> {
        loop {
            let next = timeout(PATIENCE, self.frames.next()).await.expect("a frame in time");
            match next {
                Some(Ok(Message::Text(text))) => {
                    let head = serde_json::from_str(&text).expect("JSON");
                    return Some(Frame { head, message: None });
                }
                Some(Ok(Message::Binary(bytes))) => {
                    let at = bytes.iter().position(|&byte| byte == b'\n');
                    let head = &bytes[..at.unwrap_or(bytes.len())];
                    let head = serde_json::from_slice(head).expect("JSON");
                    return Some(Frame { head, message: at.map(|at| bytes.slice(at + 1..)) });
                }
                Some(Ok(Message::Close(close))) => self.closed = Some(close),
                Some(Ok(_)) => {}
                Some(Err(error)) => {
                    self.closed.get_or_insert(None);
                    eprintln!("the socket broke: {error}");
                    return None;
                }
                None => return None,
            }
        }
    }

    /// The code with which the service closes the socket, and its reason.
    pub async fn closed(&mut self) -> (u16, String) {
        while self.frame().await.is_some() {}
        let close = self.closed.take().flatten().expect("it says why");
        (close.code.into(), close.reason.to_string())
    }
}

const PLAY: &str = "croupier.v1.MatchService.Play";
