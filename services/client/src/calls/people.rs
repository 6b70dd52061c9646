//! Calls about those who play: leaving and staying, tokens, the lobby, and seeks.

use api::v1::seek_service_client::SeekServiceClient;
use api::v1::token_service_client::TokenServiceClient;
use api::v1::{
    CreatePlayerTokenRequest, CreatePlayerTokenResponse, CreateSeekRequest, CreateSignInRequest,
    CreateSignInResponse, CreateTokenRequest, CreateTokenResponse, DeleteSeekRequest,
    EndMatchRequest, Entry, GetSeekRequest, LeaveMatchRequest, ListOpenMatchesRequest,
    ListOpenMatchesResponse, ListSeeksRequest, ListSeeksResponse, Match, PauseMatchRequest,
    ReplaceSeatRequest, ReplaceSeatResponse, ResumeMatchRequest, Seek, TakeBackRequest,
    VoteMatchRequest, WatchPlayerRequest, WatchPlayerResponse,
};
use tonic::{Response, Status, Streaming};

use super::{Authorized, Client, of_match, request_of};
use crate::error::Error;

/// The requests need a `request_id` where they have one, since they may be sent more than once.
impl Client {
    pub async fn take_back(&self, request: &TakeBackRequest) -> Result<Entry, Error> {
        let call = async || self.matches().take_back(self.in_words(request)).await;
        of_match(&request.name, self.retry(call).await)?.entry.ok_or(Error::Empty)
    }

    pub async fn vote(&self, request: &VoteMatchRequest) -> Result<Entry, Error> {
        let call = async || self.matches().vote_match(self.in_words(request)).await;
        of_match(&request.name, self.retry(call).await)?.entry.ok_or(Error::Empty)
    }

    pub async fn pause(&self, request: &PauseMatchRequest) -> Result<Entry, Error> {
        let call = async || self.matches().pause_match(self.in_words(request)).await;
        of_match(&request.name, self.retry(call).await)?.entry.ok_or(Error::Empty)
    }

    pub async fn resume(&self, request: &ResumeMatchRequest) -> Result<Entry, Error> {
        let call = async || self.matches().resume_match(self.in_words(request)).await;
        of_match(&request.name, self.retry(call).await)?.entry.ok_or(Error::Empty)
    }

    pub async fn end(&self, request: &EndMatchRequest) -> Result<Entry, Error> {
        let call = async || self.matches().end_match(self.in_words(request)).await;
        of_match(&request.name, self.retry(call).await)?.entry.ok_or(Error::Empty)
    }

    pub async fn leave(&self, request: &LeaveMatchRequest) -> Result<Match, Error> {
        let call = async || self.matches().leave_match(self.in_words(request)).await;
        of_match(&request.name, self.retry(call).await)?.r#match.ok_or(Error::Empty)
    }

    pub async fn replace(
        &self,
        request: &ReplaceSeatRequest,
    ) -> Result<ReplaceSeatResponse, Error> {
        let call = async || self.matches().replace_seat(self.in_words(request)).await;
        of_match(&request.name, self.retry(call).await)
    }

    pub async fn open_matches_page(
        &self,
        request: &ListOpenMatchesRequest,
    ) -> Result<ListOpenMatchesResponse, Error> {
        let call = async || self.matches().list_open_matches(self.in_words(request)).await;
        self.of_game(&request.game, self.retry(call).await).await
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

    /// Opens the stream of what concerns a player, after a cursor. Retrying is the caller's task.
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

    fn tokens(&self) -> TokenServiceClient<Authorized> {
        TokenServiceClient::new(self.channel.clone())
    }

    fn seeks(&self) -> SeekServiceClient<Authorized> {
        SeekServiceClient::new(self.channel.clone())
    }
}
