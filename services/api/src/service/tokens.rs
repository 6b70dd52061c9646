//! `TokenService`: tokens for a platform's players.

use std::time::Duration;

use matches::Matches;
use prost_types::Timestamp;
use tonic::{Request, Response, Status};

use crate::auth::{Auth, NewToken};
use crate::error::{invalid, of};
use crate::names::{parse_match, parse_seat};
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
        let lifetime_s = match request.lifetime_s {
            0 => LIFETIME_USUAL_S,
            seconds @ 1..=LIFETIME_MAX_S => seconds,
            _ => {
                return Err(invalid(
                    "lifetime_s",
                    format!("lifetime_s is at most {LIFETIME_MAX_S}"),
                ));
            }
        };
        let player = self.matches.may_grant(&minter.caller, match_id, seat).await.map_err(of)?;
        let is_open = seat.is_some() && player.is_none();
        let revocations = self.matches.store().token_revocations(match_id, seat.map(u8::from));
        let revocations = revocations.await.map_err(|error| of(error.into()))?;
        let lifetime = Duration::from_secs(lifetime_s.into());
        let new = NewToken { match_id, seat, is_open, revocations, lifetime };
        let (token, expires) = self.auth.mint(&minter, &new)?;
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
}
