//! The lock files that a server keeps while it runs: `postmaster.pid` in its cluster, and one
//! beside its socket. Each begins with the id of the server's process.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rustix::process::Pid;

use crate::error::{Error, failed};
use crate::folder::Folder;
use crate::socket;

pub(crate) struct PidFile {
    pub(crate) server: Pid,
    /// The key and the id of the shared memory of the server's processes.
    memory: Option<[u32; 2]>,
    pub(crate) is_ready: bool,
}

impl PidFile {
    /// The one in the cluster.
    pub(crate) fn read(folder: &Folder) -> Option<Self> {
        Self::read_at(&Self::path(folder))
    }

    fn path(folder: &Folder) -> PathBuf {
        folder.cluster.join("postmaster.pid")
    }

    fn read_at(path: &Path) -> Option<Self> {
        let text = fs::read_to_string(path).ok()?;
        let line = |number: usize| text.lines().nth(number - 1).unwrap_or_default().trim();
        let server = line(1).parse().ok().filter(|server| *server > 0).and_then(Pid::from_raw)?;
        Some(Self { server, memory: key_and_id(line(7)), is_ready: line(8) == "ready" })
    }

    /// Removes the lock files of a server that has died. Postgres would take them for those of a
    /// running server if its process is a zombie, or if another program has its process id by now.
    pub(crate) fn remove_stale(folder: &Folder) -> Result<(), Error> {
        for path in [Self::path(folder), socket::lock_file(&folder.socket)] {
            if Self::read_at(&path).is_none_or(|file| file.is_server_of(folder)) {
                continue;
            }
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(failed("remove", &path)(error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Whether its process is a server of this folder.
    pub(crate) fn is_server_of(&self, folder: &Folder) -> bool {
        let name = fs::read_to_string(format!("/proc/{}/comm", self.server)).unwrap_or_default();
        // The command line is empty if the process does not exist or is a zombie.
        let arguments = fs::read(format!("/proc/{}/cmdline", self.server)).unwrap_or_default();
        if name.trim() != "postgres" || arguments.is_empty() {
            return false;
        }
        // A server works in its cluster, however that was named when it was started.
        let works_in = fs::read_link(format!("/proc/{}/cwd", self.server));
        let cluster = folder.cluster.canonicalize();
        let named = folder.cluster.as_os_str().as_encoded_bytes();
        works_in.ok().zip(cluster.ok()).is_some_and(|(one, other)| one == other)
            || arguments.split(|byte| *byte == 0).any(|argument| argument == named)
    }

    /// Whether any of the server's processes is left. They can outlive the server, and no other
    /// server may start while they write.
    pub(crate) fn has_processes(&self) -> bool {
        // "key shmid perms size cpid lpid nattch …"
        let memories = fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
        memories.lines().any(|line| {
            let attached = line.split_whitespace().nth(6);
            self.memory.is_some() && key_and_id(line) == self.memory && attached != Some("0")
        })
    }
}

/// The first two numbers of a line. A key may be written signed or unsigned.
fn key_and_id(line: &str) -> Option<[u32; 2]> {
    let mut numbers =
        line.split_whitespace().map(|number| number.parse::<i64>().map(|number| number as u32));
    Some([numbers.next()?.ok()?, numbers.next()?.ok()?])
}
