//! `MatchService`: creating, joining, playing and reading matches.

use matches::{
    ActionStream, Expected, Filter, LegalFilter, LobbyFilter, Matches, NewMatch, NewPlayer,
    NewSubstitute, State, Submission,
};
use table::Motion;
use tokio_util::sync::CancellationToken;
use tonic::metadata::MetadataMap;
use tonic::{Request, Response, Status, Streaming};

use super::answers::{Answers, while_valid};
use super::play::Player;
use super::{consistency_token, list_query};
use crate::auth::Auth;
use crate::error::{invalid, of, of_field};
use crate::names::{
    match_name, page_size, parse_as_of, parse_commitment, parse_game, parse_match, parse_seat,
    parse_tags, parse_time, parse_viewer, position_of, storable,
};
use crate::render::{action_from, number, reveal_from, time_control_from};
use crate::texts::Texts;
use crate::v1::match_service_server::MatchService;
use crate::v1::{self, *};

/// The default page size.
const PAGE_USUAL: usize = 50;

pub(crate) struct MatchesService {
    pub auth: Auth,
    pub matches: Matches,
    /// Cancelled when the service stops.
    pub drain: CancellationToken,
}

#[tonic::async_trait]
impl MatchService for MatchesService {
    async fn create_match(
        &self,
        request: Request<CreateMatchRequest>,
    ) -> Result<Response<CreateMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let previous =
            present(request.previous).map(|name| parse_match("previous", &name)).transpose()?;
        let game = match (request.game.as_str(), previous) {
            ("", Some(_)) => "",
            (name, _) => parse_game("game", name)?,
        };
        let new = NewMatch {
            game: game.to_owned(),
            seats: request.seats,
            players: request.players,
            display_names: request.display_names,
            bots: request.bots,
            contributions: request.contributions,
            seed_commitment: parse_commitment("seed_commitment", &request.seed_commitment)?,
            options: request.options.into_iter().collect(),
            time_control: request.time_control.map(time_control_from).transpose().map_err(of)?,
            tags: request.tags.into_iter().collect(),
            request_id: present(request.request_id),
            reveal: reveal_from(request.reveal, request.reveal_delay_s)?,
            previous,
            lobby: request.lobby,
        };
        let summary = self.matches.create(&caller, new).await;
        let summary = summary.map_err(|error| texts.refusal(error, previous, None))?;
        Ok(Response::new(CreateMatchResponse { r#match: Some(texts.summary(summary)) }))
    }

    async fn commit_seed(
        &self,
        request: Request<CommitSeedRequest>,
    ) -> Result<Response<CommitSeedResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request_id = request.into_inner().request_id;
        let told = self.matches.commit_seed(&caller, &request_id).await.map_err(of)?;
        let name = match_name(told.match_id);
        Ok(Response::new(CommitSeedResponse {
            name,
            seed_commitment: store::hex(&told.seed_commitment),
        }))
    }

    async fn contribute_entropy(
        &self,
        request: Request<ContributeEntropyRequest>,
    ) -> Result<Response<ContributeEntropyResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let summary = self.matches.contribute(&caller, match_id, seat, request.contribution).await;
        let summary = summary.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(ContributeEntropyResponse { r#match: Some(texts.summary(summary)) }))
    }

    async fn get_match(
        &self,
        request: Request<GetMatchRequest>,
    ) -> Result<Response<GetMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let match_id = parse_match("name", &request.into_inner().name)?;
        let summary = self.matches.get(&caller, match_id).await.map_err(of)?;
        Ok(Response::new(GetMatchResponse { r#match: Some(texts.summary(summary)) }))
    }

    async fn list_matches(
        &self,
        request: Request<ListMatchesRequest>,
    ) -> Result<Response<ListMatchesResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let consistency_token =
            consistency_token(&self.matches, &caller, &request.consistency_token).await?;
        let (token, mut request) = split_page(request);
        if let Some(own) = caller.player()
            && request.player.is_empty()
        {
            own.clone_into(&mut request.player);
        }
        let query = list_query(&self.matches, &caller, &request).await?;
        let after = query.parse_matches_token(&token)?;
        let filter = filter_of(request)?;
        let page = self
            .matches
            .list(&caller, &filter, consistency_token, after, size)
            .await
            .map_err(of)?;
        let next = page.next.map(|cursor| query.matches_token(cursor));
        let matches = page.summaries.into_iter().map(|it| texts.summary(it)).collect();
        let next_page_token = next.unwrap_or_default();
        let unreachable = page.unreachable as i32;
        Ok(Response::new(ListMatchesResponse { matches, next_page_token, unreachable }))
    }

    async fn list_open_matches(
        &self,
        request: Request<ListOpenMatchesRequest>,
    ) -> Result<Response<ListOpenMatchesResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let (game, seats) = (request.game.clone(), request.seats);
        let asked = ListOpenMatchesRequest { game, seats, ..Default::default() };
        let query = list_query(&self.matches, &caller, &asked).await?;
        let after = query.parse_matches_token(&request.page_token)?;
        let game = present(request.game).map(|game| known_game(&game)).transpose()?;
        let seats = Some(request.seats).filter(|seats| *seats > 0);
        // No match has so many, so none is found.
        let seats = seats.map(|seats| i16::try_from(seats).unwrap_or(i16::MAX));
        let filter = LobbyFilter { game, seats };
        let page = self.matches.open_matches(&caller, &filter, after, size).await.map_err(of)?;
        let next = page.next.map(|cursor| query.matches_token(cursor));
        let matches = page.summaries.into_iter().map(|it| texts.summary(it)).collect();
        let next_page_token = next.unwrap_or_default();
        let unreachable = page.unreachable as i32;
        Ok(Response::new(ListOpenMatchesResponse { matches, next_page_token, unreachable }))
    }

    async fn tag_match(
        &self,
        request: Request<TagMatchRequest>,
    ) -> Result<Response<TagMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let texts = Texts::new(&self.matches, &caller, request.metadata(), "")?;
        let request = request.into_inner();
        let (match_id, set) =
            (parse_match("name", &request.name)?, request.set.into_iter().collect());
        let summary = self.matches.tag(&caller, match_id, &request.remove, &set).await;
        let summary = summary.map_err(of)?;
        Ok(Response::new(TagMatchResponse { r#match: Some(texts.summary(summary)) }))
    }

    async fn join_match(
        &self,
        request: Request<JoinMatchRequest>,
    ) -> Result<Response<JoinMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let new = NewPlayer {
            player: request.player,
            display_name: request.display_name,
            contribution: request.contribution,
            seat,
            request_id: present(request.request_id),
        };
        let joined = self.matches.join(&caller, match_id, new).await;
        let joined = joined.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        let (seat, summary) = (number(joined.seat), texts.summary(joined.summary));
        Ok(Response::new(JoinMatchResponse { seat, r#match: Some(summary) }))
    }

    async fn delete_match(
        &self,
        request: Request<DeleteMatchRequest>,
    ) -> Result<Response<DeleteMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let match_id = parse_match("name", &request.into_inner().name)?;
        self.matches.delete(&caller, match_id).await.map_err(of)?;
        Ok(Response::new(DeleteMatchResponse {}))
    }

    async fn submit_action(
        &self,
        request: Request<SubmitActionRequest>,
    ) -> Result<Response<SubmitActionResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let mut texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let submission = submission_from(request.into_inner())?;
        let (match_id, seat) = (submission.match_id, submission.seat);
        let entry = self.matches.submit(&caller, submission).await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(SubmitActionResponse { entry: Some(texts.entry(&entry).await?) }))
    }

    type PlayStream = Answers<PlayResponse>;

    async fn play(
        &self,
        request: Request<Streaming<PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let credentials = self.auth.credentials(request.metadata()).await?;
        let texts =
            Texts::new(&self.matches, &credentials.caller, request.metadata(), "")?.of_stream();
        let stream = ActionStream::new(&self.matches, credentials.caller.clone()).map_err(of)?;
        let player = Player::new(self.auth.clone(), credentials.clone(), stream, texts);
        let answers = player.play(request.into_inner(), self.drain.clone());
        Ok(Response::new(while_valid(answers, self.auth.clone(), credentials)))
    }

    async fn list_legal_actions(
        &self,
        request: Request<ListLegalActionsRequest>,
    ) -> Result<Response<ListLegalActionsResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let mut texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let filter = LegalFilter { verb: present(request.verb), pieces: request.pieces };
        let legal = self.matches.legal(&caller, match_id, seat, &filter).await;
        let legal = legal.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(texts.legal(match_id, legal).await?))
    }

    async fn get_view(
        &self,
        request: Request<GetViewRequest>,
    ) -> Result<Response<GetViewResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let mut texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let (match_id, wanted) =
            (parse_match("name", &request.name)?, parse_viewer(&request.viewer)?);
        let as_of = parse_as_of(request.position, request.time)?;
        let view = self.matches.view(&caller, match_id, wanted, as_of).await;
        let view = view.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        Ok(Response::new(GetViewResponse { table: Some(texts.view(&view).await?) }))
    }

    async fn resign_match(
        &self,
        request: Request<ResignMatchRequest>,
    ) -> Result<Response<ResignMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let mut texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let resigning = self.matches.resign(&caller, match_id, seat, present(request.request_id));
        let entry = resigning.await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(ResignMatchResponse { entry: Some(texts.entry(&entry).await?) }))
    }

    async fn take_back(
        &self,
        request: Request<TakeBackRequest>,
    ) -> Result<Response<TakeBackResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let mut texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let position = request.expected_position.map(position_of);
        let (expected, id) = (Expected { position, prompt: None }, present(request.request_id));
        let entry = self.matches.take_back(&caller, match_id, seat, expected, id).await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(TakeBackResponse { entry: Some(texts.entry(&entry).await?) }))
    }

    async fn vote_match(
        &self,
        request: Request<VoteMatchRequest>,
    ) -> Result<Response<VoteMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let mut texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let motion = motion_from(request.motion)?;
        let (on, id) = (!request.withdraw, present(request.request_id));
        let entry = self.matches.vote(&caller, match_id, seat, motion, on, id).await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(VoteMatchResponse { entry: Some(texts.entry(&entry).await?) }))
    }

    async fn pause_match(
        &self,
        request: Request<PauseMatchRequest>,
    ) -> Result<Response<PauseMatchResponse>, Status> {
        let (request, metadata) = parts(request);
        let PauseMatchRequest { name, request_id, language } = request;
        let entry = self.order(&metadata, Motion::Pause, &name, request_id, &language).await?;
        Ok(Response::new(PauseMatchResponse { entry: Some(entry) }))
    }

    async fn resume_match(
        &self,
        request: Request<ResumeMatchRequest>,
    ) -> Result<Response<ResumeMatchResponse>, Status> {
        let (request, metadata) = parts(request);
        let ResumeMatchRequest { name, request_id, language } = request;
        let entry = self.order(&metadata, Motion::Resume, &name, request_id, &language).await?;
        Ok(Response::new(ResumeMatchResponse { entry: Some(entry) }))
    }

    async fn end_match(
        &self,
        request: Request<EndMatchRequest>,
    ) -> Result<Response<EndMatchResponse>, Status> {
        let (request, metadata) = parts(request);
        let EndMatchRequest { name, request_id, language } = request;
        let motion = Motion::EndWithoutResult;
        let entry = self.order(&metadata, motion, &name, request_id, &language).await?;
        Ok(Response::new(EndMatchResponse { entry: Some(entry) }))
    }

    async fn leave_match(
        &self,
        request: Request<LeaveMatchRequest>,
    ) -> Result<Response<LeaveMatchResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let match_id = parse_match("name", &request.name)?;
        let summary = self.matches.leave(&caller, match_id, present(request.player)).await;
        let summary = summary.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        Ok(Response::new(LeaveMatchResponse { r#match: Some(texts.summary(summary)) }))
    }

    async fn replace_seat(
        &self,
        request: Request<ReplaceSeatRequest>,
    ) -> Result<Response<ReplaceSeatResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let mut texts =
            Texts::new(&self.matches, &caller, request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let new = NewSubstitute {
            player: request.player,
            display_name: request.display_name,
            bot: request.bot,
            seat: seat.ok_or_else(|| invalid("seat", "the seat is missing"))?,
            is_gone: request.absent,
            request_id: present(request.request_id),
        };
        let replaced = self.matches.replace(&caller, match_id, new).await;
        let replaced = replaced.map_err(|error| texts.refusal(error, Some(match_id), seat));
        let (entry, summary) = replaced?;
        let entry = Some(texts.entry(&entry).await?);
        let summary = Some(texts.summary(summary));
        Ok(Response::new(ReplaceSeatResponse { entry, r#match: summary }))
    }
}

impl MatchesService {
    /// Does for a platform what seats could vote for.
    async fn order(
        &self,
        metadata: &MetadataMap,
        motion: Motion,
        name: &str,
        request_id: String,
        language: &str,
    ) -> Result<Entry, Status> {
        let caller = self.auth.caller(metadata).await?;
        let mut texts = Texts::new(&self.matches, &caller, metadata, language)?;
        let match_id = parse_match("name", name)?;
        let entry = self.matches.order(&caller, match_id, motion, present(request_id)).await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        texts.entry(&entry).await
    }
}

fn parts<T>(request: Request<T>) -> (T, MetadataMap) {
    let (metadata, _, request) = request.into_parts();
    (request, metadata)
}

fn motion_from(motion: i32) -> Result<Motion, Status> {
    match v1::Motion::try_from(motion) {
        Ok(v1::Motion::EndWithoutResult) => Ok(Motion::EndWithoutResult),
        Ok(v1::Motion::Pause) => Ok(Motion::Pause),
        Ok(v1::Motion::Resume) => Ok(Motion::Resume),
        Ok(v1::Motion::Unspecified) => Err(invalid("motion", "a vote is for a motion")),
        Err(_) => Err(invalid("motion", format!("there is no motion {motion}"))),
    }
}

/// A request's page token, and the request without the fields that differ from page to page.
fn split_page(mut request: ListMatchesRequest) -> (String, ListMatchesRequest) {
    let token = std::mem::take(&mut request.page_token);
    let (consistency_token, language) = Default::default();
    (token, ListMatchesRequest { page_size: 0, consistency_token, language, ..request })
}

fn filter_of(request: ListMatchesRequest) -> Result<Filter, Status> {
    let outcome = outcome_of(request.outcome)?;
    if outcome.is_some() && request.player.is_empty() {
        return Err(invalid("outcome", "an outcome is that of a player: set the player too"));
    }
    if !request.opponent.is_empty() && request.opponent == request.player {
        return Err(invalid("opponent", "a player is not their own opponent"));
    }
    if request.by_deadline && request.oldest_first {
        return Err(invalid(
            "oldest_first",
            "a list has one order: set by_deadline or oldest_first",
        ));
    }
    Ok(Filter {
        game: present(request.game).map(|game| known_game(&game)).transpose()?,
        state: state_of(request.state)?,
        player: storable("player", request.player)?,
        opponent: storable("opponent", request.opponent)?,
        winner: storable("winner", request.winner)?,
        outcome,
        from: request
            .create_time_from
            .map(|time| parse_time("create_time_from", time))
            .transpose()?,
        until: request
            .create_time_until
            .map(|time| parse_time("create_time_until", time))
            .transpose()?,
        length_min: request.length_min.map(i64::from),
        length_max: request.length_max.map(i64::from),
        tags: parse_tags("tags", &request.tags)?,
        waiting_for: storable("waiting_for_player", request.waiting_for_player)?,
        oldest_first: request.oldest_first,
        by_deadline: request.by_deadline,
    })
}

fn known_game(name: &str) -> Result<String, Status> {
    let game = parse_game("game", name)?;
    let unknown = || {
        let message = format!("there is no game {game:?}");
        of_field(Reason::UnknownGame, "game", message)
    };
    Ok(games::find(game).ok_or_else(unknown)?.name().to_owned())
}

fn state_of(state: i32) -> Result<Option<State>, Status> {
    match MatchState::try_from(state) {
        Ok(MatchState::Unspecified) => Ok(None),
        Ok(MatchState::Open) => Ok(Some(State::Open)),
        Ok(MatchState::Running) => Ok(Some(State::Running)),
        Ok(MatchState::Ended) => Ok(Some(State::Ended)),
        Err(_) => Err(invalid("state", format!("there is no state {state}"))),
    }
}

fn outcome_of(outcome: i32) -> Result<Option<matches::Outcome>, Status> {
    match Outcome::try_from(outcome) {
        Ok(Outcome::Unspecified) => Ok(None),
        Ok(Outcome::Won) => Ok(Some(matches::Outcome::Won)),
        Ok(Outcome::Shared) => Ok(Some(matches::Outcome::Shared)),
        Ok(Outcome::Lost) => Ok(Some(matches::Outcome::Lost)),
        Err(_) => Err(invalid("outcome", format!("there is no outcome {outcome}"))),
    }
}

fn present(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

pub(super) fn submission_from(request: SubmitActionRequest) -> Result<Submission, Status> {
    let action = request.action.and_then(action_from).ok_or_else(no_action);
    Ok(Submission {
        match_id: parse_match("name", &request.name)?,
        seat: parse_seat(request.seat)?,
        action: action?,
        expected: Expected {
            position: request.expected_position.map(position_of),
            prompt: request.expected_prompt.map(position_of),
        },
        request_id: present(request.request_id),
    })
}

fn no_action() -> Status {
    let message = "the action is empty: set the field of the match's game";
    of_field(Reason::MalformedAction, "action", message)
}
