//! Platforms, as operators add and change them by calls. Each change completes even if its caller
//! goes away.

use accounts::{ApiKeyRow, LimitsRow, PlatformRow};
use database::Error as DatabaseError;

use super::PlatformState;
use super::platform::NOBODY;
use crate::access::Lane;
use crate::detached::Detached;
use crate::error::Error;
use crate::installing::OperatorCaller;
use crate::matches::Matches;
use crate::operators::Act;

impl Matches {
    /// All platforms, by name.
    pub async fn platforms(&self) -> Result<Vec<PlatformRow>, Error> {
        self.in_lane(Lane::Lists, NOBODY, self.0.accounts.list_platforms()).await
    }

    pub async fn create_platform(
        &self,
        by: OperatorCaller,
        platform: &str,
    ) -> Result<PlatformState, Error> {
        check_platform_name(platform)?;
        let (matches, its_name) = (self.clone(), platform.to_owned());
        let creating = async move {
            let now = matches.database().clock().now();
            matches.as_operator(&by).create_platform(&its_name, now).await
        };
        if !Detached::new(creating).await?? {
            return Err(Error::PlatformExists(platform.to_owned()));
        }
        self.platform(platform).await
    }

    /// Changes limits, which come by name; 0 restores the default.
    pub async fn change_limits(
        &self,
        by: OperatorCaller,
        platform: &str,
        changes: impl IntoIterator<Item = (String, u32)>,
    ) -> Result<PlatformState, Error> {
        let row = self.0.accounts.platform_limits(&[platform.to_owned()]).await?.pop();
        let new = || LimitsRow { platform: platform.to_owned(), ..<_>::default() };
        let mut row = row.unwrap_or_else(new);
        for (name, value) in changes {
            let unknown = || invalid_limit(format!("there is no limit {name:?}"));
            let limit = row.limit(&name).ok_or_else(unknown)?;
            let too_high = |_| invalid_limit(format!("{name} is at most {}", i32::MAX));
            *limit = Some(i32::try_from(value).map_err(too_high)?).filter(|it| *it > 0);
        }
        let matches = self.clone();
        #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
        let setting = async move {
            let setting = matches.0.accounts.set_platform_limits_by(&by.proof, &row);
            matches.carried_out(&by, Act::SetLimits(&row), setting).await
        };
        Detached::new(setting).await??;
        self.platform(platform).await
    }

    /// Refuses a platform's keys and tokens, or accepts them again.
    pub async fn suspend_platform(
        &self,
        by: OperatorCaller,
        platform: &str,
        suspend: bool,
    ) -> Result<PlatformState, Error> {
        let (matches, its_name) = (self.clone(), platform.to_owned());
        #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
        let suspending = async move {
            let platform = &*its_name;
            let suspending = matches.0.accounts.suspend_platform_by(&by.proof, platform, suspend);
            let act = match suspend {
                true => Act::SuspendPlatform { platform },
                false => Act::ResumePlatform { platform },
            };
            matches.carried_out(&by, act, suspending).await
        };
        Detached::new(suspending).await??;
        self.platform(platform).await
    }

    /// Adds a key, of which only the hash is stored.
    pub async fn create_api_key(
        &self,
        by: OperatorCaller,
        platform: &str,
        key_id: &str,
        hash: [u8; 32],
    ) -> Result<ApiKeyRow, Error> {
        let (matches, its_name, its_id) = (self.clone(), platform.to_owned(), key_id.to_owned());
        let creating = async move {
            let create_time = matches.database().clock().now();
            let operator = matches.as_operator(&by);
            operator.create_platform_key(&its_name, &its_id, &hash, create_time).await
        };
        if !Detached::new(creating).await?? {
            return Err(Error::NoSuchPlatform(platform.to_owned()));
        }
        self.api_key(platform, key_id).await
    }

    /// Revokes a key, unless it is revoked already.
    pub async fn revoke_api_key(
        &self,
        by: OperatorCaller,
        platform: &str,
        key_id: &str,
    ) -> Result<ApiKeyRow, Error> {
        let (matches, its_name, its_id) = (self.clone(), platform.to_owned(), key_id.to_owned());
        #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
        let revoking = async move {
            let (platform, key_id) = (&*its_name, &*its_id);
            let revoking = matches.0.accounts.revoke_platform_key_by(&by.proof, platform, key_id);
            matches.carried_out(&by, Act::RevokeKey { platform, key_id }, revoking).await
        };
        Detached::new(revoking).await??;
        self.api_key(platform, key_id).await
    }

    async fn api_key(&self, platform: &str, key_id: &str) -> Result<ApiKeyRow, Error> {
        if let Some(key) = self.0.accounts.find_platform_key(platform, key_id).await? {
            return Ok(key);
        }
        let times = self.0.accounts.platform_times(platform).await?;
        times.ok_or_else(|| Error::NoSuchPlatform(platform.to_owned()))?;
        Err(Error::NoSuchApiKey(key_id.to_owned()))
    }

    /// Carries out an act of a caller whose key the database asks for.
    async fn carried_out(
        &self,
        by: &OperatorCaller,
        act: Act<'_>,
        work: impl Future<Output = Result<Option<bool>, DatabaseError>>,
    ) -> Result<(), Error> {
        let is_changed = |it: &Option<bool>| *it == Some(true);
        let changed = self.as_operator(by).carry_out_if(act, work, is_changed).await?;
        changed.map(drop).ok_or(Error::RightEnded)
    }
}

fn invalid_limit(rule: String) -> Error {
    Error::Invalid { field: "limits", rule }
}

/// Names of platforms are parts of API keys and logs, so their characters are limited.
pub fn check_platform_name(name: &str) -> Result<(), Error> {
    let is_plain = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
    if (1..=NAME_BYTES_MAX).contains(&name.len()) && name.chars().all(is_plain) {
        return Ok(());
    }
    let rule = "a platform's name has 1 to 32 lower-case letters, digits and hyphens";
    Err(Error::Invalid { field: "name", rule: rule.to_owned() })
}

const NAME_BYTES_MAX: usize = 32;
