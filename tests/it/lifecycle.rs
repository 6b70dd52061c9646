//! Starting, readiness, leaving and failing: what a supervisor and a load balancer rely on.

use std::fs;
use std::time::{Duration, Instant};

use bytes::Bytes;
use contract::v1::*;
use http::Request;
use http_body_util::Full;
use rustix::process::{Pid, Signal};
use tokio::time::sleep;
use tonic::Code;
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::harness::*;
use crate::torture::site::{Disk, Stopped, family};

/// How soon readiness follows the database, on a busy machine: the process needs 1.4 s.
const NOTICED: Duration = Duration::from_secs(10);

/// The status and the text of a page.
pub async fn read_page(client: &Client, page: &str) -> (u16, String) {
    let request: Request<Full<Bytes>> =
        Request::get(page).body(Full::default()).expect("a request");
    let answer = client.send(request).await.expect("an answer");
    (answer.status.as_u16(), String::from_utf8_lossy(&answer.body).into_owned())
}

async fn status(client: &Client, page: &str) -> u16 {
    read_page(client, page).await.0
}

/// Every service of the contract by name, and all of them as "".
fn services() -> Vec<String> {
    let services = contract::descriptors().services().map(|it| it.full_name().to_owned());
    services.chain([String::new()]).collect()
}

/// Waits until every service is reported healthy, or none is. They are set one by one, a moment
/// after the pages.
pub async fn until_healthy(port: u16, healthy: bool) {
    let endpoint = Endpoint::from_shared(format!("http://127.0.0.1:{port}")).expect("an address");
    let mut health = HealthClient::new(endpoint.connect().await.expect("it accepts"));
    for service in services() {
        until(&format!("{service} is healthy: {healthy}"), async || {
            let request = HealthCheckRequest { service: service.clone() };
            let answer = health.check(request).await.expect("it is known");
            let is_healthy = answer.into_inner().status() == ServingStatus::Serving;
            (is_healthy == healthy).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn readiness_follows_the_database() {
    let mut installation = Installation::open().await;
    let public = installation.client(Protocol::Rest).anonymous();
    let metrics = installation.service.metrics().await;
    let port = installation.service.port();
    let readiness = async || {
        let ready = [status(&public, "/readyz").await, status(&metrics, "/readyz").await];
        let alive = [status(&public, "/livez").await, status(&metrics, "/livez").await];
        assert_eq!(alive, [200, 200], "the process lives all the time");
        ready
    };
    assert_eq!(readiness().await, [200, 200]);
    until_healthy(port, true).await;
    let playing = Playing::new(&installation.client(Protocol::Grpc), 2, 5).await;

    let server = installation.postgres().pid().and_then(Pid::from_raw).expect("it runs");
    let frozen = Stopped::new(family(server), PATIENCE);
    let began = Instant::now();
    until("it is not ready", async || (readiness().await == [503, 503]).then_some(())).await;
    let took = began.elapsed();
    until_healthy(port, false).await;
    drop(frozen);
    assert!(took < NOTICED, "noticed after {took:?}");
    let began = Instant::now();
    until("it is ready", async || (readiness().await == [200, 200]).then_some(())).await;
    assert!(began.elapsed() < NOTICED, "noticed after {:?}", began.elapsed());
    until_healthy(port, true).await;

    installation.stop_postgres().await;
    until("it is not ready", async || (readiness().await == [503, 503]).then_some(())).await;
    installation.start_postgres().await;
    until("it is ready", async || (readiness().await == [200, 200]).then_some(())).await;
    let mut playing = playing;
    while playing.patient_step().await {}
}

#[tokio::test]
async fn a_service_waits_for_room_on_the_disk_of_its_own_postgres() {
    let folder = new_folder();
    let data = folder.path().join("a/postgres");
    copy_cluster(&data).await;
    let Some(disk) = Disk::mount_sized(&data, 128) else {
        return eprintln!("skipped: only root can put the database on a small disk");
    };
    let mut service = Service::start(&folder.path().join("a"), None).await;
    let client = service.client(Protocol::Grpc);
    Playing::new(&client, 2, 8).await.steps(3).await;
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());
    disk.fill().expect("it can be filled");

    service.arguments = vec!["--connect-wait-s", "600"];
    service.spawn_again();
    let log = async || {
        let log = fs::read_to_string(service.folder.join("service.txt")).expect("a log");
        log.contains("waiting for room on the disk of the data folder").then_some(log)
    };
    let log = until("it says what it waits for", log).await;
    let (_, address) = log.rsplit_once("serving metrics metrics.address=127.0.0.1:").expect("it");
    let port: u16 = address.lines().next().expect("a line").trim().parse().expect("a port");
    let metrics = Client::new(&Port::new(port.into()), Protocol::Rest, "").anonymous();
    assert_eq!(read_page(&metrics, "/livez").await.0, 200, "it is not to be killed");
    let starting = (503, "not ready: it is starting\n".to_owned());
    assert_eq!(read_page(&metrics, "/readyz/reads").await, starting);
    assert!(read_page(&metrics, "/metrics").await.1.contains("croupier_record_up 0"));
    sleep(Duration::from_secs(1)).await;
    assert!(service.is_running());

    disk.clear();
    service.read_port().await;
    Playing::new(&client, 2, 9).await.finish().await;
    assert!(log_tail(&service.folder).contains("and go on"));
    service.kill().await;
}

#[tokio::test]
async fn a_leaving_service_is_not_ready_but_accepts_calls_until_its_time_is_up() {
    let mut installation = Installation::open().await;
    // Much longer than the calls below take.
    installation.service.arguments = vec!["--drain-s", "8"];
    installation.service.kill().await;
    installation.service.start_again().await;
    let port = installation.service.port();
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 6).await;
    let request = WatchEntriesRequest { parent: playing.name.clone(), ..Default::default() };
    let mut watch = client.apart().watch(&request).await;
    watch.up_to(1).await.expect("the deal");

    let began = Instant::now();
    installation.service.signal(Signal::TERM);
    let fresh = || client.speaking(Protocol::Rest).anonymous();
    until("it is not ready", async || (status(&fresh(), "/readyz").await == 503).then_some(()))
        .await;
    // New connections are accepted, and told.
    until_healthy(port, false).await;
    // On connections of their own, as a load balancer that has not noticed yet would send them.
    for _ in 0..5 {
        playing.seats = vec![client.apart(); 2];
        assert!(playing.step().await);
        sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(status(&fresh(), "/livez").await, 200);
    let ended = async {
        loop {
            match watch.next().await {
                Ok(Some(_)) => {}
                other => break other.map(drop),
            }
        }
    };
    ended.await.expect_err("the stream ends").check(Code::Unavailable, "SHUTTING_DOWN");
    let took = began.elapsed();
    assert!(took > Duration::from_millis(7900), "it ended after {took:?}");
    assert!(installation.service.ended().await.success());
    let refused = Endpoint::from_shared(format!("http://127.0.0.1:{port}"));
    assert!(refused.expect("an address").connect().await.is_err(), "the listener is closed");
}

#[tokio::test]
async fn a_second_signal_and_ctrl_c_end_the_wait() {
    let mut installation = Installation::open().await;
    installation.service.arguments = vec!["--drain-s", "600"];
    installation.service.kill().await;
    for signals in [&[Signal::TERM, Signal::TERM][..], &[Signal::INT]] {
        installation.service.start_again().await;
        // A signal that arrives before the one before it was noticed would count as the same.
        let log = installation.service.folder.join("service.txt");
        let noticed = || fs::read_to_string(&log).expect("a log").matches("leaving: ").count();
        let before = noticed();
        for (nth, &signal) in signals.iter().enumerate() {
            until("it notices", async || (noticed() - before == nth).then_some(())).await;
            assert!(installation.service.is_running());
            installation.service.signal(signal);
        }
        assert!(installation.service.ended().await.success());
    }
}

#[tokio::test]
async fn a_process_whose_vital_task_ended_exits_with_a_failure() {
    let mut installation = Installation::open().await;
    installation.service.kill().await;
    let tasks = [
        "writer",
        "follower",
        "probe",
        "projector",
        "listener",
        "metrics",
        "serve-0",
        "serve-1",
        "batched reads",
        "upkeep of matches",
        "readiness",
        "signals",
    ];
    for (store_thread, task) in tasks.into_iter().enumerate() {
        let store_thread = ["--store-thread=false", "--store-thread=true"][store_thread % 2];
        installation.service.arguments = vec![store_thread, "--fail", task];
        // It may fail before it serves.
        installation.service.spawn_again();
        let ended = installation.service.ended().await;
        assert!(!ended.success(), "{task}: {ended:?}");
        let log = log_tail(&installation.service.folder);
        let line = format!("the {task} ended unexpectedly");
        assert!(log.contains(&line), "{line:?} is not in {log:?}");
    }
}

#[tokio::test]
async fn the_store_may_have_a_thread_of_its_own() {
    let mut installation = Installation::open().await;
    installation.service.kill().await;
    for (is_own, argument) in [(true, "--store-thread"), (false, "--store-thread=false")] {
        installation.service.arguments = vec![argument];
        installation.service.start_again().await;
        let service = installation.service.id();
        until("all threads run", async || {
            threads(service).contains(&"serve-1".to_owned()).then_some(())
        })
        .await;
        assert_eq!(threads(service).contains(&"store".to_owned()), is_own);
        let client = installation.client(Protocol::Grpc);
        let mut playing = Playing::new(&client, 2, 7).await;
        playing.finish().await;
        check_record(&playing, &[&client], &mut installation.database().await).await;
        installation.service.signal(Signal::TERM);
        assert!(installation.service.ended().await.success());
    }
}

/// The names of a process's threads.
fn threads(process: u32) -> Vec<String> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).expect("it runs").flatten();
    let names = threads.filter_map(|it| std::fs::read_to_string(it.path().join("comm")).ok());
    names.map(|name| name.trim().to_owned()).collect()
}
