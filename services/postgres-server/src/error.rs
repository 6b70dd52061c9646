use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Why the server is not running, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "no Postgres server of version 15 to 18 is installed: install one (on Debian: apt install postgresql)"
    )]
    NoPrograms,
    #[error(
        "the data folder {folder} was created by Postgres {version}, which is not installed: \
         install it (on Debian: apt install postgresql-{version})"
    )]
    OtherVersion { folder: PathBuf, version: u32 },
    #[error(
        "the data folder {folder} is in use by process {holder}: stop that process, or choose another folder"
    )]
    Held { folder: PathBuf, holder: String },
    #[error("the disk of {} is full", folder.display())]
    Full { folder: PathBuf },
    #[error("an earlier server of the data folder has not ended; the end of the log:\n{log}")]
    Earlier { log: String },
    #[error(
        "Postgres refuses to run as root, and there is neither a user postgres nor a user nobody to run it as"
    )]
    NoUser,
    #[error(
        "Postgres runs as user {user}, who cannot enter {parent}: \
         choose another data folder, or allow it with: chmod o+x {parent}"
    )]
    Unreachable { user: String, parent: PathBuf },
    #[error(
        "{0} belongs to another user and cannot hold the socket: remove it, or choose a data folder with a shorter path"
    )]
    ForeignSocket(PathBuf),
    #[error("setpriv is missing, which ties the server's life to this process: install util-linux")]
    NoSetpriv,
    #[error("{program} failed ({status}); the end of its log:\n{log}")]
    Failed { program: &'static str, status: String, log: String },
    #[error("Postgres was not ready within {} seconds; the end of its log:\n{log}", wait.as_secs())]
    Slow { wait: Duration, log: String },
    #[error("cannot {operation} {path}")]
    File { operation: &'static str, path: PathBuf, source: io::Error },
    #[error("cannot start a thread for Postgres")]
    Thread(#[source] io::Error),
    #[error("the thread that supervises Postgres ended early")]
    Unsupervised,
}

impl Error {
    /// Whether the same start succeeds once the disk has room.
    pub fn is_disk_full(&self) -> bool {
        match self {
            Self::Full { .. } => true,
            Self::File { source, .. } => is_full(source.kind()),
            _ => false,
        }
    }
}

fn is_full(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

pub(crate) fn failed(operation: &'static str, path: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::File { operation, path: path.to_owned(), source }
}
