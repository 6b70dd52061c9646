//! The trait of all read models.

use std::collections::HashSet;
use std::future::ready;

use futures::future::BoxFuture;
use sqlx::PgConnection;
use store::Store;

use crate::fold::MatchState;
use crate::waiting::Awaited;

/// A read model. It is rebuilt and replaced as a whole.
pub(crate) trait ReadModel {
    /// The name of the model in checkpoints and in the contract.
    const NAME: &'static str;
    /// Its tables, in the order in which they are locked.
    const TABLES: &'static [&'static str];
    /// What single matches give, for comparisons with the record.
    const COMPARED: &'static [Compared];
    /// What several matches give together, once they are settled.
    const COMPARED_SETTLED: &'static [Compared] = &[];

    /// Writes the rows of these matches. Writing them again changes nothing.
    fn write(
        connection: &mut PgConnection,
        matches: &[&MatchState],
    ) -> impl Future<Output = Result<(), sqlx::Error>> + Send;

    /// Updates the rows that depend on several matches. Called when all entries are ingested.
    fn settle(
        _connection: &mut PgConnection,
    ) -> impl Future<Output = Result<(), sqlx::Error>> + Send {
        ready(Ok(()))
    }

    /// See [`Unsettled`](crate::waiting::Unsettled).
    fn unsettled<'a>(
        _store: &'a Store,
        _awaited: &'a [Awaited<'a>],
    ) -> BoxFuture<'a, Result<HashSet<usize>, database::Error>> {
        Box::pin(ready(Ok(HashSet::new())))
    }
}

/// Rows of a table that are compared with what the record gives.
pub(crate) struct Compared {
    pub table: &'static str,
    /// The columns that name a row to the operator.
    pub key: &'static str,
    /// The columns that are compared, among them those of `key`; `*` for all.
    pub columns: &'static str,
    /// A condition on the rows.
    pub rows: &'static str,
}

impl Compared {
    /// All rows with all columns.
    pub const fn whole(table: &'static str, key: &'static str) -> Compared {
        Compared { table, key, columns: "*", rows: "true" }
    }
}

/// A Postgres array as text, because `unnest` would flatten an array of arrays.
pub(super) fn array_text(numbers: &[impl ToString]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    format!("{{{}}}", numbers.join(","))
}
