//! Faults of machines: of their clocks and of their disks.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::prometheus::{EVERY, Prometheus};
use super::{Alarms, Expected};
use crate::connecting::host;
use crate::drills::clocks::NO_FAKETIME;
use crate::harness::*;
use crate::torture::site::Disk;

/// The database is on a machine with one process; another is on another machine.
pub async fn clocks(alarms: &mut Alarms) {
    let alerts = &["CroupierClockWrong", "CroupierDatabaseClockMoved"];
    let folder = new_folder();
    let Some(clock) = FakeClock::right(folder.path(), "clock") else {
        return alarms.skip(alerts, NO_FAKETIME);
    };
    let near = folder.path().join("near");
    let _near = Service::start_in(Path::new(PROGRAM), &near, None, &[], clock.environment()).await;
    let url = format!("postgres://croupier@{}/postgres", host(&near.join("postgres/socket")));
    let mut far = Service::start(&folder.path().join("far"), Some(&url)).await;
    let mut prometheus = Prometheus::start(folder.path(), EVERY).await;
    prometheus.scrape("far", &mut far).await;
    let expected = Expected::now(&prometheus, alerts);
    clock.set("-1h");
    alarms.fire(&prometheus, expected).await;
}

/// The size of the disk, in megabytes: some times what an empty database takes.
const DISK: u32 = 256;

/// The service and its own Postgres are on a small disk.
pub async fn disk(alarms: &mut Alarms) {
    let alerts = &["CroupierDatabaseFull", "CroupierDiskFillsUp"];
    let folder = new_folder();
    let data = folder.path().join("a");
    fs::create_dir(&data).expect("a folder");
    let Some(disk) = Disk::mount_sized(&data, DISK) else {
        return alarms.skip(alerts, "a file system cannot be mounted here: it needs root");
    };
    let mut service = Service::start(&data, None).await;
    let mut prometheus = Prometheus::start(folder.path(), EVERY).await;
    prometheus.scrape("a", &mut service).await;
    let client = service.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.steps(4).await;
    let expected = Expected::now(&prometheus, alerts);
    disk.fill().expect("it is filled");
    let began = Instant::now();
    // The pages that Postgres has have room for some more.
    for seed in 2.. {
        let refused = play_until_refused(&client, seed).await;
        if refused.reason == "DATABASE_FULL" {
            break;
        }
        assert!(began.elapsed() < 2 * PATIENCE, "the disk is full: {refused:?}");
        sleep(Duration::from_millis(50)).await;
    }
    alarms.fire(&prometheus, expected).await;
    service.kill().await;
}

/// Plays matches one after the other, and returns why an action is refused.
async fn play_until_refused(client: &Client, seed: u64) -> Failure {
    loop {
        let mut playing = match client.ask(&new_match(2)).await {
            Ok(created) => Playing::of(client, &created.r#match.expect("a match"), seed),
            Err(refused) => return refused,
        };
        loop {
            match playing.plan().await {
                Ok(Some(action)) => {
                    if let Err(refused) = playing.submit(&action).await {
                        return refused;
                    }
                }
                Ok(None) => break,
                Err(refused) => return refused,
            }
        }
    }
}
