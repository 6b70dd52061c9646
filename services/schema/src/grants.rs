//! The rights of the role that serves. It owns nothing, so it can neither change the schema nor
//! rebuild a read model: rows of the record are written once, and administering platforms takes
//! another role.

use database::Database;
use sqlx::{AssertSqlSafe, Connection};

use crate::Error;
use crate::declarations::{Declaration, declarations, functions};

/// Grants a role exactly the rights to serve and project, and revokes all others on these tables.
/// Requires their owner. Returns false if there is no such role.
pub async fn grant(database: &Database, role: &str) -> Result<bool, Error> {
    let mut connection = database.connection().await?;
    let mut transaction = connection.begin().await?;
    let role: Option<String> =
        sqlx::query_scalar("select quote_ident(rolname) from pg_roles where rolname = $1")
            .bind(role)
            .fetch_optional(&mut *transaction)
            .await?;
    let Some(role) = role else { return Ok(false) };
    let schema: String = sqlx::query_scalar(
        "select quote_ident(nspname)
         from pg_class
         join pg_namespace on pg_namespace.oid = relnamespace
         where pg_class.oid = 'entries'::regclass",
    )
    .fetch_one(&mut *transaction)
    .await?;
    let mut grants = format!("grant usage on schema {schema} to {role};");
    for Declaration { table, rights, .. } in declarations(&mut transaction).await? {
        grants += &format!(
            "revoke all on {schema}.{table} from {role};
             grant {rights} on {schema}.{table} to {role};"
        );
    }
    for function in functions(&mut transaction).await? {
        grants += &format!("grant execute on function {function} to {role};");
    }
    sqlx::raw_sql(AssertSqlSafe(grants)).execute(&mut *transaction).await?;
    transaction.commit().await?;
    let _ = connection.close().await;
    Ok(true)
}
