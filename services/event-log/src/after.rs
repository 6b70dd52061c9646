//! The read that almost every call needs, for many callers at once: the entries after a position.

use std::sync::Arc;

use database::{Answers, Database, Error, Group, Pools, read_apart};
use positions::{Bucket, Position, Recorded, StreamId};
use sqlx::{FromRow, Row};

use crate::tables::Statements;

/// The header of a stream: the data with which it was created, from
/// [`Tables::header`](crate::Tables::header). A reader that remembers it notices alterations.
pub type Header = Vec<u8>;

/// The key of a batched read: up to `limit` of a stream's entries after a position.
#[derive(Clone, Copy)]
pub(crate) struct After {
    pub stream: StreamId,
    pub position: Position,
    pub limit: i64,
    /// Whether to read the stream's header, too.
    pub with_header: bool,
}

impl After {
    fn bucket(&self) -> Bucket {
        Bucket::of(self.stream)
    }
}

/// The result of an [`After`].
#[derive(Default)]
pub(crate) struct Read {
    /// `None` also if there are no entries.
    pub header: Option<Header>,
    pub entries: Vec<Recorded>,
}

/// Loads the entries of each key.
pub(crate) async fn load(
    database: Database,
    pools: Pools,
    statements: Arc<Statements>,
    keys: Vec<After>,
) -> Result<Answers<Read>, Error> {
    let read = |group| entries_of_group(&pools, &statements, group);
    read_apart(&database, keys, After::bucket, read).await
}

async fn entries_of_group(
    pools: &Pools,
    statements: &Statements,
    Group { is_of_one, of }: Group<After>,
) -> Result<Vec<Read>, Error> {
    let entries = sqlx::query(statements.after.of(is_of_one))
        .bind(of.iter().map(After::bucket).collect::<Vec<_>>())
        .bind(of.iter().map(|it| it.stream).collect::<Vec<_>>())
        .bind(of.iter().map(|it| it.position).collect::<Vec<_>>())
        .bind(of.iter().map(|it| it.limit).collect::<Vec<_>>())
        .bind(of.iter().map(|it| it.with_header).collect::<Vec<_>>())
        .bind((0..).take(of.len()).collect::<Vec<i64>>());
    let entries = if is_of_one { entries.bind(of[0].bucket()) } else { entries };
    let mut read: Vec<Read> = of.iter().map(|_| Read::default()).collect();
    let pool = pools.of(of[0].bucket());
    for row in &entries.fetch_all(&pool).await? {
        let number: i64 = row.try_get("number")?;
        let Read { header, entries } = &mut read[number as usize];
        if entries.is_empty() {
            *header = row.try_get("header")?;
        }
        entries.push(Recorded::from_row(row)?);
    }
    read.iter_mut().for_each(|it| it.entries.sort_by_key(|it| it.position));
    Ok(read)
}
