//! The schema on a real Postgres: grants equal the declarations of tables and functions.

#![expect(clippy::disallowed_methods, reason = "what acts do is tested here")]

use std::collections::BTreeSet;

use database::{Database, Options};
use schema::Place;
use sqlx::{AssertSqlSafe, Executor};
use test_database::TestDatabase;

async fn migrated() -> (TestDatabase, Database) {
    let test = TestDatabase::alone().await;
    let options = Options::new(test.options.clone());
    let database = Database::connect(options).await.expect("it connects");
    schema::migrate(&database).await.expect("it migrates");
    (test, database)
}

#[tokio::test]
async fn every_table_declares_where_it_is_and_what_may_be_done() {
    let (_test, database) = migrated().await;
    let mut connection = database.connection().await.expect("it connects");
    let tables = schema::declarations(&mut connection).await.expect("all declare themselves");
    assert!(tables.len() > 45, "{}", tables.len());
    let mut before = BTreeSet::new();
    for it in &tables {
        for other in &it.refers_to {
            assert!(before.contains(other), "{} comes before {other}", it.table);
            // A table that is everywhere cannot refer to a distributed row.
            let is_there = |table: &str| {
                tables.iter().any(|it| it.table == table && it.place == Place::Everywhere)
            };
            assert!(it.place == Place::ByBucket || is_there(other), "{}, {other}", it.table);
        }
        before.insert(it.table.clone());
    }
    connection.execute("create table stray (n int)").await.expect("it is created");
    let stray = schema::declarations(&mut connection).await;
    assert!(matches!(stray, Err(schema::Error::Undeclared(table)) if table == "stray"));
}

#[tokio::test]
async fn a_role_may_do_what_the_tables_declare_and_nothing_else() {
    let (_test, database) = migrated().await;
    let mut connection = database.connection().await.expect("it connects");
    connection.execute("create role server; grant all on entries to server").await.expect("it is");
    assert!(!schema::grant(&database, "nobody-known").await.expect("it is looked for"));
    assert!(schema::grant(&database, "server").await.expect("it is granted"));
    for it in schema::declarations(&mut connection).await.expect("all declare themselves") {
        for right in ["select", "insert", "update", "delete", "truncate"] {
            let has: bool = sqlx::query_scalar("select has_table_privilege('server', $1, $2)")
                .bind(&it.table)
                .bind(right)
                .fetch_one(&mut connection)
                .await
                .expect("it is a right");
            let may = it.rights.split(", ").any(|declared| declared == right);
            assert_eq!(has, may, "{right} on {}", it.table);
        }
    }
    let functions = schema::functions(&mut connection).await.expect("there are some");
    assert_eq!(functions.len(), 16, "{functions:?}");
    for function in functions {
        for (role, may) in [("server", true), ("public", false)] {
            let query = format!("select has_function_privilege('{role}', '{function}', 'execute')");
            let has: bool = sqlx::query_scalar(AssertSqlSafe(query))
                .fetch_one(&mut connection)
                .await
                .expect("it is a function");
            assert_eq!(has, may, "{function} for {role}");
        }
    }
}

/// An erasure scans no table of a platform as a whole.
#[tokio::test]
async fn an_index_finds_what_is_declared_to_be_a_player() {
    let (_test, database) = migrated().await;
    let columns: Vec<(String, bool)> = sqlx::query_as(
        "select its.attrelid::regclass::text || '.' || its.attname, exists (
             select 1
             from pg_index
             join pg_attribute as first on first.attrelid = indrelid and first.attnum = indkey[0]
             where indrelid = its.attrelid
                 and first.attname = 'platform'
                 and indkey[1] = its.attnum
         )
         from pg_attribute as its
         join pg_class on pg_class.oid = its.attrelid and relkind = 'r'
         where col_description(its.attrelid, its.attnum) = 'a player'",
    )
    .fetch_all(database.pool())
    .await
    .expect("they are read");
    assert!(columns.len() >= 4, "{columns:?}");
    for (column, has_index) in columns {
        assert!(has_index, "{column}");
    }
}
