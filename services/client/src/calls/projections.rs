//! Calls about projections.

use contract::v1::projection_service_client::ProjectionServiceClient;
use contract::v1::{GetProjectionRequest, Projection};

use crate::client::{Authorized, Client, request_of};
use crate::error::Error;

impl Client {
    /// The state of a projection, by a name such as `projections/matches`.
    pub async fn projection(&self, name: &str) -> Result<Projection, Error> {
        let request = GetProjectionRequest { name: name.to_owned() };
        let call = async || self.projections().get_projection(request_of(&request)).await;
        self.retry(call).await?.projection.ok_or(Error::Empty)
    }

    fn projections(&self) -> ProjectionServiceClient<Authorized> {
        ProjectionServiceClient::new(self.channel.clone())
    }
}
