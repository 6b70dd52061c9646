//! Accepting connections, and the threads that serve them.
//!
//! Tasks stay on their thread. When a commit wakes the calls of a whole batch, they run in the
//! order in which they were woken, and the responses on one connection are sent together. If
//! threads shared tasks, they would wake each other for every action and send each response by
//! itself.

use std::num::NonZero;
use std::time::Duration;
use std::{io, thread};

use api::health::Readiness;
use api::meter::CONNECTIONS_OPEN;
use api::{Auth, Connection, Proxies, read_proxy_header};
use matches::Matches;
use metrics::{Gauge, gauge};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio_rustls::TlsAcceptor;
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};
use tokio_util::sync::CancellationToken;

use crate::process::threads::{self, start};
use crate::process::vital::Vital;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Threads(#[from] threads::Error),
    #[error("the server stopped")]
    Serve(#[from] api::ServeError),
}

/// The default number of serving threads. It leaves one processor to Postgres and the projector,
/// and one to the store if that has a thread.
pub fn default_count(has_store_thread: bool) -> NonZero<usize> {
    let others = 1 + usize::from(has_store_thread);
    NonZero::new(processors().saturating_sub(others)).unwrap_or(NonZero::<usize>::MIN)
}

/// Whether the store has a thread by default. On few processors it and the serving threads would
/// only wait for each other.
pub fn default_store_thread() -> bool {
    processors() >= STORE_THREAD_MIN
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// The minimum number of processors: two for serving, one for the store, and one for Postgres and
/// the projector.
const STORE_THREAD_MIN: usize = 4;

/// The state that every serving thread needs.
#[derive(Clone)]
pub struct Serving {
    pub matches: Matches,
    pub auth: Auth,
    pub options: api::Options,
    pub tls: Option<TlsAcceptor>,
    /// Whether connections of trusted proxies begin by naming the client.
    pub has_proxy_protocol: bool,
    /// Whether load balancers should send calls.
    pub ready: watch::Receiver<Readiness>,
    pub drain: CancellationToken,
}

/// Serves on `count` threads, of which this is one.
pub async fn serve(
    count: NonZero<usize>,
    listener: TcpListener,
    serving: Serving,
    vital: Vital,
) -> Result<(), Error> {
    let drain = serving.drain.clone();
    let (threads, mut accepted): (Vec<_>, Vec<_>) =
        (0..count.get()).map(|_| mpsc::channel(QUEUED_MAX)).unzip();
    let accepted_here = accepted.pop().expect("count is at least 1");
    let mut others = Vec::new();
    for (accepted, nth) in accepted.into_iter().zip(1..) {
        let (vital, drain, serving) = (vital.clone(), drain.clone(), serving.clone());
        let name = format!("serve-{nth}");
        let task = name.clone();
        let serve = async move || vital.run(task, drain, serve_here(accepted, serving)).await;
        others.push(start(&name, serve)?);
    }
    let distributing = drain.clone().run_until_cancelled_owned(distribute(listener, threads));
    vital.spawn("listener", &drain, distributing);
    let here = vital.run("serve-0", drain.clone(), serve_here(accepted_here, serving)).await;
    // If this thread has failed, the others stop too.
    drain.cancel();
    for thread in others {
        // A panic of a thread was already reported.
        thread.ended().await.unwrap_or(Ok(()))?;
    }
    here
}

/// Assigns connections to the threads in rotation. If the threads accepted connections themselves,
/// the one that happens to be awake would accept all of them.
async fn distribute(listener: TcpListener, threads: Vec<mpsc::Sender<std::net::TcpStream>>) {
    for thread in threads.iter().cycle() {
        match accept(&listener).await {
            // If a thread has ended, the others end soon.
            Ok(connection) => drop(thread.send(connection).await),
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "cannot accept a connection, retrying"
                );
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

async fn accept(listener: &TcpListener) -> io::Result<std::net::TcpStream> {
    let (connection, _) = listener.accept().await?;
    connection.set_nodelay(true)?;
    connection.into_std()
}

async fn serve_here(
    accepted: mpsc::Receiver<std::net::TcpStream>,
    serving: Serving,
) -> Result<(), Error> {
    let Serving { matches, auth, options, tls, has_proxy_protocol, ready, drain } = serving;
    let connections = ReceiverStream::new(accepted).filter_map(|it| TcpStream::from_std(it).ok());
    let open = gauge!(CONNECTIONS_OPEN);
    if tls.is_none() && !has_proxy_protocol {
        let connections =
            Box::pin(connections.map(move |tcp| Connection::plain(tcp).counted(&open)));
        return Ok(api::serve(connections, matches, auth, options, ready, drain).await?);
    }
    let (send, shaken) = mpsc::channel(QUEUED_MAX);
    let proxies = has_proxy_protocol.then(|| options.proxies.clone());
    let shaking = shake_hands(connections, Opening { tls, proxies, open }, send);
    let serving =
        api::serve(Box::pin(ReceiverStream::new(shaken)), matches, auth, options, ready, drain);
    tokio::pin!(serving);
    tokio::select! {
        served = &mut serving => Ok(served?),
        // The listener has closed; existing connections are served to their end.
        () = shaking => Ok(serving.await?),
    }
}

/// What comes before the first request of a connection.
#[derive(Clone)]
struct Opening {
    tls: Option<TlsAcceptor>,
    /// The proxies whose connections begin by naming the client.
    proxies: Option<Proxies>,
    /// The gauge of open connections.
    open: Gauge,
}

impl Opening {
    async fn open(&self, mut tcp: TcpStream) -> io::Result<Connection> {
        let client = match &self.proxies {
            Some(proxies) if proxies.trust(tcp.peer_addr()?.ip()) => {
                read_proxy_header(&mut tcp).await?
            }
            Some(_) | None => None,
        };
        let connection = match &self.tls {
            Some(tls) => Connection::tls(tls.accept(tcp).await?),
            None => Connection::plain(tcp),
        };
        Ok(connection.of(client).counted(&self.open))
    }
}

/// Opens the connections, each in a task of its own, so that a slow client delays no other.
async fn shake_hands(
    connections: impl Stream<Item = TcpStream>,
    opening: Opening,
    shaken: mpsc::Sender<Connection>,
) {
    tokio::pin!(connections);
    while let Some(connection) = connections.next().await {
        let (opening, shaken) = (opening.clone(), shaken.clone());
        #[expect(clippy::disallowed_methods, reason = "it ends with the handshake")]
        tokio::spawn(async move {
            match tokio::time::timeout(HANDSHAKE_WAIT, opening.open(connection)).await {
                Ok(Ok(connection)) => drop(shaken.send(connection).await),
                Ok(Err(error)) => tracing::debug!(%error, "a connection cannot be opened"),
                Err(_) => tracing::debug!("a connection took too long to be opened"),
            }
        });
    }
}

/// The timeout of what comes before the first request, such as a TLS handshake.
const HANDSHAKE_WAIT: Duration = Duration::from_secs(10);

/// The maximum number of connections queued for a thread.
const QUEUED_MAX: usize = 64;

/// The pause after a failed accept: the process may have reached its limit of open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn connections_are_assigned_to_the_threads_in_rotation() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let (threads, mut accepted): (Vec<_>, Vec<_>) = (0..3).map(|_| mpsc::channel(8)).unzip();
        #[expect(clippy::disallowed_methods, reason = "it ends with the test")]
        let distributing = tokio::spawn(distribute(listener, threads));
        for nth in 0..9 {
            let connection = TcpStream::connect(address).await.expect("it is accepted");
            let assigned = accepted[nth % 3].recv();
            let assigned = tokio::time::timeout(Duration::from_secs(60), assigned).await;
            let assigned = assigned.expect("it is this thread's turn").expect("it is distributed");
            let expected = connection.local_addr().expect("it is connected");
            assert_eq!(assigned.peer_addr().expect("it is connected"), expected);
        }
        distributing.abort();
    }
}
