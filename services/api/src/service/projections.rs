//! `ProjectionService`: the state of projections, and holdings.

use matches::Matches;
use tonic::{Request, Response, Status};

use super::consistency_token;
use crate::auth::Auth;
use crate::error::of;
use crate::names::{parse_match, parse_projection};
use crate::render::{holding_of, projection_of};
use crate::v1::projection_service_server::ProjectionService;
use crate::v1::*;

pub(crate) struct Projections {
    pub auth: Auth,
    pub matches: Matches,
}

#[tonic::async_trait]
impl ProjectionService for Projections {
    async fn get_projection(
        &self,
        request: Request<GetProjectionRequest>,
    ) -> Result<Response<GetProjectionResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let GetProjectionRequest { name } = request.into_inner();
        let model = parse_projection("name", &name)?;
        let projection = self.matches.projection(&caller, model).await.map_err(of)?;
        Ok(Response::new(GetProjectionResponse { projection: Some(projection_of(projection)) }))
    }

    async fn list_holdings(
        &self,
        request: Request<ListHoldingsRequest>,
    ) -> Result<Response<ListHoldingsResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let request = request.into_inner();
        let match_id = parse_match("parent", &request.parent)?;
        let consistency_token =
            consistency_token(&self.matches, &caller, &request.consistency_token).await?;
        let holdings =
            self.matches.holdings(&caller, match_id, consistency_token).await.map_err(of)?;
        let holdings = holdings.into_iter().map(holding_of).collect();
        Ok(Response::new(ListHoldingsResponse { holdings }))
    }
}
