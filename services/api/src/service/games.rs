//! `GameService`: the games that can be played.

use tonic::{Code, Request, Response, Status};

use crate::error::status;
use crate::names::{foreign, page_size, parse_game};
use crate::render::{game_of, layout_of};
use crate::v1::game_service_server::GameService;
use crate::v1::{GetGameRequest, GetGameResponse, ListGamesRequest, ListGamesResponse, Reason};

/// The default page size: more than there are games.
const PAGE_USUAL: usize = 100;

pub(crate) struct Games;

#[tonic::async_trait]
impl GameService for Games {
    async fn list_games(
        &self,
        request: Request<ListGamesRequest>,
    ) -> Result<Response<ListGamesResponse>, Status> {
        let ListGamesRequest { page_size: size, page_token } = request.into_inner();
        let size = page_size(size, PAGE_USUAL)?;
        let mut games = games::GAMES.to_vec();
        games.sort_by_key(|game| game.name());
        // The token is the last game's name, so pages stay consistent when a game is added.
        if !page_token.is_empty() && games::find(&page_token).is_none() {
            return Err(foreign());
        }
        let mut rest = games.into_iter().filter(|game| game.name() > page_token.as_str());
        let page: Vec<_> = rest.by_ref().take(size).collect();
        let last = rest.next().and(page.last());
        let next_page_token = last.map(|game| game.name().to_owned()).unwrap_or_default();
        let games = page.into_iter().map(game_of).collect();
        Ok(Response::new(ListGamesResponse { games, next_page_token }))
    }

    async fn get_game(
        &self,
        request: Request<GetGameRequest>,
    ) -> Result<Response<GetGameResponse>, Status> {
        let request = request.into_inner();
        let name = parse_game(&request.name)?;
        let unknown =
            || status(Code::NotFound, Reason::UnknownGame, format!("there is no game {name:?}"));
        let game = games::find(name).ok_or_else(unknown)?;
        let game = crate::v1::Game { layout: Some(layout_of(game)), ..game_of(game) };
        Ok(Response::new(GetGameResponse { game: Some(game) }))
    }
}
