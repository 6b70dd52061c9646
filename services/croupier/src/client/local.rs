//! The service that runs on this machine: its data folder, its platform and that platform's key.

use std::env;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

/// The platform that exists from the first start on, for use on the machine itself.
pub const PLATFORM: &str = "local";

/// The data folder unless another is named: the system's for root, otherwise the user's.
pub fn default_folder() -> PathBuf {
    if geteuid().is_root() {
        return PathBuf::from("/var/lib/croupier");
    }
    let home = || PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(".local/share");
    let shared =
        env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    shared.unwrap_or_else(home).join("croupier")
}

/// The file with the API key of [`PLATFORM`], which `croupier serve` writes and only its owner can
/// read.
pub fn key_file(folder: &Path) -> PathBuf {
    folder.join("local.key")
}
