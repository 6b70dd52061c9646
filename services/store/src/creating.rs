//! Creating matches.

use database::{Error, Query, is_unique_violation};
use positions::Bucket;
use rows::{MatchId, MatchRow, NewMatch};
use sqlx::Connection;
use sqlx::types::Json;
use uuid::Uuid;

use crate::Store;
use crate::bots::{BOTS_SEATED, has_bots};
use crate::columns::{key_bytes, keys_of};
use crate::finding::FIND_ONE;
use crate::found::Found;

/// The outcome of [`Store::create`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created {
    Created,
    /// A match with this id exists: an earlier attempt of this request if its `platform` and its
    /// `request_digest` are equal.
    Repeated(Box<MatchRow>),
    /// Another match follows the one that this match would. Nothing was created.
    PreviousFollowed(MatchId),
    /// A match with this id existed and was deleted. Nothing was created.
    Deleted,
    /// One of the seeks has ended. Nothing was created.
    SeekEnded,
}

/// For whom a match is created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MadeFor {
    /// For players whom the platform seats.
    #[default]
    Players,
    /// Also for players who find it in the lobby.
    Lobby,
    /// For the players of these seeks.
    Seeks(Vec<Uuid>),
}

/// A part of the statement that creates a match, to list it in the lobby.
const LISTED: &str = ", listed as (
                 insert into lobby (bucket, match_id, platform, game, seats, create_time)
                 select bucket, match_id, $3, $4, $5, create_time
                 from created
             )";

/// A part of the statement that creates a match, to end its seeks. All statements lock seeks in the
/// same order, so they cannot deadlock.
const SOUGHT: &str = ", sought as (
                 insert into seek_ends (bucket, seek_id, match_id, end_time)
                 select $20::smallint, seek_id, match_id, create_time
                 from created
                 cross join (select unnest($21::uuid[]) as seek_id order by seek_id) as asked
                 returning seek_id
             ), closed as (
                 delete from open_seeks
                 using sought
                 where open_seeks.bucket = $20 and open_seeks.seek_id = sought.seek_id
             )";

/// The statement that creates a match, with the part `also`.
fn create_statement(also: &str) -> String {
    format!(
        "with created as (
             insert into matches
                 (bucket, match_id, platform, game, seats, create_time, terms, request_digest)
             select $1, $2, $3, $4, $5, $6, $7::jsonb, $8
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
             cross join unnest($9::text[], $10::text[], $11::text[]) with ordinality
                 as named (player, display_name, display_name_key, number)
             where player is not null
         ), keyed as (
             insert into speech_keys (bucket, match_id, seat, key)
             select bucket, match_id, number - 1, key
             from created
             cross join unnest($12::bytea[]) with ordinality as its (key, number)
             where key is not null
         ), contributed as (
             insert into contributions (bucket, match_id, seat, contribution, after_commitment)
             select bucket, match_id, number - 1, contribution, $18
             from created
             cross join unnest($13::bytea[]) with ordinality as its (contribution, number)
             where contribution is not null
         ), tagged as (
             insert into match_tags
                 (bucket, match_id, key, slot, value, platform, match_create_time)
             select bucket, match_id, key, number - 1, value, $3, create_time
             from created
             cross join unnest($14::text[], $15::text[]) with ordinality as tag (key, value, number)
         ), named as (
             insert into match_names (bucket, match_id, display_name)
             select bucket, match_id, $19::text
             from created
             where $19::text is not null
         ), followed as (
             insert into next_matches (bucket, match_id, platform, next_match_id)
             select bucket_of($16), $16, $3, match_id
             from created
             where $16 is not null
         ), logged as (
             insert into transparency_pending (bucket, match_id)
             select bucket, match_id
             from created
             where exists (select 1 from transparency_logs where end_time is null)
         ){also}
         insert into seeds (bucket, match_id, seed)
         select bucket, match_id, $17
         from created",
    )
}

/// The same on a database of several nodes: a node that is away hinders no other node's matches.
const CREATE_ON_NODES: &str = "select 1
     from create_match(
         $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
         $20, $21, $22, $23
     ) as is_created
     where is_created";

impl Store {
    /// Creates a match with its seed, its tags and the seats of `players`, all or nothing. Of
    /// concurrent attempts, the match's key lets one succeed; of several matches that would follow
    /// the same one, the key of `next_matches` does.
    pub async fn create(&self, new: &NewMatch) -> Result<Created, Error> {
        self.create_for(new, &MadeFor::Players).await
    }

    /// Like [`Store::create`], for the lobby or for seeks. All the seeks end with it, or nothing is
    /// created.
    pub async fn create_for(&self, new: &NewMatch, made_for: &MadeFor) -> Result<Created, Error> {
        let is_sharded = self.database().is_sharded().await?;
        self.database().check_reachable(Bucket::of(new.match_id))?;
        match self
            .database()
            .write_at(Bucket::of(new.match_id), creation(new, made_for, is_sharded))
            .await
        {
            Ok(created) if created.rows_affected() == 1 => return Ok(Created::Created),
            Ok(_) => {}
            Err(Error::Fault(source))
                if matches!(made_for, MadeFor::Seeks(_)) && is_unique_violation(&source) =>
            {
                return Ok(Created::SeekEnded);
            }
            Err(error) => {
                let follows = new.terms.follows.as_ref();
                let next = self.other_next(error, &new.platform, follows).await?;
                return Ok(Created::PreviousFollowed(next));
            }
        }
        Ok(found(new, self.at(Bucket::of(new.match_id))).await?)
    }

    /// Creates matches, none of which follows another: all of them or, if one cannot be created,
    /// none. Returns the outcome of each in order, or the place and the outcome of that one.
    /// `is_retry` says whether an existing match was created by the same request.
    pub async fn create_all(
        &self,
        new: &[(NewMatch, MadeFor)],
        is_retry: impl Fn(usize, &MatchRow) -> bool,
    ) -> Result<Result<Vec<Created>, (usize, Created)>, Error> {
        let is_sharded = self.database().is_sharded().await?;
        let mut connection = self.database().connection().await?;
        let mut transaction = connection.begin().await?;
        let mut outcomes = vec![Created::Created; new.len()];
        // In the same order in every call, so that two calls cannot deadlock.
        let mut order: Vec<usize> = (0..new.len()).collect();
        order.sort_by_key(|&nth| new[nth].0.match_id.0);
        for nth in order {
            let (row, made_for) = &new[nth];
            let created = creation(row, made_for, is_sharded).execute(&mut *transaction).await;
            if created.map_err(Error::of_write)?.rows_affected() == 1 {
                continue;
            }
            match found(row, &mut *transaction).await? {
                Created::Repeated(stored) if is_retry(nth, &stored) => {
                    outcomes[nth] = Created::Repeated(stored);
                }
                other => return Ok(Err((nth, other))),
            }
        }
        transaction.commit().await.map_err(Error::of_write)?;
        Ok(Ok(outcomes))
    }
}

/// The statement that creates a match, with its values.
fn creation<'q>(new: &'q NewMatch, made_for: &'q MadeFor, is_sharded: bool) -> Query<'q> {
    let also = match made_for {
        MadeFor::Players => "",
        MadeFor::Lobby => LISTED,
        MadeFor::Seeks(_) => SOUGHT,
    };
    let has_bots = has_bots(new.players.iter().flatten().map(String::as_str));
    let query = if is_sharded {
        sqlx::query(CREATE_ON_NODES)
    } else {
        let also = format!("{also}{}", if has_bots { BOTS_SEATED } else { "" });
        sqlx::query(sqlx::AssertSqlSafe(create_statement(&also)))
    };
    let query = query
        .bind(Bucket::of(new.match_id))
        .bind(new.match_id)
        .bind(&new.platform)
        .bind(&new.game)
        .bind(new.seats)
        .bind(new.create_time)
        .bind(Json(&new.terms))
        .bind(&new.request_digest)
        .bind(&new.players)
        .bind(&new.display_names)
        .bind(keys_of(new.display_names.iter().map(Option::as_deref)))
        .bind(key_bytes(new.speech_keys.iter()))
        .bind(&new.contributions)
        .bind(new.tags.keys().collect::<Vec<_>>())
        .bind(new.tags.values().collect::<Vec<_>>())
        .bind(new.terms.follows.as_ref().map(|it| it.previous))
        .bind(&new.seed[..])
        .bind(new.after_commitment)
        .bind(&new.display_name);
    let query = match is_sharded {
        true => query.bind(matches!(made_for, MadeFor::Lobby)).bind(has_bots),
        false => query,
    };
    match made_for {
        MadeFor::Players | MadeFor::Lobby if is_sharded => {
            query.bind(None::<Bucket>).bind(None::<Vec<Uuid>>)
        }
        MadeFor::Players | MadeFor::Lobby => query,
        MadeFor::Seeks(seek_ids) => query.bind(Bucket::of_name(&new.platform)).bind(seek_ids),
    }
}

/// The match that a statement found instead of creating one.
async fn found(
    new: &NewMatch,
    connection: impl sqlx::PgExecutor<'_>,
) -> Result<Created, sqlx::Error> {
    let row = sqlx::query_as(FIND_ONE)
        .bind(Bucket::of(new.match_id))
        .bind(new.match_id)
        .fetch_optional(connection)
        .await?;
    Ok(row.map_or(Created::Deleted, |row: Found| Created::Repeated(Box::new(row.0))))
}
