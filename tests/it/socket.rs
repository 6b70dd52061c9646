//! The WebSocket: several calls of any kind over one connection, with the same credentials, limits
//! and ends as over every other door.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use contract::v1::play_outcome::Outcome;
use contract::v1::*;
use rustix::process::Signal;
use serde_json::json;
use tokio::process::{Child, Command};
use tokio_tungstenite::tungstenite::Message;
use tonic::Code;

use crate::credentials::{key_id, platform};
use crate::harness::*;
use crate::lifecycle::read_page;
use crate::metering::figure;

fn watch(name: &str, after_position: i32) -> WatchEntriesRequest {
    WatchEntriesRequest { parent: name.to_owned(), after_position, ..Default::default() }
}

/// The entries of a stream up to a position, and the place after the last.
async fn entries_up_to(socket: &mut Socket, call: &Call, last: i32) -> (Vec<Entry>, String) {
    let (mut entries, mut place) = (Vec::<Entry>::new(), String::new());
    while entries.last().is_none_or(|entry| entry.position < last) {
        let (answer, resume) = socket.message::<WatchEntriesResponse>(call).await.expect("entries");
        entries.extend(answer.entries);
        place = resume.expect("entries have a place");
    }
    (entries, place)
}

#[tokio::test]
async fn one_socket_carries_streams_actions_and_unary_calls_at_once() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for protocol in [OF_JSON, OF_PROTO] {
        let bearer = format!("Bearer {}", installation.service.key());
        let headers = [("authorization", &*bearer), ("sec-websocket-protocol", protocol)];
        let mut socket =
            Socket::open(installation.service.port(), &headers).await.expect("it opens");
        let mut matches = [Playing::new(&client, 2, 1).await, Playing::new(&client, 3, 2).await];
        let mut watches = Vec::new();
        for playing in &matches {
            let viewer = "spectator".to_owned();
            let request = WatchEntriesRequest { viewer, ..watch(&playing.name, 0) };
            watches.push(socket.call(&request, json!({})).await);
        }
        let live = StreamEntriesRequest { live: true, ..Default::default() };
        let all = socket.call(&live, json!({})).await;
        let begun = socket.next::<StreamEntriesResponse>(&all).await;
        assert!(matches!(begun, Told::Open), "{begun:?}");
        let play = socket.play().await;

        // More messages than may be sent ahead, so the service must grant some.
        let (mut sent, mut granted) = (0, 8);
        for _ in 0..10 {
            for playing in &mut matches {
                let Some(action) = playing.plan().await.expect("an answer") else { continue };
                let request = PlayRequest { actions: vec![action.clone()] };
                socket.send(json!({ "id": play.id }), Some(&request)).await;
                sent += 1;
                assert!(sent <= granted, "{granted} messages are granted");
                let outcome = loop {
                    match socket.next::<PlayResponse>(&play).await {
                        Told::Open => {}
                        Told::More(more) => granted += more,
                        Told::Message { mut message, .. } => break message.outcomes.remove(0),
                        Told::End(end) => panic!("{end:?}"),
                    }
                };
                let Some(Outcome::Entry(entry)) = outcome.outcome else { panic!("{outcome:?}") };
                playing.acknowledged(&action.request_id, entry);
            }
        }
        assert!(sent > 16 && granted > 8, "{sent} sent, {granted} granted");
        socket.send::<()>(json!({ "id": play.id, "end": true }), None).await;
        socket.end(&play).await.expect("it ends as its actions do");

        let mut recorded = 0;
        for (playing, call) in matches.iter().zip(&watches) {
            let listed = entries(&client, &playing.name, "spectator").await;
            let last = listed.last().expect("the deal").position;
            recorded += listed.len() - 1;
            let (seen, _) = entries_up_to(&mut socket, call, last).await;
            assert_eq!(seen, listed);
            let request = GetMatchRequest { name: playing.name.clone(), ..Default::default() };
            let it = socket.ask(&request).await.expect("it is there").r#match.expect("a match");
            assert_eq!(it.name, playing.name);
        }
        let mut streamed = 0;
        while streamed < recorded {
            let next = socket.message::<StreamEntriesResponse>(&all).await.expect("entries");
            streamed += next.0.entries.len();
        }
        assert_eq!(streamed, recorded);
    }
}

#[tokio::test]
async fn a_stream_is_resumed_on_another_socket_after_a_crash() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 3).await;
    playing.steps(5).await;
    let (port, key) = (installation.service.port(), installation.service.key());
    let mut socket = Socket::holding(port, &key).await;
    let call = socket.call(&watch(&playing.name, 0), json!({})).await;
    let (mut seen, place) = entries_up_to(&mut socket, &call, 4).await;

    installation.service.kill().await;
    while socket.frame().await.is_some() {}
    installation.service.start_again().await;
    while playing.entries.len() < 9 {
        assert!(playing.patient_step().await);
    }
    let mut socket = Socket::holding(installation.service.port(), &key).await;
    // It overrides what the request itself says.
    let call = socket.call(&watch(&playing.name, 0), json!({ "resume": place })).await;
    let (rest, _) = entries_up_to(&mut socket, &call, 10).await;
    seen.extend(rest);
    check_dense(&seen, 10);

    let all = StreamEntriesRequest::default();
    let call = socket.call(&all, json!({})).await;
    let (first, place) = socket.message::<StreamEntriesResponse>(&call).await.expect("entries");
    assert_eq!(place.as_ref(), Some(&first.cursor), "the place of this stream is its cursor");
    let wrong = socket.call(&all, json!({ "resume": "yesterday" })).await;
    let wrong = socket.end(&wrong).await.expect_err("it is no cursor");
    wrong.check(Code::InvalidArgument, "INVALID_CURSOR");
    let wrong = socket.call(&watch(&playing.name, 0), json!({ "resume": "yesterday" })).await;
    let wrong = socket.end(&wrong).await.expect_err("it is no position");
    wrong.check(Code::InvalidArgument, "MALFORMED_MESSAGE");
}

#[tokio::test]
async fn a_call_that_is_not_read_holds_up_no_other() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 4).await;
    let mut socket =
        Socket::holding(installation.service.port(), &installation.service.key()).await;
    let call = socket.call(&watch(&playing.name, 0), json!({ "window": 1 })).await;
    let (first, _) = socket.message::<WatchEntriesResponse>(&call).await.expect("the deal");
    assert_eq!(first.entries.len(), 1);
    for _ in 0..5 {
        playing.steps(1).await;
        let request = GetMatchRequest { name: playing.name.clone(), ..Default::default() };
        socket.ask(&request).await.expect("others are answered");
    }
    // The answers of the other calls came after the entries, which were not sent.
    let mut seen = first.entries;
    while seen.len() < 6 {
        socket.send::<()>(json!({ "id": call.id, "more": 1 }), None).await;
        let (next, _) = socket.message::<WatchEntriesResponse>(&call).await.expect("entries");
        seen.extend(next.entries);
        let request = GetMatchRequest { name: playing.name.clone(), ..Default::default() };
        socket.ask(&request).await.expect("others are answered");
    }
    check_dense(&seen, 6);
}

#[tokio::test]
async fn a_cancelled_call_ends_and_a_socket_that_breaks_ends_its_calls() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let metrics = installation.service.metrics().await;
    let playing = Playing::new(&client, 2, 5).await;
    let mut socket =
        Socket::holding(installation.service.port(), &installation.service.key()).await;
    let mut calls = Vec::new();
    for _ in 0..3 {
        let call = socket.call(&watch(&playing.name, 0), json!({})).await;
        entries_up_to(&mut socket, &call, 1).await;
        calls.push(call);
    }
    let method = [("method", "EntryService.WatchEntries")];
    let are_open = async |count: f64| {
        until("so many are open", async || {
            let (_, page) = read_page(&metrics, "/metrics").await;
            (figure(&page, "croupier_streams_open", &method) == Some(count)).then_some(())
        })
        .await;
    };
    are_open(3.0).await;
    socket.send::<()>(json!({ "id": calls[1].id, "cancel": true }), None).await;
    let end = socket.end(&calls[1]).await.expect_err("it was cancelled");
    assert_eq!(end.code, Code::Cancelled);
    are_open(2.0).await;
    // What crosses the end of a call is no mistake.
    socket.send::<()>(json!({ "id": calls[1].id, "cancel": true }), None).await;
    socket.send::<()>(json!({ "id": calls[1].id, "more": 7 }), None).await;
    socket.ask(&ListGamesRequest::default()).await.expect("the socket goes on");
    drop(socket);
    are_open(0.0).await;
}

#[tokio::test]
async fn credentials_that_end_end_what_they_carried() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let (port, key) = (installation.service.port(), installation.service.key());
    let playing = Playing::new(&client, 2, 6).await;
    let of_seat = token(&client, &playing.name, Some(0)).await;
    let request = watch(&playing.name, 0);

    // By a header, by a subprotocol, by a frame, or for one call.
    let bearer = format!("bearer.{of_seat}");
    let offered = format!("{OF_JSON}, {bearer}");
    let mut socket = Socket::open(port, &[("sec-websocket-protocol", &offered)]).await.expect("it");
    let of_socket = socket.call(&request, json!({})).await;
    entries_up_to(&mut socket, &of_socket, 1).await;
    let own = json!({ "headers": { "authorization": format!("Bearer {key}") } });
    let of_call = socket.call(&request, own.clone()).await;
    entries_up_to(&mut socket, &of_call, 1).await;
    let mut without = Socket::open(port, &[]).await.expect("it opens without any");
    let refused = without.ask(&GetPlatformRequest::default()).await;
    refused.expect_err("nobody").check(Code::Unauthenticated, "CREDENTIALS_MISSING");
    without.send::<()>(own, None).await;
    without.ask(&GetPlatformRequest::default()).await.expect("the key's");

    let revoke = RevokeTokensRequest { parent: playing.name.clone(), ..Default::default() };
    client.ask(&revoke).await.expect("they are revoked");
    let end = socket.end(&of_socket).await.expect_err("its token was revoked");
    end.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    let again = socket.call(&request, json!({})).await;
    let end = socket.end(&again).await.expect_err("it is of no use");
    end.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    // A new one is taken from then on, and the call with its own has not noticed.
    let new = token(&client, &playing.name, Some(0)).await;
    let new = json!({ "headers": { "authorization": format!("Bearer {new}") } });
    socket.send::<()>(new, None).await;
    let again = socket.call(&request, json!({})).await;
    entries_up_to(&mut socket, &again, 1).await;
    platform(&installation, &["revoke", "local", key_id(&key)]).await;
    let end = socket.end(&of_call).await.expect_err("its key was revoked");
    end.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");

    // The address holds none.
    let path = format!("/v1/socket?access_token={key}");
    let mut socket = Socket::open_at(port, &path, &[]).await.expect("it opens");
    let refused = socket.ask(&GetPlatformRequest::default()).await;
    refused.expect_err("nobody").check(Code::Unauthenticated, "CREDENTIALS_MISSING");
    assert!(!installation.service.log().contains(&of_seat));
}

#[tokio::test]
async fn a_mistake_in_a_call_costs_that_call() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let (port, key) = (installation.service.port(), installation.service.key());
    let playing = Playing::new(&client, 2, 7).await;
    let mut socket = Socket::holding(port, &key).await;
    let get = "croupier.v1.MatchService.GetMatch";
    let play = "croupier.v1.MatchService/Play";
    let large = "x".repeat(70_000);
    for (frame, code, reason) in [
        (json!({ "method": "croupier.v1.Nothing.Get" }), Code::Unimplemented, "UNKNOWN_ROUTE"),
        (json!({ "method": "get" }), Code::Unimplemented, "UNKNOWN_ROUTE"),
        (
            json!({ "method": get, "message": { "nane": "" } }),
            Code::InvalidArgument,
            "UNKNOWN_FIELD",
        ),
        (json!({ "method": get, "message": { "name": 7 } }), Code::InvalidArgument, "WRONG_TYPE"),
        (json!({ "method": get, "resume": "7" }), Code::InvalidArgument, "MALFORMED_MESSAGE"),
        (
            json!({ "method": get, "headers": { "x-forwarded-for": "10.0.0.1" } }),
            Code::InvalidArgument,
            "MALFORMED_HEADER",
        ),
        (
            json!({ "method": get, "headers": { "grpc-timeout": "soon" } }),
            Code::InvalidArgument,
            "MALFORMED_HEADER",
        ),
        (
            json!({ "method": get, "message": { "name": large } }),
            Code::ResourceExhausted,
            "MESSAGE_TOO_LARGE",
        ),
        (
            json!({ "method": play, "message": { "action": [] } }),
            Code::InvalidArgument,
            "UNKNOWN_FIELD",
        ),
    ] {
        let mut frame = frame;
        frame["id"] = "wrong".into();
        socket.send_raw(Message::text(frame.to_string())).await;
        let head = socket.frame_of("wrong").await.head;
        assert_eq!(head["end"], true, "{head}");
        Failure::of_rest(&head["error"]).check(code, reason);
    }
    let call = socket.call(&watch(&playing.name, 0), json!({})).await;
    socket.send_raw(Message::text(json!({ "id": call.id, "message": {} }).to_string())).await;
    let end = socket.end(&call).await.expect_err("it takes one message");
    end.check(Code::InvalidArgument, "MALFORMED_MESSAGE");

    // As many calls as a socket may have.
    let mut open = Vec::new();
    for _ in 0..32 {
        open.push(socket.call(&watch(&playing.name, 0), json!({})).await);
    }
    let over = socket.call(&watch(&playing.name, 0), json!({})).await;
    let over = socket.end(&over).await.expect_err("it is one too many");
    over.check(Code::ResourceExhausted, "TOO_MANY_CALLS");
    assert_eq!(over.facts["calls_max"], "32");
    socket.send::<()>(json!({ "id": open[0].id, "cancel": true }), None).await;
    socket.end(&open[0]).await.expect_err("it was cancelled");
    socket.ask(&ListGamesRequest::default()).await.expect("there is room again");
}

#[tokio::test]
async fn a_mistake_in_a_frame_costs_its_socket_and_no_other() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let (port, key) = (installation.service.port(), installation.service.key());
    let mut playing = Playing::new(&client, 2, 7).await;
    let mut bystander = Socket::holding(port, &key).await;
    let watched = bystander.call(&watch(&playing.name, 0), json!({})).await;
    entries_up_to(&mut bystander, &watched, 1).await;

    let play = "croupier.v1.MatchService/Play";
    let id = json!({ "id": "1", "method": play }).to_string();
    for (frames, code) in [
        (vec![Message::text("not JSON")], 1007),
        (vec![Message::text("{\"id\": 7}")], 1007),
        (vec![Message::text("{\"id\": \"1\", \"nonsense\": true}")], 1007),
        (vec![Message::text("{\"more\": 1}")], 1007),
        (vec![Message::text("{\"headers\": {\"cookie\": \"a\"}}")], 1007),
        (vec![Message::text(id.clone()), Message::text(id)], 1007),
        (vec![Message::binary(&b"{}"[..])], 1003),
        (vec![Message::text("x".repeat(90_000))], 1009),
    ] {
        let mut socket = Socket::holding(port, &key).await;
        let told = format!("{:.60?}", frames.last());
        for frame in frames {
            socket.send_raw(frame).await;
        }
        let (closed, reason) = socket.closed().await;
        assert!(closed == code && !reason.is_empty(), "{told}: {closed} {reason}");
    }

    // Before the socket opens: other subprotocols, and no handshake at all.
    let refused = Socket::open(port, &[("sec-websocket-protocol", "chat")]).await;
    refused.err().expect("refused").check(Code::InvalidArgument, "MALFORMED_HEADER");
    for protocol in [Protocol::Rest, Protocol::Grpc] {
        let client = client.speaking(protocol);
        let (status, body) = read_page(&client, "/v1/socket").await;
        assert!(status == 400 && body.contains("MALFORMED_HEADER"), "{status} {body}");
    }

    playing.steps(1).await;
    entries_up_to(&mut bystander, &watched, 2).await;

    // Pages of other origins, where the operator names some.
    installation.service.restart_with(&["--cors-origin", "https://play.example"]).await;
    let port = installation.service.port();
    let of_host = format!("http://127.0.0.1:{port}");
    for (origin, may) in [
        ("https://play.example", true),
        (&*of_host, true),
        ("https://evil.example", false),
        ("null", false),
    ] {
        let opened = Socket::open(port, &[("origin", origin)]).await;
        assert_eq!(opened.is_ok(), may, "{origin}");
        if let Err(refused) = opened {
            refused.check(Code::PermissionDenied, "ORIGIN_REFUSED");
        }
    }
}

#[tokio::test]
async fn a_service_that_stops_lets_sockets_come_again() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let playing = Playing::new(&client, 2, 8).await;
    let (port, key) = (installation.service.port(), installation.service.key());
    let mut idle = Socket::holding(port, &key).await;
    let mut socket = Socket::holding(port, &key).await;
    let call = socket.call(&watch(&playing.name, 0), json!({})).await;
    let play = socket.play().await;
    entries_up_to(&mut socket, &call, 1).await;
    // A call that has not reached the service when it stops gets no end.
    let opened = socket.next::<()>(&play).await;
    assert!(matches!(opened, Told::Open), "{opened:?}");
    installation.service.signal(Signal::TERM);
    for call in [call, play] {
        let end = socket.end(&call).await.expect_err("it ends");
        end.check(Code::Unavailable, "SHUTTING_DOWN");
    }
    assert_eq!(socket.closed().await.0, 1012);
    assert_eq!(idle.closed().await.0, 1012);
    assert!(installation.service.ended().await.success());
}

/// An nginx with the settings of its package, but for the upgrade at `/v1/socket`, on one port; on
/// the other it buffers also what asks it not to, as proxies do that do not know that header.
async fn nginx(folder: &Path, to: u16) -> Option<(Child, [u16; 2])> {
    let mut found = ["/usr/sbin/nginx", "/usr/bin/nginx"].into_iter();
    let program = found.find(|it| Path::new(it).exists())?;
    let free = [ClosedPort::any(), ClosedPort::any()];
    let ports = [0, 1].map(|nth: usize| free[nth].port());
    let here = folder.display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|it| format!("{it}_temp_path {here}/{it};"))
        .concat();
    let server = |port: u16, more: &str| {
        format!(
            "server {{
                listen 127.0.0.1:{port};
                location / {{ proxy_pass http://127.0.0.1:{to}; {more} }}
                location /v1/socket {{
                    proxy_pass http://127.0.0.1:{to};
                    proxy_http_version 1.1;
                    proxy_set_header Upgrade $http_upgrade;
                    proxy_set_header Connection upgrade;
                }}
            }}"
        )
    };
    let servers =
        [server(ports[0], ""), server(ports[1], "proxy_ignore_headers X-Accel-Buffering;")];
    let settings = format!(
        "daemon off; master_process off; pid {here}/pid; error_log {here}/error.txt; events {{}}
        http {{ access_log {here}/access.txt; {temporary} {} }}",
        servers.concat()
    );
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join("nginx.conf"), settings).expect("a file");
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--", program, "-p"]).arg(folder);
    command.arg("-c").arg(folder.join("nginx.conf")).stderr(Stdio::null());
    drop(free);
    let child = command.kill_on_drop(true).spawn().expect("setpriv runs");
    // It writes its id once it has the ports: until then another may have them.
    until("nginx listens", async || fs::metadata(folder.join("pid")).ok()).await;
    Some((child, ports))
}

#[tokio::test]
async fn entries_come_at_once_through_a_proxy_that_holds_events_back() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let folder = installation.folder.path().join("nginx");
    let Some((_nginx, [usual, buffering])) = nginx(&folder, installation.service.port()).await
    else {
        return eprintln!("skipped: nginx is not installed (`.ci/install nginx`)");
    };
    let mut playing = Playing::new(&client, 2, 9).await;
    let key = installation.service.key();
    let mut events = Vec::new();
    for port in [usual, buffering] {
        let behind = Client::new(&Port::new(port.into()), Protocol::Events, &key);
        // A proxy that holds events back may hold back the head of the answer, too.
        let request = watch(&playing.name, 0);
        events.push(tokio::spawn(async move { behind.watch(&request).await.up_to(5).await }));
    }
    let held_back = events.pop().expect("the second");
    let mut socket = Socket::holding(buffering, &key).await;
    let call = socket.call(&watch(&playing.name, 0), json!({})).await;
    for last in 2..6 {
        playing.steps(1).await;
        let (seen, _) = entries_up_to(&mut socket, &call, last).await;
        assert_eq!(seen.last().expect("an entry").position, last);
    }
    // The service asks nginx not to buffer, and it complies where it is not told otherwise.
    let seen = events.remove(0).await.expect("no panic").expect("entries");
    check_dense(&seen, 5);
    assert!(!held_back.is_finished(), "events are held back, where sockets pass");
    held_back.abort();
    let log = fs::read_to_string(folder.join("access.txt")).unwrap_or_default();
    assert!(!log.contains(&key), "no proxy writes the key down");
}
