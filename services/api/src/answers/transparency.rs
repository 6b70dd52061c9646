//! The transparency log, for anyone: as C2SP's tlog-tiles serves it, and proofs of single leaves.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use contract::names::match_id;
use database::Database;
use matches::MatchId;
use records::LeafKind;
use tlog::TilePath;
use transparency::{Error, Reader};

use crate::error::chain;

const CHECKPOINT_PATH: &str = "/log/checkpoint";
const KEY_PATH: &str = "/log/key";
const SUCCESSIONS_PATH: &str = "/log/successions";
const TILE_PATH: &str = "/log/tile/{*path}";
const CONSISTENCY_PATH: &str = "/log/consistency/{old}/{size}";
const PROOF_PATH: &str = "/log/proof/{kind}/{match_id}";

/// What a tile or a bundle has never changes.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
const FOR_A_MOMENT: &str = "public, max-age=1";

const TEXT: &str = "text/plain; charset=utf-8";
const BYTES: &str = "application/octet-stream";

/// Serves the log, if there is one.
pub(crate) fn pages(database: &Database) -> Router {
    Router::new()
        .route(CHECKPOINT_PATH, get(checkpoint))
        .route(KEY_PATH, get(key))
        .route(SUCCESSIONS_PATH, get(successions))
        .route(TILE_PATH, get(tile))
        .route(CONSISTENCY_PATH, get(consistency))
        .route(PROOF_PATH, get(proof))
        .with_state(Reader::new(database))
}

async fn checkpoint(State(reader): State<Reader>) -> Response {
    answer(reader.checkpoint().await, TEXT, FOR_A_MOMENT)
}

async fn key(State(reader): State<Reader>) -> Response {
    match reader.key().await {
        // Browsers ask whether there is a log: that there is none is no failure.
        Ok(None) => StatusCode::NO_CONTENT.into_response(),
        key => answer(key.map(|key| key.map(|key| format!("{key}\n"))), TEXT, FOR_A_MOMENT),
    }
}

async fn successions(State(reader): State<Reader>) -> Response {
    answer(reader.successions().await.map(Some), TEXT, FOR_A_MOMENT)
}

async fn tile(State(reader): State<Reader>, Path(path): Path<String>) -> Response {
    match TilePath::parse(&path) {
        Some(path) => answer(reader.tile(path).await, BYTES, FOR_EVER),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn consistency(
    State(reader): State<Reader>,
    Path((old, size)): Path<(String, String)>,
) -> Response {
    // A number has one spelling, so that caches have one answer.
    let number = |text: &str| text.parse().ok().filter(|it: &u64| it.to_string() == *text);
    let Some((old, size)) = number(&old).zip(number(&size)) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let found = reader.consistency(old, size).await;
    answer(found.map(|hashes| hashes.map(|it| tlog::format_hashes(&it))), TEXT, FOR_A_MOMENT)
}

async fn proof(State(reader): State<Reader>, Path((kind, id)): Path<(String, String)>) -> Response {
    let parsed = LeafKind::parse(&kind).zip(match_id(&format!("matches/{id}")).ok());
    let Some((kind, id)) = parsed else { return StatusCode::NOT_FOUND.into_response() };
    let found = reader.proof(MatchId(id), kind).await;
    answer(found.map(|proof| proof.map(|proof| proof.to_string())), TEXT, FOR_A_MOMENT)
}

/// The proofs that go with a receipt, as texts: that the log has the opening of the match, and its
/// end; empty where it has not. A log that cannot be read withholds no receipt.
pub(crate) async fn proofs(database: &Database, match_id: MatchId) -> [String; 2] {
    let proofs = Reader::new(database).proofs(match_id).await.unwrap_or_else(|error| {
        tracing::warn!(error = chain(&error), "the transparency log cannot be read");
        [None, None]
    });
    proofs.map(|proof| proof.map(|it| it.to_string()).unwrap_or_default())
}

fn answer<B>(found: Result<Option<B>, Error>, media: &'static str, kept: &'static str) -> Response
where
    B: IntoResponse,
{
    match found {
        Ok(Some(body)) => {
            let mut response = body.into_response();
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
            response
        }
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => {
            tracing::warn!(error = chain(&error), "the transparency log cannot be read");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}
