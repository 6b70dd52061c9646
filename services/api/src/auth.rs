//! Authentication: API keys of platforms, and the short-lived tokens that platforms mint for their
//! players.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use matches::{Budgets, Caller, Grant, MatchId};
use serde::{Deserialize, Serialize};
use store::{Store, TokenKey};
use table::Seat;
use time::OffsetDateTime;
use tokio::sync::Semaphore;
use tonic::metadata::MetadataMap;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::error::{of, status};
use crate::peers::count_lookup;
use crate::render::hex;
use crate::v1::Reason;

/// A revoked key is refused after at most this time. While the database is unavailable, keys that
/// were verified before stay valid.
const KEY_TRUST: Duration = Duration::from_secs(30);

/// The prefix by which people and scanners recognise an API key.
const KEY_PREFIX: &str = "croupier";

#[derive(Clone)]
pub struct Auth(Arc<Inner>);

struct Inner {
    store: Store,
    budgets: Budgets,
    /// Unknown credentials are looked up one after the other, so that they take few connections
    /// from anything else.
    lookups: Semaphore,
    /// Verified keys by their hashes, each with its platform and the time of its verification.
    known: RwLock<HashMap<blake3::Hash, (String, Instant)>>,
    tokens: RwLock<Vec<TokenKey>>,
}

/// Verified credentials.
pub(crate) struct Credentials {
    pub caller: Caller,
    /// When they expire; absent for API keys.
    pub expires: Option<SystemTime>,
}

/// The signed content of a token.
#[derive(Serialize, Deserialize)]
struct Claims {
    platform: String,
    #[serde(rename = "match")]
    match_id: Uuid,
    /// None for a spectator.
    seat: Option<u8>,
    exp: u64,
}

/// An API key. It is shown to the platform once; only its hash is stored.
pub struct ApiKey {
    pub platform: String,
    pub key_id: String,
    pub secret: String,
}

impl ApiKey {
    /// A new key of 256 random bits.
    pub fn new(platform: &str) -> Result<ApiKey, getrandom::Error> {
        let (mut id, mut secret) = ([0; 6], [0; 32]);
        getrandom::fill(&mut id)?;
        getrandom::fill(&mut secret)?;
        let key_id = hex(&id);
        let secret = BASE64_URL_SAFE_NO_PAD.encode(secret);
        Ok(ApiKey { platform: platform.to_owned(), key_id, secret })
    }

    pub fn hash(&self) -> blake3::Hash {
        hash_of(&self.to_string())
    }
}

/// The stored hash of a key. It is the hash of the whole text, so that a key is recognised without
/// parsing.
fn hash_of(key: &str) -> blake3::Hash {
    blake3::hash(key.as_bytes())
}

/// The text is not an API key.
#[derive(Debug, thiserror::Error)]
#[error("this is not an API key")]
pub struct NoKey;

impl std::str::FromStr for ApiKey {
    type Err = NoKey;

    fn from_str(text: &str) -> Result<ApiKey, NoKey> {
        let parts: Vec<&str> = text.splitn(4, '_').collect();
        let [KEY_PREFIX, platform, key_id, secret] = parts[..] else { return Err(NoKey) };
        let [platform, key_id, secret] = [platform, key_id, secret].map(str::to_owned);
        Ok(ApiKey { platform, key_id, secret })
    }
}

impl std::fmt::Display for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{KEY_PREFIX}_{}_{}_{}", self.platform, self.key_id, self.secret)
    }
}

impl Auth {
    /// Reads the keys that sign tokens; creates one if there is none.
    pub async fn new(store: Store, budgets: Budgets) -> Result<Auth, store::Error> {
        let tokens = read_token_keys(&store).await?;
        let lookups = Semaphore::new(1);
        let tokens = RwLock::new(tokens);
        let inner = Inner { store, budgets, lookups, known: RwLock::default(), tokens };
        Ok(Auth(Arc::new(inner)))
    }

    /// The caller behind the `authorization` header.
    pub(crate) async fn caller(&self, metadata: &MetadataMap) -> Result<Caller, Status> {
        Ok(self.credentials(metadata).await?.caller)
    }

    /// The caller, and when its credentials expire. Counts the call; fails if the caller calls too
    /// often.
    pub(crate) async fn credentials(&self, metadata: &MetadataMap) -> Result<Credentials, Status> {
        let credentials = self.verify(metadata).await?;
        self.0.budgets.admit(&credentials.caller).map_err(of)?;
        Ok(credentials)
    }

    async fn verify(&self, metadata: &MetadataMap) -> Result<Credentials, Status> {
        let header = metadata.get("authorization").ok_or_else(missing)?;
        let header = header.to_str().map_err(|_| invalid())?;
        let (scheme, credentials) = header.split_once(' ').ok_or_else(invalid)?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(invalid());
        }
        let credentials = credentials.trim();
        if !credentials.starts_with(KEY_PREFIX) {
            return self.holder(credentials).await;
        }
        let caller = Caller { platform: self.platform(credentials).await?, grant: Grant::Platform };
        Ok(Credentials { caller, expires: None })
    }

    /// The platform of an API key.
    async fn platform(&self, key: &str) -> Result<String, Status> {
        let hash = hash_of(key);
        let known = self.known(&hash);
        if let Some((platform, since)) = &known
            && since.elapsed() < KEY_TRUST
        {
            return Ok(platform.clone());
        }
        let ApiKey { platform, key_id, .. } = key.parse().map_err(|NoKey| invalid())?;
        let mut turn = None;
        if known.is_none() {
            turn = Some(self.0.lookups.acquire().await.expect("the semaphore is never closed"));
            // Another call may have looked the same key up meanwhile.
            if let Some((platform, _)) = self.known(&hash) {
                return Ok(platform);
            }
            count_lookup()?;
        }
        let found = self.0.store.platform_key(&platform, &key_id).await;
        drop(turn);
        match found {
            // Hashes are compared in constant time.
            Ok(Some(stored)) if blake3::Hash::from_bytes(stored) == hash => {
                let mut known =
                    self.0.known.write().expect("no code panics while holding the lock");
                known.insert(hash, (platform.clone(), Instant::now()));
                Ok(platform)
            }
            Ok(_) => {
                self.0.known.write().expect("no code panics while holding the lock").remove(&hash);
                Err(invalid())
            }
            Err(_) if known.is_some() => Ok(platform),
            Err(error) => Err(of(error.into())),
        }
    }

    fn known(&self, hash: &blake3::Hash) -> Option<(String, Instant)> {
        self.0.known.read().expect("no code panics while holding the lock").get(hash).cloned()
    }

    async fn holder(&self, token: &str) -> Result<Credentials, Status> {
        let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
        let kid: i16 = header.kid.and_then(|kid| kid.parse().ok()).ok_or_else(invalid)?;
        let key = self.token_key(kid).await?;
        let mut rules = Validation::new(Algorithm::HS256);
        rules.leeway = 0;
        let claims =
            jsonwebtoken::decode::<Claims>(token, &DecodingKey::from_secret(&key.secret), &rules);
        let claims = claims.map_err(|error| match error.kind() {
            ErrorKind::ExpiredSignature => expired(),
            _ => invalid(),
        })?;
        let Claims { platform, match_id, seat, exp } = claims.claims;
        let grant = match seat {
            Some(seat) => Grant::Seat(MatchId(match_id), seat.try_into().map_err(|_| invalid())?),
            None => Grant::Spectator(MatchId(match_id)),
        };
        let expires = Some(UNIX_EPOCH + Duration::from_secs(exp));
        Ok(Credentials { caller: Caller { platform, grant }, expires })
    }

    /// A token for one match, and when it expires.
    pub fn mint(
        &self,
        platform: &str,
        match_id: MatchId,
        seat: Option<Seat>,
        lifetime: Duration,
    ) -> Result<(String, SystemTime), Status> {
        let key =
            self.0.tokens.read().expect("no code panics while holding the lock").first().cloned();
        let key = key.expect("`Auth::new` creates the first key");
        let expires = (SystemTime::now() + lifetime).duration_since(UNIX_EPOCH);
        let exp = expires.expect("the clock is past 1970").as_secs();
        let claims = Claims {
            platform: platform.to_owned(),
            match_id: match_id.0,
            seat: seat.map(u8::from),
            exp,
        };
        let header = Header { kid: Some(key.key_id.to_string()), ..Header::new(Algorithm::HS256) };
        let token = jsonwebtoken::encode(&header, &claims, &EncodingKey::from_secret(&key.secret));
        let token = token.map_err(|error| of(matches::Error::Internal(error.into())))?;
        Ok((token, UNIX_EPOCH + Duration::from_secs(exp)))
    }

    /// The key that signed a token. Keys that another process created are read from the database.
    async fn token_key(&self, key_id: i16) -> Result<TokenKey, Status> {
        let find = |keys: &[TokenKey]| keys.iter().find(|key| key.key_id == key_id).cloned();
        if let Some(key) =
            find(&self.0.tokens.read().expect("no code panics while holding the lock"))
        {
            return Ok(key);
        }
        count_lookup()?;
        let _turn = self.0.lookups.acquire().await.expect("the semaphore is never closed");
        let keys = read_token_keys(&self.0.store).await.map_err(|error| of(error.into()))?;
        let found = find(&keys);
        *self.0.tokens.write().expect("no code panics while holding the lock") = keys;
        found.ok_or_else(invalid)
    }
}

/// All keys, newest first. Creates the first key if there is none.
async fn read_token_keys(store: &Store) -> Result<Vec<TokenKey>, store::Error> {
    let mut first = [0; 32];
    getrandom::fill(&mut first).expect("the system has randomness");
    store.token_keys(&first, OffsetDateTime::now_utc()).await
}

pub(crate) fn expired() -> Status {
    status(Code::Unauthenticated, Reason::TokenExpired, "the token has expired")
}

fn missing() -> Status {
    let message = "send `authorization: Bearer` with an API key or a token";
    status(Code::Unauthenticated, Reason::CredentialsMissing, message)
}

fn invalid() -> Status {
    let message = "the credentials were not issued by this service";
    status(Code::Unauthenticated, Reason::CredentialsInvalid, message)
}
