//! What a seat sees of a match now, and what it may do.

use contract::names::{SPECTATOR, seat_name};
use contract::v1::{
    Entry, GetMatchRequest, GetViewRequest, LegalAction, LegalActionKind, ListEntriesRequest,
    ListLegalActionsRequest, Match, MatchState, Obstacle, Prompt, Table,
};
use croupier_client::{Code, Refusal};
use prost::Message;

use crate::failure::Failure;
use crate::service::Service;

/// How many entries are read: a seat that has waited for longer sees the last of them.
const ENTRIES_MAX: i32 = 200;

/// The verb of talk, which is no answer to what happened.
const SAY: &str = "say";

/// A match as a seat sees it, at one position.
pub struct Seen {
    pub it: Match,
    /// The seat of the caller; none for a spectator.
    pub seat: Option<u32>,
    /// None before the match starts.
    pub table: Option<Table>,
    pub legal: Vec<LegalAction>,
    pub kinds: Vec<LegalActionKind>,
    /// Why other kinds of action are not legal.
    pub obstacles: Vec<Obstacle>,
}

/// What the caller sees of a match.
pub async fn see(service: &impl Service, name: &str) -> Result<Seen, Failure> {
    let language = service.language().to_owned();
    let request = GetMatchRequest { name: name.to_owned(), language, ..Default::default() };
    let it = service.call(request).await?.r#match.ok_or_else(incomplete)?;
    if it.state() == MatchState::Open {
        let seat = it.seats.iter().find(|seat| seat.player == service.player());
        let seat = seat.map(|seat| seat.seat);
        return Ok(Seen::of(it, seat, None));
    }
    let table = view(service, &it, None).await?;
    let seat = table.viewer.strip_prefix("seats/").and_then(|seat| seat.parse().ok());
    let mut seen = Seen::of(it, seat, Some(table));
    if seen.prompts().next().is_some() {
        let language = service.language().to_owned();
        let name = name.to_owned();
        let (reasons, effects) = (true, true);
        let request = ListLegalActionsRequest {
            name,
            seat,
            reasons,
            effects,
            language,
            ..Default::default()
        };
        let listed = service.call(request).await?;
        // The match may have moved on between the two calls. What is listed is of one position.
        if Some(listed.position) != seen.table.as_ref().map(|table| table.position) {
            seen.table = Some(view(service, &seen.it, Some(listed.position)).await?);
        }
        (seen.legal, seen.kinds) = (listed.actions, listed.kinds);
        seen.obstacles = listed.obstacles;
    }
    Ok(seen)
}

/// The table as the caller's seat sees it, now or at a position. With an API key, that is the seat
/// of the player that the agent plays as, and never another one.
async fn view(service: &impl Service, it: &Match, position: Option<i32>) -> Result<Table, Failure> {
    let request = |viewer: String| GetViewRequest {
        name: it.name.clone(),
        viewer,
        position,
        language: service.language().to_owned(),
        ..GetViewRequest::default()
    };
    let seat = it.seats.iter().find(|seat| seat.player == service.player());
    let own = match seat {
        Some(seat) => service.call(request(seat_name(seat.seat))).await,
        None => service.call(request(String::new())).await,
    };
    let answer = match own {
        // The token is of another seat's player.
        Err(refusal) if refusal.code() == Code::PermissionDenied && seat.is_some() => {
            service.call(request(String::new())).await
        }
        answer => answer,
    };
    answer?.table.ok_or_else(incomplete)
}

impl Seen {
    fn of(it: Match, seat: Option<u32>, table: Option<Table>) -> Seen {
        let (legal, kinds, obstacles) = (Vec::new(), Vec::new(), Vec::new());
        Seen { it, seat, table, legal, kinds, obstacles }
    }

    /// The viewer of its reads.
    pub fn viewer(&self) -> String {
        self.table.as_ref().map_or_else(|| SPECTATOR.to_owned(), |table| table.viewer.clone())
    }

    /// The position that it shows.
    pub fn position(&self) -> i32 {
        self.table.as_ref().map_or(0, |table| table.position)
    }

    pub fn is_ended(&self) -> bool {
        self.it.state() == MatchState::Ended
    }

    /// The prompts that the seat can answer now.
    pub fn prompts(&self) -> impl Iterator<Item = &Prompt> {
        let prompts = self.table.as_ref().map_or(&[][..], |table| &table.prompts);
        prompts.iter().filter(move |it| Some(it.seat) == self.seat && it.asked_position > 0)
    }

    /// Whether the match waits for the seat, or asked it something after a position that it may
    /// leave unanswered.
    pub fn is_turn(&self, after: i32) -> bool {
        !self.legal.is_empty() && self.prompts().any(|it| !it.optional || it.asked_position > after)
    }

    /// What identifies the list of legal actions: the same list for the same question. Empty if
    /// nothing is legal.
    pub fn list(&self) -> String {
        if self.legal.is_empty() {
            return String::new();
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.it.name.as_bytes());
        for prompt in self.prompts() {
            hasher.update(&prompt.asked_position.to_be_bytes());
        }
        for action in &self.legal {
            hasher.update(&action.action.as_ref().map(Message::encode_to_vec).unwrap_or_default());
        }
        hasher.finalize().to_hex()[..8].to_owned()
    }

    /// The entries after a position; without one, since the seat last acted. At most the last
    /// [`ENTRIES_MAX`].
    pub async fn entries(
        &self,
        service: &impl Service,
        since: Option<i32>,
        until: Option<i32>,
    ) -> Result<Vec<Entry>, Failure> {
        let until = until.unwrap_or(i32::MAX).min(self.position());
        let after_position = since.unwrap_or(0).max(until - ENTRIES_MAX).max(0);
        if after_position >= until {
            return Ok(Vec::new());
        }
        let request = ListEntriesRequest {
            parent: self.it.name.clone(),
            viewer: self.viewer(),
            page_size: ENTRIES_MAX,
            after_position,
            language: service.language().to_owned(),
            ..ListEntriesRequest::default()
        };
        let listed = match service.call(request).await {
            Err(refusal) if refusal.is("HISTORY_NOT_KEPT") => Vec::new(),
            listed => listed?.entries,
        };
        let mut entries: Vec<Entry> =
            listed.into_iter().filter(|entry| entry.position <= until).collect();
        if since.is_none() {
            let acted = entries
                .iter()
                .rposition(|it| it.seat.is_some() && it.seat == self.seat && it.verb != SAY);
            entries.drain(..acted.unwrap_or(0));
        }
        Ok(entries)
    }
}

/// The answer lacks what the contract promises.
pub fn incomplete() -> Failure {
    Failure::new("INTERNAL", "the answer of the service lacks what the contract promises")
}

/// Whether a refusal says that there is nothing to see yet, or any more.
pub fn is_passing(refusal: &Refusal) -> bool {
    refusal.is_retryable() || refusal.is("RECORD_WENT_BACK") || refusal.is("POSITION_AHEAD")
}
