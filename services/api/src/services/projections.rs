//! `ProjectionService`: the state of projections, and holdings.

use contract::v1::projection_service_server::ProjectionService;
use contract::v1::*;
use tonic::{Request, Response, Status};

use super::calls::Calls;
use crate::answers::players::{holding_of, projection_of};
use crate::error::of;
use crate::requests::names::{parse_match, parse_projection};

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
        let consistency_token =
            self.calls.consistency_token(&caller, &request.consistency_token).await?;
        let holdings =
            self.calls.matches.holdings(&caller, match_id, consistency_token).await.map_err(of)?;
        let holdings = holdings.into_iter().map(holding_of).collect();
        Ok(Response::new(ListHoldingsResponse { holdings }))
    }
}
