//! `postmaster.pid`, the file that a server keeps in its cluster while it runs.

use std::fs;
use std::path::PathBuf;

use rustix::process::Pid;

use crate::folder::Folder;

#[derive(PartialEq, Eq)]
pub(crate) struct PidFile {
    pub(crate) server: Pid,
    /// The key and the id of the shared memory of the server's processes.
    memory: Option<[u32; 2]>,
    pub(crate) is_ready: bool,
}

impl PidFile {
    pub(crate) fn path(folder: &Folder) -> PathBuf {
        folder.cluster.join("postmaster.pid")
    }

    pub(crate) fn read(folder: &Folder) -> Option<Self> {
        let text = fs::read_to_string(Self::path(folder)).ok()?;
        let line = |number: usize| text.lines().nth(number - 1).unwrap_or_default().trim();
        let server = line(1).parse().ok().filter(|server| *server > 0).and_then(Pid::from_raw)?;
        Some(Self { server, memory: key_and_id(line(7)), is_ready: line(8) == "ready" })
    }

    /// Whether its process is a server of this folder.
    pub(crate) fn is_server_of(&self, folder: &Folder) -> bool {
        let cluster = folder.cluster.as_os_str().as_encoded_bytes();
        self.is_postgres()
            && self.arguments().split(|byte| *byte == 0).any(|argument| argument == cluster)
    }

    /// Whether its process is a Postgres server of any folder.
    pub(crate) fn is_postgres(&self) -> bool {
        let name = fs::read_to_string(format!("/proc/{}/comm", self.server)).unwrap_or_default();
        name.trim() == "postgres" && !self.arguments().is_empty()
    }

    /// The command line of its process; empty if the process does not exist or is a zombie.
    fn arguments(&self) -> Vec<u8> {
        fs::read(format!("/proc/{}/cmdline", self.server)).unwrap_or_default()
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
