//! `ProjectionService`: the state of projections, and holdings.

use contract::v1::projection_service_server::ProjectionService;
use contract::v1::*;
use tonic::{Request, Response, Status};

use super::calls::Calls;
use crate::answers::players::{holding_of, projection_of};
use crate::error::of;
use crate::requests::names::{parse_match, parse_projection};
use crate::requests::pages::page_size;

/// The default page size.
const PAGE_USUAL: usize = 100;

pub(crate) struct Projections {
    pub calls: Calls,
}

#[tonic::async_trait]
impl ProjectionService for Projections {
    async fn get_projection(
        &self,
        request: Request<GetProjectionRequest>,
    ) -> Result<Response<GetProjectionResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let GetProjectionRequest { name } = request;
        let model = parse_projection("name", &name)?;
        let projection = self.calls.matches.projection(&caller, model).await.map_err(of)?;
        Ok(Response::new(GetProjectionResponse { projection: Some(projection_of(projection)) }))
    }

    async fn list_holdings(
        &self,
        request: Request<ListHoldingsRequest>,
    ) -> Result<Response<ListHoldingsResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let match_id = parse_match("parent", &request.parent)?;
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let parent = request.parent.clone();
        let asked = ListHoldingsRequest { parent, ..Default::default() };
        let query = self.calls.list_query(&caller, &asked).await?;
        let after = query.parse_seat_token(&request.page_token)?;
        let consistency_token =
            self.calls.consistency_token(&caller, &request.consistency_token).await?;
        let holdings =
            self.calls.matches.holdings(&caller, match_id, consistency_token).await.map_err(of)?;
        // A match has few seats, so all of them are read.
        let mut rest = holdings.into_iter().filter(|it| Some(it.seat) > after).map(holding_of);
        let holdings: Vec<Holding> = rest.by_ref().take(size).collect();
        let last = holdings.last().filter(|_| rest.next().is_some());
        let next = last.map(|last| query.seat_token(last.seat as i16)).unwrap_or_default();
        Ok(Response::new(ListHoldingsResponse { holdings, next_page_token: next }))
    }
}
