//! `MatchService`: create, join, play, look.

use matches::{Matches, NewMatch, Position};
use tonic::{Code, Request, Response, Status};

use crate::auth::Auth;
use crate::error::{of, status};
use crate::names::{
    matches_token, page_size, parse_game, parse_match, parse_matches_token, parse_moment,
    parse_seat, parse_viewer,
};
use crate::render::{action_from, entry_of, legal_of, match_of, number, reveal_from, view_of};
use crate::v1::match_service_server::MatchService;
use crate::v1::*;

/// Matches on a page unless another size is asked for.
const PAGE_USUAL: usize = 50;

pub(crate) struct MatchesService {
    pub auth: Auth,
    pub matches: Matches,
}

#[tonic::async_trait]
impl MatchService for MatchesService {
    async fn create_match(
        &self,
        request: Request<CreateMatchRequest>,
    ) -> Result<Response<CreateMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let new = NewMatch {
            game: parse_game(&request.game)?.to_owned(),
            seats: request.seats,
            players: request.players,
            options: request.options.into_iter().collect(),
            request_id: present(request.request_id),
            reveal: reveal_from(request.reveal, request.reveal_delay_s)?,
        };
        let summary = self.matches.create(&caller, new).await.map_err(of)?;
        Ok(Response::new(CreateMatchResponse { r#match: Some(match_of(summary)) }))
    }

    async fn get_match(
        &self,
        request: Request<GetMatchRequest>,
    ) -> Result<Response<GetMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let match_id = parse_match(&request.into_inner().name)?;
        let summary = self.matches.get(&caller, match_id).await.map_err(of)?;
        Ok(Response::new(GetMatchResponse { r#match: Some(match_of(summary)) }))
    }

    async fn list_matches(
        &self,
        request: Request<ListMatchesRequest>,
    ) -> Result<Response<ListMatchesResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let after = parse_matches_token(&request.page_token, &caller.platform)?;
        let page = self.matches.list(&caller, after, size).await.map_err(of)?;
        let next = page.next.map(|cursor| matches_token(&caller.platform, cursor));
        let matches = page.summaries.into_iter().map(match_of).collect();
        let next_page_token = next.unwrap_or_default();
        Ok(Response::new(ListMatchesResponse { matches, next_page_token }))
    }

    async fn join_match(
        &self,
        request: Request<JoinMatchRequest>,
    ) -> Result<Response<JoinMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match(&request.name)?, parse_seat(request.seat)?);
        let request_id = present(request.request_id);
        let joining =
            self.matches.join(&caller, match_id, &request.player, seat, request_id.as_deref());
        let joined = joining.await.map_err(of)?;
        let (seat, summary) = (number(joined.seat), match_of(joined.summary));
        Ok(Response::new(JoinMatchResponse { seat, r#match: Some(summary) }))
    }

    async fn submit_action(
        &self,
        request: Request<SubmitActionRequest>,
    ) -> Result<Response<SubmitActionResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match(&request.name)?, parse_seat(request.seat)?);
        let action = request.action.and_then(action_from).ok_or_else(no_action)?;
        let expected = request.expected_position.map(Position);
        let request_id = present(request.request_id);
        let submitting = self.matches.submit(&caller, match_id, seat, action, expected, request_id);
        let told = submitting.await.map_err(of)?;
        Ok(Response::new(SubmitActionResponse { entry: Some(entry_of(&told)) }))
    }

    async fn list_legal_actions(
        &self,
        request: Request<ListLegalActionsRequest>,
    ) -> Result<Response<ListLegalActionsResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match(&request.name)?, parse_seat(request.seat)?);
        let legal = self.matches.legal(&caller, match_id, seat).await.map_err(of)?;
        Ok(Response::new(legal_of(legal)))
    }

    async fn get_view(
        &self,
        request: Request<GetViewRequest>,
    ) -> Result<Response<GetViewResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let (match_id, wanted) = (parse_match(&request.name)?, parse_viewer(&request.viewer)?);
        let moment = parse_moment(request.position, request.time)?;
        let view = self.matches.view(&caller, match_id, wanted, moment).await.map_err(of)?;
        Ok(Response::new(GetViewResponse { table: Some(view_of(&view)) }))
    }

    async fn resign_match(
        &self,
        request: Request<ResignMatchRequest>,
    ) -> Result<Response<ResignMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match(&request.name)?, parse_seat(request.seat)?);
        let resigning = self.matches.resign(&caller, match_id, seat, present(request.request_id));
        let told = resigning.await.map_err(of)?;
        Ok(Response::new(ResignMatchResponse { entry: Some(entry_of(&told)) }))
    }
}

fn present(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

fn no_action() -> Status {
    let message = "the action names no game: set the field of the match's game";
    status(Code::InvalidArgument, Reason::MalformedAction, message)
}
