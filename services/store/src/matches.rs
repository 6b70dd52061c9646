//! Matches and their seats: everything about a match except its entries.

use crate::batch::Answers;
use crate::bots;
use crate::contributions::{self, Contributed};
use crate::display_names::{Named, look_alike, name_key};
use crate::error::is_unique_violation;
use crate::of_matches;
use crate::shards::{Group, OfMatches, Shards, read_apart};
use crate::tags::Tags;
use crate::{Bucket, Error, Follows, MatchId, Position, Recorded, Store};
use bytes::Bytes;
use sqlx::postgres::{PgPool, PgRow};
use sqlx::{FromRow, Row};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use time::OffsetDateTime;
use uuid::Uuid;

/// A match to be created.
#[derive(Clone)]
pub struct NewMatch {
    pub match_id: MatchId,
    pub platform: String,
    pub game: String,
    pub seats: i16,
    /// The players by seat. A seat is open if it has none, or if the list ends before it.
    pub players: Vec<Option<String>>,
    /// The names to show for them, likewise. No two of them [`look_alike`].
    pub display_names: Vec<Option<String>>,
    /// What they contribute to the chance of the match, likewise.
    pub contributions: Vec<Option<Vec<u8>>>,
    /// What encrypts the speech of each of them, likewise; none in a match without talk.
    pub speech_keys: Vec<Option<SpeechKey>>,
    /// A JSON object.
    pub options: String,
    /// At most [`TAGS_MAX`].
    pub tags: Tags,
    /// A digest of the request. It distinguishes a retry from another request with the same match
    /// id.
    pub request_digest: Vec<u8>,
    pub seed: Seed,
    pub seed_commitment: [u8; 32],
    /// How long after its end the match is revealed in full; none if never.
    pub reveal_wait_s: Option<i64>,
    /// What it takes over from another match, if it follows one of the same platform.
    pub follows: Option<Follows>,
    pub create_time: OffsetDateTime,
}

/// A match as it was created, with the seats taken so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRow {
    pub match_id: MatchId,
    pub platform: String,
    pub game: String,
    pub seats: i16,
    /// A JSON object as Postgres writes it: the order of its keys may differ from the request's.
    pub options: String,
    pub request_digest: Vec<u8>,
    pub seed_commitment: Vec<u8>,
    /// How long after its end the match is revealed in full; none if never.
    pub reveal_wait_s: Option<i64>,
    /// What it takes over from another match, if it follows one.
    pub follows: Option<Follows>,
    /// The match that follows it, if one does.
    pub next: Option<MatchId>,
    /// Whether players find it while it has open seats.
    pub is_in_lobby: bool,
    pub create_time: OffsetDateTime,
    /// The seats that are taken, in order.
    pub seated: Vec<SeatRow>,
    /// The last entry, if there is one. It shows the match's state without reading the others.
    pub last: Option<Recorded>,
}

/// What the record says now about a match as it was created.
#[derive(Clone, Debug)]
pub struct Origin {
    platform: String,
    game: String,
    seats: i16,
    options: String,
    seed_commitment: Vec<u8>,
    reveal_wait_s: Option<i64>,
    follows: Option<Follows>,
    create_time: OffsetDateTime,
    seed: Option<Vec<u8>>,
}

impl Origin {
    /// Whether it is what was read before.
    pub fn is_of(&self, row: &MatchRow, seed: Option<&Seed>) -> bool {
        self.seed.as_deref() == seed.map(|seed| &seed[..])
            && (&self.platform, &self.game, self.seats) == (&row.platform, &row.game, row.seats)
            && (&self.options, &self.seed_commitment) == (&row.options, &row.seed_commitment)
            && (self.reveal_wait_s, self.create_time) == (row.reveal_wait_s, row.create_time)
            && self.follows == row.follows
    }

    /// From columns of `matches` and `seeds`; none for a match that is not there.
    pub(crate) fn of_row(row: &PgRow) -> Result<Option<Self>, sqlx::Error> {
        let Some(platform) = row.try_get("platform")? else { return Ok(None) };
        Ok(Some(Self {
            platform,
            game: row.try_get("game")?,
            seats: row.try_get("seats")?,
            options: row.try_get("options_text")?,
            seed_commitment: row.try_get("seed_commitment")?,
            reveal_wait_s: row.try_get("reveal_wait_s")?,
            follows: Follows::of_row(row)?,
            create_time: row.try_get("match_create_time")?,
            seed: row.try_get("seed")?,
        }))
    }
}

/// A seat that is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    pub seat: i16,
    pub player: String,
    /// The name to show for the player, if one was given.
    pub display_name: Option<String>,
    pub request_id: Option<String>,
    pub create_time: OffsetDateTime,
    /// What encrypts what the seat says; none in a match without talk, if an earlier release seated
    /// the player, and once the player is erased.
    pub speech_key: Option<SpeechKey>,
    /// Whether the player was erased, and `player` is a pseudonym.
    pub is_erased: bool,
    /// Who sat there before, the first one first.
    pub before: Vec<FormerPlayer>,
}

/// A player who sat on a seat before another one took over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerPlayer {
    /// Of the entry by which the other one took over.
    pub until: Position,
    pub player: String,
    pub display_name: Option<String>,
    /// As in [`SeatRow`].
    pub speech_key: Option<SpeechKey>,
    pub is_erased: bool,
}

/// What opens what a seat says, or what a player said who sat there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldKey {
    pub seat: i16,
    /// None of a former player who was erased, or had none.
    pub key: Option<SpeechKey>,
    pub is_former: bool,
}

/// A secret that encrypts what one seat says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SpeechKey(pub [u8; 32]);

impl SpeechKey {
    fn of_column(key: Vec<u8>) -> SpeechKey {
        SpeechKey(key.try_into().expect("a check constraint makes keys 32 bytes long"))
    }
}

impl fmt::Debug for SpeechKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SpeechKey")
    }
}

/// The outcome of [`Store::create`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created {
    Created,
    /// There is a match of this id: this request's earlier attempt if its `platform` and its
    /// `request_digest` are the same.
    Repeated(Box<MatchRow>),
    /// Another match follows the one that this match would. Nothing was created.
    PreviousFollowed(MatchId),
    /// There was a match of this id, and it was deleted. Nothing was created.
    Deleted,
    /// One of the seeks has ended. Nothing was created.
    SeekEnded,
}

/// Whom a match is created for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MadeFor {
    /// Those whom the platform seats.
    #[default]
    Players,
    /// Those too who find it in the lobby.
    Lobby,
    /// Those whose seeks these are.
    Seeks(Vec<Uuid>),
}

/// A part of the statement that creates a match: it is listed in the lobby.
const LISTED: &str = ", listed as (
                 insert into lobby (bucket, match_id, platform, game, seats, create_time)
                 select bucket, match_id, $3, $4, $5, create_time
                 from created
             )";

/// A part of the statement that creates a match: the seeks end in it. All statements take seeks in
/// the same order, so none waits for another in a circle.
const SOUGHT: &str = ", sought as (
                 insert into seek_ends (bucket, seek_id, match_id, end_time)
                 select $23::smallint, seek_id, match_id, create_time
                 from created
                 cross join (select unnest($24::uuid[]) as seek_id order by seek_id) as asked
                 returning seek_id
             ), closed as (
                 delete from open_seeks
                 using sought
                 where open_seeks.bucket = $23 and open_seeks.seek_id = sought.seek_id
             )";

/// Where a player is to be seated, and with what.
#[derive(Clone, Copy, Default)]
pub struct Place<'a> {
    /// The first open seat if none.
    pub requested: Option<i16>,
    /// What the seat contributes to the chance of the match.
    pub contribution: Option<&'a [u8]>,
    pub request_id: Option<&'a str>,
    pub speech_key: Option<SpeechKey>,
}

/// The outcome of [`Store::take_seat`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seating {
    Taken(SeatRow),
    /// The player has a seat in this match already; a retry finds its own `request_id` here.
    AlreadySeated(SeatRow),
    /// Another player has the requested seat.
    Occupied,
    /// No seat is open.
    Full,
    /// A seated player could be taken for this one: see [`look_alike`].
    NameTaken,
    /// The match has no such seat, or does not exist.
    NoSuchSeat,
}

/// The name to show for a player of a match.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct ShownName {
    pub match_id: MatchId,
    pub seat: i16,
    /// Of the entry by which another player took over; none if the player sits there.
    pub until: Option<Position>,
    pub name: String,
}

/// Reads matches, each with its seats and its last entry. The condition is applied to `matches`
/// before anything is joined. What belongs to a match is in the bucket of the match; if all are of
/// one bucket, it is named here too.
macro_rules! select_matches {
    ($bucket:literal, $condition:literal) => {
        concat!(
            "select m.*, m.options::text as options_text, seated.*, former.*,
                 (
                     select next_match_id
                     from next_matches as its
                     where its.bucket = ", $bucket, " and its.match_id = m.match_id
                         and its.platform = m.platform
                 ) as next_match_id,
                 exists (
                     select 1
                     from lobby as its
                     where its.bucket = ", $bucket, " and its.match_id = m.match_id
                 ) as is_in_lobby,
                 last.position as last_position, last.bucket_position as last_bucket_position,
                 last.request_id as last_request_id, last.create_time as last_create_time,
                 last.body as last_body, last.digest as last_digest
             from (select * from matches ",
            $condition,
            ") as m
             cross join lateral (
                 select
                     coalesce(array_agg(seat order by seat), '{}') as seated_seats,
                     coalesce(array_agg(player order by seat), '{}') as seated_players,
                     coalesce(array_agg(display_name order by seat), '{}') as seated_display_names,
                     coalesce(array_agg(request_id order by seat), '{}') as seated_request_ids,
                     coalesce(array_agg(create_time order by seat), '{}') as seated_create_times,
                     coalesce(array_agg(is_erased order by seat), '{}') as seated_is_erased,
                     coalesce(array_agg(
                         case
                             when m.options ->> 'talk' <> 'off' then (
                                 select key
                                 from speech_keys as its
                                 where its.bucket = ", $bucket, "
                                     and its.match_id = seats.match_id
                                     and its.seat = seats.seat
                             )
                         end
                         order by seat
                     ), '{}') as seated_speech_keys
                 from seats
                 where seats.bucket = ", $bucket, " and seats.match_id = m.match_id
             ) as seated
             cross join lateral (
                 select
                     coalesce(array_agg(seat), '{}') as former_seats,
                     coalesce(array_agg(until_position), '{}') as former_until,
                     coalesce(array_agg(player), '{}') as former_players,
                     coalesce(array_agg(display_name), '{}') as former_display_names,
                     coalesce(array_agg(speech_key), '{}') as former_speech_keys,
                     coalesce(array_agg(is_erased), '{}') as former_is_erased
                 from (
                     select *
                     from former_players as its
                     where its.bucket = ", $bucket, " and its.match_id = m.match_id
                     order by seat, until_position
                 ) as its
             ) as former
             left join lateral (
                 select position, bucket_position, request_id, create_time, body, digest
                 from entries
                 where entries.bucket = ", $bucket, " and entries.match_id = m.match_id
                 order by position desc
                 limit 1
             ) as last on true
             order by m.create_time desc, m.match_id desc"
        )
    };
}

/// The statement that creates a match, with what is done `also` to it.
fn create_statement(also: &str) -> String {
    format!(
        "with created as (
             insert into matches
                 (bucket, match_id, platform, game, seats, options, request_digest, seed_commitment, create_time, reveal_wait_s,
                  previous_match_id, series_number, series_wins, series_best_of)
             select $1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $14, $15, $16, $17, $18
             where not exists (
                 select 1
                 from deleted_matches
                 where bucket = $1 and match_id = $2
             )
             on conflict do nothing
             returning bucket, match_id, create_time
         ), seated as (
             insert into seats
                 (bucket, match_id, seat, player, display_name, display_name_key,
                  create_time, platform, match_create_time)
             select bucket, match_id, number - 1, player, display_name, display_name_key,
                 create_time, $3, create_time
             from created
             cross join unnest($11::text[], $19::text[], $20::text[]) with ordinality
                 as named (player, display_name, display_name_key, number)
             where player is not null
         ), keyed as (
             insert into speech_keys (bucket, match_id, seat, key)
             select bucket, match_id, number - 1, key
             from created
             cross join unnest($22::bytea[]) with ordinality as its (key, number)
             where key is not null
         ), tagged as (
             insert into match_tags
                 (bucket, match_id, key, slot, value, platform, match_create_time)
             select bucket, match_id, key, number - 1, value, $3, create_time
             from created
             cross join unnest($12::text[], $13::text[]) with ordinality as tag (key, value, number)
         ), followed as (
             insert into next_matches (bucket, match_id, platform, next_match_id)
             select bucket_of($15), $15, $3, match_id
             from created
             where $15 is not null
         ), contributed as (
             insert into contributions (bucket, match_id, seat, contribution)
             select bucket, match_id, number - 1, contribution
             from created
             cross join unnest($21::bytea[]) with ordinality as its (contribution, number)
             where contribution is not null
         ){also}
         insert into seeds (bucket, match_id, seed)
         select bucket, match_id, $10
         from created",
    )
}

/// The secret that determines all chance in a match.
pub type Seed = [u8; 32];

/// All that is needed to play a match but its entries.
#[derive(Clone)]
pub struct Loaded {
    pub row: MatchRow,
    /// None if the match was reduced to its result, or is just being removed. Otherwise somebody
    /// deleted it: a match and its seed are written in one statement.
    pub seed: Option<Seed>,
    /// What the seats have contributed to its chance, in the order of the seats. Once a match is
    /// dealt, only its first entry counts.
    pub contributions: Vec<Contributed>,
}

/// Loads matches, each by its platform and its id.
pub(crate) async fn load(
    pool: PgPool,
    shards: Arc<Shards>,
    keys: Vec<(String, MatchId)>,
) -> Result<Answers<Option<Loaded>>, Error> {
    let is_sharded = shards.are_many(&pool).await?;
    let bucket = |(_, match_id): &(String, MatchId)| Bucket::of(*match_id);
    read_apart(keys, is_sharded, bucket, |group| load_group(&pool, is_sharded, group)).await
}

async fn load_group(
    pool: &PgPool,
    is_sharded: bool,
    Group { is_of_one, of }: Group<(String, MatchId)>,
) -> Result<Vec<Option<Loaded>>, Error> {
    let (platforms, match_ids): (Vec<String>, Vec<MatchId>) = of.into_iter().unzip();
    let rows: Vec<MatchRow> = sqlx::query_as(if is_of_one { LOAD.one } else { LOAD.any })
        .bind(buckets_of(&match_ids))
        .bind(&match_ids)
        .bind(&platforms)
        .fetch_all(pool)
        .await?;
    let seeds: Vec<(MatchId, Vec<u8>)> = SEEDS.read(pool, is_sharded, &match_ids, None).await?;
    let seeds = by_match(seeds);
    // Read after the seats: a match that was full then has all that will count.
    let open: Vec<MatchId> =
        rows.iter().filter(|row| row.last.is_none()).map(|row| row.match_id).collect();
    let contributions = match open[..] {
        [] => HashMap::new(),
        _ => contributions::of_matches(pool, is_sharded, &open).await?,
    };
    let rows: HashMap<MatchId, MatchRow> =
        rows.into_iter().map(|row| (row.match_id, row)).collect();
    let loaded = platforms.iter().zip(&match_ids).map(|(platform, match_id)| {
        let row = rows.get(match_id).filter(|row| row.platform == *platform)?;
        Some(Loaded {
            row: row.clone(),
            seed: seeds.get(match_id).copied(),
            contributions: contributions.get(match_id).cloned().unwrap_or_default(),
        })
    });
    Ok(loaded.collect())
}

/// `$3` are the platforms of the matches. Each row is of one of them, but perhaps of another one's.
const LOAD: OfMatches = OfMatches {
    any: select_matches!(
        "m.bucket",
        "where (bucket, match_id, platform) in (select * from unnest($1::smallint[], $2::uuid[], $3::text[]))"
    ),
    one: select_matches!(
        "any($1)",
        "where bucket = any($1) and match_id = any($2) and platform = any($3)"
    ),
};

const FIND_ALL: OfMatches = OfMatches {
    any: select_matches!(
        "m.bucket",
        "where (bucket, match_id) in (select * from unnest($1::smallint[], $2::uuid[]))"
    ),
    one: select_matches!("any($1)", "where bucket = any($1) and match_id = any($2)"),
};

const SEEDS: OfMatches = of_matches!(
    "select match_id, seed
     from seeds
     where",
    ""
);

fn by_match(seeds: Vec<(MatchId, Vec<u8>)>) -> HashMap<MatchId, Seed> {
    let seeds = seeds.into_iter().map(|(match_id, seed)| {
        (match_id, seed.try_into().expect("a check constraint makes seeds 32 bytes long"))
    });
    seeds.collect()
}

impl Store {
    /// Creates a match with its seed, its tags and the seats of `players`, all or nothing. Of
    /// several attempts, the match's key lets one succeed; of several matches that would follow the
    /// same one, the key of `next_matches`.
    pub async fn create(&self, new: &NewMatch) -> Result<Created, Error> {
        self.create_for(new, &MadeFor::Players).await
    }

    /// As [`Store::create`], for the lobby, or for seeks that end with it: all of them, or nothing
    /// is created.
    pub async fn create_for(&self, new: &NewMatch, made_for: &MadeFor) -> Result<Created, Error> {
        let none = Vec::new();
        let (also, seek_ids) = match made_for {
            MadeFor::Players => ("", &none),
            MadeFor::Lobby => (LISTED, &none),
            MadeFor::Seeks(seek_ids) => (SOUGHT, seek_ids),
        };
        let players = new.players.iter().flatten().map(String::as_str);
        let with_bots = if bots::has_bots(players) { bots::BOTS_SEATED } else { "" };
        let also = format!("{also}{with_bots}");
        let query = sqlx::query(sqlx::AssertSqlSafe(create_statement(&also)))
            .bind(Bucket::of(new.match_id))
            .bind(new.match_id)
            .bind(&new.platform)
            .bind(&new.game)
            .bind(new.seats)
            .bind(&new.options)
            .bind(&new.request_digest)
            .bind(&new.seed_commitment[..])
            .bind(new.create_time)
            .bind(&new.seed[..])
            .bind(&new.players)
            .bind(new.tags.keys().collect::<Vec<_>>())
            .bind(new.tags.values().collect::<Vec<_>>())
            .bind(new.reveal_wait_s)
            .bind(new.follows.as_ref().map(|it| it.previous))
            .bind(new.follows.as_ref().map(|it| it.number))
            .bind(new.follows.as_ref().map(|it| &it.wins))
            .bind(new.follows.as_ref().and_then(|it| it.best_of))
            .bind(&new.display_names)
            .bind(keys_of(new.display_names.iter().map(Option::as_deref)))
            .bind(&new.contributions)
            .bind(key_bytes(new.speech_keys.iter()));
        let query = match made_for {
            MadeFor::Players | MadeFor::Lobby => query,
            MadeFor::Seeks(_) => query.bind(Bucket::of_platform(&new.platform)).bind(seek_ids),
        };
        match self.write(query).await {
            Ok(created) if created.rows_affected() == 1 => return Ok(Created::Created),
            Ok(_) => {}
            Err(Error::Fault(source))
                if matches!(made_for, MadeFor::Seeks(_)) && is_unique_violation(&source) =>
            {
                return Ok(Created::SeekEnded);
            }
            Err(error) => {
                let next = self.other_next(error, &new.platform, new.follows.as_ref()).await?;
                return Ok(Created::PreviousFollowed(next));
            }
        }
        let row = sqlx::query_as(select_matches!("$1", "where bucket = $1 and match_id = $2"))
            .bind(Bucket::of(new.match_id))
            .bind(new.match_id)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.map_or(Created::Deleted, |row| Created::Repeated(Box::new(row))))
    }

    /// A platform's match. A match of another platform takes the same query and gives the same
    /// answer as an unknown one, so a platform cannot find out whether it exists.
    pub async fn find(&self, platform: &str, match_id: MatchId) -> Result<Option<MatchRow>, Error> {
        let row = sqlx::query_as(select_matches!(
            "$1",
            "where bucket = $1 and match_id = $2 and platform = $3"
        ))
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(platform)
        .fetch_optional(&self.pool)
        .await?;
        Ok(row)
    }

    /// A platform's match with its secrets. One that was reduced to its result has none, and an
    /// empty last entry.
    pub async fn load(&self, platform: &str, match_id: MatchId) -> Result<Option<Loaded>, Error> {
        self.hot_reads.matches.load((platform.to_owned(), match_id)).await
    }

    /// These matches, newest first. Unknown ones are left out.
    pub async fn find_all(&self, match_ids: &[MatchId]) -> Result<Vec<MatchRow>, Error> {
        let mut rows: Vec<MatchRow> = self.of_matches(FIND_ALL, match_ids, None).await?;
        rows.sort_by_key(|row| Reverse((row.create_time, row.match_id)));
        Ok(rows)
    }

    /// A platform's matches, oldest first, after the given one.
    pub async fn oldest(
        &self,
        platform: &str,
        after: Option<(OffsetDateTime, MatchId)>,
        limit: i64,
    ) -> Result<Vec<MatchRow>, Error> {
        let (time, match_id) = after.unzip();
        let page: Vec<MatchId> = sqlx::query_scalar(
            "select match_id
             from matches
             where platform = $1
                 and (create_time, match_id)
                     > (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
             order by create_time, match_id
             limit $4",
        )
        .bind(platform)
        .bind(time)
        .bind(match_id)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        let mut rows = self.find_all(&page).await?;
        rows.reverse();
        Ok(rows)
    }

    /// Seats a player. Of two with the same display name, the key of `seats_display_names` lets one
    /// do so.
    pub async fn take_seat(
        &self,
        match_id: MatchId,
        (player, display_name): Named<'_>,
        place: Place<'_>,
        create_time: OffsetDateTime,
    ) -> Result<Seating, Error> {
        let Place { requested, contribution, request_id, speech_key } = place;
        loop {
            let (seats, seated) = self.seats(match_id).await?;
            if let Some(row) = seated.iter().find(|row| row.player == player) {
                return Ok(Seating::AlreadySeated(row.clone()));
            }
            let is_open = |seat: &i16| seated.iter().all(|row| row.seat != *seat);
            let seat = match requested {
                Some(seat) if !(0..seats).contains(&seat) => return Ok(Seating::NoSuchSeat),
                Some(seat) if !is_open(&seat) => return Ok(Seating::Occupied),
                Some(seat) => seat,
                None => match (0..seats).find(is_open) {
                    Some(seat) => seat,
                    None if seats == 0 => return Ok(Seating::NoSuchSeat),
                    None => return Ok(Seating::Full),
                },
            };
            let is_alike = |row: &SeatRow| look_alike((player, display_name), row.named());
            if seated.iter().any(is_alike) {
                return Ok(Seating::NameTaken);
            }
            let row = SeatRow {
                seat,
                player: player.to_owned(),
                display_name: display_name.map(str::to_owned),
                request_id: request_id.map(str::to_owned),
                create_time,
                speech_key,
                is_erased: false,
                before: Vec::new(),
            };
            if self.insert_seat(match_id, &row, contribution).await? {
                return Ok(Seating::Taken(row));
            }
            // Another player took the seat or the name, so there are no more rounds than seats.
        }
    }

    /// The names to show for the players of these matches of a platform, and for those before them,
    /// in the order in which they left.
    pub async fn shown_names(
        &self,
        platform: &str,
        match_ids: &[MatchId],
    ) -> Result<Vec<ShownName>, Error> {
        let of_seats = of_matches!(
            "select match_id, seat, null::int8 as until, coalesce(display_name, player) as name
             from seats
             where",
            "and platform = $3"
        );
        let of_former = of_matches!(
            "select match_id, seat, until_position as until, coalesce(display_name, player) as name
             from former_players
             where",
            "and platform = $3"
        );
        let mut names: Vec<ShownName> =
            self.of_matches(of_former, match_ids, Some(platform)).await?;
        names.sort_by_key(|name| name.until);
        names.append(&mut self.of_matches(of_seats, match_ids, Some(platform)).await?);
        Ok(names)
    }

    /// The secret seeds of these matches. Only for matches that are revealed, and for operators.
    pub async fn seeds(&self, match_ids: &[MatchId]) -> Result<HashMap<MatchId, Seed>, Error> {
        Ok(by_match(self.of_matches(SEEDS, match_ids, None).await?))
    }

    /// The keys of these matches that open what was said there, with their matches.
    pub async fn speech_keys(
        &self,
        match_ids: &[MatchId],
    ) -> Result<Vec<(MatchId, HeldKey)>, Error> {
        let held = of_matches!(
            "select match_id, seat, key, false
             from speech_keys
             where",
            ""
        );
        let formerly_held = of_matches!(
            "select match_id, seat, speech_key, true
             from former_players
             where",
            ""
        );
        let mut keys: Vec<(MatchId, i16, Option<Vec<u8>>, bool)> =
            self.of_matches(held, match_ids, None).await?;
        keys.append(&mut self.of_matches(formerly_held, match_ids, None).await?);
        let key = |(match_id, seat, key, is_former): (MatchId, i16, Option<Vec<u8>>, bool)| {
            (match_id, HeldKey { seat, key: key.map(SpeechKey::of_column), is_former })
        };
        Ok(keys.into_iter().map(key).collect())
    }

    /// The number of seats of a match (0 if it is unknown), and those that are taken.
    async fn seats(&self, match_id: MatchId) -> Result<(i16, Vec<SeatRow>), Error> {
        let row: Option<MatchRow> =
            sqlx::query_as(select_matches!("$1", "where bucket = $1 and match_id = $2"))
                .bind(Bucket::of(match_id))
                .bind(match_id)
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.map_or((0, Vec::new()), |row| (row.seats, row.seated)))
    }

    /// The match whose row refused that another one follows the same match. Fails with `error` if
    /// that was not the reason.
    pub(crate) async fn other_next(
        &self,
        error: Error,
        platform: &str,
        follows: Option<&Follows>,
    ) -> Result<MatchId, Error> {
        match (&error, follows) {
            (Error::Fault(source), Some(follows)) if is_unique_violation(source) => {
                self.next_match(platform, follows.previous).await?.ok_or(error)
            }
            _ => Err(error),
        }
    }

    /// Returns false if the seat, or another one by the same player or name, was taken first, or
    /// if the match was deleted.
    async fn insert_seat(
        &self,
        match_id: MatchId,
        row: &SeatRow,
        contribution: Option<&[u8]>,
    ) -> Result<bool, Error> {
        let query = sqlx::query(
            "with seated as (
                 insert into seats
                     (bucket, match_id, seat, player, display_name, display_name_key,
                      request_id, create_time, platform, match_create_time)
                 select bucket, match_id, $3, $4, $7, $8, $5, $6, platform, create_time
                 from matches
                 where bucket = $1 and match_id = $2
                 on conflict do nothing
                 returning bucket, match_id, seat
             ), contributed as (
                 insert into contributions (bucket, match_id, seat, contribution)
                 select bucket, match_id, seat, $9
                 from seated
                 where $9 is not null
             ), keyed as (
                 insert into speech_keys (bucket, match_id, seat, key)
                 select bucket, match_id, seat, $10
                 from seated
                 where $10 is not null
             )
             select 1 from seated",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(row.seat)
        .bind(&row.player)
        .bind(&row.request_id)
        .bind(row.create_time)
        .bind(&row.display_name)
        .bind(row.display_name.as_deref().map(name_key))
        .bind(contribution)
        .bind(row.speech_key.map(|it| it.0.to_vec()));
        match self.write(query).await {
            Ok(inserted) => Ok(inserted.rows_affected() == 1),
            // When its seats are read again, there are none.
            Err(Error::MatchGone(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl SeatRow {
    /// What opens what was said from the seat.
    pub fn held_keys(&self) -> impl Iterator<Item = HeldKey> {
        let seat = self.seat;
        let former = self.before.iter().map(move |it| (it.speech_key, true));
        let keys = former.chain([(self.speech_key, false)]);
        keys.map(move |(key, is_former)| HeldKey { seat, key, is_former })
    }

    fn named(&self) -> Named<'_> {
        (&self.player, self.display_name.as_deref())
    }
}

/// The column `display_name_key` for each name.
pub(crate) fn keys_of<'a>(names: impl Iterator<Item = Option<&'a str>>) -> Vec<Option<String>> {
    names.map(|name| name.map(name_key)).collect()
}

/// The column `key` for each seat.
pub(crate) fn key_bytes<'a>(
    keys: impl Iterator<Item = &'a Option<SpeechKey>>,
) -> Vec<Option<Vec<u8>>> {
    keys.map(|key| key.map(|key| key.0.to_vec())).collect()
}

/// The bucket of each match.
pub(crate) fn buckets_of(match_ids: &[MatchId]) -> Vec<Bucket> {
    match_ids.iter().map(|&match_id| Bucket::of(match_id)).collect()
}

impl FromRow<'_, PgRow> for MatchRow {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            next: row.try_get("next_match_id")?,
            is_in_lobby: row.try_get("is_in_lobby")?,
            seated: seated(row)?,
            last: last(row)?,
            ..MatchRow::as_created(row)?
        })
    }
}

impl MatchRow {
    /// From the columns of `matches` alone, as if nobody were seated and nothing had happened.
    pub(crate) fn as_created(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            match_id: row.try_get("match_id")?,
            platform: row.try_get("platform")?,
            game: row.try_get("game")?,
            seats: row.try_get("seats")?,
            options: row.try_get("options_text")?,
            request_digest: row.try_get("request_digest")?,
            seed_commitment: row.try_get("seed_commitment")?,
            reveal_wait_s: row.try_get("reveal_wait_s")?,
            follows: Follows::of_row(row)?,
            next: None,
            is_in_lobby: false,
            create_time: row.try_get("create_time")?,
            seated: Vec::new(),
            last: None,
        })
    }
}

fn seated(row: &PgRow) -> Result<Vec<SeatRow>, sqlx::Error> {
    let seats: Vec<i16> = row.try_get("seated_seats")?;
    let players: Vec<String> = row.try_get("seated_players")?;
    let display_names: Vec<Option<String>> = row.try_get("seated_display_names")?;
    let request_ids: Vec<Option<String>> = row.try_get("seated_request_ids")?;
    let create_times: Vec<OffsetDateTime> = row.try_get("seated_create_times")?;
    let keys: Vec<Option<Vec<u8>>> = row.try_get("seated_speech_keys")?;
    let erased: Vec<bool> = row.try_get("seated_is_erased")?;
    let players = players.into_iter().zip(display_names);
    let secrets = keys.into_iter().zip(erased);
    let columns = seats.into_iter().zip(players).zip(request_ids).zip(create_times).zip(secrets);
    let seated = columns.map(|((((seat, (player, display_name)), request_id), time), secrets)| {
        let (key, is_erased) = secrets;
        let (create_time, speech_key) = (time, key.map(SpeechKey::of_column));
        let before = Vec::new();
        SeatRow {
            seat,
            player,
            display_name,
            request_id,
            create_time,
            speech_key,
            is_erased,
            before,
        }
    });
    let mut seated: Vec<SeatRow> = seated.collect();
    for (seat, former) in former(row)? {
        let seated = seated.iter_mut().find(|it| it.seat == seat);
        seated.into_iter().for_each(|it| it.before.push(former.clone()));
    }
    Ok(seated)
}

/// Who sat before, with the seat.
fn former(row: &PgRow) -> Result<Vec<(i16, FormerPlayer)>, sqlx::Error> {
    let seats: Vec<i16> = row.try_get("former_seats")?;
    if seats.is_empty() {
        return Ok(Vec::new());
    }
    let until: Vec<Position> = row.try_get("former_until")?;
    let players: Vec<String> = row.try_get("former_players")?;
    let display_names: Vec<Option<String>> = row.try_get("former_display_names")?;
    let keys: Vec<Option<Vec<u8>>> = row.try_get("former_speech_keys")?;
    let erased: Vec<bool> = row.try_get("former_is_erased")?;
    let named = players.into_iter().zip(display_names);
    let columns = seats.into_iter().zip(until).zip(named).zip(keys.into_iter().zip(erased));
    let former = columns.map(|(((seat, until), (player, display_name)), (key, is_erased))| {
        let speech_key = key.map(SpeechKey::of_column);
        (seat, FormerPlayer { until, player, display_name, speech_key, is_erased })
    });
    Ok(former.collect())
}

fn last(row: &PgRow) -> Result<Option<Recorded>, sqlx::Error> {
    let Some(position) = row.try_get("last_position")? else { return Ok(None) };
    Ok(Some(Recorded {
        position,
        bucket_position: row.try_get("last_bucket_position")?,
        request_id: row.try_get("last_request_id")?,
        create_time: row.try_get("last_create_time")?,
        body: Bytes::from(row.try_get::<Vec<u8>, _>("last_body")?),
        digest: row.try_get("last_digest")?,
    }))
}
