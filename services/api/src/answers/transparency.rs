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
const TILE_PATH: &str = "/log/tile/{*path}";
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
        .route(TILE_PATH, get(tile))
        .route(PROOF_PATH, get(proof))
        .with_state(Reader::new(database))
}

async fn checkpoint(State(reader): State<Reader>) -> Response {
    answer(reader.checkpoint().await, TEXT, FOR_A_MOMENT)
}

async fn key(State(reader): State<Reader>) -> Response {
    answer(reader.key().await.map(|key| key.map(|key| format!("{key}\n"))), TEXT, FOR_A_MOMENT)
}

async fn tile(State(reader): State<Reader>, Path(path): Path<String>) -> Response {
    match TilePath::parse(&path) {
        Some(path) => answer(reader.tile(path).await, BYTES, FOR_EVER),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn proof(State(reader): State<Reader>, Path((kind, id)): Path<(String, String)>) -> Response {
    let parsed = LeafKind::parse(&kind).zip(match_id(&format!("matches/{id}")).ok());
    let Some((kind, id)) = parsed else { return StatusCode::NOT_FOUND.into_response() };
    let found = reader.proof(MatchId(id), kind).await;
    answer(found.map(|proof| proof.map(|proof| proof.to_string())), TEXT, FOR_A_MOMENT)
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
