//! Durability: checks that an acknowledged commit survives a crash of the database.

use crate::{Database, Error};

/// A setting of the database server that makes it lose or damage commits when the machine crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// Commits are never forced to the disk.
    FsyncOff,
    /// A page that is half written at a crash stays damaged, unless the file system prevents it.
    FullPageWritesOff,
}

impl Hazard {
    /// The setting as it appears in `postgresql.conf`.
    pub fn setting(self) -> &'static str {
        match self {
            Self::FsyncOff => "fsync = off",
            Self::FullPageWritesOff => "full_page_writes = off",
        }
    }
}

impl Database {
    /// The hazardous settings of the server. A weak `synchronous_commit` is not among them: every
    /// session of this process overrides it.
    pub async fn hazards(&self) -> Result<Vec<Hazard>, Error> {
        let (fsync, full_page_writes, commit): (String, String, String) = sqlx::query_as(
            "select current_setting('fsync'), current_setting('full_page_writes'), reset_val
             from pg_settings
             where name = 'synchronous_commit'",
        )
        .fetch_one(self.pool())
        .await?;
        if !["on", "remote_apply"].contains(&commit.as_str()) {
            tracing::warn!(
                synchronous_commit = commit,
                "the database's default would lose acknowledged commits in a crash; this service \
                 sets it back to `on` in its own sessions"
            );
        }
        let hazards =
            [(fsync, Hazard::FsyncOff), (full_page_writes, Hazard::FullPageWritesOff)].into_iter();
        Ok(hazards.filter(|(value, _)| value == "off").map(|(_, hazard)| hazard).collect())
    }
}
