//! The socket: the only way to reach the server.

use std::fs::{self, DirBuilder};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use sqlx::postgres::PgConnectOptions;

use crate::error::{Error, failed};
use crate::user::User;

/// A part of the socket's name; nothing listens on a network port.
pub(crate) const PORT: u16 = 5432;
/// The kernel's limit for a socket's path, without its terminating zero.
const SOCKET_PATH_MAX: usize = 107;

/// How to connect through a socket folder as the application's role.
pub(crate) fn connect_options(socket: &Path, application: &str) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(socket)
        .port(PORT)
        .username(application)
        .database("postgres")
}

/// The address as a URL, for other programs.
pub(crate) fn url(socket: &Path, application: &str) -> String {
    format!("postgres:///postgres?host={}&port={PORT}&user={application}", percent_encoded(socket))
}

/// The socket's folder: in the data folder, or among the temporary files if the data folder's path
/// does not fit into a socket's.
pub(crate) fn socket_folder(data: &Path, application: &str) -> PathBuf {
    let inside = data.join("socket");
    if fits_socket(&inside) {
        return inside;
    }
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    std::env::temp_dir().join(format!("{application}-{:016x}", hasher.finish()))
}

/// The file by which a server locks its socket.
pub(crate) fn lock_file(socket: &Path) -> PathBuf {
    socket.join(format!(".s.PGSQL.{PORT}.lock"))
}

/// Creates the socket's folder, or checks the one that exists.
pub(crate) fn make_socket_folder(
    data: &Path,
    application: &str,
    user: Option<&User>,
) -> Result<PathBuf, Error> {
    let folder = socket_folder(data, application);
    make_private(&folder, user)?;
    if folder.starts_with(data) {
        user.map_or(Ok(()), |user| user.own(&folder))?;
        return Ok(folder);
    }
    // Any user may have created a folder of that name among the temporary files.
    let found = fs::symlink_metadata(&folder).map_err(failed("inspect", &folder))?;
    let owner = user.map_or(rustix::process::geteuid().as_raw(), |user| user.uid);
    let is_ours = found.is_dir() && found.uid() == owner && found.mode().trailing_zeros() >= 6;
    if is_ours && fits_socket(&folder) { Ok(folder) } else { Err(Error::ForeignSocket(folder)) }
}

/// Creates a folder that only its owner can enter. Leaves an existing one as it is.
pub(crate) fn make_private(path: &Path, user: Option<&User>) -> Result<(), Error> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(failed("create", parent))?;
    }
    DirBuilder::new().mode(0o700).create(path).map_err(failed("create", path))?;
    user.map_or(Ok(()), |user| user.own(path))
}

/// Whether a folder can hold the socket: its path is short enough, and has none of the characters
/// that separate or quote the items of `unix_socket_directories`.
fn fits_socket(folder: &Path) -> bool {
    let path = folder.join(format!(".s.PGSQL.{PORT}"));
    let path = path.as_os_str().as_encoded_bytes();
    path.len() <= SOCKET_PATH_MAX && !path.iter().any(|byte| b",\" '\\".contains(byte))
}

fn percent_encoded(path: &Path) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(byte);
    let encode = |byte: &u8| {
        if is_plain(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") }
    };
    path.as_os_str().as_encoded_bytes().iter().map(encode).collect()
}
