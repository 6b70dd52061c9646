//! What every process knows in order to check credentials, and how it is changed.
//!
//! A process reads all of it once ([`Credentials::read`]) and then what has changed since.

use crate::sign_ins::remove_past_sign_ins;
use crate::{Bucket, Error, MatchId, OfNodes, Store};
use sqlx::postgres::PgConnection;
use std::time::{Duration, Instant};
use time::OffsetDateTime;

/// An API key of a platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformKey {
    pub platform: String,
    pub key_id: String,
    pub hash: [u8; 32],
    pub is_revoked: bool,
}

/// A secret with which the service signs tokens.
#[derive(Clone)]
pub struct TokenKey {
    pub key_id: i16,
    pub secret: [u8; 32],
    /// Whether every process has had the time to read it, so that one may sign with it.
    pub is_settled: bool,
}

/// All tokens of a match, or of one of its seats, that were minted after fewer revocations are
/// refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenRevocation {
    pub match_id: MatchId,
    /// None for every seat and for spectators.
    pub seat: Option<u8>,
    /// Counted from 1 for each match and seat.
    pub number: i32,
}

/// A player of a platform, in a form that names nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlayerHash(pub [u8; 32]);

impl PlayerHash {
    pub fn of(platform: &str, player: &str) -> PlayerHash {
        let mut hash = blake3::Hasher::new_derive_key("croupier 2026-11 player whose tokens end");
        hash.update(&(platform.len() as u64).to_le_bytes());
        hash.update(platform.as_bytes());
        hash.update(player.as_bytes());
        PlayerHash(*hash.finalize().as_bytes())
    }
}

/// All tokens of a player that were minted at a lesser number are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerRevocation {
    pub player: PlayerHash,
    pub number: i64,
    /// Whether the player was erased.
    pub is_erasure: bool,
}

/// What has changed since the last read.
#[derive(Default)]
pub struct CredentialChanges {
    /// Keys that were created or revoked.
    pub keys: Vec<PlatformKey>,
    /// All platforms that are suspended.
    pub suspended: Vec<String>,
    /// All keys that verify tokens, newest first.
    pub token_keys: Vec<TokenKey>,
    pub revocations: Vec<TokenRevocation>,
    /// The buckets whose nodes are away. What was revoked there since the last read is not known,
    /// as while one Postgres is away: their matches can be neither written nor read, but for those
    /// that this process has in memory. When a node is back, what was revoked on it is known as
    /// soon as after any other read.
    pub away: Vec<Bucket>,
    pub player_revocations: Vec<PlayerRevocation>,
}

/// A reader of credentials.
pub struct Credentials {
    store: Store,
    /// Every change by an older transaction has been read.
    since: i64,
    /// When past revocations of players' tokens, and past codes, were last removed.
    tidied: Option<Instant>,
}

/// How often past revocations of players' tokens, and past codes, are removed.
const TIDY_INTERVAL: Duration = Duration::from_secs(3600);

/// The longest lifetime of a token, and an hour for clocks that disagree. What was revoked or
/// replaced longer ago cannot be met any more.
const TOKEN_LIFE_MAX: &str = "interval '25 hours'";

/// How long a new key waits before it signs tokens: several reads of every process.
const SETTLED_AFTER: &str = "interval '10 seconds'";

impl Credentials {
    pub fn new(store: &Store) -> Self {
        Self { store: store.clone(), since: 0, tidied: None }
    }

    /// What has changed since the last successful read; everything at first.
    pub async fn read(&mut self) -> Result<CredentialChanges, Error> {
        let mut connection = self.store.watch().await?;
        let since = transaction_horizon(&mut connection).await?;
        // After a failover to an older state, transactions are counted again from there.
        let is_sharded = self.store.is_sharded().await?;
        // Several Postgres number their transactions each on its own, so everything is read.
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
        Ok(CredentialChanges { keys, suspended, token_keys, revocations, away, player_revocations })
    }

    /// Node by node, and on another connection after one that is away: its answer may yet come.
    async fn revocations(&self, since: i64) -> Result<OfNodes<Vec<TokenRevocation>>, Error> {
        let read = async |buckets: Vec<Bucket>| {
            let mut connection = self.store.watch().await?;
            let revocations = revocations(&mut connection, since, &buckets).await?;
            connection.keep();
            Ok(revocations)
        };
        self.store.each_node(read).await
    }

    /// Removes what is past, now and then. All nodes are needed for it, and it can wait for them.
    async fn tidy(&mut self) {
        if self.tidied.is_some_and(|tidied| tidied.elapsed() < TIDY_INTERVAL) {
            return;
        }
        self.tidied = Some(Instant::now());
        let tidying = async {
            let mut connection = self.store.watch().await?;
            remove_past_revocations(&mut connection).await?;
            remove_past_sign_ins(&mut connection).await?;
            connection.keep();
            Ok::<_, Error>(())
        };
        if let Err(error) = tidying.await {
            let error = &error as &dyn std::error::Error;
            tracing::debug!(error, "past revocations and codes are removed later");
        }
    }
}

/// Every older transaction is over, so that its changes are visible to the statements that follow.
pub(crate) async fn transaction_horizon(connection: &mut PgConnection) -> Result<i64, Error> {
    let horizon = sqlx::query_scalar("select pg_snapshot_xmin(pg_current_snapshot())::text::int8")
        .fetch_one(connection)
        .await?;
    Ok(horizon)
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

/// The keys that verify tokens: neither dropped nor replaced so long ago that every token signed by
/// them has expired.
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
    connection: &mut PgConnection,
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

/// Every token that they refuse has expired.
async fn remove_past_revocations(connection: &mut PgConnection) -> Result<(), Error> {
    sqlx::query(sqlx::AssertSqlSafe(format!(
        "delete from player_revocations where create_time < now() - 2 * {TOKEN_LIFE_MAX}"
    )))
    .execute(connection)
    .await?;
    Ok(())
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

impl Store {
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
        .fetch_all(&self.pool)
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
        let updated = sqlx::query(
            "update platforms
             set suspend_time = case when $3 then coalesce(suspend_time, now()) end
             where bucket = $1 and platform = $2",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(suspend)
        .execute(&self.pool)
        .await?;
        Ok(updated.rows_affected() == 1)
    }

    /// Creates a key that signs tokens, if there is none yet. Another process may be faster; then
    /// its key is kept.
    pub async fn create_first_token_key(&self, secret: &[u8; 32]) -> Result<(), Error> {
        sqlx::query(
            "insert into token_keys (key_id, secret, create_time)
             select coalesce(max(key_id), 0) + 1, $1, now()
             from token_keys
             where bucket = 0
             having bool_and(drop_time is not null) is not false
             on conflict do nothing",
        )
        .bind(&secret[..])
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Adds a key that signs tokens as soon as every process knows it. If `drop` is set, the tokens
    /// of all others are refused at once. Returns the new key's id.
    pub async fn rotate_token_keys(&self, secret: &[u8; 32], drop: bool) -> Result<i16, Error> {
        let key_id = sqlx::query_scalar(
            "with dropped as (
                 update token_keys
                 set drop_time = now()
                 where bucket = 0 and drop_time is null and $2
             )
             insert into token_keys (key_id, secret, create_time)
             select coalesce(max(key_id), 0) + 1, $1, now()
             from token_keys
             where bucket = 0
             returning key_id",
        )
        .bind(&secret[..])
        .bind(drop)
        .fetch_one(&self.pool)
        .await?;
        Ok(key_id)
    }

    /// Revokes the tokens minted so far for a match, or for one of its seats. Returns none if there
    /// is no such match.
    pub async fn revoke_tokens(
        &self,
        match_id: MatchId,
        seat: Option<u8>,
    ) -> Result<Option<TokenRevocation>, Error> {
        // If another process takes the number, its revocation is as late as this one.
        let number: Option<i32> = sqlx::query_scalar(
            "with next as (
                 select coalesce(max(number), 0) + 1 as number
                 from token_revocations
                 where bucket = $1 and match_id = $2 and seat = $3
             ), added as (
                 insert into token_revocations (bucket, match_id, seat, number)
                 select $1, $2, $3, number
                 from next
                 join matches on matches.bucket = $1 and matches.match_id = $2
                 on conflict do nothing
             )
             select number
             from next
             join matches on matches.bucket = $1 and matches.match_id = $2",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(seat_column(seat))
        .fetch_optional(&self.pool)
        .await?;
        Ok(number.map(|number| TokenRevocation { match_id, seat, number }))
    }

    /// How many revocations a token that is minted now has behind it: those of the whole match, and
    /// those of its seat.
    pub async fn token_revocations(
        &self,
        match_id: MatchId,
        seat: Option<u8>,
    ) -> Result<[i32; 2], Error> {
        let (of_match, of_seat) = sqlx::query_as(
            "select coalesce(max(number) filter (where seat = -1), 0),
                 coalesce(max(number) filter (where seat = $3), 0)
             from token_revocations
             where bucket = $1 and match_id = $2",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(seat.map(i16::from))
        .fetch_one(&self.pool)
        .await?;
        Ok([of_match, of_seat])
    }
}

/// The number of a new revocation of a player's tokens, and the one that a token carries which is
/// minted now, as expressions over the player's rows.
const NEXT_NUMBER: &str =
    "greatest(coalesce(max(number), 0), (extract(epoch from clock_timestamp()) * 1e6)::int8)";

impl Store {
    /// Revokes the tokens minted so far for a player.
    pub async fn revoke_player_tokens(
        &self,
        platform: &str,
        player: &str,
    ) -> Result<PlayerRevocation, Error> {
        let player = PlayerHash::of(platform, player);
        // If another process takes the number, its revocation is as late as this one.
        let number = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
            "with next as (
                 select {NEXT_NUMBER} + 1 as number
                 from player_revocations
                 where bucket = $1 and platform = $2 and player_hash = $3
             ), added as (
                 insert into player_revocations (bucket, platform, player_hash, number)
                 select $1, $2, $3, number
                 from next
                 on conflict do nothing
             )
             select number
             from next"
        )))
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(&player.0[..])
        .fetch_one(&self.pool)
        .await?;
        Ok(PlayerRevocation { player, number, is_erasure: false })
    }

    /// The number that a token carries which is minted now for a player.
    pub async fn player_token_number(&self, platform: &str, player: &str) -> Result<i64, Error> {
        let number = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
            "select {NEXT_NUMBER}
             from player_revocations
             where bucket = $1 and platform = $2 and player_hash = $3"
        )))
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(&PlayerHash::of(platform, player).0[..])
        .fetch_one(&self.pool)
        .await?;
        Ok(number)
    }
}

fn seat_column(seat: Option<u8>) -> i16 {
    seat.map_or(-1, i16::from)
}
