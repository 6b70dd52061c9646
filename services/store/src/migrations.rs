//! The schema: bringing it up to date, and what the role that serves may do with it.
//!
//! Migrations are additive, so a release also runs on the schema of later ones: processes of two
//! releases work side by side while an installation is upgraded.

use crate::distribution::{distribute, statements};
use crate::{Error, Store};
use sqlx::migrate::{Migrate, MigrateError, Migrator};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};
use std::collections::HashMap;

/// A change to the schema, in `migrations/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migration {
    pub version: i64,
    pub description: String,
}

/// What a role that serves and projects may do with each table. It owns nothing, so it can neither
/// change the schema nor rebuild a read model.
///
/// Rows of the record are written once, and those who administer platforms are not those who serve.
/// A lock on a row needs the right to update it.
const SERVING: &[(&str, &str)] = &[
    ("_sqlx_migrations", "select"),
    ("installation", "select"),
    ("buckets", "select"),
    ("platforms", "select, insert"),
    ("platform_keys", "select, insert"),
    ("platform_limits", "select"),
    ("token_keys", "select, insert"),
    ("token_revocations", "select, insert"),
    ("player_revocations", "select, insert, delete"),
    ("sign_ins", "select, insert, delete"),
    ("lobby", "select, insert, delete"),
    ("bot_matches", "select, insert, delete"),
    ("seeks", "select, insert"),
    ("open_seeks", "select, insert, delete"),
    ("seek_ends", "select, insert"),
    ("receipt_keys", "select, insert"),
    ("matches", "select, insert"),
    ("seeds", "select, insert"),
    ("seats", "select, insert"),
    ("former_players", "select, insert"),
    ("contributions", "select, insert"),
    ("seed_keys", "select, insert"),
    ("next_matches", "select, insert"),
    ("speech_keys", "select, insert"),
    ("erasures", "select, insert"),
    ("entries", "select, insert"),
    ("deleted_matches", "select"),
    ("kept_results", "select"),
    ("archived_matches", "select"),
    ("match_tags", "select, insert, update, delete"),
    ("match_snapshots", "select, insert, update"),
    ("subscriptions", "select, insert, update, delete"),
    ("subscription_cursors", "select, insert, update, delete"),
    ("subscription_consumers", "select, insert, update, delete"),
    ("writers", "select, insert, update, delete"),
    ("presence", "select, insert, update"),
    ("outages", "select, insert"),
    ("webhooks", "select, insert, update"),
    ("webhook_secrets", "select, insert, update, delete"),
    ("webhook_deliveries", "select, insert, delete"),
    ("projections", "select"),
    ("checkpoints", "select, update"),
    ("unreadable_matches", "select, insert, update, delete"),
    ("match_summaries", "select, insert, update"),
    ("leagues", "select, insert, update"),
    ("results", "select, insert, update"),
    ("standings", "select, insert, update"),
    ("opponents", "select, insert, update"),
    ("holdings", "select, insert, update"),
];

/// What the role may do beyond its rights: functions of the tables' owner, each of which does one
/// thing only.
const SERVING_FUNCTIONS: [&str; 5] = [
    "contribute_to_match(uuid, smallint, text, bytea)",
    "delete_open_match(text, uuid)",
    "erase_player(text, text)",
    "leave_open_match(text, uuid, text)",
    "replace_player(uuid, smallint, int8, text, text, text, bytea, timestamptz)",
];

fn migrator() -> Migrator {
    let mut migrator = sqlx::migrate!("../../migrations");
    // A later release has been here.
    migrator.set_ignore_missing(true);
    migrator
}

impl Store {
    /// The migrations of this release that the database lacks. Writes nothing, and needs no right
    /// but to read which migrations were applied.
    pub async fn pending_migrations(&self) -> Result<Vec<Migration>, Error> {
        let mut connection = self.connection().await?;
        let pending = pending(&mut connection, &migrator()).await;
        let _ = connection.close().await;
        pending
    }

    /// Applies the pending migrations, and returns them. Processes that start together wait for
    /// each other here.
    pub async fn migrate(&self) -> Result<Vec<Migration>, Error> {
        let (mut connection, migrator) = (self.connection().await?, migrator());
        let pending = pending(&mut connection, &migrator).await?;
        let is_sharded = self.is_sharded().await?;
        // Otherwise a role that may not change the schema could not start.
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

    /// Lets a role serve and project: it may do what the service does, and nothing else with these
    /// tables. Rights that it has been given in addition are taken away. Needs their owner, and
    /// returns false if there is no such role.
    pub async fn grant(&self, role: &str) -> Result<bool, Error> {
        let mut connection = self.connection().await?;
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
        for (table, rights) in SERVING {
            grants += &format!(
                "revoke all on {schema}.{table} from {role};
                 grant {rights} on {schema}.{table} to {role};"
            );
        }
        for function in SERVING_FUNCTIONS {
            grants += &format!("grant execute on function {schema}.{function} to {role};");
        }
        sqlx::raw_sql(AssertSqlSafe(grants)).execute(&mut *transaction).await?;
        transaction.commit().await?;
        let _ = connection.close().await;
        Ok(true)
    }
}

/// Applies the pending migrations, each in a transaction, and its statements one by one: a sharded
/// database takes one change of a distributed table at a time.
async fn run_by_statement(connection: &mut PgConnection, migrator: &Migrator) -> Result<(), Error> {
    connection.ensure_migrations_table(&migrator.table_name).await?;
    // Processes that start together wait for each other here.
    Migrate::lock(connection).await?;
    for Migration { version, .. } in pending(connection, migrator).await? {
        let migration = migrator.iter().find(|it| it.version == version);
        let migration = migration.expect("it is pending");
        let mut transaction = connection.begin().await?;
        for statement in statements(migration.sql.as_str()) {
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

async fn pending(
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
    use super::*;
    use std::collections::HashSet;

    /// The first bytes of each migration's checksum. A migration that was applied somewhere is
    /// never changed again: a database that has it would be refused by the changed release.
    const FROZEN: [(i64, &str); 23] = [
        (1, "ca46aaf26ee0bfa29362e83f"),
        (2, "a771521475d6ed8765097ac7"),
        (3, "31b33d3c5599bdc99a54bf57"),
        (4, "b8a3489a1d13a1cdf130dd60"),
        (5, "0c2485c379377fe6e16f1fd5"),
        (6, "4606ca78ffb0979582b0a4b0"),
        (7, "6a8065dcddac0bbb118362a1"),
        (8, "865213607d00f34523ee5b2f"),
        (9, "49c8d3415f9eef7dbefb2686"),
        (10, "f0a343e328a37c737b135d14"),
        (11, "97f0fa8690fe385c9f14eaf7"),
        (12, "f613e052813741d275c39643"),
        (13, "d4c2ba400f2e184553fbefdc"),
        (14, "40d645e77eba1c41b031e373"),
        (15, "21bf210dbe09227063244050"),
        (16, "0223416d94ff7805511b1a87"),
        (17, "3b9a03af9e1b667def6f4a72"),
        (18, "2dce10f3af4ac601b45e2930"),
        (19, "82b83575e08e36fe8db33acf"),
        (20, "b4cc6737e505d729bb01441f"),
        (21, "0512f8652eef8e2d8b7070ba"),
        (22, "c9da6bf1e4937af9f4dd23f7"),
        (23, "26a64704af181eba85f10d9c"),
    ];

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

    #[test]
    fn every_table_has_its_rights() {
        let migrator = migrator();
        let statements = migrator.iter().flat_map(|it| it.sql.as_str().lines());
        let created = statements.filter_map(|line| line.strip_prefix("create table "));
        let created: HashSet<&str> =
            created.map(|it| it.trim_end_matches(" (")).chain(["_sqlx_migrations"]).collect();
        let known: HashSet<&str> = SERVING.iter().map(|&(table, _)| table).collect();
        assert_eq!(created, known);
    }
}
