//! Groups of rows for one statement, if the tables are distributed over several nodes by bucket,
//! with the extension Citus.
//!
//! There, a statement that names one bucket runs unchanged on the node that has it, at nearly the
//! cost of plain Postgres, and needs no other node. So a read of many buckets, one statement on
//! plain Postgres, becomes a statement per bucket. The texts differ only in the condition on the
//! bucket.

use crate::{Answers, Database, Error};
use futures::future::join_all;
use positions::Bucket;

/// The rows of one statement.
pub struct Group<T> {
    /// Whether all rows are of one bucket, which the statement names.
    pub is_of_one: bool,
    pub of: Vec<T>,
}

/// One group of everything or, if the database is sharded, one group per bucket; no group if there
/// is nothing.
pub fn groups<T>(all: Vec<T>, is_sharded: bool, bucket: impl Fn(&T) -> Bucket) -> Vec<Group<T>> {
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

/// Reads the values of some keys, in the keys' order: all at once or, if the database is sharded,
/// per bucket, so that an unreachable node fails only its own keys. Fails if all fail.
pub async fn read_apart<Key, Value, Reading>(
    database: &Database,
    keys: Vec<Key>,
    bucket: impl Fn(&Key) -> Bucket,
    read: impl Fn(Group<Key>) -> Reading,
) -> Result<Answers<Value>, Error>
where
    Reading: Future<Output = Result<Vec<Value>, Error>>,
{
    let is_sharded = database.is_sharded().await?;
    let numbered: Vec<(usize, Key)> = keys.into_iter().enumerate().collect();
    let groups = groups(numbered, is_sharded, |(_, key)| bucket(key)).into_iter().map(|group| {
        let its = bucket(&group.of[0].1);
        let (numbers, of): (Vec<usize>, Vec<Key>) = group.of.into_iter().unzip();
        let reading = read(Group { is_of_one: group.is_of_one, of });
        (numbers, async move {
            if is_sharded { database.within(its, reading).await } else { reading.await }
        })
    });
    let (numbers, reads): (Vec<Vec<usize>>, Vec<_>) = groups.unzip();
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
