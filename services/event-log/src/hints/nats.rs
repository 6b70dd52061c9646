//! Hints by NATS: messages on one subject per installation, which no server keeps.
//!
//! A publisher on the subject can make processes read the heads, nothing more.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::{Client, Event};
use database::{Database, jittered};
use futures::StreamExt;
use tokio::sync::{OnceCell, watch};
use tokio::time::sleep;

use super::changed::ChangedBuckets;
use super::hint::{Counts, Of, RETRY, SEND_GAP};
use super::servers::Servers;

/// The subject of an installation is this with its id.
const SUBJECT: &str = "croupier.hints";
/// Messages that may wait to be read; more are dropped. A server forwards messages of up to a
/// megabyte, so a stranger's messages take at most 32 MB.
const UNREAD_MAX: usize = 32;
/// Messages that may wait to be sent; beyond it, sending waits, and hints are combined.
const UNSENT_MAX: usize = 8;
/// A connection on which two pings remain unanswered is lost.
const PING_PAUSE: Duration = Duration::from_secs(10);
/// The wait before the second attempt to connect. It doubles with each further attempt, up to
/// [`CONNECT_WAIT_MAX`].
const CONNECT_WAIT_MIN: Duration = Duration::from_millis(50);
const CONNECT_WAIT_MAX: Duration = Duration::from_secs(4);

/// The client of a process. It connects and reconnects in the background.
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

    pub(super) async fn send(&self, of: Of<'_>, written: &ChangedBuckets) {
        let (subject, client) = (subject(of.database).await, self.client().await);
        let counts = Counts::of("nats");
        loop {
            let hint = of.hint(written.take().await).to_string();
            // Waits for a connection if there is none.
            match client.publish(subject.clone(), hint.into()).await {
                Ok(()) => counts.sent.increment(1),
                Err(_) => counts.failed.increment(1),
            }
            sleep(SEND_GAP).await;
        }
    }

    pub(super) async fn receive(&self, of: Of<'_>, received: &ChangedBuckets) {
        let (subject, client) = (subject(of.database).await, self.client().await);
        let counts = Counts::of("nats");
        loop {
            self.read(client, &subject, of, received, &counts).await;
            sleep(jittered(RETRY)).await;
        }
    }

    /// Reads messages until the client fails.
    ///
    /// After messages may have been missed, an empty hint is sent. When it comes back, the
    /// subscription is in effect: earlier entries are read, and later ones bring hints.
    async fn read(
        &self,
        client: &Client,
        subject: &str,
        of: Of<'_>,
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
                        Some(hint) if hint.process == of.process && hint.buckets == 0 => {
                            received.add(ChangedBuckets::ALL);
                            self.state.is_up();
                        }
                        Some(hint) => received.add(of.take(hint)),
                        None => {}
                    }
                }
                _ = missed.changed() => {
                    let empty = of.hint(0).to_string();
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
async fn subject(database: &Database) -> String {
    loop {
        match database.installation().await {
            Ok(id) => return format!("{SUBJECT}.{}", id.simple()),
            Err(_) => sleep(jittered(RETRY)).await,
        }
    }
}

fn connect_wait(attempt: usize) -> Duration {
    let doublings = attempt.saturating_sub(1).min(10) as u32;
    jittered((CONNECT_WAIT_MIN * 2_u32.pow(doublings)).min(CONNECT_WAIT_MAX))
}
