//! The server: one port, one handler for every protocol, and a graceful shutdown.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use contract::v1::Metrics;
use contract::v1::entry_service_server::EntryServiceServer;
use contract::v1::game_service_server::GameServiceServer;
use contract::v1::history_service_server::HistoryServiceServer;
use contract::v1::invitation_service_server::InvitationServiceServer;
use contract::v1::match_service_server::MatchServiceServer;
use contract::v1::module_service_server::ModuleServiceServer;
use contract::v1::platform_service_server::PlatformServiceServer;
use contract::v1::player_service_server::PlayerServiceServer;
use contract::v1::projection_service_server::ProjectionServiceServer;
use contract::v1::push_service_server::PushServiceServer;
use contract::v1::search_service_server::SearchServiceServer;
use contract::v1::seek_service_server::SeekServiceServer;
use contract::v1::stream_service_server::StreamServiceServer;
use contract::v1::token_service_server::TokenServiceServer;
use contract::{FILE_DESCRIPTOR_SET, descriptors};
use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use matches::Matches;
use pages::Pages;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use tower::Layer;
use transcoder::health::{Readers, Readiness};
use transcoder::{
    Cached, Connection, ContractError, Handover, Proxies, RequestIdLayer, Resume, Silence, Sockets,
    TranscoderLayer, deadline, openapi, refusals,
};

use super::index;
use super::routes::Shortcut;
use super::unfurl;
use super::within::{self, Protocol};
use crate::answers::images::Images;
use crate::answers::{receipts, transparency};
use crate::auth::{Auth, CallLayer};
use crate::error::DOMAIN;
use crate::meter;
use crate::services::{
    Calls, Entries, Games, History, Invitations, MatchesService, MetricsSource, Modules, Platforms,
    Players, Projections, Pushes, Searches, Seeks, Streams, Tokens, Unread,
};
use crate::version::VERSION;

/// The texts of the OpenAPI document that are not in the contract's comments.
const INFO: openapi::Info<'_> = openapi::Info {
    title: "Croupier",
    version: VERSION,
    description: "Hosts matches of tabletop games: deals, enforces the rules, records and streams.",
    license: env!("CARGO_PKG_LICENSE"),
    credentials: "An API key or a token.",
    public: &["croupier.v1.GameService", "croupier.v1.TokenService.SignIn"],
    pages: &PAGES,
};

/// Where the socket is.
const SOCKET_PATH: &str = "/v1/socket";

const PAGES: [openapi::Page<'_>; 8] = [
    openapi::Page {
        path: "/",
        id: "index",
        summary: "Says what answers here, and where to go next",
        description: "The application for browsers, JSON for programs.",
        media_type: "application/json",
    },
    openapi::Page {
        path: index::ERRORS_PATH,
        id: "errors",
        summary: "Lists every error",
        description: "Each reason with its code, its facts, its cause, and what a client does.",
        media_type: "text/markdown",
    },
    openapi::Page {
        path: index::LLMS_PATH,
        id: "llms",
        summary: "Tells language models what is here",
        description: "What the service is, how an agent plays, and where everything is described.",
        media_type: "text/markdown",
    },
    openapi::Page {
        path: "/livez",
        id: "livez",
        summary: "Tells whether the process is alive",
        description: "Answers with 200 while the process can answer at all.",
        media_type: "text/plain",
    },
    openapi::Page {
        path: "/readyz",
        id: "readyz",
        summary: "Tells whether every call works",
        description: "Answers with 503 while the database does not answer or its disk is full, and \
            once the service leaves. The text says why. If a database of several nodes lacks some, \
            it answers with 200, and the text says how many.",
        media_type: "text/plain",
    },
    openapi::Page {
        path: "/readyz/reads",
        id: "readyz-reads",
        summary: "Tells whether load balancers should send calls",
        description: "Like `/readyz`, but answers with 200 while only reads work.",
        media_type: "text/plain",
    },
    openapi::Page {
        path: receipts::KEYS_PATH,
        id: "keys",
        summary: "Lists the public keys of receipts",
        description: "A JSON Web Key Set.",
        media_type: "application/json",
    },
    openapi::Page {
        path: "/openapi.json",
        id: "openapi",
        summary: "Describes the REST interface",
        description: "This document.",
        media_type: "application/json",
    },
];

/// The REST interface as an OpenAPI 3.1 document.
pub fn openapi() -> String {
    let layer = TranscoderLayer::new(descriptors(), transcoding(&Options::default()));
    let layer = layer.expect("the contract names only what it has, or nothing would be served");
    format!("{:#}", layer.document(&INFO))
}

#[derive(Clone, Debug)]
pub struct Options {
    /// The longest request message. The largest action has a few hundred bytes; a create request
    /// names eight players.
    pub message_bytes_max: usize,
    /// The longest duration of a unary call. The store has shorter timeouts of its own.
    pub unary_max: Duration,
    /// How long streams may take to end when the service stops.
    pub drain_wait: Duration,
    /// The web pages that may call from a browser, by origin; `*` for any. Callers still need an
    /// API key or a token.
    pub origins: Vec<String>,
    /// The web pages of the service.
    pub pages: Pages,
    /// The origins whose pages may frame them.
    pub frame_origins: Vec<String>,
    /// The platforms whose matches are shown, as spectators see them, to whoever has a link.
    pub shown_platforms: Vec<String>,
    /// Where webhooks may be sent.
    pub webhooks: webhooks::Options,
    /// The proxies that are trusted to name the addresses of their clients.
    pub proxies: Proxies,
    /// What else answers at this address, by calls of the same service.
    pub protocols: Vec<Protocol>,
    /// What the process has counted.
    pub metrics: MetricsSource,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            message_bytes_max: 64 * 1024,
            unary_max: Duration::from_secs(15),
            drain_wait: Duration::from_secs(10),
            origins: vec!["*".to_owned()],
            pages: Pages::default(),
            frame_origins: Vec::new(),
            shown_platforms: Vec::new(),
            webhooks: webhooks::Options::default(),
            proxies: Proxies::default(),
            protocols: Vec::new(),
            metrics: MetricsSource::new(|| Box::pin(async { Metrics::default() })),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the contract is invalid")]
    Contract(#[from] ContractError),
    #[error("the contract cannot be reflected")]
    Reflection(#[from] tonic_reflection::server::Error),
    #[error("the port was lost")]
    Transport(#[from] tonic::transport::Error),
}

/// The number of calls that a client may cancel on one connection before they are accepted. After a
/// pause of the service, a client may cancel all its waiting calls at once without losing its
/// connection and every other call.
const RESETS_MAX: usize = 1024;

/// Serves these connections until `drain` is cancelled, then until all streams have ended, for at
/// most [`Options::drain_wait`]. `ready` says which calls load balancers should send.
///
/// It is boxed, so that all calls are compiled in this crate: see
/// `docs/decisions/0054-code-that-rarely-runs-is-compiled-for-size.md`.
pub fn serve(
    connections: BoxStream<'static, Connection>,
    matches: Matches,
    auth: Auth,
    options: Options,
    ready: watch::Receiver<Readiness>,
    drain: CancellationToken,
) -> BoxFuture<'static, Result<(), ServeError>> {
    Box::pin(async move {
        let (health, health_service) = tonic_health::server::health_reporter();
        let reporting = report_health(health, ready.clone());

        let accounts = matches.accounts().clone();
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        };
        let calls = Calls { auth, matches, unread: Unread::watch(), images: Images::new() };
        let proxies = Arc::new(options.proxies.clone());
        let links = unfurl::pages(
            calls.clone(),
            proxies.clone(),
            options.shown_platforms.clone(),
            &options.frame_origins,
        );
        let play = MatchesService { calls: calls.clone(), drain: drain.clone() };
        let sender = webhooks::Sender::new(options.webhooks.clone());
        let pushes = Pushes { calls: calls.clone(), sender: sender.clone() };
        let streams = Streams { calls: calls.clone(), sender };
        let games = Games { calls: calls.clone() };
        let platforms = Platforms { calls: calls.clone(), metrics: options.metrics.clone() };
        let grpc = Routes::new(GameServiceServer::new(games))
            .add_service(EntryServiceServer::new(Entries { calls: calls.clone() }))
            .add_service(PlayerServiceServer::new(Players { calls: calls.clone() }))
            .add_service(ProjectionServiceServer::new(Projections { calls: calls.clone() }))
            .add_service(SearchServiceServer::new(Searches { calls: calls.clone() }))
            .add_service(HistoryServiceServer::new(History { calls: calls.clone() }))
            .add_service(StreamServiceServer::new(streams))
            .add_service(PushServiceServer::new(pushes))
            .add_service(SeekServiceServer::new(Seeks { calls: calls.clone() }))
            .add_service(InvitationServiceServer::new(Invitations { calls: calls.clone() }))
            .add_service(ModuleServiceServer::new(Modules { calls: calls.clone() }))
            .add_service(PlatformServiceServer::new(platforms))
            .add_service(TokenServiceServer::new(Tokens { calls }))
            .add_service(health_service)
            .add_service(reflection().build_v1()?)
            .add_service(reflection().build_v1alpha()?)
            .prepare();
        let grpc = CallLayer(proxies).layer(Shortcut::new(MatchServiceServer::new(play), grpc));
        let grpc = refusals(DOMAIN).layer(grpc);
        let grpc = deadline::layer(descriptors(), DOMAIN, options.unary_max).layer(grpc);
        let grpc = transcoder::meter::layer(descriptors(), meter::NAMES).layer(grpc);
        let protocols = within::routes(&grpc, &options.protocols, &options.origins);
        let (sockets, last_socket) = Sockets::new(SOCKET_PATH, "croupier.v1", drain.clone());
        let transcoder = TranscoderLayer::new(descriptors(), transcoding(&options))?;
        let gateway = transcoder.gateway(grpc, &INFO, sockets);
        let keys = receipts::pages(accounts.clone());
        let log = transparency::pages(accounts.database());
        let pages = index::pages(&options.pages, &options.frame_origins);
        let connections =
            connections.map(|it| Ok::<_, Infallible>(Handover::new(Silence::new(it))));
        let serving = Server::builder()
            .layer(RequestIdLayer)
            .layer(gateway.front)
            .accept_http1(true)
            .http2_keepalive_interval(Some(Duration::from_secs(30)))
            .http2_max_pending_accept_reset_streams(Some(RESETS_MAX))
            .add_routes(Routes::from(
                gateway
                    .pages
                    .merge(pages)
                    .merge(links)
                    .merge(keys)
                    .merge(log)
                    .merge(protocols)
                    .merge(transcoder::health::pages(ready, Readers::Everybody)),
            ))
            .serve_with_incoming_shutdown(connections, drain.clone().cancelled_owned());
        let serving = async {
            serving.await?;
            last_socket.gone().await;
            Ok::<_, ServeError>(())
        };
        let too_long = async {
            drain.cancelled().await;
            tokio::time::sleep(options.drain_wait).await;
        };
        tokio::select! {
            served = serving => served,
            () = too_long => {
                tracing::warn!("some clients did not disconnect in time");
                Ok(())
            }
            never = reporting => match never {},
        }
    })
}

/// The streams that a browser's `Last-Event-ID` resumes.
const RESUMES: [Resume; 4] = [
    Resume {
        method: "croupier.v1.EntryService.WatchEntries",
        id: &["position", "digest"],
        after: &["after_position", "after_digest"],
    },
    Resume {
        method: "croupier.v1.HistoryService.ReplayEntries",
        id: &["position", "digest"],
        after: &["after_position", "after_digest"],
    },
    Resume {
        method: "croupier.v1.StreamService.StreamEntries",
        id: &["cursor"],
        after: &["cursor"],
    },
    Resume { method: "croupier.v1.PlayerService.WatchPlayer", id: &["cursor"], after: &["cursor"] },
];

/// Descriptions of games change only with a release, or when an operator adds one.
const CACHED: [Cached; 3] = [
    cached("croupier.v1.GameService.ListGames"),
    cached("croupier.v1.GameService.GetGame"),
    cached("croupier.v1.GameService.GetRules"),
];

const fn cached(method: &'static str) -> Cached {
    Cached { method, max_age: Duration::from_secs(300) }
}

fn transcoding(options: &Options) -> transcoder::Options {
    transcoder::Options {
        message_bytes_max: options.message_bytes_max,
        resumes: RESUMES.into(),
        cached: CACHED.into(),
        origins: options.origins.clone(),
        ..transcoder::Options::new(DOMAIN)
    }
}

/// Reports the health of every service by name, and of all of them as "". They share the database,
/// so they are all healthy or none. It is polled together with the server, so that neither runs
/// without the other.
async fn report_health(
    health: HealthReporter,
    mut ready: watch::Receiver<Readiness>,
) -> Infallible {
    loop {
        let status = match ready.borrow_and_update().takes_calls() {
            true => ServingStatus::Serving,
            false => ServingStatus::NotServing,
        };
        let services = descriptors().services().map(|it| it.full_name().to_owned());
        for service in services.chain([String::new()]) {
            health.set_service_status(service, status).await;
        }
        if ready.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
