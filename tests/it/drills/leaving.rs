//! A process that is asked to leave while matches are played.

use std::time::Instant;

use rustix::process::Signal;

use super::Drill;
use super::crowd::Crowd;
use super::failover::{PLAYERS, note};
use crate::harness::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn sigterm_under_load() {
    let mut drill = Drill::begin("SIGTERM under load");
    let mut installation = Installation::open().await;
    installation.service.arguments = vec!["--drain-s", "2"];
    installation.service.kill().await;
    installation.service.start_again().await;
    let crowd = Crowd::gather(&installation.client(Protocol::Grpc), PLAYERS).await;
    let mut left_after = Vec::new();
    for _ in 0..3 {
        crowd.play_on(150).await;
        let began = Instant::now();
        installation.service.signal(Signal::TERM);
        assert!(installation.service.ended().await.success());
        left_after.push(began.elapsed().as_millis() as u64);
        installation.service.start_again().await;
    }
    crowd.play_on(100).await;
    let mut database = installation.database().await;
    let url = installation.postgres().url();
    let account = crowd.account(&mut database, &url, installation.folder.path()).await;
    note(&mut drill, &account);
    drill.figure("left_after_ms", left_after);
    drill.figure("streams_ended", serde_json::json!(account.ends));
    assert_eq!((account.lost, account.streams_went_back), (0, 0), "{account:?}");
    let ends: Vec<&String> = account.ends.keys().collect();
    assert_eq!(ends, ["SHUTTING_DOWN"], "{account:?}");
    let allowed = ["SHUTTING_DOWN", "no answer"];
    assert!(account.refusals.keys().all(|it| allowed.contains(&it.as_str())), "{account:?}");
}
