//! The place of the objects, as the database names it.

use database::{Database, Error};
use sqlx::postgres::PgConnection;

/// The SQLSTATE of a table that does not exist.
const UNDEFINED_TABLE: &str = "42P01";

/// The place of the last archiving; `None` before the first one, and before the migration that
/// creates the table.
pub(crate) async fn place(database: &Database) -> Result<Option<String>, Error> {
    let place = sqlx::query_scalar("select url from archive_place");
    match place.fetch_optional(database.pool()).await {
        Ok(url) => Ok(url),
        Err(error) if is_undefined_table(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn is_undefined_table(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.as_deref() == Some(UNDEFINED_TABLE)
}

/// Names the place, unless it is no longer `before`. Returns whether it is named now.
pub(crate) async fn name_place(
    connection: &mut PgConnection,
    url: &str,
    before: Option<&str>,
) -> Result<bool, Error> {
    let named = sqlx::query(
        "insert into archive_place (url)
         values ($1)
         on conflict (bucket) do update
         set url = excluded.url
         where archive_place.url in ($1, $2)",
    );
    let named = named.bind(url).bind(before).execute(connection).await.map_err(Error::of_write)?;
    Ok(named.rows_affected() > 0)
}
