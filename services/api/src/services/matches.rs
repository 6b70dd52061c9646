//! `MatchService`: creating, joining, playing and reading matches.

use contract::HttpBody;
use contract::v1::match_service_server::MatchService;
use contract::v1::*;
use games::Wanted;
use matches::{
    ActionStream, BatchError, Caller, Error, Expected, Given, LegalFilter, LobbyFilter,
    MatchChanges, MatchId, NewMatch, NewPlayer, NewSubstitute, RequestedViewer,
};
use table::Motion;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use super::calls::Calls;
use super::play::Player;
use super::streaming::{Answers, while_valid};
use crate::answers::images::Format;
use crate::answers::texts::Texts;
use crate::answers::values::{match_name, number};
use crate::error::{invalid, of, of_field, within};
use crate::requests::filters::{filter_of, split_page};
use crate::requests::names::{parse_game, parse_match};
use crate::requests::pages::page_size;
use crate::requests::values::{
    known_game, motion_from, parse_as_of, parse_commitment, parse_mask, parse_player_id,
    parse_player_ids, parse_seat, parse_viewer, position_of, present, reveal_from, submission_from,
    time_control_from,
};

/// The default page size.
const PAGE_USUAL: usize = 50;

pub(crate) struct MatchesService {
    pub calls: Calls,
    /// Cancelled when the service stops.
    pub drain: CancellationToken,
}

#[tonic::async_trait]
impl MatchService for MatchesService {
    async fn create_match(
        &self,
        request: Request<CreateMatchRequest>,
    ) -> Result<Response<CreateMatchResponse>, Status> {
        let (caller, texts, request) = self.calls.open_to_write_in_words(request).await?;
        let new = new_match(request)?;
        let previous = new.previous;
        let summary = self.calls.matches.create(&caller, new).await;
        let summary = summary.map_err(|error| texts.refusal(error, previous, None))?;
        Ok(Response::new(CreateMatchResponse { r#match: Some(texts.summary(summary)) }))
    }

    async fn batch_create_matches(
        &self,
        request: Request<BatchCreateMatchesRequest>,
    ) -> Result<Response<BatchCreateMatchesResponse>, Status> {
        let (caller, texts, request) = self.calls.open_to_write_in_words(request).await?;
        let item = |nth: usize| format!("requests[{nth}]");
        let new = request.requests.into_iter().enumerate();
        let new = new.map(|(nth, it)| new_match(it).map_err(|status| within(status, &item(nth))));
        let created =
            self.calls.matches.create_batch(&caller, new.collect::<Result<_, _>>()?).await;
        let summaries = created.map_err(|BatchError { index, error }| {
            let status = texts.refusal(error, None, None);
            index.map_or(status.clone(), |index| within(status, &item(index)))
        })?;
        let matches = summaries.into_iter().map(|it| texts.summary(it)).collect();
        Ok(Response::new(BatchCreateMatchesResponse { matches }))
    }

    async fn import_match(
        &self,
        request: Request<ImportMatchRequest>,
    ) -> Result<Response<ImportMatchResponse>, Status> {
        let (caller, texts, mut request) = self.calls.open_to_write_in_words(request).await?;
        let player = std::mem::take(&mut request.player);
        let player = present(parse_player_id("player", player)?);
        let giver = self.calls.matches.giver(&caller, player.as_deref()).await.map_err(of)?;
        let given = Given::read(request);
        let given = given.map_err(|it| of_field(Reason::RecordNotProven, &it.field, it.reason))?;
        let summary = self.calls.matches.import(&caller, giver, given).await;
        let summary = summary.map_err(|error| texts.refusal(error, None, None))?;
        Ok(Response::new(ImportMatchResponse { r#match: Some(texts.summary(summary)) }))
    }

    async fn commit_seed(
        &self,
        request: Request<CommitSeedRequest>,
    ) -> Result<Response<CommitSeedResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let request_id = request.request_id;
        let told = self.calls.matches.commit_seed(&caller, &request_id).await.map_err(of)?;
        let name = match_name(told.match_id);
        Ok(Response::new(CommitSeedResponse {
            name,
            seed_commitment: hex::encode(told.seed_commitment),
        }))
    }

    async fn contribute_entropy(
        &self,
        request: Request<ContributeEntropyRequest>,
    ) -> Result<Response<ContributeEntropyResponse>, Status> {
        let (caller, texts, request) = self.calls.open_to_write_in_words(request).await?;
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let summary =
            self.calls.matches.contribute(&caller, match_id, seat, request.contribution).await;
        let summary = summary.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(ContributeEntropyResponse { r#match: Some(texts.summary(summary)) }))
    }

    async fn get_match(
        &self,
        request: Request<GetMatchRequest>,
    ) -> Result<Response<GetMatchResponse>, Status> {
        let (caller, texts, request) = self.calls.open_in_words(request).await?;
        let (match_id, wanted) =
            (parse_match("name", &request.name)?, parse_viewer(&request.viewer)?);
        let told = match wanted {
            RequestedViewer::Own => {
                texts.summary(self.calls.matches.get(&caller, match_id).await.map_err(of)?)
            }
            RequestedViewer::Named(viewer) => {
                let summary = self.calls.matches.get_as(&caller, match_id, viewer).await;
                texts.summary_for(viewer, summary.map_err(of)?)
            }
        };
        Ok(Response::new(GetMatchResponse { r#match: Some(told) }))
    }

    async fn list_matches(
        &self,
        request: Request<ListMatchesRequest>,
    ) -> Result<Response<ListMatchesResponse>, Status> {
        let (caller, texts, request) = self.calls.open_in_words(request).await?;
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let consistency_token =
            self.calls.consistency_token(&caller, &request.consistency_token).await?;
        let (token, mut request) = split_page(request);
        if let Some(own) = caller.player()
            && request.player.is_empty()
        {
            own.clone_into(&mut request.player);
        }
        let query = self.calls.list_query(&caller, &request).await?;
        let after = query.parse_matches_token(&token)?;
        let filter = filter_of(request, &caller.platform)?;
        let page = self
            .calls
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
        let (caller, texts, request) = self.calls.open_in_words(request).await?;
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let (game, seats) = (request.game.clone(), request.seats);
        let asked = ListOpenMatchesRequest { game, seats, ..Default::default() };
        let query = self.calls.list_query(&caller, &asked).await?;
        let after = query.parse_matches_token(&request.page_token)?;
        let game =
            present(request.game).map(|game| known_game(&game, &caller.platform)).transpose()?;
        let seats = Some(request.seats).filter(|seats| *seats > 0);
        // No match has so many seats, so the list is empty.
        let seats = seats.map(|seats| i16::try_from(seats).unwrap_or(i16::MAX));
        let filter = LobbyFilter { game, seats };
        let page =
            self.calls.matches.open_matches(&caller, &filter, after, size).await.map_err(of)?;
        let next = page.next.map(|cursor| query.matches_token(cursor));
        let matches = page.summaries.into_iter().map(|it| texts.summary(it)).collect();
        let next_page_token = next.unwrap_or_default();
        let unreachable = page.unreachable as i32;
        Ok(Response::new(ListOpenMatchesResponse { matches, next_page_token, unreachable }))
    }

    async fn update_match(
        &self,
        request: Request<UpdateMatchRequest>,
    ) -> Result<Response<UpdateMatchResponse>, Status> {
        let (caller, texts, request) = self.calls.open_to_write_in_words(request).await?;
        let unnamed = || invalid("match", "set the match, with its name and the new values");
        let given = request.r#match.ok_or_else(unnamed)?;
        let match_id = parse_match("match.name", &given.name)?;
        let paths = parse_mask(request.update_mask, &["display_name", "lobby", "tags"])?;
        let has = |path: &str| paths.contains(&path);
        let changes = MatchChanges {
            display_name: has("display_name").then_some(given.display_name),
            lobby: has("lobby").then_some(given.lobby),
            tags: has("tags").then(|| given.tags.into_iter().collect()),
        };
        let summary = self.calls.matches.update(&caller, match_id, changes).await;
        let summary = summary.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        Ok(Response::new(UpdateMatchResponse { r#match: Some(texts.summary(summary)) }))
    }

    async fn tag_match(
        &self,
        request: Request<TagMatchRequest>,
    ) -> Result<Response<TagMatchResponse>, Status> {
        let metadata = request.metadata().clone();
        let (caller, request) = self.calls.open_to_write(request).await?;
        let texts = self.calls.texts(&caller, &metadata, "")?;
        let (match_id, set) =
            (parse_match("name", &request.name)?, request.set.into_iter().collect());
        let summary = self.calls.matches.tag(&caller, match_id, &request.remove, &set).await;
        let summary = summary.map_err(of)?;
        Ok(Response::new(TagMatchResponse { r#match: Some(texts.summary(summary)) }))
    }

    async fn join_match(
        &self,
        request: Request<JoinMatchRequest>,
    ) -> Result<Response<JoinMatchResponse>, Status> {
        let (caller, texts, request) = self.calls.open_to_write_in_words(request).await?;
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let new = NewPlayer {
            player: parse_player_id("player", request.player)?,
            display_name: request.display_name,
            bot: request.bot,
            contribution: request.contribution,
            seat,
            request_id: present(request.request_id),
        };
        let joined = self.calls.matches.join(&caller, match_id, new).await;
        let joined = joined.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        let (seat, summary) = (number(joined.seat), texts.summary(joined.summary));
        Ok(Response::new(JoinMatchResponse { seat, r#match: Some(summary) }))
    }

    async fn attend_match(
        &self,
        request: Request<AttendMatchRequest>,
    ) -> Result<Response<AttendMatchResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let rematch = match request.rematch() {
            Rematch::Unspecified => matches::Rematch::Unsaid,
            Rematch::Wanted => matches::Rematch::Wanted,
            Rematch::Declined => matches::Rematch::Declined,
        };
        let present = self.calls.matches.attend(&caller, match_id, seat, rematch).await;
        let present = present.map_err(of)?;
        let seats = present.seats.into_iter().map(|(seat, rematch)| {
            let rematch = match rematch {
                matches::Rematch::Unsaid => Rematch::Unspecified,
                matches::Rematch::Wanted => Rematch::Wanted,
                matches::Rematch::Declined => Rematch::Declined,
            };
            Attendance { seat: number(seat), rematch: rematch.into() }
        });
        let (seats, spectators) = (seats.collect(), present.spectators);
        Ok(Response::new(AttendMatchResponse { seats, spectators }))
    }

    async fn delete_match(
        &self,
        request: Request<DeleteMatchRequest>,
    ) -> Result<Response<DeleteMatchResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let match_id = parse_match("name", &request.name)?;
        match self.calls.matches.delete(&caller, match_id).await {
            Err(Error::NoSuchMatch) if request.allow_missing => {}
            deleted => deleted.map_err(of)?,
        }
        Ok(Response::new(DeleteMatchResponse {}))
    }

    async fn submit_action(
        &self,
        request: Request<SubmitActionRequest>,
    ) -> Result<Response<SubmitActionResponse>, Status> {
        let (caller, mut texts, request) = self.calls.open_to_act(request).await?;
        let submission = submission_from(request)?;
        let (match_id, seat) = (submission.match_id, submission.seat);
        let entry = self.calls.matches.submit(&caller, submission).await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(SubmitActionResponse { entry: Some(texts.entry(entry).await?) }))
    }

    type PlayStream = Answers<PlayResponse>;

    async fn play(
        &self,
        request: Request<Streaming<PlayRequest>>,
    ) -> Result<Response<Self::PlayStream>, Status> {
        let credentials = self.calls.auth.credentials(request.metadata()).await?;
        let texts = self.calls.texts(&credentials.caller, request.metadata(), "")?.of_stream();
        let stream =
            ActionStream::new(&self.calls.matches, credentials.caller.clone()).map_err(of)?;
        let player = Player::new(self.calls.auth.clone(), credentials.clone(), stream, texts);
        let answers = player.play(request.into_inner(), self.drain.clone());
        let answers = self.calls.unread.until_unread(answers);
        Ok(Response::new(while_valid(answers, self.calls.auth.clone(), credentials)))
    }

    async fn list_legal_actions(
        &self,
        request: Request<ListLegalActionsRequest>,
    ) -> Result<Response<ListLegalActionsResponse>, Status> {
        let (caller, mut texts, request) = self.calls.open_in_words(request).await?;
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let filter = LegalFilter {
            verb: present(request.verb),
            pieces: request.pieces,
            with_copies: request.copies,
            wanted: Wanted { reasons: request.reasons, effects: request.effects },
        };
        let legal = self.calls.matches.legal(&caller, match_id, seat, &filter).await;
        let legal = legal.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(texts.legal(match_id, legal).await?))
    }

    async fn suggest_actions(
        &self,
        request: Request<SuggestActionsRequest>,
    ) -> Result<Response<SuggestActionsResponse>, Status> {
        let (caller, mut texts, request) = self.calls.open_in_words(request).await?;
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let at = request.position.map(position_of);
        let found = self.calls.matches.suggestions(&caller, match_id, seat, at).await;
        let found = found.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(texts.suggestions(match_id, found).await?))
    }

    async fn get_view(
        &self,
        request: Request<GetViewRequest>,
    ) -> Result<Response<GetViewResponse>, Status> {
        let (caller, mut texts, request) = self.calls.open_in_words(request).await?;
        let (match_id, wanted) =
            (parse_match("name", &request.name)?, parse_viewer(&request.viewer)?);
        let as_of = parse_as_of(request.position, request.read_time)?;
        let view = self.calls.matches.view(&caller, match_id, wanted, as_of).await;
        let view = view.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        let (viewer, position) = (view.viewer, view.position);
        let asking = self.calls.matches.can_take_back(&caller, match_id, viewer, position);
        let can_take_back = request.take_back && asking.await;
        let table = Some(texts.view(view).await?);
        Ok(Response::new(GetViewResponse { table, can_take_back }))
    }

    async fn get_table_image(
        &self,
        request: Request<GetTableImageRequest>,
    ) -> Result<Response<GetTableImageResponse>, Status> {
        let (caller, mut texts, request) = self.calls.open_in_words(request).await?;
        let (match_id, wanted) =
            (parse_match("name", &request.name)?, parse_viewer(&request.viewer)?);
        let format = Format::of(request.format, request.width)?;
        let as_of = parse_as_of(request.position, None)?;
        let view = self.calls.matches.view(&caller, match_id, wanted, as_of).await;
        let view = view.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        let data = texts.image(&self.calls.images, view, format).await?;
        let content_type = format.content_type().to_owned();
        Ok(Response::new(GetTableImageResponse { image: Some(HttpBody { content_type, data }) }))
    }

    async fn resign_match(
        &self,
        request: Request<ResignMatchRequest>,
    ) -> Result<Response<ResignMatchResponse>, Status> {
        let (caller, mut texts, request) = self.calls.open_in_words(request).await?;
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let (expected, id) = (at(request.expected_position), present(request.request_id));
        let entry = self.calls.matches.resign(&caller, match_id, seat, expected, id).await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(ResignMatchResponse { entry: Some(texts.entry(entry).await?) }))
    }

    async fn take_back(
        &self,
        request: Request<TakeBackRequest>,
    ) -> Result<Response<TakeBackResponse>, Status> {
        let (caller, mut texts, request) = self.calls.open_in_words(request).await?;
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let (expected, id) = (at(request.expected_position), present(request.request_id));
        let entry = self.calls.matches.take_back(&caller, match_id, seat, expected, id).await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(TakeBackResponse { entry: Some(texts.entry(entry).await?) }))
    }

    async fn vote_match(
        &self,
        request: Request<VoteMatchRequest>,
    ) -> Result<Response<VoteMatchResponse>, Status> {
        let (caller, mut texts, request) = self.calls.open_in_words(request).await?;
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let motion = motion_from(request.motion)?;
        let (on, expected) = (!request.withdraw, at(request.expected_position));
        let id = present(request.request_id);
        let voting = self.calls.matches.vote(&caller, match_id, seat, motion, on, expected, id);
        let entry = voting.await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), seat))?;
        Ok(Response::new(VoteMatchResponse { entry: Some(texts.entry(entry).await?) }))
    }

    async fn pause_match(
        &self,
        request: Request<PauseMatchRequest>,
    ) -> Result<Response<PauseMatchResponse>, Status> {
        let (caller, texts, request) = self.calls.open_in_words(request).await?;
        let PauseMatchRequest { name, request_id, expected_position, language: _ } = request;
        let expected = at(expected_position);
        let entry = self.order(&caller, texts, Motion::Pause, &name, expected, request_id).await?;
        Ok(Response::new(PauseMatchResponse { entry: Some(entry) }))
    }

    async fn resume_match(
        &self,
        request: Request<ResumeMatchRequest>,
    ) -> Result<Response<ResumeMatchResponse>, Status> {
        let (caller, texts, request) = self.calls.open_in_words(request).await?;
        let ResumeMatchRequest { name, request_id, expected_position, language: _ } = request;
        let expected = at(expected_position);
        let entry = self.order(&caller, texts, Motion::Resume, &name, expected, request_id).await?;
        Ok(Response::new(ResumeMatchResponse { entry: Some(entry) }))
    }

    async fn end_match(
        &self,
        request: Request<EndMatchRequest>,
    ) -> Result<Response<EndMatchResponse>, Status> {
        let (caller, texts, request) = self.calls.open_in_words(request).await?;
        let EndMatchRequest { name, request_id, expected_position, language: _ } = request;
        let (motion, expected) = (Motion::EndWithoutResult, at(expected_position));
        let entry = self.order(&caller, texts, motion, &name, expected, request_id).await?;
        Ok(Response::new(EndMatchResponse { entry: Some(entry) }))
    }

    async fn leave_match(
        &self,
        request: Request<LeaveMatchRequest>,
    ) -> Result<Response<LeaveMatchResponse>, Status> {
        let (caller, texts, request) = self.calls.open_to_write_in_words(request).await?;
        let match_id = parse_match("name", &request.name)?;
        let player = present(parse_player_id("player", request.player)?);
        let summary = self.calls.matches.leave(&caller, match_id, player).await;
        match &summary {
            Ok(_) => self.refuse_former(match_id).await,
            // Perhaps the seat is free all the same.
            Err(_) => self.calls.auth.reread_soon(),
        }
        let summary = summary.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        Ok(Response::new(LeaveMatchResponse { r#match: Some(texts.summary(summary)) }))
    }

    async fn replace_seat(
        &self,
        request: Request<ReplaceSeatRequest>,
    ) -> Result<Response<ReplaceSeatResponse>, Status> {
        let (caller, mut texts, request) = self.calls.open_in_words(request).await?;
        let (match_id, seat) = (parse_match("name", &request.name)?, parse_seat(request.seat)?);
        let new = NewSubstitute {
            player: parse_player_id("player", request.player)?,
            display_name: request.display_name,
            bot: request.bot,
            seat: seat.ok_or_else(|| invalid("seat", "the seat is missing"))?,
            is_gone: request.absent,
            expected: at(request.expected_position),
            request_id: present(request.request_id),
        };
        let replaced = self.calls.matches.replace(&caller, match_id, new).await;
        let replaced = replaced.map_err(|error| texts.refusal(error, Some(match_id), seat));
        let (entry, summary) = replaced?;
        self.refuse_former(match_id).await;
        let entry = Some(texts.entry(entry).await?);
        let summary = Some(texts.summary(summary));
        Ok(Response::new(ReplaceSeatResponse { entry, r#match: summary }))
    }
}

/// The match that a request asks for.
fn new_match(request: CreateMatchRequest) -> Result<NewMatch, Status> {
    let previous =
        present(request.previous).map(|name| parse_match("previous", &name)).transpose()?;
    let game = match (request.game.as_str(), previous) {
        ("", Some(_)) => "",
        (name, _) => parse_game("game", name)?,
    };
    Ok(NewMatch {
        game: game.to_owned(),
        seats: request.seats,
        players: parse_player_ids("players", request.players)?,
        display_names: request.display_names,
        bots: request.bots,
        contributions: request.contributions,
        seed_commitment: parse_commitment("seed_commitment", &request.seed_commitment)?,
        options: request.options.into_iter().collect(),
        time_control: request.time_control.map(time_control_from).transpose().map_err(of)?,
        tags: request.tags.into_iter().collect(),
        request_id: present(request.request_id),
        reveal: reveal_from(request.reveal, request.reveal_delay)?,
        previous,
        lobby: request.lobby,
        casual: request.casual,
        display_name: request.display_name,
    })
}

/// The position that a request expects.
fn at(position: Option<i32>) -> Expected {
    Expected { position: position.map(position_of), prompt: None }
}

impl MatchesService {
    /// Refuses in this process, from now on, the tokens of seats that have passed to others.
    async fn refuse_former(&self, match_id: MatchId) {
        match self.calls.matches.accounts().revocations_of(match_id).await {
            Ok(revoked) => revoked.into_iter().for_each(|it| self.calls.auth.revoke_tokens(it)),
            Err(_) => self.calls.auth.reread_soon(),
        }
    }

    /// Carries out a motion on the platform's order, without a vote of the seats.
    async fn order(
        &self,
        caller: &Caller,
        mut texts: Texts,
        motion: Motion,
        name: &str,
        expected: Expected,
        request_id: String,
    ) -> Result<Entry, Status> {
        let match_id = parse_match("name", name)?;
        let id = present(request_id);
        let entry = self.calls.matches.order(caller, match_id, motion, expected, id).await;
        let entry = entry.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        texts.entry(entry).await
    }
}
