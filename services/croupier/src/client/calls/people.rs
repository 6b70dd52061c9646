//! Calls about players: their results, tokens, invitations and seeks. A request that has a
//! `request_id` needs one, since it may be sent more than once.

use contract::v1::{
    CreateInvitationRequest, CreateInvitationResponse, CreatePlayerTokenRequest,
    CreatePlayerTokenResponse, CreateSeekRequest, CreateSignInRequest, CreateSignInResponse,
    CreateTokenRequest, CreateTokenResponse, DeleteSeekRequest, ErasePlayerRequest,
    ErasePlayerResponse, GetPlayerRequest, GetPlayerResponse, GetSeekRequest, ListSeeksRequest,
    ListSeeksResponse, ListStandingsRequest, ListStandingsResponse, RevokeInvitationsRequest, Seek,
    WatchPlayerRequest,
};

use crate::client::calling::{Client, Following, of_match};
use crate::client::error::Error;

impl Client {
    pub async fn player(&self, request: &GetPlayerRequest) -> Result<GetPlayerResponse, Error> {
        match self.call(request).await {
            Err(error) if error.is("PLAYER_NOT_FOUND") => {
                Err(Error::UnknownPlayer(request.name.clone()))
            }
            outcome => outcome,
        }
    }

    pub async fn erase_player(
        &self,
        request: &ErasePlayerRequest,
    ) -> Result<ErasePlayerResponse, Error> {
        self.call(request).await
    }

    pub async fn standings_page(
        &self,
        request: &ListStandingsRequest,
    ) -> Result<ListStandingsResponse, Error> {
        self.of_game(&request.parent, self.call(request).await).await
    }

    /// The entries of all matches of a player, as the player sees them, without end.
    pub fn watch_player(&self, name: &str) -> Following<WatchPlayerRequest> {
        let name = name.to_owned();
        self.follow(WatchPlayerRequest { name, ..WatchPlayerRequest::default() })
    }

    pub async fn create_token(
        &self,
        request: &CreateTokenRequest,
    ) -> Result<CreateTokenResponse, Error> {
        of_match(&request.parent, self.call(request).await)
    }

    pub async fn create_invitation(
        &self,
        request: &CreateInvitationRequest,
    ) -> Result<CreateInvitationResponse, Error> {
        of_match(&request.parent, self.call(request).await)
    }

    pub async fn revoke_invitations(
        &self,
        request: &RevokeInvitationsRequest,
    ) -> Result<(), Error> {
        of_match(&request.parent, self.call(request).await).map(drop)
    }

    pub async fn create_player_token(
        &self,
        request: &CreatePlayerTokenRequest,
    ) -> Result<CreatePlayerTokenResponse, Error> {
        self.call(request).await
    }

    pub async fn create_sign_in(&self) -> Result<CreateSignInResponse, Error> {
        self.call(&CreateSignInRequest {}).await
    }

    pub async fn create_seek(&self, request: &CreateSeekRequest) -> Result<Seek, Error> {
        let response = self.of_game(&request.game, self.call(request).await).await?;
        response.seek.ok_or(Error::Empty)
    }

    pub async fn seek(&self, request: &GetSeekRequest) -> Result<Seek, Error> {
        self.call(request).await?.seek.ok_or(Error::Empty)
    }

    pub async fn seeks_page(&self, request: &ListSeeksRequest) -> Result<ListSeeksResponse, Error> {
        self.of_game(&request.game, self.call(request).await).await
    }

    pub async fn delete_seek(&self, request: &DeleteSeekRequest) -> Result<(), Error> {
        self.call(request).await.map(drop)
    }
}
