//! The calls of the command line, retried until their outcome is known.

mod people;

use std::time::Duration;

use api::match_name;
use api::v1::entry_service_client::EntryServiceClient;
use api::v1::game_service_client::GameServiceClient;
use api::v1::match_service_client::MatchServiceClient;
use api::v1::player_service_client::PlayerServiceClient;
use api::v1::projection_service_client::ProjectionServiceClient;
use api::v1::search_service_client::SearchServiceClient;
use api::v1::{
    CreateMatchRequest, DeleteMatchRequest, EndMatchRequest, Entry, ErasePlayerRequest,
    ErasePlayerResponse, Game, GetEntryRequest, GetGameRequest, GetMatchRequest, GetPlayerRequest,
    GetPlayerResponse, GetProjectionRequest, GetRulesRequest, GetViewRequest, GetViewResponse,
    JoinMatchRequest, JoinMatchResponse, LeaveMatchRequest, ListEntriesRequest, ListGamesRequest,
    ListGamesResponse, ListLegalActionsRequest, ListLegalActionsResponse, ListMatchesRequest,
    ListMatchesResponse, ListOpenMatchesRequest, ListStandingsRequest, ListStandingsResponse,
    Match, PauseMatchRequest, Projection, ReadRecordRequest, ReplaceSeatRequest,
    ResignMatchRequest, ResumeMatchRequest, Rules, SearchEntriesRequest, SearchEntriesResponse,
    SubmitActionRequest, TakeBackRequest, VoteMatchRequest, WatchEntriesRequest,
    WatchEntriesResponse,
};
use store::MatchId;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

use crate::error::Error;
use crate::retry::Retry;
use crate::service::Service;
use crate::{game_name, short_game_name};

/// The timeout of one attempt. The service's own limits are well below it.
const ATTEMPT_WAIT_MAX: Duration = Duration::from_secs(20);

/// Entries per page.
const PAGE: i32 = 500;

/// A connection that reconnects by itself. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    address: String,
    channel: Authorized,
    /// The language of texts; empty for none.
    language: String,
}

type Authorized = InterceptedService<Channel, Bearer>;

#[derive(Clone)]
struct Bearer(MetadataValue<Ascii>);

impl tonic::service::Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        Ok(request)
    }
}

impl Client {
    /// Fails at once if no service answers; only later calls are retried.
    pub async fn connect(service: &Service) -> Result<Client, Error> {
        let address = service.address.clone();
        let channel = service.endpoint()?.keep_alive_while_idle(true).connect().await;
        let channel = channel.map_err(|source| Error::of_connecting(service, source))?;
        let bearer = Bearer(service.bearer()?);
        let channel = InterceptedService::new(channel, bearer);
        Ok(Client { address, channel, language: service.language() })
    }

    /// The same client for output that programs read: it asks for texts only if a language is
    /// named.
    pub fn for_programs(self, service: &Service) -> Client {
        match service.language {
            Some(_) => self,
            None => self.without_texts(),
        }
    }

    /// The same client, which asks for no texts: the service need not make them.
    pub fn without_texts(self) -> Client {
        Client { language: String::new(), ..self }
    }

    /// All games by name, without their layouts.
    pub async fn games(&self) -> Result<ListGamesResponse, Error> {
        let request = ListGamesRequest { page_size: 1000, ..ListGamesRequest::default() };
        self.retry(async || self.game_service().list_games(self.in_words(&request)).await).await
    }

    /// `game` is a name such as `mountebank` or `games/mountebank`. The error for an unknown game
    /// lists the games, here and in every other call.
    pub async fn game(&self, game: &str) -> Result<Game, Error> {
        let request = GetGameRequest { name: game_name(game), ..GetGameRequest::default() };
        let call = async || self.game_service().get_game(self.in_words(&request)).await;
        let response = self.of_game(&request.name, self.retry(call).await).await?;
        response.game.ok_or(Error::Empty)
    }

    /// The rules of a game, named as in [`Client::game`].
    pub async fn rules(&self, game: &str) -> Result<Rules, Error> {
        let request = GetRulesRequest {
            name: format!("{}/rules", game_name(game)),
            ..GetRulesRequest::default()
        };
        let call = async || self.game_service().get_rules(self.in_words(&request)).await;
        let response = self.of_game(&game_name(game), self.retry(call).await).await?;
        response.rules.ok_or(Error::Empty)
    }

    /// The outcome of a call about a game: the error for an unknown one lists the games.
    async fn of_game<T>(&self, game: &str, outcome: Result<T, Error>) -> Result<T, Error> {
        let Err(error) = outcome else { return outcome };
        // Any name of a game may be the invalid part, such as an empty one.
        if game.is_empty() || !(error.is("UNKNOWN_GAME") || error.is("INVALID_REQUEST")) {
            return Err(error);
        }
        let known = self.games().await?.games;
        let known: Vec<&str> = known.iter().map(|game| short_game_name(&game.name)).collect();
        match known.contains(&short_game_name(game)) {
            true => Err(error),
            false => Err(Error::unknown_game(short_game_name(game), known)),
        }
    }

    /// The request needs a `request_id`, since it may be sent more than once.
    pub async fn create(&self, request: &CreateMatchRequest) -> Result<Match, Error> {
        let call = async || self.matches().create_match(self.in_words(request)).await;
        let response = self.of_game(&request.game, self.retry(call).await).await?;
        response.r#match.ok_or(Error::Empty)
    }

    pub async fn join(&self, request: &JoinMatchRequest) -> Result<JoinMatchResponse, Error> {
        let call = async || self.matches().join_match(self.in_words(request)).await;
        of_match(&request.name, self.retry(call).await)
    }

    pub async fn delete(&self, request: &DeleteMatchRequest) -> Result<(), Error> {
        let call = async || self.matches().delete_match(request_of(request)).await;
        of_match(&request.name, self.retry(call).await).map(drop)
    }

    pub async fn fetch(&self, name: &str) -> Result<Match, Error> {
        let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
        let call = async || self.matches().get_match(self.in_words(&request)).await;
        of_match(name, self.retry(call).await)?.r#match.ok_or(Error::Empty)
    }

    pub async fn matches_page(
        &self,
        request: &ListMatchesRequest,
    ) -> Result<ListMatchesResponse, Error> {
        let call = async || self.matches().list_matches(self.in_words(request)).await;
        self.of_game(&request.game, self.retry(call).await).await
    }

    pub async fn erase_player(
        &self,
        request: &ErasePlayerRequest,
    ) -> Result<ErasePlayerResponse, Error> {
        let call = async || self.players().erase_player(request_of(request)).await;
        self.retry(call).await
    }

    pub async fn player(&self, request: &GetPlayerRequest) -> Result<GetPlayerResponse, Error> {
        let call = async || self.players().get_player(request_of(request)).await;
        match self.retry(call).await {
            Err(error) if error.is("PLAYER_NOT_FOUND") => {
                Err(Error::UnknownPlayer(request.name.clone()))
            }
            outcome => outcome,
        }
    }

    /// The state of a projection, by a name such as `projections/matches`.
    pub async fn projection(&self, name: &str) -> Result<Projection, Error> {
        let request = GetProjectionRequest { name: name.to_owned() };
        let call = async || self.projections().get_projection(request_of(&request)).await;
        self.retry(call).await?.projection.ok_or(Error::Empty)
    }

    pub async fn standings_page(
        &self,
        request: &ListStandingsRequest,
    ) -> Result<ListStandingsResponse, Error> {
        let call = async || self.players().list_standings(request_of(request)).await;
        self.of_game(&request.parent, self.retry(call).await).await
    }

    pub async fn search(
        &self,
        request: &SearchEntriesRequest,
    ) -> Result<SearchEntriesResponse, Error> {
        let call = async || self.searches().search_entries(self.in_words(request)).await;
        self.retry(call).await
    }

    /// A seat's legal actions, of one kind or of all.
    pub async fn legal(
        &self,
        name: &str,
        seat: u32,
        verb: Option<&str>,
    ) -> Result<ListLegalActionsResponse, Error> {
        let request = ListLegalActionsRequest {
            name: name.to_owned(),
            seat: Some(seat),
            verb: verb.unwrap_or_default().to_owned(),
            ..ListLegalActionsRequest::default()
        };
        let call = async || self.matches().list_legal_actions(self.in_words(&request)).await;
        self.retry(call).await
    }

    /// The request needs a `request_id`, since it may be sent more than once.
    pub async fn submit(&self, request: &SubmitActionRequest) -> Result<Entry, Error> {
        let call = async || self.matches().submit_action(self.in_words(request)).await;
        self.retry(call).await?.entry.ok_or(Error::Empty)
    }

    /// The request needs a `request_id`, as in [`Client::submit`].
    pub async fn resign(&self, request: &ResignMatchRequest) -> Result<Entry, Error> {
        let call = async || self.matches().resign_match(self.in_words(request)).await;
        self.retry(call).await?.entry.ok_or(Error::Empty)
    }

    pub async fn view(&self, request: &GetViewRequest) -> Result<GetViewResponse, Error> {
        self.retry(async || self.matches().get_view(self.in_words(request)).await).await
    }

    pub async fn entry(&self, name: &str, position: i32, viewer: &str) -> Result<Entry, Error> {
        let request = GetEntryRequest {
            name: format!("{name}/entries/{position}"),
            viewer: viewer.to_owned(),
            ..GetEntryRequest::default()
        };
        let call = async || self.entries().get_entry(self.in_words(&request)).await;
        self.retry(call).await?.entry.ok_or(Error::Empty)
    }

    /// Calls `take` with every entry recorded so far, in order.
    pub async fn each_entry<E: From<Error>>(
        &self,
        name: &str,
        viewer: &str,
        mut take: impl FnMut(&Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        let (parent, viewer) = (name.to_owned(), viewer.to_owned());
        let mut request =
            ListEntriesRequest { parent, viewer, page_size: PAGE, ..ListEntriesRequest::default() };
        loop {
            let page = self
                .retry(async || self.entries().list_entries(self.in_words(&request)).await)
                .await?;
            page.entries.iter().try_for_each(&mut take)?;
            if page.next_page_token.is_empty() {
                return Ok(());
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Calls `take` with every line of the record of a match that is revealed, in order and without
    /// line feeds. A record that is interrupted is read again, and what was taken is skipped: the
    /// record of a match that has ended never changes.
    pub async fn each_record_line<E: From<Error>>(
        &self,
        name: &str,
        mut take: impl FnMut(String) -> Result<(), E>,
    ) -> Result<(), E> {
        let request = ReadRecordRequest { name: format!("{name}/record") };
        let (mut taken, mut retry) = (0, Retry::default());
        loop {
            let mut skip = taken;
            let call = async || self.entries().read_record(request.clone()).await;
            let mut stream = of_match(name, self.retry(call).await)?;
            let interrupted = loop {
                match stream.message().await {
                    Ok(Some(page)) => {
                        for line in page.lines {
                            match skip {
                                0 => {
                                    take(line)?;
                                    taken += 1;
                                    retry.reset();
                                }
                                _ => skip -= 1,
                            }
                        }
                    }
                    Ok(None) => return Ok(()),
                    Err(status) => break status,
                }
            };
            retry.after(interrupted).await.map_err(|status| self.error(&status))?;
        }
    }

    /// Opens the stream of entries after a position. Retrying is the caller's task.
    pub async fn watch(
        &self,
        name: &str,
        after: i32,
        viewer: &str,
    ) -> Result<Streaming<WatchEntriesResponse>, Status> {
        let request = WatchEntriesRequest {
            parent: name.to_owned(),
            after_position: after,
            viewer: viewer.to_owned(),
            language: self.language.clone(),
        };
        self.entries().watch_entries(request).await.map(Response::into_inner)
    }

    /// The name of the match that `text` refers to: `matches/{match}`, an id, or the start of a
    /// recent match's id.
    pub async fn find(&self, text: &str) -> Result<String, Error> {
        let id = text.strip_prefix("matches/").unwrap_or(text);
        if let Ok(id) = Uuid::try_parse(id) {
            return Ok(match_name(MatchId(id)));
        }
        if id.len() < PREFIX_MIN {
            let text = text.to_owned();
            return Err(Error::ShortMatchId { text, characters_min: PREFIX_MIN });
        }
        let request = ListMatchesRequest { page_size: RECENT, ..ListMatchesRequest::default() };
        let recent = self.matches_page(&request).await?.matches;
        let starts = |name: &String| name.trim_start_matches("matches/").starts_with(id);
        let mut found = recent.into_iter().map(|found| found.name).filter(starts);
        match (found.next(), found.next()) {
            (Some(name), None) => Ok(name),
            (Some(one), Some(other)) => {
                Err(Error::AmbiguousMatchId { text: text.to_owned(), one, other })
            }
            (None, _) => Err(Error::UnknownMatchId(id.to_owned())),
        }
    }

    /// A request that asks for texts.
    fn in_words<T: InWords>(&self, message: &T) -> Request<T> {
        let mut message = message.clone();
        message.set_language(&self.language);
        request_of(&message)
    }

    fn game_service(&self) -> GameServiceClient<Authorized> {
        GameServiceClient::new(self.channel.clone())
    }

    fn matches(&self) -> MatchServiceClient<Authorized> {
        MatchServiceClient::new(self.channel.clone())
    }

    fn players(&self) -> PlayerServiceClient<Authorized> {
        PlayerServiceClient::new(self.channel.clone())
    }

    fn projections(&self) -> ProjectionServiceClient<Authorized> {
        ProjectionServiceClient::new(self.channel.clone())
    }

    fn searches(&self) -> SearchServiceClient<Authorized> {
        SearchServiceClient::new(self.channel.clone())
    }

    fn entries(&self) -> EntryServiceClient<Authorized> {
        EntryServiceClient::new(self.channel.clone())
    }

    /// Retries a call, which must be idempotent, while its failures are temporary.
    async fn retry<T>(
        &self,
        call: impl AsyncFn() -> Result<Response<T>, Status>,
    ) -> Result<T, Error> {
        let mut retry = Retry::default();
        loop {
            match call().await {
                Ok(response) => {
                    retry.reset();
                    return Ok(response.into_inner());
                }
                Err(status) => retry.after(status).await.map_err(|status| self.error(&status))?,
            }
        }
    }

    /// The error that a status stands for.
    pub fn error(&self, status: &Status) -> Error {
        Error::of_status(status, &self.address)
    }
}

/// The fewest characters of an id that are accepted for the whole.
const PREFIX_MIN: usize = 4;

/// How many matches are searched for the start of an id; the most a page may hold.
const RECENT: i32 = 1000;

/// The `viewer` of a request: a seat, or a spectator where there is none.
pub fn viewer(seat: Option<u32>) -> String {
    seat.map_or_else(|| "spectator".into(), |seat| format!("seats/{seat}"))
}

/// The error for an unknown match names it.
fn of_match<T>(name: &str, outcome: Result<T, Error>) -> Result<T, Error> {
    match outcome {
        Err(error) if error.is("MATCH_NOT_FOUND") => Err(Error::UnknownMatch(name.to_owned())),
        outcome => outcome,
    }
}

/// A request whose answer has texts, in the language that it names.
trait InWords: Clone {
    fn set_language(&mut self, language: &str);
}

macro_rules! in_words {
    ($($request:ident)*) => {
        $(impl InWords for $request {
            fn set_language(&mut self, language: &str) {
                language.clone_into(&mut self.language);
            }
        })*
    };
}

in_words! {
    CreateMatchRequest EndMatchRequest GetEntryRequest GetGameRequest GetMatchRequest
    GetRulesRequest GetViewRequest JoinMatchRequest LeaveMatchRequest ListEntriesRequest
    ListGamesRequest ListLegalActionsRequest ListMatchesRequest ListOpenMatchesRequest
    PauseMatchRequest ReplaceSeatRequest ResignMatchRequest ResumeMatchRequest
    SearchEntriesRequest SubmitActionRequest TakeBackRequest VoteMatchRequest
}

fn request_of<T: Clone>(message: &T) -> Request<T> {
    let mut request = Request::new(message.clone());
    request.set_timeout(ATTEMPT_WAIT_MAX);
    request
}
