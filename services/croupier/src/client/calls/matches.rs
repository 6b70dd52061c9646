//! Calls about matches: seats and actions.

use contract::names::match_name;
use contract::v1::{
    CreateMatchRequest, DeleteMatchRequest, EndMatchRequest, Entry, GetMatchRequest,
    GetViewRequest, GetViewResponse, JoinMatchRequest, JoinMatchResponse, LeaveMatchRequest,
    ListLegalActionsRequest, ListLegalActionsResponse, ListMatchesRequest, ListMatchesResponse,
    ListOpenMatchesRequest, ListOpenMatchesResponse, Match, PauseMatchRequest, ReplaceSeatRequest,
    ReplaceSeatResponse, ResignMatchRequest, ResumeMatchRequest, SubmitActionRequest,
    SuggestActionsRequest, SuggestActionsResponse, TakeBackRequest, UpdateMatchRequest,
    VoteMatchRequest,
};
use uuid::Uuid;

use crate::client::calling::{Client, of_match};
use crate::client::error::Error;

/// The minimum number of characters of an id that stand for the whole.
const PREFIX_MIN: usize = 4;

/// How many matches are searched for the start of an id; the maximum page size.
const RECENT: i32 = 1000;

impl Client {
    /// The request needs a `request_id`, since it may be sent more than once.
    pub async fn create(&self, request: &CreateMatchRequest) -> Result<Match, Error> {
        let response = self.of_game(&request.game, self.call_in_words(request).await).await?;
        response.r#match.ok_or(Error::Empty)
    }

    pub async fn join(&self, request: &JoinMatchRequest) -> Result<JoinMatchResponse, Error> {
        of_match(&request.name, self.call_in_words(request).await)
    }

    pub async fn leave(&self, request: &LeaveMatchRequest) -> Result<Match, Error> {
        of_match(&request.name, self.call_in_words(request).await)?.r#match.ok_or(Error::Empty)
    }

    pub async fn replace(
        &self,
        request: &ReplaceSeatRequest,
    ) -> Result<ReplaceSeatResponse, Error> {
        of_match(&request.name, self.call_in_words(request).await)
    }

    pub async fn delete(&self, request: &DeleteMatchRequest) -> Result<(), Error> {
        of_match(&request.name, self.call(request).await).map(drop)
    }

    pub async fn update(&self, request: &UpdateMatchRequest) -> Result<Match, Error> {
        let name = request.r#match.as_ref().map_or("", |it| &it.name);
        let outcome = self.call_in_words(request).await;
        of_match(name, outcome)?.r#match.ok_or(Error::Empty)
    }

    pub async fn fetch(&self, name: &str) -> Result<Match, Error> {
        let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
        of_match(name, self.call_in_words(&request).await)?.r#match.ok_or(Error::Empty)
    }

    pub async fn matches_page(
        &self,
        request: &ListMatchesRequest,
    ) -> Result<ListMatchesResponse, Error> {
        self.of_game(&request.game, self.call_in_words(request).await).await
    }

    pub async fn open_matches_page(
        &self,
        request: &ListOpenMatchesRequest,
    ) -> Result<ListOpenMatchesResponse, Error> {
        self.of_game(&request.game, self.call_in_words(request).await).await
    }

    /// The name of the match that `text` refers to: `matches/{match}`, an id, or the start of a
    /// recent match's id.
    pub async fn find(&self, text: &str) -> Result<String, Error> {
        let id = text.strip_prefix("matches/").unwrap_or(text);
        if let Ok(id) = Uuid::try_parse(id) {
            return Ok(match_name(id));
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

    pub async fn view(&self, request: &GetViewRequest) -> Result<GetViewResponse, Error> {
        self.call_in_words(request).await
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
        self.call_in_words(&request).await
    }

    /// A seat's legal actions with their effects, and why others are not legal.
    pub async fn choices(&self, name: &str, seat: u32) -> Result<ListLegalActionsResponse, Error> {
        let (name, seat) = (name.to_owned(), Some(seat));
        let (reasons, effects) = (true, true);
        let request =
            ListLegalActionsRequest { name, seat, reasons, effects, ..Default::default() };
        self.call_in_words(&request).await
    }

    pub async fn suggestions(
        &self,
        name: &str,
        seat: u32,
    ) -> Result<SuggestActionsResponse, Error> {
        let (name, seat) = (name.to_owned(), Some(seat));
        let request = SuggestActionsRequest { name, seat, ..SuggestActionsRequest::default() };
        self.call_in_words(&request).await
    }

    /// The request needs a `request_id`, since it may be sent more than once.
    pub async fn submit(&self, request: &SubmitActionRequest) -> Result<Entry, Error> {
        self.call_in_words(request).await?.entry.ok_or(Error::Empty)
    }

    pub async fn take_back(&self, request: &TakeBackRequest) -> Result<Entry, Error> {
        of_match(&request.name, self.call_in_words(request).await)?.entry.ok_or(Error::Empty)
    }

    /// The request needs a `request_id`, as in [`Client::submit`].
    pub async fn resign(&self, request: &ResignMatchRequest) -> Result<Entry, Error> {
        self.call_in_words(request).await?.entry.ok_or(Error::Empty)
    }

    pub async fn vote(&self, request: &VoteMatchRequest) -> Result<Entry, Error> {
        of_match(&request.name, self.call_in_words(request).await)?.entry.ok_or(Error::Empty)
    }

    pub async fn pause(&self, request: &PauseMatchRequest) -> Result<Entry, Error> {
        of_match(&request.name, self.call_in_words(request).await)?.entry.ok_or(Error::Empty)
    }

    pub async fn resume(&self, request: &ResumeMatchRequest) -> Result<Entry, Error> {
        of_match(&request.name, self.call_in_words(request).await)?.entry.ok_or(Error::Empty)
    }

    pub async fn end(&self, request: &EndMatchRequest) -> Result<Entry, Error> {
        of_match(&request.name, self.call_in_words(request).await)?.entry.ok_or(Error::Empty)
    }
}
