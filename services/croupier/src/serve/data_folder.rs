//! The data folder of a service, and the API key in it.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, chown, fchown};
use std::path::{Path, PathBuf};

use accounts::Accounts;
use api::ApiKey;
use matches::operators::{Operator, Who};
use rustix::process::geteuid;

use super::user::User;
use crate::client::local;
use crate::process::patience::Passing;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot use the data folder {path}")]
    Folder { path: PathBuf, source: io::Error },
    #[error("{path} does not contain an API key: remove the file to get a new one")]
    Key { path: PathBuf },
    #[error("the database cannot be opened")]
    Database(#[from] database::Error),
    #[error("the system provides no random numbers")]
    Random(#[from] getrandom::Error),
}

/// Creates the data folder. Other users can enter it, since Postgres may run as another user; its
/// files have stricter modes.
///
/// A new folder belongs to the user to which the service switches.
pub fn make_folder(path: &Path, user: Option<&User>) -> Result<(), Error> {
    let is_new = !path.exists();
    let created = fs::DirBuilder::new().recursive(true).mode(0o755).create(path);
    let owned = created.and_then(|()| match user {
        Some(user) if is_new => chown(path, Some(user.uid), Some(user.gid)),
        _ => Ok(()),
    });
    owned.map_err(|source| Error::Folder { path: path.to_owned(), source })
}

/// Reads the API key of the platform `local` from the data folder, or creates it there. Its hash is
/// written to the database if it is missing: the database may be a new one.
pub async fn local_key(accounts: &Accounts, folder: &Path) -> Result<ApiKey, Error> {
    let path = local::key_file(folder);
    let key: ApiKey = match fs::read_to_string(&path) {
        Ok(text) => text.trim().parse().map_err(|_| Error::Key { path: path.clone() })?,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = ApiKey::new(local::PLATFORM)?;
            write_secret(&path, &format!("{key}\n"))
                .map_err(|source| Error::Folder { path: path.clone(), source })?;
            key
        }
        Err(source) => return Err(Error::Folder { path, source }),
    };
    let known = accounts.list_platform_keys(&key.platform, None, i64::MAX).await?;
    // All nodes of a database have these keys, so none can be written while a node is unreachable.
    if known.iter().all(|it| it.key_id != key.key_id) {
        let now = accounts.database().clock().now();
        let operator = Operator::new(accounts.database(), Who::Service);
        operator.create_platform(&key.platform, now).await?;
        operator
            .create_platform_key(&key.platform, &key.key_id, key.hash().as_bytes(), now)
            .await?;
    }
    Ok(key)
}

impl Passing for Error {
    fn waits_for(&self) -> Option<String> {
        match self {
            Error::Folder { path, source } => {
                let full = [ErrorKind::StorageFull, ErrorKind::QuotaExceeded];
                let is_full = full.contains(&source.kind());
                is_full.then(|| format!("room on the disk of {}", path.display()))
            }
            Error::Database(error) => error.waits_for(),
            Error::Key { .. } | Error::Random(_) => None,
        }
    }
}

/// Writes a new file. It appears whole: one that was begun on a full disk would keep the service
/// from starting.
fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let begun = path.with_extension("new");
    let written = write_private(&begun, text).and_then(|()| fs::rename(&begun, path));
    if written.is_err() {
        let _ = fs::remove_file(&begun);
    }
    written
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    // In a service user's folder, root must leave no file that this user cannot read.
    if geteuid().is_root()
        && let Some(folder) = path.parent()
    {
        let owner = fs::metadata(folder)?;
        fchown(&file, Some(owner.uid()), Some(owner.gid()))?;
    }
    file.sync_all()
}
