//! The data folder: its lock, its owner and its files.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::command::{command, unstarted};
use crate::error::{Error, failed};
use crate::programs::Programs;
use crate::socket::{make_private, make_socket_folder};
use crate::user::User;

/// A data folder, locked by this process until this is dropped.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// The folder of Postgres' files.
    pub(crate) cluster: PathBuf,
    /// The folder of the socket.
    pub(crate) socket: PathBuf,
    /// The user as whom the server runs; `None` for our own user.
    pub(crate) user: Option<User>,
    application: String,
    log: PathBuf,
    _lock: File,
}

/// How often another process is waited for.
const LOCK_POLL: Duration = Duration::from_millis(10);
/// After this time, waiting for another process is logged.
const LOCK_NOTICE: Duration = Duration::from_secs(1);
/// With less room, a server's failure to start is one of its disk: not even its lock files and its
/// log fit. With more, its log says what is missing.
const ROOM_MIN: u64 = 1 << 20;
/// How programs report a disk without room, in the language that they are started with.
const NO_ROOM: [&str; 2] = ["No space left on device", "Disk quota exceeded"];
/// The server's log is rotated at this size when the server starts, so there is at most twice as
/// much, plus the log of one run.
const LOG_MAX: u64 = 8 << 20;
/// How much of the server's log an error quotes.
const LOG_QUOTE_MAX: u64 = 2000;

impl Folder {
    /// Creates the folder if it is missing, and locks it.
    pub(crate) fn open(path: &Path, application: &str, lock_wait: Duration) -> Result<Self, Error> {
        let is_root = rustix::process::geteuid().is_root();
        let user = if is_root { Some(User::of(path)?) } else { None };
        make_private(path, None)?;
        let path = path.canonicalize().map_err(failed("find", path))?;
        let lock = lock(&path, lock_wait)?;
        if let Some(user) = &user {
            user.check_access(&path)?;
            user.own(&path)?;
            // An application that later runs as this user opens it too.
            user.own(&path.join("lock"))?;
        }
        let (cluster, log) = (path.join("cluster"), path.join("postgres.log"));
        if let Some(user) = user
            .as_ref()
            .filter(|user| fs::metadata(&cluster).is_ok_and(|cluster| cluster.uid() != user.uid))
        {
            user.own_all(&cluster)?;
        }
        let socket = make_socket_folder(&path, application, user.as_ref())?;
        let application = application.to_owned();
        Ok(Self { path, cluster, socket, user, application, log, _lock: lock })
    }

    pub(crate) fn has_cluster(&self) -> bool {
        self.cluster.exists()
    }

    /// The version of Postgres that created the cluster, if there is one.
    pub(crate) fn version(&self) -> Option<u32> {
        fs::read_to_string(self.cluster.join("PG_VERSION")).ok()?.trim().parse().ok()
    }

    /// Creates an empty cluster. It is renamed into place once complete, so an interrupted start
    /// leaves no partial cluster.
    pub(crate) fn make_cluster(&self, programs: &Programs) -> Result<(), Error> {
        let unnamed = self.path.join("cluster.new");
        match fs::remove_dir_all(&unnamed) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failed("remove", &unnamed)(error));
            }
            Ok(()) | Err(_) => {}
        }
        let mut initdb = command(&programs.path("initdb"), self.user.as_ref());
        initdb.arg("--pgdata").arg(&unnamed).args(["--username", &self.application]);
        initdb.args(["--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions"]);
        // The permissions of the socket's folder are the access control.
        initdb.args(["--auth-local=trust", "--auth-host=reject"]);
        let output = initdb.output().map_err(unstarted(&programs.path("initdb")))?;
        if !output.status.success() {
            let log = String::from_utf8_lossy(&output.stderr).into_owned();
            if self.is_full(&log) {
                let _ = fs::remove_dir_all(&unnamed);
                return Err(Error::Full { folder: self.path.clone() });
            }
            return Err(Error::Failed {
                program: "initdb",
                status: output.status.to_string(),
                log,
            });
        }
        fs::rename(&unnamed, &self.cluster).map_err(failed("rename", &unnamed))?;
        File::open(&self.path)
            .and_then(|folder| folder.sync_all())
            .map_err(failed("sync", &self.path))
    }

    /// Whether a program that failed, with this log, has run out of space.
    pub(crate) fn is_full(&self, log: &str) -> bool {
        let has_no_room = |path: &PathBuf| {
            let room = rustix::fs::statvfs(path).map(|disk| disk.f_bavail * disk.f_frsize);
            room.is_ok_and(|room| room < ROOM_MIN)
        };
        let disks = [self.path.clone(), self.cluster.clone(), self.cluster.join("pg_wal")];
        NO_ROOM.iter().any(|it| log.contains(it)) || disks.iter().any(has_no_room)
    }

    /// The server's log, opened for appending, and its current length.
    pub(crate) fn open_log(&self) -> Result<(File, u64), Error> {
        if fs::metadata(&self.log).is_ok_and(|log| log.len() > LOG_MAX) {
            fs::rename(&self.log, self.log.with_extension("log.1"))
                .map_err(failed("rename", &self.log))?;
        }
        let log = File::options()
            .create(true)
            .append(true)
            .open(&self.log)
            .map_err(failed("open", &self.log))?;
        let end = log.metadata().map_err(failed("open", &self.log))?.len();
        if let Some(user) = &self.user {
            user.own(&self.log)?;
        }
        Ok((log, end))
    }

    /// The end of what the server has logged since the offset `start`.
    pub(crate) fn log_end(&self, start: u64) -> String {
        let read = || -> io::Result<Vec<u8>> {
            let mut log = File::open(&self.log)?;
            let end = log.metadata()?.len();
            log.seek(SeekFrom::Start(start.max(end.saturating_sub(LOG_QUOTE_MAX))))?;
            let mut text = Vec::new();
            log.read_to_end(&mut text)?;
            Ok(text)
        };
        read().map_or_else(
            |error| error.to_string(),
            |text| String::from_utf8_lossy(&text).trim().to_owned(),
        )
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A socket folder among the temporary files would otherwise stay there.
        if !self.socket.starts_with(&self.path) {
            let _ = fs::remove_dir(&self.socket);
        }
    }
}

/// Locks the folder for this process. The kernel releases the lock when the process ends in any
/// way.
fn lock(folder: &Path, wait: Duration) -> Result<File, Error> {
    let path = folder.join("lock");
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let mut lock = options.open(&path).map_err(failed("open", &path))?;
    let (began, mut is_noticed) = (Instant::now(), false);
    while let Err(error) = lock.try_lock() {
        match error {
            TryLockError::WouldBlock if began.elapsed() < wait => {
                if began.elapsed() > LOCK_NOTICE && !is_noticed {
                    is_noticed = true;
                    let holder = holder(&path);
                    tracing::warn!(
                        "waiting for process {holder} to release {}, for {} s at most",
                        folder.display(),
                        wait.as_secs(),
                    );
                }
                std::thread::sleep(LOCK_POLL);
            }
            TryLockError::WouldBlock => {
                return Err(Error::Held { folder: folder.to_owned(), holder: holder(&path) });
            }
            TryLockError::Error(source) => return Err(failed("lock", &path)(source)),
        }
    }
    let write = lock.set_len(0).and_then(|()| writeln!(lock, "{}", std::process::id()));
    write.map_err(failed("write", &path))?;
    Ok(lock)
}

/// The process that has the lock.
fn holder(lock: &Path) -> String {
    fs::read_to_string(lock).unwrap_or_default().trim().to_owned()
}
