//! `PlayerService`: results and ratings of a platform's players, and streams of a player's matches.

use contract::v1::player_service_server::PlayerService;
use contract::v1::*;
use games::Game;
use matches::Pool;
use tonic::{Request, Response, Status};

use super::batches::{self, SentBatch, refusal, start, timing};
use super::calls::Calls;
use super::streaming::{Answers, until_erased};
use crate::answers::notices::notices_of;
use crate::answers::players::{player_of, rating_change_of, standing_of};
use crate::error::{invalid, of};
use crate::requests::cursors::Cursors;
use crate::requests::names::{parse_game, parse_player};
use crate::requests::pages::page_size;
use crate::requests::values::found_game;

/// The default page size.
const PAGE_USUAL: usize = 100;

/// The pool that a request names: by default without clocks, and of the fewest seats.
fn pool_of(game: &dyn Game, seats: u32, clock_class: i32) -> Result<Pool, Status> {
    let allowed = game.seats();
    let seats = match seats {
        0 => *allowed.start(),
        seats => {
            let known = u8::try_from(seats).ok().filter(|seats| allowed.contains(seats));
            let (least, most) = (allowed.start(), allowed.end());
            let rule = || invalid("seats", format!("the game has {least} to {most} seats"));
            known.ok_or_else(rule)?
        }
    };
    let clock = match ClockClass::try_from(clock_class) {
        Ok(ClockClass::Unspecified | ClockClass::Untimed) => clocks::ClockClass::Untimed,
        Ok(ClockClass::Blitz) => clocks::ClockClass::Blitz,
        Ok(ClockClass::Live) => clocks::ClockClass::Live,
        Ok(ClockClass::Daily) => clocks::ClockClass::Daily,
        Err(_) => {
            let rule = format!("there is no class of clocks {clock_class}");
            return Err(invalid("clock_class", rule));
        }
    };
    Ok(Pool { game: game.name().to_owned(), seats, clock })
}

pub(crate) struct Players {
    pub calls: Calls,
}

#[tonic::async_trait]
impl PlayerService for Players {
    async fn get_player(
        &self,
        request: Request<GetPlayerRequest>,
    ) -> Result<Response<GetPlayerResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let player = parse_player("name", &request.name)?;
        let consistency_token =
            self.calls.consistency_token(&caller, &request.consistency_token).await?;
        let page =
            self.calls.matches.player(&caller, player, consistency_token).await.map_err(of)?;
        let now = self.calls.matches.now();
        Ok(Response::new(GetPlayerResponse { player: Some(player_of(player, page, now)) }))
    }

    async fn list_standings(
        &self,
        request: Request<ListStandingsRequest>,
    ) -> Result<Response<ListStandingsResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let ListStandingsRequest { parent, seats, clock_class, .. } = request.clone();
        let ListStandingsRequest { page_size: size, page_token, consistency_token, .. } = request;
        let name = parse_game("parent", &parent)?;
        let consistency_token = self.calls.consistency_token(&caller, &consistency_token).await?;
        let size = page_size(size, PAGE_USUAL)?;
        let pool = pool_of(found_game(name, Some(&caller.platform))?.0, seats, clock_class)?;
        let asked = ListStandingsRequest { parent, seats, clock_class, ..Default::default() };
        let query = self.calls.list_query(&caller, &asked).await?;
        let after = query.parse_standings_token(&page_token)?;
        let page = self
            .calls
            .matches
            .standings(&caller, &pool, consistency_token, after, size)
            .await
            .map_err(of)?;
        let last = page.last().filter(|_| page.len() == size);
        let next = last.map(|last| query.standings_token(&(last.rating, last.player.clone())));
        let now = self.calls.matches.now();
        let standings = page.into_iter().map(|it| standing_of(&pool, it, now)).collect();
        let next_page_token = next.unwrap_or_default();
        Ok(Response::new(ListStandingsResponse { standings, next_page_token }))
    }

    async fn list_rating_changes(
        &self,
        request: Request<ListRatingChangesRequest>,
    ) -> Result<Response<ListRatingChangesResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let player = parse_player("parent", &request.parent)?;
        let game = parse_game("game", &request.game)?;
        let (game, _) = found_game(game, Some(&caller.platform))?;
        let pool = pool_of(game, request.seats, request.clock_class)?;
        let consistency_token =
            self.calls.consistency_token(&caller, &request.consistency_token).await?;
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let (page_token, token) = Default::default();
        let asked = ListRatingChangesRequest {
            page_size: 0,
            page_token,
            consistency_token: token,
            ..request.clone()
        };
        let query = self.calls.list_query(&caller, &asked).await?;
        let before = query.parse_matches_token(&request.page_token)?;
        let matches = &self.calls.matches;
        let listing =
            matches.rating_changes(&caller, player, &pool, consistency_token, before, size);
        let page = listing.await.map_err(of)?;
        let last = page.last().filter(|_| page.len() == size).map(|it| &it.result);
        let next = last.map(|last| query.matches_token((last.end_time, last.match_id)));
        let rating_changes = page.into_iter().map(|it| rating_change_of(&pool, it)).collect();
        let next_page_token = next.unwrap_or_default();
        Ok(Response::new(ListRatingChangesResponse { rating_changes, next_page_token }))
    }

    type WatchPlayerStream = Answers<WatchPlayerResponse>;

    async fn watch_player(
        &self,
        request: Request<WatchPlayerRequest>,
    ) -> Result<Response<Self::WatchPlayerStream>, Status> {
        let (credentials, texts, request) = self.calls.open_stream(request).await?;
        let caller = &credentials.caller;
        let player = parse_player("name", &request.name)?;
        // Before anything is read: an erasure that this process learns of later ends the stream.
        let before = self.calls.auth.erasure(&caller.platform, player);
        let installation = self.calls.installation().await?;
        let cursors = Cursors::of_player(installation, &caller.platform, player);
        let start = start(&cursors, &request.cursor, request.live)?;
        let timing = timing(request.heartbeat, request.send_timeout)?;
        let stream = self.calls.matches.watch_player(caller, player, start, timing).await;
        let stream = stream.map_err(|error| refusal(error, &cursors))?;
        let message = |it: SentBatch<'_>| {
            let SentBatch { recorded, entries, unreadable, went_back, cursor } = it;
            let told = entries.iter().filter_map(|it| it.entry.as_ref());
            let notices = recorded.iter().zip(told).flat_map(|(it, told)| notices_of(it, told));
            let notices = notices.collect();
            WatchPlayerResponse { notices, entries, cursor, unreadable, went_back }
        };
        let answers = batches::answers(stream, cursors, texts, message);
        Ok(Response::new(until_erased(answers, self.calls.auth.clone(), credentials, before)))
    }

    async fn erase_player(
        &self,
        request: Request<ErasePlayerRequest>,
    ) -> Result<Response<ErasePlayerResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let player = parse_player("name", &request.name)?;
        let (tokens, erased) =
            self.calls.matches.erase_player(&caller, player).await.map_err(of)?;
        self.calls.auth.revoke_player_tokens(tokens);
        Ok(Response::new(ErasePlayerResponse { erased }))
    }
}
