//! Platforms and their API keys.

use database::Error;
use positions::Bucket;
use time::OffsetDateTime;

use crate::Accounts;

/// An API key of a platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformKey {
    pub platform: String,
    pub key_id: String,
    pub hash: [u8; 32],
    pub is_revoked: bool,
}

/// A platform, for people.
#[derive(Clone, Debug)]
pub struct PlatformRow {
    pub platform: String,
    pub create_time: OffsetDateTime,
    pub suspend_time: Option<OffsetDateTime>,
    /// The ids of its keys, with the time of their revocation, oldest first.
    pub keys: Vec<(String, Option<OffsetDateTime>)>,
}

/// An API key, for people, without its hash.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct ApiKeyRow {
    pub key_id: String,
    pub create_time: OffsetDateTime,
    pub revoke_time: Option<OffsetDateTime>,
}

impl Accounts {
    /// Returns false if a platform of this name already exists.
    pub async fn create_platform(
        &self,
        platform: &str,
        create_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let query = sqlx::query(
            "insert into platforms (bucket, platform, create_time)
             values ($1, $2, $3)",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(create_time);
        self.database().add(query).await
    }

    /// Adds a key, of which only the hash is stored, to a platform. Returns false if the platform
    /// is unknown or the key's id is taken.
    pub async fn create_platform_key(
        &self,
        platform: &str,
        key_id: &str,
        hash: &[u8; 32],
        create_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        if self.platform_times(platform).await?.is_none() {
            return Ok(false);
        }
        let query = sqlx::query(
            "insert into platform_keys (bucket, platform, key_id, hash, create_time)
             values ($1, $2, $3, $4, $5)",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(key_id)
        .bind(&hash[..])
        .bind(create_time);
        self.database().add(query).await
    }

    /// Returns false if there is no such key or it is already revoked.
    pub async fn revoke_platform_key(
        &self,
        platform: &str,
        key_id: &str,
        revoke_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let query = sqlx::query(
            "update platform_keys
             set revoke_time = $4, changed_in = pg_current_xact_id()
             where bucket = $1 and platform = $2 and key_id = $3 and revoke_time is null",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(key_id)
        .bind(revoke_time);
        let revoked = self.database().write(query).await?;
        Ok(revoked.rows_affected() == 1)
    }

    /// Like [`Accounts::revoke_platform_key`], as the role that serves, for an operator whose key
    /// this proves. Returns `None` without one.
    pub async fn revoke_platform_key_by(
        &self,
        proof: &[u8; 32],
        platform: &str,
        key_id: &str,
    ) -> Result<Option<bool>, Error> {
        let revoking = sqlx::query_as("select revoke_platform_key($1, $2, $3, $4)")
            .bind(proof.to_vec())
            .bind(Bucket::of_name(platform))
            .bind(platform.to_owned())
            .bind(key_id.to_owned());
        let (revoked,): (Option<bool>,) = self.database().write_returning(revoking).await?;
        Ok(revoked)
    }

    /// When the platform was added, and since when it is suspended; `None` if it is unknown.
    pub async fn platform_times(
        &self,
        platform: &str,
    ) -> Result<Option<(OffsetDateTime, Option<OffsetDateTime>)>, Error> {
        let times = sqlx::query_as(
            "select create_time, suspend_time
             from platforms
             where bucket = $1 and platform = $2",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .fetch_optional(self.pool())
        .await?;
        Ok(times)
    }

    /// A key of a platform; `None` if there is no such key.
    pub async fn find_platform_key(
        &self,
        platform: &str,
        key_id: &str,
    ) -> Result<Option<ApiKeyRow>, Error> {
        let key = sqlx::query_as(
            "select key_id, create_time, revoke_time
             from platform_keys
             where bucket = $1 and platform = $2 and key_id = $3",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(key_id)
        .fetch_optional(self.pool())
        .await?;
        Ok(key)
    }

    /// A platform's keys after one of this time and id, newest first.
    pub async fn list_platform_keys(
        &self,
        platform: &str,
        after: Option<&(OffsetDateTime, String)>,
        limit: i64,
    ) -> Result<Vec<ApiKeyRow>, Error> {
        let keys = sqlx::query_as(
            "select key_id, create_time, revoke_time
             from platform_keys
             where bucket = $1 and platform = $2
                 and ($3::timestamptz is null
                     or create_time < $3
                     or create_time = $3 and key_id > $4)
             order by create_time desc, key_id
             limit $5",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(after.map(|(create_time, _)| *create_time))
        .bind(after.map(|(_, key_id)| key_id.as_str()))
        .bind(limit)
        .fetch_all(self.pool())
        .await?;
        Ok(keys)
    }

    /// All platforms and their keys, by name.
    pub async fn list_platforms(&self) -> Result<Vec<PlatformRow>, Error> {
        type Row = (
            String,
            OffsetDateTime,
            Option<OffsetDateTime>,
            Vec<String>,
            Vec<Option<OffsetDateTime>>,
        );
        let rows: Vec<Row> = sqlx::query_as(
            "select platform, platforms.create_time, suspend_time,
                 coalesce(array_agg(key_id order by keys.create_time, key_id)
                     filter (where key_id is not null), '{}'),
                 coalesce(array_agg(revoke_time order by keys.create_time, key_id)
                     filter (where key_id is not null), '{}')
             from platforms
             left join platform_keys as keys using (bucket, platform)
             group by platform, platforms.create_time, suspend_time
             order by platform",
        )
        .fetch_all(self.pool())
        .await?;
        let rows = rows.into_iter().map(|(platform, create_time, suspend_time, ids, revoked)| {
            let keys = ids.into_iter().zip(revoked).collect();
            PlatformRow { platform, create_time, suspend_time, keys }
        });
        Ok(rows.collect())
    }

    /// Refuses a platform's keys and tokens from now on, or accepts them again. Returns false if
    /// there is no such platform.
    pub async fn suspend_platform(&self, platform: &str, suspend: bool) -> Result<bool, Error> {
        // Several nodes would refuse a volatile function in a `case` or `coalesce`.
        let updated = if suspend {
            sqlx::query(
                "update platforms
                 set suspend_time = least(suspend_time, now())
                 where bucket = $1 and platform = $2",
            )
        } else {
            sqlx::query(
                "update platforms
                 set suspend_time = null
                 where bucket = $1 and platform = $2",
            )
        };
        let updated =
            updated.bind(Bucket::of_name(platform)).bind(platform).execute(self.pool()).await?;
        // What its keys may do has changed: whoever records something by one notices that.
        sqlx::query(
            "update platform_keys
             set changed_in = pg_current_xact_id()
             where bucket = $1 and platform = $2",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .execute(self.pool())
        .await?;
        Ok(updated.rows_affected() == 1)
    }

    /// Like [`Accounts::suspend_platform`], as the role that serves, for an operator whose key this
    /// proves. Returns `None` without one.
    pub async fn suspend_platform_by(
        &self,
        proof: &[u8; 32],
        platform: &str,
        suspend: bool,
    ) -> Result<Option<bool>, Error> {
        let suspending = sqlx::query_as("select suspend_platform($1, $2, $3, $4)")
            .bind(proof.to_vec())
            .bind(Bucket::of_name(platform))
            .bind(platform.to_owned())
            .bind(suspend);
        let (suspended,): (Option<bool>,) = self.database().write_returning(suspending).await?;
        Ok(suspended)
    }

    /// The names of all platforms, sorted.
    pub async fn platforms(&self) -> Result<Vec<String>, Error> {
        let names = sqlx::query_scalar("select platform from platforms order by platform");
        Ok(names.fetch_all(self.pool()).await?)
    }
}
