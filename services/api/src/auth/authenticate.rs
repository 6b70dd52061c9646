//! Verifies the credentials of calls, and mints tokens.

use std::sync::{Arc, RwLockReadGuard};
use std::time::Duration;

use accounts::{PlayerHash, PlayerRevocation, Right, SignIn, Subject, TokenRevocation};
use database::Clock;
use matches::{Caller, CheckedRight, Error, Grant, Matches, OperatorCaller, Term};
use quick_cache::sync::Cache;
use time::OffsetDateTime;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::metadata::MetadataMap;

use super::addresses::count_failure;
use super::api_key::{ApiKey, KEY_PREFIX, hash_of};
use super::known::{Known, TakenBack};
use super::operator_key::{OPERATOR_PREFIX, OperatorKeys, proof_of};
use super::refresh::{Current, Options};
use super::refusals::{
    expired, invalid, key_only, missing, no_code, no_scheme, revoked, suspended,
};
use super::sign_in::SignInCode;
use super::tokens::{Claims, NewToken, claims_of, signed, signed_by};
use crate::error::of;

/// How many refused keys and codes are remembered. Each of them causes one read at most.
const REFUSED_MAX: usize = 10_000;

#[derive(Clone)]
pub struct Auth(Arc<Inner>);

struct Inner {
    matches: Matches,
    clock: Clock,
    current: Current,
    refused: Cache<blake3::Hash, ()>,
    operators: OperatorKeys,
}

/// Verified credentials.
#[derive(Clone)]
pub(crate) struct Credentials {
    pub caller: Caller,
    /// When they expire; absent for API keys.
    pub expires: Option<OffsetDateTime>,
    right: Arc<Right>,
}

/// The last erasure of a player that a process knows of.
#[derive(Clone, Copy)]
pub(crate) struct Erasure {
    player: PlayerHash,
    /// 0 if the process knows of none.
    number: i64,
}

impl Credentials {
    fn of_key(platform: Arc<str>, key_id: Arc<str>) -> Credentials {
        let key_id = Some(key_id);
        let right = Right { platform, key_id, signed_by: None, subject: Subject::Platform };
        Credentials::new(Grant::Platform, right, None)
    }

    /// Not checked yet.
    fn new(grant: Grant, right: Right, expires: Option<OffsetDateTime>) -> Credentials {
        let (platform, right) = (right.platform.to_string(), Arc::new(right));
        let unchecked = CheckedRight { right: right.clone(), since: 0 };
        Credentials { caller: Caller { platform, grant, right: Some(unchecked) }, expires, right }
    }

    /// The platform and the id of its API key. Fails for tokens, those of sessions among them.
    pub(crate) fn key(&self) -> Result<(&str, &str), Status> {
        let platform = self.caller.platform().map_err(of)?;
        match (&self.right.key_id, self.right.signed_by) {
            (Some(key_id), None) => Ok((platform, key_id)),
            _ => Err(key_only()),
        }
    }
}

/// The credentials of a call.
fn bearer_of(metadata: &MetadataMap) -> Result<&str, Status> {
    let header = metadata.get("authorization").ok_or_else(missing)?;
    bearer(header.to_str().map_err(|_| invalid())?)
}

/// The credentials in the value of the header `authorization`.
fn bearer(header: &str) -> Result<&str, Status> {
    let (scheme, credentials) = header.trim().split_once(' ').ok_or_else(no_scheme)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(no_scheme());
    }
    Ok(credentials.trim())
}

impl Auth {
    /// Reads the credentials, and creates the first key that signs tokens. They do not change until
    /// [`Auth::refresh`] runs.
    pub async fn new(matches: &Matches, options: Options) -> Result<Auth, database::Error> {
        let current = Current::new(matches.accounts(), options).await?;
        let clock = matches.accounts().database().clock().clone();
        let (matches, refused) = (matches.clone(), Cache::new(REFUSED_MAX));
        let operators = OperatorKeys::default();
        Ok(Auth(Arc::new(Inner { matches, clock, current, refused, operators })))
    }

    /// Reads changes of credentials until `stop` is cancelled. While the database is unavailable,
    /// the known credentials stay in effect.
    pub async fn refresh(self, stop: CancellationToken) {
        self.0.current.refresh(stop).await;
    }

    fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.0.current.known()
    }

    /// The caller behind the `authorization` header.
    pub(crate) async fn caller(&self, metadata: &MetadataMap) -> Result<Caller, Status> {
        Ok(self.credentials(metadata).await?.caller)
    }

    /// The verified credentials of a call. Counts the call; fails if the caller calls too often.
    pub(crate) async fn credentials(&self, metadata: &MetadataMap) -> Result<Credentials, Status> {
        let credentials = self.verify(metadata).await?;
        transcoder::meter::name_caller(&credentials.caller.platform);
        self.0.matches.budgets().admit(&credentials.caller).map_err(of)?;
        Ok(credentials)
    }

    /// The operator behind the `authorization` header.
    pub(crate) async fn operator(&self, metadata: &MetadataMap) -> Result<OperatorCaller, Status> {
        match self.any_operator(metadata).await? {
            Some(operator) => Ok(operator),
            None => {
                self.credentials(metadata).await?;
                Err(of(Error::OperatorOnly))
            }
        }
    }

    /// Like [`Auth::operator`]; `None` if the header has no key of an operator, not even a wrong
    /// one.
    pub(crate) async fn any_operator(
        &self,
        metadata: &MetadataMap,
    ) -> Result<Option<OperatorCaller>, Status> {
        let key = bearer_of(metadata)?;
        if !key.starts_with(OPERATOR_PREFIX) {
            return Ok(None);
        }
        let hash = hash_of(key);
        if self.0.refused.get(&hash).is_some() {
            return Err(count_failure(invalid()));
        }
        let proof = proof_of(key);
        let accounts = self.0.matches.accounts();
        let found = self.0.operators.key_id(&proof, accounts).await;
        let key_id = found.map_err(|error| of(error.into()))?.ok_or_else(|| {
            self.0.refused.insert(hash, ());
            count_failure(invalid())
        })?;
        Ok(Some(OperatorCaller { key_id, proof }))
    }

    /// The platform of a call that needs no credentials; `None` without valid ones.
    pub(crate) async fn platform_of(&self, metadata: &MetadataMap) -> Option<String> {
        metadata.get("authorization")?;
        let verified = self.verify(metadata).await;
        verified.ok().map(|it| it.caller.platform)
    }

    async fn verify(&self, metadata: &MetadataMap) -> Result<Credentials, Status> {
        let credentials = bearer_of(metadata)?;
        let mut credentials = if credentials.starts_with(KEY_PREFIX) {
            self.platform(credentials).await?
        } else {
            self.holder(credentials).await?
        };
        self.check(&mut credentials)?;
        Ok(credentials)
    }

    /// Fails if verified credentials have expired or been revoked since.
    pub(crate) fn check(&self, credentials: &mut Credentials) -> Result<(), Status> {
        if credentials.expires.is_some_and(|expires| expires <= self.now()) {
            return Err(expired());
        }
        let checked = self.known().check(&credentials.right);
        let since = checked.map_err(|taken_back| match taken_back {
            TakenBack::Revoked => revoked(),
            TakenBack::Suspended => suspended(),
            TakenBack::Perhaps => of(database::Error::TimedOut.into()),
        })?;
        credentials.caller.right = Some(CheckedRight { right: credentials.right.clone(), since });
        Ok(())
    }

    /// Fails if credentials with which something is to be written have been revoked, as the
    /// database knows it now: this process may not know it yet. What becomes an entry is checked
    /// where it is recorded instead.
    pub(crate) async fn check_to_write(&self, credentials: &Credentials) -> Result<(), Status> {
        let holds = self.0.matches.right_holds(&credentials.caller).await.map_err(of)?;
        if holds { Ok(()) } else { Err(revoked()) }
    }

    /// The time by which tokens expire: that which all processes share.
    pub(crate) fn now(&self) -> OffsetDateTime {
        self.0.clock.now()
    }

    /// Notified at once whenever credentials are revoked.
    pub(crate) fn taken_back(&self) -> watch::Receiver<()> {
        self.0.current.taken_back()
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
        // However many callers have unknown keys, one read a second serves them all.
        self.0.current.reread(true).await?;
        self.known_key(&hash).ok_or_else(|| {
            self.0.refused.insert(hash, ());
            count_failure(invalid())
        })
    }

    /// A new code to sign in with.
    pub fn new_sign_in_code(&self) -> Result<SignInCode, matches::Error> {
        let known = self.known();
        let key = known.signing_key();
        let key = key.ok_or_else(|| matches::Error::Internal("there is no key".into()))?;
        SignInCode::new(key).map_err(|error| matches::Error::Internal(error.into()))
    }

    /// Exchanges a code for the credentials of the API key that made it. A code that this
    /// installation has not made, or that was exchanged, costs no query.
    pub(crate) async fn sign_in(&self, code: &str) -> Result<Credentials, Status> {
        let code: SignInCode = code.parse().map_err(|_| no_code())?;
        let hash = code.hash();
        let secret = self.known().token_key(code.signed_by()).map(|key| key.secret);
        let is_genuine = secret.is_some_and(|secret| code.is_genuine(&secret));
        if !is_genuine || self.0.refused.get(&hash).is_some() {
            return Err(count_failure(no_code()));
        }
        let taken = self.0.matches.take_sign_in(hash.as_bytes()).await.map_err(of)?;
        let Some(SignIn { platform, key_id }) = taken else {
            self.0.refused.insert(hash, ());
            return Err(count_failure(no_code()));
        };
        self.of_key(&platform, &key_id).await
    }

    fn known_key(&self, hash: &blake3::Hash) -> Option<Credentials> {
        let known = self.known();
        let key = known.key(hash)?;
        Some(Credentials::of_key(key.platform.clone(), key.key_id.clone()))
    }

    /// The credentials of an API key, by its id. Fails if it was revoked.
    async fn of_key(&self, platform: &str, key_id: &str) -> Result<Credentials, Status> {
        self.know_key(platform, key_id).await?;
        let mut credentials = Credentials::of_key(platform.into(), key_id.into());
        self.check(&mut credentials)?;
        Ok(credentials)
    }

    /// Reads changes if this process does not know the key. The service has stored or signed its
    /// id, so the key was created recently or revoked long ago.
    async fn know_key(&self, platform: &str, key_id: &str) -> Result<(), Status> {
        let is_known = self.known().is_valid(platform, key_id).is_some();
        if is_known { Ok(()) } else { self.0.current.reread(true).await }
    }

    async fn holder(&self, token: &str) -> Result<Credentials, Status> {
        let signed_by = signed_by(token)?;
        let secret = self.token_secret(signed_by).await?;
        let claims = claims_of(token, &secret)?;
        let (grant, subject) = claims.grant()?;
        let Claims { platform, key, term, exp, .. } = claims;
        // Only this installation can have signed it.
        self.0.matches.met_term(Term(term));
        let exp = i64::try_from(exp).map_err(|_| invalid())?;
        let expires = OffsetDateTime::from_unix_timestamp(exp).map_err(|_| invalid())?;
        if let Some(key_id) = &key {
            self.know_key(&platform, key_id).await?;
        }
        let (platform, signed_by) = (platform.into(), Some(signed_by));
        let right = Right { platform, key_id: key, signed_by, subject };
        Ok(Credentials::new(grant, right, Some(expires)))
    }

    /// The secret of a signing key. An id above all known ones may belong to a new key, so the call
    /// waits for the next read; any other unknown id is refused without a read.
    async fn token_secret(&self, key_id: i16) -> Result<[u8; 32], Status> {
        let find = || self.known().token_key(key_id).map(|key| key.secret);
        if let Some(secret) = find() {
            return Ok(secret);
        }
        if self.known().may_be_new(key_id) {
            self.0.current.reread(false).await?;
        }
        find().ok_or_else(invalid)
    }

    /// A token, and when it expires. It is valid as long as the minting key is.
    pub(crate) fn mint(
        &self,
        minter: &Credentials,
        new: &NewToken,
        lifetime: Duration,
    ) -> Result<(String, OffsetDateTime), Status> {
        let key = self.known().signing_key().cloned();
        let key = key.ok_or_else(|| {
            of(matches::Error::Internal("there is no key that signs tokens".into()))
        })?;
        // In whole seconds, as the token tells it.
        let expires = (self.now() + lifetime).replace_nanosecond(0).expect("a second has one");
        let exp = u64::try_from(expires.unix_timestamp()).expect("the clock is past 1970");
        let minted_by = minter.right.key_id.clone();
        let platform = minter.caller.platform.clone();
        let claims = Claims::new(new, platform, minted_by, self.0.matches.term(), exp);
        let token = signed(&claims, key.key_id, &key.secret)?;
        Ok((token, expires))
    }

    /// Refuses the tokens of a revocation in this process at once; other processes read it.
    pub(crate) fn revoke_tokens(&self, revocation: TokenRevocation) {
        self.0.current.change(|known| known.revoke_tokens(revocation));
    }

    /// Like [`Auth::revoke_tokens`], for the tokens of a player.
    pub(crate) fn revoke_player_tokens(&self, revocation: PlayerRevocation) {
        self.0.current.change(|known| known.revoke_player_tokens(revocation));
    }

    /// Lets this process read soon what has been revoked.
    pub(crate) fn reread_soon(&self) {
        self.0.current.want();
    }

    /// The last erasure of a player that this process knows of.
    pub(crate) fn erasure(&self, platform: &str, player: &str) -> Erasure {
        let player = PlayerHash::of(platform, player);
        Erasure { player, number: self.known().erased(&player) }
    }

    /// Whether the player was erased since.
    pub(crate) fn is_erased_since(&self, before: &Erasure) -> bool {
        self.known().erased(&before.player) > before.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_without_their_scheme_are_told_how_they_are_sent() {
        assert_eq!(bearer("Bearer croupier_a_b_c").expect("as it should be"), "croupier_a_b_c");
        assert_eq!(bearer("bearer  croupier_a_b_c ").expect("as it may be"), "croupier_a_b_c");
        for header in ["croupier_a_b_c", "Basic YTpi", "", "Bearer", "Bearer "] {
            let refused = bearer(header).expect_err(header);
            assert!(refused.message().contains("`authorization: Bearer {key}`"), "{header:?}");
            assert!(!refused.message().contains("croupier_a"), "it repeats no secret");
        }
    }
}
