//! The server process, from its start to its end.

use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use crate::command::{command, unstarted};
use crate::error::{Error, failed};
use crate::folder::Folder;
use crate::options::Options;
use crate::pid_file::PidFile;
use crate::programs::Programs;
use crate::signals::Signals;
use crate::socket::PORT;

/// A server that accepts connections.
pub(crate) struct ServerProcess {
    child: Child,
}

enum Readiness {
    Ready,
    Ended,
    Slow,
}

/// Detects the end of the server without reaping it. Until it is reaped its process id is not
/// reused, so signals can be sent to it.
const ENDED: WaitIdOptions = WaitIdOptions::EXITED.union(WaitIdOptions::NOWAIT);
/// How often a starting or ending server is polled.
const POLL: Duration = Duration::from_millis(10);
/// How often a long start is logged.
const PROGRESS: Duration = Duration::from_secs(5);
/// How long a server whose application has died may take to end before it is sent a signal. It
/// normally ends at once, unless it is in a long write.
const EARLIER_WAIT: Duration = Duration::from_secs(3);
/// How long to wait for such a server in all.
pub(crate) const EARLIER_MAX: Duration = Duration::from_secs(30);

impl ServerProcess {
    /// Starts the server and waits until it is ready.
    pub(crate) fn start(
        folder: &Folder,
        programs: &Programs,
        options: &Options,
        signals: &Signals,
    ) -> Result<Self, Error> {
        let (log, log_start) = folder.open_log()?;
        let program = programs.path("postgres");
        let mut postgres = command(&program, folder.user.as_ref());
        postgres.arg("-D").arg(&folder.cluster);
        for (name, value) in settings(folder, options) {
            postgres.arg("-c").arg(format!("{name}={value}"));
        }
        let errors = log.try_clone().map_err(failed("open the log in", &folder.path))?;
        postgres.stdin(Stdio::null()).stdout(log).stderr(errors);
        // The lock spans the check and the start, so a stop either prevents the server or reaches
        // it.
        let server = {
            let mut state = signals.lock();
            if state.is_stopping {
                return Err(Error::Unsupervised);
            }
            let child = postgres.spawn().map_err(unstarted(&program))?;
            state.server = Some(Pid::from_child(&child));
            Self { child }
        };
        let readiness = server.wait_ready(folder, options);
        if let Readiness::Ready = readiness {
            return Ok(server);
        }
        let _ = kill_process(server.pid(), Signal::QUIT);
        let status = server.wait(signals).to_string();
        let log = folder.log_end(log_start);
        Err(match readiness {
            Readiness::Slow => Error::Slow { wait: options.start_wait, log },
            _ if folder.is_full(&log) => Error::Full { folder: folder.path.clone() },
            _ if has_earlier(&log) => Error::Earlier { log },
            Readiness::Ended | Readiness::Ready => {
                Error::Failed { program: "postgres", status, log }
            }
        })
    }

    /// Waits until the server ends, and returns its exit status.
    pub(crate) fn wait(mut self, signals: &Signals) -> ExitStatus {
        while waitid(WaitId::Pid(self.pid()), ENDED).is_err_and(|error| error == Errno::INTR) {}
        let mut state = signals.lock();
        state.server = None;
        self.child.wait().expect("a child that has ended can be waited for")
    }

    fn wait_ready(&self, folder: &Folder, options: &Options) -> Readiness {
        let began = Instant::now();
        let mut progress = began + PROGRESS;
        while !PidFile::read(folder).is_some_and(|file| file.is_ready && file.server == self.pid())
        {
            if let Ok(Some(_)) = waitid(WaitId::Pid(self.pid()), ENDED | WaitIdOptions::NOHANG) {
                return Readiness::Ended;
            }
            if began.elapsed() > options.start_wait {
                return Readiness::Slow;
            }
            if Instant::now() > progress {
                progress += PROGRESS;
                tracing::info!(
                    postgres.wait_s = began.elapsed().as_secs(),
                    "Postgres is still starting"
                );
            }
            std::thread::sleep(POLL);
        }
        Readiness::Ready
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

/// The settings on the server's command line, which override those of its configuration files.
fn settings(folder: &Folder, options: &Options) -> Vec<(String, String)> {
    let fixed = [
        ("listen_addresses", ""),
        ("port", &PORT.to_string()),
        ("unix_socket_directories", &folder.socket.to_string_lossy()),
        ("unix_socket_permissions", "0700"),
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("cluster_name", &options.application),
    ];
    let fixed = fixed.map(|(name, value)| (name.to_owned(), value.to_owned()));
    fixed.into_iter().chain(options.settings.iter().cloned()).collect()
}

/// Whether the log says that processes of an earlier server are left. They cannot be seen where
/// `/proc` is restricted.
fn has_earlier(log: &str) -> bool {
    log.contains("pre-existing shared memory block")
        || log.contains("lock file \"") && log.contains("already exists")
}

/// Waits until a server that an earlier process left on the folder has ended, with all of its own
/// processes. It normally ends by itself, and is sent a signal if it does not. Removes its lock
/// files if it died without doing so.
pub(crate) fn wait_for_earlier(folder: &Folder, signals: &Signals) -> Result<(), Error> {
    let began = Instant::now();
    let mut is_signalled = false;
    while let Some(file) = PidFile::read(folder)
        && (file.is_server_of(folder) || file.has_processes())
    {
        if began.elapsed() > EARLIER_WAIT && !is_signalled && file.is_server_of(folder) {
            is_signalled = true;
            tracing::warn!(
                postgres.pid = file.server.as_raw_pid(),
                "stopping a server that an earlier run left behind"
            );
            let _ = kill_process(file.server, Signal::INT);
        }
        if began.elapsed() > EARLIER_MAX || signals.pause(POLL) {
            return Ok(());
        }
    }
    PidFile::remove_stale(folder)
}
