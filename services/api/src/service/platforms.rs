//! `PlatformService`: what a platform may know of itself.

use matches::{LimitState, Matches, PlatformState};
use tonic::{Request, Response, Status};

use crate::auth::Auth;
use crate::error::of;
use crate::names::{api_key_name, platform_name};
use crate::render::timestamp;
use crate::v1::platform_service_server::PlatformService;
use crate::v1::*;

pub(crate) struct Platforms {
    pub auth: Auth,
    pub matches: Matches,
}

#[tonic::async_trait]
impl PlatformService for Platforms {
    async fn get_platform(
        &self,
        request: Request<GetPlatformRequest>,
    ) -> Result<Response<GetPlatformResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let platform = self.matches.platform(&caller).await.map_err(of)?;
        Ok(Response::new(GetPlatformResponse { platform: Some(platform_of(&platform)) }))
    }

    async fn list_api_keys(
        &self,
        request: Request<ListApiKeysRequest>,
    ) -> Result<Response<ListApiKeysResponse>, Status> {
        let caller = self.auth.caller(request.metadata()).await?;
        let keys = self.matches.api_keys(&caller).await.map_err(of)?;
        let api_keys = keys.into_iter().map(|key| ApiKey {
            name: api_key_name(&key.key_id),
            create_time: Some(timestamp(key.create_time)),
            revoke_time: key.revoke_time.map(timestamp),
        });
        Ok(Response::new(ListApiKeysResponse { api_keys: api_keys.collect() }))
    }
}

fn platform_of(state: &PlatformState) -> Platform {
    Platform {
        name: platform_name(&state.platform),
        create_time: Some(timestamp(state.create_time)),
        limits: state.limits.iter().map(limit_of).collect(),
    }
}

fn limit_of(state: &LimitState) -> Limit {
    Limit {
        name: state.limit.name.to_owned(),
        value: state.limit.value,
        custom: state.limit.is_set,
        used: state.used.map(|used| u32::try_from(used).unwrap_or(u32::MAX)),
    }
}
