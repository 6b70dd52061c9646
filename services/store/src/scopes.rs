//! Reads entries across matches, for a platform's stream.
//!
//! A reader keeps a position in each bucket and reads a window of each. Entries outside its scope
//! advance it too, so reads stay short even if few entries match.

use database::{Error, Group, groups};
use event_log::{Error as LogError, Window};
use games::Game;
use positions::{Bucket, Digest, Mark, Position, Recorded};
use rows::{MatchId, Tags, Terms, rules_of};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};

use crate::found::terms;
use crate::of_matches::OfMatches;
use crate::{Store, Unknown};

/// The filter of the entries to read. Fields are combined with AND; empty fields match everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    pub platform: String,
    pub games: Vec<String>,
    /// Matches in which any of these has a seat.
    pub players: Vec<String>,
    /// Matches that have all of these tags at the time of reading.
    pub tags: Tags,
    /// Whether to return the seat that one of the players has.
    pub tells_seat: bool,
    /// Whether to return the seats that the players have.
    pub tells_seats: bool,
}

/// The entries of some windows, and the ends of the windows themselves.
#[derive(Debug)]
pub struct InScope {
    /// By bucket, in commit order.
    pub entries: Vec<Streamed>,
    /// The entries before each window and at its end.
    pub ends: Vec<WindowEnds>,
}

impl InScope {
    fn of_rows(rows: &[PgRow]) -> Result<InScope, Error> {
        let mut found = InScope { entries: Vec::new(), ends: Vec::new() };
        for row in rows {
            let bucket: Bucket = row.try_get("bucket")?;
            if found.ends.last().is_none_or(|last| last.bucket != bucket) {
                let mark = |position, digest| -> Result<Mark, sqlx::Error> {
                    let digest: Option<Digest> = row.try_get(digest)?;
                    Ok(Mark::new(row.try_get(position)?, digest))
                };
                let after = mark("after", "after_digest")?;
                found.ends.push(WindowEnds {
                    bucket,
                    after,
                    until: mark("until", "until_digest")?,
                });
            }
            if let Some(match_id) = row.try_get("match_id")? {
                let (game, seat) = (row.try_get("game")?, row.try_get("seat")?);
                found.entries.push(Streamed {
                    bucket,
                    match_id,
                    game,
                    module: row.try_get("module")?,
                    seat,
                    taken_over: row.try_get("taken_over")?,
                    until: row.try_get("until_position")?,
                    seats: row.try_get("seats")?,
                    recorded: Recorded::from_row(row)?,
                });
            }
        }
        Ok(found)
    }
}

/// The entries at the edges of a window. If the one before it is the one that the reader knows, the
/// window continues the read.
#[derive(Clone, Copy, Debug)]
pub struct WindowEnds {
    pub bucket: Bucket,
    pub after: Mark,
    pub until: Mark,
}

/// An entry of any match, with the game that decodes it.
#[derive(Clone, Debug)]
pub struct Streamed {
    pub bucket: Bucket,
    pub match_id: MatchId,
    pub game: String,
    /// The hash of the module that has its rules, if they are not compiled in.
    pub module: Option<String>,
    /// The seat that one of the scope's players has, or had at this entry, if the scope asks for
    /// it.
    pub seat: Option<i16>,
    /// The entry with which that player took the seat over from another, if so.
    pub taken_over: Option<Position>,
    /// The entry with which another player took it over from that player, if so.
    pub until: Option<Position>,
    /// The seats that the scope's players have, if the scope asks for them.
    pub seats: Option<Vec<i16>>,
    pub recorded: Recorded,
}

impl Streamed {
    /// The rules of its match.
    pub fn rules(&self) -> Result<&'static dyn Game, rows::Error> {
        rules_of(&self.game, self.module.as_deref())
    }
}

/// The last entry of a match.
#[derive(Clone, Debug)]
pub struct LastEntry {
    pub match_id: MatchId,
    /// The parameters of the match.
    pub terms: Terms,
    pub recorded: Recorded,
}

/// Reads the entries of a scope in some windows.
///
/// `offset 0` makes the planner read each window by its index and find each match by its key. A
/// plain join might read all matches.
macro_rules! select_in_scope {
    ($bucket:literal) => {
        concat!(
            "select w.bucket, w.after, w.until, ends.*, each.*
             from unnest($1::smallint[], $2::int8[], $3::int8[]) as w (bucket, after, until)
             cross join lateral (
                 select
                     (
                         select digest
                         from entries
                         where entries.bucket = ", $bucket, " and entries.bucket_position = w.after
                     ) as after_digest,
                     (
                         select digest
                         from entries
                         where entries.bucket = ", $bucket, " and entries.bucket_position = w.until
                     ) as until_digest
                 offset 0
             ) as ends
             left join lateral (
                 select e.match_id, m.game, m.module, m.seat, m.taken_over, m.until_position,
                     m.seats, e.position, e.bucket_position, e.request_id, e.create_time, e.body, e.digest
                 from (
                     select *
                     from entries
                     where entries.bucket = ", $bucket, "
                         and entries.bucket_position > w.after
                         and entries.bucket_position <= w.until
                     offset 0
                 ) as e
                 cross join lateral (
                     select game, terms -> 'options' ->> 'module' as module,
                         own.seat, own.taken_over, own.until_position,
                         case when $10 then array(
                             select seat
                             from seats
                             where seats.bucket = ", $bucket, "
                                 and seats.match_id = e.match_id
                                 and seats.player = any ($6)
                         ) end as seats
                     from matches
                     left join lateral (
                         select sat.seat, sat.until_position, (
                             select max(former.until_position)
                             from former_players as former
                             where former.bucket = ", $bucket, "
                                 and former.match_id = e.match_id
                                 and former.seat = sat.seat
                                 and (sat.until_position is null
                                     or former.until_position < sat.until_position)
                         ) as taken_over
                         from (
                             select seat, null::int8 as until_position
                             from seats
                             where seats.bucket = ", $bucket, "
                                 and seats.match_id = e.match_id
                                 and seats.player = any ($6)
                             union all
                             -- Who was replaced is told so, and nothing that comes after.
                             select seat, until_position
                             from former_players as former
                             where former.bucket = ", $bucket, "
                                 and former.match_id = e.match_id
                                 and former.player = any ($6)
                                 and former.until_position >= e.position
                         ) as sat
                         where $9
                         order by sat.seat
                         limit 1
                     ) as own on true
                     where matches.bucket = ", $bucket, "
                         and matches.match_id = e.match_id
                         and matches.platform = $4
                         and (cardinality($5::text[]) = 0 or matches.game = any ($5))
                         and (
                             cardinality($6::text[]) = 0
                             or own.seat is not null
                             or not $9 and exists (
                                 select 1
                                 from seats
                                 where seats.bucket = ", $bucket, "
                                     and seats.match_id = e.match_id
                                     and seats.player = any ($6)
                             )
                         )
                         and (
                             cardinality($7::text[]) = 0
                             or cardinality($7) = (
                                 select count(*)
                                 from match_tags
                                 join unnest($7, $8::text[]) as asked (key, value) using (key, value)
                                 where match_tags.bucket = ", $bucket, "
                                     and match_tags.match_id = e.match_id
                             )
                         )
                     offset 0
                 ) as m
                 offset 0
             ) as each on true
             order by w.bucket, each.bucket_position"
        )
    };
}

macro_rules! select_last_entries {
    ($bucket:literal, $condition:literal) => {
        concat!(
            "select m.match_id, m.terms, last.*
             from (select * from matches ",
            $condition,
            ") as m
             cross join lateral (
                 select position, bucket_position, request_id, create_time, body, digest
                 from entries
                 where entries.bucket = ",
            $bucket,
            " and entries.match_id = m.match_id
                 order by position desc
                 limit 1
             ) as last"
        )
    };
}

const LAST_ENTRIES: OfMatches = OfMatches {
    any: select_last_entries!(
        "m.bucket",
        "where (bucket, match_id) in (select * from unnest($1::smallint[], $2::uuid[]))"
    ),
    one: select_last_entries!("any($1)", "where bucket = any($1) and match_id = any($2)"),
};

impl FromRow<'_, PgRow> for LastEntry {
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            match_id: row.try_get("match_id")?,
            terms: terms(row)?,
            recorded: Recorded::from_row(row)?,
        })
    }
}

impl Store {
    /// The entries of the scope in these windows.
    pub async fn entries_in_scope(
        &self,
        windows: &[Window],
        scope: &Scope,
    ) -> Result<InScope, LogError> {
        let mut rows = Vec::new();
        let is_sharded = self.database().is_sharded().await?;
        for Group { is_of_one, of } in groups(windows.to_vec(), is_sharded, |it| it.bucket) {
            let entries = match is_of_one {
                true => sqlx::query(select_in_scope!("$11")),
                false => sqlx::query(select_in_scope!("w.bucket")),
            };
            let entries = entries
                .bind(of.iter().map(|it| it.bucket).collect::<Vec<_>>())
                .bind(of.iter().map(|it| it.after).collect::<Vec<_>>())
                .bind(of.iter().map(|it| it.until).collect::<Vec<_>>())
                .bind(&scope.platform)
                .bind(&scope.games)
                .bind(&scope.players)
                .bind(scope.tags.keys().collect::<Vec<_>>())
                .bind(scope.tags.values().collect::<Vec<_>>())
                .bind(scope.tells_seat)
                .bind(scope.tells_seats);
            let entries = if is_of_one { entries.bind(of[0].bucket) } else { entries };
            rows.append(&mut match is_of_one {
                true => entries.fetch_all(self.at(of[0].bucket)).await?,
                false => entries.fetch_all(self.pool()).await?,
            });
        }
        let mut found = InScope::of_rows(&rows)?;
        let rows = found.entries.iter_mut().map(|it| (it.match_id, &mut it.recorded));
        self.log().restore_or_pass(rows).await?;
        self.learn_all(Unknown::among(found.entries.iter().map(|it| it.module.as_deref()))).await;
        Ok(found)
    }

    /// The last entries of these matches. Matches without an entry are left out.
    pub async fn last_entries(&self, match_ids: &[MatchId]) -> Result<Vec<LastEntry>, Error> {
        LAST_ENTRIES.read(self.database(), match_ids, None).await
    }
}
