//! The threads of a service: some serve connections, and one more projects.
//!
//! Tasks stay on their thread. When a commit wakes the calls of a whole batch, they run in the
//! order in which they were woken, and the responses on one connection are sent together. If
//! threads shared tasks, they would wake each other for every action and send each response by
//! itself.

use std::io;
use std::num::NonZero;
use std::thread;
use std::time::Duration;

use api::Auth;
use matches::Matches;
use store::Store;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot start a thread")]
    Start(#[source] io::Error),
    #[error("the server stopped")]
    Serve(#[from] api::ServeError),
}

/// The default number of serving threads. It leaves one processor to Postgres and the projector.
pub fn default_count() -> NonZero<usize> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    NonZero::new(processors - 1).unwrap_or(NonZero::<usize>::MIN)
}

/// A runtime that runs all its tasks on the current thread.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// A running thread.
pub struct Running<T>(oneshot::Receiver<T>);

impl<T> Running<T> {
    /// Waits for the thread's end. Returns its result, or none if it panicked.
    pub async fn ended(self) -> Option<T> {
        self.0.await.ok()
    }
}

/// Starts a thread with a runtime of its own.
fn start<T: Send + 'static>(
    name: &str,
    work: impl AsyncFnOnce() -> T + Send + 'static,
) -> Result<Running<T>, Error> {
    let (send, result) = oneshot::channel();
    let runtime = runtime().map_err(Error::Start)?;
    let run = move || {
        // The receiver is gone if the service could not be started.
        let _ = send.send(runtime.block_on(work()));
    };
    thread::Builder::new().name(name.to_owned()).spawn(run).map_err(Error::Start)?;
    Ok(Running(result))
}

/// Serves on `count` threads, of which this is one.
pub async fn serve(
    count: NonZero<usize>,
    listener: TcpListener,
    matches: Matches,
    auth: Auth,
    drain: CancellationToken,
) -> Result<(), Error> {
    let (threads, mut accepted): (Vec<_>, Vec<_>) =
        (0..count.get()).map(|_| mpsc::channel(QUEUED_MAX)).unzip();
    let accepted_here = accepted.pop().expect("count is at least 1");
    let mut serving = Vec::new();
    for (accepted, nth) in accepted.into_iter().zip(1..) {
        let (matches, auth, drain) = (matches.clone(), auth.clone(), drain.clone());
        let serve = async move || serve_here(accepted, matches, auth, drain).await;
        serving.push(start(&format!("serve-{nth}"), serve)?);
    }
    tokio::spawn(drain.clone().run_until_cancelled_owned(distribute(listener, threads)));
    let here = serve_here(accepted_here, matches, auth, drain.clone()).await;
    // If this thread has failed, the others stop too.
    drain.cancel();
    for thread in serving {
        thread.ended().await.expect("a serving thread does not panic")?;
    }
    here
}

/// Assigns connections to the threads in rotation. If the threads accepted connections themselves,
/// the one that happens to be awake would accept all of them.
async fn distribute(listener: TcpListener, threads: Vec<mpsc::Sender<std::net::TcpStream>>) {
    for thread in threads.iter().cycle() {
        match accept(&listener).await {
            // A thread that has ended makes the others end soon.
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
    matches: Matches,
    auth: Auth,
    drain: CancellationToken,
) -> Result<(), Error> {
    let connections = ReceiverStream::new(accepted).filter_map(|it| TcpStream::from_std(it).ok());
    Ok(api::serve(connections, matches, auth, api::Options::default(), drain).await?)
}

/// Connections queued for a thread.
const QUEUED_MAX: usize = 64;

/// The pause after a failed accept: the process may have reached its limit of open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Projects on a thread and connections of its own, so that projecting thousands of entries delays
/// no action.
pub fn project(
    database: store::Options,
    drain: CancellationToken,
) -> Result<(projector::Handle, Running<()>), Error> {
    let handle = projector::Handle::default();
    let woken = handle.clone();
    let database = store::Options { readers_max: READERS_MAX, ..database };
    let projecting = async move || {
        // On Linux this affects only this thread. Projecting works without it.
        let _ = rustix::process::nice(PROJECT_NICE);
        let Some(store) = connect(database, &drain).await else { return };
        projector::Service::new(&store, projector::Options::default(), woken).run(drain).await;
        store.close().await;
    };
    Ok((handle, start("project", projecting)?))
}

/// Connects as soon as the database answers; none if the service stops before.
async fn connect(database: store::Options, drain: &CancellationToken) -> Option<Store> {
    loop {
        match Store::connect(database.clone()).await {
            Ok(store) => return Some(store),
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the projector cannot connect, retrying"
            ),
        }
        tokio::select! {
            () = drain.cancelled() => return None,
            () = tokio::time::sleep(CONNECT_PAUSE) => {}
        }
    }
}

/// Connections for reading: a batch is applied before the next is read.
const READERS_MAX: u32 = 2;

/// Under overload, this leaves projecting a tenth of a processor.
const PROJECT_NICE: i32 = 10;

const CONNECT_PAUSE: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn connections_are_assigned_to_the_threads_in_rotation() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let (threads, mut accepted): (Vec<_>, Vec<_>) = (0..3).map(|_| mpsc::channel(8)).unzip();
        let distributing = tokio::spawn(distribute(listener, threads));
        for nth in 0..9 {
            let connection = TcpStream::connect(address).await.expect("it is accepted");
            let assigned = accepted[nth % 3].recv();
            let assigned = tokio::time::timeout(Duration::from_secs(5), assigned).await;
            let assigned = assigned.expect("it is this thread's turn").expect("it is distributed");
            let expected = connection.local_addr().expect("it is connected");
            assert_eq!(assigned.peer_addr().expect("it is connected"), expected);
        }
        distributing.abort();
    }
}
