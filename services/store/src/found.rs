//! A match as one row of a query.

use bytes::Bytes;
use positions::Recorded;
use rows::{FormerPlayer, MatchRow, SeatRow, Terms};
use serde::Deserialize;
use sqlx::postgres::PgRow;
use sqlx::types::Json;
use sqlx::{FromRow, Row};

/// Reads matches, each with its seats and its last entry. The condition is applied to `matches`
/// before anything is joined. All rows of a match are in its bucket; if all matches are of one
/// bucket, it is named here too.
macro_rules! select_matches {
    ($bucket:literal, $condition:literal) => {
        concat!(
            "select m.*, seated.*, former.*,
                 (
                     select next_match_id
                     from next_matches as its
                     where its.bucket = ",
            $bucket,
            " and its.match_id = m.match_id
                         and its.platform = m.platform
                 ) as next_match_id,
                 exists (
                     select 1
                     from lobby as its
                     where its.bucket = ",
            $bucket,
            " and its.match_id = m.match_id
                 ) as is_in_lobby,
                 (
                     select its.display_name
                     from match_names as its
                     where its.bucket = ",
            $bucket,
            " and its.match_id = m.match_id
                 ) as match_name,
                 last.position as last_position, last.bucket_position as last_bucket_position,
                 last.request_id as last_request_id, last.create_time as last_create_time,
                 last.body as last_body, last.digest as last_digest
             from (select * from matches ",
            $condition,
            ") as m
             cross join lateral (
                 select jsonb_agg(its order by seat) as seated
                 from (
                     select seat, player, display_name, request_id, create_time, is_erased,
                         (
                             select encode(key, 'hex')
                             from speech_keys as its
                             where its.bucket = ",
            $bucket,
            "
                                 and its.match_id = seats.match_id
                                 and its.seat = seats.seat
                         ) as speech_key
                     from seats
                     where seats.bucket = ",
            $bucket,
            " and seats.match_id = m.match_id
                 ) as its
             ) as seated
             cross join lateral (
                 select jsonb_agg(its order by seat, until) as former
                 from (
                     select seat, until_position as until, player, display_name, is_erased,
                         encode(speech_key, 'hex') as speech_key
                     from former_players as its
                     where its.bucket = ",
            $bucket,
            " and its.match_id = m.match_id
                 ) as its
             ) as former
             left join lateral (
                 select position, bucket_position, request_id, create_time, body, digest
                 from entries
                 where entries.bucket = ",
            $bucket,
            " and entries.match_id = m.match_id
                 order by position desc
                 limit 1
             ) as last on true
             order by m.create_time desc, m.match_id desc"
        )
    };
}
pub(crate) use select_matches;

/// A match of `select_matches`.
pub(crate) struct Found(pub MatchRow);

/// An earlier player of a seat.
#[derive(Deserialize)]
struct Former {
    seat: i16,
    #[serde(flatten)]
    player: FormerPlayer,
}

impl FromRow<'_, PgRow> for Found {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self(MatchRow {
            next: row.try_get("next_match_id")?,
            is_in_lobby: row.try_get("is_in_lobby")?,
            display_name: row.try_get("match_name")?,
            seated: seated(row)?,
            last: last(row)?,
            ..as_created(row)?
        }))
    }
}

/// From the columns of `matches` alone, without players and entries.
fn as_created(row: &PgRow) -> Result<MatchRow, sqlx::Error> {
    Ok(MatchRow {
        match_id: row.try_get("match_id")?,
        platform: row.try_get("platform")?,
        game: row.try_get("game")?,
        seats: row.try_get("seats")?,
        create_time: row.try_get("create_time")?,
        terms: terms(row)?,
        request_digest: row.try_get("request_digest")?,
        next: None,
        is_in_lobby: false,
        display_name: None,
        seated: Vec::new(),
        last: None,
    })
}

pub(crate) fn terms(row: &PgRow) -> Result<Terms, sqlx::Error> {
    let Json(terms) = row.try_get("terms")?;
    Ok(Terms::of_column(terms))
}

fn seated(row: &PgRow) -> Result<Vec<SeatRow>, sqlx::Error> {
    let seated: Option<Json<Vec<SeatRow>>> = row.try_get("seated")?;
    let mut seated = seated.map_or_else(Vec::new, |Json(seated)| seated);
    let former: Option<Json<Vec<Former>>> = row.try_get("former")?;
    for Former { seat, player } in former.into_iter().flat_map(|Json(former)| former) {
        if let Some(seated) = seated.iter_mut().find(|it| it.seat == seat) {
            seated.before.push(player);
        }
    }
    Ok(seated)
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
