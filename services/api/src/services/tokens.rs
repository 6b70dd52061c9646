//! `TokenService`: tokens for a platform's players, and for people who sign in for it.

use std::time::Duration;

use accounts::SignIn;
use contract::names::platform_name;
use contract::v1::token_service_server::TokenService;
use contract::v1::*;
use tonic::{Request, Response, Status};

use super::calls::Calls;
use crate::answers::values::timestamp;
use crate::auth::{NewToken, SESSION_LIFETIME, SIGN_IN_LIFETIME};
use crate::error::{invalid, of};
use crate::requests::names::{parse_match, parse_player};
use crate::requests::values::{parse_seat, parse_whole_seconds};

/// The default lifetime: one sitting. A player who plays longer gets a new token.
const LIFETIME_USUAL: Duration = Duration::from_secs(3600);

/// The longest lifetime: a day. Keys that sign tokens can be replaced in that time.
const LIFETIME_MAX_S: u32 = 86_400;

pub(crate) struct Tokens {
    pub calls: Calls,
}

#[tonic::async_trait]
impl TokenService for Tokens {
    async fn create_token(
        &self,
        request: Request<CreateTokenRequest>,
    ) -> Result<Response<CreateTokenResponse>, Status> {
        let minter = self.calls.auth.credentials(request.metadata()).await?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match("parent", &request.parent)?, parse_seat(request.seat)?);
        let lifetime = lifetime(request.lifetime)?;
        // Read before anything is checked: what is revoked afterwards ends the new token, too.
        let revocations =
            self.calls.matches.accounts().token_revocations(match_id, seat.map(u8::from));
        let revocations = revocations.await.map_err(|error| of(error.into()))?;
        self.calls.auth.check_to_write(&minter).await?;
        let player = self
            .calls
            .matches
            .may_grant_to_own(&minter.caller, match_id, seat)
            .await
            .map_err(of)?;
        // A token never outlasts the one that minted it.
        let left = minter.expires.filter(|_| minter.caller.platform().is_err());
        let left = left.map(|expires| (expires - self.calls.auth.now()).unsigned_abs());
        let lifetime = left.map_or(lifetime, |left| lifetime.min(left));
        let is_open = seat.is_some() && player.is_none();
        let new = NewToken::Match { match_id, seat, is_open, revocations };
        let (token, expires) = self.calls.auth.mint(&minter, &new, lifetime)?;
        let expire_time = Some(timestamp(expires));
        Ok(Response::new(CreateTokenResponse { token, expire_time }))
    }

    async fn revoke_tokens(
        &self,
        request: Request<RevokeTokensRequest>,
    ) -> Result<Response<RevokeTokensResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let (match_id, seat) = (parse_match("parent", &request.parent)?, parse_seat(request.seat)?);
        self.calls.matches.may_grant(&caller, match_id, seat).await.map_err(of)?;
        let revoking = self.calls.matches.revoke_tokens(&caller, match_id, seat.map(u8::from));
        let revocation = revoking.await.map_err(of)?;
        if let Some(revocation) = revocation {
            self.calls.auth.revoke_tokens(revocation);
        }
        Ok(Response::new(RevokeTokensResponse {}))
    }

    async fn create_player_token(
        &self,
        request: Request<CreatePlayerTokenRequest>,
    ) -> Result<Response<CreatePlayerTokenResponse>, Status> {
        let minter = self.calls.auth.credentials(request.metadata()).await?;
        self.calls.auth.check_to_write(&minter).await?;
        let request = request.into_inner();
        let player = parse_player("parent", &request.parent)?;
        let lifetime = lifetime(request.lifetime)?;
        let number =
            self.calls.matches.player_token_number(&minter.caller, player).await.map_err(of)?;
        let new = NewToken::Player { player: player.to_owned(), number };
        let (token, expires) = self.calls.auth.mint(&minter, &new, lifetime)?;
        let expire_time = Some(timestamp(expires));
        Ok(Response::new(CreatePlayerTokenResponse { token, expire_time }))
    }

    async fn revoke_player_tokens(
        &self,
        request: Request<RevokePlayerTokensRequest>,
    ) -> Result<Response<RevokePlayerTokensResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let player = parse_player("parent", &request.parent)?;
        let revoked = self.calls.matches.revoke_player_tokens(&caller, player).await.map_err(of)?;
        self.calls.auth.revoke_player_tokens(revoked);
        Ok(Response::new(RevokePlayerTokensResponse {}))
    }

    async fn create_sign_in(
        &self,
        request: Request<CreateSignInRequest>,
    ) -> Result<Response<CreateSignInResponse>, Status> {
        let credentials = self.calls.auth.credentials(request.metadata()).await?;
        self.calls.auth.check_to_write(&credentials).await?;
        let (platform, key_id) = credentials.key()?;
        let sign_in = SignIn { platform: platform.to_owned(), key_id: key_id.to_owned() };
        let code = self.calls.auth.new_sign_in_code().map_err(of)?;
        let hash = code.hash();
        let creating =
            self.calls.matches.create_sign_in(hash.as_bytes(), &sign_in, SIGN_IN_LIFETIME);
        let expire_time = Some(timestamp(creating.await.map_err(of)?));
        Ok(Response::new(CreateSignInResponse { code: code.to_string(), expire_time }))
    }

    async fn sign_in(
        &self,
        request: Request<SignInRequest>,
    ) -> Result<Response<SignInResponse>, Status> {
        if request.get_ref().code.is_empty() {
            return Err(invalid("code", "code is missing: `CreateSignIn` returns one"));
        }
        let minter = self.calls.auth.sign_in(&request.get_ref().code).await?;
        let (token, expires) =
            self.calls.auth.mint(&minter, &NewToken::Session, SESSION_LIFETIME)?;
        let expire_time = Some(timestamp(expires));
        let platform = platform_name(&minter.caller.platform);
        Ok(Response::new(SignInResponse { token, expire_time, platform }))
    }
}

/// The lifetime of a token that a player holds.
pub(super) fn lifetime(asked: Option<prost_types::Duration>) -> Result<Duration, Status> {
    lifetime_or(LIFETIME_USUAL, asked)
}

/// The lifetime of a token, or the default.
pub(super) fn lifetime_or(
    usual: Duration,
    asked: Option<prost_types::Duration>,
) -> Result<Duration, Status> {
    let lifetime = parse_whole_seconds("lifetime", asked, 1..=LIFETIME_MAX_S)?;
    Ok(lifetime.map_or(usual, |seconds| Duration::from_secs(seconds.into())))
}
