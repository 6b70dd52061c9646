//! The statements on a real database of several nodes, if the extension Citus is installed:
//! `make citus` runs them.

use positions::BUCKETS;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};
use test_database::Citus;

use super::sources::Statement;
use super::{ALLOWED, ELSEWHERE, OF_FILTERS, OnePostgres, TYPES, Why, all_statements, value};
use crate::installation::Installation;

/// The classes of what a statement may answer to made-up values: about data, and constraints.
const ANSWERS: [&str; 2] = ["22", "23"];

/// What each of the latter says.
const VIOLATES: &str = "violates check constraint";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the extension Citus"]
async fn every_statement_runs_on_every_node() {
    let citus = match Citus::start(3).await {
        Ok(citus) => citus,
        Err(why) => return eprintln!("left out: {why}"),
    };
    citus.join().await;
    Installation::migrated(citus.nodes[0].options()).await.close().await;
    let mut statements = all_statements();
    statements.retain(|it| {
        let allowed =
            ALLOWED.iter().find(|(its, part, _)| it.file == *its && it.sql.contains(part));
        !ELSEWHERE.contains(&&*it.file) && allowed.is_none_or(|it| it.2 != OnePostgres)
    });
    let mut wrong = Vec::new();
    for (node, name) in [(0, "the coordinator"), (1, "a worker")] {
        let mut connection = citus.nodes[node].connect().await;
        for Statement { file, sql } in &statements {
            let is_of_filters = file == OF_FILTERS;
            // There are hundreds.
            if is_of_filters && node == 0 {
                continue;
            }
            let mut ran = Ok(());
            if !is_of_filters {
                ran = run(&mut connection, sql, value).await;
            }
            if ran.is_ok() && touches_all(file, sql) {
                ran = run(&mut connection, sql, value_of_all).await;
            }
            if let Err(error) = ran {
                let code = error.as_database_error().and_then(|it| it.code()).unwrap_or_default();
                // A node passes on what another one answered without its code.
                let of_other = code == "XX000" && error.to_string().contains(VIOLATES);
                if !of_other && !ANSWERS.iter().any(|it| code.starts_with(it)) {
                    wrong.push(format!("{file}, on {name}: {error} ({code}): {sql}"));
                }
            }
        }
        connection.close().await.expect("it closes");
    }
    citus.stop();
    assert!(wrong.is_empty(), "{} fail:\n{}", wrong.len(), wrong.join("\n"));
}

/// Whether a statement is about the rows of several buckets, in one call.
fn touches_all(file: &str, sql: &str) -> bool {
    let is_allowed = |(its, part, why): &(&str, &str, Why)| {
        file == *its && sql.contains(part) && matches!(why, Why::All(_))
    };
    file == OF_FILTERS || ALLOWED.iter().any(is_allowed)
}

/// Like [`value`], with every bucket where several are named.
fn value_of_all(its: &str) -> String {
    match its {
        "smallint[]" => {
            let all: Vec<String> = (0..BUCKETS).map(|it| it.to_string()).collect();
            format!("'{{{}}}'::smallint[]", all.join(","))
        }
        _ => value(its),
    }
}

/// Runs a statement with made-up values.
async fn run(
    connection: &mut PgConnection,
    sql: &str,
    value: fn(&str) -> String,
) -> Result<(), sqlx::Error> {
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
