//! `PlatformService`: platforms with their limits and API keys, which operators change, what was
//! done to them, and what a process counts.

use std::fmt;
use std::sync::Arc;

use contract::names::{act_name, api_key_name, platform_name};
use contract::v1::platform_service_server::PlatformService;
use contract::v1::*;
use futures::future::BoxFuture;
use matches::operators::{ActTold, Actor, Ended};
use matches::{
    ActFilter, ActRow, ApiKeyRow, Caller, Error, LimitState, OperatorCaller, PlatformRow,
    PlatformState,
};
use tonic::{Request, Response, Status};

use super::calls::Calls;
use crate::answers::values::timestamp;
use crate::auth::ApiKey as NewKey;
use crate::error::of;
use crate::requests::names::{parse_api_key, parse_platform};
use crate::requests::pages::{ListQuery, foreign, page_size};

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

impl Platforms {
    /// A call of a platform, or of an operator, which is no caller of a platform.
    async fn open<T>(&self, request: Request<T>) -> Result<(Option<Caller>, T), Status> {
        if self.calls.auth.any_operator(request.metadata()).await?.is_some() {
            return Ok((None, request.into_inner()));
        }
        let (caller, request) = self.calls.open(request).await?;
        Ok((Some(caller), request))
    }

    /// A call of an operator.
    async fn open_as_operator<T>(
        &self,
        request: Request<T>,
    ) -> Result<(OperatorCaller, T), Status> {
        let operator = self.calls.auth.operator(request.metadata()).await?;
        Ok((operator, request.into_inner()))
    }
}

/// The platform that a request names, if it names one. A platform may name itself only.
fn named<'a>(
    caller: Option<&'a Caller>,
    field: &str,
    name: &'a str,
) -> Result<(Option<&'a str>, Option<&'a str>), Status> {
    let own = caller.map(|it| it.platform().map_err(of)).transpose()?;
    let name = Some(name).filter(|it| !it.is_empty());
    let name = name.map(|it| parse_platform(field, it)).transpose()?;
    if own.is_some() && name.is_some() && name != own {
        return Err(of(Error::OperatorOnly));
    }
    Ok((own, name))
}

/// The platform that a request is about: the caller's own, or the one that an operator names.
fn subject<'a>(caller: Option<&'a Caller>, field: &str, name: &'a str) -> Result<&'a str, Status> {
    match named(caller, field, name)? {
        (Some(platform), _) | (None, Some(platform)) => Ok(platform),
        (None, None) => parse_platform(field, name),
    }
}

#[tonic::async_trait]
impl PlatformService for Platforms {
    async fn get_platform(
        &self,
        request: Request<GetPlatformRequest>,
    ) -> Result<Response<GetPlatformResponse>, Status> {
        let (caller, request) = self.open(request).await?;
        let platform = subject(caller.as_ref(), "platform", &request.platform)?;
        let platform = self.calls.matches.platform(platform).await.map_err(of)?;
        Ok(Response::new(GetPlatformResponse { platform: Some(platform_of(&platform)) }))
    }

    async fn list_platforms(
        &self,
        request: Request<ListPlatformsRequest>,
    ) -> Result<Response<ListPlatformsResponse>, Status> {
        let (_, request) = self.open_as_operator(request).await?;
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let mut rows = self.calls.matches.platforms().await.map_err(of)?;
        if !request.page_token.is_empty() {
            let last = rows.iter().position(|it| it.platform == request.page_token);
            rows.drain(..=last.ok_or_else(foreign)?);
        }
        let is_last = rows.len() <= size;
        rows.truncate(size);
        let last = rows.last().filter(|_| !is_last);
        let next_page_token = last.map(|it| it.platform.clone()).unwrap_or_default();
        let platforms = rows.into_iter().map(|it| {
            let PlatformRow { platform, create_time, suspend_time, keys: _ } = it;
            let limits = Vec::new();
            platform_of(&PlatformState { platform, create_time, suspend_time, limits })
        });
        Ok(Response::new(ListPlatformsResponse { platforms: platforms.collect(), next_page_token }))
    }

    async fn create_platform(
        &self,
        request: Request<CreatePlatformRequest>,
    ) -> Result<Response<CreatePlatformResponse>, Status> {
        let (operator, request) = self.open_as_operator(request).await?;
        let platform = parse_platform("name", &request.name)?;
        let creating = self.calls.matches.create_platform(operator, platform);
        let platform = Some(platform_of(&creating.await.map_err(of)?));
        Ok(Response::new(CreatePlatformResponse { platform }))
    }

    async fn set_platform_limits(
        &self,
        request: Request<SetPlatformLimitsRequest>,
    ) -> Result<Response<SetPlatformLimitsResponse>, Status> {
        let (operator, request) = self.open_as_operator(request).await?;
        let SetPlatformLimitsRequest { name, limits } = request;
        let platform = parse_platform("name", &name)?;
        let setting = self.calls.matches.change_limits(operator, platform, limits);
        let platform = Some(platform_of(&setting.await.map_err(of)?));
        Ok(Response::new(SetPlatformLimitsResponse { platform }))
    }

    async fn suspend_platform(
        &self,
        request: Request<SuspendPlatformRequest>,
    ) -> Result<Response<SuspendPlatformResponse>, Status> {
        let (operator, request) = self.open_as_operator(request).await?;
        let platform = parse_platform("name", &request.name)?;
        let suspending = self.calls.matches.suspend_platform(operator, platform, true);
        let platform = Some(platform_of(&suspending.await.map_err(of)?));
        Ok(Response::new(SuspendPlatformResponse { platform }))
    }

    async fn resume_platform(
        &self,
        request: Request<ResumePlatformRequest>,
    ) -> Result<Response<ResumePlatformResponse>, Status> {
        let (operator, request) = self.open_as_operator(request).await?;
        let platform = parse_platform("name", &request.name)?;
        let resuming = self.calls.matches.suspend_platform(operator, platform, false);
        let platform = Some(platform_of(&resuming.await.map_err(of)?));
        Ok(Response::new(ResumePlatformResponse { platform }))
    }

    async fn create_api_key(
        &self,
        request: Request<CreateApiKeyRequest>,
    ) -> Result<Response<CreateApiKeyResponse>, Status> {
        let (operator, request) = self.open_as_operator(request).await?;
        let platform = parse_platform("parent", &request.parent)?;
        let key = NewKey::new(platform).map_err(|error| of(Error::Internal(error.into())))?;
        let hash = *key.hash().as_bytes();
        let creating = self.calls.matches.create_api_key(operator, platform, &key.key_id, hash);
        let api_key = Some(api_key_of(creating.await.map_err(of)?));
        Ok(Response::new(CreateApiKeyResponse { api_key, key: key.to_string() }))
    }

    async fn revoke_api_key(
        &self,
        request: Request<RevokeApiKeyRequest>,
    ) -> Result<Response<RevokeApiKeyResponse>, Status> {
        let (operator, request) = self.open_as_operator(request).await?;
        let platform = parse_platform("parent", &request.parent)?;
        let key_id = parse_api_key("name", &request.name)?;
        let revoking = self.calls.matches.revoke_api_key(operator, platform, key_id);
        let api_key = Some(api_key_of(revoking.await.map_err(of)?));
        Ok(Response::new(RevokeApiKeyResponse { api_key }))
    }

    async fn list_api_keys(
        &self,
        request: Request<ListApiKeysRequest>,
    ) -> Result<Response<ListApiKeysResponse>, Status> {
        let (caller, request) = self.open(request).await?;
        let ListApiKeysRequest { page_size: size, page_token, platform } = request;
        let size = page_size(size, PAGE_USUAL)?;
        let its_name = subject(caller.as_ref(), "platform", &platform)?;
        let list = ListApiKeysRequest::default();
        let query = ListQuery::new(self.calls.installation().await?, its_name, &list);
        let after = query.parse_keys_token(&page_token)?;
        let keys = self.calls.matches.api_keys(its_name, after, size).await.map_err(of)?;
        let last = keys.last().filter(|_| keys.len() == size);
        let next = last.map(|last| query.keys_token(last.create_time, &last.key_id));
        Ok(Response::new(ListApiKeysResponse {
            api_keys: keys.into_iter().map(api_key_of).collect(),
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
        let (caller, request) = self.open(request).await?;
        let ListActsRequest { page_size: size, page_token, platform, kind } = request;
        let size = page_size(size, PAGE_USUAL)?;
        let (own, named) = named(caller.as_ref(), "platform", &platform)?;
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
        suspend_time: state.suspend_time.map(timestamp),
    }
}

fn api_key_of(row: ApiKeyRow) -> ApiKey {
    ApiKey {
        name: api_key_name(&row.key_id),
        create_time: Some(timestamp(row.create_time)),
        revoke_time: row.revoke_time.map(timestamp),
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
