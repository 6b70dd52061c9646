//! A database that an operator restores to an earlier moment under a running service, and one that
//! is set to acknowledge what it has not written.

use std::fs;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::Drill;
use super::crowd::{Crowd, record};
use super::database::{copy_running, count};
use super::failover::{PLAYERS, check_lost, check_nothing_lost, check_noticed, check_told, note};
use crate::connecting::execute;
use crate::harness::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn restore_to_an_earlier_moment() {
    let mut drill = Drill::begin("restore to an earlier moment");
    let mut installation = Installation::open().await;
    let folder = installation.folder.path().to_owned();
    let (data, backup) = (folder.join("database"), folder.join("backup"));
    let crowd = Crowd::gather(&installation.client(Protocol::Grpc), PLAYERS).await;
    crowd.play_on(300).await;
    copy_running(installation.postgres(), &data, &backup, &[]).await;
    crowd.play_on(300).await;
    let before = count(&mut installation.database().await).await;
    installation.stop_postgres().await;
    // What the service still had to send is sent.
    sleep(Duration::from_millis(500)).await;
    let moment = crowd.watched();

    // What was restored is read where the service does not look.
    let restored = start_postgres(&backup).await;
    let surviving = record(&mut connect(&restored.options()).await).await;
    restored.stop().await;
    fs::rename(data.join("cluster"), data.join("cluster.later")).expect("it is moved");
    fs::rename(backup.join("cluster"), data.join("cluster")).expect("it is moved");
    let began = Instant::now();
    installation.start_postgres().await;
    crowd.play_on(300).await;
    check_told(&moment, &crowd.watched(), &surviving);
    let mut database = installation.database().await;
    let account = crowd.account(&mut database, &installation.postgres().url(), &folder).await;
    note(&mut drill, &account);
    let held: usize = surviving.values().map(Vec::len).sum();
    drill.figure("entries_after_the_moment", before - held as i64);
    check_lost(&account, 300, began);
    check_noticed(&mut drill, &mut installation.service, &mut database, &surviving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn asynchronous_commits() {
    let mut drill = Drill::begin("synchronous_commit = off");
    let mut installation = Installation::open().await;
    installation.service.kill().await;
    installation.stop_postgres().await;
    let data = installation.folder.path().join("database");
    // As long as Postgres allows it, what was acknowledged stays in memory.
    let lazily = [("wal_writer_delay", "10s")];
    installation.postgres = Some(start_postgres_with(&data, &lazily).await);
    let off = "alter database postgres set synchronous_commit = off";
    execute(installation.postgres(), off).await;
    execute(installation.postgres(), "create table control (number int)").await;
    installation.service.start_again().await;
    let crowd = Crowd::gather(&installation.client(Protocol::Grpc), PLAYERS).await;
    let stops = 3;
    for number in 0..stops {
        crowd.play_on(150).await;
        let write = format!("insert into control values ({number})");
        execute(installation.postgres(), write).await;
        // At once, without writing anything.
        drop(installation.postgres.take());
        installation.postgres = Some(start_postgres_with(&data, &lazily).await);
    }
    crowd.play_on(150).await;
    let mut database = installation.database().await;
    let url = installation.postgres().url();
    let account = crowd.account(&mut database, &url, installation.folder.path()).await;
    note(&mut drill, &account);
    // What another client of the database writes may be lost, so the setting has its effect.
    let kept = sqlx::query_scalar("select count(*) from control").fetch_one(&mut database).await;
    let kept: i64 = kept.expect("a number");
    drill.figure("control_writes_lost", stops - kept);
    check_nothing_lost(&account, &mut installation.service).await;
}
