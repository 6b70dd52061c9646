//! The browsers that tell players of their turns, and what they are still to be told:
//! `migrations/0020_push.sql`, `0023_quiet_hours.sql`.
//!
//! For each platform one process holds the feed: it queues turns in the statement that advances the
//! feed's positions, and sends them.

use std::time::Duration;

use database::Error;
use positions::{BUCKETS, Bucket, Digest, Mark, Marks, Term};
use rows::MatchId;
use sqlx_macros::FromRow;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::Deliveries;
use crate::subscriptions::LEASE;

/// The maximum number of browsers of a player, and of each seat whose token registers some. Another
/// one takes the place of the one that was registered longest ago.
pub const BROWSERS_MAX: usize = 8;

/// How many browsers whose turns are queued are read at a time.
const QUEUED_BROWSERS_MAX: i64 = 256;

/// The maximum number of queued turns of a browser that one message tells of.
const TURNS_MAX: i64 = 100;

/// A browser that is told of a player's turns.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct PushRow {
    pub push_id: Uuid,
    pub platform: String,
    pub player: String,
    /// The only match it is told of, if any.
    pub match_id: Option<MatchId>,
    pub endpoint: String,
    pub p256dh: Vec<u8>,
    pub auth: Vec<u8>,
    pub language: String,
    /// The quiet hours, if any: all three, or none.
    pub quiet_zone: Option<String>,
    /// In minutes of the day.
    pub quiet_start: Option<i16>,
    pub quiet_end: Option<i16>,
    /// The right by which it was registered, as the SQL type `caller_right`.
    pub caller_right: String,
    pub create_time: OffsetDateTime,
    pub register_time: OffsetDateTime,
}

/// A turn to queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTurn {
    pub match_id: MatchId,
    pub seat: u8,
    pub player: String,
    /// The entry that asked the seat.
    pub position: i64,
}

/// A queued turn, and its browser.
#[derive(Clone, Debug, FromRow)]
pub struct QueuedTurn {
    #[sqlx(flatten)]
    pub row: PushRow,
    pub turn_match_id: MatchId,
    pub seat: i16,
    pub position: i64,
    /// How often sending failed in a row.
    pub attempts: i32,
    /// Seconds until its browser is to be told; not positive if it is.
    pub wait_s: f64,
    /// For how many seconds sending has failed.
    pub failing_s: Option<f64>,
    /// When this was read, by the clock of the database.
    pub read_time: OffsetDateTime,
}

/// A feed as its holder reads it.
#[derive(Clone, Debug)]
pub struct PushFeed {
    pub marks: Marks,
    pub term: Term,
    pub registrations: i64,
    /// Whether any browser is registered.
    pub is_needed: bool,
}

type FeedRow = (Vec<i64>, Vec<Vec<u8>>, Term, i64, bool);

macro_rules! push_columns {
    () => {
        "s.push_id, s.platform, s.player, s.match_id, s.endpoint, s.p256dh, s.auth, s.language,
         s.quiet_zone, s.quiet_start, s.quiet_end, s.caller_right, s.create_time, s.register_time"
    };
}

/// A registration. Without a feed, one begins at `$6`.
macro_rules! register_push {
    ($condition:literal) => {
        concat!(
            "with fed as (
                 insert into push_feeds (bucket, platform, positions, digests, term)
                 values ($1, $2, $6, $7, $8)
                 on conflict (bucket, platform)
                 do update set registrations = push_feeds.registrations + 1
             )
             insert into push_subscriptions as s
                 (bucket, platform, push_id, player, caller_right, match_id, endpoint, p256dh,
                  auth, language, create_time, register_time, next_time, quiet_zone, quiet_start,
                  quiet_end)
             select $1, $2, $3, $4, $5, $9, $10, $11, $12, $13, $14, $14, $14, $15, $16, $17
             ",
            $condition,
            "
             on conflict (bucket, platform, push_id) do update
             set p256dh = excluded.p256dh,
                 auth = excluded.auth,
                 language = excluded.language,
                 quiet_zone = excluded.quiet_zone,
                 quiet_start = excluded.quiet_start,
                 quiet_end = excluded.quiet_end,
                 quiet_until = null,
                 caller_right = excluded.caller_right,
                 register_time = excluded.register_time,
                 next_time = case when s.attempts > 0 then excluded.next_time else s.next_time end,
                 attempts = 0,
                 failing_since = null
             returning ",
            push_columns!()
        )
    };
}

impl Deliveries {
    /// The key that signs for push services, as PKCS #8.
    pub async fn push_key(&self) -> Result<Option<Vec<u8>>, Error> {
        let found = sqlx::query_scalar("select secret from push_keys where bucket = 0")
            .fetch_optional(self.pool())
            .await?;
        Ok(found)
    }

    /// Adds a key, if there is none yet. If another process is faster, its key is kept.
    pub async fn create_push_key(&self, secret: &[u8]) -> Result<(), Error> {
        let query = sqlx::query("insert into push_keys (secret) values ($1)");
        self.database().add(query.bind(secret)).await.map(drop)
    }

    // === Browsers ===

    /// Registers a browser, which is told of turns after `start`; again, if it is known. Returns
    /// `None` if its right has ended.
    pub async fn register_push(
        &self,
        new: &PushRow,
        start: &Marks,
        term: Term,
    ) -> Result<Option<PushRow>, Error> {
        // A database of several nodes does not call the function while it writes. What it lets
        // through is not sent, and is deleted then.
        let is_sharded = self.database().is_sharded().await?;
        if is_sharded && !self.push_right_holds(new).await? {
            return Ok(None);
        }
        let registering = match is_sharded {
            true => sqlx::query_as(register_push!("")),
            false => sqlx::query_as(register_push!("where right_holds_for($2, $4, $5)")),
        };
        let (positions, digests) = columns_of(start);
        let registering = registering
            .bind(Bucket::of_name(&new.platform))
            .bind(&new.platform)
            .bind(new.push_id)
            .bind(&new.player)
            .bind(&new.caller_right)
            .bind(positions)
            .bind(digests)
            .bind(term)
            .bind(new.match_id)
            .bind(&new.endpoint)
            .bind(&new.p256dh)
            .bind(&new.auth)
            .bind(&new.language)
            .bind(new.register_time)
            .bind(&new.quiet_zone)
            .bind(new.quiet_start)
            .bind(new.quiet_end);
        let registered = self
            .database()
            .write_returning_any_at(Bucket::of_name(&new.platform), registering)
            .await?;
        if registered.is_some() {
            self.drop_oldest(new).await?;
        }
        Ok(registered)
    }

    async fn push_right_holds(&self, new: &PushRow) -> Result<bool, Error> {
        let holds = sqlx::query_scalar("select right_holds_for($1, $2, $3)")
            .bind(&new.platform)
            .bind(&new.player)
            .bind(&new.caller_right)
            .fetch_one(self.pool())
            .await?;
        Ok(holds)
    }

    async fn drop_oldest(&self, of: &PushRow) -> Result<(), Error> {
        let dropping = sqlx::query(
            "delete from push_subscriptions
             where bucket = $1 and platform = $2 and push_id in (
                 select push_id
                 from push_subscriptions
                 where bucket = $1
                     and platform = $2
                     and player = $3
                     and match_id is not distinct from $4
                 order by register_time desc, push_id
                 offset $5
             )",
        )
        .bind(Bucket::of_name(&of.platform))
        .bind(&of.platform)
        .bind(&of.player)
        .bind(of.match_id)
        .bind(BROWSERS_MAX as i64);
        self.database().write_at(Bucket::of_name(&of.platform), dropping).await.map(drop)
    }

    /// The browsers of a player, or of the player's seat in a match, by the time at which they were
    /// first registered.
    pub async fn list_push(
        &self,
        platform: &str,
        player: &str,
        match_id: Option<MatchId>,
        after: Option<(OffsetDateTime, Uuid)>,
        limit: i64,
    ) -> Result<Vec<PushRow>, Error> {
        let rows = sqlx::query_as(concat!(
            "select ",
            push_columns!(),
            "
             from push_subscriptions as s
             where bucket = $1
                 and platform = $2
                 and player = $3
                 and ($4::uuid is null or match_id = $4)
                 and ($5::timestamptz is null or (create_time, push_id) > ($5, $6))
             order by create_time, push_id
             limit $7"
        ))
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(player)
        .bind(match_id)
        .bind(after.map(|it| it.0))
        .bind(after.map(|it| it.1))
        .bind(limit)
        .fetch_all(self.at(Bucket::of_name(platform)))
        .await?;
        Ok(rows)
    }

    /// Forgets a browser: of any player, of one, or of a player's seat in a match. Returns false if
    /// there is none.
    pub async fn delete_push(
        &self,
        platform: &str,
        push_id: Uuid,
        player: Option<&str>,
        match_id: Option<MatchId>,
    ) -> Result<bool, Error> {
        let deleting = sqlx::query(
            "delete from push_subscriptions
             where bucket = $1
                 and platform = $2
                 and push_id = $3
                 and ($4::text is null or player = $4)
                 and ($5::uuid is null or match_id = $5)",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(push_id)
        .bind(player)
        .bind(match_id);
        let deleted = self.database().write_at(Bucket::of_name(platform), deleting).await?;
        Ok(deleted.rows_affected() > 0)
    }

    /// Forgets the browsers that are told of these matches only.
    pub async fn delete_push_of(&self, platform: &str, match_ids: &[MatchId]) -> Result<(), Error> {
        let deleting = sqlx::query(
            "delete from push_subscriptions
             where bucket = $1 and platform = $2 and match_id = any ($3)",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(match_ids);
        self.database().write_at(Bucket::of_name(platform), deleting).await.map(drop)
    }

    // === Feeds ===

    /// The platforms that have browsers and are not suspended.
    pub async fn push_feeds(&self) -> Result<Vec<String>, Error> {
        if !self.database().may_have("push_feeds", "true").await {
            return Ok(Vec::new());
        }
        let platforms = sqlx::query_scalar(
            "select platform
             from push_feeds
             join platforms using (bucket, platform)
             where suspend_time is null",
        )
        .fetch_all(self.pool_of_all())
        .await?;
        Ok(platforms)
    }

    /// Leases the feed of a platform, or renews the lease; `None` if another process holds it, or
    /// there is none.
    pub async fn lease_push(
        &self,
        platform: &str,
        consumer: &str,
    ) -> Result<Option<PushFeed>, Error> {
        let leasing = sqlx::query_as(
            "update push_feeds
             set consumer = $3, lease_time = now() + $4 * interval '1 second'
             where bucket = $1
                 and platform = $2
                 and (consumer = $3 or consumer is null or lease_time < now())
             returning positions, digests, term, registrations, exists (
                 select 1
                 from push_subscriptions
                 where bucket = $1 and platform = $2
             )",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(consumer)
        .bind(LEASE.as_secs_f64());
        let found: Option<FeedRow> =
            self.database().write_returning_any_at(Bucket::of_name(platform), leasing).await?;
        Ok(found.map(|(positions, digests, term, registrations, is_needed)| PushFeed {
            marks: marks_of(&positions, &digests),
            term,
            registrations,
            is_needed,
        }))
    }

    /// Ends the lease.
    pub async fn leave_push(&self, platform: &str, consumer: &str) -> Result<(), Error> {
        let leaving = sqlx::query(
            "update push_feeds
             set consumer = null
             where bucket = $1 and platform = $2 and consumer = $3",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(consumer);
        self.database().write_at(Bucket::of_name(platform), leaving).await.map(drop)
    }

    /// Ends a feed that no browser needs. Returns false if one was registered since.
    pub async fn close_push(
        &self,
        platform: &str,
        consumer: &str,
        registrations: i64,
    ) -> Result<bool, Error> {
        // A registration locks the row and counts, so this statement waits for it and then finds
        // another number.
        let closing = sqlx::query(
            "delete from push_feeds
             where bucket = $1 and platform = $2 and consumer = $3 and registrations = $4
                 and not exists (
                     select 1
                     from push_subscriptions
                     where bucket = $1 and platform = $2
                 )",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(consumer)
        .bind(registrations);
        let closed = self.database().write_at(Bucket::of_name(platform), closing).await?;
        Ok(closed.rows_affected() > 0)
    }

    /// Moves the feed to these positions, and queues turns for the browsers of their players, due
    /// after `wait`. All of it or, if the lease was lost, nothing: then returns false.
    ///
    /// Each seat of a match may be in `turns` once.
    pub async fn queue_turns(
        &self,
        platform: &str,
        consumer: &str,
        at: &Marks,
        term: Term,
        turns: &[NewTurn],
        wait: Duration,
    ) -> Result<bool, Error> {
        let (positions, digests) = columns_of(at);
        let queueing = sqlx::query_as(
            "with held as (
                 update push_feeds
                 set positions = $4, digests = $5, term = $6
                 where bucket = $1 and platform = $2 and consumer = $3
                 returning bucket
             ), queued as (
                 insert into push_turns
                     (bucket, platform, push_id, match_id, seat, position, due_time)
                 select s.bucket, s.platform, s.push_id, given.match_id, given.seat,
                     given.position, now() + $11 * interval '1 second'
                 from push_subscriptions as s
                 join unnest($7::uuid[], $8::smallint[], $9::text[], $10::int8[])
                     as given (match_id, seat, player, position) on s.player = given.player
                 where s.bucket = $1
                     and s.platform = $2
                     and (s.match_id is null or s.match_id = given.match_id)
                     and exists (select 1 from held)
                 on conflict (bucket, platform, push_id, match_id, seat) do update
                 set position = excluded.position, due_time = excluded.due_time
             )
             select exists (select 1 from held)",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(consumer)
        .bind(positions)
        .bind(digests)
        .bind(term)
        .bind(turns.iter().map(|it| it.match_id).collect::<Vec<_>>())
        .bind(turns.iter().map(|it| i16::from(it.seat)).collect::<Vec<_>>())
        .bind(turns.iter().map(|it| &it.player).collect::<Vec<_>>())
        .bind(turns.iter().map(|it| it.position).collect::<Vec<_>>())
        .bind(wait.as_secs_f64());
        let (is_held,): (bool,) =
            self.database().write_returning_at(Bucket::of_name(platform), queueing).await?;
        Ok(is_held)
    }

    // === Sending ===

    /// The queued turns of a platform by browser, in the order in which browsers are to be told. A
    /// browser is told of all turns that are queued as soon as one of them is due.
    pub async fn queued_turns(&self, platform: &str) -> Result<Vec<QueuedTurn>, Error> {
        let rows = sqlx::query_as(concat!(
            "select ",
            push_columns!(),
            ", t.match_id as turn_match_id, t.seat, t.position, s.attempts,
                 extract(epoch from its.ready_time - now())::float8 as wait_s,
                 extract(epoch from now() - s.failing_since)::float8 as failing_s,
                 now() as read_time
             from (
                 select s.bucket, s.platform, s.push_id,
                     greatest(s.next_time, s.quiet_until, min(t.due_time)) as ready_time
                 from push_subscriptions as s
                 join push_turns as t
                     on t.bucket = s.bucket and t.platform = s.platform and t.push_id = s.push_id
                 where s.bucket = $1 and s.platform = $2
                 group by s.bucket, s.platform, s.push_id
                 order by ready_time, s.push_id
                 limit $3
             ) as its
             join push_subscriptions as s
                 on s.bucket = its.bucket and s.platform = its.platform and s.push_id = its.push_id
             join lateral (
                 select match_id, seat, position, due_time
                 from push_turns as t
                 where t.bucket = $1 and t.platform = $2 and t.push_id = its.push_id
                 order by due_time, match_id, seat
                 limit $4
             ) as t on true
             where s.bucket = $1 and s.platform = $2
             order by its.ready_time, its.push_id, t.due_time, t.match_id, t.seat"
        ))
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(QUEUED_BROWSERS_MAX)
        .bind(TURNS_MAX)
        .fetch_all(self.at(Bucket::of_name(platform)))
        .await?;
        Ok(rows)
    }

    /// Tells browsers nothing before these times, unless their quiet hours have changed.
    pub async fn hold_push(
        &self,
        platform: &str,
        held: &[(&PushRow, OffsetDateTime)],
    ) -> Result<(), Error> {
        let holding = sqlx::query(
            "update push_subscriptions as s
             set quiet_until = given.quiet_until
             from unnest($3::uuid[], $4::text[], $5::smallint[], $6::smallint[], $7::timestamptz[])
                 as given (push_id, zone, starts, ends, quiet_until)
             where s.bucket = $1
                 and s.platform = $2
                 and s.push_id = given.push_id
                 and s.quiet_zone = given.zone
                 and s.quiet_start = given.starts
                 and s.quiet_end = given.ends",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(held.iter().map(|it| it.0.push_id).collect::<Vec<_>>())
        .bind(held.iter().map(|it| &it.0.quiet_zone).collect::<Vec<_>>())
        .bind(held.iter().map(|it| it.0.quiet_start).collect::<Vec<_>>())
        .bind(held.iter().map(|it| it.0.quiet_end).collect::<Vec<_>>())
        .bind(held.iter().map(|it| it.1).collect::<Vec<_>>());
        self.database().write(holding).await.map(drop)
    }

    /// Whether each of these rights holds, as the database knows it now.
    pub async fn push_rights_hold(&self, rights: &[&str]) -> Result<Vec<bool>, Error> {
        let hold = sqlx::query_scalar(
            "select rights_hold(array[it])
             from unnest($1::text[]) with ordinality as each (it, number)
             order by number",
        )
        .bind(rights)
        .fetch_all(self.pool())
        .await?;
        Ok(hold)
    }

    /// Removes turns from the queue of a browser. If the browser was told of some, it is left alone
    /// for `pause`.
    pub async fn settle_turns(
        &self,
        platform: &str,
        push_id: Uuid,
        turns: &[(MatchId, i16, i64)],
        pause: Option<Duration>,
    ) -> Result<(), Error> {
        let settling = sqlx::query(
            "with told as (
                 update push_subscriptions
                 set next_time = now() + $7 * interval '1 second',
                     attempts = 0,
                     failing_since = null
                 where bucket = $1 and platform = $2 and push_id = $3 and $7::float8 is not null
             )
             delete from push_turns as its
             using unnest($4::uuid[], $5::smallint[], $6::int8[]) as given (match_id, seat, position)
             where its.bucket = $1
                 and its.platform = $2
                 and its.push_id = $3
                 and its.match_id = given.match_id
                 and its.seat = given.seat
                 -- A later turn stays.
                 and its.position <= given.position",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(push_id)
        .bind(turns.iter().map(|it| it.0).collect::<Vec<_>>())
        .bind(turns.iter().map(|it| it.1).collect::<Vec<_>>())
        .bind(turns.iter().map(|it| it.2).collect::<Vec<_>>())
        .bind(pause.map(|it| it.as_secs_f64()));
        self.database().write_at(Bucket::of_name(platform), settling).await.map(drop)
    }

    /// Notes that a browser could not be told, and when it is tried again.
    pub async fn fail_push(
        &self,
        platform: &str,
        push_id: Uuid,
        wait: Duration,
    ) -> Result<(), Error> {
        let failing = sqlx::query(
            "update push_subscriptions
             set attempts = attempts + 1,
                 failing_since = least(failing_since, now()),
                 next_time = now() + $4 * interval '1 second'
             where bucket = $1 and platform = $2 and push_id = $3",
        )
        .bind(Bucket::of_name(platform))
        .bind(platform)
        .bind(push_id)
        .bind(wait.as_secs_f64());
        self.database().write_at(Bucket::of_name(platform), failing).await.map(drop)
    }
}

/// Positions and digests, as they are stored.
fn columns_of(at: &Marks) -> (Vec<i64>, Vec<Vec<u8>>) {
    let digest = |it: &Mark| it.digest.map(|it| it.as_bytes().to_vec()).unwrap_or_default();
    (at.iter().map(|it| it.position).collect(), at.iter().map(digest).collect())
}

fn marks_of(positions: &[i64], digests: &[Vec<u8>]) -> Marks {
    let mut marks = [Mark::default(); BUCKETS];
    for ((mark, &position), digest) in marks.iter_mut().zip(positions).zip(digests) {
        let digest = Digest::try_from(&digest[..]).ok();
        *mark = Mark::new(position, digest);
    }
    marks
}
