//! `InvitationService`: guests who take a seat by a link.

use std::time::Duration;

use accounts::INVITATIONS;
use contract::v1::invitation_service_server::InvitationService;
use contract::v1::*;
use matches::{Invitation, NewGuest};
use table::Viewer;
use tonic::{Request, Response, Status};

use super::calls::Calls;
use super::tokens::{lifetime, lifetime_or};
use crate::answers::values::{number, timestamp};
use crate::auth::NewToken;
use crate::error::of;
use crate::requests::names::parse_match;
use crate::requests::values::{parse_player_id, parse_seat, present};

/// The default lifetime of an invitation: guests may come in the evening.
const LIFETIME_USUAL: Duration = Duration::from_secs(86_400);

pub(crate) struct Invitations {
    pub calls: Calls,
}

#[tonic::async_trait]
impl InvitationService for Invitations {
    async fn create_invitation(
        &self,
        request: Request<CreateInvitationRequest>,
    ) -> Result<Response<CreateInvitationResponse>, Status> {
        let minter = self.calls.auth.credentials(request.metadata()).await?;
        self.calls.auth.check_to_write(&minter).await?;
        let request = request.into_inner();
        let match_id = parse_match("parent", &request.parent)?;
        let inviter = present(parse_player_id("inviter", request.inviter)?);
        let invitation = Invitation { match_id, seat: parse_seat(request.seat)?, inviter };
        let lifetime = lifetime_or(LIFETIME_USUAL, request.lifetime)?;
        self.calls.matches.may_invite(&minter.caller, &invitation).await.map_err(of)?;
        let revocations =
            self.calls.matches.accounts().token_revocations(match_id, Some(INVITATIONS));
        let revocations = revocations.await.map_err(|error| of(error.into()))?;
        let new = NewToken::Invitation { invitation, revocations };
        let (token, expires) = self.calls.auth.mint(&minter, &new, lifetime)?;
        let expire_time = Some(timestamp(expires));
        Ok(Response::new(CreateInvitationResponse { token, expire_time }))
    }

    async fn revoke_invitations(
        &self,
        request: Request<RevokeInvitationsRequest>,
    ) -> Result<Response<RevokeInvitationsResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let match_id = parse_match("parent", &request.parent)?;
        self.calls.matches.may_grant(&caller, match_id, None).await.map_err(of)?;
        let revoking = self.calls.matches.revoke_tokens(&caller, match_id, Some(INVITATIONS));
        let revocation = revoking.await.map_err(of)?;
        if let Some(revocation) = revocation {
            self.calls.auth.revoke_tokens(revocation);
        }
        Ok(Response::new(RevokeInvitationsResponse {}))
    }

    async fn get_invitation(
        &self,
        request: Request<GetInvitationRequest>,
    ) -> Result<Response<GetInvitationResponse>, Status> {
        let (credentials, texts, _) = self.calls.open_with_credentials(request).await?;
        let invited = self.calls.matches.invitation(&credentials.caller).await;
        let (invitation, summary) = invited.map_err(of)?;
        Ok(Response::new(GetInvitationResponse {
            r#match: Some(texts.summary(summary)),
            seat: invitation.seat.map(number),
            inviter: invitation.inviter.clone().unwrap_or_default(),
            expire_time: credentials.expires.map(timestamp),
        }))
    }

    async fn accept_invitation(
        &self,
        request: Request<AcceptInvitationRequest>,
    ) -> Result<Response<AcceptInvitationResponse>, Status> {
        let (minter, texts, request) = self.calls.open_with_credentials(request).await?;
        self.calls.auth.check_to_write(&minter).await?;
        let lifetime = lifetime(request.lifetime)?;
        let new = NewGuest {
            key: request.guest_key,
            display_name: request.display_name,
            seat: parse_seat(request.seat)?,
            contribution: request.contribution,
        };
        let guest = self.calls.matches.accept_invitation(&minter.caller, new).await;
        let guest = guest.map_err(|error| texts.refusal(error, None, None))?;
        let (match_id, seat, revocations) = (guest.match_id, guest.seat, guest.revocations);
        let new = NewToken::Match { match_id, seat: Some(seat), is_open: false, revocations };
        let (token, expires) = self.calls.auth.mint(&minter, &new, lifetime)?;
        let summary = texts.summary_for(Viewer::Seat(seat), guest.summary);
        Ok(Response::new(AcceptInvitationResponse {
            seat: number(seat),
            token,
            expire_time: Some(timestamp(expires)),
            r#match: Some(summary),
        }))
    }
}
