//! The user as whom a service runs, if it is started as root.

use std::{fs, io};

use rustix::process::{Gid, Uid, geteuid};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};

/// Why the service cannot run as another user.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("only root can let the service run as {0}")]
    NotRoot(String),
    #[error("there is no user {0}")]
    Unknown(String),
    #[error("the service cannot run as {user}")]
    Refused { user: String, source: io::Error },
    /// On Linux, each thread has a user of its own.
    #[error("the process has several threads, so it cannot become another user")]
    Threads,
}

/// A user of this system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    name: String,
    pub uid: u32,
    pub gid: u32,
}

impl User {
    pub fn named(name: &str) -> Result<User, Error> {
        let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
        Self::among(&users, name).ok_or_else(|| Error::Unknown(name.to_owned()))
    }

    fn among(users: &str, name: &str) -> Option<User> {
        // "croupier:x:998:998::/var/lib/croupier:/bin/sh"
        let fields: Vec<&str> = users
            .lines()
            .map(|line| line.split(':').collect::<Vec<_>>())
            .find(|fields| fields.first() == Some(&name))?;
        let (uid, gid) = (fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?);
        Some(User { name: name.to_owned(), uid, gid })
    }

    /// Switches to this user for good. Open files and ports stay open, such as ports below 1024.
    pub fn become_now(&self) -> Result<(), Error> {
        if !geteuid().is_root() {
            return Err(Error::NotRoot(self.name.clone()));
        }
        let threads = fs::read_dir("/proc/self/task").map_or(1, Iterator::count);
        if threads != 1 {
            return Err(Error::Threads);
        }
        let refused = |source: rustix::io::Errno| Error::Refused {
            user: self.name.clone(),
            source: source.into(),
        };
        let (uid, gid) = (Uid::from_raw(self.uid), Gid::from_raw(self.gid));
        set_thread_groups(&[]).map_err(refused)?;
        set_thread_res_gid(gid, gid, gid).map_err(refused)?;
        set_thread_res_uid(uid, uid, uid).map_err(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_found_by_name() {
        let users = "root:x:0:0:root:/root:/bin/bash\ncroupier:x:998:997::/var/lib/croupier:\n";
        let found = User { name: "croupier".to_owned(), uid: 998, gid: 997 };
        assert_eq!(User::among(users, "croupier"), Some(found));
        assert_eq!(User::among(users, "croup"), None);
        assert_eq!(User::among("broken:x", "broken"), None);
    }
}
