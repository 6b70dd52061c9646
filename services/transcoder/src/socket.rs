//! One WebSocket for any calls: streams, streams of requests, and unary calls, several at once.
//!
//! A client opens a socket by HTTP/1.1, in one of two subprotocols: JSON text, or protobuf in
//! binary frames. Its credentials are a header of the handshake, a further subprotocol
//! `bearer.{token}` where a browser can set no header, a frame, or headers of a single call; never
//! a part of the address, which logs keep.

use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;

use crate::answer::header_text;
use crate::call::{Grpc, Head};
use crate::framing::Encoding;
use crate::handover::ConnectionInfo;
use crate::refusal::{Reason, Refusal};
use crate::session::Session;
use crate::shared::Shared;

/// The sockets of a server. Cheap to clone.
#[derive(Clone)]
pub struct Sockets {
    path: &'static str,
    protocol: &'static str,
    drain: CancellationToken,
    /// Held by each socket while it is open.
    open: mpsc::Sender<()>,
}

/// Waits for the end of all sockets.
pub struct LastSocket(mpsc::Receiver<()>);

impl LastSocket {
    /// Returns when no socket is open, and none can be opened.
    pub async fn gone(mut self) {
        let _never = self.0.recv().await;
    }
}

impl Sockets {
    /// Sockets at this path. `protocol` begins the names of their subprotocols, as in
    /// `library.v1.json` and `library.v1.proto`. They end when `drain` is cancelled.
    pub fn new(
        path: &'static str,
        protocol: &'static str,
        drain: CancellationToken,
    ) -> (Self, LastSocket) {
        let (open, last) = mpsc::channel(1);
        (Self { path, protocol, drain, open }, LastSocket(last))
    }

    pub(crate) fn path(&self) -> &'static str {
        self.path
    }

    /// Answers a handshake, and serves the socket after it.
    pub(crate) fn answer(
        &self,
        shared: &Arc<Shared>,
        grpc: impl Grpc + Sync,
        request: Request<Body>,
    ) -> Response<Body> {
        match self.open(shared, grpc, request) {
            Ok(response) => response,
            Err(refusal) => {
                let status = shared.options.domain.refuse(refusal);
                shared.renderer.response(&status, &shared.renderer.rest(&status))
            }
        }
    }

    fn open(
        &self,
        shared: &Arc<Shared>,
        grpc: impl Grpc + Sync,
        request: Request<Body>,
    ) -> Result<Response<Body>, Refusal> {
        let (parts, _) = request.into_parts();
        if parts.method != Method::GET {
            let allow = [("allow", "GET".to_owned())];
            return Err(Reason::WrongMethod.refusal("this path takes GET", allow));
        }
        let mut head = Head { headers: parts.headers, extensions: parts.extensions };
        let accept = accept_key(&head.headers)?;
        check_origin(&shared.options.origins, &head.headers)?;
        let (encoding, chosen) = self.subprotocol(&mut head.headers)?;
        let connection = head.extensions.remove::<ConnectionInfo>();
        let connection = connection.ok_or_else(|| malformed(header::UPGRADE, BY_HTTP_1))?;
        let claimed = connection.claim();
        head.extensions.insert(connection);
        OF_HANDSHAKE.iter().for_each(|name| drop(head.headers.remove(name)));

        let (drain, open) = (self.drain.clone(), self.open.clone());
        let session = Session { shared: shared.clone(), grpc, head, encoding, drain };
        #[expect(clippy::disallowed_methods, reason = "it ends with the socket")]
        tokio::spawn(async move {
            if let Ok(io) = claimed.await {
                session.run(io).await;
            }
            drop(open);
        });

        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = response.headers_mut();
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
        if let Some(chosen) = chosen {
            headers.insert(header::SEC_WEBSOCKET_PROTOCOL, chosen);
        }
        Ok(response)
    }

    /// The encoding that the client asks for, and the subprotocol's name if it names any. Moves a
    /// token among the subprotocols to the headers of calls.
    fn subprotocol(
        &self,
        headers: &mut HeaderMap,
    ) -> Result<(Encoding, Option<HeaderValue>), Refusal> {
        let mut chosen = None;
        let mut bearer = None;
        let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL);
        let is_plain = offered.iter().next().is_none();
        for offer in offered.iter().filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(',')) {
            let offer = offer.trim();
            let encoding = match offer.strip_prefix(self.protocol) {
                Some(".json") => Some(Encoding::Json),
                Some(".proto") => Some(Encoding::Proto),
                _ => None,
            };
            if let Some(encoding) = encoding.filter(|_| chosen.is_none()) {
                chosen = HeaderValue::try_from(offer).ok().map(|name| (encoding, name));
            }
            if let Some(token) = offer.strip_prefix(TOKEN_PREFIX) {
                bearer = HeaderValue::try_from(format!("Bearer {token}")).ok();
            }
        }
        if let Some(mut bearer) = bearer
            && !headers.contains_key(header::AUTHORIZATION)
        {
            bearer.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, bearer);
        }
        match chosen {
            Some((encoding, name)) => Ok((encoding, Some(name))),
            None if is_plain => Ok((Encoding::Json, None)),
            None => {
                let protocol = self.protocol;
                let message =
                    format!("ask for the subprotocol {protocol}.json or {protocol}.proto");
                Err(malformed(header::SEC_WEBSOCKET_PROTOCOL, message))
            }
        }
    }
}

/// Begins a subprotocol that holds a token, because a browser can set no header.
const TOKEN_PREFIX: &str = "bearer.";

/// Headers of the handshake that mean nothing to calls.
const OF_HANDSHAKE: [HeaderName; 5] = [
    header::ORIGIN,
    header::SEC_WEBSOCKET_EXTENSIONS,
    header::SEC_WEBSOCKET_KEY,
    header::SEC_WEBSOCKET_PROTOCOL,
    header::SEC_WEBSOCKET_VERSION,
];

const BY_HTTP_1: &str = "this path takes WebSockets: send `Connection: upgrade` and `Upgrade: \
                         websocket` by HTTP/1.1, and let proxies pass them on";

fn malformed(name: HeaderName, message: impl Into<String>) -> Refusal {
    Reason::MalformedHeader.refusal(message, [("header", name.to_string())])
}

/// The answer to the key of a handshake.
fn accept_key(headers: &HeaderMap) -> Result<HeaderValue, Refusal> {
    let has = |name: HeaderName, wanted: &str| {
        let values = headers.get_all(name).iter().filter_map(|it| it.to_str().ok());
        values.flat_map(|it| it.split(',')).any(|it| it.trim().eq_ignore_ascii_case(wanted))
    };
    if !has(header::CONNECTION, "upgrade") || !has(header::UPGRADE, "websocket") {
        return Err(malformed(header::UPGRADE, BY_HTTP_1));
    }
    if header_text(headers, header::SEC_WEBSOCKET_VERSION.as_str()) != Some("13") {
        return Err(malformed(header::SEC_WEBSOCKET_VERSION, "the version is 13"));
    }
    let key = headers.get(header::SEC_WEBSOCKET_KEY);
    let key = key.ok_or_else(|| malformed(header::SEC_WEBSOCKET_KEY, "the key is missing"))?;
    let accept = derive_accept_key(key.as_bytes());
    Ok(HeaderValue::try_from(accept).expect("base64 is a header value"))
}

/// Refuses pages that may not call. Browsers ask no leave before they open a socket, as they do
/// before other calls; a page of the service itself may always.
fn check_origin(allowed: &[String], headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
    let own = headers.get(header::HOST).map(HeaderValue::as_bytes);
    let of_own = || origin.to_str().ok()?.split_once("://").map(|(_, host)| host.as_bytes());
    let is_allowed = allowed.iter().any(|it| it == "*" || it.as_bytes() == origin.as_bytes());
    if is_allowed || own.is_some() && of_own() == own {
        return Ok(());
    }
    Err(Reason::OriginRefused.refusal("pages of this origin may not open a socket", []))
}
