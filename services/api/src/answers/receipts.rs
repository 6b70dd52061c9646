//! Receipts: signed statements that an entry is in the record.
//!
//! A receipt is a JSON Web Signature by the installation's Ed25519 key. A client that keeps one can
//! prove later that the history of the match was changed. The public keys are a JSON Web Key Set at
//! [`KEYS_PATH`].

use accounts::{Accounts, ReceiptKey};
use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use matches::{Error, Stamp};
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::values::match_name;
use crate::auth::signatures;
use crate::error::chain;

/// Where the public keys are served.
pub(crate) const KEYS_PATH: &str = "/.well-known/jwks.json";

/// The media type of a receipt's payload, in its header.
const TYPE: &str = "croupier-receipt+jwt";

/// The statement of a receipt.
#[derive(Serialize)]
struct Statement {
    /// When it was signed, in seconds since 1970.
    iat: i64,
    /// `matches/{match}`
    #[serde(rename = "match")]
    match_name: String,
    position: i64,
    /// The digest of the entry, in hexadecimal.
    digest: String,
    /// The time of the entry, in RFC 3339.
    create_time: String,
}

/// A public key, as RFC 8037 defines it.
#[derive(Serialize)]
struct Jwk {
    kty: &'static str,
    crv: &'static str,
    alg: &'static str,
    #[serde(rename = "use")]
    usage: &'static str,
    kid: String,
    x: String,
}

#[derive(Serialize)]
struct JwkSet {
    keys: Vec<Jwk>,
}

/// A receipt for an entry.
pub(crate) async fn sign(accounts: &Accounts, entry: &Stamp) -> Result<String, Error> {
    let key =
        keys(accounts).await?.into_iter().next().ok_or_else(|| fault("no key signs receipts"))?;
    let digest = entry.digest.ok_or(Error::NoDigest)?;
    let create_time = entry.create_time.format(&Rfc3339).map_err(fault)?;
    let statement = Statement {
        iat: OffsetDateTime::now_utc().unix_timestamp(),
        match_name: match_name(entry.match_id),
        position: entry.position.0,
        digest: hex::encode(digest.as_bytes()),
        create_time,
    };
    sign_with(&key, &statement)
}

fn sign_with(key: &ReceiptKey, statement: &Statement) -> Result<String, Error> {
    let header = Header {
        kid: Some(key.key_id.to_string()),
        typ: Some(TYPE.to_owned()),
        ..Header::new(Algorithm::EdDSA)
    };
    signatures::encode(&header, statement, &EncodingKey::from_ed_der(&key.secret)).map_err(fault)
}

/// Serves the public keys.
pub(crate) fn pages(accounts: Accounts) -> Router {
    Router::new().route(KEYS_PATH, get(async move || answer(&accounts).await))
}

async fn answer(accounts: &Accounts) -> Response {
    match public_keys(accounts).await {
        Ok(keys) => {
            let json = serde_json::to_vec(&keys).expect("text serializes to JSON");
            ([(header::CONTENT_TYPE, "application/json")], json).into_response()
        }
        Err(error) => {
            tracing::warn!(error = chain(&error), "the public keys cannot be read");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

async fn public_keys(accounts: &Accounts) -> Result<JwkSet, Error> {
    let keys = keys(accounts).await?;
    Ok(JwkSet { keys: keys.iter().map(Jwk::of).collect::<Result<_, Error>>()? })
}

impl Jwk {
    fn of(key: &ReceiptKey) -> Result<Jwk, Error> {
        let pair = signatures::ed25519(&key.secret).map_err(fault)?;
        Ok(Jwk {
            kty: "OKP",
            crv: "Ed25519",
            alg: "EdDSA",
            usage: "sig",
            kid: key.key_id.to_string(),
            x: BASE64_URL_SAFE_NO_PAD.encode(pair.public_key()),
        })
    }
}

/// The keys, newest first. The first caller creates the first one.
async fn keys(accounts: &Accounts) -> Result<Vec<ReceiptKey>, Error> {
    let keys = accounts.receipt_keys().await?;
    if !keys.is_empty() {
        return Ok(keys);
    }
    let secret = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).map_err(fault)?;
    accounts.create_receipt_key(1, secret.as_ref(), OffsetDateTime::now_utc()).await?;
    Ok(accounts.receipt_keys().await?)
}

fn fault(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Internal(error.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The receipt among the test vectors of `docs/verify.md`, for the last entry of
    /// `record.jsonl`. Ed25519 is deterministic; `CROUPIER_BLESS=1` writes it.
    #[test]
    fn the_vectors_of_receipts_are_what_is_signed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors");
        let record = std::fs::read_to_string(folder.join("record.jsonl")).expect("a vector");
        let lines = record.lines().map(|line| serde_json::from_str(line).expect("it is JSON"));
        let lines: Vec<serde_json::Value> = lines.collect();
        let entry = &lines[lines.len() - 2]["entry"];
        let text = |value: &serde_json::Value| value.as_str().expect("it is text").to_owned();
        let statement = Statement {
            iat: 1_793_872_900,
            match_name: text(&lines[1]["match"]["name"]),
            position: entry["position"].as_i64().expect("it is a number"),
            digest: text(&entry["digest"]),
            create_time: text(&entry["create_time"]),
        };
        // RFC 8410: a private key without its public key is 32 bytes after these.
        let header = hex::decode("302e020100300506032b657004220420").expect("it is hexadecimal");
        let key = ReceiptKey { key_id: 1, secret: [header, vec![7; 32]].concat() };
        let jws = sign_with(&key, &statement).expect("the key can sign");
        let keys = JwkSet { keys: vec![Jwk::of(&key).expect("the key is one")] };
        let vectors = serde_json::json!({ "jws": jws, "keys": keys });
        let made = serde_json::to_string_pretty(&vectors).expect("it is JSON") + "\n";
        let path = folder.join("receipt.json");
        if std::env::var("CROUPIER_BLESS").is_ok_and(|it| it == "1") {
            std::fs::write(&path, &made).expect("the file can be written");
        }
        let kept = std::fs::read_to_string(&path).expect("the vectors are in the tree");
        assert!(kept == made, "receipt.json has other vectors than this code makes");
    }
}
