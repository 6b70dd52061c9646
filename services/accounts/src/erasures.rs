//! Erases players, and detects erasures by other processes.
//!
//! `migrations/0007_erasing.sql` defines what an erasure changes. It is claimed first and then
//! carried out in one transaction, by the process that claimed it or by another.

use database::Error;
use positions::Bucket;
use rows::MatchId;
use sqlx::{Connection, PgConnection};

use crate::Accounts;
use crate::tokens::PlayerRevocation;
use crate::watch::transaction_horizon;

/// A seat whose player was erased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErasedSeat {
    pub match_id: MatchId,
    /// Negative if the player had left the seat before.
    pub seat: i16,
    /// The pseudonym that replaces the player's id.
    pub pseudonym: String,
}

/// What an erasure has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erased {
    /// The player's tokens, even if nothing else is known of the player.
    pub tokens: PlayerRevocation,
    /// The seats that now have a pseudonym; `None` if the platform has no player with this id.
    pub seats: Option<Vec<ErasedSeat>>,
}

/// An erasure that is claimed but not yet carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Erasure {
    pub platform: String,
    pub pseudonym: String,
}

/// The changes since the last read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErasureChanges {
    /// The seats of erased players.
    pub seats: Vec<ErasedSeat>,
    /// All erasures in progress.
    pub under_way: Vec<Erasure>,
}

/// A reader of erasures. It has a connection of its own, so that callers cannot delay erasures.
pub struct Erasures {
    accounts: Accounts,
    /// Changes by all older transactions have been read or precede this reader.
    since: i64,
}

/// An erasure waits for writers of results.
const SETTINGS: &str = "set statement_timeout = '30s'";

impl Accounts {
    /// Erases a platform's player. If the outcome is unknown or the erasure takes too long, it may
    /// have been claimed: a process that reads [`Erasures`] then carries it out.
    ///
    /// First the player's tokens end, so that nothing is written by one after it was looked for.
    ///
    /// `pseudonym` must begin with `erased-` and be random.
    pub async fn erase_player(
        &self,
        platform: &str,
        player: &str,
        pseudonym: &str,
    ) -> Result<Erased, Error> {
        let tokens = self.end_player_tokens(platform, player, true).await?;
        let waiting = sqlx::query("select wait_for_player($1, $2)").bind(platform).bind(player);
        waiting.execute(self.database().pool_of_all()).await?;
        let seats = self.erase_known_player(platform, player, pseudonym).await?;
        Ok(Erased { tokens, seats })
    }

    async fn erase_known_player(
        &self,
        platform: &str,
        player: &str,
        pseudonym: &str,
    ) -> Result<Option<Vec<ErasedSeat>>, Error> {
        // If another process erases the player in between, this claim has nothing left to do.
        let is_claimed = self.is_known(platform, player).await?
            && self.claim_erasure(platform, player, pseudonym).await?;
        let under_way: Option<String> = sqlx::query_scalar(
            "select pseudonym
             from erasures
             where bucket = $1 and platform = $2 and player = $3",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(player)
        .fetch_optional(self.database().pool_of_all())
        .await?;
        // If it was claimed and is no longer in progress, another process completed it.
        let Some(pseudonym) = under_way else { return Ok(is_claimed.then(Vec::new)) };
        let carry_out = sqlx::query_as::<_, (bool,)>(CARRY_OUT).bind(platform).bind(&pseudonym);
        self.database().write_returning(carry_out).await?;
        let seats: Vec<(MatchId, i16)> = sqlx::query_as(
            "select match_id, seat
             from seats
             where platform = $1 and player = $2
             union all
             select match_id, (-1)::smallint
             from former_players
             where platform = $1 and player = $2",
        )
        .bind(platform)
        .bind(&pseudonym)
        .fetch_all(self.database().pool_of_all())
        .await?;
        let seat = |(match_id, seat)| ErasedSeat { match_id, seat, pseudonym: pseudonym.clone() };
        Ok(Some(seats.into_iter().map(seat).collect()))
    }

    /// Whether a platform has any data of a player with this id.
    async fn is_known(&self, platform: &str, player: &str) -> Result<bool, Error> {
        let known = sqlx::query(
            "select 1 from seats where platform = $1 and player = $2
             union all
             select 1 from former_players where platform = $1 and player = $2
             union all
             select 1 from seeks where platform = $1 and player = $2
             union all
             select 1 from match_tags where platform = $1 and value = $2
             union all
             select 1 from subscriptions where platform = $1 and $2 = any (players)
             union all
             select 1 from push_subscriptions where platform = $1 and player = $2
             limit 1",
        )
        .bind(platform)
        .bind(player)
        .fetch_optional(self.database().pool_of_all())
        .await?;
        Ok(known.is_some())
    }

    /// Returns false if an erasure of the player is already in progress.
    async fn claim_erasure(
        &self,
        platform: &str,
        player: &str,
        pseudonym: &str,
    ) -> Result<bool, Error> {
        let claim = sqlx::query(
            "insert into erasures (bucket, platform, pseudonym, player)
             values ($1, $2, $3, $4)",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(pseudonym)
        .bind(player);
        self.database().add(claim).await
    }

    /// Carries out an erasure that another or an earlier process claimed.
    pub async fn carry_out(&self, it: &Erasure) -> Result<(), Error> {
        let mut connection = self.database().connection().await?;
        sqlx::raw_sql(SETTINGS).execute(&mut connection).await?;
        let done = sqlx::query(CARRY_OUT)
            .bind(&it.platform)
            .bind(&it.pseudonym)
            .execute(&mut connection)
            .await
            .map_err(Error::of_write);
        let _ = connection.close().await;
        done.map(drop)
    }
}

const CARRY_OUT: &str = "select erase_player($1, $2)";

impl Erasures {
    /// A reader of future erasures.
    pub async fn new(accounts: &Accounts) -> Result<Self, Error> {
        let mut connection = accounts.watch().await?;
        let since = transaction_horizon(&mut connection).await?;
        connection.keep();
        Ok(Self { accounts: accounts.clone(), since })
    }

    /// The changes since the last successful read.
    pub async fn read(&mut self) -> Result<ErasureChanges, Error> {
        let mut connection = self.accounts.watch().await?;
        let since = transaction_horizon(&mut connection).await?;
        // After a failover to an older state, transactions are counted again from there.
        let is_sharded = self.accounts.database().is_sharded().await?;
        // Each Postgres numbers its own transactions, so everything is read.
        let after = if is_sharded || since < self.since { 0 } else { self.since };
        // On several nodes all seats are looked through, mostly in vain.
        let seats = match !is_sharded || is_anybody_erased(&mut connection).await? {
            true => seats_of_erased(&mut connection, after).await?,
            false => Vec::new(),
        };
        let under_way: Vec<(String, String)> = sqlx::query_as(
            "select platform, pseudonym
             from erasures
             where player is not null",
        )
        .fetch_all(&mut *connection)
        .await?;
        self.since = since;
        connection.keep();
        let seat = |(match_id, seat, pseudonym)| ErasedSeat { match_id, seat, pseudonym };
        let erasure = |(platform, pseudonym)| Erasure { platform, pseudonym };
        Ok(ErasureChanges {
            seats: seats.into_iter().map(seat).collect(),
            under_way: under_way.into_iter().map(erasure).collect(),
        })
    }
}

async fn is_anybody_erased(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("select exists (select 1 from erasures where player is null)")
        .fetch_one(connection)
        .await
}

/// The seats of players who were erased in transactions since this one.
async fn seats_of_erased(
    connection: &mut PgConnection,
    since: i64,
) -> Result<Vec<(MatchId, i16, String)>, sqlx::Error> {
    sqlx::query_as(
        "select its.match_id, its.seat, its.player
         from seats as its
         join erasures on erasures.platform = its.platform and erasures.pseudonym = its.player
         where erasures.changed_in >= $1::text::xid8 and erasures.player is null
         union all
         select its.match_id, (-1)::smallint, its.player
         from former_players as its
         join erasures on erasures.platform = its.platform and erasures.pseudonym = its.player
         where erasures.changed_in >= $1::text::xid8 and erasures.player is null",
    )
    .bind(since.to_string())
    .fetch_all(connection)
    .await
}
