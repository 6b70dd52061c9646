//! Operations: health, reflection, OpenAPI and CORS.

use api::v1::ListGamesRequest;
use bytes::Bytes;
use http::Request;
use http_body_util::Full;
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
    for service in api::descriptors().services() {
        assert!(services.contains(&service.full_name().to_owned()), "{services:?}");
    }
    let file =
        ask(MessageRequest::FileContainingSymbol("croupier.v1.MatchService".to_owned())).await;
    assert!(matches!(file, Some(MessageResponse::FileDescriptorResponse(_))), "{file:?}");
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
    assert_eq!(ids.len(), over_http().count());
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
