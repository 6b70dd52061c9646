//! A platform's own notes about its matches: their names and tags, and whether they are in the
//! lobby. For each of them, and for each key of a tag, the last writer wins.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use database::{Error, is_unique_violation};
use positions::Bucket;
use rows::{MatchId, TAGS_MAX, Tags};
use sqlx::Connection;
use sqlx::postgres::{PgConnection, PgExecutor};

use crate::of_matches::OfMatches;
use crate::{Store, of_matches};

/// The outcome of [`Store::tag`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tagging {
    Tagged,
    /// The match would have more than [`TAGS_MAX`] tags. Nothing was changed.
    TooMany,
}

/// What a platform has noted about a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    pub display_name: Option<String>,
    pub tags: Tags,
}

/// The notes to change; `None` leaves what is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewNotes {
    /// The name; `Some(None)` removes it.
    pub display_name: Option<Option<String>>,
    pub lobby: Option<bool>,
    /// All tags. At most [`TAGS_MAX`].
    pub tags: Option<Tags>,
}

/// The names and tags of matches; a name has no key.
macro_rules! select_notes {
    ($condition:literal) => {
        concat!(
            "select match_id, key, value from match_tags where ",
            $condition,
            " union all
             select match_id, null, display_name from match_names where ",
            $condition
        )
    };
}

const NOTES: OfMatches = OfMatches {
    any: select_notes!("(bucket, match_id) in (select * from unnest($1::smallint[], $2::uuid[]))"),
    one: select_notes!("bucket = any($1) and match_id = any($2)"),
};

/// Sets tags of a match.
const SET: &str = "insert into match_tags
     (bucket, match_id, key, slot, value, platform, match_create_time)
 select bucket, match_id, key, slot, value, platform, create_time
 from matches
 cross join unnest($3::text[], $4::smallint[], $5::text[]) as tag (key, slot, value)
 where bucket = $1 and match_id = $2
 order by key
 on conflict (bucket, match_id, key) do update set value = excluded.value";

impl Store {
    /// The tags of these matches. Matches without tags are left out.
    pub async fn tags(&self, match_ids: &[MatchId]) -> Result<HashMap<MatchId, Tags>, Error> {
        let of_matches = of_matches!(
            "select match_id, key, value
             from match_tags
             where",
            ""
        );
        let rows: Vec<(MatchId, String, String)> =
            of_matches.read(self.database(), match_ids, None).await?;
        let mut tags: HashMap<MatchId, Tags> = HashMap::new();
        for (match_id, key, value) in rows {
            tags.entry(match_id).or_default().insert(key, value);
        }
        Ok(tags)
    }

    /// The notes about these matches. Matches without any are left out.
    pub async fn notes(&self, match_ids: &[MatchId]) -> Result<HashMap<MatchId, Notes>, Error> {
        let rows: Vec<(MatchId, Option<String>, String)> =
            NOTES.read(self.database(), match_ids, None).await?;
        let mut notes: HashMap<MatchId, Notes> = HashMap::new();
        for (match_id, key, value) in rows {
            let its = notes.entry(match_id).or_default();
            match key {
                Some(key) => drop(its.tags.insert(key, value)),
                None => its.display_name = Some(value),
            }
        }
        Ok(notes)
    }

    /// Changes the notes about a match, all or nothing. A match that is dealt or deleted at the
    /// same time may stay in the table of the lobby, where it says nothing any more.
    pub async fn note(&self, match_id: MatchId, new: &NewNotes) -> Result<(), Error> {
        loop {
            // One writer after the other takes a slot, so the rounds are bounded by the writers.
            match self.write_notes(match_id, new).await {
                Err(Error::Fault(error)) if is_unique_violation(&error) => {}
                written => return written,
            }
        }
    }

    async fn write_notes(&self, match_id: MatchId, new: &NewNotes) -> Result<(), Error> {
        let bucket = Bucket::of(match_id);
        let mut connection = self.database().connection_at(bucket).await?;
        let mut transaction = connection.begin().await?;
        let name = match &new.display_name {
            None => None,
            Some(None) => Some(
                sqlx::query("delete from match_names where bucket = $1 and match_id = $2")
                    .bind(bucket)
                    .bind(match_id),
            ),
            Some(Some(name)) => Some(
                sqlx::query(
                    "insert into match_names (bucket, match_id, display_name)
                     select bucket, match_id, $3
                     from matches
                     where bucket = $1 and match_id = $2
                     on conflict (bucket, match_id) do update set display_name = excluded.display_name",
                )
                .bind(bucket)
                .bind(match_id)
                .bind(name),
            ),
        };
        let lobby = match new.lobby {
            None => None,
            Some(false) => {
                Some(sqlx::query("delete from lobby where bucket = $1 and match_id = $2"))
            }
            Some(true) => Some(sqlx::query(
                "insert into lobby (bucket, match_id, platform, game, seats, create_time)
                 select bucket, match_id, platform, game, seats, create_time
                 from matches
                 where bucket = $1 and match_id = $2
                 on conflict do nothing",
            )),
        };
        let lobby = lobby.map(|it| it.bind(bucket).bind(match_id));
        for change in name.into_iter().chain(lobby) {
            change.execute(&mut *transaction).await.map_err(Error::of_write)?;
        }
        if let Some(tags) = &new.tags {
            let taken = tag_slots(&mut *transaction, match_id).await?;
            let removed: Vec<String> =
                taken.keys().filter(|it| !tags.contains_key(*it)).cloned().collect();
            let slots = slots_for(&taken, &removed, tags).unwrap_or_default();
            replace_tags(&mut transaction, match_id, &removed, tags, slots).await?;
        }
        transaction.commit().await.map_err(Error::of_write)?;
        let _ = connection.close().await;
        Ok(())
    }

    /// Removes and sets tags of a match, all or nothing.
    pub async fn tag(
        &self,
        match_id: MatchId,
        removed: &[String],
        set: &Tags,
    ) -> Result<Tagging, Error> {
        loop {
            let taken = tag_slots(self.at(Bucket::of(match_id)), match_id).await?;
            let Some(slots) = slots_for(&taken, removed, set) else { return Ok(Tagging::TooMany) };
            match self.write_tags(match_id, removed, set, slots).await {
                Ok(()) => return Ok(Tagging::Tagged),
                // Another writer's tag took the slot, so the rounds are bounded by the slots.
                Err(Error::Fault(error)) if is_unique_violation(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }

    async fn write_tags(
        &self,
        match_id: MatchId,
        removed: &[String],
        tags: &Tags,
        slots: Vec<i16>,
    ) -> Result<(), Error> {
        let written = if removed.is_empty() {
            self.database()
                .write_at(Bucket::of(match_id), set(match_id, tags, slots))
                .await?
                .rows_affected()
        } else {
            let mut connection = self.database().connection_at(Bucket::of(match_id)).await?;
            let mut transaction = connection.begin().await?;
            let written = replace_tags(&mut transaction, match_id, removed, tags, slots).await?;
            transaction.commit().await.map_err(Error::of_write)?;
            let _ = connection.close().await;
            written
        };
        if written == 0 && !tags.is_empty() {
            return Err(Error::Gone(Arc::new(sqlx::Error::RowNotFound)));
        }
        Ok(())
    }
}

/// The slots of a match's tags, by key.
async fn tag_slots(
    database: impl PgExecutor<'_>,
    match_id: MatchId,
) -> Result<BTreeMap<String, i16>, Error> {
    let slots: Vec<(String, i16)> = sqlx::query_as(
        "select key, slot
         from match_tags
         where bucket = $1 and match_id = $2",
    )
    .bind(Bucket::of(match_id))
    .bind(match_id)
    .fetch_all(database)
    .await?;
    Ok(slots.into_iter().collect())
}

/// The statement that sets tags of a match.
fn set<'q>(match_id: MatchId, tags: &Tags, slots: Vec<i16>) -> database::Query<'q> {
    let (keys, values) = (tags.keys().cloned(), tags.values().cloned());
    sqlx::query(SET)
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(keys.collect::<Vec<String>>())
        .bind(slots)
        .bind(values.collect::<Vec<String>>())
}

/// Removes tags and sets others, in this order: a new tag may take the slot of a removed one.
/// Returns how many it set.
async fn replace_tags(
    connection: &mut PgConnection,
    match_id: MatchId,
    removed: &[String],
    tags: &Tags,
    slots: Vec<i16>,
) -> Result<u64, Error> {
    sqlx::query("delete from match_tags where bucket = $1 and match_id = $2 and key = any($3)")
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(removed)
        .execute(&mut *connection)
        .await
        .map_err(Error::of_write)?;
    let written = set(match_id, tags, slots).execute(connection).await;
    Ok(written.map_err(Error::of_write)?.rows_affected())
}

/// A slot for each tag to be set: its own if it has one, otherwise a free one; `None` if there are
/// too few.
fn slots_for(taken: &BTreeMap<String, i16>, removed: &[String], set: &Tags) -> Option<Vec<i16>> {
    let kept: BTreeMap<&String, i16> = taken
        .iter()
        .filter(|(key, _)| !removed.contains(key))
        .map(|(key, &slot)| (key, slot))
        .collect();
    let mut free = (0..TAGS_MAX as i16).filter(|slot| kept.values().all(|kept| kept != slot));
    set.keys().map(|key| kept.get(key).copied().or_else(|| free.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_keeps_its_slot_and_a_new_tag_takes_a_free_one() {
        let taken = BTreeMap::from([("a".to_owned(), 0), ("b".to_owned(), 1), ("c".to_owned(), 2)]);
        let set = |keys: &[&str]| -> Tags {
            keys.iter().map(|&key| (key.to_owned(), String::new())).collect()
        };
        assert_eq!(slots_for(&taken, &[], &set(&["b", "d"])), Some(vec![1, 3]));
        assert_eq!(slots_for(&taken, &["a".to_owned()], &set(&["d", "e"])), Some(vec![0, 3]));
        let many: Vec<String> = (0..14).map(|n| format!("many-{n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(slots_for(&taken, &[], &set(&many)), None, "seventeen tags");
        assert!(slots_for(&taken, &["a".to_owned()], &set(&many)).is_some(), "sixteen tags");
    }
}
