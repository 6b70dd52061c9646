//! `SearchService`: entries across matches.

use matches::{Matches, Search};
use tonic::{Code, Request, Response, Status};

use super::{consistency_token, list_query};
use crate::auth::Auth;
use crate::error::{invalid, of, status};
use crate::names::{match_name, page_size, parse_game, storable};
use crate::texts::Texts;
use crate::v1::search_service_server::SearchService;
use crate::v1::*;

/// The default page size.
const PAGE_USUAL: usize = 100;

pub(crate) struct Searches {
    pub auth: Auth,
    pub matches: Matches,
}

#[tonic::async_trait]
impl SearchService for Searches {
    async fn search_entries(
        &self,
        request: Request<SearchEntriesRequest>,
    ) -> Result<Response<SearchEntriesResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let language = &request.get_ref().language;
        let mut texts = Texts::new(&self.matches, &caller, request.metadata(), language)?;
        let mut request = request.into_inner();
        request.language.clear();
        let size = page_size(std::mem::take(&mut request.page_size), PAGE_USUAL)?;
        let consistency_token = consistency_token(
            &self.matches,
            &caller,
            &std::mem::take(&mut request.consistency_token),
        )
        .await?;
        let token = std::mem::take(&mut request.page_token);
        let query = list_query(&self.matches, &caller, &request).await?;
        let after = query.parse_entries_token(&token)?;
        let search = search_of(request)?;
        let page = self
            .matches
            .search(&caller, &search, consistency_token, after, size)
            .await
            .map_err(of)?;
        let next = page.next.map(|cursor| query.entries_token(cursor));
        let entries = texts.entries(&page.entries).await?;
        let next_page_token = next.unwrap_or_default();
        let unreadable_matches = page.unreadable.into_iter().map(match_name).collect();
        Ok(Response::new(SearchEntriesResponse { entries, next_page_token, unreadable_matches }))
    }
}

/// The search by terms of the game; terms that the game does not have are refused.
fn search_of(request: SearchEntriesRequest) -> Result<Search, Status> {
    let name = parse_game("parent", &request.parent)?;
    let unknown =
        || status(Code::NotFound, Reason::UnknownGame, format!("there is no game {name:?}"));
    let game = games::find(name).ok_or_else(unknown)?;
    let layout = game.layout();
    let lacks =
        |kind: &'static str, term: &str| invalid(kind, format!("{name} has no {kind} {term:?}"));
    let verb = present(request.verb);
    if let Some(verb) = verb.as_deref().filter(|verb| layout.verb(verb).is_none()) {
        return Err(lacks("verb", verb));
    }
    let piece = present(request.piece);
    let piece = piece.map(|piece| layout.piece_named(&piece).ok_or_else(|| lacks("piece", &piece)));
    let announcement = present(request.announcement);
    let is_announcement = |wanted: &str| {
        layout.announcements().iter().any(|announcement| {
            announcement.name == wanted
                || announcement.name.split_once('/').is_some_and(|(it, _)| it == wanted)
        })
    };
    if let Some(announcement) =
        announcement.as_deref().filter(|announcement| !is_announcement(announcement))
    {
        return Err(lacks("announcement", announcement));
    }
    Ok(Search {
        game,
        player: storable("player", request.player)?,
        verb,
        piece: piece.transpose()?,
        round: request.round,
        announcement,
        value_min: request.value_min,
        value_max: request.value_max,
    })
}

fn present(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}
