//! Finding the Postgres programs that are installed on the machine.

use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;

/// The programs of one installed Postgres.
pub(crate) struct Programs {
    folder: PathBuf,
    version: u32,
}

/// The versions whose settings and files this crate knows.
const VERSIONS: RangeInclusive<u32> = 15..=18;

impl Programs {
    /// The newest supported version or, if the data folder has a cluster, the version that created
    /// it.
    pub(crate) fn find(data: &Path, version: Option<u32>) -> Result<Self, Error> {
        let mut found: Vec<_> = candidates().filter_map(Self::inspect).collect();
        found.sort_by_key(|programs| programs.version);
        match version {
            None => found.pop().ok_or(Error::NoPrograms),
            Some(version) => found
                .into_iter()
                .find(|programs| programs.version == version)
                .ok_or_else(|| Error::OtherVersion { folder: data.to_owned(), version }),
        }
    }

    pub(crate) fn path(&self, program: &str) -> PathBuf {
        self.folder.join(program)
    }

    /// The programs in a folder, if it has those of a supported version.
    fn inspect(folder: PathBuf) -> Option<Self> {
        if !folder.join("initdb").is_file() {
            return None;
        }
        // "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"
        let output = output(Command::new(folder.join("postgres")).arg("--version"))?;
        let version = output
            .split_whitespace()
            .nth(2)?
            .split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()?;
        VERSIONS.contains(&version).then_some(Self { folder, version })
    }
}

/// The folders that may have server programs: the one that `pg_config` names, those of `PATH`, and
/// those where distributions install several versions side by side.
fn candidates() -> impl Iterator<Item = PathBuf> {
    let configured =
        output(Command::new("pg_config").arg("--bindir")).map(|path| PathBuf::from(path.trim()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path: Vec<_> = std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
    let debian = subfolders("/usr/lib/postgresql").map(|version| version.join("bin"));
    let fedora = subfolders("/usr")
        .filter(|folder| starts_with(folder, "pgsql-"))
        .map(|version| version.join("bin"));
    configured.into_iter().chain(path).chain(debian).chain(fedora)
}

fn subfolders(folder: impl AsRef<Path>) -> impl Iterator<Item = PathBuf> {
    folder.as_ref().read_dir().into_iter().flatten().flatten().map(|entry| entry.path())
}

fn starts_with(folder: &Path, start: &str) -> bool {
    folder.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(start))
}

/// The output of a program; `None` if it is not installed or fails.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}
