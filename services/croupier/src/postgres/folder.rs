//! The data folder: who holds it, who owns it, and what is where in it.

use super::Error;
use super::programs::Programs;
use super::server::command;
use std::fs::{self, DirBuilder, File, Metadata, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A data folder, held by this process for as long as this lives.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    /// Where Postgres keeps its files.
    pub(super) cluster: PathBuf,
    /// The folder of the socket that the server is reached through.
    pub(super) socket: PathBuf,
    /// As whom the server runs; none if simply as we do.
    pub(super) user: Option<User>,
    log: PathBuf,
    _lock: File,
}

/// Who runs the server in place of root.
pub(super) struct User {
    name: String,
    pub(super) uid: u32,
    pub(super) gid: u32,
}

/// How long a folder may still be held: a process that was killed a moment ago takes a while to be
/// gone.
const HOLDER_WAIT: Duration = Duration::from_secs(1);
/// A socket's path has to fit into a field of the kernel's, with its closing zero.
const SOCKET_PATH_MAX: usize = 107;
/// The server's log is set aside at this size, when the server starts: there is never more than
/// twice as much, plus one run's.
const LOG_MAX: u64 = 8 << 20;
/// How much of the server's log is quoted when it fails.
const LAST_WORDS_MAX: u64 = 2000;

impl Folder {
    /// Makes the folder if need be, and takes hold of it.
    pub(super) fn take(path: &Path) -> Result<Self, Error> {
        let user = if rustix::process::geteuid().is_root() { Some(User::find()?) } else { None };
        make_private(path, None)?;
        let path = path.canonicalize().map_err(failed("find", path))?;
        let lock = lock(&path)?;
        if let Some(user) = &user {
            user.check_passage(&path)?;
            user.own(&path, false)?;
        }
        let (cluster, log) = (path.join("cluster"), path.join("postgres.log"));
        if let Some(user) = user
            .as_ref()
            .filter(|user| fs::metadata(&cluster).is_ok_and(|cluster| cluster.uid() != user.uid))
        {
            user.own(&cluster, true)?;
        }
        let socket = make_socket_folder(&path, user.as_ref())?;
        Ok(Self { path, cluster, socket, user, log, _lock: lock })
    }

    pub(super) fn has_cluster(&self) -> bool {
        self.cluster.exists()
    }

    /// The version of Postgres that made the cluster, if there is one.
    pub(super) fn version(&self) -> Option<u32> {
        fs::read_to_string(self.cluster.join("PG_VERSION")).ok()?.trim().parse().ok()
    }

    /// Makes an empty cluster. It gets its name when it is complete, so a start that is cut short
    /// leaves nothing half made.
    pub(super) fn make_cluster(&self, programs: &Programs) -> Result<(), Error> {
        let unnamed = self.path.join("cluster.new");
        match fs::remove_dir_all(&unnamed) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(failed("remove", &unnamed)(error));
            }
            _ => {}
        }
        let mut initdb = command(&programs.path("initdb"), self.user.as_ref());
        initdb.arg("--pgdata").arg(&unnamed).args(["--username", super::server::USER]);
        initdb.args(["--encoding=UTF8", "--locale=C", "--data-checksums", "--no-instructions"]);
        // Whoever can reach the socket may use it, and only we can reach it.
        initdb.args(["--auth-local=trust", "--auth-host=reject"]);
        let output = initdb.output().map_err(super::server::unstarted(&programs.path("initdb")))?;
        if !output.status.success() {
            let log = String::from_utf8_lossy(&output.stderr).into_owned();
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

    /// The server's log, to be written behind what is there, and where that is.
    pub(super) fn open_log(&self) -> Result<(File, u64), Error> {
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
        Ok((log, end))
    }

    /// The end of what the server has logged since `start`.
    pub(super) fn last_words(&self, start: u64) -> String {
        let read = || -> io::Result<Vec<u8>> {
            let mut log = File::open(&self.log)?;
            let end = log.metadata()?.len();
            log.seek(SeekFrom::Start(start.max(end.saturating_sub(LAST_WORDS_MAX))))?;
            let mut words = Vec::new();
            log.read_to_end(&mut words)?;
            Ok(words)
        };
        read().map_or_else(
            |error| error.to_string(),
            |words| String::from_utf8_lossy(&words).trim().to_owned(),
        )
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A socket folder among the temporary files is nobody's to tidy up but ours.
        if !self.socket.starts_with(&self.path) {
            let _ = fs::remove_dir(&self.socket);
        }
    }
}

impl User {
    fn find() -> Result<Self, Error> {
        let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let user = ["postgres", "nobody"].iter().find_map(|name| Self::parse(&users, name));
        user.ok_or(Error::NoUser)
    }

    fn parse(users: &str, name: &str) -> Option<Self> {
        // "postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash"
        let mut fields = users
            .lines()
            .map(|line| line.split(':'))
            .find(|fields| fields.clone().next() == Some(name))?;
        let (uid, gid) = (fields.nth(2)?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Self { name: name.to_owned(), uid, gid })
    }

    /// Gives a file to the user, or a folder with all that is in it.
    fn own(&self, path: &Path, is_deep: bool) -> Result<(), Error> {
        chown(path, Some(self.uid), Some(self.gid)).map_err(failed("give away", path))?;
        if is_deep && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
            for entry in fs::read_dir(path).map_err(failed("read", path))? {
                self.own(&entry.map_err(failed("read", path))?.path(), true)?;
            }
        }
        Ok(())
    }

    /// Whether the user may pass through every folder above a path.
    fn check_passage(&self, path: &Path) -> Result<(), Error> {
        for parent in path.ancestors().skip(1) {
            let metadata = fs::metadata(parent).map_err(failed("look at", parent))?;
            if !self.may_pass(&metadata) {
                return Err(Error::Unreachable {
                    user: self.name.clone(),
                    parent: parent.to_owned(),
                });
            }
        }
        Ok(())
    }

    fn may_pass(&self, folder: &Metadata) -> bool {
        let bit = match (folder.uid() == self.uid, folder.gid() == self.gid) {
            (true, _) => 0o100,
            (_, true) => 0o010,
            _ => 0o001,
        };
        folder.mode() & bit != 0
    }
}

/// Holds the folder for this process. The kernel lets go of it when the process ends, however it
/// ends.
fn lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join("lock");
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let mut lock = options.open(&path).map_err(failed("open", &path))?;
    let began = Instant::now();
    while let Err(error) = lock.try_lock() {
        match error {
            TryLockError::WouldBlock if began.elapsed() < HOLDER_WAIT => {
                std::thread::sleep(HOLDER_WAIT / 100)
            }
            TryLockError::WouldBlock => {
                let holder = fs::read_to_string(&path).unwrap_or_default().trim().to_owned();
                return Err(Error::Held { folder: folder.to_owned(), holder });
            }
            TryLockError::Error(source) => return Err(failed("lock", &path)(source)),
        }
    }
    let write = lock.set_len(0).and_then(|()| writeln!(lock, "{}", std::process::id()));
    write.map_err(failed("write", &path))?;
    Ok(lock)
}

/// The socket's folder: in the data folder, or, if that has a name that does not fit a socket's
/// path, among the temporary files.
pub(super) fn socket_folder(data: &Path) -> PathBuf {
    let near = data.join("socket");
    if fits_socket(&near) {
        return near;
    }
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    std::env::temp_dir().join(format!("croupier-{:016x}", hasher.finish()))
}

fn make_socket_folder(data: &Path, user: Option<&User>) -> Result<PathBuf, Error> {
    let far = socket_folder(data);
    make_private(&far, user)?;
    if far.starts_with(data) {
        return Ok(far);
    }
    // Anybody may put something there before us.
    let found = fs::symlink_metadata(&far).map_err(failed("look at", &far))?;
    let owner = user.map_or(rustix::process::geteuid().as_raw(), |user| user.uid);
    let is_ours = found.is_dir() && found.uid() == owner && found.mode().trailing_zeros() >= 6;
    if is_ours && fits_socket(&far) { Ok(far) } else { Err(Error::ForeignSocket(far)) }
}

/// Whether a folder can be the socket's: its path is short, and has nothing in it that a list of
/// folders is parted by.
fn fits_socket(folder: &Path) -> bool {
    let path = folder.join(format!(".s.PGSQL.{}", super::server::PORT));
    let path = path.as_os_str().as_encoded_bytes();
    path.len() <= SOCKET_PATH_MAX && !path.iter().any(|byte| b",\" '\\".contains(byte))
}

/// Makes a folder that nobody but its owner may enter; leaves one alone that is there.
fn make_private(path: &Path, user: Option<&User>) -> Result<(), Error> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed("make", parent))?;
    }
    DirBuilder::new().mode(0o700).create(path).map_err(failed("make", path))?;
    user.map_or(Ok(()), |user| user.own(path, false))
}

pub(super) fn failed(deed: &'static str, path: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::File { deed, path: path.to_owned(), source }
}
