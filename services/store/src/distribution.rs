//! Spreading the tables over the nodes of a database with the extension Citus.
//!
//! All rows of a bucket are on one node. What every call needs and hardly ever changes (who may
//! call, which read models there are) is on every node, so that no node needs another for it.

use crate::{BUCKETS, Error};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor};

/// Tables that every node of a sharded database has as a whole.
pub const EVERYWHERE: [&str; 12] = [
    "_sqlx_migrations",
    "writers",
    "installation",
    "platforms",
    "platform_keys",
    "platform_limits",
    "player_revocations",
    "token_keys",
    "receipt_keys",
    "seed_keys",
    "erasures",
    "projections",
];

/// Tables of which every node has the rows of its buckets; a table after those that it refers to.
const DISTRIBUTED: [&str; 37] = [
    "buckets",
    "matches",
    "seeds",
    "seats",
    "former_players",
    "speech_keys",
    "contributions",
    "entries",
    "match_snapshots",
    "archived_matches",
    "match_tags",
    "next_matches",
    "token_revocations",
    "deleted_matches",
    "kept_results",
    "lobby",
    "bot_matches",
    "seeks",
    "open_seeks",
    "seek_ends",
    "sign_ins",
    "presence",
    "outages",
    "subscriptions",
    "subscription_cursors",
    "subscription_consumers",
    "webhooks",
    "webhook_secrets",
    "webhook_deliveries",
    "checkpoints",
    "unreadable_matches",
    "match_summaries",
    "leagues",
    "results",
    "standings",
    "opponents",
    "holdings",
];

/// Functions that any node may be asked to call.
const FUNCTIONS: [&str; 5] = [
    "contribute_to_match(uuid, smallint, text, bytea)",
    "delete_open_match(text, uuid)",
    "erase_player(text, text)",
    "leave_open_match(text, uuid, text)",
    "replace_player(uuid, smallint, int8, text, text, text, bytea, timestamptz)",
];

/// Shards of a new database: as many nodes as it may ever have, few enough that a statement about
/// all of them is cheap. Each has as many buckets.
const SHARDS: usize = 16;

/// Settings of every session. A statement about several shards uses one connection to each node,
/// and goes through the shards in one order, so that two of them cannot wait for each other.
const SETTINGS: [(&str, &str); 2] = [
    ("citus.max_adaptive_executor_pool_size", "1"),
    ("citus.multi_shard_modify_mode", "sequential"),
];

/// Spreads the tables that are not spread yet. Does nothing where all are, so any role may call it.
pub(crate) async fn distribute(connection: &mut PgConnection) -> Result<(), Error> {
    let mut left = Vec::new();
    for (table, is_reference) in tables() {
        let is_local: bool = sqlx::query_scalar(
            "select not exists (
                 select 1
                 from pg_dist_partition
                 where logicalrelid = $1::regclass
             )",
        )
        .bind(table)
        .fetch_one(&mut *connection)
        .await?;
        if is_local {
            left.push((table, is_reference));
        }
    }
    if left.is_empty() {
        return Ok(());
    }
    settle(connection).await?;
    for (table, is_reference) in left {
        match (table, is_reference) {
            (_, true) => {
                run(connection, &format!("select create_reference_table('{table}')")).await?
            }
            ("buckets", _) => distribute_buckets(connection).await?,
            (_, false) => run(connection, &distribution_of(table, "buckets")).await?,
        }
    }
    for function in FUNCTIONS {
        run(connection, &format!("select create_distributed_function('{function}')")).await?;
    }
    Ok(())
}

fn tables() -> impl Iterator<Item = (&'static str, bool)> {
    let reference = EVERYWHERE.into_iter().map(|it| (it, true));
    reference.chain(DISTRIBUTED.into_iter().map(|it| (it, false)))
}

/// The statement that spreads a new table as another is spread.
pub fn distribution_of(table: &str, beside: &str) -> String {
    format!("select create_distributed_table('{table}', 'bucket', colocate_with => '{beside}')")
}

/// Makes the settings those of every new session on every node, and of this one.
async fn settle(connection: &mut PgConnection) -> Result<(), Error> {
    for (setting, value) in SETTINGS {
        run(connection, &format!("set {setting} = '{value}'")).await?;
        let alter: String = sqlx::query_scalar(
            "select format('alter database %I set %s = %L', current_database(), $1::text, $2::text)",
        )
        .bind(setting)
        .bind(value)
        .fetch_one(&mut *connection)
        .await?;
        run(connection, &alter).await?;
        sqlx::query("select run_command_on_workers($1)")
            .bind(&alter)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Spreads the table that decides where each bucket is: one shard, which is then split between the
/// hashes of the buckets. Shards take turns on the nodes that may have any.
async fn distribute_buckets(connection: &mut PgConnection) -> Result<(), Error> {
    run(
        connection,
        "select create_distributed_table('buckets', 'bucket', shard_count => 1, colocate_with => 'none')",
    )
    .await?;
    let mut hashes: Vec<i32> = sqlx::query_scalar(
        "select worker_hash(bucket) from generate_series(0::smallint, 63) as its (bucket)",
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut nodes: Vec<i32> = sqlx::query_scalar(
        "select nodeid from pg_dist_node
         where noderole = 'primary' and shouldhaveshards and isactive
         order by nodeid",
    )
    .fetch_all(&mut *connection)
    .await?;
    hashes.sort_unstable();
    if nodes.is_empty() {
        nodes = sqlx::query_scalar("select nodeid from pg_dist_node where groupid = 0")
            .fetch_all(&mut *connection)
            .await?;
    }
    let cuts = cuts(&hashes);
    let placed: Vec<i32> = nodes.iter().copied().cycle().take(cuts.len() + 1).collect();
    sqlx::query(
        "select citus_split_shard_by_split_points(
             (select shardid from pg_dist_shard where logicalrelid = 'buckets'::regclass),
             $1::text[], $2::int[], 'block_writes'
         )",
    )
    .bind(cuts.iter().map(i32::to_string).collect::<Vec<_>>())
    .bind(placed)
    .execute(connection)
    .await?;
    Ok(())
}

/// The last hash of every shard but the last, from all hashes in order. Hashes of two buckets that
/// are equal would be in one shard.
fn cuts(hashes: &[i32]) -> Vec<i32> {
    let each = BUCKETS / SHARDS;
    hashes
        .chunks(each)
        .map(|shard| *shard.last().expect("a chunk is not empty"))
        .take(SHARDS - 1)
        .collect()
}

async fn run(connection: &mut PgConnection, statement: &str) -> Result<(), Error> {
    connection.execute(AssertSqlSafe(statement.to_owned())).await?;
    Ok(())
}

/// The statements of a script, one by one. Knows strings, quoted names, bodies between dollars,
/// those of functions between `begin atomic` and `end`, and comments on a line of their own or at
/// its end.
pub(crate) fn statements(script: &str) -> Vec<String> {
    let (mut statements, mut statement, mut rest) = (Vec::new(), String::new(), script);
    let mut is_atomic = false;
    while let Some(next) = rest.chars().next() {
        let length = if rest.starts_with("--") {
            let end = rest.find('\n').unwrap_or(rest.len());
            rest = &rest[end..];
            continue;
        } else if let Some(tag) = dollar_tag(rest) {
            let body = &rest[tag.len()..];
            body.find(tag).map_or(rest.len(), |end| end + 2 * tag.len())
        } else if next == '\'' || next == '"' {
            rest[1..].find(next).map_or(rest.len(), |end| end + 2)
        } else {
            next.len_utf8()
        };
        let (part, after) = rest.split_at(length);
        rest = after;
        // As `begin atomic`, it has a line of its own.
        let is_end = is_atomic && statement.lines().next_back().map(str::trim) == Some("end");
        if part == ";" && (!is_atomic || is_end) {
            statements.push(std::mem::take(&mut statement).trim().to_owned());
            is_atomic = false;
        } else {
            statement.push_str(part);
            is_atomic |= statement.ends_with("begin atomic");
        }
    }
    statements.push(statement.trim().to_owned());
    statements.retain(|it| !it.is_empty());
    statements
}

/// The tag that begins here, such as `$$`.
fn dollar_tag(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('$')?;
    let end = inner.find('$')?;
    let is_tag = inner[..end].chars().all(|it| it.is_ascii_alphabetic() || it == '_');
    is_tag.then(|| &text[..end + 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn migrations() -> impl Iterator<Item = (i64, String)> {
        let migrator = sqlx::migrate!("../../migrations");
        let all: Vec<(i64, String)> =
            migrator.iter().map(|it| (it.version, it.sql.as_str().to_owned())).collect();
        all.into_iter()
    }

    #[test]
    fn every_table_is_spread_or_everywhere() {
        let mut created: BTreeSet<String> = ["_sqlx_migrations".to_owned()].into();
        for (_, script) in migrations() {
            for statement in statements(&script) {
                let name = statement.strip_prefix("create table ");
                created.extend(name.map(|it| it.split([' ', '(']).next().unwrap().to_owned()));
            }
        }
        let known: BTreeSet<String> = tables().map(|(table, _)| table.to_owned()).collect();
        assert_eq!(created, known);
    }

    #[test]
    fn a_table_comes_after_those_that_it_refers_to() {
        let order: Vec<&str> = tables().map(|(table, _)| table).collect();
        let nth = |table: &str| order.iter().position(|it| *it == table);
        let mut references = 0;
        for (_, script) in migrations() {
            for statement in statements(&script) {
                let Some(name) = statement.strip_prefix("create table ") else { continue };
                let table = name.split([' ', '(']).next().unwrap();
                for reference in statement.split(" references ").skip(1) {
                    let other = reference.split([' ', '(', ',', '\n']).next().unwrap();
                    assert!(nth(other) < nth(table), "{table} refers to {other}");
                    // A table that is everywhere cannot refer to a row that is somewhere.
                    let is_everywhere = |it: &str| EVERYWHERE.contains(&it);
                    assert!(!is_everywhere(table) || is_everywhere(other), "{table}, {other}");
                    references += 1;
                }
            }
        }
        assert!(references > 10, "{references}");
    }

    #[test]
    fn a_script_is_read_statement_by_statement() {
        let script = "-- A comment; with a semicolon.
            select ';', \"a;b\", 1; -- another; one
            do $$ begin perform 1; end $$;
            create function f() returns int language sql
            begin atomic
                select 1;
                select case when true then 2 end;
            end;
            select 3";
        let found = statements(script);
        assert_eq!(found.len(), 4, "{found:#?}");
        assert_eq!(found[0], "select ';', \"a;b\", 1");
        assert_eq!(found[1], "do $$ begin perform 1; end $$");
        assert!(found[2].ends_with("end") && found[2].contains("then 2"), "{}", found[2]);
        assert_eq!(found[3], "select 3");
    }

    #[test]
    fn a_migration_of_a_distributed_table_adds_columns_and_constraints_apart() {
        // Those before were applied before any table was distributed.
        for (version, script) in migrations().filter(|(version, _)| *version >= 20) {
            for statement in statements(&script) {
                assert!(!adds_constrained_column(&statement), "migration {version}: {statement}");
            }
        }
        assert!(adds_constrained_column("alter table a add column b int check (b > 0)"));
        assert!(adds_constrained_column("alter table a add column b int references c"));
        assert!(adds_constrained_column("alter table a add column b int, add column c int unique"));
        assert!(!adds_constrained_column("alter table a add column b int not null default 0"));
        assert!(!adds_constrained_column("alter table a add constraint b check (c > 0)"));
    }

    fn adds_constrained_column(statement: &str) -> bool {
        let is_constrained = |column: &str| {
            [" check ", " references ", " unique", " primary key"]
                .iter()
                .any(|it| column.contains(it))
        };
        statement.split("add column").skip(1).any(is_constrained)
    }

    #[test]
    fn every_shard_has_as_many_buckets() {
        let hashes: Vec<i32> = (0..BUCKETS as i32).map(|it| it * 10).collect();
        let cuts = cuts(&hashes);
        assert_eq!(cuts.len(), SHARDS - 1);
        assert_eq!((cuts[0], cuts[1]), (30, 70));
        let last = *cuts.last().unwrap();
        assert_eq!(hashes.iter().filter(|it| **it > last).count(), BUCKETS / SHARDS);
    }
}
