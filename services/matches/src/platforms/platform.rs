//! A platform: its limits and usage, its API keys, and signing in to its pages.

use std::time::Duration;

use accounts::{ActFilter, ActRow, ApiKeyRow, SignIn};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::access::{Lane, Limits, NamedLimit};
use crate::error::Error;
use crate::matches::{Inner, Matches};

/// A platform and its usage.
#[derive(Clone, Debug)]
pub struct PlatformState {
    pub platform: String,
    pub create_time: OffsetDateTime,
    /// Since when it is suspended.
    pub suspend_time: Option<OffsetDateTime>,
    pub limits: Vec<LimitState>,
}

#[derive(Clone, Copy, Debug)]
pub struct LimitState {
    pub limit: NamedLimit,
    /// How much of it is used now, in total or, if each process counts its own, in this one; `None`
    /// if that is not counted.
    pub used: Option<usize>,
}

/// Callers of no platform queue under this name, which no platform can have.
pub(super) const NOBODY: &str = "";

impl Matches {
    pub async fn platform(&self, platform: &str) -> Result<PlatformState, Error> {
        let Inner { accounts, deliveries, .. } = &*self.0;
        let reading = async {
            let times = accounts.platform_times(platform).await?;
            let row = accounts.platform_limits(&[platform.to_owned()]).await?.pop();
            let subscriptions = deliveries.count_subscriptions(platform, "").await?;
            Ok::<_, database::Error>((times, row.unwrap_or_default(), subscriptions))
        };
        let (times, row, subscriptions) = self.in_lane(Lane::Lists, platform, reading).await?;
        let no_platform = || Error::NoSuchPlatform(platform.to_owned());
        let (create_time, suspend_time) = times.ok_or_else(no_platform)?;
        let limits = Limits::named(&row).into_iter().map(|limit| {
            let used = match limit.name {
                "subscriptions_max" => Some(subscriptions),
                name => self.0.budgets.used(platform, name),
            };
            LimitState { limit, used }
        });
        Ok(PlatformState {
            platform: platform.to_owned(),
            create_time,
            suspend_time,
            limits: limits.collect(),
        })
    }

    /// A page of the API keys of a platform, newest first, after the key of this time and id.
    pub async fn api_keys(
        &self,
        platform: &str,
        after: Option<(OffsetDateTime, String)>,
        size: usize,
    ) -> Result<Vec<ApiKeyRow>, Error> {
        let listing = self.0.accounts.list_platform_keys(platform, after.as_ref(), size as i64);
        self.in_lane(Lane::Lists, platform, listing).await
    }

    /// A page of acts, those begun last first, after the one of this time and id. `platform` is the
    /// one that asks; `None` for an operator, who may read all.
    pub async fn acts(
        &self,
        platform: Option<&str>,
        filter: ActFilter<'_>,
        after: Option<(OffsetDateTime, Uuid)>,
        size: usize,
    ) -> Result<Vec<ActRow>, Error> {
        let filter = ActFilter { platform: platform.or(filter.platform), ..filter };
        let listing = self.0.accounts.list_acts(filter, after, size as i64);
        self.in_lane(Lane::Lists, platform.unwrap_or(NOBODY), listing).await
    }

    /// Allows the code of this hash to be exchanged for a session. Returns when the code expires.
    pub async fn create_sign_in(
        &self,
        hash: &[u8; 32],
        sign_in: &SignIn,
        lifetime: Duration,
    ) -> Result<OffsetDateTime, Error> {
        let creating = self.0.accounts.create_sign_in(hash, sign_in, lifetime);
        self.in_lane(Lane::Writes, &sign_in.platform, creating).await
    }

    /// Uses up a code. Returns `None` if it does not exist, was used before or has expired.
    pub async fn take_sign_in(&self, hash: &[u8; 32]) -> Result<Option<SignIn>, Error> {
        self.in_lane(Lane::Writes, NOBODY, self.0.accounts.take_sign_in(hash)).await
    }
}
