//! Servers that are killed, stopped, or wait for a standby that is away.

use crate::installation::Installation;
use crate::playing::{Writer, draft, new_stream, play};
use event_log::{AppendError, Error, append};
use futures::future::join_all;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread")]
async fn every_acknowledged_entry_survives_kill_9_of_the_server() {
    let installation = Installation::open_alone().await;
    let writer = installation.writer(append::Options::default());
    let streams: Vec<_> = (0..32).map(|_| new_stream()).collect();
    let playing = join_all(
        streams.iter().map(|&stream| play(&installation.log, &writer.handle, stream, "a", 300)),
    );
    let killing = async {
        for _ in 0..2 {
            tokio::time::sleep(Duration::from_millis(150)).await;
            kill_9(installation.server.postgres.pid().expect("the server is running"));
            installation.until_up().await;
        }
    };
    tokio::join!(playing, killing);
    let entries = installation.all_entries().await;
    assert_eq!(entries.len(), 32 * 300);
    let requests: HashSet<_> =
        entries.iter().map(|(stream, entry)| (stream, &entry.request_id)).collect();
    assert_eq!(requests.len(), 32 * 300);
    assert!(writer.handle.statistics().failures > 0);
}

/// An installation with an entry, and a writer that has to wait for a standby that is away.
async fn without_standby() -> (Installation, Writer) {
    let installation = Installation::open_alone().await;
    let writer = installation
        .writer(append::Options { append_wait: Duration::from_secs(1), ..Default::default() });
    writer.until_recorded(draft(new_stream(), 1, "x")).await;
    installation.wait_for_standby(true).await;
    (installation, writer)
}

#[tokio::test]
async fn what_only_a_crashed_primary_has_is_not_acknowledged() {
    let (installation, writer) = without_standby().await;
    let draft = draft(new_stream(), 1, "once");
    assert_eq!(writer.handle.append(draft.clone()).await, Err(AppendError::Unknown));
    let server = installation.server.postgres.pid().expect("the server is running");
    kill_9(server);
    while installation.server.postgres.pid().is_none_or(|pid| pid == server) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    installation.until_up().await;
    assert_eq!(installation.all_entries().await.len(), 2, "it can be read");
    assert_eq!(writer.handle.append(draft.clone()).await, Err(AppendError::Unknown));
    installation.wait_for_standby(false).await;
    writer.until_recorded(draft).await;
    assert_eq!(installation.all_entries().await.len(), 2);
}

#[tokio::test]
async fn while_the_standby_is_away_one_session_waits_for_it() {
    let (installation, writer) = without_standby().await;
    let drafts: Vec<_> = (0..6).map(|_| draft(new_stream(), 1, "x")).collect();
    for draft in &drafts {
        assert_eq!(writer.handle.append(draft.clone()).await, Err(AppendError::Unknown));
    }
    let sessions = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'";
    let pool = installation.log.database().pool();
    let waiting: i64 = sqlx::query_scalar(sessions).fetch_one(pool).await.unwrap();
    assert_eq!(waiting, 1);
    installation.wait_for_standby(false).await;
    for draft in drafts.iter().cloned() {
        writer.until_recorded(draft).await;
    }
    assert_eq!(installation.all_entries().await.len(), 1 + drafts.len());
}

#[tokio::test]
async fn reads_fail_fast_while_the_server_is_down() {
    let installation = Installation::open_alone().await;
    let postgres = Arc::into_inner(installation.server).expect("the server is not shared").postgres;
    postgres.stop().await;
    let began = Instant::now();
    let answer = installation.log.tail(new_stream()).await;
    assert!(matches!(answer, Err(Error::Database(database::Error::Unavailable(_)))), "{answer:?}");
    // Not as long as a read may take of a server that is slow.
    assert!(began.elapsed() < Duration::from_secs(7));
}

#[tokio::test]
async fn a_weak_default_of_the_database_is_overridden_in_every_session() {
    let installation = Installation::open().await;
    let mut connection = installation.log.database().connection().await.unwrap();
    let name = installation.database.get_database().expect("it has one of its own");
    let weak = format!("alter database {name} set synchronous_commit = off");
    connection.execute(AssertSqlSafe(weak)).await.unwrap();
    let default = "select reset_val from pg_settings where name = 'synchronous_commit'";
    let mut fresh = installation.database.connect().await.unwrap();
    let default: String = sqlx::query_scalar(default).fetch_one(&mut fresh).await.unwrap();
    assert_eq!(default, "off");
    let log = installation.another().await;
    let setting: String = sqlx::query_scalar("select current_setting('synchronous_commit')")
        .fetch_one(log.database().pool())
        .await
        .unwrap();
    assert_eq!(setting, "on");
    assert_eq!(log.database().hazards().await.unwrap(), []);
}

fn kill_9(pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).expect("a process id is not zero");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL)
        .expect("the server is a child of this process");
}
