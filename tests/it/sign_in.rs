//! Signing in: a code works once, in whichever process it is tried, and the session that it gives
//! ends with the API key behind it. What a platform may know of itself.

use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use contract::v1::*;
use futures::future::join_all;
use serde_json::json;
use sqlx::Row;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::Command;
use tonic::Code;

use crate::credentials::{key_id, platform};
use crate::harness::*;
use crate::mcp::Agent;

/// A new code of the client's platform.
async fn code(client: &Client) -> String {
    let made = client.ask(&CreateSignInRequest {}).await.expect("a platform may");
    assert!(made.expire_time.is_some());
    made.code
}

async fn sign_in(client: &Client, code: &str) -> Result<SignInResponse, Failure> {
    client.anonymous().ask(&SignInRequest { code: code.to_owned() }).await
}

/// A client with the token of a new session.
async fn session(client: &Client) -> Client {
    client.holding(sign_in(client, &code(client).await).await.expect("it is new").token)
}

fn seconds_until(time: Option<prost_types::Timestamp>) -> u64 {
    let time = std::time::SystemTime::try_from(time.expect("a time")).expect("it is not far away");
    time.duration_since(now().into()).expect("it is to come").as_secs()
}

#[tokio::test]
async fn of_many_exchanges_of_a_code_in_two_processes_one_succeeds() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let key = installation.client(Protocol::Grpc);
    let there = other.client(Protocol::Rest).holding(installation.service.key());
    for _ in 0..5 {
        let code = code(&key).await;
        let clients = (0..16).map(|n| if n % 2 == 0 { key.apart() } else { there.apart() });
        let tries = clients.map(|client| {
            let code = &code;
            async move { sign_in(&client, code).await }
        });
        let mut succeeded = 0;
        for answer in join_all(tries).await {
            match answer {
                Ok(_) => succeeded += 1,
                Err(failure) => failure.check(Code::Unauthenticated, "SIGN_IN_CODE_INVALID"),
            }
        }
        assert_eq!(succeeded, 1);
    }
}

#[tokio::test]
async fn a_session_may_do_what_the_key_may_but_sign_others_in() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let key = installation.platform("acme").await;
    let key = installation.client(Protocol::Grpc).holding(key);
    for protocol in PROTOCOLS {
        let key = key.speaking(protocol);
        let code = code(&key).await;
        let answer = sign_in(&key, &code).await.expect("it is new");
        assert_eq!(answer.platform, "platforms/acme");
        let hours = seconds_until(answer.expire_time) as f64 / 3600.0;
        assert!((11.9..=12.0).contains(&hours), "{hours}");
        for client in [key.holding(&answer.token), other.client(protocol).holding(&answer.token)] {
            let it = create(&client, &new_match(2)).await;
            Playing::of(&client, &it, 3).steps(1).await;
            let seat = client.holding(token(&client, &it.name, Some(0)).await);
            assert_eq!(view(&seat, &it.name, "", None).await.viewer, "seats/0");
            client.ask(&GetPlatformRequest::default()).await.expect("it is its platform");
            let failure = client.ask(&CreateSignInRequest {}).await.expect_err("a session");
            failure.check(Code::PermissionDenied, "API_KEY_ONLY");
        }
        let local = installation.client(protocol);
        let theirs = create(&local, &new_match(2)).await.name;
        let request = GetMatchRequest { name: theirs, ..Default::default() };
        let failure = key.holding(&answer.token).ask(&request).await.expect_err("another's");
        failure.check(Code::NotFound, "MATCH_NOT_FOUND");
    }
}

#[tokio::test]
async fn a_code_expires_and_is_forgotten() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Rest);
    let made = key.ask(&CreateSignInRequest {}).await.expect("a platform may");
    let minutes = seconds_until(made.expire_time) as f64 / 60.0;
    assert!((9.5..=10.0).contains(&minutes), "{minutes}");
    code(&key).await;
    let mut database = installation.database().await;
    let late = "update sign_ins set expire_time = now() - interval '1 second'";
    sqlx::query(late).execute(&mut database).await.expect("two codes");
    let failure = sign_in(&key, &made.code).await.expect_err("it has expired");
    failure.check(Code::Unauthenticated, "SIGN_IN_CODE_INVALID");

    // A process that starts removes what nobody used.
    let fresh = code(&key).await;
    let other = installation.serve("b").await;
    let count = sqlx::query("select count(*) from sign_ins").fetch_one(&mut database).await;
    assert_eq!(count.expect("a count").get::<i64, _>(0), 1);
    sign_in(&other.client(Protocol::Rest), &fresh).await.expect("it is still good");
    let rows = sqlx::query("select * from sign_ins").fetch_all(&mut database).await.expect("rows");
    assert!(rows.is_empty(), "a code that was used leaves nothing");
}

#[tokio::test]
async fn the_database_has_no_code_to_read() {
    let installation = Installation::open().await;
    let code = code(&installation.client(Protocol::Rest)).await;
    let mut database = installation.database().await;
    let row = sqlx::query("select sign_ins::text from sign_ins").fetch_one(&mut database).await;
    let row = row.expect("a row").get::<String, _>(0);
    let hash = blake3::hash(code.as_bytes()).to_hex();
    assert!(row.contains(hash.as_str()) && !row.contains(&code), "{row}");
}

#[tokio::test]
async fn a_session_and_a_code_end_with_their_key() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let key = installation.platform("acme").await;
    let client = installation.client(Protocol::Grpc).holding(&key);
    let spare = platform(&installation, &["key", "acme"]).await.trim().to_owned();
    let spare = installation.client(Protocol::Grpc).holding(&spare);
    let (session_of_key, unused) = (session(&client).await, code(&client).await);
    let session_of_spare = session(&spare).await;
    let there = other.client(Protocol::Rest);
    let there = there.holding(sign_in(&there, &code(&client).await).await.expect("new").token);
    let mut stream = session_of_key.stream(&StreamEntriesRequest::default()).await;
    platform(&installation, &["revoke", "acme", key_id(&key)]).await;
    for client in [&session_of_key, &there] {
        let ask = async || client.ask(&GetPlatformRequest::default()).await.err();
        let failure = until("it is refused", ask).await;
        failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    }
    let failure = loop {
        match stream.next().await {
            Ok(message) => assert!(message.is_some(), "it ended without an error"),
            Err(failure) => break failure,
        }
    };
    failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    let failure = sign_in(&client, &unused).await.expect_err("its key is gone");
    failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    session_of_spare.ask(&GetPlatformRequest::default()).await.expect("another key made its code");
}

#[tokio::test]
async fn the_role_that_serves_signs_people_in() {
    let mut installation = Installation::open().await;
    installation.restrict().await;
    let key = installation.client(Protocol::Rest);
    let session = session(&key).await;
    session.ask(&GetPlatformRequest::default()).await.expect("it may read limits");
    session.ask(&ListApiKeysRequest::default()).await.expect("it may read keys");
}

const GUESS: &str = "AAGAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Guesses codes until the address is told to wait.
async fn guess_until_too_many(client: &Client) {
    for _ in 0..30 {
        let guesses = (0..100).map(async |_| sign_in(client, GUESS).await.expect_err("a guess"));
        for failure in join_all(guesses).await {
            if failure.code == Code::ResourceExhausted {
                failure.check(Code::ResourceExhausted, "TOO_MANY_INVALID_CREDENTIALS");
                assert!(failure.retry_ms.is_some());
                return;
            }
            failure.check(Code::Unauthenticated, "SIGN_IN_CODE_INVALID");
        }
    }
    panic!("nobody was told to wait");
}

/// Whether an address has had too many guesses. Sends more than become allowed again meanwhile, and
/// fewer than are allowed at once.
async fn is_told_to_wait(client: &Client) -> bool {
    let guesses = (0..300).map(async |_| sign_in(client, GUESS).await.expect_err("a guess"));
    join_all(guesses).await.iter().any(|it| it.code == Code::ResourceExhausted)
}

#[tokio::test]
async fn guesses_cost_only_who_guesses() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut database = installation.database().await;
    let scans = "select coalesce(sum(seq_scan + idx_scan), 0)::int8
                 from pg_stat_user_tables
                 where relname = 'sign_ins'";
    let scans = sqlx::query_scalar::<_, i64>(scans);
    guess_until_too_many(&client).await;
    // Everybody else behind the address signs in, with codes and with new keys.
    for _ in 0..5 {
        let guesses = (0..100).map(async |_| sign_in(&client, GUESS).await.expect_err("a guess"));
        let honest = async {
            let code = code(&client).await;
            sign_in(&client, &code).await.expect("it is new");
            let used = sign_in(&client, &code).await.expect_err("it was used");
            assert_ne!(used.reason, "");
        };
        tokio::join!(join_all(guesses), honest);
    }
    let guess = format!("{}x", installation.service.key());
    client.holding(guess).ask(&GetPlatformRequest::default()).await.expect_err("a guess");
    let key = installation.platform("acme").await;
    client.holding(key).ask(&GetPlatformRequest::default()).await.expect("a new key");
    // Sessions report what they did at most a second later.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let scans = scans.fetch_one(&mut database).await.expect("statistics");
    assert!(scans < 50, "{scans} scans, of more than a thousand guesses");
}

#[tokio::test]
async fn guesses_are_counted_by_the_address_that_a_trusted_proxy_names() {
    let mut installation = Installation::open().await;
    let from = |client: &Client, lines: &str| client.with_header("x-forwarded-for", lines);
    // Nobody is trusted, so what a client claims changes nothing.
    let client = installation.client(Protocol::Rest);
    guess_until_too_many(&from(&client, "203.0.113.1")).await;
    assert!(is_told_to_wait(&from(&client, "203.0.113.2")).await);

    installation.service.restart_with(&["--trusted-proxies", "127.0.0.0/8,10.0.0.0/8"]).await;
    for (number, protocol) in PROTOCOLS.into_iter().enumerate() {
        let client = installation.client(protocol);
        let [one, other] = [1, 2].map(|it| format!("203.0.{number}.{it}"));
        guess_until_too_many(&from(&client, &one)).await;
        assert!(is_told_to_wait(&from(&client, &format!("{other}, {one}, 10.1.2.3"))).await);
        assert!(!is_told_to_wait(&from(&client, &other)).await);
        assert!(!is_told_to_wait(&from(&client, &format!("{one}, {other}"))).await);
        let forwarded = from(&client, &other).with_header("forwarded", format!("for={one}"));
        assert!(!is_told_to_wait(&forwarded).await, "the other header is the client's");
    }
    let log = std::fs::read_to_string(installation.folder.path().join("a/service.txt"));
    assert!(log.is_ok_and(|it| it.contains("203.0.0.1")), "the log names who guesses");
    // Guesses of agents are counted with those of their addresses, too.
    let tries = AtomicUsize::new(0);
    let is_agent_told = async |address: &'static str| {
        // A key that was refused once is refused without being counted.
        let key = format!("{}{}", installation.service.key(), tries.fetch_add(1, Relaxed));
        let headers = [("x-forwarded-for", address)];
        let agent = Agent::over_http(&installation.service, &key, &headers).await;
        let tried = join_all((0..40).map(|_| agent.call("wait", json!({})))).await;
        let is_told = |it: &Result<String, String>| {
            it.as_ref().is_err_and(|it| it.starts_with("error: TOO_MANY_INVALID_CREDENTIALS\n"))
        };
        tried.iter().any(is_told)
    };
    // Others guess from its address meanwhile, or as many would become allowed again as it makes.
    let others = from(&installation.client(Protocol::Rest), "203.0.9.1");
    until("the agent is told to wait", async || {
        guess_until_too_many(&others).await;
        let guessing = async {
            loop {
                is_told_to_wait(&others).await;
            }
        };
        tokio::select! {
            is_told = is_agent_told("203.0.9.1") => is_told.then_some(()),
            () = guessing => None,
        }
    })
    .await;
    assert!(!is_agent_told("203.0.9.2").await);

    let arguments = ["--trusted-proxies", "127.0.0.1", "--client-header", "forwarded"];
    installation.service.restart_with(&arguments).await;
    let client = installation.client(Protocol::Rest);
    let from = |node: &str| client.with_header("forwarded", format!("for=\"{node}\";proto=https"));
    guess_until_too_many(&from("[2001:db8::1]:4711")).await;
    assert!(is_told_to_wait(&from("2001:db8::2")).await, "they share a /64");
    assert!(!is_told_to_wait(&from("2001:db8:0:1::2")).await);
}

/// The status of guesses over one connection that begins with these bytes; empty if it is closed.
async fn guesses(port: u16, begin: &[u8], count: usize) -> Vec<u16> {
    let body = format!(r#"{{"code":"{GUESS}"}}"#);
    let request = format!(
        "POST /v1/signIns:exchange HTTP/1.1\r\nhost: it\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut connection = TcpStream::connect(("127.0.0.1", port)).await.expect("it listens");
    connection.write_all(begin).await.expect("it is read");
    let mut statuses = Vec::new();
    for _ in 0..count {
        if connection.write_all(request.as_bytes()).await.is_err() {
            break;
        }
        let mut answer = Vec::new();
        while !is_whole(&answer) {
            let mut more = [0; 4096];
            match tokio::time::timeout(PATIENCE, connection.read(&mut more)).await {
                Ok(Ok(length @ 1..)) => answer.extend_from_slice(&more[..length]),
                Ok(_) => return statuses,
                Err(_) => panic!("it neither answers nor closes"),
            }
        }
        let status = String::from_utf8_lossy(&answer[9..12]).parse().expect("a status");
        statuses.push(status);
    }
    statuses
}

/// Whether guesses are refused once there are many, from several connections at once: one alone
/// may be slower than what is allowed.
async fn are_refused(port: u16, begin: &[u8]) -> bool {
    for _ in 0..10 {
        let told = join_all((0..16).map(|_| guesses(port, begin, 125))).await;
        if told.iter().flatten().any(|it| *it == 429) {
            return true;
        }
    }
    false
}

/// Whether an answer has arrived with its body.
fn is_whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    length.is_some_and(|length| body.len() >= length.parse().expect("a length"))
}

#[tokio::test]
async fn guesses_are_counted_by_the_address_that_a_trusted_balancer_names() {
    let mut installation = Installation::open().await;
    let of = |last: u8| {
        let signature = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c";
        [&signature[..], &[203, 0, 113, last, 127, 0, 0, 1, 0, 9, 0, 9]].concat()
    };
    let arguments = ["--trusted-proxies", "127.0.0.1", "--proxy-protocol"];
    installation.service.restart_with(&arguments).await;
    let port = installation.service.port();
    assert_eq!(guesses(port, &of(1), 1).await, [401]);
    assert!(are_refused(port, &of(1)).await);
    assert_eq!(guesses(port, &of(2), 1).await, [401]);
    assert!(are_refused(port, &of(1)).await);
    // A trusted balancer that names nobody is refused: what follows might be a client's.
    assert!(guesses(port, b"", 1).await.is_empty());
    // Others are served as they come, and claim nothing.
    let arguments = ["--trusted-proxies", "10.0.0.0/8", "--proxy-protocol"];
    installation.service.restart_with(&arguments).await;
    let port = installation.service.port();
    assert_eq!(guesses(port, b"", 1).await, [401]);
    assert_ne!(guesses(port, &of(1), 1).await, [401]);
    sign_in(&installation.client(Protocol::Grpc), GUESS).await.expect_err("a guess");
}

#[tokio::test]
async fn a_platform_knows_its_limits_and_what_it_uses_of_them() {
    let installation = Installation::open().await;
    let key = installation.platform("acme").await;
    let client = installation.client(Protocol::Rest).holding(&key);
    platform(&installation, &["limits", "acme", "--streams-max", "7"]).await;
    let mail = CreateSubscriptionRequest {
        name: "subscriptions/mail".to_owned(),
        ..CreateSubscriptionRequest::default()
    };
    client.ask(&mail).await.expect("a subscription");
    let live = StreamEntriesRequest { live: true, ..Default::default() };
    let stream = client.speaking(Protocol::Grpc).stream(&live).await;
    let platform_now = async || {
        let answer = client.ask(&GetPlatformRequest::default()).await.expect("its own");
        answer.platform.expect("a platform")
    };
    let it = platform_now().await;
    assert_eq!(it.name, "platforms/acme");
    let limit = |it: &Platform, name: &str| {
        let limit = it.limits.iter().find(|limit| limit.name == name).expect("it is listed");
        (limit.value, limit.custom, limit.used)
    };
    assert_eq!(it.limits.len(), 14);
    assert_eq!(limit(&it, "streams_max"), (7, true, Some(1)));
    assert_eq!(limit(&it, "subscriptions_max"), (100, false, Some(1)));
    assert_eq!(limit(&it, "watches_max"), (20_000, false, Some(0)));
    assert_eq!(limit(&it, "calls_per_s"), (100_000, false, None));
    drop(stream);
    let is_closed =
        async || (limit(&platform_now().await, "streams_max").2 == Some(0)).then_some(());
    until("the stream is closed", is_closed).await;
}

#[tokio::test]
async fn a_platform_lists_its_own_keys_and_never_a_secret() {
    let installation = Installation::open().await;
    let first = installation.platform("acme").await;
    let second = platform(&installation, &["key", "acme"]).await.trim().to_owned();
    platform(&installation, &["revoke", "acme", key_id(&first)]).await;
    let client = installation.client(Protocol::Rest).holding(&second);
    let raw = client.receive(&ListApiKeysRequest::default()).await.expect("an answer");
    let text = String::from_utf8(raw.body.to_vec()).expect("text");
    for key in [&first, &second] {
        assert!(!text.contains(key.splitn(4, '_').nth(3).expect("a secret")), "{text}");
    }
    let keys = client.ask(&ListApiKeysRequest::default()).await.expect("its own").api_keys;
    let (mut paged, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = ListApiKeysRequest { page_size: 1, page_token, ..<_>::default() };
        let page = client.ask(&request).await.expect("a page");
        paged.extend(page.api_keys);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    assert_eq!(paged, keys);
    let foreign = ListApiKeysRequest { page_token: "eA".to_owned(), ..Default::default() };
    let refused = client.ask(&foreign).await.expect_err("no token of this list");
    assert_eq!(refused.reason, "INVALID_PAGE_TOKEN");
    let keys: Vec<_> =
        keys.iter().map(|key| (key.name.as_str(), key.revoke_time.is_some())).collect();
    let name = |key: &str| format!("apiKeys/{}", key_id(key));
    assert_eq!(keys, [(name(&second).as_str(), false), (name(&first).as_str(), true)]);
}

/// `croupier sign-in` on this installation.
async fn command(installation: &Installation, arguments: &[&str]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    command.arg("sign-in").args(arguments).env("CROUPIER_ADDRESS", address);
    command.env("CROUPIER_KEY", installation.service.key()).stdin(Stdio::null());
    let output = tokio::time::timeout(PATIENCE, command.output()).await.expect("in time");
    let output = output.expect("it runs");
    assert!(output.status.success());
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr))
}

#[tokio::test]
async fn the_command_line_prints_a_link_that_works_once() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let (link, told) = command(&installation, &[]).await;
    let (address, code) = link.trim().split_once("/#sign-in=").expect("a link");
    assert_eq!(address, format!("http://127.0.0.1:{}", installation.service.port()));
    assert!(told.starts_with("It works once, until "), "{told}");
    sign_in(&client, code).await.expect("it is new");
    sign_in(&client, code).await.expect_err("it was used");

    let (line, told) = command(&installation, &["--json"]).await;
    let line: serde_json::Value = serde_json::from_str(&line).expect("a line of JSON");
    let code = line["code"].as_str().expect("a code");
    assert!(line["link"].as_str().is_some_and(|link| link.ends_with(&format!("#sign-in={code}"))));
    assert!(line["expireTime"].is_string() && told.is_empty());
    sign_in(&client, code).await.expect("it is new");
}

/// What the service prints where nobody sits at a terminal becomes part of a log.
#[tokio::test]
async fn a_service_without_a_terminal_prints_no_code() {
    let folder = new_folder();
    copy_cluster(&folder.path().join("postgres")).await;
    let (mut child, mut lines) = serve(folder.path(), None);
    let mut said = String::new();
    while !said.contains("curl ") {
        let line = tokio::time::timeout(PATIENCE, lines.next_line()).await.expect("in time");
        said += &line.expect("its output can be read").expect("it goes on");
    }
    assert!(said.contains(" sign-in") && !said.contains("#sign-in="), "{said}");
    child.kill().await.expect("it runs");
    tokio::time::sleep(Duration::from_millis(10)).await;
}
