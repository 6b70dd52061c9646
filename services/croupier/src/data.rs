//! Where the service keeps its things on this machine when nobody says otherwise.

use std::env;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

/// The data folder if none is named: the system's own for root, otherwise the user's.
pub fn default_folder() -> PathBuf {
    if geteuid().is_root() {
        return PathBuf::from("/var/lib/croupier");
    }
    let home = || PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(".local/share");
    let shared =
        env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    shared.unwrap_or_else(home).join("croupier")
}

/// The file that holds the API key of the platform `local`, readable by its owner alone. Serving
/// writes it.
pub fn local_key(folder: &Path) -> PathBuf {
    folder.join("local.key")
}
