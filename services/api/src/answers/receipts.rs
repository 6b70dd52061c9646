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
use matches::{Caller, Error, Matches, Stamp};
use ring::digest::{SHA256, digest};
use ring::error::KeyRejected;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde::Serialize;
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
    /// The term of the installation in which it was signed; absent in receipts of older releases.
    #[serde(skip_serializing_if = "Option::is_none")]
    term: Option<i64>,
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

/// A key that signs receipts.
struct SigningKey {
    secret: Vec<u8>,
    /// The public key, in URL base64.
    public: String,
    /// The id under which receipts name it that an older release signed.
    former_id: Option<String>,
}

/// A receipt for an entry. What is signed is noted before, so that nothing else is signed for the
/// entry in this term.
pub(crate) async fn sign(
    matches: &Matches,
    caller: &Caller,
    entry: &Stamp,
) -> Result<String, Error> {
    let keys = keys(matches.accounts()).await?;
    let key = keys.first().ok_or_else(|| fault("no key signs receipts"))?;
    let (digest, term) = matches.note_receipt(caller, entry).await?;
    let create_time = entry.create_time.format(&Rfc3339).map_err(fault)?;
    let statement = Statement {
        iat: matches.accounts().database().clock().now().unix_timestamp(),
        match_name: match_name(entry.match_id),
        position: entry.position.0,
        digest: hex::encode(digest.as_bytes()),
        create_time,
        term: Some(term.0),
    };
    sign_with(key, key.thumbprint(), &statement)
}

fn sign_with(key: &SigningKey, kid: String, statement: &Statement) -> Result<String, Error> {
    let header =
        Header { kid: Some(kid), typ: Some(TYPE.to_owned()), ..Header::new(Algorithm::EdDSA) };
    signatures::encode(&header, statement, &EncodingKey::from_ed_der(&key.secret)).map_err(fault)
}

/// Makes the key that signs receipts, if there is none yet. It is made with the installation: one
/// that is made when it is first needed may be among the entries that a failover loses.
pub async fn make_receipt_key(accounts: &Accounts) -> Result<(), MakeKeyError> {
    if accounts.receipt_keys().await?.is_empty() {
        accounts.create_first_receipt_key(&new_receipt_key()?).await?;
    }
    Ok(())
}

/// Why a key cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeKeyError {
    #[error(transparent)]
    Database(#[from] database::Error),
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}

/// The system provides no randomness.
#[derive(Debug, thiserror::Error)]
#[error("the system provides no randomness")]
pub struct NoRandomness;

/// A new secret that signs receipts, as PKCS #8.
pub fn new_receipt_key() -> Result<Vec<u8>, NoRandomness> {
    let secret = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).map_err(|_| NoRandomness)?;
    Ok(secret.as_ref().to_vec())
}

/// Serves the public keys.
pub(crate) fn pages(accounts: Accounts) -> Router {
    Router::new().route(KEYS_PATH, get(async move || answer(&accounts).await))
}

async fn answer(accounts: &Accounts) -> Response {
    match keys(accounts).await {
        Ok(keys) => {
            let json = serde_json::to_vec(&JwkSet::of(&keys)).expect("text serializes to JSON");
            ([(header::CONTENT_TYPE, "application/json")], json).into_response()
        }
        Err(error) => {
            tracing::warn!(error = chain(&error), "the public keys cannot be read");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

impl JwkSet {
    /// Each key under its thumbprint and, if older releases signed with it, under its former id.
    fn of(keys: &[SigningKey]) -> JwkSet {
        let ids = |key: &SigningKey| [Some(key.thumbprint()), key.former_id.clone()];
        let each = |key| ids(key).into_iter().flatten().map(|kid| Jwk::of(key, kid));
        JwkSet { keys: keys.iter().flat_map(each).collect() }
    }
}

impl Jwk {
    fn of(key: &SigningKey, kid: String) -> Jwk {
        let x = key.public.clone();
        Jwk { kty: "OKP", crv: "Ed25519", alg: "EdDSA", usage: "sig", kid, x }
    }
}

impl SigningKey {
    fn of(key: ReceiptKey) -> Result<SigningKey, KeyRejected> {
        let ReceiptKey { secret, former_id } = key;
        let public = BASE64_URL_SAFE_NO_PAD.encode(signatures::ed25519(&secret)?.public_key());
        Ok(SigningKey { secret, public, former_id })
    }

    /// The id of the key: its thumbprint by RFC 7638, so no other key has the same one.
    fn thumbprint(&self) -> String {
        let members = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{}"}}"#, self.public);
        BASE64_URL_SAFE_NO_PAD.encode(digest(&SHA256, members.as_bytes()))
    }
}

/// The keys, newest first.
async fn keys(accounts: &Accounts) -> Result<Vec<SigningKey>, Error> {
    let mut keys = accounts.receipt_keys().await?;
    if keys.is_empty() {
        // The database went back to a time before it had one.
        make_receipt_key(accounts).await.map_err(fault)?;
        keys = accounts.receipt_keys().await?;
    }
    keys.into_iter()
        .map(|key| SigningKey::of(key).map_err(|error| fault(error.to_string())))
        .collect()
}

fn fault(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Internal(error.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The receipts among the test vectors of `docs/verify.md`, for the last entry of
    /// `record.jsonl`: one of a release that knew neither terms nor thumbprints, and one of this
    /// release. Ed25519 is deterministic; `CROUPIER_BLESS=1` writes them.
    #[test]
    fn the_vectors_of_receipts_are_what_is_signed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors");
        let record = std::fs::read_to_string(folder.join("record.jsonl")).expect("a vector");
        let lines = record.lines().map(|line| serde_json::from_str(line).expect("it is JSON"));
        let lines: Vec<serde_json::Value> = lines.collect();
        let entry = &lines[lines.len() - 2]["entry"];
        let text = |value: &serde_json::Value| value.as_str().expect("it is text").to_owned();
        let statement = |term| Statement {
            iat: 1_793_872_900,
            match_name: text(&lines[1]["match"]["name"]),
            position: entry["position"].as_i64().expect("it is a number"),
            digest: text(&entry["digest"]),
            create_time: text(&entry["create_time"]),
            term,
        };
        // RFC 8410: a private key without its public key is 32 bytes after these.
        let header = hex::decode("302e020100300506032b657004220420").expect("it is hexadecimal");
        let secret = [header, vec![7; 32]].concat();
        let key = SigningKey::of(ReceiptKey { secret, former_id: None }).expect("it is a key");
        let former = (Jwk::of(&key, "1".to_owned()), statement(None));
        let current = (Jwk::of(&key, key.thumbprint()), statement(Some(1_793_860_000)));
        for (file, (jwk, statement)) in
            [("receipt.json", former), ("receipt-of-a-term.json", current)]
        {
            let jws = sign_with(&key, jwk.kid.clone(), &statement).expect("the key can sign");
            let keys = JwkSet { keys: vec![jwk] };
            let vectors = serde_json::json!({ "jws": jws, "keys": keys });
            let made = serde_json::to_string_pretty(&vectors).expect("it is JSON") + "\n";
            let path = folder.join(file);
            if std::env::var("CROUPIER_BLESS").is_ok_and(|it| it == "1") {
                std::fs::write(&path, &made).expect("the file can be written");
            }
            let kept = std::fs::read_to_string(&path).expect("the vectors are in the tree");
            assert!(kept == made, "{file} has other vectors than this code makes");
        }
    }

    /// The key of RFC 8037, A.3.
    #[test]
    fn a_thumbprint_is_that_of_the_standard() {
        let public = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo".to_owned();
        let key = SigningKey { secret: Vec::new(), public, former_id: Some("1".to_owned()) };
        assert_eq!(key.thumbprint(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
        let ids: Vec<String> = JwkSet::of(&[key]).keys.into_iter().map(|it| it.kid).collect();
        assert_eq!(ids, ["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", "1"]);
    }
}
