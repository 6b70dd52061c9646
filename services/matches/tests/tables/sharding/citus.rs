//! The statements on a real database of several nodes, if the extension Citus is installed:
//! `make citus` runs them.

use std::path::Path;

use event_log::Log;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};
use store::RECORD;
use test_database::Citus;

use super::sources::{self, Statement};
use super::{ALLOWED, ELSEWHERE, OnePostgres, TYPES, value};
use crate::installation::Installation;

/// The classes of what a statement may answer to made-up values: about data, and constraints.
const ANSWERS: [&str; 2] = ["22", "23"];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the extension Citus"]
async fn every_statement_runs_on_every_node() {
    let citus = match Citus::start(3).await {
        Ok(citus) => citus,
        Err(why) => return eprintln!("left out: {why}"),
    };
    citus.join().await;
    Installation::migrated(citus.nodes[0].options()).await.close().await;
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut statements = sources::statements(&services);
    let of_log = Log::statements(&RECORD);
    statements.extend(of_log.iter().map(|text| Statement::new("event-log", text)));
    statements.retain(|it| {
        let allowed =
            ALLOWED.iter().find(|(its, part, _)| it.file == *its && it.sql.contains(part));
        !ELSEWHERE.contains(&&*it.file) && allowed.is_none_or(|it| it.2 != OnePostgres)
    });
    let mut wrong = Vec::new();
    for (node, name) in [(0, "the coordinator"), (1, "a worker")] {
        let mut connection = citus.nodes[node].connect().await;
        for Statement { file, sql } in &statements {
            if let Err(error) = run(&mut connection, sql).await {
                let code = error.as_database_error().and_then(|it| it.code()).unwrap_or_default();
                if !ANSWERS.iter().any(|it| code.starts_with(it)) {
                    wrong.push(format!("{file}, on {name}: {error} ({code}): {sql}"));
                }
            }
        }
        connection.close().await.expect("it closes");
    }
    citus.stop();
    assert!(wrong.is_empty(), "{} fail:\n{}", wrong.len(), wrong.join("\n"));
}

/// Runs a statement with made-up values, all of one bucket.
async fn run(connection: &mut PgConnection, sql: &str) -> Result<(), sqlx::Error> {
    // An earlier statement may have failed before its end.
    connection.clear_cached_statements().await?;
    sqlx::raw_sql("deallocate all").execute(&mut *connection).await?;
    let mut transaction = connection.begin().await?;
    let types = TYPES.iter().find(|(part, _)| sql.contains(part));
    let types = types.map_or(String::new(), |(_, types)| format!("({types})"));
    sqlx::raw_sql(AssertSqlSafe(format!("prepare its{types} as {sql}")))
        .execute(&mut *transaction)
        .await?;
    let types: Vec<String> = sqlx::query_scalar(
        "select parameter_types::text[] from pg_prepared_statements where name = 'its'",
    )
    .fetch_one(&mut *transaction)
    .await?;
    let values: Vec<String> = types.iter().map(|it| value(it)).collect();
    let values = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
    let executed = sqlx::raw_sql(AssertSqlSafe(format!("execute its{values}")))
        .execute(&mut *transaction)
        .await;
    transaction.rollback().await?;
    executed.map(drop)
}
