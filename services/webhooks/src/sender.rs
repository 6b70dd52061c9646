//! Attempts: one request, one outcome, within bounds.

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER, USER_AGENT};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use standardwebhooks::{HEADER_WEBHOOK_ID, HEADER_WEBHOOK_SIGNATURE, HEADER_WEBHOOK_TIMESTAMP};
use tokio::time::{Instant, timeout_at};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::connector::{ConnectError, Connector};
use crate::{Endpoint, EndpointError, Secret, SenderKey};

/// The maximum number of bytes of an answer that are read: enough for an error message.
const ANSWER_BYTES_MAX: usize = 4096;

/// The maximum number of bytes of an answer that are kept.
const KEPT_BYTES_MAX: usize = 1024;

/// The timeout for the rest of an answer once its status is known. The rest decides nothing, but a
/// connection can be reused if its answer was read to the end.
const REST_WAIT: Duration = Duration::from_secs(2);

/// How long an unused connection is kept. The next connection checks the addresses again.
const IDLE_WAIT: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
pub struct Options {
    /// Whether endpoints may be inside the service's network and without TLS.
    pub allow_private: bool,
    /// The longest duration of resolving a name and connecting.
    pub connect_wait: Duration,
    /// The longest duration of an attempt.
    pub answer_wait: Duration,
    /// The maximum number of unused connections kept per endpoint.
    pub idle_max: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            allow_private: false,
            connect_wait: Duration::from_secs(5),
            answer_wait: Duration::from_secs(15),
            idle_max: 8,
        }
    }
}

/// A message: its id is the same in every attempt.
#[derive(Clone, Debug)]
pub struct Message {
    pub id: String,
    /// JSON.
    pub body: Bytes,
}

/// A message to a browser: RFC 8030.
#[derive(Clone, Debug)]
pub struct PushMessage {
    /// Encrypted by [`BrowserKeys::encrypt`](crate::BrowserKeys::encrypt).
    pub body: Bytes,
    /// It replaces a message of the same topic that the browser has not taken yet: up to 32
    /// characters of URL base64.
    pub topic: String,
    /// How long the push service keeps it for a browser that is away.
    pub lifetime: Duration,
}

/// The outcome of an attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub time: SystemTime,
    pub duration: Duration,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// `None` if the endpoint accepted the message, by any status from 200 to 299.
    pub failure: Option<Failure>,
    /// The beginning of the answer, as text.
    pub answer: String,
    /// How long the endpoint asks the sender to wait, because it is busy or unavailable.
    pub retry_after: Option<Duration>,
}

impl Attempt {
    /// Whether the endpoint declares (410 Gone) that it will never accept messages again.
    pub fn is_gone(&self) -> bool {
        self.status == Some(StatusCode::GONE.as_u16())
    }

    /// Whether a push service declares that the browser's subscription has ended. Most of them say
    /// 410, some 404.
    pub fn is_unsubscribed(&self) -> bool {
        self.is_gone() || self.status == Some(StatusCode::NOT_FOUND.as_u16())
    }
}

/// The answer of an endpoint.
struct Answer {
    status: StatusCode,
    beginning: String,
    retry_after: Option<Duration>,
}

/// Why a message was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The name cannot be resolved, leads to an address that may not be called, or nothing accepts
    /// a connection there. Which of them, and how fast it failed, would tell a platform about the
    /// operator's network, so only the log has the reason.
    #[error("the endpoint could not be reached")]
    Unreachable { reason: String },
    #[error("no secure connection: {0}")]
    NotSecure(String),
    #[error("no answer within {} seconds", .0.as_secs())]
    TooSlow(Duration),
    #[error("the answer is not HTTP, or broke off: {0}")]
    Broken(String),
    #[error("the answer was a redirect, which is not followed: {0}")]
    Redirect(u16),
    #[error("the answer was {0}")]
    Status(u16),
}

type Client = legacy::Client<HttpsConnector<Connector>, Full<Bytes>>;

/// Sends messages. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Sender {
    client: Client,
    options: Arc<Options>,
}

impl Sender {
    pub fn new(options: Options) -> Sender {
        let connector =
            Connector { allow_private: options.allow_private, wait: options.connect_wait };
        let tls = ClientConfig::builder().with_root_certificates(roots()).with_no_client_auth();
        let tls = HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1();
        let client = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_WAIT)
            .pool_max_idle_per_host(options.idle_max)
            .build(tls.wrap_connector(connector));
        Sender { client, options: Arc::new(options) }
    }

    /// An endpoint, checked without network access.
    pub fn endpoint(&self, url: &str) -> Result<Endpoint, EndpointError> {
        Endpoint::parse(url, self.options.allow_private)
    }

    /// Sends a message once, signed with each of the secrets. `time` is the current time, which
    /// endpoints compare with their own.
    pub async fn send(
        &self,
        url: &str,
        message: &Message,
        secrets: &[Secret],
        time: SystemTime,
    ) -> Attempt {
        let request = |endpoint: &Endpoint| request(endpoint, message, secrets, time);
        self.attempt(url, url, request, time).await
    }

    /// Sends a message to a browser once. `contact` is a URI at which push services reach the
    /// operator.
    pub async fn push(
        &self,
        url: &str,
        message: &PushMessage,
        key: &SenderKey,
        contact: Option<&str>,
        time: SystemTime,
    ) -> Attempt {
        let request = |endpoint: &Endpoint| push_request(endpoint, message, key, contact, time);
        // Whoever knows the whole URL may use it.
        let shown = self.endpoint(url).map(|it| it.origin()).unwrap_or_default();
        self.attempt(url, &shown, request, time).await
    }

    async fn attempt(
        &self,
        url: &str,
        shown: &str,
        request: impl Fn(&Endpoint) -> Request<Full<Bytes>>,
        time: SystemTime,
    ) -> Attempt {
        let began = Instant::now();
        let outcome = match self.endpoint(url) {
            Ok(endpoint) => self.exchange(request(&endpoint), time).await,
            Err(error) => Err(error.into()),
        };
        let duration = began.elapsed();
        let attempt = Attempt {
            time,
            duration,
            status: None,
            failure: None,
            answer: String::new(),
            retry_after: None,
        };
        match outcome {
            Ok(Answer { status, beginning, retry_after }) => Attempt {
                status: Some(status.as_u16()),
                failure: failure_of(status),
                answer: beginning,
                retry_after,
                ..attempt
            },
            Err(Failure::Unreachable { reason }) => {
                tracing::info!(url = shown, reason, "an endpoint could not be reached");
                let failure = Some(Failure::Unreachable { reason });
                Attempt { duration: Duration::ZERO, failure, ..attempt }
            }
            Err(failure) => Attempt { failure: Some(failure), ..attempt },
        }
    }

    async fn exchange(
        &self,
        request: Request<Full<Bytes>>,
        time: SystemTime,
    ) -> Result<Answer, Failure> {
        let wait = self.options.answer_wait;
        let end = Instant::now() + wait;
        let response = match timeout_at(end, self.client.request(request)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(Self::failure(&error)),
            Err(_) => return Err(Failure::TooSlow(wait)),
        };
        let status = response.status();
        let retry_after = retry_after(status, response.headers(), time);
        let beginning = beginning(response, end.min(Instant::now() + REST_WAIT)).await;
        Ok(Answer { status, beginning, retry_after })
    }

    fn failure(error: &legacy::Error) -> Failure {
        let sources = std::iter::successors(error.source(), |&error| error.source());
        for source in sources {
            if let Some(error) = source.downcast_ref::<ConnectError>() {
                return Failure::Unreachable { reason: chain(error) };
            }
        }
        let last = innermost(error);
        // A certificate that is not valid, for example.
        if error.is_connect() { Failure::NotSecure(last) } else { Failure::Broken(last) }
    }
}

fn failure_of(status: StatusCode) -> Option<Failure> {
    if status.is_success() {
        None
    } else if status.is_redirection() {
        Some(Failure::Redirect(status.as_u16()))
    } else {
        Some(Failure::Status(status.as_u16()))
    }
}

/// RFC 9110, 10.2.3: a number of seconds, or a date.
fn retry_after(status: StatusCode, headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    if ![StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE].contains(&status) {
        return None;
    }
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    match text.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        // A date in the past asks for no wait.
        Err(_) => httpdate::parse_http_date(text).ok()?.duration_since(now).ok(),
    }
}

fn request(
    endpoint: &Endpoint,
    message: &Message,
    secrets: &[Secret],
    time: SystemTime,
) -> Request<Full<Bytes>> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let timestamp = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    let signatures = secrets.iter().filter_map(|it| it.sign(&message.id, timestamp, &message.body));
    let signatures: Vec<String> = signatures.collect();
    Request::post(endpoint.uri().clone())
        .header(CONTENT_TYPE, "application/json")
        .header(USER_AGENT, concat!("croupier/", env!("CARGO_PKG_VERSION")))
        .header(HEADER_WEBHOOK_ID, &message.id)
        .header(HEADER_WEBHOOK_TIMESTAMP, timestamp)
        .header(HEADER_WEBHOOK_SIGNATURE, signatures.join(" "))
        .body(Full::new(message.body.clone()))
        .expect("an id and signatures are values of headers")
}

fn push_request(
    endpoint: &Endpoint,
    message: &PushMessage,
    key: &SenderKey,
    contact: Option<&str>,
    time: SystemTime,
) -> Request<Full<Bytes>> {
    let authorization = key.authorize(endpoint, contact, time).unwrap_or_default();
    Request::post(endpoint.uri().clone())
        .header(CONTENT_TYPE, "application/octet-stream")
        .header(CONTENT_ENCODING, "aes128gcm")
        .header(AUTHORIZATION, authorization)
        .header(USER_AGENT, concat!("croupier/", env!("CARGO_PKG_VERSION")))
        .header("ttl", message.lifetime.as_secs())
        .header("topic", &message.topic)
        .header("urgency", "high")
        .body(Full::new(message.body.clone()))
        .expect("a token and a topic are values of headers")
}

/// The start of an answer. If it is too long or too slow, only the connection is dropped: its
/// status is already known.
async fn beginning(response: Response<Incoming>, end: Instant) -> String {
    let mut body = response.into_body();
    let mut bytes = Vec::new();
    while bytes.len() < ANSWER_BYTES_MAX {
        let Ok(Some(Ok(frame))) = timeout_at(end, body.frame()).await else { break };
        let Ok(data) = frame.into_data() else { continue };
        let room = ANSWER_BYTES_MAX - bytes.len();
        bytes.extend_from_slice(&data[..data.len().min(room)]);
    }
    bytes.truncate(KEPT_BYTES_MAX);
    let text = String::from_utf8_lossy(&bytes);
    text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect()
}

/// The system's root certificates, to which an operator can add an own authority; without any,
/// those that browsers trust.
fn roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

/// An error and its sources.
fn chain(error: &dyn StdError) -> String {
    let errors = std::iter::successors(Some(error), |&error| error.source());
    errors.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn innermost(error: &dyn StdError) -> String {
    let last = std::iter::successors(Some(error), |&error| error.source()).last();
    last.map(ToString::to_string).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpSocket};

    use super::*;

    /// Answers each connection with these bytes and then with `more`, over and over.
    async fn answering(head: &'static str, more: &'static [u8]) -> (String, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let written = Arc::new(AtomicUsize::new(0));
        let counted = written.clone();
        #[expect(clippy::disallowed_methods, reason = "it ends with the test")]
        tokio::spawn(async move {
            while let Ok((mut connection, _)) = listener.accept().await {
                let counted = counted.clone();
                tokio::spawn(async move {
                    let _ = connection.read(&mut [0; 4096]).await;
                    let _ = connection.write_all(head.as_bytes()).await;
                    while !more.is_empty() && connection.write_all(more).await.is_ok() {
                        counted.fetch_add(more.len(), SeqCst);
                    }
                    std::future::pending::<()>().await;
                });
            }
        });
        (url, written)
    }

    fn sender(answer_wait: Duration) -> Sender {
        Sender::new(Options { allow_private: true, answer_wait, ..Options::default() })
    }

    /// Longer than a busy machine needs.
    const LONG: Duration = Duration::from_secs(60);

    async fn attempt(sender: &Sender, url: &str) -> Attempt {
        let message = Message { id: "msg_1".to_owned(), body: Bytes::from_static(b"{}") };
        sender
            .send(url, &message, &[Secret::new().expect("randomness")], SystemTime::UNIX_EPOCH)
            .await
    }

    #[tokio::test]
    async fn an_endpoint_that_never_answers_is_left_in_time() {
        let (url, _) = answering("", b"").await;
        let wait = Duration::from_millis(300);
        let attempt = attempt(&sender(wait), &url).await;
        assert_eq!(attempt.failure, Some(Failure::TooSlow(wait)));
        assert!(attempt.duration < LONG);
    }

    #[tokio::test]
    async fn an_answer_without_end_is_read_in_part() {
        static MORE: [u8; 65536] = [b'a'; 65536];
        let head = "HTTP/1.1 200 Fine\r\ncontent-length: 10000000000\r\n\r\n";
        let (url, written) = answering(head, &MORE).await;
        let attempt = attempt(&sender(LONG), &url).await;
        assert_eq!((attempt.status, attempt.failure), (Some(200), None));
        assert_eq!(attempt.answer.len(), KEPT_BYTES_MAX);
        // Only as much as the connection buffers was sent.
        tokio::time::sleep(Duration::from_millis(100)).await;
        let written = written.load(SeqCst);
        assert!(written < 32 << 20, "{written}");
    }

    #[tokio::test]
    async fn a_body_that_stalls_decides_nothing() {
        let (url, _) = answering("HTTP/1.1 202 Fine\r\ncontent-length: 10\r\n\r\nabc", b"").await;
        let attempt = attempt(&sender(Duration::from_secs(4)), &url).await;
        assert_eq!((attempt.status, attempt.failure), (Some(202), None));
        assert_eq!(attempt.answer, "abc");
    }

    #[tokio::test]
    async fn a_head_without_end_is_refused() {
        let head = "HTTP/1.1 200 Fine\r\n";
        let (url, _) = answering(head, b"x-more: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n").await;
        let failure = attempt(&sender(Duration::from_millis(300)), &url)
            .await
            .failure
            .expect("it is no answer");
        assert!(matches!(failure, Failure::Broken(_) | Failure::TooSlow(_)), "{failure:?}");
    }

    #[tokio::test]
    async fn a_redirect_is_a_failure() {
        let head =
            "HTTP/1.1 302 There\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
        let (url, _) = answering(head, b"").await;
        assert_eq!(attempt(&sender(LONG), &url).await.failure, Some(Failure::Redirect(302)));
    }

    #[test]
    fn an_endpoint_says_when_it_wants_to_be_tried_again() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_717);
        let said = |status: u16, text: &'static str| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, text.parse().expect("a value"))]);
            retry_after(StatusCode::from_u16(status).expect("a status"), &headers, now)
        };
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(said(429, "120"), seconds(120));
        assert_eq!(said(503, " 0 "), seconds(0));
        assert_eq!(said(503, "Sun, 06 Nov 1994 08:49:37 GMT"), seconds(60));
        assert_eq!(said(429, "18446744073709551615"), seconds(u64::MAX));
        for nothing in ["Sun, 06 Nov 1994 08:47:37 GMT", "-1", "1.5", "soon", ""] {
            assert_eq!(said(429, nothing), None, "{nothing}");
        }
        assert_eq!(said(500, "120"), None);
        assert_eq!(said(200, "120"), None);
    }

    #[tokio::test]
    async fn what_is_not_http_is_a_failure() {
        let (url, _) = answering("SSH-2.0-OpenSSH\r\n", b"").await;
        let failure = attempt(&sender(LONG), &url).await.failure;
        assert!(matches!(failure, Some(Failure::Broken(_))), "{failure:?}");
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_not_connected_to() {
        let sender = Sender::new(Options::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let url = format!("https://localhost:{port}/");
        let inside = attempt(&sender, &url).await;
        let accepting = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
        assert!(accepting.is_err(), "nobody connected");
        // It looks like a name that leads nowhere, and like a port that is closed.
        let closed = TcpSocket::new_v4().expect("a socket");
        closed.bind(([127, 0, 0, 1], 0).into()).expect("a port");
        let port = closed.local_addr().expect("an address").port();
        let open = Sender::new(Options { allow_private: true, ..Options::default() });
        let nowhere = attempt(&sender, "https://nowhere.invalid/").await;
        let refused = attempt(&open, &format!("https://localhost:{port}/")).await;
        for it in [inside, nowhere, refused] {
            let failure = it.failure.expect("nothing took it");
            assert!(matches!(failure, Failure::Unreachable { .. }), "{failure:?}");
            assert_eq!(failure.to_string(), "the endpoint could not be reached");
            assert_eq!((it.duration, it.status), (Duration::ZERO, None));
        }
    }

    #[tokio::test]
    async fn tls_is_not_given_up_for_an_endpoint_without_it() {
        let (url, _) = answering("HTTP/1.1 204 Fine\r\n\r\n", b"").await;
        let url = url.replacen("http", "https", 1);
        let failure = attempt(&sender(LONG), &url).await.failure;
        assert!(matches!(failure, Some(Failure::NotSecure(_))), "{failure:?}");
    }
}
