//! Credentials that are taken back: every call, every open stream and every process refuses them
//! within seconds, while the credentials of others, and those of before an outage, stay valid.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use contract::v1::match_service_client::MatchServiceClient;
use contract::v1::*;
use futures::future::join_all;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request, Streaming};

use crate::harness::*;

/// Within this time, what is taken back is refused everywhere. Half of what the contract says.
const REFUSED_WITHIN: Duration = Duration::from_secs(15);

/// `croupier platform …` on the installation's database.
pub async fn platform(installation: &Installation, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.arg("platform").args(arguments);
    command.args(["--database-url", &installation.postgres().url()]);
    command.stdin(Stdio::null()).env_remove("RUST_LOG");
    let run = move || command.output().expect("the program runs");
    let output = tokio::task::spawn_blocking(run).await.expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "croupier platform {arguments:?} said: {said}");
    String::from_utf8(output.stdout).expect("text")
}

pub fn key_id(key: &str) -> &str {
    key.split('_').nth(2).expect("the id of a key")
}

/// Open streams of every kind.
struct OpenStreams {
    entries: Watch<StreamEntriesResponse>,
    subscription: Watch<ConsumeSubscriptionResponse>,
    watch: Watch,
    replay: Watch<ReplayEntriesResponse>,
    play: (mpsc::Sender<PlayRequest>, Streaming<PlayResponse>),
}

impl OpenStreams {
    /// Opens them, and reads what there is.
    async fn of(client: &Client, service: &Service, key: &str, name: &str) -> OpenStreams {
        let create = CreateSubscriptionRequest {
            name: "subscriptions/mail".to_owned(),
            ..Default::default()
        };
        client.ask(&create).await.expect("a subscription");
        let stream = StreamEntriesRequest { live: true, ..Default::default() };
        let consume = ConsumeSubscriptionRequest { name: create.name, ..Default::default() };
        let watch = WatchEntriesRequest { parent: name.to_owned(), ..Default::default() };
        // Ten minutes after its first entry, it tells the second.
        let replay = ReplayEntriesRequest {
            parent: name.to_owned(),
            speed: 1e-9,
            pause_max: Some(contract::seconds(600)),
            ..Default::default()
        };
        let mut streams = OpenStreams {
            entries: client.stream(&stream).await,
            subscription: client.stream(&consume).await,
            watch: client.stream(&watch).await,
            replay: client.stream(&replay).await,
            play: open_play(service, key).await,
        };
        streams.watch.next().await.expect("it is valid").expect("the deal");
        streams.replay.next().await.expect("it is valid").expect("the deal");
        streams
    }

    /// Asserts that each ends with this reason, in time.
    async fn check_ended(mut self, reason: &str) {
        let ends = async {
            ended(&mut self.entries).await.check(Code::Unauthenticated, reason);
            ended(&mut self.subscription).await.check(Code::Unauthenticated, reason);
            ended(&mut self.watch).await.check(Code::Unauthenticated, reason);
            ended(&mut self.replay).await.check(Code::Unauthenticated, reason);
            let status = self.play.1.message().await.expect_err("it ends");
            Failure::of_status(&status).check(Code::Unauthenticated, reason);
        };
        timeout(REFUSED_WITHIN, ends).await.expect("every stream ends in time");
    }
}

async fn open_play(
    service: &Service,
    key: &str,
) -> (mpsc::Sender<PlayRequest>, Streaming<PlayResponse>) {
    let address = format!("http://127.0.0.1:{}", service.port());
    let mut client = MatchServiceClient::connect(address).await.expect("it serves");
    let (actions, sent) = mpsc::channel(8);
    let mut request = Request::new(ReceiverStream::new(sent));
    let bearer = format!("Bearer {key}").parse().expect("a key is ASCII");
    request.metadata_mut().insert("authorization", bearer);
    (actions, client.play(request).await.expect("it opens").into_inner())
}

/// The failure that ends a stream; heartbeats and entries before it are skipped.
async fn ended<T: prost::Message + Default>(stream: &mut Watch<T>) -> Failure {
    loop {
        match stream.next().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("it ended without an error"),
            Err(failure) => return failure,
        }
    }
}

/// Waits until the client's calls fail with this reason.
async fn refused(client: &Client, name: &str, reason: &str) {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    let failure = until("it is refused", async || client.ask(&request).await.err()).await;
    failure.check(Code::Unauthenticated, reason);
}

async fn accepted(client: &Client, name: &str) {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    client.ask(&request).await.expect("it is valid");
}

#[tokio::test]
async fn a_revoked_key_ends_its_calls_its_streams_and_its_tokens_in_every_process() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let key = installation.platform("acme").await;
    let client = installation.client(Protocol::Grpc).holding(&key);
    let it = create(&client, &new_match(2)).await;
    Playing::of(&client, &it, 1).steps(2).await;
    let name = &it.name;
    let spare = platform(&installation, &["key", "acme"]).await.trim().to_owned();
    let spare = installation.client(Protocol::Grpc).holding(&spare);
    let seat = token(&client, name, Some(0)).await;
    let seat_there = other.client(Protocol::Rest).holding(&seat);
    let seat = installation.client(Protocol::Events).holding(&seat);
    let spares_seat = seat.holding(token(&spare, name, Some(0)).await);
    let watch = WatchEntriesRequest { parent: name.clone(), ..Default::default() };
    let mut watched = seat.watch(&watch).await;
    watched.next().await.expect("it is valid").expect("the deal");
    accepted(&seat_there, name).await;
    let here = OpenStreams::of(&client, &installation.service, &key, name).await;
    let there = other.client(Protocol::Grpc).holding(&key);
    accepted(&there, name).await;

    let began = Instant::now();
    platform(&installation, &["revoke", "acme", key_id(&key)]).await;
    here.check_ended("CREDENTIALS_REVOKED").await;
    ended(&mut watched).await.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    for client in [&client, &there, &seat, &seat_there] {
        refused(client, name, "CREDENTIALS_REVOKED").await;
    }
    assert!(began.elapsed() < REFUSED_WITHIN);
    accepted(&spare, name).await;
    accepted(&spares_seat, name).await;
}

#[tokio::test]
async fn a_suspended_platform_is_refused_until_it_is_resumed() {
    let installation = Installation::open().await;
    let key = installation.platform("acme").await;
    let client = installation.client(Protocol::Grpc).holding(&key);
    let it = create(&client, &new_match(2)).await;
    Playing::of(&client, &it, 1).steps(2).await;
    let name = &it.name;
    let seat = client.holding(token(&client, name, Some(0)).await);
    let streams = OpenStreams::of(&client, &installation.service, &key, name).await;
    platform(&installation, &["suspend", "acme"]).await;
    streams.check_ended("PLATFORM_SUSPENDED").await;
    refused(&client, name, "PLATFORM_SUSPENDED").await;
    refused(&seat, name, "PLATFORM_SUSPENDED").await;
    let local = installation.client(Protocol::Grpc);
    create(&local, &new_match(2)).await;
    let listed = platform(&installation, &["list"]).await;
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines[0].starts_with("acme  suspended since "), "{listed}");
    assert!(lines[0].contains(key_id(&key)), "{listed}");
    assert!(lines[1].starts_with("local  active; keys: "), "{listed}");

    platform(&installation, &["resume", "acme"]).await;
    let request = GetMatchRequest { name: name.clone(), ..GetMatchRequest::default() };
    until("it is accepted", async || client.ask(&request).await.ok()).await;
    accepted(&seat, name).await;
}

#[tokio::test]
async fn revoked_tokens_are_refused_and_those_minted_later_are_valid() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let client = installation.client(Protocol::Grpc);
    let it = create(&client, &new_match(2)).await;
    let (name, elsewhere) = (&it.name, create(&client, &new_match(2)).await.name);
    let holder = async |name: &str, seat| client.holding(token(&client, name, seat).await);
    let (first, second) = (holder(name, Some(0)).await, holder(name, Some(1)).await);
    let (spectator, another) = (holder(name, None).await, holder(&elsewhere, Some(0)).await);
    let first_there = other.client(Protocol::Rest).holding(&token(&client, name, Some(0)).await);
    accepted(&first_there, name).await;
    let watch = WatchEntriesRequest { parent: name.clone(), ..Default::default() };
    let mut watched = first.watch(&watch).await;
    let mut watched_by_second = second.watch(&watch).await;

    let request = RevokeTokensRequest { parent: name.clone(), seat: Some(0) };
    client.speaking(Protocol::Rest).ask(&request).await.expect("a platform may");
    let failure = first
        .ask(&GetMatchRequest { name: name.clone(), ..GetMatchRequest::default() })
        .await
        .expect_err("revoked");
    failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    ended(&mut watched).await.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    refused(&first_there, name, "CREDENTIALS_REVOKED").await;
    let again = holder(name, Some(0)).await;
    for client in [&again, &second, &spectator] {
        accepted(client, name).await;
    }

    // The other process knows of it, too, before it mints.
    let there = other.client(Protocol::Grpc).holding(installation.service.key());
    platform(&installation, &["revoke-tokens", name]).await;
    let newest = there.holding(token(&there, name, Some(0)).await);
    for client in [&again, &second, &spectator] {
        refused(client, name, "CREDENTIALS_REVOKED").await;
    }
    ended(&mut watched_by_second).await.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    accepted(&newest, name).await;
    accepted(&another, &elsewhere).await;

    let request = RevokeTokensRequest { parent: name.clone(), seat: Some(2) };
    let failure = client.ask(&request).await.expect_err("it has two seats");
    failure.check(Code::InvalidArgument, "INVALID_REQUEST");
}

#[tokio::test]
async fn a_token_of_an_open_seat_does_not_become_the_players() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let players = vec![player(0)];
    let it = create(&client, &CreateMatchRequest { players, ..new_match(2) }).await;
    let name = &it.name;
    let holder = client.holding(token(&client, name, Some(1)).await);
    let watch = WatchEntriesRequest { parent: name.clone(), ..Default::default() };
    let mut watched = holder.watch(&watch).await;
    let join = JoinMatchRequest {
        name: name.clone(),
        player: player(1),
        seat: Some(1),
        ..Default::default()
    };
    client.ask(&join).await.expect("the seat is open");

    let seen = view(&holder, name, "", None).await;
    assert_eq!(seen.viewer, "spectator");
    assert_eq!(seen, view(&client, name, "spectator", None).await);
    let first = watched.next().await.expect("it is valid").expect("the deal");
    let as_spectator = WatchEntriesRequest { viewer: "spectator".to_owned(), ..watch };
    let expected = client.watch(&as_spectator).await.next().await.expect("valid").expect("a deal");
    assert_eq!(first.message, expected.message);
    let legal = ListLegalActionsRequest { name: name.clone(), ..Default::default() };
    let failure = holder.ask(&legal).await.expect_err("it is not the player's");
    failure.check(Code::PermissionDenied, "NOT_YOUR_SEAT");
    let request =
        GetViewRequest { name: name.clone(), viewer: "seats/1".to_owned(), ..Default::default() };
    let failure = holder.ask(&request).await.expect_err("it is not the player's");
    failure.check(Code::PermissionDenied, "NOT_YOUR_SEAT");
    let own = client.holding(token(&client, name, Some(1)).await);
    assert_eq!(view(&own, name, "", None).await.viewer, "seats/1");
}

#[tokio::test]
async fn tokens_outlive_the_rotation_of_the_key_that_signed_them_unless_it_is_dropped() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let name = &create(&client, &new_match(2)).await.name;
    let old = client.holding(token(&client, name, Some(0)).await);
    platform(&installation, &["rotate-token-keys"]).await;
    let key_of = |token: &str| {
        let header = token.split('.').next().expect("a header");
        let header = base64::Engine::decode(&base64::prelude::BASE64_URL_SAFE_NO_PAD, header);
        let header: serde_json::Value =
            serde_json::from_slice(&header.expect("base64")).expect("JSON");
        header["kid"].as_str().expect("a key id").to_owned()
    };
    let newer = until_within(Duration::from_secs(30), async || {
        let newer = token(&client, name, Some(0)).await;
        (key_of(&newer) == "2").then_some(newer)
    })
    .await;
    let newer = client.holding(newer);
    accepted(&old, name).await;
    accepted(&newer, name).await;

    let watch = WatchEntriesRequest { parent: name.clone(), ..Default::default() };
    let mut watched = old.watch(&watch).await;
    watched.next().await.expect("it is valid").expect("the deal");
    platform(&installation, &["rotate-token-keys", "--drop-old"]).await;
    ended(&mut watched).await.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    refused(&old, name, "CREDENTIALS_INVALID").await;
    refused(&newer, name, "CREDENTIALS_INVALID").await;
    accepted(&client.holding(token(&client, name, Some(0)).await), name).await;
}

async fn until_within<T>(longest: Duration, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let looking = async {
        loop {
            match look().await {
                Some(found) => return found,
                None => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    };
    timeout(longest, looking).await.expect("in time")
}

#[tokio::test]
async fn during_an_outage_verified_credentials_stay_valid_and_revoked_ones_refused() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let name = create(&client, &new_match(2)).await.name;
    let seat = client.holding(token(&client, &name, Some(0)).await);
    let revoked = client.holding(token(&client, &name, Some(1)).await);
    let rival = installation.platform("rival").await;
    let rival = client.holding(&rival);
    rival.ask(&ListMatchesRequest::default()).await.expect("it is valid");
    let request = RevokeTokensRequest { parent: name.clone(), seat: Some(1) };
    client.ask(&request).await.expect("a platform may");
    installation.stop_postgres().await;

    // Longer than several reads.
    tokio::time::sleep(Duration::from_secs(6)).await;
    let request = GetMatchRequest { name: name.clone(), ..GetMatchRequest::default() };
    client.ask(&request).await.expect("from memory");
    seat.ask(&request).await.expect("from memory");
    let failure = revoked.ask(&request).await.expect_err("it was revoked before");
    failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    let unknown = client.holding("croupier_acme_000000000000_unknown");
    let failure = unknown.ask(&request).await.expect_err("it cannot be known");
    failure.check(Code::Unavailable, "DATABASE_UNAVAILABLE");
    installation.start_postgres().await;
    refused_when_back(&unknown, &request).await;
}

/// An unknown key is refused as such once the database is back.
async fn refused_when_back(client: &Client, request: &GetMatchRequest) {
    let failure = until("the database is read again", async || {
        let failure = client.ask(request).await.expect_err("it is no key");
        (failure.code != Code::Unavailable).then_some(failure)
    })
    .await;
    failure.check(Code::Unauthenticated, "CREDENTIALS_INVALID");
}

#[tokio::test]
async fn unknown_keys_and_forged_tokens_cost_no_query_each() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let name = create(&client, &new_match(2)).await.name;
    let request = GetMatchRequest { name, ..GetMatchRequest::default() };
    let mut database = installation.database().await;
    let before = calls(&mut database).await;
    let forged = |number: usize| match number % 2 {
        0 => format!("croupier_local_{number:012}_forged"),
        // {"alg":"HS256","kid":"7"} with claims that nobody signed.
        _ => format!("eyJhbGciOiJIUzI1NiIsImtpZCI6IjcifQ.e30.{number:08}"),
    };
    const FORGED: usize = 1000;
    let answers = join_all((0..FORGED).map(async |number| {
        client.holding(forged(number)).ask(&request).await.expect_err("forged")
    }))
    .await;
    for failure in answers {
        failure.check(Code::Unauthenticated, "CREDENTIALS_INVALID");
    }
    let after = calls(&mut database).await;
    assert!(after - before < FORGED as i64 / 4, "{} scans of platform_keys", after - before);
    client.ask(&request).await.expect("others are served");
}

/// How often the tables of keys were scanned.
async fn calls(database: &mut sqlx::postgres::PgConnection) -> i64 {
    // Sessions report what they did at most a second later.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    sqlx::query_scalar(
        "select sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int8
         from pg_stat_user_tables
         where relname in ('platform_keys', 'token_keys')",
    )
    .fetch_one(database)
    .await
    .expect("statistics")
}
