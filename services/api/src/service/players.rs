//! `PlayerService`: results and ratings of a platform's players, and what concerns one of them.

use matches::Matches;
use tonic::{Code, Request, Response, Status};

use super::answers::{Answers, until_erased};
use super::streams::{self, refusal, start, timing};
use super::{consistency_token, list_query};
use crate::auth::Auth;
use crate::cursor::Cursors;
use crate::error::{of, status};
use crate::names::{page_size, parse_game, parse_player};
use crate::render::{notices_of, player_of, standing_of};
use crate::texts::Texts;
use crate::v1::player_service_server::PlayerService;
use crate::v1::*;

/// The default page size.
const PAGE_USUAL: usize = 100;

pub(crate) struct Players {
    pub auth: Auth,
    pub matches: Matches,
}

#[tonic::async_trait]
impl PlayerService for Players {
    async fn get_player(
        &self,
        request: Request<GetPlayerRequest>,
    ) -> Result<Response<GetPlayerResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let player = parse_player("name", &request.name)?;
        let consistency_token =
            consistency_token(&self.matches, &caller, &request.consistency_token).await?;
        let page = self.matches.player(&caller, player, consistency_token).await.map_err(of)?;
        Ok(Response::new(GetPlayerResponse { player: Some(player_of(player, page)) }))
    }

    async fn list_standings(
        &self,
        request: Request<ListStandingsRequest>,
    ) -> Result<Response<ListStandingsResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let ListStandingsRequest { parent, page_size: size, page_token, consistency_token } =
            request.into_inner();
        let name = parse_game("parent", &parent)?;
        let consistency_token =
            super::consistency_token(&self.matches, &caller, &consistency_token).await?;
        let size = page_size(size, PAGE_USUAL)?;
        let unknown =
            || status(Code::NotFound, Reason::UnknownGame, format!("there is no game {name:?}"));
        let game = games::find(name).ok_or_else(unknown)?;
        let asked = ListStandingsRequest { parent: parent.clone(), ..Default::default() };
        let query = list_query(&self.matches, &caller, &asked).await?;
        let after = query.parse_standings_token(&page_token)?;
        let page = self
            .matches
            .standings(&caller, game, consistency_token, after, size)
            .await
            .map_err(of)?;
        let last = page.last().filter(|_| page.len() == size);
        let next = last.map(|last| query.standings_token(&(last.rating, last.player.clone())));
        let standings = page.into_iter().map(|it| standing_of(game.name(), it)).collect();
        let next_page_token = next.unwrap_or_default();
        Ok(Response::new(ListStandingsResponse { standings, next_page_token }))
    }

    type WatchPlayerStream = Answers<WatchPlayerResponse>;

    async fn watch_player(
        &self,
        request: Request<WatchPlayerRequest>,
    ) -> Result<Response<Self::WatchPlayerStream>, Status> {
        let credentials = self.auth.credentials(request.metadata()).await?;
        let caller = &credentials.caller;
        let language = &request.get_ref().language;
        let texts = Texts::new(&self.matches, caller, request.metadata(), language)?.of_stream();
        let request = request.into_inner();
        let player = parse_player("name", &request.name)?;
        // Before anything is read: an erasure that this process learns of later ends the stream.
        let before = self.auth.erasure(&caller.platform, player);
        let installation = self.matches.store().installation().await;
        let installation = installation.map_err(|error| of(error.into()))?;
        let cursors = Cursors::of_player(installation, &caller.platform, player);
        let start = start(&cursors, &request.cursor, request.live)?;
        let timing = timing(request.heartbeat_s, request.send_timeout_s)?;
        let stream = self.matches.watch_player(caller, player, start, timing).await;
        let stream = stream.map_err(|error| refusal(error, &cursors))?;
        let message = |entries: Vec<StreamedEntry>, cursor, unreadable| {
            let notices = entries.iter().flat_map(notices_of).collect();
            WatchPlayerResponse { entries, cursor, notices, unreadable }
        };
        let answers = streams::answers(stream, cursors, texts, message);
        Ok(Response::new(until_erased(answers, self.auth.clone(), credentials, before)))
    }

    async fn erase_player(
        &self,
        request: Request<ErasePlayerRequest>,
    ) -> Result<Response<ErasePlayerResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let player = parse_player("name", &request.get_ref().name)?;
        let erased = self.matches.erase_player(&caller, player).await.map_err(of)?;
        Ok(Response::new(ErasePlayerResponse { erased }))
    }
}
