//! Hints by a NATS server: they make entries of other processes visible at once, and whatever
//! happens to them changes nothing else. The processes poll once an hour, so what a test waits for
//! is told by a hint or not at all.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use contract::v1::*;
use rcgen::generate_simple_self_signed;
use uuid::Uuid;

use crate::harness::*;
use crate::metering::{figure, scrape};

const EXCHANGED: &str = "hints are exchanged by NATS";
const NOT_EXCHANGED: &str = "hints are not exchanged by NATS";

/// Two processes on one database, which look for each other's entries only upon a hint.
struct Two {
    one: Service,
    other: Service,
    installation: Installation,
}

impl Two {
    async fn with(ways: &str) -> Two {
        Two::from(Installation::open().await, ways).await
    }

    async fn from(mut installation: Installation, ways: &str) -> Two {
        installation.service.kill().await;
        let url = installation.postgres().url();
        let one = serve_hinted(&installation.folder.path().join("one"), &url, ways).await;
        let other = serve_hinted(&installation.folder.path().join("other"), &url, ways).await;
        Two { one, other, installation }
    }

    async fn until_exchanged(&self, times: usize) {
        for service in [&self.one, &self.other] {
            until_logged(service, EXCHANGED, times).await;
        }
    }

    /// A match that is played through one process and watched through the other.
    async fn play(&self, seed: u64) -> (Playing, Watch) {
        let playing = Playing::new(&self.one.client(Protocol::Grpc), 2, seed).await;
        let parent = playing.name.clone();
        let request = WatchEntriesRequest { parent, ..WatchEntriesRequest::default() };
        let mut watch = self.other.client(Protocol::Grpc).watch(&request).await;
        let dealt = watch.up_to(1).await.expect("it is dealt");
        check_dense(&dealt, 1);
        (playing, watch)
    }

    /// Everything that was recorded is what was acknowledged, and both processes say so.
    async fn check(&self, mut playing: Playing) {
        playing.finish().await;
        let clients = [&self.one, &self.other].map(|it| it.client(Protocol::Grpc));
        let mut database = self.installation.database().await;
        check_record(&playing, &clients.each_ref(), &mut database).await;
        assert_eq!(check_keys(&mut database).await, [""; 0]);
    }

    /// The subject of the installation's hints.
    async fn subject(&self) -> String {
        let query = "select installation_id from installation";
        let mut database = self.installation.database().await;
        let id: Uuid = sqlx::query_scalar(query).fetch_one(&mut database).await.expect("an id");
        format!("croupier.hints.{}", id.simple())
    }
}

async fn serve_hinted(folder: &Path, url: &str, ways: &str) -> Service {
    Service::start_with(
        folder,
        Some(url),
        &["--without-peers", "--poll-s", "3600", "--hints", ways],
    )
    .await
}

fn logged(service: &Service, what: &str) -> usize {
    let log = fs::read_to_string(service.folder.join("service.txt")).expect("a log");
    log.lines().filter(|line| line.contains(what)).count()
}

async fn until_logged(service: &Service, what: &str, times: usize) {
    until(what, async || (logged(service, what) >= times).then_some(())).await;
}

/// Plays actions; each is seen by the watcher of the other process before the next.
async fn step_and_see(playing: &mut Playing, watch: &mut Watch, count: usize) {
    for _ in 0..count {
        assert!(playing.step().await, "the match goes on");
        let position = playing.entries.last().expect("an entry").position;
        let seen = watch.up_to(position).await.unwrap_or_else(|error| panic!("{error:?}"));
        assert_eq!(seen.last().expect("an entry").position, position);
    }
}

#[tokio::test]
async fn a_watcher_sees_at_once_what_another_process_records() {
    let folder = new_folder();
    let server = NatsServer::start(folder.path(), &[]).await;
    // Of several servers one is there.
    let two = Two::with(&format!("nats://127.0.0.1:1,{}", server.url())).await;
    two.until_exchanged(1).await;
    let (mut playing, mut watch) = two.play(1).await;
    step_and_see(&mut playing, &mut watch, 8).await;
    two.check(playing).await;
}

#[tokio::test]
async fn processes_hint_by_several_ways_at_once() {
    let folder = new_folder();
    let mut server = NatsServer::start(folder.path(), &[]).await;
    let two = Two::with(&format!("notify,{}", server.url())).await;
    two.until_exchanged(1).await;
    let (mut playing, mut watch) = two.play(2).await;
    step_and_see(&mut playing, &mut watch, 4).await;
    // One way that stands still does not stop the other.
    server.kill().await;
    step_and_see(&mut playing, &mut watch, 4).await;
    two.check(playing).await;
}

#[tokio::test]
async fn a_server_may_go_and_come_back() {
    let folder = new_folder();
    let mut server = NatsServer::start(folder.path(), &[]).await;
    let two = Two::with(&server.url()).await;
    two.until_exchanged(1).await;
    let (mut playing, mut watch) = two.play(3).await;
    step_and_see(&mut playing, &mut watch, 2).await;
    server.kill().await;
    for service in [&two.one, &two.other] {
        until_logged(service, NOT_EXCHANGED, 1).await;
    }
    // What is recorded meanwhile is read when the server is back.
    playing.steps(4).await;
    // A process that starts without the server serves, and is ready.
    let url = two.installation.postgres().url();
    let third =
        serve_hinted(&two.installation.folder.path().join("third"), &url, &server.url()).await;
    let ready = http::Request::get("/readyz").body(http_body_util::Full::default());
    let ready = third.client(Protocol::Rest).send(ready.expect("a request")).await;
    assert_eq!(ready.expect("an answer").status, 200);
    until_logged(&third, NOT_EXCHANGED, 1).await;

    server.start_again().await;
    two.until_exchanged(2).await;
    until_logged(&third, EXCHANGED, 1).await;
    let position = playing.entries.last().expect("an entry").position;
    let missed = watch.up_to(position).await.expect("they are told");
    assert_eq!(missed.last().expect("an entry").position, position);
    step_and_see(&mut playing, &mut watch, 2).await;
    for service in [&two.one, &two.other, &third] {
        assert_eq!(logged(service, NOT_EXCHANGED), 1, "{}", log_tail(&service.folder));
    }
    two.check(playing).await;
}

#[tokio::test]
async fn strangers_change_nothing() {
    let folder = new_folder();
    let server = NatsServer::start(folder.path(), &[]).await;
    let mut two = Two::with(&server.url()).await;
    two.until_exchanged(1).await;
    let (mut playing, mut watch) = two.play(4).await;
    let mut listener = Stranger::on(&server).await;
    listener.subscribe("croupier.>").await;
    step_and_see(&mut playing, &mut watch, 1).await;
    let (subject, hint) = listener.next().await;
    assert_eq!(subject, two.subject().await, "others on this server have other subjects");
    drop(listener);

    let metrics = two.other.metrics().await;
    let count = async |outcome: &str| {
        let labels = [("way", "nats"), ("outcome", outcome)];
        figure(&scrape(&metrics).await, "croupier_hints_total", &labels).expect("it is counted")
    };
    let (received, refused) = (count("received").await, count("refused").await);
    let mut stranger = Stranger::on(&server).await;
    let everything = format!("{}:{:x}", Uuid::from_u128(7).simple(), u64::MAX);
    let garbage: [&[u8]; 5] = [b"", b":", &[0xff; 100], &[b'f'; 500_000], b"7:10000000000000000"];
    let mut own = hint.split(|byte| *byte == b':').next().expect("a process").to_vec();
    own.extend(b":ffffffffffffffff");
    for payload in garbage {
        stranger.publish(&subject, payload).await;
        stranger.settle().await;
    }
    until("garbage is refused", async || (count("refused").await >= refused + 5.0).then_some(()))
        .await;
    // Hints that were sent already, that are forged, and that pretend to be of a process that
    // receives them.
    for payload in [&hint[..], everything.as_bytes(), &own] {
        stranger.publish(&subject, payload).await;
        step_and_see(&mut playing, &mut watch, 1).await;
    }
    until("hints are received", async || (count("received").await >= received + 3.0).then_some(()))
        .await;

    // A flood is one hint every few milliseconds.
    let commits = async || {
        let query = "select xact_commit from pg_stat_database where datname = current_database()";
        let mut database = two.installation.database().await;
        sqlx::query_scalar::<_, i64>(query).fetch_one(&mut database).await.expect("a number")
    };
    let before = commits().await;
    stranger.publish_often(&subject, everything.as_bytes(), FLOOD).await;
    stranger.settle().await;
    step_and_see(&mut playing, &mut watch, 2).await;
    let looks = commits().await - before;
    assert!(looks < FLOOD as i64 / 20, "{looks} transactions for {FLOOD} hints");
    two.check(playing).await;
}

/// How many hints a stranger sends as fast as it can.
const FLOOD: usize = 200_000;

#[tokio::test]
async fn entries_of_lost_hints_are_polled() {
    let installation = Installation::open().await;
    let other = installation.folder.path().join("other");
    let url = installation.postgres().url();
    // It polls as usual, and the other process does not hint by this way.
    let ways = ["--without-peers", "--hints", "nats://127.0.0.1:1"];
    let other = Service::start_with(&other, Some(&url), &ways).await;
    let mut playing = Playing::new(&installation.client(Protocol::Grpc), 2, 5).await;
    let parent = playing.name.clone();
    let request = WatchEntriesRequest { parent, ..WatchEntriesRequest::default() };
    let mut watch = other.client(Protocol::Grpc).watch(&request).await;
    watch.up_to(1).await.expect("it is dealt");
    step_and_see(&mut playing, &mut watch, 2).await;
}

#[tokio::test]
async fn a_server_may_ask_for_credentials_and_tls() {
    let folder = new_folder();
    let trusting = trusting_program(folder.path());
    let [cert, key] = ["cert.pem", "key.pem"].map(|name| folder.path().join(name));
    let [cert, key] = [&cert, &key].map(|path| path.to_str().expect("a plain path"));
    let credentials = ["--user", "annabel", "--pass", "a,b@c"];
    let arguments = [&credentials[..], &["--tls", "--tlscert", cert, "--tlskey", key]].concat();
    let server = NatsServer::start(&folder.path().join("nats"), &arguments).await;
    let url = |password: &str| format!("tls://annabel:{password}@localhost:{}", server.port);

    let installation = Installation::open().await;
    let database = installation.postgres().url();
    let start = async |name: &str, ways: &str| {
        let folder = installation.folder.path().join(name);
        Service::start_program(&trusting, &folder, Some(&database), &["--hints", ways]).await
    };
    let admitted = start("admitted", &url("a%2Cb%40c")).await;
    until_logged(&admitted, EXCHANGED, 1).await;
    let refused = start("refused", &url("other")).await;
    until_logged(&refused, NOT_EXCHANGED, 1).await;
    for service in [&admitted, &refused] {
        let log = fs::read_to_string(service.folder.join("service.txt")).expect("a log");
        assert!(!log.contains("annabel") && !log.contains("a%2Cb"), "{log}");
    }
    let log = log_tail(&refused.folder);
    assert!(log.to_lowercase().contains("authorization violation"), "{log}");
}

/// The program under test, which trusts the certificate that is written to this folder.
fn trusting_program(folder: &Path) -> PathBuf {
    let made = generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let cert = folder.join("cert.pem");
    fs::write(&cert, made.cert.pem()).expect("a file");
    fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).expect("a file");
    let script = folder.join("trusting");
    let program = env!("CARGO_BIN_EXE_croupier");
    let lines = format!("#!/bin/sh\nSSL_CERT_FILE='{}' exec '{program}' \"$@\"\n", cert.display());
    fs::write(&script, lines).expect("a file");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("it is ours");
    script
}

#[tokio::test]
async fn ways_that_cannot_be_used_are_explained() {
    let folder = new_folder();
    for (ways, reason) in [
        ("notify,one:4222", "hints go by `notify`, by NATS servers such as nats://"),
        ("nats://ann:secret@one:port", "the URL of a NATS server is invalid: "),
        ("nats://a:secret@one,nats://b:secret@two", "have different credentials"),
    ] {
        let (mut child, _stdout) =
            serve_with(folder.path(), Some("postgres://nowhere/db"), &["--hints", ways]);
        let status = tokio::time::timeout(PATIENCE, child.wait()).await.expect("it ends in time");
        assert_eq!(status.expect("a child").code(), Some(1));
        let log = log_tail(folder.path());
        assert!(log.contains(reason) && !log.contains("secret"), "{reason:?} is not in {log:?}");
    }
}
