//! Migrates the schema.
//!
//! Migrations are additive, so a release also runs on the schema of later ones: processes of two
//! releases work side by side while an installation is upgraded.

use std::collections::HashMap;

use database::Database;
use sqlx::migrate::{Migrate, MigrateError, Migration as SqlxMigration, MigrationType, Migrator};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, SqlStr};

use crate::Error;
use crate::declarations::Place;
use crate::distribution::distribute;
use crate::files::{FILES, comments};
use crate::placement::on_metadata;
use crate::statements::{apart, statements};

/// A change to the schema, in `migrations/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    pub version: i64,
    pub description: String,
}

pub(crate) fn migrator() -> Migrator {
    migrator_until(i64::MAX)
}

/// The migrations of the release whose last one this is.
fn migrator_until(last: i64) -> Migrator {
    let migrations = FILES.iter().map(|(name, sql)| {
        let (version, description) = name.split_once('_').expect("VERSION_DESCRIPTION.sql");
        let version = version.parse().expect("a version is a number");
        let description = description.replace('_', " ");
        let sql = SqlStr::from_static(sql);
        SqlxMigration::new(version, description.into(), MigrationType::Simple, sql, false)
    });
    let migrations = migrations.filter(|it| it.version <= last);
    let mut migrator = Migrator::with_migrations(migrations.collect());
    // A later release may have applied more migrations.
    migrator.set_ignore_missing(true);
    migrator
}

/// The migrations of this release that the database lacks. It writes nothing, and needs only the
/// right to read the applied migrations.
pub async fn pending(database: &Database) -> Result<Vec<Migration>, Error> {
    let mut connection = database.connection().await?;
    let pending = pending_on(&mut connection, &migrator()).await;
    let _ = connection.close().await;
    pending
}

/// Applies the pending migrations, and returns them. Processes that start together wait for each
/// other here.
pub async fn migrate(database: &Database) -> Result<Vec<Migration>, Error> {
    apply(database, migrator()).await
}

/// For tests: migrates as the earlier release did whose last migration this is.
#[doc(hidden)]
pub async fn migrate_until(database: &Database, last: i64) -> Result<Vec<Migration>, Error> {
    apply(database, migrator_until(last)).await
}

async fn apply(database: &Database, migrator: Migrator) -> Result<Vec<Migration>, Error> {
    let mut connection = database.connection().await?;
    let pending = pending_on(&mut connection, &migrator).await?;
    let is_sharded = database.is_sharded().await?;
    // Without this check, a role that may not change the schema could not start.
    if !pending.is_empty() {
        match is_sharded {
            true => run_by_statement(&mut connection, &migrator).await?,
            false => migrator.run(&mut connection).await?,
        }
    }
    if is_sharded {
        distribute(&mut connection).await?;
    }
    let _ = connection.close().await;
    Ok(pending)
}

/// Fails if a table of this release is not where it belongs on the nodes of the database, as after
/// a migration that failed half-way. It reads what every node knows, asks no other node, and
/// changes nothing.
pub async fn check_places(database: &Database) -> Result<(), Error> {
    if !database.is_sharded().await? {
        return Ok(());
    }
    let mut connection = database.connection().await?;
    let place = |comment: &str| match comment.contains(" is 'everywhere; ") {
        true => Place::Everywhere,
        false => Place::ByBucket,
    };
    let places: Vec<(String, Place)> =
        comments().into_iter().map(|(table, comment)| (table, place(&comment))).collect();
    let wrong = on_metadata(&mut connection, &places).await?;
    let _ = connection.close().await;
    if wrong.is_empty() { Ok(()) } else { Err(Error::Misplaced(wrong)) }
}

/// Applies the pending migrations, each in a transaction, statement by statement: a sharded
/// database accepts one change of a distributed table at a time.
async fn run_by_statement(connection: &mut PgConnection, migrator: &Migrator) -> Result<(), Error> {
    connection.ensure_migrations_table(&migrator.table_name).await?;
    // Processes that start together wait for each other here.
    Migrate::lock(connection).await?;
    for Migration { version, .. } in pending_on(connection, migrator).await? {
        let migration = migrator.iter().find(|it| it.version == version);
        let migration = migration.expect("it is pending");
        let mut transaction = connection.begin().await?;
        let statements = statements(migration.sql.as_str()).into_iter();
        for statement in statements.flat_map(|it| apart(&it)) {
            sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *transaction).await?;
        }
        sqlx::query(
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
             values ($1, $2, true, $3, 0)",
        )
        .bind(migration.version)
        .bind(&*migration.description)
        .bind(&*migration.checksum)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
    }
    Migrate::unlock(connection).await?;
    Ok(())
}

async fn pending_on(
    connection: &mut PgConnection,
    migrator: &Migrator,
) -> Result<Vec<Migration>, Error> {
    let is_new: bool = sqlx::query_scalar("select to_regclass($1) is null")
        .bind(&*migrator.table_name)
        .fetch_one(&mut *connection)
        .await?;
    let applied = if is_new {
        Vec::new()
    } else {
        connection.list_applied_migrations(&migrator.table_name).await?
    };
    let applied: HashMap<_, _> = applied.into_iter().map(|it| (it.version, it.checksum)).collect();
    let mut pending = Vec::new();
    for migration in migrator.iter() {
        match applied.get(&migration.version) {
            None => pending.push(Migration {
                version: migration.version,
                description: migration.description.to_string(),
            }),
            Some(checksum) if *checksum != migration.checksum => {
                return Err(MigrateError::VersionMismatch(migration.version).into());
            }
            Some(_) => {}
        }
    }
    Ok(pending)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The first bytes of each migration's checksum. A migration that was applied somewhere never
    /// changes: the changed release would refuse a database that has it.
    const FROZEN: [(i64, &str); 25] = [
        (1, "ac303e5a901f6dd776bd1870"),
        (2, "16a037a288e3159b198d5430"),
        (3, "7656b1a3d7325427d10fca3d"),
        (4, "94d58c77013aad0294e9e032"),
        (5, "7545fc04fe8a8a69d5325b9c"),
        (6, "75c52e32d085e3e6e2ec5ae0"),
        (7, "a5cf0eee092838fc20b5fcb2"),
        (8, "1f7ba59c97f429b96339b6e3"),
        (9, "01b42ae4f66756e60a8e844c"),
        (10, "0605804232114cfb12b2e6df"),
        (11, "042fce91af3701f4bd115a94"),
        (12, "e9370c6ce7cff41f41c8f55d"),
        (13, "44d79fa23fcb2bea05d1b9fc"),
        (14, "ae0d5c680373a25b85d01865"),
        (15, "f68f78460d153d19eb53b6af"),
        (16, "e3fcc37f6c2d93fa6e1fc800"),
        (17, "0aadc37932eaf102228883e5"),
        (18, "593cf79c48c260d2c92dd77d"),
        (19, "7caf505baef557d9007afe1b"),
        (20, "e3939a4b4ff5a9f31ab9c238"),
        (21, "746cb02af3761ba63ff7a079"),
        (22, "d9e1be3796fd132cc1b06488"),
        (23, "2d3d4c162850741f83520819"),
        (24, "7c7c2a35bd5e3fd1c6604885"),
        (25, "90a904c68a71c74f5d9a443d"),
    ];

    /// The last migration of the first release that spread its tables: it was applied before they
    /// were.
    const FIRST_SPREAD: i64 = 7;

    #[test]
    fn migrations_never_change() {
        let checksum = |bytes: &[u8]| -> String {
            bytes.iter().take(12).map(|byte| format!("{byte:02x}")).collect()
        };
        let migrator = migrator();
        let found: Vec<(i64, String)> =
            migrator.iter().map(|it| (it.version, checksum(&it.checksum))).collect();
        let frozen: Vec<(i64, String)> =
            FROZEN.iter().map(|&(version, checksum)| (version, checksum.to_owned())).collect();
        assert_eq!(found, frozen, "write a new migration instead, and add it to this list");
    }

    /// A comment right below the table declares where its rows are and the rights on them.
    #[test]
    fn every_table_declares_itself() {
        let migrator = migrator();
        let (mut created, mut declared) = (BTreeSet::new(), BTreeSet::new());
        for statement in migrator.iter().flat_map(|it| statements(it.sql.as_str())) {
            let name = |rest: &str| {
                let rest = rest.strip_prefix("if not exists ").unwrap_or(rest);
                rest.split([' ', '(']).next().unwrap_or_default().to_owned()
            };
            created.extend(statement.strip_prefix("create table ").map(name));
            declared.extend(statement.strip_prefix("comment on table ").map(name));
        }
        created.insert("_sqlx_migrations".to_owned());
        assert_eq!(created, declared);
    }

    #[test]
    fn a_migration_of_a_distributed_table_adds_columns_and_constraints_apart() {
        let migrator = migrator();
        for migration in migrator.iter().filter(|it| it.version > FIRST_SPREAD) {
            let statements = statements(migration.sql.as_str());
            for statement in statements.iter().flat_map(|it| apart(it)) {
                let version = migration.version;
                assert!(!adds_constrained_column(&statement), "migration {version}: {statement}");
            }
        }
        assert!(adds_constrained_column("alter table a add column b int check (b > 0)"));
        assert!(adds_constrained_column("alter table a add column b int references c"));
        assert!(adds_constrained_column("alter table a add column b int, add column c int unique"));
        assert!(!adds_constrained_column("alter table a add column b int not null default 0"));
        assert!(!adds_constrained_column("alter table a add constraint b check (c > 0)"));
    }

    /// A function in the language SQL becomes a part of the statement that calls it, which several
    /// nodes then refuse. One in PL/pgSQL runs statement by statement.
    #[test]
    fn functions_that_read_tables_are_in_plpgsql() {
        let migrator = migrator();
        let mut functions = 0;
        for statement in migrator.iter().flat_map(|it| statements(it.sql.as_str())) {
            let is_function = ["create function ", "create or replace function "]
                .iter()
                .any(|it| statement.starts_with(it));
            if !is_function {
                continue;
            }
            functions += 1;
            let is_of_sql = statement.contains("language sql");
            let name = statement.lines().next().unwrap_or_default();
            assert!(!is_of_sql || !statement.contains("select"), "{name}");
        }
        assert!(functions > 8, "{functions}");
    }

    fn adds_constrained_column(statement: &str) -> bool {
        let is_constrained = |column: &str| {
            [" check ", " references ", " unique", " primary key"]
                .iter()
                .any(|it| column.contains(it))
        };
        statement.split("add column").skip(1).any(is_constrained)
    }
}
