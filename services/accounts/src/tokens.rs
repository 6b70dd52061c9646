//! Tokens: the secrets that sign them, and their revocations.

use database::Error;
use positions::Bucket;
use rows::MatchId;
use sqlx::Connection;

use crate::Accounts;

/// A secret with which the service signs tokens.
#[derive(Clone)]
pub struct TokenKey {
    pub key_id: i16,
    pub secret: [u8; 32],
    /// Whether every process has had time to read it, so that it may sign.
    pub is_settled: bool,
}

/// The seat that stands for all invitations to a match where their revocations are kept. No match
/// has it.
pub const INVITATIONS: u8 = u8::MAX;

/// Refuses all tokens of a match, or of one of its seats, that carry a lower number of revocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenRevocation {
    pub match_id: MatchId,
    /// `None` for all seats and spectators.
    pub seat: Option<u8>,
    /// Counted from 1 for each match and seat.
    pub number: i32,
}

/// A hash of a platform and a player's id, which discloses neither.
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

/// Refuses all tokens of a player that carry a lower number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerRevocation {
    pub player: PlayerHash,
    pub number: i64,
    /// Whether the player was erased.
    pub is_erasure: bool,
}

impl Accounts {
    /// Creates a key that signs tokens, if there is none yet. If another process is faster, its key
    /// is kept.
    pub async fn create_first_token_key(&self, secret: &[u8; 32]) -> Result<(), Error> {
        let (next, is_there): (i16, bool) = sqlx::query_as(
            "select (coalesce(max(key_id), 0) + 1)::smallint, count(*) > count(drop_time)
             from token_keys
             where bucket = 0",
        )
        .fetch_one(self.pool())
        .await?;
        // All nodes have the keys, so none can be written while one is away.
        if is_there {
            return Ok(());
        }
        let query = sqlx::query(
            "insert into token_keys (key_id, secret, create_time)
             values ($1, $2, now())",
        );
        self.database().add(query.bind(next).bind(&secret[..])).await.map(drop)
    }

    /// Adds a key that signs tokens as soon as every process knows it. If `drop` is set, the tokens
    /// of all others are refused at once. Returns the new key's id.
    pub async fn rotate_token_keys(&self, secret: &[u8; 32], drop: bool) -> Result<i16, Error> {
        let mut connection = self.database().connection().await?;
        let mut transaction = connection.begin().await?;
        if drop {
            sqlx::query(
                "update token_keys set drop_time = now() where bucket = 0 and drop_time is null",
            )
            .execute(&mut *transaction)
            .await?;
        }
        // If another process takes the number, one of both fails.
        let key_id: i16 = sqlx::query_scalar(
            "select (coalesce(max(key_id), 0) + 1)::smallint from token_keys where bucket = 0",
        )
        .fetch_one(&mut *transaction)
        .await?;
        sqlx::query(
            "insert into token_keys (key_id, secret, create_time)
             values ($1, $2, now())",
        )
        .bind(key_id)
        .bind(&secret[..])
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        let _ = connection.close().await;
        if drop {
            // Tokens of every platform have ended: whoever records something by one notices that.
            sqlx::query(
                "update platform_keys
                 set changed_in = pg_current_xact_id()
                 where revoke_time is null",
            )
            .execute(self.pool())
            .await?;
        }
        Ok(key_id)
    }

    /// Revokes the tokens minted so far for a match, or for one of its seats. Returns `None` if
    /// there is no such match.
    pub async fn revoke_tokens(
        &self,
        match_id: MatchId,
        seat: Option<u8>,
    ) -> Result<Option<TokenRevocation>, Error> {
        // One statement for each table: a node of the database that is away hinders no other.
        let number: Option<i32> = sqlx::query_scalar(
            "select (
                 select coalesce(max(number), 0) + 1
                 from token_revocations as its
                 where its.bucket = $1 and its.match_id = $2 and its.seat = $3
             )
             from matches
             where bucket = $1 and match_id = $2",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(seat_column(seat))
        .fetch_optional(self.database().at(Bucket::of(match_id)))
        .await?;
        let Some(number) = number else { return Ok(None) };
        // If another process takes the number, its concurrent revocation has the same effect.
        let adding = sqlx::query(
            "insert into token_revocations (bucket, match_id, seat, number)
             values ($1, $2, $3, $4)
             on conflict do nothing",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(seat_column(seat))
        .bind(number);
        match self.database().write_at(Bucket::of(match_id), adding).await {
            // The match was deleted.
            Err(Error::Gone(_)) => return Ok(None),
            added => _ = added?,
        }
        Ok(Some(TokenRevocation { match_id, seat, number }))
    }

    /// The last revocations of a match and of each of its seats.
    pub async fn revocations_of(&self, match_id: MatchId) -> Result<Vec<TokenRevocation>, Error> {
        let rows: Vec<(i16, i32)> = sqlx::query_as(
            "select seat, max(number)
             from token_revocations
             where bucket = $1 and match_id = $2
             group by seat",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .fetch_all(self.database().at(Bucket::of(match_id)))
        .await?;
        let of =
            |(seat, number)| TokenRevocation { match_id, seat: u8::try_from(seat).ok(), number };
        Ok(rows.into_iter().map(of).collect())
    }

    /// The numbers of revocations that a new token carries: those of the whole match and those of
    /// its seat.
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
        .fetch_one(self.database().at(Bucket::of(match_id)))
        .await?;
        Ok([of_match, of_seat])
    }
}

/// SQL expressions over a player's rows: the number of a new revocation, and the number that a new
/// token carries.
const NEXT_NUMBER: &str =
    "greatest(coalesce(max(number), 0), (extract(epoch from clock_timestamp()) * 1e6)::int8)";

impl Accounts {
    /// Revokes the tokens minted so far for a player.
    pub async fn revoke_player_tokens(
        &self,
        platform: &str,
        player: &str,
    ) -> Result<PlayerRevocation, Error> {
        self.end_player_tokens(platform, player, false).await
    }

    /// Revokes the tokens minted so far for a player, who is erased if `is_erasure`.
    pub(crate) async fn end_player_tokens(
        &self,
        platform: &str,
        player: &str,
        is_erasure: bool,
    ) -> Result<PlayerRevocation, Error> {
        let player = PlayerHash::of(platform, player);
        // If another process takes the number, its concurrent revocation has the same effect.
        let number = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
            "with next as (
                 select {NEXT_NUMBER} + 1 as number
                 from player_revocations
                 where bucket = $1 and platform = $2 and player_hash = $3
             ), added as (
                 insert into player_revocations (bucket, platform, player_hash, number, is_erasure)
                 select $1, $2, $3, number, $4
                 from next
                 on conflict do nothing
             )
             select number
             from next"
        )))
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(&player.0[..])
        .bind(is_erasure)
        .fetch_one(self.database().pool_of_all())
        .await?;
        Ok(PlayerRevocation { player, number, is_erasure })
    }

    /// The number that a new token of a player carries.
    pub async fn player_token_number(&self, platform: &str, player: &str) -> Result<i64, Error> {
        let number = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
            "select {NEXT_NUMBER}
             from player_revocations
             where bucket = $1 and platform = $2 and player_hash = $3"
        )))
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(&PlayerHash::of(platform, player).0[..])
        .fetch_one(self.pool())
        .await?;
        Ok(number)
    }
}

fn seat_column(seat: Option<u8>) -> i16 {
    seat.map_or(-1, i16::from)
}
