//! Sockets through a server of tonic, on real connections. The service is gRPC's health check.

use std::convert::Infallible;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use http::{HeaderValue, Request};
use prost_reflect::DescriptorPool;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic_health::ServingStatus;
use tonic_health::server::{HealthReporter, health_reporter};
use transcoder::openapi::Info;
use transcoder::{Connection, Domain, Handover, Options, RequestIdLayer, Sockets, TranscoderLayer};

const PATIENCE: Duration = Duration::from_secs(60);

struct Service {
    port: u16,
    health: HealthReporter,
    drain: CancellationToken,
    serving: tokio::task::JoinHandle<()>,
}

impl Service {
    async fn start() -> Service {
        let pool = DescriptorPool::decode(tonic_health::pb::FILE_DESCRIPTOR_SET).expect("a pool");
        let (health, service) = health_reporter();
        let grpc = Routes::new(service).prepare();
        let origins = vec!["https://play.example".to_owned()];
        let options = Options { origins, ..Options::new(Domain::new("health")) };
        let layer = TranscoderLayer::new(&pool, options).expect("a contract");
        let drain = CancellationToken::new();
        let (sockets, last) = Sockets::new("/socket", "health", drain.clone());
        let info = Info {
            title: "Health",
            version: "1",
            description: "",
            license: "",
            credentials: "",
            public: &[],
            pages: &[],
        };
        let gateway = layer.gateway(grpc, &info, sockets);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let connections = futures::stream::unfold(listener, async |listener| {
            let (tcp, _) = listener.accept().await.expect("a connection");
            Some((Ok::<_, Infallible>(Handover::new(Connection::plain(tcp))), listener))
        });
        let stop = drain.clone().cancelled_owned();
        #[expect(clippy::disallowed_methods, reason = "it ends with the test")]
        let serving = tokio::spawn(async move {
            let server = Server::builder().layer(RequestIdLayer).layer(gateway.front);
            let server = server.accept_http1(true).add_routes(Routes::from(gateway.pages));
            server
                .serve_with_incoming_shutdown(Box::pin(connections), stop)
                .await
                .expect("it ends");
            last.gone().await;
        });
        Service { port, health, drain, serving }
    }

    async fn open(&self, headers: &[(&'static str, &'static str)]) -> Result<Client, (u16, Value)> {
        let tcp = TcpStream::connect(("127.0.0.1", self.port)).await.expect("it accepts");
        self.upgrade(tcp, headers).await
    }

    async fn upgrade(
        &self,
        tcp: TcpStream,
        headers: &[(&'static str, &'static str)],
    ) -> Result<Client, (u16, Value)> {
        let host = format!("127.0.0.1:{}", self.port);
        let request = Request::get(format!("ws://{host}/socket")).header("host", host);
        let request = request.header("connection", "keep-alive, Upgrade");
        let request = request.header("upgrade", "websocket").header("sec-websocket-version", "13");
        let request = request.header("sec-websocket-key", generate_key()).body(());
        let mut request = request.expect("a request");
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_static(value));
        }
        match timeout(PATIENCE, client_async(request, tcp)).await.expect("an answer in time") {
            Ok((client, _)) => Ok(client),
            Err(Error::Http(response)) => {
                let body = response.body().clone().unwrap_or_default();
                let refused = serde_json::from_slice(&body).expect("JSON");
                Err((response.status().as_u16(), refused))
            }
            Err(error) => panic!("{error}"),
        }
    }
}

type Client = WebSocketStream<TcpStream>;

async fn send(client: &mut Client, frame: Value) {
    client.send(Message::text(frame.to_string())).await.expect("it is open");
}

/// The next frame, or how the socket was closed.
async fn next(client: &mut Client) -> Value {
    loop {
        match timeout(PATIENCE, client.next()).await.expect("a frame in time") {
            Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).expect("JSON"),
            Some(Ok(Message::Close(Some(close)))) => return json!(u16::from(close.code)),
            Some(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_socket_carries_calls_until_the_server_stops() {
    let service = Service::start().await;
    let mut client = service.open(&[]).await.expect("it opens");
    let check = "grpc.health.v1.Health.Check";
    let watch = "grpc.health.v1.Health.Watch";
    send(&mut client, json!({ "id": "w", "method": watch, "message": {} })).await;
    assert_eq!(next(&mut client).await, json!({ "id": "w", "open": true }));
    assert_eq!(next(&mut client).await["message"]["status"], "SERVING");
    send(&mut client, json!({ "id": "c", "method": check })).await;
    let answer = json!({ "id": "c", "message": { "status": "SERVING" } });
    assert_eq!(next(&mut client).await, answer);
    assert_eq!(next(&mut client).await, json!({ "id": "c", "end": true }));
    service.health.set_service_status("", ServingStatus::NotServing).await;
    assert_eq!(next(&mut client).await["message"]["status"], "NOT_SERVING");
    send(&mut client, json!({ "id": "w", "cancel": true })).await;
    assert_eq!(next(&mut client).await["error"]["status"], "CANCELLED");

    service.drain.cancel();
    assert_eq!(next(&mut client).await, 1012);
    timeout(PATIENCE, service.serving).await.expect("it ends in time").expect("no panic");
}

#[tokio::test]
async fn a_connection_that_was_used_before_becomes_a_socket() {
    let service = Service::start().await;
    let mut tcp = TcpStream::connect(("127.0.0.1", service.port)).await.expect("it accepts");
    let request = b"GET /nothing HTTP/1.1\r\nhost: a\r\n\r\n";
    tcp.write_all(request).await.expect("it is read");
    let mut answer = vec![0; 4096];
    let length = tcp.read(&mut answer).await.expect("an answer");
    assert!(answer[..length].starts_with(b"HTTP/1.1 404"));
    let mut client = service.upgrade(tcp, &[]).await.expect("it opens");
    send(&mut client, json!({ "id": "c", "method": "grpc.health.v1.Health/Check" })).await;
    assert_eq!(next(&mut client).await["message"]["status"], "SERVING");
}

#[tokio::test]
async fn what_is_no_handshake_and_pages_of_other_origins_are_refused() {
    let service = Service::start().await;
    for (headers, status, reason) in [
        ([("origin", "https://evil.example")], 403, "ORIGIN_REFUSED"),
        ([("sec-websocket-protocol", "chat")], 400, "MALFORMED_HEADER"),
        ([("sec-websocket-version", "8")], 400, "MALFORMED_HEADER"),
        ([("upgrade", "h2c")], 400, "MALFORMED_HEADER"),
    ] {
        let Err((code, refused)) = service.open(&headers).await else { panic!("{headers:?}") };
        let found = &refused["error"]["details"][0]["reason"];
        assert_eq!((code, found), (status, &json!(reason)), "{headers:?}");
    }
    assert!(service.open(&[("origin", "https://play.example")]).await.is_ok());
}

#[tokio::test]
async fn frames_that_cannot_be_read_close_the_socket_with_a_code() {
    let service = Service::start().await;
    for (frame, code) in [
        (Message::text("not JSON"), 1007),
        (Message::text("{\"id\":\"c\",\"nonsense\":1}"), 1007),
        (Message::binary(&b"{}"[..]), 1003),
        (Message::text("x".repeat(2 << 20)), 1009),
    ] {
        let mut client = service.open(&[]).await.expect("it opens");
        // A long frame may be refused before all of it is sent.
        let _ = client.send(frame).await;
        assert_eq!(next(&mut client).await, code);
    }
}
