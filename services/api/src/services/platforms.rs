//! `PlatformService`: a platform's own limits and API keys, what was done to it, and what a process
//! counts.

use std::fmt;
use std::sync::Arc;

use contract::names::{act_name, api_key_name, platform_name};
use contract::v1::platform_service_server::PlatformService;
use contract::v1::*;
use futures::future::BoxFuture;
use matches::operators::{ActTold, Actor, Ended};
use matches::{ActFilter, ActRow, Error, LimitState, PlatformState};
use tonic::{Request, Response, Status};

use super::calls::Calls;
use crate::answers::values::timestamp;
use crate::error::of;
use crate::requests::names::parse_platform;
use crate::requests::pages::{ListQuery, page_size};

/// The default page size.
const PAGE_USUAL: usize = 100;

pub(crate) struct Platforms {
    pub calls: Calls,
    pub metrics: MetricsSource,
}

/// Reads what the process has counted.
#[derive(Clone)]
pub struct MetricsSource(Arc<dyn Fn() -> BoxFuture<'static, Metrics> + Send + Sync>);

impl MetricsSource {
    pub fn new(read: impl Fn() -> BoxFuture<'static, Metrics> + Send + Sync + 'static) -> Self {
        Self(Arc::new(read))
    }
}

impl fmt::Debug for MetricsSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MetricsSource")
    }
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

    async fn get_metrics(
        &self,
        request: Request<GetMetricsRequest>,
    ) -> Result<Response<GetMetricsResponse>, Status> {
        self.calls.auth.operator(request.metadata()).await?;
        let metrics = Some((self.metrics.0)().await);
        Ok(Response::new(GetMetricsResponse { metrics }))
    }

    async fn list_acts(
        &self,
        request: Request<ListActsRequest>,
    ) -> Result<Response<ListActsResponse>, Status> {
        let (caller, request) = match self.calls.auth.any_operator(request.metadata()).await? {
            Some(_) => (None, request.into_inner()),
            None => {
                let (caller, request) = self.calls.open(request).await?;
                (Some(caller), request)
            }
        };
        let caller = caller.as_ref();
        let own = caller.map(|it| it.platform().map_err(of)).transpose()?;
        let ListActsRequest { page_size: size, page_token, platform, kind } = request;
        let size = page_size(size, PAGE_USUAL)?;
        let named = Some(&*platform).filter(|it| !it.is_empty());
        let named = named.map(|it| parse_platform("platform", it)).transpose()?;
        if own.is_some() && named.is_some() && named != own {
            return Err(of(Error::OperatorOnly));
        }
        let filter = ActFilter { platform: named, kind: Some(&*kind).filter(|it| !it.is_empty()) };
        let list =
            ListActsRequest { platform: platform.clone(), kind: kind.clone(), ..<_>::default() };
        // No platform has an empty name.
        let query =
            ListQuery::new(self.calls.installation().await?, own.unwrap_or_default(), &list);
        let after = query.parse_seeks_token(&page_token)?;
        let acts = self.calls.matches.acts(own, filter, after, size).await.map_err(of)?;
        let last = acts.last().filter(|_| acts.len() == size);
        let next = last.map(|last| query.seeks_token((last.create_time, last.act_id)));
        Ok(Response::new(ListActsResponse {
            acts: acts.into_iter().map(|it| act_of(it, own)).collect(),
            next_page_token: next.unwrap_or_default(),
        }))
    }
}

/// An act, as an operator or a platform may know it.
fn act_of(row: ActRow, platform: Option<&str>) -> Act {
    let ActTold { actor, actor_platform, actor_id, details, outcome, reason } = ActTold::of(&row);
    let actor_kind = match actor {
        Actor::CommandLine => ActorKind::CommandLine,
        Actor::Service => ActorKind::Service,
        Actor::Platform => ActorKind::Platform,
        Actor::OperatorKey => ActorKind::OperatorKey,
        Actor::Unknown => ActorKind::Unspecified,
    };
    let outcome = match outcome {
        Ended::Done => ActOutcome::Done,
        Ended::Unchanged => ActOutcome::Unchanged,
        Ended::Failed => ActOutcome::Failed,
        Ended::Unknown => ActOutcome::Unknown,
    };
    let may_know = platform.is_none_or(|it| actor_platform.as_deref() == Some(it));
    let is_known = outcome != ActOutcome::Unknown;
    Act {
        name: act_name(row.act_id),
        create_time: Some(timestamp(row.create_time)),
        kind: row.kind,
        actor_kind: actor_kind.into(),
        actor: actor_id.filter(|_| may_know).unwrap_or_default(),
        platform: row.platform.map(|it| platform_name(&it)).unwrap_or_default(),
        details,
        outcome: outcome.into(),
        reason: reason.unwrap_or_default(),
        end_time: row.end_time.filter(|_| is_known).map(timestamp),
        digest: row.digest.to_string(),
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
