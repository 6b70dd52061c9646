//! Metrics: exported on their own address, complete, and without secrets.

use std::process::Stdio;

use bytes::Bytes;
use contract::v1::*;
use http::Request;
use http_body_util::Full;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tonic::Code;

use crate::harness::*;
use crate::installing::operator_key;

/// The metrics page as text.
pub async fn scrape(client: &Client) -> String {
    let request: Request<Full<Bytes>> =
        Request::get("/metrics").body(Full::default()).expect("a request");
    let response = client.send(request).await.expect("an answer");
    assert_eq!(response.status, 200);
    assert!(response.headers["content-type"].to_str().expect("text").starts_with("text/plain"));
    String::from_utf8(response.body.to_vec()).expect("text")
}

/// The value of a metric with these labels, in any order; none if it is not exported.
pub fn figure(page: &str, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
    let fits = |line: &&str| {
        let labelled = line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' ']));
        let has = |(key, value): &(&str, &str)| line.contains(&format!("{key}=\"{value}\""));
        labelled && labels.iter().all(has)
    };
    page.lines().find(fits)?.rsplit(' ').next()?.parse().ok()
}

#[tokio::test]
async fn metrics_count_everything_and_reveal_no_secret() {
    let mut installation = Installation::open().await;
    let metrics = installation.service.metrics().await;
    let client = installation.client(Protocol::Grpc);
    let page = scrape(&metrics).await;
    assert_eq!(figure(&page, "croupier_entries_appended_total", &[]), Some(0.0));
    assert_eq!(figure(&page, "croupier_record_up", &[]), Some(1.0));

    let mut matches = Vec::new();
    for (seed, protocol) in PROTOCOLS.into_iter().enumerate() {
        let mut playing = Playing::new(&client.speaking(protocol), 2, seed as u64).await;
        playing.steps(6).await;
        matches.push(playing);
    }
    let number = matches.len() as f64;
    let page = scrape(&metrics).await;
    let calls = |method: &str, code: &str| {
        figure(&page, "croupier_requests_total", &[("method", method), ("code", code)])
    };
    assert_eq!(calls("MatchService.CreateMatch", "OK"), Some(number), "whatever the protocol");
    assert_eq!(calls("MatchService.SubmitAction", "OK"), Some(6.0 * number));
    let submitted = [("method", "MatchService.SubmitAction")];
    let took = figure(&page, "croupier_request_duration_seconds_count", &submitted);
    assert_eq!(took, Some(6.0 * number));
    assert_eq!(figure(&page, "croupier_entries_appended_total", &[]), Some(7.0 * number));
    let batches = figure(&page, "croupier_append_batches_total", &[]);
    assert_eq!(figure(&page, "croupier_append_batch_entries_count", &[]), batches);
    assert_eq!(figure(&page, "croupier_append_batch_entries_sum", &[]), Some(7.0 * number));
    assert_eq!(figure(&page, "croupier_append_duration_seconds_count", &[]), Some(7.0 * number));
    assert_eq!(figure(&page, "croupier_matches_in_memory", &[]), Some(number));
    assert_eq!(figure(&page, "croupier_matches_loads_total", &[]), Some(number), "each once");
    assert_eq!(figure(&page, "croupier_matches_evictions_total", &[]), Some(0.0));
    let hits = figure(&page, "croupier_matches_hits_total", &[]);
    assert!(hits >= Some(6.0 * number), "one for each action: {hits:?}");
    let bytes = figure(&page, "croupier_matches_in_memory_bytes", &[]);
    assert!(bytes > Some(2048.0 * number), "{bytes:?}");

    // Refusals by domain and reason.
    let anonymous = client.anonymous().ask(&ListMatchesRequest::default()).await;
    anonymous.expect_err("nobody").check(Code::Unauthenticated, "CREDENTIALS_MISSING");
    let unreadable: Request<Full<Bytes>> =
        Request::get("/v1/matches?pageSize=odd").body(Full::default()).expect("a request");
    assert_eq!(client.send(unreadable).await.expect("an answer").status, 400);
    let (asked, other) = (matches[0].asked.expect("it goes on"), matches[0].name.clone());
    let idle = ResignMatchRequest { name: other, seat: Some(asked), ..Default::default() };
    client.ask(&idle).await.expect("the other seat wins");
    client.ask(&idle).await.expect_err("it is over").check(Code::FailedPrecondition, "MATCH_ENDED");
    let page = scrape(&metrics).await;
    let refusals = |reason: &str| {
        figure(&page, "croupier_refusals_total", &[("domain", "croupier"), ("reason", reason)])
    };
    assert_eq!(refusals("CREDENTIALS_MISSING"), Some(1.0));
    assert_eq!(refusals("MATCH_ENDED"), Some(1.0));
    assert_eq!(refusals("WRONG_TYPE"), Some(1.0), "before it came to an rpc");

    // Open streams.
    let watching = [("method", "StreamService.StreamEntries")];
    let mut stream = client.stream(&StreamEntriesRequest::default()).await;
    stream.next().await.expect("it goes on");
    let page = scrape(&metrics).await;
    assert_eq!(figure(&page, "croupier_streams_open", &watching), Some(1.0));
    assert!(figure(&page, "croupier_connections_open", &[]) > Some(0.0));
    drop(stream);
    let ended = [watching[0], ("code", "CANCELLED")];
    // It is counted a moment after it is open no more.
    until("the stream is closed", async || {
        let page = scrape(&metrics).await;
        let open = figure(&page, "croupier_streams_open", &watching);
        let ended = figure(&page, "croupier_requests_total", &ended);
        ((open, ended) == (Some(0.0), Some(1.0))).then_some(())
    })
    .await;
    let page = scrape(&metrics).await;

    let key = installation.service.key();
    let ids = matches.iter().map(|it| it.name.trim_start_matches("matches/").to_owned());
    for secret in ids.chain([player(0), player(1), key, "local".to_owned()]) {
        assert!(!page.contains(&secret), "{secret} is exported:\n{page}");
    }
    let response = client.anonymous().speaking(Protocol::Rest).head("/metrics").await;
    assert_eq!(response.expect("an answer"), 404, "never on the port that anybody can reach");
}

#[tokio::test]
async fn metrics_report_projection_lag_until_it_is_gone() {
    let mut installation = Installation::open().await;
    let metrics = installation.service.metrics().await;
    let client = installation.client(Protocol::Grpc);
    let mut database = installation.database().await;
    let mut holding = sqlx::Connection::begin(&mut database).await.expect("a transaction");
    sqlx::query("select from checkpoints where model = 'players' for update")
        .execute(&mut *holding)
        .await
        .expect("they are locked");
    Playing::new(&client, 2, 1).await.steps(4).await;
    let (projector, beside) = project(&installation).await;
    let behind = |page: &str| {
        let lag = |projection: &str| {
            figure(page, "croupier_projection_lag_entries", &[("projection", projection)])
        };
        let of_players = [("projection", "players")];
        let seconds = figure(page, "croupier_projection_lag_seconds", &of_players);
        ([lag("matches"), lag("players"), lag("holdings")], seconds)
    };
    for client in [&metrics, &beside] {
        until("the others are in step", async || {
            let (lags, seconds) = behind(&scrape(client).await);
            (lags == [Some(0.0), Some(5.0), Some(0.0)] && seconds > Some(0.0)).then_some(())
        })
        .await;
    }
    holding.rollback().await.expect("they are free");
    for client in [&metrics, &beside] {
        until("all are in step", async || {
            let standing = behind(&scrape(client).await);
            (standing == ([Some(0.0); 3], Some(0.0))).then_some(())
        })
        .await;
    }
    drop(projector);

    // Without the database the lag is unknown, which is exported as NaN.
    installation.stop_postgres().await;
    let page = scrape(&metrics).await;
    assert_eq!(figure(&page, "croupier_record_up", &[]), Some(0.0));
    assert!(behind(&page).1.expect("a figure").is_nan());
}

#[tokio::test]
async fn agents_that_cannot_ask_what_is_due_are_late() {
    let mut installation = Installation::open().await;
    let metrics = installation.service.metrics().await;
    let late = async || {
        let of_timeouts = [("agent", "timeouts")];
        figure(&scrape(&metrics).await, "croupier_agents_late_seconds", &of_timeouts)
    };
    until("nothing is due", async || (late().await < Some(1.0)).then_some(())).await;
    installation.stop_postgres().await;
    until("they are late", async || (late().await > Some(3.0)).then_some(())).await;
}

/// A projecting process and a client of its metrics. It ends when it is dropped.
async fn project(installation: &Installation) -> (tokio::process::Child, Client) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.args(["project", "--metrics-listen", "127.0.0.1:0"]);
    command.args(["--database-url", &installation.postgres().url()]);
    command.env_remove("RUST_LOG").stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().expect("the program runs");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    let client = until("it says where", async || {
        let line = lines.next_line().await.expect("its log can be read").expect("it goes on");
        let port = line.split_once("127.0.0.1:")?.1.trim().parse().ok()?;
        Some(Client::new(&Port::new(std::sync::atomic::AtomicU16::new(port)), Protocol::Rest, ""))
    })
    .await;
    // Its further log output is not needed, but the pipe must stay open.
    tokio::spawn(async move { while lines.next_line().await.is_ok_and(|line| line.is_some()) {} });
    (child, client.anonymous())
}

/// The same as `/metrics` counts, in every protocol, and nothing for platforms.
#[tokio::test]
async fn an_operator_reads_totals_without_a_prometheus() {
    let mut installation = Installation::open().await;
    let key = operator_key(&installation).await;
    let client = installation.client(Protocol::Grpc);
    let operator = client.holding(&key);
    // It is read once a second.
    let metrics = async || {
        tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
        let response = operator.ask(&GetMetricsRequest {}).await.expect("an operator may");
        response.metrics.expect("some")
    };
    let before = metrics().await;
    let it = create(&client, &new_match(2)).await;
    let mut playing = Playing::of(&client, &it, 3);
    playing.steps(5).await;
    let nobody = GetPlatformRequest::default();
    client.anonymous().ask(&nobody).await.expect_err("nobody");
    let stream = client.stream(&StreamEntriesRequest::default()).await;
    let after = metrics().await;
    assert_eq!(after.process, before.process);
    assert_ne!(after.read_time, before.read_time);
    assert!(after.calls >= before.calls + 6, "{before:?} {after:?}");
    assert!(after.calls_refused > before.calls_refused);
    assert_eq!((after.calls_failed, after.actions_shed), (0, 0));
    let entries = after.entries - before.entries;
    let get = GetMatchRequest { name: it.name.clone(), ..<_>::default() };
    let position = client.ask(&get).await.expect("it is there").r#match.expect("it").position;
    assert_eq!(entries, position as u32);
    assert_eq!((after.streams, before.streams), (1, 0));
    assert!(after.connections > 0, "that of the client");
    assert_eq!(after.alerts, [], "all is well");
    assert_eq!(after.matches_in_memory, 1);
    let names: Vec<_> = after.projections.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["projections/matches", "projections/players", "projections/holdings"]);
    assert!(after.agents.iter().any(|it| it.name == "bots"), "{:?}", after.agents);
    drop(stream);
    let closed = async || (metrics().await.streams == 0).then_some(());
    until("the stream is closed", closed).await;

    let page = scrape(&installation.service.metrics().await).await;
    let now = metrics().await;
    let of_page: f64 = page
        .lines()
        .filter(|it| it.starts_with("croupier_requests_total{"))
        .filter_map(|it| it.rsplit(' ').next()?.parse::<f64>().ok())
        .sum();
    assert!((f64::from(now.calls) - of_page).abs() <= 2.0, "{} {of_page}", now.calls);
    let text = client.speaking(Protocol::Rest).holding(&key).call("GetMetrics", "{}").await;
    let text = format!("{:?}", text.expect("in REST too"));
    assert!(!text.contains("local") && !text.contains(&it.name[8..]), "{text}");
}
