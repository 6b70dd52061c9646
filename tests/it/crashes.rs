//! Crashes: whichever process is killed during a match, every acknowledged action is recorded
//! exactly once.

use std::path::Path;

use rustix::process::{Signal, kill_process};
use sqlx::postgres::PgConnection;
use tokio::join;

use crate::harness::*;

#[tokio::test]
async fn a_repeatedly_killed_service_loses_and_duplicates_nothing() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 11).await;
    let (name, mut database) = (playing.name.clone(), installation.database().await);
    let service = &mut installation.service;
    let killing = async {
        for position in [5, 12, 13, 30, 44] {
            reaches(&mut database, &name, position).await;
            service.kill().await;
            service.start_again().await;
        }
    };
    let played = async { while playing.patient_step().await {} };
    join!(played, killing);
    check_record(&playing, &[&client], &mut installation.database().await).await;
}

#[tokio::test]
async fn a_repeatedly_killed_database_loses_and_duplicates_nothing() {
    let folder = new_folder();
    let service = start_alone(folder.path()).await;
    let client = service.client(Protocol::Rest);
    let mut playing = Playing::new(&client, 3, 12).await;
    let name = playing.name.clone();
    let killing = async {
        for position in [8, 25] {
            reaches(&mut service.database().await, &name, position).await;
            let server = service.postmaster().expect("it runs");
            kill_process(server, Signal::KILL).expect("it runs");
            until("another server", async || {
                service.postmaster().filter(|&another| another != server)
            })
            .await;
        }
    };
    let played = async { while playing.patient_step().await {} };
    join!(played, killing);
    check_record(&playing, &[&client], &mut service.database().await).await;
}

#[tokio::test]
async fn a_killed_service_leaves_no_postgres_behind_and_a_restart_continues() {
    let folder = new_folder();
    let mut service = start_alone(folder.path()).await;
    let client = service.client(Protocol::ConnectJson);
    let mut playing = Playing::new(&client, 2, 13).await.with_tokens().await;
    playing.steps(9).await;
    let server = service.postmaster().expect("it runs");
    service.kill().await;
    until("no server", async || (!is_alive(server)).then_some(())).await;
    service.start_again().await;
    playing.finish().await;
    check_record(&playing, &[&client], &mut service.database().await).await;
}

#[tokio::test]
async fn a_service_that_was_killed_with_its_postgres_starts_at_once() {
    let folder = new_folder();
    let mut service = start_alone(folder.path()).await;
    let client = service.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 15).await;
    for _ in 0..4 {
        playing.steps(4).await;
        let server = service.postmaster().expect("it runs");
        // The server first: its parent is gone before it can ask for its status.
        kill_process(server, Signal::KILL).expect("it runs");
        service.kill().await;
        service.start_again().await;
    }
    playing.finish().await;
    check_record(&playing, &[&client], &mut service.database().await).await;
}

#[tokio::test]
async fn a_restarted_service_continues() {
    let folder = new_folder();
    let mut service = start_alone(folder.path()).await;
    let client = service.client(Protocol::GrpcWeb);
    let mut playing = Playing::new(&client, 2, 14).await.with_tokens().await;
    playing.steps(9).await;
    let server = service.postmaster().expect("it runs");
    service.signal(Signal::TERM);
    assert!(service.ended().await.success());
    assert!(!is_alive(server), "it stops its database first");
    service.start_again().await;
    playing.finish().await;
    check_record(&playing, &[&client], &mut service.database().await).await;
}

#[tokio::test]
async fn a_second_process_on_a_data_folder_names_the_first() {
    let folder = new_folder();
    let service = start_alone(folder.path()).await;
    let (mut second, _stdout) = serve(folder.path(), None);
    let status = tokio::time::timeout(PATIENCE, second.wait()).await.expect("it ends in time");
    assert_eq!(status.expect("a child").code(), Some(1));
    let words = log_tail(folder.path());
    let held = format!("is in use by process {}", service.id());
    assert!(words.contains(&held), "{held:?} is not in {words:?}");
    get_games(&service.client(Protocol::Rest)).await;
}

/// A service with an embedded Postgres.
async fn start_alone(folder: &Path) -> Service {
    copy_cluster(&folder.join("postgres")).await;
    Service::start(folder, None).await
}

/// Waits until a match has this many entries.
async fn reaches(database: &mut PgConnection, name: &str, position: usize) {
    let what = format!("{name} at {position}");
    until(&what, async || {
        (recorded_requests(database, name).await.len() >= position).then_some(())
    })
    .await;
}

async fn get_games(client: &Client) {
    client.ask(&contract::v1::ListGamesRequest::default()).await.expect("it serves");
}
