//! Authentication: API keys of platforms, and the short-lived tokens that platforms mint for their
//! players, or for a session of somebody who signed in.
//!
//! Every process knows all API keys, and reads every few seconds what has changed ([`refresh`]). So
//! no call costs a query, whatever credentials it has, and what is revoked is refused in every
//! process, in open streams too. While the database is unavailable, credentials that were valid
//! stay valid, and those that were revoked stay revoked.

mod known;
mod refresh;
mod sign_in;

use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use matches::{Budgets, Caller, Grant, MatchId};
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};
use store::{PlayerHash, PlayerRevocation, Store, TokenRevocation, hex};
use table::Seat;
use tokio::sync::{Mutex, Notify, watch};
use tonic::metadata::MetadataMap;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::error::{of, status};
use crate::peers::count_lookup;
use crate::v1::Reason;
use known::{Known, Subject, TakenBack};
use refresh::Reads;

pub use refresh::Options;
pub(crate) use sign_in::SESSION_LIFETIME;
pub use sign_in::{NoCode, SIGN_IN_LIFETIME, SignInCode};

/// The prefix by which people and scanners recognise an API key.
const KEY_PREFIX: &str = "croupier";

/// Texts that are known not to be API keys, so that each causes one read at most.
const REFUSED_MAX: usize = 10_000;

#[derive(Clone)]
pub struct Auth(Arc<Inner>);

struct Inner {
    budgets: Budgets,
    options: Options,
    known: RwLock<Known>,
    refused: Cache<blake3::Hash, ()>,
    reader: Mutex<store::Credentials>,
    reads: watch::Sender<Reads>,
    /// Notified when a caller waits for the next read.
    wanted: Notify,
    /// Notified when credentials were taken back.
    taken_back: watch::Sender<()>,
}

/// Verified credentials.
#[derive(Clone)]
pub(crate) struct Credentials {
    pub caller: Caller,
    /// When they expire; absent for API keys.
    pub expires: Option<SystemTime>,
    source: Source,
}

/// The last erasure of a player that a process knows of.
#[derive(Clone, Copy)]
pub(crate) struct Erasure {
    player: PlayerHash,
    /// 0 if it knows of none.
    number: i64,
}

#[derive(Clone)]
enum Source {
    Key { key_id: Arc<str> },
    Token { signed_by: i16, minted_by: Option<Arc<str>>, subject: Subject },
}

/// The signed content of a token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Claims {
    platform: String,
    /// None for the token of a player or a session.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    match_id: Option<Uuid>,
    /// Of a player's token, with the number of revocation that was current.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<(Arc<str>, i64)>,
    /// It is the token of a session, for the whole platform.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    session: bool,
    /// None for a spectator.
    seat: Option<u8>,
    /// The seat had no player. Such a token shows what a spectator sees, and cannot act: it must
    /// not become that of a player who joins later.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    open: bool,
    /// The id of the API key that minted it; absent in tokens of older releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<Arc<str>>,
    /// How many revocations of its match and of its seat preceded it.
    #[serde(default)]
    revocations: [i32; 2],
    exp: u64,
}

/// A token to mint.
pub(crate) enum NewToken {
    Match {
        match_id: MatchId,
        /// None for a spectator.
        seat: Option<Seat>,
        is_open: bool,
        revocations: [i32; 2],
    },
    Player {
        player: String,
        number: i64,
    },
    Session,
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

impl Credentials {
    fn of_key(platform: &str, key_id: Arc<str>) -> Credentials {
        let caller = Caller { platform: platform.to_owned(), grant: Grant::Platform };
        Credentials { caller, expires: None, source: Source::Key { key_id } }
    }

    /// The platform and the id of its API key. Fails for tokens, those of sessions among them.
    pub(crate) fn key(&self) -> Result<(&str, &str), Status> {
        let platform = self.caller.platform().map_err(of)?;
        match &self.source {
            Source::Key { key_id } => Ok((platform, key_id)),
            Source::Token { .. } => Err(key_only()),
        }
    }
}

impl Auth {
    /// Reads the credentials, and creates the first key that signs tokens. They stay as they are
    /// until [`Auth::refresh`] runs.
    pub async fn new(
        store: &Store,
        budgets: Budgets,
        options: Options,
    ) -> Result<Auth, store::Error> {
        let mut reader = store::Credentials::new(store);
        let mut known = Known::default();
        known.apply(reader.read().await?);
        // All nodes of a database have these keys, so that none can be written while one is away.
        if known.signing_key().is_none() {
            let mut first = [0; 32];
            getrandom::fill(&mut first).expect("the system has randomness");
            store.create_first_token_key(&first).await?;
            known.apply(reader.read().await?);
        }
        Ok(Auth(Arc::new(Inner {
            budgets,
            options,
            known: RwLock::new(known),
            refused: Cache::new(REFUSED_MAX),
            reader: Mutex::new(reader),
            reads: watch::Sender::new(Reads::first()),
            wanted: Notify::new(),
            taken_back: watch::Sender::new(()),
        })))
    }

    fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.0.known.read().expect("no code panics while holding the lock")
    }

    fn write(&self) -> RwLockWriteGuard<'_, Known> {
        self.0.known.write().expect("no code panics while holding the lock")
    }

    /// The caller behind the `authorization` header.
    pub(crate) async fn caller(&self, metadata: &MetadataMap) -> Result<Caller, Status> {
        Ok(self.credentials(metadata).await?.caller)
    }

    /// The caller, and what its credentials are. Counts the call; fails if the caller calls too
    /// often.
    pub(crate) async fn credentials(&self, metadata: &MetadataMap) -> Result<Credentials, Status> {
        let credentials = self.verify(metadata).await?;
        transcoder::meter::name_caller(&credentials.caller.platform);
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
        let credentials = if credentials.starts_with(KEY_PREFIX) {
            self.platform(credentials).await?
        } else {
            self.holder(credentials).await?
        };
        self.check(&credentials)?;
        Ok(credentials)
    }

    /// Fails if verified credentials have expired or were taken back since.
    pub(crate) fn check(&self, credentials: &Credentials) -> Result<(), Status> {
        if credentials.expires.is_some_and(|expires| expires <= SystemTime::now()) {
            return Err(expired());
        }
        let (known, platform) = (self.known(), &credentials.caller.platform);
        let checked = match &credentials.source {
            Source::Key { key_id } => known.check_key(platform, key_id),
            Source::Token { signed_by, minted_by, subject } => {
                known.check_token(platform, *signed_by, minted_by.as_deref(), subject)
            }
        };
        checked.map_err(|taken_back| match taken_back {
            TakenBack::Revoked => revoked(),
            TakenBack::Suspended => suspended(),
            TakenBack::Perhaps => of(store::Error::TimedOut.into()),
        })
    }

    /// Notified whenever credentials were taken back, and at once.
    pub(crate) fn taken_back(&self) -> watch::Receiver<()> {
        let mut taken_back = self.0.taken_back.subscribe();
        taken_back.mark_changed();
        taken_back
    }

    /// The platform of an API key.
    async fn platform(&self, key: &str) -> Result<Credentials, Status> {
        let hash = hash_of(key);
        if let Some(credentials) = self.known_key(&hash) {
            return Ok(credentials);
        }
        if self.0.refused.get(&hash).is_some() || key.parse::<ApiKey>().is_err() {
            return Err(invalid());
        }
        count_lookup()?;
        self.reread(true).await?;
        self.known_key(&hash).ok_or_else(|| {
            self.0.refused.insert(hash, ());
            invalid()
        })
    }

    fn known_key(&self, hash: &blake3::Hash) -> Option<Credentials> {
        let known = self.known();
        let key = known.key(hash)?;
        Some(Credentials::of_key(&key.platform, key.key_id.clone()))
    }

    /// The credentials of an API key that is named by its id. Fails if it was taken back.
    pub(crate) async fn of_key(&self, platform: &str, key_id: &str) -> Result<Credentials, Status> {
        self.know_key(platform, key_id).await?;
        let credentials = Credentials::of_key(platform, key_id.into());
        self.check(&credentials)?;
        Ok(credentials)
    }

    /// Reads what has changed if this process does not know the key. The service has stored or
    /// signed its id, so the key was created a moment ago or revoked long ago.
    async fn know_key(&self, platform: &str, key_id: &str) -> Result<(), Status> {
        let is_known = self.known().is_valid(platform, key_id).is_some();
        if is_known { Ok(()) } else { self.reread(true).await }
    }

    async fn holder(&self, token: &str) -> Result<Credentials, Status> {
        let signed_by = signed_by(token)?;
        let secret = self.token_secret(signed_by).await?;
        let claims = claims_of(token, &secret)?;
        let (grant, subject) = claims.grant()?;
        let Claims { platform, key, exp, .. } = claims;
        if let Some(key_id) = &key {
            self.know_key(&platform, key_id).await?;
        }
        Ok(Credentials {
            caller: Caller { platform, grant },
            expires: Some(UNIX_EPOCH + Duration::from_secs(exp)),
            source: Source::Token { signed_by, minted_by: key, subject },
        })
    }

    /// The secret that signed a token. A key that was just created is found by the next read; a
    /// forged id causes none.
    async fn token_secret(&self, key_id: i16) -> Result<[u8; 32], Status> {
        let find = || self.known().token_key(key_id).map(|key| key.secret);
        if let Some(secret) = find() {
            return Ok(secret);
        }
        if self.known().may_be_new(key_id) {
            self.reread(false).await?;
        }
        find().ok_or_else(invalid)
    }

    /// A token, and when it expires. It is valid as long as the minting key is.
    pub(crate) fn mint(
        &self,
        minter: &Credentials,
        new: &NewToken,
        lifetime: Duration,
    ) -> Result<(String, SystemTime), Status> {
        let key = self.known().signing_key().cloned();
        let key = key.ok_or_else(|| {
            of(matches::Error::Internal("there is no key that signs tokens".into()))
        })?;
        let expires = (SystemTime::now() + lifetime).duration_since(UNIX_EPOCH);
        let exp = expires.expect("the clock is past 1970").as_secs();
        let minted_by = match &minter.source {
            Source::Key { key_id } => Some(key_id.clone()),
            Source::Token { minted_by, .. } => minted_by.clone(),
        };
        let claims = Claims {
            platform: minter.caller.platform.clone(),
            key: minted_by,
            exp,
            ..Claims::about(new)
        };
        let token = signed(&claims, key.key_id, &key.secret)?;
        Ok((token, UNIX_EPOCH + Duration::from_secs(exp)))
    }

    /// Refuses the tokens of a revocation in this process at once; the others read of it.
    pub(crate) fn revoke_tokens(&self, revocation: TokenRevocation) {
        if self.write().revoke_tokens(revocation) {
            self.0.taken_back.send_replace(());
        }
    }

    /// As [`Auth::revoke_tokens`], for the tokens of a player.
    pub(crate) fn revoke_player_tokens(&self, revocation: PlayerRevocation) {
        if self.write().revoke_player_tokens(revocation) {
            self.0.taken_back.send_replace(());
        }
    }

    /// What this process knows now of a player's erasure.
    pub(crate) fn erasure(&self, platform: &str, player: &str) -> Erasure {
        let player = PlayerHash::of(platform, player);
        Erasure { player, number: self.known().erased(&player) }
    }

    /// Whether the player was erased since.
    pub(crate) fn is_erased_since(&self, before: &Erasure) -> bool {
        self.known().erased(&before.player) > before.number
    }
}

impl Claims {
    /// What a new token says of whom it is for.
    fn about(new: &NewToken) -> Claims {
        let nobody = Claims {
            platform: String::new(),
            match_id: None,
            player: None,
            session: false,
            seat: None,
            open: false,
            key: None,
            revocations: [0, 0],
            exp: 0,
        };
        match new {
            NewToken::Match { match_id, seat, is_open, revocations } => Claims {
                match_id: Some(match_id.0),
                seat: seat.map(u8::from),
                open: *is_open,
                revocations: *revocations,
                ..nobody
            },
            NewToken::Player { player, number } => {
                Claims { player: Some((player.as_str().into(), *number)), ..nobody }
            }
            NewToken::Session => Claims { session: true, ..nobody },
        }
    }

    fn grant(&self) -> Result<(Grant, Subject), Status> {
        match (self.match_id.map(MatchId), &self.player, self.session) {
            (Some(match_id), None, false) => {
                let (seat, revocations) = (self.seat, self.revocations);
                let grant = match seat {
                    Some(seat) if !self.open => {
                        Grant::Seat(match_id, seat.try_into().map_err(|_| invalid())?)
                    }
                    Some(_) | None => Grant::Spectator(match_id),
                };
                Ok((grant, Subject::Match { match_id, seat, revocations }))
            }
            (None, Some((player, number)), false) => {
                let hash = PlayerHash::of(&self.platform, player);
                let subject = Subject::Player { player: hash, number: *number };
                Ok((Grant::Player(player.clone()), subject))
            }
            (None, None, true) => Ok((Grant::Platform, Subject::Session)),
            _ => Err(invalid()),
        }
    }
}

fn signed(claims: &Claims, key_id: i16, secret: &[u8; 32]) -> Result<String, Status> {
    let header = Header { kid: Some(key_id.to_string()), ..Header::new(Algorithm::HS256) };
    let token = jsonwebtoken::encode(&header, claims, &EncodingKey::from_secret(secret));
    token.map_err(|error| of(matches::Error::Internal(error.into())))
}

/// The id of the key that signed a token, as the token says.
fn signed_by(token: &str) -> Result<i16, Status> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
    header.kid.and_then(|kid| kid.parse().ok()).ok_or_else(invalid)
}

/// The content of a token that was signed with this secret and has not expired.
fn claims_of(token: &str, secret: &[u8; 32]) -> Result<Claims, Status> {
    let mut rules = Validation::new(Algorithm::HS256);
    rules.leeway = 0;
    let decoded = jsonwebtoken::decode::<Claims>(token, &DecodingKey::from_secret(secret), &rules);
    let decoded = decoded.map_err(|error| match error.kind() {
        ErrorKind::ExpiredSignature => expired(),
        _ => invalid(),
    })?;
    Ok(decoded.claims)
}

pub(crate) fn expired() -> Status {
    status(Code::Unauthenticated, Reason::TokenExpired, "the token has expired")
}

fn revoked() -> Status {
    let message = "the API key or the token was revoked";
    status(Code::Unauthenticated, Reason::CredentialsRevoked, message)
}

fn suspended() -> Status {
    let message = "the platform is suspended";
    status(Code::Unauthenticated, Reason::PlatformSuspended, message)
}

fn key_only() -> Status {
    let message = "this needs the API key itself: the token of a session may not do it";
    status(Code::PermissionDenied, Reason::ApiKeyOnly, message)
}

fn missing() -> Status {
    let message = "send `authorization: Bearer` with an API key or a token";
    status(Code::Unauthenticated, Reason::CredentialsMissing, message)
}

fn invalid() -> Status {
    let message = "the credentials were not issued by this service";
    status(Code::Unauthenticated, Reason::CredentialsInvalid, message)
}

#[cfg(test)]
mod fuzz {
    use bolero::check;

    use super::*;
    use crate::names::fuzz::{Edit, edited};

    #[test]
    fn a_token_that_is_not_as_it_was_minted_is_refused() {
        let secret = [7; 32];
        let genuine = Claims {
            platform: "acme".to_owned(),
            match_id: Some(Uuid::from_u128(1)),
            player: None,
            session: false,
            seat: Some(1),
            open: false,
            key: Some("k1".into()),
            revocations: [0, 2],
            exp: 253_402_300_799,
        };
        let token = signed(&genuine, 3, &secret).expect("it is signed");
        check!().with_type::<Vec<Edit>>().for_each(|edits| {
            let edited = edited(&token, edits);
            let read = signed_by(&edited).and_then(|_| claims_of(&edited, &secret));
            match read {
                Ok(claims) => assert_eq!((&edited, claims), (&token, genuine.clone())),
                Err(status) => assert_eq!(status.code(), Code::Unauthenticated),
            }
        });
    }

    #[test]
    fn an_api_key_that_is_read_is_written_alike() {
        let example = "croupier_acme_0123456789ab_c2VjcmV0";
        check!().with_type::<Vec<Edit>>().for_each(|edits| {
            let text = edited(example, edits);
            if let Ok(key) = text.parse::<ApiKey>() {
                assert_eq!(key.to_string(), text);
            }
        });
    }
}
