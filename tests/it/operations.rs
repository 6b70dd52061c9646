//! Operations: health, reflection, OpenAPI and CORS.

use bytes::Bytes;
use contract::v1::{ListGamesRequest, WatchEntriesRequest};
use http::Request;
use http_body_util::Full;
use prost::Message;
use serde_json::Value;
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;

use crate::harness::*;

async fn channel(installation: &Installation) -> Channel {
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    Endpoint::from_shared(address).expect("an address").connect().await.expect("it answers")
}

#[tokio::test]
async fn health_is_reported_overall_and_for_match_service() {
    let installation = Installation::open().await;
    let mut health = HealthClient::new(channel(&installation).await);
    for service in ["", "croupier.v1.MatchService"] {
        let request = HealthCheckRequest { service: service.to_owned() };
        let status = health.check(request).await.expect("it is known").into_inner();
        assert_eq!(status.status(), ServingStatus::Serving, "{service:?}");
    }
    let request = HealthCheckRequest { service: "croupier.v1.NoSuchService".to_owned() };
    assert_eq!(health.check(request).await.expect_err("unknown").code(), tonic::Code::NotFound);
}

#[tokio::test]
async fn a_stopping_service_reports_not_serving() {
    let mut installation = Installation::open().await;
    let mut health = HealthClient::new(channel(&installation).await);
    let request = HealthCheckRequest { service: "croupier.v1.MatchService".to_owned() };
    let mut statuses = health.watch(request).await.expect("it is known").into_inner();
    let first = statuses.message().await.expect("a status").expect("a status");
    assert_eq!(first.status(), ServingStatus::Serving);
    installation.service.signal(rustix::process::Signal::TERM);
    let next = tokio::time::timeout(PATIENCE, statuses.message()).await.expect("in time");
    assert_eq!(next.expect("a status").expect("a status").status(), ServingStatus::NotServing);
    drop((statuses, health));
    assert!(installation.service.ended().await.success());
}

#[tokio::test]
async fn reflection_serves_the_contract() {
    let installation = Installation::open().await;
    let mut reflection = ServerReflectionClient::new(channel(&installation).await);
    let mut ask = async |message: MessageRequest| {
        let message_request = Some(message);
        let request = ServerReflectionRequest { host: String::new(), message_request };
        let asked = futures::stream::iter([request]);
        let mut answers =
            reflection.server_reflection_info(asked).await.expect("it answers").into_inner();
        answers.message().await.expect("an answer").expect("an answer").message_response
    };
    let services = ask(MessageRequest::ListServices(String::new())).await;
    let Some(MessageResponse::ListServicesResponse(services)) = services else {
        panic!("{services:?}");
    };
    let services: Vec<String> = services.service.into_iter().map(|service| service.name).collect();
    for service in contract::descriptors().services() {
        assert!(services.contains(&service.full_name().to_owned()), "{services:?}");
    }
    let file =
        ask(MessageRequest::FileContainingSymbol("croupier.v1.MatchService".to_owned())).await;
    let Some(MessageResponse::FileDescriptorResponse(file)) = file else { panic!("{file:?}") };
    let bytes = file.file_descriptor_proto[0].as_slice();
    let file = prost_types::FileDescriptorProto::decode(bytes).expect("a file");
    let comments = file.source_code_info.expect("comments").location;
    let mut comments = comments.iter().map(|it| it.leading_comments());
    assert!(comments.any(|it| it.contains("Accepts a stream of actions")), "it has its comments");
    // The decoder above knows no extensions, so it drops them.
    let rule = b"/v1/{name=matches/*}:join";
    assert!(bytes.windows(rule.len()).any(|it| it == rule), "it has its HTTP rules");
    for detail in ["google.rpc.ErrorInfo", "google.rpc.LocalizedMessage"] {
        let file = ask(MessageRequest::FileContainingSymbol(detail.to_owned())).await;
        assert!(matches!(file, Some(MessageResponse::FileDescriptorResponse(_))), "{detail}");
    }
}

#[tokio::test]
async fn the_first_page_says_where_to_go() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest).anonymous();
    let ask = async |path: &str, accept: &str| {
        let request = Request::get(path).header("accept", accept).body(Full::default());
        client.send(request.expect("a request")).await.expect("an answer")
    };
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let html = ask("/", browser).await;
    assert_eq!(html.headers["content-type"], "text/html; charset=utf-8");
    let policy = html.headers["content-security-policy"].to_str().expect("visible");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    let html = String::from_utf8(html.body.to_vec()).expect("UTF-8");
    let links: Vec<&str> =
        html.split("href=\"").skip(1).filter_map(|it| Some(it.split_once('"')?.0)).collect();
    assert!(links.contains(&"/openapi.json") && links.contains(&"/v1/games/rigs/rules"));
    for path in links {
        assert_eq!(ask(path, browser).await.status.as_u16(), 200, "{path}");
    }
    for accept in ["application/json", "*/*"] {
        let json = ask("/", accept).await;
        let json: Value = serde_json::from_slice(&json.body).expect("JSON");
        assert_eq!(json["openapi"], "/openapi.json");
        assert_eq!(json["games"].as_array().map(Vec::len), Some(5));
    }
    let docs = ask("/docs", browser).await;
    assert_eq!(
        (docs.status.as_u16(), &docs.headers["location"]),
        (308, &"/".parse().expect("a path"))
    );
}

#[tokio::test]
async fn openapi_lists_every_rpc_served_over_rest() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest).anonymous();
    let request: Request<Full<Bytes>> =
        Request::get("/openapi.json").body(Full::default()).expect("a request");
    let response = client.send(request).await.expect("an answer");
    assert_eq!(
        (response.status.as_u16(), &response.headers["content-type"]),
        (200, &"application/json".parse().expect("a value"))
    );
    let document: Value = serde_json::from_slice(&response.body).expect("JSON");
    assert!(document["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.values().flat_map(|path| path.as_object().expect("verbs").values());
    let ids: Vec<&str> =
        operations.filter_map(|operation| operation["operationId"].as_str()).collect();
    let over_http = || methods().into_iter().filter(|method| !method.is_client_streaming());
    for method in over_http() {
        let (verb, template, _) = http_rule(&method);
        let id = format!("{}_{}", method.parent_service().name(), method.name());
        assert!(ids.contains(&id.as_str()), "{verb} {template} is missing as {id}: {ids:?}");
    }
    let pages = [
        "/",
        "/docs/errors.md",
        "/llms.txt",
        "/livez",
        "/readyz",
        "/readyz/reads",
        "/.well-known/jwks.json",
        "/openapi.json",
    ];
    for page in pages {
        assert!(paths.contains_key(page), "{page} is missing");
    }
    assert_eq!(ids.len(), over_http().count() + pages.len());
}

#[tokio::test]
async fn the_document_says_which_calls_need_no_credentials() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest).anonymous();
    let ask = async |verb: &str, path: &str| {
        let request = Request::builder().method(verb.to_uppercase().as_str()).uri(path);
        let response = client.send(request.body(Full::default()).expect("a request")).await;
        response.expect("an answer")
    };
    let document = ask("get", "/openapi.json").await;
    let document: Value = serde_json::from_slice(&document.body).expect("JSON");
    let some = "00000000-0000-4000-8000-000000000000";
    let fill = |path: &str| {
        let known = path.replace("{game}", "mountebank").replace("{entry}", "1");
        known
            .split(['{', '}'])
            .enumerate()
            .map(|(nth, it)| if nth % 2 == 1 { some } else { it })
            .collect()
    };
    for (path, verbs) in document["paths"].as_object().expect("paths") {
        for (verb, operation) in verbs.as_object().expect("verbs") {
            let path: String = fill(path);
            let answer = ask(verb, &path).await;
            let security = operation["security"].as_array().expect("every call says it");
            // A code to sign in with is asked for in their place.
            let expected = match (security.is_empty(), path.as_str()) {
                (false, _) => (401, "CREDENTIALS_MISSING"),
                (true, "/v1/signIns:exchange") => (400, "INVALID_REQUEST"),
                (true, _) => (200, ""),
            };
            let text = String::from_utf8_lossy(&answer.body);
            assert_eq!(answer.status.as_u16(), expected.0, "{verb} {path}");
            assert!(text.contains(expected.1), "{verb} {path}: {text}");
        }
    }
}

/// A generated client may put a whole name where the path has an id.
#[tokio::test]
async fn a_path_takes_an_id_or_a_whole_name() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let name = create(&client, &new_match(2)).await.name;
    let escaped = name.replace('/', "%2F");
    for path in [
        format!("/v1/{name}"),
        format!("/v1/matches/{escaped}"),
        format!("/v1/matches/{name}"),
        format!("/v1/matches/{escaped}:view"),
        format!("/v1/matches/{name}:view"),
        format!("/v1/matches/{escaped}/entries"),
        format!("/v1/matches/{escaped}/entries/{escaped}%2Fentries%2F1"),
        "/v1/games/games%2Frigs".to_owned(),
        "/v1/games/games/rigs/rules".to_owned(),
    ] {
        let request = Request::get(&path).body(Full::default()).expect("a request");
        let response = client.send(request).await.expect("an answer");
        assert_eq!(response.status.as_u16(), 200, "{path}");
    }
}

/// Whoever shows a table reads its game, which is large and seldom changes.
#[tokio::test]
async fn what_is_known_about_games_may_be_cached_and_is_compressed() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Rest);
    let ask = async |path: &str, headers: &[(&str, &str)]| {
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::default()).expect("a request");
        key.anonymous().send(request).await.expect("an answer")
    };
    for path in ["/v1/games", "/v1/games/rigs", "/v1/games/rigs/rules", "/openapi.json"] {
        let whole = ask(path, &[]).await;
        assert_eq!(whole.headers["cache-control"], "public, max-age=300", "{path}");
        assert!(!whole.headers.contains_key("content-encoding"), "{path}");
        let vary: Vec<_> =
            whole.headers.get_all("vary").iter().flat_map(|it| it.to_str()).collect();
        let vary = vary.join(", ");
        assert!(vary.contains("accept-encoding") && vary.contains("accept-language"), "{vary}");
        let gzipped = ask(path, &[("accept-encoding", "gzip, br")]).await;
        assert_eq!(gzipped.headers["content-encoding"], "gzip", "{path}");
        assert!(gzipped.body.len() * 2 < whole.body.len(), "{path}: {}", gzipped.body.len());
        assert_eq!(gzipped.headers["etag"], whole.headers["etag"], "{path}");
        let tag = whole.headers["etag"].to_str().expect("visible");
        let known = ask(path, &[("if-none-match", tag), ("accept-encoding", "gzip")]).await;
        assert_eq!((known.status.as_u16(), known.body.len()), (304, 0), "{path}");
        println!("{path}: {} bytes, {} with gzip", whole.body.len(), gzipped.body.len());
    }
    // What depends on the caller or on the record is neither.
    let name = create(&key, &new_match(2)).await.name;
    for path in [format!("/v1/{name}"), format!("/v1/{name}:view"), format!("/v1/{name}/entries")] {
        let request = Request::get(&path).header("accept-encoding", "gzip");
        let request = request.body(Full::default()).expect("a request");
        let answer = key.send(request).await.expect("an answer");
        assert_eq!(
            (answer.status.as_u16(), &answer.headers["cache-control"]),
            (200, &"no-store".parse().expect("a value"))
        );
        assert!(!answer.headers.contains_key("content-encoding"), "{path}");
    }
}

/// An event stream arrives as it is sent, whatever the client can decompress.
#[tokio::test]
async fn a_stream_is_neither_compressed_nor_held_back() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Rest);
    let name = create(&key, &new_match(2)).await.name;
    for protocol in [Protocol::Events, Protocol::Rest] {
        let client = key.speaking(protocol).with_header("accept-encoding", "gzip");
        let request = WatchEntriesRequest { parent: name.clone(), ..Default::default() };
        let deal = client.watch(&request).await.up_to(1).await.expect("it is there");
        assert_eq!(deal.len(), 1, "{protocol:?}");
    }
}

#[tokio::test]
async fn a_page_of_another_origin_may_call() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest).anonymous();
    let asking = Request::options("/v1/games")
        .header("origin", "https://play.example")
        .header("access-control-request-method", "GET")
        .header("access-control-request-headers", "authorization");
    let response =
        client.send(asking.body(Full::default()).expect("a request")).await.expect("an answer");
    assert_eq!(response.headers["access-control-allow-origin"], "*");
    client.ask(&ListGamesRequest::default()).await.expect("the games are for everybody");
}
