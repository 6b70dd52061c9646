//! The handle of a running server, and the thread that owns the server from start to stop.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use sqlx::postgres::PgConnectOptions;
use tokio::sync::oneshot;

use crate::error::Error;
use crate::folder::Folder;
use crate::options::Options;
use crate::process::{EARLIER_MAX, ServerProcess, wait_for_earlier};
use crate::programs::Programs;
use crate::signals::Signals;
use crate::socket;

/// A running server. Dropping it stops the server at once; [`Postgres::stop`] stops it in order.
pub struct Postgres {
    socket: PathBuf,
    application: String,
    signals: Arc<Signals>,
    supervisor: Option<JoinHandle<()>>,
    ended: oneshot::Receiver<()>,
    stop_wait: Duration,
}

/// The pause before a server that died is started again; doubled each time it fails to become
/// ready, up to [`BACKOFF_MAX`].
const BACKOFF_MIN: Duration = Duration::from_millis(50);
/// A server that cannot run costs one attempt in this time.
const BACKOFF_MAX: Duration = Duration::from_secs(5);
/// How often failing attempts are logged.
const NOTICE_PAUSE: Duration = Duration::from_secs(30);

impl Postgres {
    /// Starts the server of a data folder, creating both if they do not exist, and returns when it
    /// accepts connections.
    pub async fn start(data: impl Into<PathBuf>, options: Options) -> Result<Self, Error> {
        let (data, stop_wait) = (data.into(), options.stop_wait);
        let application = options.application.clone();
        let signals = Arc::<Signals>::default();
        let (send_started, started) = oneshot::channel();
        let (send_ended, ended) = oneshot::channel();
        let supervisor_signals = signals.clone();
        let supervisor = std::thread::Builder::new()
            .name("postgres".to_owned())
            .spawn(move || {
                match Supervisor::begin(&data, options, supervisor_signals) {
                    Ok(supervisor) => supervisor.run(send_started),
                    Err(error) => _ = send_started.send(Err(error)),
                }
                let _ = send_ended.send(());
            })
            .map_err(Error::Thread)?;
        let socket = started.await.unwrap_or(Err(Error::Unsupervised))?;
        Ok(Self { socket, application, signals, supervisor: Some(supervisor), ended, stop_wait })
    }

    /// How to connect. It stays the same when the server is started again.
    pub fn options(&self) -> PgConnectOptions {
        socket::connect_options(&self.socket, &self.application)
    }

    /// How to connect to a server that another process runs on this data folder for this
    /// application. Fails if there is no such folder; connecting shows whether a server is running.
    pub fn running(data: &Path, application: &str) -> std::io::Result<PgConnectOptions> {
        let socket = socket::socket_folder(&data.canonicalize()?, application);
        Ok(socket::connect_options(&socket, application))
    }

    /// How to connect, as a URL that `psql` accepts.
    pub fn url(&self) -> String {
        socket::url(&self.socket, &self.application)
    }

    /// The server's process id; `None` while it is being restarted.
    pub fn pid(&self) -> Option<i32> {
        self.signals.lock().server.map(Pid::as_raw_pid)
    }

    /// Ends all connections, lets the server write its checkpoint, and returns when it has ended.
    pub async fn stop(mut self) {
        self.signals.stop(Signal::INT);
        if tokio::time::timeout(self.stop_wait, &mut self.ended).await.is_err() {
            tracing::warn!("Postgres did not stop in time and is stopped without a checkpoint");
            self.signals.stop(Signal::QUIT);
            let _ = (&mut self.ended).await;
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.signals.stop(Signal::QUIT);
        if let Some(supervisor) = self.supervisor.take() {
            let _ = supervisor.join();
        }
    }
}

/// The thread that owns the server.
struct Supervisor {
    folder: Folder,
    programs: Programs,
    options: Options,
    signals: Arc<Signals>,
}

impl Supervisor {
    /// Locks the data folder and makes it ready for a server.
    fn begin(data: &Path, options: Options, signals: Arc<Signals>) -> Result<Self, Error> {
        let folder = Folder::open(data, &options.application, options.lock_wait)?;
        let programs = Programs::find(&folder.path, folder.version())?;
        if !folder.has_cluster() {
            let began = Instant::now();
            tracing::info!(postgres.data = %folder.path.display(), "creating a database in {}", folder.path.display());
            folder.make_cluster(&programs)?;
            tracing::info!(postgres.wait_ms = began.elapsed().as_millis(), "created the database");
        }
        wait_for_earlier(&folder, &signals)?;
        Ok(Self { folder, programs, options, signals })
    }

    /// Runs the server, starting it again whenever it dies, until it is stopped. The first start is
    /// reported to the caller; later ones are logged.
    fn run(self, send_started: oneshot::Sender<Result<PathBuf, Error>>) {
        let mut send_started = Some(send_started);
        let mut backoff = BACKOFF_MIN;
        let (began, mut noticed) = (Instant::now(), None::<Instant>);
        loop {
            let started =
                ServerProcess::start(&self.folder, &self.programs, &self.options, &self.signals);
            match (started, send_started.take()) {
                (Ok(server), send_started) => {
                    let is_wanted = send_started
                        .is_none_or(|send| send.send(Ok(self.folder.socket.clone())).is_ok());
                    if !is_wanted {
                        self.signals.stop(Signal::QUIT);
                    }
                    let status = server.wait(&self.signals);
                    (backoff, noticed) = (BACKOFF_MIN, None);
                    if !self.signals.lock().is_stopping {
                        tracing::error!(postgres.status = %status, "Postgres died ({status}) and is started again");
                    }
                }
                (Err(Error::Earlier { .. }), still @ Some(_)) if began.elapsed() < EARLIER_MAX => {
                    send_started = still;
                    backoff = (backoff * 2).min(BACKOFF_MAX);
                }
                (Err(error), Some(send_started)) => {
                    let _ = send_started.send(Err(error));
                    return;
                }
                (Err(error), None) => {
                    if noticed.is_none_or(|time| time.elapsed() > NOTICE_PAUSE) {
                        noticed = Some(Instant::now());
                        tracing::warn!(
                            error = &error as &dyn std::error::Error,
                            "Postgres cannot be started again yet"
                        );
                    }
                    backoff = (backoff * 2).min(BACKOFF_MAX);
                }
            }
            if self.signals.pause(backoff) {
                return;
            }
        }
    }
}
