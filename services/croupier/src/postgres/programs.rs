//! Finding the machine's Postgres server programs.

use super::Error;
use super::folder::Folder;
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs of one installed Postgres.
pub(super) struct Programs {
    folder: PathBuf,
    version: u32,
}

/// The versions that the migrations are written for.
const VERSIONS: RangeInclusive<u32> = 15..=18;

impl Programs {
    /// The newest that fits; for a folder with a cluster in it, those that made it.
    pub(super) fn find(folder: &Folder) -> Result<Self, Error> {
        let mut found: Vec<_> = places().filter_map(Self::look).collect();
        found.sort_by_key(|programs| programs.version);
        match folder.version() {
            None => found.pop().ok_or(Error::NoPrograms),
            Some(version) => found
                .into_iter()
                .find(|programs| programs.version == version)
                .ok_or_else(|| Error::OtherVersion { folder: folder.path.clone(), version }),
        }
    }

    pub(super) fn path(&self, program: &str) -> PathBuf {
        self.folder.join(program)
    }

    /// Whether a folder holds what is needed, of a version that fits.
    fn look(folder: PathBuf) -> Option<Self> {
        if !folder.join("initdb").is_file() {
            return None;
        }
        // "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"
        let told = told(Command::new(folder.join("postgres")).arg("--version"))?;
        let version = told
            .split_whitespace()
            .nth(2)?
            .split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()?;
        VERSIONS.contains(&version).then_some(Self { folder, version })
    }
}

/// Where server programs are: where the machine says, in the path, and where distributions put
/// several versions side by side.
fn places() -> impl Iterator<Item = PathBuf> {
    let told =
        told(Command::new("pg_config").arg("--bindir")).map(|told| PathBuf::from(told.trim()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path: Vec<_> = std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
    let debian = subfolders("/usr/lib/postgresql").map(|version| version.join("bin"));
    let fedora = subfolders("/usr")
        .filter(|folder| starts_with(folder, "pgsql-"))
        .map(|version| version.join("bin"));
    told.into_iter().chain(path).chain(debian).chain(fedora)
}

fn subfolders(folder: impl AsRef<Path>) -> impl Iterator<Item = PathBuf> {
    folder.as_ref().read_dir().into_iter().flatten().flatten().map(|entry| entry.path())
}

fn starts_with(folder: &Path, start: &str) -> bool {
    folder.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(start))
}

/// What a program says, if it is there and succeeds.
fn told(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}
