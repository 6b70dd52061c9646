//! A Postgres server of our own, for whoever names no database: made on first use, looked after,
//! and never left behind.
//!
//! It is the machine's own server program, run on a folder of ours, reachable through a private
//! socket and nothing else. One thread owns it from start to stop, and starts it again if it dies;
//! the server's life is tied to that thread's, so even a service that is killed outright leaves no
//! server running. Nothing that makes a commit durable is ever switched off.

mod folder;
mod programs;
mod server;

use folder::Folder;
use programs::Programs;
use rustix::process::{Pid, Signal, kill_process};
use server::Server;
use sqlx::postgres::PgConnectOptions;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// A running server. Dropping it stops it at once; [`Postgres::stop`] gives it time to tidy up.
pub struct Postgres {
    socket: PathBuf,
    shared: Arc<Shared>,
    supervisor: Option<JoinHandle<()>>,
    ended: oneshot::Receiver<()>,
    stop_wait: Duration,
}

#[derive(Clone, Debug)]
pub struct Options {
    /// How long a start may take. Long: after a crash the server first reads what it has not yet
    /// put in place.
    pub start_wait: Duration,
    /// How long a stop may take before the server is stopped without tidying up, which the next
    /// start does for it.
    pub stop_wait: Duration,
    /// Further settings for the server, by name.
    pub settings: Vec<(String, String)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            start_wait: Duration::from_secs(300),
            stop_wait: Duration::from_secs(30),
            settings: Vec::new(),
        }
    }
}

/// Why there is no server, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "no Postgres server of version 15 to 18 is installed: install one (on Debian: apt install postgresql), \
         or name a database of your own with --database-url"
    )]
    NoPrograms,
    #[error(
        "the data folder {folder} was made by Postgres {version}, which is not installed: \
         install it (on Debian: apt install postgresql-{version})"
    )]
    OtherVersion { folder: PathBuf, version: u32 },
    #[error(
        "the data folder {folder} is in use by process {holder}: stop that one, or choose another folder"
    )]
    Held { folder: PathBuf, holder: String },
    #[error(
        "Postgres refuses to run as root, and there is neither a user postgres nor a user nobody to run it as"
    )]
    NoUser,
    #[error(
        "Postgres runs as user {user}, who may not pass through {parent}: \
         choose another data folder, or allow it with: chmod o+x {parent}"
    )]
    Unreachable { user: String, parent: PathBuf },
    #[error(
        "{0} belongs to somebody else and cannot hold the socket: remove it, or choose a data folder of a shorter path"
    )]
    ForeignSocket(PathBuf),
    #[error("setpriv is missing, which ties the server's life to ours: install util-linux")]
    NoSetpriv,
    #[error("{program} failed ({status}), its last words:\n{log}")]
    Failed { program: &'static str, status: String, log: String },
    #[error("Postgres was not ready within {} seconds, its last words:\n{log}", wait.as_secs())]
    Slow { wait: Duration, log: String },
    #[error("cannot {deed} {path}")]
    File { deed: &'static str, path: PathBuf, source: std::io::Error },
    #[error("the thread that looks after Postgres ended early")]
    Unsupervised,
}

/// Before a server that died is started again; doubled each time it does not even become ready, up
/// to [`BACKOFF_MAX`].
const BACKOFF_MIN: Duration = Duration::from_millis(50);
/// A server that cannot run is not worth more than a try and a log line every so often.
const BACKOFF_MAX: Duration = Duration::from_secs(5);

impl Postgres {
    /// Starts the server of a data folder, making both if they are not there yet, and returns when
    /// it takes connections.
    pub async fn start(data: impl Into<PathBuf>, options: Options) -> Result<Self, Error> {
        let (data, stop_wait) = (data.into(), options.stop_wait);
        let shared = Arc::<Shared>::default();
        let (tell_started, started) = oneshot::channel();
        let (tell_ended, ended) = oneshot::channel();
        let theirs = shared.clone();
        let supervisor = std::thread::Builder::new()
            .name("postgres".to_owned())
            .spawn(move || {
                match Supervisor::begin(&data, options, theirs) {
                    Ok(supervisor) => supervisor.run(tell_started),
                    Err(error) => _ = tell_started.send(Err(error)),
                }
                let _ = tell_ended.send(());
            })
            .map_err(|source| Error::File {
                deed: "start a thread for",
                path: PathBuf::from("Postgres"),
                source,
            })?;
        let socket = started.await.unwrap_or(Err(Error::Unsupervised))?;
        Ok(Self { socket, shared, supervisor: Some(supervisor), ended, stop_wait })
    }

    /// How to connect. It stays the same when the server is started again.
    pub fn options(&self) -> PgConnectOptions {
        connect_options(&self.socket)
    }

    /// How to connect to the server that another process runs in a data folder, if one does.
    pub fn running(data: &Path) -> std::io::Result<PgConnectOptions> {
        Ok(connect_options(&folder::socket_folder(&data.canonicalize()?)))
    }

    /// How to connect, for other programs: `psql` takes it as it is.
    pub fn url(&self) -> String {
        let path = percent_encoded(&self.socket);
        format!("postgres:///postgres?host={path}&port={}&user={}", server::PORT, server::USER)
    }

    /// The server's process; none while it is being started again.
    pub fn pid(&self) -> Option<i32> {
        self.shared.lock().server.map(Pid::as_raw_pid)
    }

    /// Ends all connections, lets the server tidy up, and returns when it is gone.
    pub async fn stop(mut self) {
        self.shared.stop(Signal::INT);
        if tokio::time::timeout(self.stop_wait, &mut self.ended).await.is_err() {
            tracing::warn!("Postgres did not stop in time and is stopped without tidying up");
            self.shared.stop(Signal::QUIT);
            let _ = (&mut self.ended).await;
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.shared.stop(Signal::QUIT);
        if let Some(supervisor) = self.supervisor.take() {
            let _ = supervisor.join();
        }
    }
}

fn connect_options(socket: &Path) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(socket)
        .port(server::PORT)
        .username(server::USER)
        .database("postgres")
}

/// What the supervisor and its owner tell each other.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    stopping: Condvar,
}

#[derive(Default)]
struct State {
    /// The server's process, from its start until it is about to be reaped: a signal can never
    /// reach a later process of its number.
    server: Option<Pid>,
    is_stopping: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self, signal: Signal) {
        let mut state = self.lock();
        state.is_stopping = true;
        self.stopping.notify_all();
        if let Some(server) = state.server {
            let _ = kill_process(server, signal);
        }
    }

    /// Waits, unless a stop comes in between; says whether one has.
    fn pause(&self, wait: Duration) -> bool {
        let paused =
            self.stopping.wait_timeout_while(self.lock(), wait, |state| !state.is_stopping);
        paused.unwrap_or_else(PoisonError::into_inner).0.is_stopping
    }
}

/// The thread that owns the server.
struct Supervisor {
    folder: Folder,
    programs: Programs,
    options: Options,
    shared: Arc<Shared>,
}

impl Supervisor {
    /// Takes the data folder and makes it ready for a server.
    fn begin(data: &Path, options: Options, shared: Arc<Shared>) -> Result<Self, Error> {
        let folder = Folder::take(data)?;
        let programs = Programs::find(&folder)?;
        if !folder.has_cluster() {
            let began = Instant::now();
            tracing::info!(postgres.data = %folder.path.display(), "making a database in {}", folder.path.display());
            folder.make_cluster(&programs)?;
            tracing::info!(postgres.wait_ms = began.elapsed().as_millis(), "the database is made");
        }
        server::outlast_earlier(&folder, &shared)?;
        Ok(Self { folder, programs, options, shared })
    }

    /// Runs the server, again and again, until it is to stop. Only its first start is told; later
    /// ones are logged.
    fn run(self, tell_started: oneshot::Sender<Result<PathBuf, Error>>) {
        let mut tell_started = Some(tell_started);
        let mut backoff = BACKOFF_MIN;
        loop {
            let started = Server::start(&self.folder, &self.programs, &self.options, &self.shared);
            match (started, tell_started.take()) {
                (Ok(server), tell_started) => {
                    let heard = tell_started
                        .is_none_or(|tell| tell.send(Ok(self.folder.socket.clone())).is_ok());
                    if !heard {
                        self.shared.stop(Signal::QUIT);
                    }
                    let status = server.wait(&self.shared);
                    backoff = BACKOFF_MIN;
                    if !self.shared.lock().is_stopping {
                        tracing::error!(postgres.status = %status, "Postgres died ({status}) and is started again");
                    }
                }
                (Err(error), Some(tell_started)) => {
                    let _ = tell_started.send(Err(error));
                    return;
                }
                (Err(error), None) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "Postgres cannot be started again yet"
                    );
                    backoff = (backoff * 2).min(BACKOFF_MAX);
                }
            }
            if self.shared.pause(backoff) {
                return;
            }
        }
    }
}

/// A path as a part of a URL.
fn percent_encoded(path: &Path) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(byte);
    let encode = |byte: &u8| {
        if is_plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") }
    };
    path.as_os_str().as_encoded_bytes().iter().map(encode).collect()
}
