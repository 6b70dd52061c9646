//! The threads of a service: each takes connections and does all that they ask for; one more
//! projects.
//!
//! Tasks stay on their thread. What a commit wakes, say the calls of a whole batch, is then done in
//! the order in which it was woken, and a connection's answers leave together; where threads share
//! tasks, they wake each other for every action, and each answer is sent by itself.

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

use crate::serve::Error;

/// One processor is left to Postgres and the projector.
pub fn usual() -> NonZero<usize> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    NonZero::new(processors - 1).unwrap_or(NonZero::<usize>::MIN)
}

/// A runtime whose tasks stay on the thread that runs it.
pub fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// A thread at work.
pub struct Working<T>(oneshot::Receiver<T>);

impl<T> Working<T> {
    /// Waits for its end, and for what it leaves; none if it panicked.
    pub async fn ended(self) -> Option<T> {
        self.0.await.ok()
    }
}

/// Starts a thread with a runtime of its own.
fn start<T: Send + 'static>(
    name: &str,
    work: impl AsyncFnOnce() -> T + Send + 'static,
) -> Result<Working<T>, Error> {
    let (leave, left) = oneshot::channel();
    let runtime = runtime().map_err(Error::Thread)?;
    let run = move || {
        // Nobody waits for what it leaves if the service could not be started.
        let _ = leave.send(runtime.block_on(work()));
    };
    thread::Builder::new().name(name.to_owned()).spawn(run).map_err(Error::Thread)?;
    Ok(Working(left))
}

/// Serves on this thread and as many more as it takes to be `count`.
pub async fn serve(
    count: NonZero<usize>,
    listener: TcpListener,
    matches: Matches,
    auth: Auth,
    drain: CancellationToken,
) -> Result<(), Error> {
    let (threads, mut taken): (Vec<_>, Vec<_>) =
        (0..count.get()).map(|_| mpsc::channel(HANDED_MAX)).unzip();
    let taken_here = taken.pop().expect("there is one thread at least");
    let mut serving = Vec::new();
    for (taken, nth) in taken.into_iter().zip(1..) {
        let (matches, auth, drain) = (matches.clone(), auth.clone(), drain.clone());
        let serve = async move || serve_here(taken, matches, auth, drain).await;
        serving.push(start(&format!("serve-{nth}"), serve)?);
    }
    tokio::spawn(drain.clone().run_until_cancelled_owned(hand_out(listener, threads)));
    let here = serve_here(taken_here, matches, auth, drain.clone()).await;
    // Where one has failed, the others end as well.
    drain.cancel();
    for thread in serving {
        thread.ended().await.expect("a thread that serves does not panic")?;
    }
    here
}

/// Hands connections to the threads by turns. Where each takes what it can get, one that is awake
/// has them all.
async fn hand_out(listener: TcpListener, threads: Vec<mpsc::Sender<std::net::TcpStream>>) {
    for thread in threads.iter().cycle() {
        match accept(&listener).await {
            // A thread that has ended is about to take the others with it.
            Ok(connection) => drop(thread.send(connection).await),
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "no connection can be taken, trying again"
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
    taken: mpsc::Receiver<std::net::TcpStream>,
    matches: Matches,
    auth: Auth,
    drain: CancellationToken,
) -> Result<(), Error> {
    let connections = ReceiverStream::new(taken).filter_map(|it| TcpStream::from_std(it).ok());
    Ok(api::serve(connections, matches, auth, api::Options::default(), drain).await?)
}

/// Connections that are on their way to a thread.
const HANDED_MAX: usize = 64;

/// Before a connection is taken after one that could not be: the process may have as many files
/// open as it is allowed.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Projects on a thread of its own, with connections of its own: taking in thousands of entries
/// holds up no action.
pub fn project(
    database: store::Options,
    drain: CancellationToken,
) -> Result<(projector::Handle, Working<()>), Error> {
    let handle = projector::Handle::default();
    let woken = handle.clone();
    let database = store::Options { readers_max: READERS_MAX, ..database };
    let projecting = async move || {
        // Of this thread alone, on Linux. It is no loss where it is not allowed.
        let _ = rustix::process::nice(PROJECT_NICE);
        let Some(store) = connect(database, &drain).await else { return };
        projector::Service::new(&store, projector::Options::default(), woken).run(drain).await;
        store.close().await;
    };
    Ok((handle, start("project", projecting)?))
}

/// Connects as soon as the database answers; none if there is no time left for it.
async fn connect(database: store::Options, drain: &CancellationToken) -> Option<Store> {
    loop {
        match Store::connect(database.clone()).await {
            Ok(store) => return Some(store),
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the projector cannot connect, trying again"
            ),
        }
        tokio::select! {
            () = drain.cancelled() => return None,
            () = tokio::time::sleep(CONNECT_PAUSE) => {}
        }
    }
}

/// Connections for reading: what is read at a time is folded before more is.
const READERS_MAX: u32 = 2;

/// While actions come in faster than all can be done, projecting has a tenth of a processor.
const PROJECT_NICE: i32 = 10;

const CONNECT_PAUSE: Duration = Duration::from_secs(1);
