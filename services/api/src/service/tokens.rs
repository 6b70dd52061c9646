//! `TokenService`: tokens for a platform's players.

use std::time::Duration;

use matches::Matches;
use prost_types::Timestamp;
use tonic::{Request, Response, Status};

use crate::auth::{Auth, NewToken};
use crate::error::{invalid, of};
use crate::names::{parse_match, parse_player, parse_seat};
use crate::v1::token_service_server::TokenService;
use crate::v1::*;

/// The default lifetime: one sitting. A player who plays longer gets a new token.
const LIFETIME_USUAL_S: u32 = 3600;

/// The longest lifetime: a day. Keys that sign tokens can be replaced in that time.
const LIFETIME_MAX_S: u32 = 86_400;

pub(crate) struct Tokens {
    pub auth: Auth,
    pub matches: Matches,
}

#[tonic::async_trait]
impl TokenService for Tokens {
    async fn create_token(
        &self,
        request: Request<CreateTokenRequest>,
    ) -> Result<Response<CreateTokenResponse>, Status> {
        let minter = self.auth.credentials(request.metadata()).await?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match("parent", &request.parent)?, parse_seat(request.seat)?);
        let lifetime = lifetime(request.lifetime_s)?;
        let player = self.matches.may_grant(&minter.caller, match_id, seat).await.map_err(of)?;
        let is_open = seat.is_some() && player.is_none();
        let revocations = self.matches.store().token_revocations(match_id, seat.map(u8::from));
        let revocations = revocations.await.map_err(|error| of(error.into()))?;
        let new = NewToken::Match { match_id, seat, is_open, revocations };
        let (token, expires) = self.auth.mint(&minter, &new, lifetime)?;
        let expire_time = Some(Timestamp::from(expires));
        Ok(Response::new(CreateTokenResponse { token, expire_time }))
    }

    async fn revoke_tokens(
        &self,
        request: Request<RevokeTokensRequest>,
    ) -> Result<Response<RevokeTokensResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match("parent", &request.parent)?, parse_seat(request.seat)?);
        self.matches.may_grant(&caller, match_id, seat).await.map_err(of)?;
        let revocation = self.matches.store().revoke_tokens(match_id, seat.map(u8::from)).await;
        let revocation = revocation.map_err(|error| of(error.into()))?;
        if let Some(revocation) = revocation {
            self.auth.revoke_tokens(revocation);
        }
        Ok(Response::new(RevokeTokensResponse {}))
    }
    async fn create_player_token(
        &self,
        request: Request<CreatePlayerTokenRequest>,
    ) -> Result<Response<CreatePlayerTokenResponse>, Status> {
        let minter = self.auth.credentials(request.metadata()).await?;
        let request = request.into_inner();
        let player = parse_player("parent", &request.parent)?;
        let lifetime = lifetime(request.lifetime_s)?;
        let number = self.matches.player_token_number(&minter.caller, player).await.map_err(of)?;
        let new = NewToken::Player { player: player.to_owned(), number };
        let (token, expires) = self.auth.mint(&minter, &new, lifetime)?;
        let expire_time = Some(Timestamp::from(expires));
        Ok(Response::new(CreatePlayerTokenResponse { token, expire_time }))
    }

    async fn revoke_player_tokens(
        &self,
        request: Request<RevokePlayerTokensRequest>,
    ) -> Result<Response<RevokePlayerTokensResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let player = parse_player("parent", &request.get_ref().parent)?;
        let revoked = self.matches.revoke_player_tokens(&caller, player).await.map_err(of)?;
        self.auth.revoke_player_tokens(revoked);
        Ok(Response::new(RevokePlayerTokensResponse {}))
    }
}

fn lifetime(lifetime_s: u32) -> Result<Duration, Status> {
    match lifetime_s {
        0 => Ok(Duration::from_secs(LIFETIME_USUAL_S.into())),
        seconds @ 1..=LIFETIME_MAX_S => Ok(Duration::from_secs(seconds.into())),
        _ => Err(invalid("lifetime_s", format!("lifetime_s is at most {LIFETIME_MAX_S}"))),
    }
}
