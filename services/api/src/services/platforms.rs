//! `PlatformService`: a platform's own limits and API keys.

use contract::names::{api_key_name, platform_name};
use contract::v1::platform_service_server::PlatformService;
use contract::v1::*;
use matches::{LimitState, PlatformState};
use tonic::{Request, Response, Status};

use super::calls::Calls;
use crate::answers::values::timestamp;
use crate::error::of;
use crate::requests::pages::page_size;

/// The default page size.
const PAGE_USUAL: usize = 100;

pub(crate) struct Platforms {
    pub calls: Calls,
}

#[tonic::async_trait]
impl PlatformService for Platforms {
    async fn get_platform(
        &self,
        request: Request<GetPlatformRequest>,
    ) -> Result<Response<GetPlatformResponse>, Status> {
        let (caller, _) = self.calls.open(request).await?;
        let platform = self.calls.matches.platform(&caller).await.map_err(of)?;
        Ok(Response::new(GetPlatformResponse { platform: Some(platform_of(&platform)) }))
    }

    async fn list_api_keys(
        &self,
        request: Request<ListApiKeysRequest>,
    ) -> Result<Response<ListApiKeysResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let query = self.calls.list_query(&caller, &ListApiKeysRequest::default()).await?;
        let after = query.parse_keys_token(&request.page_token)?;
        let keys = self.calls.matches.api_keys(&caller, after, size).await.map_err(of)?;
        let last = keys.last().filter(|_| keys.len() == size);
        let next = last.map(|last| query.keys_token(last.create_time, &last.key_id));
        let api_keys = keys.into_iter().map(|key| ApiKey {
            name: api_key_name(&key.key_id),
            create_time: Some(timestamp(key.create_time)),
            revoke_time: key.revoke_time.map(timestamp),
        });
        Ok(Response::new(ListApiKeysResponse {
            api_keys: api_keys.collect(),
            next_page_token: next.unwrap_or_default(),
        }))
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
