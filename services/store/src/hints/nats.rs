//! Hints by NATS: messages on one subject per installation, which no server keeps.
//!
//! Whoever may publish on the subject can make processes look at the heads, and no more.

use super::{ChangedBuckets, Counts, RETRY, SEND_GAP, WaysError};
use crate::Store;
use crate::append::jittered;
use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use futures::StreamExt;
use percent_encoding::percent_decode_str;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{OnceCell, watch};
use tokio::time::sleep;

/// The servers of a NATS cluster, and the credentials for it.
#[derive(Clone)]
pub struct Servers {
    /// Without credentials, since the client logs addresses.
    addresses: Vec<ServerAddr>,
    credentials: Option<Credentials>,
}

#[derive(Clone, PartialEq, Eq)]
enum Credentials {
    Token(String),
    User { name: String, password: String },
}

/// The subject of an installation is this with its id.
const SUBJECT: &str = "croupier.hints";
/// Messages that may wait to be read; more are dropped. A server passes on messages of up to a
/// megabyte, so a stranger's take 32 MB at most.
const UNREAD_MAX: usize = 32;
/// Messages that may wait to be sent; then sending waits, and hints become one.
const UNSENT_MAX: usize = 8;
/// A connection on which two pings remain unanswered is lost.
const PING_PAUSE: Duration = Duration::from_secs(10);
/// The wait before the second attempt to connect. It doubles with each further attempt, up to
/// [`CONNECT_WAIT_MAX`].
const CONNECT_WAIT_MIN: Duration = Duration::from_millis(50);
const CONNECT_WAIT_MAX: Duration = Duration::from_secs(4);

impl Servers {
    pub(super) fn parse(urls: &[&str]) -> Result<Self, WaysError> {
        let (mut addresses, mut all_credentials) = (Vec::new(), Vec::new());
        for url in urls {
            if !["nats://", "tls://"].iter().any(|scheme| url.starts_with(scheme)) {
                return Err(WaysError::Form);
            }
            let invalid = |error: std::io::Error| WaysError::Invalid(error.to_string());
            let address: ServerAddr = url.parse().map_err(invalid)?;
            all_credentials.extend(Credentials::of(&address));
            let mut bare = address.into_inner();
            let cleared = bare.set_username("").and_then(|()| bare.set_password(None));
            cleared.map_err(|()| WaysError::Form)?;
            addresses.push(ServerAddr::from_url(bare).map_err(invalid)?);
        }
        all_credentials.dedup();
        match all_credentials.len() {
            0 | 1 => Ok(Self { addresses, credentials: all_credentials.pop() }),
            _ => Err(WaysError::Credentials),
        }
    }

    fn options(&self) -> ConnectOptions {
        let options = ConnectOptions::new().name("croupier");
        match self.credentials.clone() {
            None => options,
            Some(Credentials::Token(token)) => options.token(token),
            Some(Credentials::User { name, password }) => options.user_and_password(name, password),
        }
    }
}

/// The addresses, without credentials.
impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses = self.addresses.iter();
        let addresses =
            addresses.map(|it| format!("{}://{}:{}", it.scheme(), it.host(), it.port()));
        f.write_str(&addresses.collect::<Vec<_>>().join(", "))
    }
}

impl Credentials {
    /// Those of a URL: `user:password@`, or `token@`.
    fn of(address: &ServerAddr) -> Option<Self> {
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let name = decoded(address.username()?);
        Some(match address.password() {
            Some(password) => Self::User { name, password: decoded(password) },
            None => Self::Token(name),
        })
    }
}

/// The client of a process. It connects in the background, again and again.
pub(super) struct Nats {
    servers: Servers,
    client: OnceCell<Client>,
    state: Arc<State>,
}

struct State {
    /// Changes when messages may have been missed: on a new connection, and when too many came.
    missed: watch::Sender<()>,
    /// Whether hints are exchanged, as was logged last.
    is_up: Mutex<Option<bool>>,
    addresses: String,
}

impl Nats {
    pub(super) fn new(servers: Servers) -> Self {
        let addresses = format!("{servers:?}");
        let state = State { missed: watch::Sender::new(()), is_up: Mutex::new(None), addresses };
        Self { servers, client: OnceCell::new(), state: Arc::new(state) }
    }

    pub(super) async fn send(&self, store: &Store, written: &ChangedBuckets) {
        let (subject, client) = (subject(store).await, self.client().await);
        let counts = Counts::of("nats");
        loop {
            let hint = store.hint(written.take().await).to_string();
            // Without a connection it waits for one.
            match client.publish(subject.clone(), hint.into()).await {
                Ok(()) => counts.sent.increment(1),
                Err(_) => counts.failed.increment(1),
            }
            sleep(SEND_GAP).await;
        }
    }

    pub(super) async fn receive(&self, store: &Store, received: &ChangedBuckets) {
        let (subject, client) = (subject(store).await, self.client().await);
        let counts = Counts::of("nats");
        loop {
            self.read(client, &subject, store, received, &counts).await;
            sleep(jittered(RETRY)).await;
        }
    }

    /// Reads messages until the client fails.
    ///
    /// After messages may have been missed, an empty hint is sent. When it comes back, the
    /// subscription is in effect: what was written before is read, and of what is written later
    /// there are hints.
    async fn read(
        &self,
        client: &Client,
        subject: &str,
        store: &Store,
        received: &ChangedBuckets,
        counts: &Counts,
    ) {
        let Ok(mut messages) = client.subscribe(subject.to_owned()).await else { return };
        let mut missed = self.state.missed.subscribe();
        missed.mark_changed();
        loop {
            tokio::select! {
                message = messages.next() => {
                    let Some(message) = message else { return };
                    match counts.received(&message.payload) {
                        Some(hint) if hint == store.hint(0) => {
                            received.add(ChangedBuckets::ALL);
                            self.state.is_up();
                        }
                        Some(hint) => received.add(store.buckets_of_other(hint)),
                        None => {}
                    }
                }
                _ = missed.changed() => {
                    let empty = store.hint(0).to_string();
                    if client.publish(subject.to_owned(), empty.into()).await.is_err() {
                        return;
                    }
                    // Under a flood, messages are missed all the time.
                    sleep(SEND_GAP).await;
                }
            }
        }
    }

    async fn client(&self) -> &Client {
        let connecting = async || {
            let state = self.state.clone();
            let options = self.servers.options();
            let options = options
                .retry_on_initial_connect()
                .ping_interval(PING_PAUSE)
                .subscription_capacity(UNREAD_MAX)
                .client_capacity(UNSENT_MAX)
                .reconnect_delay_callback(connect_wait)
                .event_callback(move |event| {
                    state.take(&event);
                    std::future::ready(())
                });
            options.connect(&self.servers.addresses[..]).await.expect("the addresses were parsed")
        };
        self.client.get_or_init(connecting).await
    }
}

impl State {
    fn take(&self, event: &Event) {
        match event {
            Event::Connected | Event::SlowConsumer(_) => self.missed.send_replace(()),
            Event::Disconnected | Event::Closed | Event::ServerError(_) | Event::ClientError(_) => {
                self.is_down(event)
            }
            Event::LameDuckMode | Event::Draining => {}
        }
    }

    fn is_up(&self) {
        if self.changes(true) {
            tracing::info!("hints are exchanged by NATS at {}", self.addresses);
        }
    }

    fn is_down(&self, event: &Event) {
        if self.changes(false) {
            tracing::warn!(
                reason = %event,
                "hints are not exchanged by NATS at {}, retrying: entries of other processes may \
                 be seen up to a second later",
                self.addresses
            );
        }
    }

    fn changes(&self, is_up: bool) -> bool {
        let mut logged = self.is_up.lock().expect("nobody panics holding it");
        logged.replace(is_up) != Some(is_up)
    }
}

/// The subject of the installation: others on the same servers have other ones.
async fn subject(store: &Store) -> String {
    loop {
        match store.installation().await {
            Ok(id) => return format!("{SUBJECT}.{}", id.simple()),
            Err(_) => sleep(jittered(RETRY)).await,
        }
    }
}

fn connect_wait(attempt: usize) -> Duration {
    let doublings = attempt.saturating_sub(1).min(10) as u32;
    jittered((CONNECT_WAIT_MIN * 2_u32.pow(doublings)).min(CONNECT_WAIT_MAX))
}
