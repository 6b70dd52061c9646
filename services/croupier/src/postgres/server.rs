//! The server process: from its start, through its being ready, to its end.

use super::folder::{Folder, User, failed};
use super::programs::Programs;
use super::{Error, Options, Shared};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Names the socket; nothing listens on a network.
pub(super) const PORT: u16 = 5432;
pub(super) const USER: &str = "croupier";

/// A server that takes connections.
pub(super) struct Server {
    child: Child,
}

enum Readiness {
    Ready,
    Ended,
    Slow,
}

/// To see that a server has ended without reaping it: until then its number is its own, and signals
/// may be sent to it.
const ENDED: WaitIdOptions = WaitIdOptions::EXITED.union(WaitIdOptions::NOWAIT);
/// How often a starting server is looked at.
const LOOK: Duration = Duration::from_millis(10);
/// How often a start that takes long is spoken of.
const PROGRESS: Duration = Duration::from_secs(5);
/// How long a server that has lost its service is given to end by itself; it does so at once,
/// unless it stood in a long write.
const EARLIER_WAIT: Duration = Duration::from_secs(3);
/// How long it is waited for at all. After that Postgres itself refuses to start, and says why.
const EARLIER_MAX: Duration = Duration::from_secs(30);

impl Server {
    /// Starts the server and waits until it is ready.
    pub(super) fn start(
        folder: &Folder,
        programs: &Programs,
        options: &Options,
        shared: &Shared,
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
        // In one step with a stop, which thereby either prevents the server or reaches it.
        let server = {
            let mut state = shared.lock();
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
        let status = server.wait(shared).to_string();
        let log = folder.last_words(log_start);
        Err(match readiness {
            Readiness::Slow => Error::Slow { wait: options.start_wait, log },
            _ => Error::Failed { program: "postgres", status, log },
        })
    }

    /// Waits until the server ends, and says how it did.
    pub(super) fn wait(mut self, shared: &Shared) -> ExitStatus {
        while waitid(WaitId::Pid(self.pid()), ENDED).is_err_and(|error| error == Errno::INTR) {}
        let mut state = shared.lock();
        state.server = None;
        self.child.wait().expect("a child that has ended can be waited for")
    }

    fn wait_ready(&self, folder: &Folder, options: &Options) -> Readiness {
        let began = Instant::now();
        let mut progress = began + PROGRESS;
        while !Mark::read(folder).is_some_and(|mark| mark.is_ready && mark.server == self.pid()) {
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
            std::thread::sleep(LOOK);
        }
        Readiness::Ready
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

/// A program that ends when the thread that starts it does, in a process group of its own, so that
/// a ctrl-c in the terminal is ours to handle; and if we are root, as somebody else.
pub(super) fn command(program: &Path, user: Option<&User>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "QUIT", "--"]).arg(program);
    command.process_group(0).current_dir("/").env("LC_ALL", "C");
    if let Some(user) = user {
        command.gid(user.gid).uid(user.uid);
    }
    command
}

/// Why a [`command`] did not even start.
pub(super) fn unstarted(program: &Path) -> impl Fn(io::Error) -> Error {
    move |source| match source.kind() {
        io::ErrorKind::NotFound => Error::NoSetpriv,
        _ => failed("run", program)(source),
    }
}

/// What is set on the server's command line, and so above whatever its configuration files say.
fn settings(folder: &Folder, options: &Options) -> Vec<(String, String)> {
    let ours = [
        ("listen_addresses", ""),
        ("port", &PORT.to_string()),
        ("unix_socket_directories", &folder.socket.to_string_lossy()),
        ("unix_socket_permissions", "0700"),
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("cluster_name", "croupier"),
    ];
    let ours = ours.map(|(name, value)| (name.to_owned(), value.to_owned()));
    ours.into_iter().chain(options.settings.iter().cloned()).collect()
}

/// Waits until a server that an earlier service left on the folder is gone, with all of its
/// processes; it ends by itself, and is told to if it does not. Clears away its mark if it died
/// without doing so.
pub(super) fn outlast_earlier(folder: &Folder, shared: &Shared) -> Result<(), Error> {
    let Some(mark) = Mark::read(folder) else { return Ok(()) };
    let began = Instant::now();
    let mut is_told = false;
    while mark.is_served(folder) || mark.is_shared() {
        if began.elapsed() > EARLIER_WAIT && !is_told && mark.is_served(folder) {
            is_told = true;
            tracing::warn!(
                postgres.pid = mark.server.as_raw_pid(),
                "stopping a server that an earlier run left behind"
            );
            let _ = kill_process(mark.server, Signal::INT);
        }
        if began.elapsed() > EARLIER_MAX || shared.pause(LOOK) {
            return Ok(());
        }
    }
    // Its number may be another program's by now, which Postgres would take for a running server.
    if Mark::read(folder).as_ref() == Some(&mark) && !mark.is_postgres() {
        let path = Mark::path(folder);
        fs::remove_file(&path).map_err(failed("remove", &path))?;
    }
    Ok(())
}

/// The mark that a server leaves in its cluster while it runs: `postmaster.pid`.
#[derive(PartialEq, Eq)]
struct Mark {
    server: Pid,
    /// The key and the id of the memory that its processes share.
    memory: Option<[u32; 2]>,
    is_ready: bool,
}

impl Mark {
    fn path(folder: &Folder) -> PathBuf {
        folder.cluster.join("postmaster.pid")
    }

    fn read(folder: &Folder) -> Option<Self> {
        let mark = fs::read_to_string(Self::path(folder)).ok()?;
        let line = |number: usize| mark.lines().nth(number - 1).unwrap_or_default().trim();
        let server = line(1).parse().ok().filter(|server| *server > 0).and_then(Pid::from_raw)?;
        Some(Self { server, memory: key_and_id(line(7)), is_ready: line(8) == "ready" })
    }

    /// Whether its process is a server of this folder.
    fn is_served(&self, folder: &Folder) -> bool {
        let cluster = folder.cluster.as_os_str().as_encoded_bytes();
        self.is_postgres()
            && self.arguments().split(|byte| *byte == 0).any(|argument| argument == cluster)
    }

    /// Whether its process is a Postgres, of whatever folder.
    fn is_postgres(&self) -> bool {
        let name = fs::read_to_string(format!("/proc/{}/comm", self.server)).unwrap_or_default();
        name.trim() == "postgres" && !self.arguments().is_empty()
    }

    /// With what the process was called; nothing if there is none, or only its remains.
    fn arguments(&self) -> Vec<u8> {
        fs::read(format!("/proc/{}/cmdline", self.server)).unwrap_or_default()
    }

    /// Whether any of the server's processes is left: they may outlive it, and while they write,
    /// nobody else must.
    fn is_shared(&self) -> bool {
        // "key shmid perms size cpid lpid nattch …"
        let memories = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
        memories.lines().any(|line| {
            let attached = line.split_whitespace().nth(6);
            self.memory.is_some() && key_and_id(line) == self.memory && attached != Some("0")
        })
    }
}

/// The first two numbers of a line. A key may be written with a sign or without.
fn key_and_id(line: &str) -> Option<[u32; 2]> {
    let mut numbers =
        line.split_whitespace().map(|number| number.parse::<i64>().map(|number| number as u32));
    Some([numbers.next()?.ok()?, numbers.next()?.ok()?])
}
