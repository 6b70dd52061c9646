//! Calls about players: their results, tokens and seeks. A request that has a `request_id` needs
//! one, since it may be sent more than once.

use contract::v1::player_service_client::PlayerServiceClient;
use contract::v1::seek_service_client::SeekServiceClient;
use contract::v1::token_service_client::TokenServiceClient;
use contract::v1::{
    CreatePlayerTokenRequest, CreatePlayerTokenResponse, CreateSeekRequest, CreateSignInRequest,
    CreateSignInResponse, CreateTokenRequest, CreateTokenResponse, DeleteSeekRequest,
    ErasePlayerRequest, ErasePlayerResponse, GetPlayerRequest, GetPlayerResponse, GetSeekRequest,
    ListSeeksRequest, ListSeeksResponse, ListStandingsRequest, ListStandingsResponse, Seek,
    WatchPlayerRequest, WatchPlayerResponse,
};
use tonic::{Response, Status, Streaming};

use crate::client::{Authorized, Client, of_match, request_of};
use crate::error::Error;

impl Client {
    pub async fn player(&self, request: &GetPlayerRequest) -> Result<GetPlayerResponse, Error> {
        let call = async || self.players().get_player(request_of(request)).await;
        match self.retry(call).await {
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
        let call = async || self.players().erase_player(request_of(request)).await;
        self.retry(call).await
    }

    pub async fn standings_page(
        &self,
        request: &ListStandingsRequest,
    ) -> Result<ListStandingsResponse, Error> {
        let call = async || self.players().list_standings(request_of(request)).await;
        self.of_game(&request.parent, self.retry(call).await).await
    }

    /// Opens the stream of a player's matches, after a cursor. Retrying is the caller's task.
    pub async fn watch_player(
        &self,
        name: &str,
        cursor: &str,
    ) -> Result<Streaming<WatchPlayerResponse>, Status> {
        let request = WatchPlayerRequest {
            name: name.to_owned(),
            cursor: cursor.to_owned(),
            language: self.language.clone(),
            ..WatchPlayerRequest::default()
        };
        self.players().watch_player(request).await.map(Response::into_inner)
    }

    pub async fn create_token(
        &self,
        request: &CreateTokenRequest,
    ) -> Result<CreateTokenResponse, Error> {
        let call = async || self.tokens().create_token(request_of(request)).await;
        of_match(&request.parent, self.retry(call).await)
    }

    pub async fn create_player_token(
        &self,
        request: &CreatePlayerTokenRequest,
    ) -> Result<CreatePlayerTokenResponse, Error> {
        let call = async || self.tokens().create_player_token(request_of(request)).await;
        self.retry(call).await
    }

    pub async fn create_sign_in(&self) -> Result<CreateSignInResponse, Error> {
        let call = async || self.tokens().create_sign_in(CreateSignInRequest {}).await;
        self.retry(call).await
    }

    pub async fn create_seek(&self, request: &CreateSeekRequest) -> Result<Seek, Error> {
        let call = async || self.seeks().create_seek(request_of(request)).await;
        let response = self.of_game(&request.game, self.retry(call).await).await?;
        response.seek.ok_or(Error::Empty)
    }

    pub async fn seek(&self, request: &GetSeekRequest) -> Result<Seek, Error> {
        let call = async || self.seeks().get_seek(request_of(request)).await;
        self.retry(call).await?.seek.ok_or(Error::Empty)
    }

    pub async fn seeks_page(&self, request: &ListSeeksRequest) -> Result<ListSeeksResponse, Error> {
        let call = async || self.seeks().list_seeks(request_of(request)).await;
        self.of_game(&request.game, self.retry(call).await).await
    }

    pub async fn delete_seek(&self, request: &DeleteSeekRequest) -> Result<(), Error> {
        let call = async || self.seeks().delete_seek(request_of(request)).await;
        self.retry(call).await.map(drop)
    }

    fn players(&self) -> PlayerServiceClient<Authorized> {
        PlayerServiceClient::new(self.channel.clone())
    }

    fn tokens(&self) -> TokenServiceClient<Authorized> {
        TokenServiceClient::new(self.channel.clone())
    }

    fn seeks(&self) -> SeekServiceClient<Authorized> {
        SeekServiceClient::new(self.channel.clone())
    }
}
