//! Empties entries, one transaction at a time.
//!
//! See `docs/decisions/0025-retention-and-archiving-keep-rows.md`.

use database::Error;
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Postgres, Transaction};

/// The number of the advisory lock.
const EMPTYING: i64 = 0x656d_7074_7969_6e67;

/// A transaction that may empty entries. Only one runs at a time, since two that lock the same rows
/// in different orders would deadlock.
pub(crate) async fn emptying(
    connection: &mut PgConnection,
) -> Result<Transaction<'_, Postgres>, Error> {
    let mut transaction = connection.begin().await?;
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind(EMPTYING)
        .execute(&mut *transaction)
        .await?;
    Ok(transaction)
}
