//! Tags: what a platform notes about its matches. The last writer wins, key by key.

use crate::matches::buckets_of;
use crate::{Bucket, Error, MatchId, Store};
use sqlx::Connection;
use std::collections::{BTreeMap, HashMap};

/// Values by key.
pub type Tags = BTreeMap<String, String>;

/// Tags a match has at most: as many as it has hooks for them.
pub const TAGS_MAX: usize = 16;

/// What became of a request to change a match's tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tagging {
    Tagged,
    /// There would be more than [`TAGS_MAX`]; nothing was changed.
    TooMany,
}

impl Store {
    /// The tags of these matches; those that have none are left out.
    pub async fn tags(&self, match_ids: &[MatchId]) -> Result<HashMap<MatchId, Tags>, Error> {
        let rows: Vec<(MatchId, String, String)> = sqlx::query_as(
            "select match_id, key, value
             from match_tags
             where (bucket, match_id) in (select * from unnest($1::smallint[], $2::uuid[]))",
        )
        .bind(buckets_of(match_ids))
        .bind(match_ids)
        .fetch_all(&self.pool)
        .await?;
        let mut tags: HashMap<MatchId, Tags> = HashMap::new();
        for (match_id, key, value) in rows {
            tags.entry(match_id).or_default().insert(key, value);
        }
        Ok(tags)
    }

    /// Takes tags away from a match and gives others their values, all or nothing.
    pub async fn tag(
        &self,
        match_id: MatchId,
        removed: &[String],
        set: &Tags,
    ) -> Result<Tagging, Error> {
        loop {
            let taken = self.hooks(match_id).await?;
            let Some(hooks) = hooks_for(&taken, removed, set) else { return Ok(Tagging::TooMany) };
            match self.hang(match_id, removed, set, hooks).await {
                Ok(()) => return Ok(Tagging::Tagged),
                // Somebody else's new tag hangs there now, so there are no more rounds than hooks.
                Err(error) if crate::is_unique_violation(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// By key: the hook that a tag hangs on.
    async fn hooks(&self, match_id: MatchId) -> Result<BTreeMap<String, i16>, Error> {
        let hooks: Vec<(String, i16)> = sqlx::query_as(
            "select key, hook
             from match_tags
             where bucket = $1 and match_id = $2",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .fetch_all(&self.pool)
        .await?;
        Ok(hooks.into_iter().collect())
    }

    async fn hang(
        &self,
        match_id: MatchId,
        removed: &[String],
        set: &Tags,
        hooks: Vec<i16>,
    ) -> Result<(), sqlx::Error> {
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin().await?;
        sqlx::query("delete from match_tags where bucket = $1 and match_id = $2 and key = any($3)")
            .bind(Bucket::of(match_id))
            .bind(match_id)
            .bind(removed)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "insert into match_tags
                 (bucket, match_id, key, hook, value, platform, match_create_time)
             select bucket, match_id, key, hook, value, platform, create_time
             from matches
             cross join unnest($3::text[], $4::smallint[], $5::text[]) as tag (key, hook, value)
             where bucket = $1 and match_id = $2
             order by key
             on conflict (bucket, match_id, key) do update set value = excluded.value",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(set.keys().collect::<Vec<_>>())
        .bind(hooks)
        .bind(set.values().collect::<Vec<_>>())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await
    }
}

/// A hook for each tag to be set: its own if it hangs already, otherwise a free one; none if there are too few.
fn hooks_for(taken: &BTreeMap<String, i16>, removed: &[String], set: &Tags) -> Option<Vec<i16>> {
    let kept: BTreeMap<&String, i16> = taken
        .iter()
        .filter(|(key, _)| !removed.contains(key))
        .map(|(key, &hook)| (key, hook))
        .collect();
    let mut free = (0..TAGS_MAX as i16).filter(|hook| kept.values().all(|kept| kept != hook));
    set.keys().map(|key| kept.get(key).copied().or_else(|| free.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_keeps_its_hook_and_a_new_one_takes_a_free_one() {
        let taken = BTreeMap::from([("a".to_owned(), 0), ("b".to_owned(), 1), ("c".to_owned(), 2)]);
        let set = |keys: &[&str]| -> Tags {
            keys.iter().map(|&key| (key.to_owned(), String::new())).collect()
        };
        assert_eq!(hooks_for(&taken, &[], &set(&["b", "d"])), Some(vec![1, 3]));
        assert_eq!(hooks_for(&taken, &["a".to_owned()], &set(&["d", "e"])), Some(vec![0, 3]));
        let many: Vec<String> = (0..14).map(|n| format!("many-{n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(hooks_for(&taken, &[], &set(&many)), None, "seventeen");
        assert!(hooks_for(&taken, &["a".to_owned()], &set(&many)).is_some(), "sixteen");
    }
}
