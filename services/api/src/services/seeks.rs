//! `SeekService`: players who look for a match.

use contract::v1::seek_service_server::SeekService;
use contract::v1::*;
use matches::{Error, NewSeek, Seek, SeekError};
use tonic::{Request, Response, Status};

use super::calls::Calls;
use crate::answers::matches::seek_of;
use crate::error::of;
use crate::requests::names::{parse_game, parse_seek};
use crate::requests::pages::page_size;
use crate::requests::values::{parse_player_id, present, time_control_from};

/// The default page size.
const PAGE_USUAL: usize = 100;

pub(crate) struct Seeks {
    pub calls: Calls,
}

#[tonic::async_trait]
impl SeekService for Seeks {
    async fn create_seek(
        &self,
        request: Request<CreateSeekRequest>,
    ) -> Result<Response<CreateSeekResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let new = NewSeek {
            player: parse_player_id("player", request.player)?,
            display_name: request.display_name,
            game: parse_game("game", &request.game)?.to_owned(),
            seats: request.seats,
            options: request.options.into_iter().collect(),
            time_control: request.time_control.map(time_control_from).transpose().map_err(of)?,
            casual: request.casual,
            distance: request.rating_distance,
            widening: request.rating_widening_per_s,
            request_id: present(request.request_id),
        };
        let seek = self.calls.matches.create_seek(&caller, new).await.map_err(of)?;
        Ok(Response::new(CreateSeekResponse { seek: Some(seek_of(seek)) }))
    }

    async fn get_seek(
        &self,
        request: Request<GetSeekRequest>,
    ) -> Result<Response<GetSeekResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let seek_id = parse_seek("name", &request.name)?;
        let seek = self.calls.matches.seek(&caller, seek_id).await.map_err(of)?;
        Ok(Response::new(GetSeekResponse { seek: Some(seek_of(seek)) }))
    }

    async fn list_seeks(
        &self,
        request: Request<ListSeeksRequest>,
    ) -> Result<Response<ListSeeksResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let asked = ListSeeksRequest { page_size: 0, page_token: String::new(), ..request.clone() };
        let query = self.calls.list_query(&caller, &asked).await?;
        let after = query.parse_seeks_token(&request.page_token)?;
        let game = match request.game.as_str() {
            "" => None,
            name => Some(parse_game("game", name)?),
        };
        let player = present(parse_player_id("player", request.player.clone())?);
        let listing = self.calls.matches.seeks(&caller, player.as_deref(), game, after, size);
        let seeks: Vec<Seek> = listing.await.map_err(of)?;
        let last = seeks.last().filter(|_| seeks.len() == size);
        let next = last.map(|last| query.seeks_token((last.create_time, last.seek_id)));
        let seeks = seeks.into_iter().map(seek_of).collect();
        Ok(Response::new(ListSeeksResponse { seeks, next_page_token: next.unwrap_or_default() }))
    }

    async fn delete_seek(
        &self,
        request: Request<DeleteSeekRequest>,
    ) -> Result<Response<DeleteSeekResponse>, Status> {
        let (caller, request) = self.calls.open_to_write(request).await?;
        let seek_id = parse_seek("name", &request.name)?;
        match self.calls.matches.delete_seek(&caller, seek_id).await {
            Err(Error::Seek(SeekError::NotFound)) if request.allow_missing => {}
            deleted => deleted.map_err(of)?,
        }
        Ok(Response::new(DeleteSeekResponse {}))
    }
}
