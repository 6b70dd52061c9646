//! The server: one port, one handler for every protocol, and an orderly end.

use std::convert::Infallible;
use std::time::Duration;

use futures::{Stream, StreamExt};
use matches::Matches;
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic_health::server::HealthReporter;
use tower::Layer;
use tower_layer::layer_fn;

use crate::auth::Auth;
use crate::codec::MessageLimit;
use crate::connection::Connection;
use crate::descriptors::{FILE_DESCRIPTOR_SET, descriptors};
use crate::front::Front;
use crate::service::{
    Entries, Games, History, MatchesService, Players, Projections, Searches, Streams, Tokens,
};
use crate::transcode::{self, ContractError, Resume};
use crate::v1::entry_service_server::EntryServiceServer;
use crate::v1::game_service_server::GameServiceServer;
use crate::v1::history_service_server::HistoryServiceServer;
use crate::v1::match_service_server::MatchServiceServer;
use crate::v1::player_service_server::PlayerServiceServer;
use crate::v1::projection_service_server::ProjectionServiceServer;
use crate::v1::search_service_server::SearchServiceServer;
use crate::v1::stream_service_server::StreamServiceServer;
use crate::v1::token_service_server::TokenServiceServer;
use crate::{deadline, meter, openapi};

/// What the contract's own comments do not say.
const INFO: openapi::Info<'_> = openapi::Info {
    title: "Croupier",
    version: env!("CARGO_PKG_VERSION"),
    description: "Tabletop matches, dealt, ruled, recorded and told.",
};

#[derive(Clone, Debug)]
pub struct Options {
    /// The longest request. The largest action has a few hundred bytes; a create request names
    /// eight players.
    pub message_bytes_max: usize,
    /// The longest a unary call takes. The log answers within its own, shorter wait.
    pub unary_max: Duration,
    /// How long streams have to end when the service stops.
    pub drain_wait: Duration,
    /// Web pages that may call from a browser, by origin; `*` for any. An API key or token is
    /// needed all the same.
    pub origins: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            message_bytes_max: 64 * 1024,
            unary_max: Duration::from_secs(15),
            drain_wait: Duration::from_secs(10),
            origins: vec!["*".to_owned()],
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the contract contradicts itself")]
    Contract(#[from] ContractError),
    #[error("the contract cannot be reflected")]
    Reflection(#[from] tonic_reflection::server::Error),
    #[error("the port was lost")]
    Transport(#[from] tonic::transport::Error),
}

/// Calls that a client may give up on one connection before they are begun. When the service was
/// stopped for a moment, all that were waited for are given up at once; a platform must not lose
/// its connection for that, and with it every other call.
const RESETS_MAX: usize = 1024;

/// Serves these connections until `drain` is cancelled, and then for as long as streams take to
/// end, up to a bound.
pub async fn serve(
    connections: impl Stream<Item = TcpStream> + Send + 'static,
    matches: Matches,
    auth: Auth,
    options: Options,
    drain: CancellationToken,
) -> Result<(), ServeError> {
    let (health, health_service) = tonic_health::server::health_reporter();
    tokio::spawn(tell_health(health, drain.clone()));

    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let play =
        MatchesService { auth: auth.clone(), matches: matches.clone(), drain: drain.clone() };
    let recount = Entries { auth: auth.clone(), matches: matches.clone() };
    let players = Players { auth: auth.clone(), matches: matches.clone() };
    let projections = Projections { auth: auth.clone(), matches: matches.clone() };
    let search = Searches { auth: auth.clone(), matches: matches.clone() };
    let history = History { auth: auth.clone(), matches: matches.clone() };
    let stream = Streams { auth: auth.clone(), matches: matches.clone() };
    let grpc = Routes::new(GameServiceServer::new(Games))
        .add_service(MatchServiceServer::new(play))
        .add_service(EntryServiceServer::new(recount))
        .add_service(PlayerServiceServer::new(players))
        .add_service(ProjectionServiceServer::new(projections))
        .add_service(SearchServiceServer::new(search))
        .add_service(HistoryServiceServer::new(history))
        .add_service(StreamServiceServer::new(stream))
        .add_service(TokenServiceServer::new(Tokens { auth, matches }))
        .add_service(health_service)
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?)
        .prepare();
    let grpc = deadline::layer(descriptors(), options.unary_max).layer(grpc);
    let grpc = meter::layer(descriptors()).layer(grpc);
    let transcoder = transcode::layer(descriptors(), transcoding(&options))?;
    let document = openapi::document(descriptors(), transcoder.contract(), &INFO);
    let native = MessageLimit::new(grpc.clone(), options.message_bytes_max);
    let pages = openapi::router(&document)
        .fallback_service(transcoder.layer(grpc))
        .layer(transcode::cors(&options.origins));
    let connections = connections.map(|it| Ok::<_, Infallible>(Connection(it)));
    let serving = Server::builder()
        .layer(layer_fn(move |others| Front { native: native.clone(), others }))
        .accept_http1(true)
        .http2_keepalive_interval(Some(Duration::from_secs(30)))
        .http2_max_pending_accept_reset_streams(Some(RESETS_MAX))
        .add_routes(Routes::from(pages))
        .serve_with_incoming_shutdown(connections, drain.clone().cancelled_owned());
    let too_long = async {
        drain.cancelled().await;
        tokio::time::sleep(options.drain_wait).await;
    };
    tokio::select! {
        served = serving => Ok(served?),
        () = too_long => {
            tracing::warn!("some clients did not let go in time");
            Ok(())
        }
    }
}

fn transcoding(options: &Options) -> transcode::Options {
    let resume = |method: &str, id: &str, after: &str| Resume {
        method: format!("croupier.v1.{method}"),
        id: id.to_owned(),
        after: after.to_owned(),
    };
    transcode::Options {
        message_bytes_max: options.message_bytes_max,
        resumes: vec![
            resume("EntryService.WatchEntries", "position", "after_position"),
            resume("HistoryService.ReplayEntries", "position", "after_position"),
            resume("StreamService.StreamEntries", "cursor", "cursor"),
        ],
        ..transcode::Options::default()
    }
}

/// Load balancers send nobody here any more as soon as the service begins to stop.
async fn tell_health(health: HealthReporter, drain: CancellationToken) {
    health.set_serving::<MatchServiceServer<MatchesService>>().await;
    drain.cancelled().await;
    health.set_not_serving::<MatchServiceServer<MatchesService>>().await;
    health.set_service_status("", tonic_health::ServingStatus::NotServing).await;
}
