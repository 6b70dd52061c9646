//! Request ids: in every response, and in the log.

use std::fs::{self, File};
use std::process::Stdio;

use contract::v1::*;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tonic::Code;

use crate::harness::*;

/// The id in a response, which is well formed.
#[track_caller]
fn id(response: &RawResponse) -> String {
    let mut ids = response.headers.get_all("x-request-id").iter();
    let id = ids.next().expect("every response has an id").to_str().expect("a text").to_owned();
    assert!(ids.next().is_none() && !id.is_empty());
    id
}

#[tokio::test]
async fn every_response_carries_the_id_that_the_log_has() {
    let folder = new_folder();
    copy_cluster(&folder.path().join("database")).await;
    let postgres = start_postgres(&folder.path().join("database")).await;
    let log = folder.path().join("log.txt");
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--", env!("CARGO_BIN_EXE_croupier"), "serve"]);
    command.args(["--listen", "127.0.0.1:0", "--log-format", "json", "--data"]);
    command.arg(folder.path().join("a")).args(["--database-url", &postgres.url()]);
    command.env("RUST_LOG", "info,transcoder=debug").env("CROUPIER_THREADS", "2");
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(File::create(&log).expect("a file")).kill_on_drop(true);
    let mut service = command.spawn().expect("it runs");
    let mut stdout = BufReader::new(service.stdout.take().expect("it is piped")).lines();
    let first = tokio::time::timeout(PATIENCE, stdout.next_line()).await.expect("it serves");
    let first = first.expect("its output can be read").expect("a line");
    let port = first.split_once("://127.0.0.1:").expect("an address").1;
    let port = port.split(|c: char| !c.is_ascii_digit()).next().expect("digits");
    let port = Port::new(port.parse::<u16>().expect("a port").into());
    let key = fs::read_to_string(folder.path().join("a/local.key")).expect("a key");
    let client = Client::new(&port, Protocol::Grpc, key.trim());

    let mut ids = Vec::new();
    let missing = GetMatchRequest {
        name: format!("matches/{}", uuid::Uuid::new_v4()),
        ..GetMatchRequest::default()
    };
    for (nth, protocol) in (0..).zip(PROTOCOLS) {
        let client = client.speaking(protocol);
        let chosen = format!("chosen-{nth}");
        let answer = client.with_header("x-request-id", &chosen).receive(&missing).await;
        let answer = answer.expect("an answer");
        assert_eq!(id(&answer), chosen, "{protocol:?}");
        let failure = client.read::<GetMatchRequest>(answer).expect_err("there is no such match");
        failure.check(Code::NotFound, "MATCH_NOT_FOUND");
        ids.push(chosen);
        // One that would disturb the log is replaced, and so is none at all.
        let bad = client.with_header("x-request-id", "two words \"quoted\"");
        for client in [&bad, &client] {
            let replaced = id(&client.receive(&ListGamesRequest::default()).await.expect("games"));
            assert_eq!(replaced.len(), 32, "{replaced}");
            assert!(!ids.contains(&replaced));
            ids.push(replaced);
        }
    }
    // Also where no call comes about.
    let nowhere = http::Request::get("/nowhere").body(Default::default()).expect("a request");
    id(&client.send(nowhere).await.expect("an answer"));

    until("the log has every call once", async || {
        let log = fs::read_to_string(&log).expect("the log can be read");
        let lines: Vec<Value> =
            log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let ended: Vec<&Value> =
            lines.iter().filter(|it| it["fields"]["message"] == "the call ended").collect();
        if ended.len() < ids.len() {
            return None;
        }
        for id in &ids {
            let its: Vec<_> = ended.iter().filter(|it| it["span"]["request.id"] == **id).collect();
            assert_eq!(its.len(), 1, "{id}: {its:?}");
            let (span, fields) = (&its[0]["span"], &its[0]["fields"]);
            let is_chosen = id.starts_with("chosen");
            let method = if is_chosen { "MatchService.GetMatch" } else { "GameService.ListGames" };
            assert_eq!(span["rpc"], method);
            assert_eq!(fields["rpc.code"], if is_chosen { "NOT_FOUND" } else { "OK" });
            assert!(fields["duration_ms"].as_f64().is_some_and(|ms| ms > 0.0));
            assert_eq!(span["caller"].as_str(), is_chosen.then_some("local"), "{span}");
        }
        assert!(!log.contains(key.trim()) && !log.contains("quoted"));
        Some(())
    })
    .await;
    service.kill().await.expect("it is killed");
    postgres.stop().await;
}
