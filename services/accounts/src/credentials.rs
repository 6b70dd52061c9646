//! The data with which every process checks credentials, and its changes.
//!
//! A process reads all of it once ([`Credentials::read`]) and then only changes.

use std::time::{Duration, Instant};

use database::{Error, OfNodes, Pool};
use positions::{BUCKETS, Bucket};
use rows::MatchId;
use sqlx::postgres::{PgConnection, PgExecutor};
use tokio::time::timeout;

use crate::Accounts;
use crate::platforms::PlatformKey;
use crate::sign_ins::remove_past_sign_ins;
use crate::tokens::{PlayerHash, PlayerRevocation, TokenKey, TokenRevocation};
use crate::watch::transaction_horizon;

/// The changes since the last read.
#[derive(Default)]
pub struct CredentialChanges {
    /// With these, everything is known that transactions before this one have changed; 0 if that
    /// cannot be said.
    pub since: i64,
    /// Keys that were created or revoked.
    pub keys: Vec<PlatformKey>,
    /// All suspended platforms.
    pub suspended: Vec<String>,
    /// All keys that verify tokens, newest first.
    pub token_keys: Vec<TokenKey>,
    pub revocations: Vec<TokenRevocation>,
    /// The buckets whose nodes are unreachable. Revocations there since the last read are unknown,
    /// as in an outage of a single Postgres: their matches can be neither written nor read, except
    /// for those in this process's memory. Once a node is back, the next read returns its
    /// revocations.
    pub away: Vec<Bucket>,
    pub player_revocations: Vec<PlayerRevocation>,
}

/// A reader of credentials.
pub struct Credentials {
    accounts: Accounts,
    /// Changes by all older transactions have been read.
    since: i64,
    /// When expired revocations of players' tokens and expired codes were last removed.
    tidied: Option<Instant>,
}

/// How often expired revocations of players' tokens and expired codes are removed.
const TIDY_INTERVAL: Duration = Duration::from_secs(3600);
/// How long that may take. A node that hangs would delay the reading of all credentials.
const TIDY_WAIT: Duration = Duration::from_secs(5);

/// The longest lifetime of a token, plus an hour for clocks that disagree. Anything revoked or
/// replaced longer ago can no longer be presented.
const TOKEN_LIFE_MAX: &str = "interval '25 hours'";

/// How long a new key waits before it signs tokens: every process reads several times within it.
const SETTLED_AFTER: &str = "interval '10 seconds'";

impl Credentials {
    pub fn new(accounts: &Accounts) -> Self {
        Self { accounts: accounts.clone(), since: 0, tidied: None }
    }

    /// The changes since the last successful read; everything on the first read.
    pub async fn read(&mut self) -> Result<CredentialChanges, Error> {
        let mut connection = self.accounts.watch().await?;
        let since = transaction_horizon(&mut connection).await?;
        // After a failover to an older state, transactions are counted again from there.
        let is_sharded = self.accounts.database().is_sharded().await?;
        // Each Postgres numbers its own transactions, so everything is read.
        let after = if is_sharded || since < self.since { 0 } else { self.since };
        let (keys, suspended) =
            (changed_keys(&mut connection, after).await?, suspended(&mut connection).await?);
        let token_keys = token_keys(&mut connection).await?;
        let player_revocations = player_revocations(&mut connection, after).await?;
        connection.keep();
        let OfNodes { found, away } = self.revocations(after).await?;
        let revocations = found.concat();
        self.tidy().await;
        self.since = since;
        Ok(CredentialChanges {
            // Each Postgres numbers its own transactions.
            since: if is_sharded { 0 } else { since },
            keys,
            suspended,
            token_keys,
            revocations,
            away,
            player_revocations,
        })
    }

    /// Reads node by node. One Postgres is read on the connection that a busy pool does not delay.
    async fn revocations(&self, since: i64) -> Result<OfNodes<Vec<TokenRevocation>>, Error> {
        if !self.accounts.database().may_have("token_revocations", "true").await {
            return Ok(OfNodes { found: Vec::new(), away: Vec::new() });
        }
        let read = async |pool: Pool, buckets: Vec<Bucket>| {
            if buckets.len() < BUCKETS {
                return revocations(&pool, since, &buckets).await;
            }
            let mut connection = self.accounts.watch().await?;
            let revocations = revocations(&mut *connection, since, &buckets).await?;
            connection.keep();
            Ok(revocations)
        };
        self.accounts.database().each_node(read).await
    }

    /// Removes expired rows from time to time. It needs all nodes, and can wait for them.
    async fn tidy(&mut self) {
        if self.tidied.is_some_and(|tidied| tidied.elapsed() < TIDY_INTERVAL) {
            return;
        }
        self.tidied = Some(Instant::now());
        let tidying = async {
            let mut connection = self.accounts.watch().await?;
            remove_past_revocations(&mut connection).await?;
            remove_past_sign_ins(&mut connection).await?;
            connection.keep();
            Ok::<_, Error>(())
        };
        let tidied = timeout(TIDY_WAIT, tidying).await.unwrap_or(Err(Error::TimedOut));
        if let Err(error) = tidied {
            let error = &error as &dyn std::error::Error;
            tracing::debug!(error, "past revocations and codes are removed later");
        }
    }
}

async fn changed_keys(
    connection: &mut PgConnection,
    since: i64,
) -> Result<Vec<PlatformKey>, Error> {
    let rows: Vec<(String, String, Vec<u8>, bool)> = sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "select platform, key_id, hash, revoke_time is not null
         from platform_keys
         where changed_in >= $1::text::xid8
         and (revoke_time is null or revoke_time > now() - {TOKEN_LIFE_MAX})
         union
         select platform, key_id, hash, true
         from platform_keys
         where revoke_time > now() - {TOKEN_LIFE_MAX}"
    )))
    .bind(since.to_string())
    .fetch_all(connection)
    .await?;
    let keys = rows.into_iter().map(|(platform, key_id, hash, is_revoked)| {
        let hash = hash.try_into().expect("a check constraint makes hashes 32 bytes long");
        PlatformKey { platform, key_id, hash, is_revoked }
    });
    Ok(keys.collect())
}

async fn suspended(connection: &mut PgConnection) -> Result<Vec<String>, Error> {
    let platforms = sqlx::query_scalar(
        "select platform
         from platforms
         where suspend_time is not null",
    )
    .fetch_all(connection)
    .await?;
    Ok(platforms)
}

/// The keys that verify tokens: those that were not dropped and whose tokens may still be valid.
async fn token_keys(connection: &mut PgConnection) -> Result<Vec<TokenKey>, Error> {
    let rows: Vec<(i16, Vec<u8>, bool)> = sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "select key_id, secret, create_time < now() - {SETTLED_AFTER}
         from token_keys as this
         where bucket = 0
         and drop_time is null
         and not exists (
             select 1
             from token_keys as later
             where later.bucket = 0
             and later.key_id > this.key_id
             and later.create_time < now() - {TOKEN_LIFE_MAX}
         )
         order by key_id desc"
    )))
    .fetch_all(connection)
    .await?;
    let keys = rows.into_iter().map(|(key_id, secret, is_settled)| {
        let secret = secret.try_into().expect("a check constraint makes secrets 32 bytes long");
        TokenKey { key_id, secret, is_settled }
    });
    Ok(keys.collect())
}

async fn revocations(
    connection: impl PgExecutor<'_>,
    since: i64,
    buckets: &[Bucket],
) -> Result<Vec<TokenRevocation>, Error> {
    let rows: Vec<(MatchId, i16, i32)> = sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "select match_id, seat, max(number)
         from token_revocations
         where bucket = any($2)
         and changed_in >= $1::text::xid8
         and create_time > now() - {TOKEN_LIFE_MAX}
         group by match_id, seat"
    )))
    .bind(since.to_string())
    .bind(buckets)
    .fetch_all(connection)
    .await?;
    let revocations = rows.into_iter().map(|(match_id, seat, number)| TokenRevocation {
        match_id,
        seat: u8::try_from(seat).ok(),
        number,
    });
    Ok(revocations.collect())
}

async fn player_revocations(
    connection: &mut PgConnection,
    since: i64,
) -> Result<Vec<PlayerRevocation>, Error> {
    let rows: Vec<(Vec<u8>, i64, bool)> = sqlx::query_as(sqlx::AssertSqlSafe(format!(
        "select player_hash, number, is_erasure
         from player_revocations
         where changed_in >= $1::text::xid8
         and create_time > now() - {TOKEN_LIFE_MAX}"
    )))
    .bind(since.to_string())
    .fetch_all(connection)
    .await?;
    let revocations = rows.into_iter().map(|(hash, number, is_erasure)| {
        let hash = hash.try_into().expect("a check constraint makes hashes 32 bytes long");
        PlayerRevocation { player: PlayerHash(hash), number, is_erasure }
    });
    Ok(revocations.collect())
}

/// Removes revocations that only refuse expired tokens.
async fn remove_past_revocations(connection: &mut PgConnection) -> Result<(), Error> {
    sqlx::query(sqlx::AssertSqlSafe(format!(
        "delete from player_revocations where create_time < now() - 2 * {TOKEN_LIFE_MAX}"
    )))
    .execute(connection)
    .await?;
    Ok(())
}
