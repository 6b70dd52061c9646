//! A cluster whose nodes are restored to one moment from their own backups, as `docs/scale.md`
//! tells it, while matches are played and what all nodes have is changed at a worker.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use contract::v1::*;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};
use tokio::task::JoinSet;

use super::nodes::misplaced;
use super::{Cluster, on};
use crate::drills::crowd::{Crowd, record};
use crate::drills::database::{backup_of, count, run};
use crate::files::done;
use crate::harness::*;

const PLAYERS: u64 = 4;
/// Callers who revoke tokens of players all the time, which is recorded on every node.
const REVOKERS: usize = 6;
/// The name of the moment.
const MOMENT: &str = "moment";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: make citus"]
async fn nodes_of_citus_are_restored_to_one_moment() {
    let Some((mut drill, mut cluster)) = Cluster::drill("Citus: restore to one moment").await
    else {
        return;
    };
    let folder = cluster.folder.path().to_owned();
    let archive = |node: usize| folder.join(format!("archive{node}"));
    let backup = |node: usize| folder.join(format!("backup{node}"));
    for (number, node) in cluster.citus.nodes.iter_mut().enumerate() {
        fs::create_dir(archive(number)).expect("a folder");
        fs::set_permissions(archive(number), Permissions::from_mode(0o777)).expect("it is ours");
        node.lose();
        node.set("archive_mode", "on");
        node.set("archive_command", &format!("cp %p {}/%f", archive(number).display()));
        node.start().await;
    }
    let [here, there] = cluster.clients.clone();
    until("the cluster is whole", async || {
        let page = there.ask(&ListMatchesRequest::default()).await.ok()?;
        (page.unreachable == 0).then_some(())
    })
    .await;
    let crowd = Crowd::gather_on(&[here.clone(), there.clone()], PLAYERS).await;
    crowd.play_on(60).await;
    let began = Instant::now();
    for (number, node) in cluster.citus.nodes.iter().enumerate() {
        let mut copy = backup_of(node.pid(), &backup(number));
        let address = node.address();
        let (host, port) = address.split_once(':').expect("an address");
        copy.args(["--host", host, "--port", port, "--wal-method=none"]);
        run(copy).await;
    }
    drill.figure("backups_ms", began.elapsed().as_millis() as u64);
    let mut revokers = JoinSet::new();
    for number in 0..REVOKERS {
        let client = there.clone();
        let parent = format!("players/revoked{number}");
        revokers.spawn(async move {
            let request = RevokePlayerTokensRequest { parent };
            loop {
                client.ask(&request).await.expect("all nodes are there");
            }
        });
    }
    crowd.play_on(60).await;

    let mut coordinator = cluster.citus.nodes[0].connect().await;
    let before = count(&mut coordinator).await;
    let took = create_restore_point(&cluster).await;
    drill.figure("restore_point_ms", took);
    let after = count(&mut coordinator).await;
    crowd.play_on(60).await;
    drill.figure("gap_ms", crowd.longest_gap(began).as_millis() as u64);
    revokers.shutdown().await;
    let account = crowd.account(&mut coordinator, &cluster.urls[0], &folder).await;
    assert_eq!(account.lost, 0, "{account:?}");
    let whole = record(&mut coordinator).await;
    drop(coordinator);
    for (number, node) in cluster.citus.nodes.iter().enumerate() {
        archived(&mut node.connect().await, &archive(number)).await;
    }

    for process in &mut cluster.processes {
        process.kill().await;
    }
    let began = Instant::now();
    restore(&mut cluster, archive, backup).await;
    drill.figure("restored_ms", began.elapsed().as_millis() as u64);

    let mut coordinator = cluster.citus.nodes[0].connect().await;
    let restored = record(&mut coordinator).await;
    let entries = restored.values().map(Vec::len).sum::<usize>() as i64;
    drill.figure("entries_before", before);
    drill.figure("entries_restored", entries);
    drill.figure("entries_after", after);
    drill.figure("entries_of_the_whole_record", whole.values().map(Vec::len).sum::<usize>());
    assert!((before..=after).contains(&entries), "{before}, {entries}, {after}");
    for (name, entries) in &restored {
        assert!(whole[name].starts_with(entries), "{name} has another history");
    }
    assert_eq!(misplaced(&mut coordinator).await, 0);
    drill.figure("tables_of_all_nodes", same_everywhere(&cluster).await);
    done(&on(&cluster.urls[0], &["migrate", "--check"])).await;
    let verified = done(&on(&cluster.urls[0], &["verify", "--all"])).await;
    assert!(verified.contains(" 0 wrong"), "{verified}");
    for process in &mut cluster.processes {
        process.start_again().await;
    }
    for client in [&here, &there] {
        Playing::new(client, 2, 3).await.finish().await;
    }
    let terms = done(&on(&cluster.urls[0], &["term"])).await;
    assert!(terms.contains("restored"), "{terms}");
    drop((drill, coordinator));
    cluster.close().await;
}

/// Starts every node again from its backup, up to the moment.
async fn restore(
    cluster: &mut Cluster,
    archive: impl Fn(usize) -> PathBuf,
    backup: impl Fn(usize) -> PathBuf,
) {
    cluster.citus.nodes.iter_mut().for_each(|node| node.lose());
    for (number, node) in cluster.citus.nodes.iter_mut().enumerate() {
        fs::remove_dir_all(node.cluster()).expect("it is removed");
        fs::rename(backup(number), node.cluster()).expect("it is moved");
        fs::write(node.cluster().join("recovery.signal"), "").expect("a file");
        node.set("restore_command", &format!("cp {}/%f %p", archive(number).display()));
        node.set("recovery_target_name", MOMENT);
        node.set("recovery_target_action", "promote");
        node.start().await;
    }
    for node in &cluster.citus.nodes {
        until("the node is restored", async || {
            let asking = sqlx::query_scalar("select pg_is_in_recovery()");
            let is_restoring: bool = asking.fetch_one(&mut node.connect().await).await.ok()?;
            (!is_restoring).then_some(())
        })
        .await;
    }
}

/// Names the moment on every node, and returns how long it took in milliseconds.
///
/// The function of the extension lets no transaction of several nodes end that begins at the
/// coordinator. Here one of others would be in some nodes only.
async fn create_restore_point(cluster: &Cluster) -> u64 {
    let began = Instant::now();
    let [mut coordinator, mut one, mut other] = [
        cluster.citus.nodes[0].connect().await,
        cluster.citus.nodes[1].connect().await,
        cluster.citus.nodes[2].connect().await,
    ];
    let mut held =
        [one.begin().await.expect("a transaction"), other.begin().await.expect("a transaction")];
    for transaction in &mut held {
        let lock = "lock table pg_dist_transaction in exclusive mode";
        transaction.execute(lock).await.expect("it is locked");
    }
    let create = format!("select citus_create_restore_point('{MOMENT}')");
    coordinator.execute(AssertSqlSafe(create)).await.expect("it is created");
    for transaction in held {
        transaction.rollback().await.expect("it is free");
    }
    began.elapsed().as_millis() as u64
}

/// Waits until what was written so far is in the archive.
async fn archived(node: &mut PgConnection, archive: &Path) {
    let name: String = sqlx::query_scalar("select pg_walfile_name(pg_switch_wal())")
        .fetch_one(node)
        .await
        .expect("a name");
    let file: PathBuf = archive.join(name);
    until("it is archived", async || file.exists().then_some(())).await;
}

/// The tables of which every node has all rows have the same ones on each. Returns how many there
/// are.
async fn same_everywhere(cluster: &Cluster) -> usize {
    let mut coordinator = cluster.citus.nodes[0].connect().await;
    let shards: Vec<String> = sqlx::query_scalar(
        "select shard_name(logicalrelid, shardid)
         from pg_dist_shard
         join pg_dist_partition using (logicalrelid)
         where partmethod = 'n' and repmodel = 't'",
    )
    .fetch_all(&mut coordinator)
    .await
    .expect("names");
    for shard in &shards {
        let mut rows: Vec<Vec<String>> = Vec::new();
        for node in &cluster.citus.nodes {
            let mut node = node.connect().await;
            node.execute("set citus.override_table_visibility = off").await.expect("it is set");
            let read = format!("select its::text from {shard} as its order by 1");
            let read = sqlx::query_scalar(AssertSqlSafe(read)).fetch_all(&mut node).await;
            rows.push(read.expect("rows"));
        }
        let counts: Vec<usize> = rows.iter().map(Vec::len).collect();
        assert!(rows.windows(2).all(|pair| pair[0] == pair[1]), "{shard}: {counts:?} rows");
    }
    shards.len()
}
