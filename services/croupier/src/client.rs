//! The service as the commands meet it: an address, a key, and failures that people can act on.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use api::match_name;
use api::v1::entry_service_client::EntryServiceClient;
use api::v1::game_service_client::GameServiceClient;
use api::v1::match_service_client::MatchServiceClient;
use api::v1::player_service_client::PlayerServiceClient;
use api::v1::projection_service_client::ProjectionServiceClient;
use api::v1::search_service_client::SearchServiceClient;
use api::v1::{
    CreateMatchRequest, Entry, Game, GetEntryRequest, GetGameRequest, GetMatchRequest,
    GetPlayerRequest, GetPlayerResponse, GetProjectionRequest, GetViewRequest, GetViewResponse,
    ListEntriesRequest, ListGamesRequest, ListLegalActionsRequest, ListLegalActionsResponse,
    ListMatchesRequest, ListMatchesResponse, ListStandingsRequest, ListStandingsResponse, Match,
    Projection, SearchEntriesRequest, SearchEntriesResponse, SubmitActionRequest,
    WatchEntriesRequest, WatchEntriesResponse,
};
use store::MatchId;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request, Response, Status, Streaming};
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::data;

/// Where `croupier serve` answers if nobody says otherwise.
const ADDRESS: &str = "http://127.0.0.1:7710";

/// Where the service is and who asks it.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "The service")]
pub struct Service {
    /// Where it answers
    #[arg(
        long,
        global = true,
        env = "CROUPIER_ADDRESS",
        value_name = "URL",
        default_value = ADDRESS
    )]
    pub address: String,
    /// The API key of a platform; without one, the key of this machine's own service is used
    #[arg(long, global = true, env = "CROUPIER_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// The data folder of this machine's own service, which keeps its key there in `local.key`
    #[arg(long, global = true, env = "CROUPIER_DATA", value_name = "DIR", default_value_os_t = data::default_folder())]
    pub data: PathBuf,
}

impl Service {
    /// How to ask the same service again: this program, as it was called, and the options that say
    /// which, but never a key.
    pub fn command(&self) -> String {
        let mut command = std::env::args().next().unwrap_or_else(|| "croupier".to_owned());
        if self.address != ADDRESS {
            command.push_str(&format!(" --address {}", self.address));
        }
        if self.key.is_none() && self.data != data::default_folder() {
            command.push_str(&format!(" --data {}", self.data.display()));
        }
        command
    }

    /// Where to connect.
    pub fn endpoint(&self) -> Result<Endpoint, Failure> {
        let wrong = || Failure::Address(self.address.clone());
        let endpoint = Endpoint::from_shared(self.address.clone()).map_err(|_| wrong())?;
        if endpoint.uri().scheme_str() != Some("http") || endpoint.uri().host().is_none() {
            return Err(wrong());
        }
        Ok(endpoint
            .connect_timeout(Duration::from_secs(5))
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(15)))
    }

    /// What a call's `authorization` says.
    pub fn bearer(&self) -> Result<MetadataValue<Ascii>, Failure> {
        let bearer = format!("Bearer {}", self.key()?);
        let wrong = |_| Failure::Usage("the API key is not one: it is not ASCII".into());
        bearer.parse().map_err(wrong)
    }

    fn key(&self) -> Result<String, Failure> {
        if let Some(key) = &self.key {
            return Ok(key.clone());
        }
        let path = data::local_key(&self.data);
        match std::fs::read_to_string(&path) {
            Ok(key) => Ok(key.trim().to_owned()),
            Err(source) => Err(Failure::NoKey { path, source }),
        }
    }
}

/// Why a command ends early, in words for whoever typed it.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Missing(String),
    #[error("{0} is no address such as http://127.0.0.1:7710")]
    Address(String),
    #[error("nothing answers at {0}: start it with `croupier serve`")]
    Silent(String),
    #[error(
        "there is no API key in {}: name one with --key or CROUPIER_KEY, or the service's data folder with --data",
        path.display()
    )]
    NoKey { path: PathBuf, source: io::Error },
    #[error("the service at {address} refuses this API key: {message}")]
    KeyRefused { address: String, message: String },
    #[error("{0}")]
    Refused(Refusal),
    #[error("the service failed: {message} ({code:?})")]
    Failed { code: Code, message: String },
    #[error("the service answered without what it was asked for")]
    Empty,
    #[error("writing failed")]
    Output(#[from] io::Error),
    #[error("{} cannot be used", path.display())]
    Path { path: PathBuf, source: io::Error },
    #[error("{}, {wrong}", path.display())]
    File { path: PathBuf, wrong: crate::file::Wrong },
    #[error("an entry cannot be recorded")]
    Append(#[from] store::AppendError),
    #[error(transparent)]
    Postgres(#[from] crate::postgres::Error),
    #[error("a match cannot be looked at")]
    Matches(#[from] matches::Error),
    #[error("the database cannot be asked")]
    Store(#[from] store::Error),
    #[error("no randomness is to be had")]
    Random(#[from] getrandom::Error),
    #[error(transparent)]
    Serve(#[from] crate::serve::Error),
    #[error("the projections cannot be worked on")]
    Projector(#[from] projector::Error),
}

/// A typed refusal: whose word it is, its reason and the facts that come with it.
#[derive(Debug)]
pub struct Refusal {
    pub message: String,
    pub domain: String,
    pub reason: String,
    pub facts: Vec<(String, String)>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}, says {}", self.message, self.reason, self.domain)?;
        self.facts.iter().try_for_each(|(name, value)| write!(f, "; {name}: {value}"))?;
        write!(f, ")")
    }
}

impl Failure {
    /// Whether the service refused for this reason of its own.
    pub fn is(&self, reason: &str) -> bool {
        matches!(self, Failure::Refused(refusal) if refusal.domain == "croupier" && refusal.reason == reason)
    }
}

/// How long a call is tried again while the service is away: long enough for it to be restarted.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// Longest wait for one answer. The service bounds its own work well below this.
const ANSWER_WAIT_MAX: Duration = Duration::from_secs(20);

/// Entries asked for at a time.
const PAGE: i32 = 500;

/// A connection, made again by itself whenever it breaks. Cheap to clone.
#[derive(Clone)]
pub struct Client {
    address: String,
    wire: Wire,
}

type Wire = InterceptedService<Channel, Bearer>;

#[derive(Clone)]
struct Bearer(MetadataValue<Ascii>);

impl tonic::service::Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        Ok(request)
    }
}

impl Client {
    /// Fails at once if nothing answers; later calls are more patient.
    pub async fn connect(service: &Service) -> Result<Client, Failure> {
        let address = service.address.clone();
        let channel = service.endpoint()?.keep_alive_while_idle(true).connect().await;
        let channel = channel.map_err(|_| Failure::Silent(address.clone()))?;
        let bearer = Bearer(service.bearer()?);
        Ok(Client { address, wire: InterceptedService::new(channel, bearer) })
    }

    /// `game` is a name such as `mountebank` or `games/mountebank`. Where there is no such game,
    /// the failure names those there are.
    pub async fn game(&self, game: &str) -> Result<Game, Failure> {
        let name = if game.starts_with("games/") { game.to_owned() } else { api::game_name(game) };
        let request = GetGameRequest { name };
        let answer = self.insist(async || self.games().get_game(ask(&request)).await).await;
        match answer {
            Ok(answer) => answer.game.ok_or(Failure::Empty),
            Err(failure) if failure.is("UNKNOWN_GAME") => Err(self.no_such_game(game).await?),
            Err(failure) => Err(failure),
        }
    }

    async fn no_such_game(&self, game: &str) -> Result<Failure, Failure> {
        let request = ListGamesRequest { page_size: 1000, page_token: String::new() };
        let page = self.insist(async || self.games().list_games(ask(&request)).await).await?;
        let names: Vec<_> =
            page.games.iter().map(|game| game.name.trim_start_matches("games/")).collect();
        Ok(unknown_game(game, &names))
    }

    pub async fn create(&self, request: &CreateMatchRequest) -> Result<Match, Failure> {
        let answer = self.insist(async || self.matches().create_match(ask(request)).await).await?;
        answer.r#match.ok_or(Failure::Empty)
    }

    pub async fn fetch(&self, name: &str) -> Result<Match, Failure> {
        let request = GetMatchRequest { name: name.to_owned() };
        let answer = self.insist(async || self.matches().get_match(ask(&request)).await).await?;
        answer.r#match.ok_or(Failure::Empty)
    }

    pub async fn matches_page(
        &self,
        request: &ListMatchesRequest,
    ) -> Result<ListMatchesResponse, Failure> {
        self.insist(async || self.matches().list_matches(ask(request)).await).await
    }

    pub async fn player(&self, request: &GetPlayerRequest) -> Result<GetPlayerResponse, Failure> {
        self.insist(async || self.players().get_player(ask(request)).await).await
    }

    /// How a read model is doing, by a name such as `projections/matches`.
    pub async fn projection(&self, name: &str) -> Result<Projection, Failure> {
        let request = GetProjectionRequest { name: name.to_owned() };
        let ask = async || self.projections().get_projection(ask(&request)).await;
        self.insist(ask).await?.projection.ok_or(Failure::Empty)
    }

    pub async fn standings_page(
        &self,
        request: &ListStandingsRequest,
    ) -> Result<ListStandingsResponse, Failure> {
        self.insist(async || self.players().list_standings(ask(request)).await).await
    }

    pub async fn search(
        &self,
        request: &SearchEntriesRequest,
    ) -> Result<SearchEntriesResponse, Failure> {
        self.insist(async || self.searches().search_entries(ask(request)).await).await
    }

    pub async fn legal(&self, name: &str, seat: u32) -> Result<ListLegalActionsResponse, Failure> {
        let request = ListLegalActionsRequest { name: name.to_owned(), seat: Some(seat) };
        self.insist(async || self.matches().list_legal_actions(ask(&request)).await).await
    }

    /// The request must carry a `request_id`: it is sent again until its outcome is known.
    pub async fn submit(&self, request: &SubmitActionRequest) -> Result<Entry, Failure> {
        let answer = self.insist(async || self.matches().submit_action(ask(request)).await).await?;
        answer.entry.ok_or(Failure::Empty)
    }

    pub async fn view(&self, request: &GetViewRequest) -> Result<GetViewResponse, Failure> {
        self.insist(async || self.matches().get_view(ask(request)).await).await
    }

    pub async fn entry(&self, name: &str, position: i32, viewer: &str) -> Result<Entry, Failure> {
        let request = GetEntryRequest {
            name: format!("{name}/entries/{position}"),
            viewer: viewer.to_owned(),
        };
        let answer = self.insist(async || self.entries().get_entry(ask(&request)).await).await?;
        answer.entry.ok_or(Failure::Empty)
    }

    /// Hands on every entry there is, in order.
    pub async fn each_entry(
        &self,
        name: &str,
        viewer: &str,
        mut take: impl FnMut(&Entry) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (parent, viewer) = (name.to_owned(), viewer.to_owned());
        let mut request =
            ListEntriesRequest { parent, viewer, page_size: PAGE, ..ListEntriesRequest::default() };
        loop {
            let page =
                self.insist(async || self.entries().list_entries(ask(&request)).await).await?;
            page.entries.iter().try_for_each(&mut take)?;
            if page.next_page_token.is_empty() {
                return Ok(());
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Opens the stream of entries after a position, once: breaking is the caller's to mend.
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
        };
        self.entries().watch_entries(request).await.map(Response::into_inner)
    }

    /// The match that `text` means: `matches/{match}`, the bare id, or the beginning of a recent
    /// match's id.
    pub async fn find(&self, text: &str) -> Result<String, Failure> {
        let id = text.strip_prefix("matches/").unwrap_or(text);
        if let Ok(id) = Uuid::try_parse(id) {
            return Ok(match_name(MatchId(id)));
        }
        if id.len() < PREFIX_MIN {
            return Err(Failure::Usage(format!(
                "`{text}` names no match: write at least {PREFIX_MIN} characters of its id"
            )));
        }
        let request = ListMatchesRequest { page_size: RECENT, ..ListMatchesRequest::default() };
        let recent = self.matches_page(&request).await?.matches;
        let begins = |name: &String| name.trim_start_matches("matches/").starts_with(id);
        let mut found = recent.into_iter().map(|it| it.name).filter(begins);
        match (found.next(), found.next()) {
            (Some(name), None) => Ok(name),
            (Some(one), Some(other)) => Err(Failure::Usage(format!(
                "`{text}` could be {one} or {other}: write more of its id"
            ))),
            (None, _) => {
                Err(Failure::Missing(format!("no recent match has an id that begins with `{id}`")))
            }
        }
    }

    fn games(&self) -> GameServiceClient<Wire> {
        GameServiceClient::new(self.wire.clone())
    }

    fn matches(&self) -> MatchServiceClient<Wire> {
        MatchServiceClient::new(self.wire.clone())
    }

    fn players(&self) -> PlayerServiceClient<Wire> {
        PlayerServiceClient::new(self.wire.clone())
    }

    fn projections(&self) -> ProjectionServiceClient<Wire> {
        ProjectionServiceClient::new(self.wire.clone())
    }

    fn searches(&self) -> SearchServiceClient<Wire> {
        SearchServiceClient::new(self.wire.clone())
    }

    fn entries(&self) -> EntryServiceClient<Wire> {
        EntryServiceClient::new(self.wire.clone())
    }

    /// Calls until there is an answer or patience ends. What is called must be safe to call again.
    async fn insist<T>(
        &self,
        call: impl AsyncFn() -> Result<Response<T>, Status>,
    ) -> Result<T, Failure> {
        let mut patience = Patience::default();
        loop {
            match call().await {
                Ok(answer) => {
                    patience.relax();
                    return Ok(answer.into_inner());
                }
                Err(status) => {
                    patience.bear(status).await.map_err(|status| self.failure(&status))?
                }
            }
        }
    }

    /// What a status means to whoever typed the command.
    pub fn failure(&self, status: &Status) -> Failure {
        match status.code() {
            _ if made_here(status) => Failure::Silent(self.address.clone()),
            Code::Unauthenticated => Failure::KeyRefused {
                address: self.address.clone(),
                message: status.message().to_owned(),
            },
            _ => refusal(status),
        }
    }
}

fn refusal(status: &Status) -> Failure {
    let message = status.message().to_owned();
    let Some(info) = status.get_details_error_info() else {
        return Failure::Failed { code: status.code(), message };
    };
    let mut facts: Vec<_> = info.metadata.into_iter().collect();
    facts.sort();
    Failure::Refused(Refusal { message, domain: info.domain, reason: info.reason, facts })
}

/// Characters of an id that may stand for the whole.
const PREFIX_MIN: usize = 4;

/// Matches among which the beginning of an id is looked for; the most a page may hold.
const RECENT: i32 = 1000;

/// The failure that names the games there are.
pub fn unknown_game(game: &str, names: &[&str]) -> Failure {
    Failure::Usage(format!("there is no game `{game}`; there are: {}", names.join(", ")))
}

/// Whose eyes, as requests spell it: a seat's, otherwise a spectator's.
pub fn viewer(seat: Option<u32>) -> String {
    seat.map_or_else(|| "spectator".into(), |seat| format!("seats/{seat}"))
}

fn ask<T: Clone>(message: &T) -> Request<T> {
    let mut request = Request::new(message.clone());
    request.set_timeout(ANSWER_WAIT_MAX);
    request
}

/// Waits between attempts, longer each time, and ends when the trouble has lasted too long.
#[derive(Default)]
pub struct Patience {
    since: Option<Instant>,
    pause: Duration,
}

impl Patience {
    /// Returns when it is time for another attempt, or gives the status back if another one is of
    /// no use.
    pub async fn bear(&mut self, status: Status) -> Result<(), Status> {
        let advised = status.get_details_retry_info().and_then(|info| info.retry_delay);
        if !passes(&status) && advised.is_none() {
            return Err(status);
        }
        if self.since.is_none() {
            eprintln!("croupier: {}; trying again", trouble(&status));
        }
        if self.since.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            return Err(status);
        }
        self.pause = (self.pause * 2).clamp(PAUSE_MIN, PAUSE_MAX);
        tokio::time::sleep(advised.unwrap_or(self.pause).min(PATIENCE)).await;
        Ok(())
    }

    /// What was waited for has come.
    pub fn relax(&mut self) {
        if self.since.is_some() {
            eprintln!("croupier: connected again");
        }
        *self = Patience::default();
    }
}

/// Whether the same call may yet succeed.
fn passes(status: &Status) -> bool {
    matches!(status.code(), Code::Unavailable | Code::DeadlineExceeded) || made_here(status)
}

fn trouble(status: &Status) -> &str {
    if made_here(status) { "the connection to the service is lost" } else { status.message() }
}

/// Whether the transport on this side made the status up; one that the service sent has no cause
/// here.
fn made_here(status: &Status) -> bool {
    std::error::Error::source(status).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic_types::ErrorDetails;

    #[test]
    fn a_refusal_says_its_reason_and_its_facts() {
        let details = ErrorDetails::with_error_info(
            "NOT_IN_HAND",
            "games/mountebank",
            [("card".to_owned(), "journey".to_owned())],
        );
        let status = Status::with_error_details(
            Code::FailedPrecondition,
            "those cards are not in your hand",
            details,
        );
        let said = refusal(&status).to_string();
        assert_eq!(
            said,
            "those cards are not in your hand (NOT_IN_HAND, says games/mountebank; card: journey)"
        );
    }

    #[tokio::test]
    async fn patience_bears_what_passes_and_nothing_else() {
        let mut patience = Patience::default();
        assert!(patience.bear(Status::unavailable("the service is stopping")).await.is_ok());
        assert!(patience.bear(Status::not_found("there is no such match")).await.is_err());
    }
}
