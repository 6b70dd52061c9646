//! The user as whom the server runs, if the application runs as root.

use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

use crate::error::{Error, failed};

pub(crate) struct User {
    name: String,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl User {
    /// The user for a folder: its owner, or that of the folder in which it will be created. Another
    /// user's folder stays that user's. For a folder of root it is `postgres`, or else `nobody`.
    pub(crate) fn of(folder: &Path) -> Result<Self, Error> {
        let owner = folder.ancestors().find_map(|folder| fs::metadata(folder).ok());
        match owner.filter(|owner| owner.uid() != 0) {
            Some(owner) => Ok(Self::owning(&owner)),
            None => Self::find(),
        }
    }

    fn owning(folder: &Metadata) -> Self {
        let (uid, gid) = (folder.uid(), folder.gid());
        let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let is_its = |line: &&str| line.split(':').nth(2) == Some(&uid.to_string());
        let name = users.lines().find(is_its).and_then(|line| line.split(':').next());
        Self { name: name.map_or_else(|| format!("{uid}"), str::to_owned), uid, gid }
    }

    fn find() -> Result<Self, Error> {
        let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let user = ["postgres", "nobody"].iter().find_map(|name| Self::parse(&users, name));
        user.ok_or(Error::NoUser)
    }

    fn parse(users: &str, name: &str) -> Option<Self> {
        // "postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash"
        let mut fields = users
            .lines()
            .map(|line| line.split(':'))
            .find(|fields| fields.clone().next() == Some(name))?;
        let (uid, gid) = (fields.nth(2)?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Self { name: name.to_owned(), uid, gid })
    }

    /// Makes the user the owner of a file or folder.
    pub(crate) fn own(&self, path: &Path) -> Result<(), Error> {
        chown(path, Some(self.uid), Some(self.gid)).map_err(failed("change the owner of", path))
    }

    /// Makes the user the owner of a folder and everything in it.
    pub(crate) fn own_all(&self, path: &Path) -> Result<(), Error> {
        self.own(path)?;
        if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
            for entry in fs::read_dir(path).map_err(failed("read", path))? {
                self.own_all(&entry.map_err(failed("read", path))?.path())?;
            }
        }
        Ok(())
    }

    /// Checks that the user can enter every folder above a path.
    pub(crate) fn check_access(&self, path: &Path) -> Result<(), Error> {
        for parent in path.ancestors().skip(1) {
            let metadata = fs::metadata(parent).map_err(failed("inspect", parent))?;
            if !self.can_enter(&metadata) {
                return Err(Error::Unreachable {
                    user: self.name.clone(),
                    parent: parent.to_owned(),
                });
            }
        }
        Ok(())
    }

    fn can_enter(&self, folder: &Metadata) -> bool {
        let bit = match (folder.uid() == self.uid, folder.gid() == self.gid) {
            (true, true | false) => 0o100,
            (false, true) => 0o010,
            (false, false) => 0o001,
        };
        folder.mode() & bit != 0
    }
}
