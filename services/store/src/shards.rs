//! Databases whose tables are spread over several nodes by bucket, with the extension Citus.
//!
//! There, a statement that names one bucket runs as it is on the node that has it, at nearly the
//! cost of plain Postgres, and needs no other node. So what one statement reads of many buckets on
//! plain Postgres takes a statement for each bucket there. Their texts differ only in what the
//! bucket of a row equals.

use crate::batch::Answers;
use crate::matches::buckets_of;
use crate::{Bucket, Error, MatchId, Node, Store};
use futures::future::join_all;
use sqlx::FromRow;
use sqlx::postgres::{PgExecutor, PgPool, PgRow};
use tokio::sync::OnceCell;

/// Whether the tables are spread over several nodes, and which these are.
#[derive(Default)]
pub(crate) struct Shards {
    are_many: OnceCell<bool>,
    pub nodes: OnceCell<Vec<Node>>,
}

impl Shards {
    /// Asks the database once.
    pub async fn are_many(&self, database: impl PgExecutor<'_>) -> Result<bool, sqlx::Error> {
        let asking = async || {
            sqlx::query_scalar("select exists (select 1 from pg_extension where extname = 'citus')")
                .fetch_one(database)
                .await
        };
        Ok(*self.are_many.get_or_try_init(asking).await?)
    }
}

/// What one statement is about.
pub(crate) struct Group<T> {
    /// Whether all are of one bucket, which the statement names.
    pub is_of_one: bool,
    pub of: Vec<T>,
}

/// Everything in one group, or if the database is sharded, a group for each bucket; of nothing, no
/// group.
pub(crate) fn groups<T>(
    all: Vec<T>,
    is_sharded: bool,
    bucket: impl Fn(&T) -> Bucket,
) -> Vec<Group<T>> {
    if all.is_empty() {
        return Vec::new();
    }
    let is_of_one = all.windows(2).all(|pair| bucket(&pair[0]) == bucket(&pair[1]));
    if is_of_one || !is_sharded {
        return vec![Group { is_of_one, of: all }];
    }
    let mut groups: Vec<Group<T>> = Vec::new();
    for it in all {
        let its = bucket(&it);
        match groups.iter_mut().find(|group| bucket(&group.of[0]) == its) {
            Some(group) => group.of.push(it),
            None => groups.push(Group { is_of_one: true, of: vec![it] }),
        }
    }
    groups
}

/// Reads the values of some keys, in the keys' order: of all at once or, if the database is
/// sharded, of each bucket apart, so that a node that is away fails its own keys only. Fails if all
/// fail.
pub(crate) async fn read_apart<Key, Value, Reading>(
    keys: Vec<Key>,
    is_sharded: bool,
    bucket: impl Fn(&Key) -> Bucket,
    read: impl Fn(Group<Key>) -> Reading,
) -> Result<Answers<Value>, Error>
where
    Reading: Future<Output = Result<Vec<Value>, Error>>,
{
    let numbered: Vec<(usize, Key)> = keys.into_iter().enumerate().collect();
    let groups = groups(numbered, is_sharded, |(_, key)| bucket(key)).into_iter().map(|group| {
        let (numbers, of): (Vec<usize>, Vec<Key>) = group.of.into_iter().unzip();
        (numbers, read(Group { is_of_one: group.is_of_one, of }))
    });
    let (numbers, reads): (Vec<Vec<usize>>, Vec<Reading>) = groups.unzip();
    let (mut answers, mut failure, mut all_failed) = (Vec::new(), None, true);
    for (numbers, read) in numbers.into_iter().zip(join_all(reads).await) {
        match read {
            Ok(values) => {
                all_failed = false;
                answers.extend(numbers.into_iter().zip(values.into_iter().map(Ok)));
            }
            Err(error) => {
                answers.extend(numbers.into_iter().map(|number| (number, Err(error.clone()))));
                failure = Some(error);
            }
        }
    }
    if let Some(error) = failure.filter(|_| all_failed) {
        return Err(error);
    }
    answers.sort_by_key(|(number, _)| *number);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

/// A statement about matches: their buckets are `$1`, their ids `$2`.
#[derive(Clone, Copy)]
pub struct OfMatches {
    /// For matches of any buckets.
    pub any: &'static str,
    /// For matches of one bucket.
    pub one: &'static str,
}

/// Both forms of a statement about matches, from what stands before and after the condition.
#[macro_export]
macro_rules! of_matches {
    ($before:literal, $after:literal) => {
        $crate::OfMatches {
            any: concat!(
                $before,
                " (bucket, match_id) in (select * from unnest($1::smallint[], $2::uuid[])) ",
                $after
            ),
            one: concat!($before, " bucket = any($1) and match_id = any($2) ", $after),
        }
    };
}

impl OfMatches {
    /// Reads rows of these matches. `$3` is the platform, if the statement is about one.
    pub(crate) async fn read<Row>(
        self,
        pool: &PgPool,
        is_sharded: bool,
        match_ids: &[MatchId],
        platform: Option<&str>,
    ) -> Result<Vec<Row>, sqlx::Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let mut rows = Vec::new();
        for group in groups(match_ids.to_vec(), is_sharded, |&it| Bucket::of(it)) {
            let text = if group.is_of_one { self.one } else { self.any };
            let query = sqlx::query_as(text).bind(buckets_of(&group.of)).bind(group.of);
            let query = platform.iter().fold(query, |query, it| query.bind(*it));
            rows.append(&mut query.fetch_all(pool).await?);
        }
        Ok(rows)
    }
}

impl Store {
    /// Whether the tables are spread over several nodes.
    pub async fn is_sharded(&self) -> Result<bool, Error> {
        Ok(self.shared.shards.are_many(&self.pool).await?)
    }

    /// Takes the database for one of these nodes, as tests do to try its statements.
    #[doc(hidden)]
    pub fn assume_sharded(&self, nodes: Vec<Node>) {
        let shards = &self.shared.shards;
        shards.are_many.set(true).expect("nothing was read before");
        shards.nodes.set(nodes).map_err(|_| ()).expect("nothing was read before");
    }

    /// Reads rows of these matches. `$3` is the platform, if the statement is about one.
    pub async fn of_matches<Row>(
        &self,
        statement: OfMatches,
        match_ids: &[MatchId],
        platform: Option<&str>,
    ) -> Result<Vec<Row>, Error>
    where
        Row: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let is_sharded = self.is_sharded().await?;
        Ok(statement.read(&self.pool, is_sharded, match_ids, platform).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(buckets: &[i16], is_sharded: bool, expected: &[(bool, &[i16])]) {
        let all = buckets.iter().map(|&it| Bucket::try_from(it).unwrap()).collect();
        let groups = groups(all, is_sharded, |it| *it);
        let found: Vec<(bool, Vec<i16>)> = groups
            .into_iter()
            .map(|it| (it.is_of_one, it.of.into_iter().map(i16::from).collect()))
            .collect();
        let expected: Vec<_> = expected.iter().map(|(one, of)| (*one, of.to_vec())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn of_nothing_nothing_is_asked() {
        check(&[], false, &[]);
        check(&[], true, &[]);
    }

    #[test]
    fn one_postgres_reads_all_buckets_in_one_statement() {
        check(&[3, 5, 3], false, &[(false, &[3, 5, 3])]);
        check(&[3, 3], false, &[(true, &[3, 3])]);
    }

    #[test]
    fn several_nodes_are_asked_for_one_bucket_at_a_time() {
        check(&[3, 5, 3], true, &[(true, &[3, 3]), (true, &[5])]);
        check(&[3], true, &[(true, &[3])]);
    }
}
