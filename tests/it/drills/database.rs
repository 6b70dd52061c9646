//! Databases as operators run them: a primary with a standby that receives its log, and copies of a
//! data folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use postgres_server::Postgres;
use sqlx::postgres::PgConnection;
use tokio::process::Command;

use crate::connecting::{execute, host};
use crate::harness::*;

/// A primary and its standby.
pub struct Pair {
    primary: Option<Postgres>,
    standby: Postgres,
    /// For a service, which uses the one that accepts writes.
    pub url: String,
}

impl Pair {
    pub async fn open(folder: &Path) -> Pair {
        let (one, two) = (folder.join("one"), folder.join("two"));
        copy_cluster(&one).await;
        let primary = start_postgres(&one).await;
        copy_running(&primary, &one, &two, &["--write-recovery-conf"]).await;
        let standby = start_postgres(&two).await;
        let hosts = [&one, &two].map(|folder| host(&folder.join("socket"))).join(",");
        let url = format!("postgres://croupier@{hosts}/postgres?target_session_attrs=read-write");
        let pair = Pair { primary: Some(primary), standby, url };
        let mut database = pair.primary().await;
        until("the standby receives the log", async || {
            let streaming = "select count(*) from pg_stat_replication where state = 'streaming'";
            let count: i64 = sqlx::query_scalar(streaming).fetch_one(&mut database).await.ok()?;
            (count == 1).then_some(())
        })
        .await;
        pair
    }

    /// From now on nothing is acknowledged before the standby has it.
    pub async fn make_synchronous(&self) {
        let primary = self.primary.as_ref().expect("it runs");
        execute(primary, "alter system set synchronous_standby_names = '*'").await;
        execute(primary, "select pg_reload_conf()").await;
        let mut database = self.primary().await;
        until("the standby is synchronous", async || {
            let states = "select sync_state from pg_stat_replication";
            let state: String = sqlx::query_scalar(states).fetch_one(&mut database).await.ok()?;
            (state == "sync").then_some(())
        })
        .await;
    }

    /// From now on the standby receives nothing.
    pub async fn cut(&self) {
        execute(&self.standby, "alter system set primary_conninfo = ''").await;
        execute(&self.standby, "select pg_reload_conf()").await;
        let mut database = self.standby().await;
        until("the standby is cut off", async || {
            let receivers = "select count(*) from pg_stat_wal_receiver";
            let count: i64 = sqlx::query_scalar(receivers).fetch_one(&mut database).await.ok()?;
            (count == 0).then_some(())
        })
        .await;
    }

    /// Cuts the standby off, and waits until it lacks so many entries.
    pub async fn fall_behind(&self, entries: i64) {
        self.cut().await;
        let (mut primary, mut standby) = (self.primary().await, self.standby().await);
        until("the standby lacks entries", async || {
            let lacks = count(&mut primary).await - count(&mut standby).await;
            (lacks >= entries).then_some(())
        })
        .await;
    }

    pub async fn primary(&self) -> PgConnection {
        connect(&self.primary.as_ref().expect("it runs").options()).await
    }

    pub async fn standby(&self) -> PgConnection {
        connect(&self.standby.options()).await
    }

    /// The primary is gone, in the middle of whatever it does.
    pub fn lose_primary(&mut self) {
        drop(self.primary.take().expect("it runs"));
    }

    /// The standby accepts writes from now on.
    pub async fn promote(&self, folder: &Path) {
        let cluster = folder.join("two/cluster");
        let pg_ctl = program(self.standby.pid().expect("it runs"), "pg_ctl");
        let mut promote = Command::new("setpriv");
        // Like every server program, it refuses to run as root.
        let owner = std::os::unix::fs::MetadataExt::uid(&fs::metadata(&cluster).expect("a folder"));
        if rustix::process::geteuid().is_root() {
            promote.args(["--clear-groups", "--reuid", &owner.to_string()]);
        }
        promote.arg("--").arg(pg_ctl).args(["promote", "--wait", "--pgdata"]).arg(cluster);
        run(promote).await;
    }
}

/// Copies the cluster of a running server to where a server on `data` expects it.
pub async fn copy_running(server: &Postgres, folder: &Path, data: &Path, more: &[&str]) {
    fs::create_dir_all(data).expect("a folder");
    let pid = server.pid().expect("it runs");
    let mut backup = backup_of(pid, &data.join("cluster"));
    backup.arg("--host").arg(folder.join("socket")).args(more);
    run(backup).await;
}

/// The command that copies the cluster of the server with this process into a folder; the address
/// of the server has to be added.
pub fn backup_of(pid: i32, folder: &Path) -> Command {
    let mut backup = Command::new(program(pid, "pg_basebackup"));
    backup.args(["--username", "croupier", "--checkpoint=fast", "--no-sync", "--pgdata"]);
    backup.arg(folder);
    backup
}

/// A program of the release of Postgres that the server with this process is of.
fn program(server: i32, name: &str) -> PathBuf {
    let path = fs::read_link(format!("/proc/{server}/exe")).expect("a program");
    path.with_file_name(name)
}

pub async fn run(mut command: Command) {
    let output = command.current_dir("/").stdin(Stdio::null()).output().await.expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} said: {said}");
}

pub async fn count(database: &mut PgConnection) -> i64 {
    let count = sqlx::query_scalar("select count(*) from entries").fetch_one(database).await;
    count.expect("a number")
}
