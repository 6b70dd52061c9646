//! Spreading the tables over the nodes of a database with the extension Citus.
//!
//! All rows of a bucket are on one node; a table declared `everywhere` is whole on every node.
//! Citus runs each step in a transaction of its own, so a run may fail between any two. The next
//! one continues from whatever it finds, and checks the result.

use positions::BUCKETS;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};

use crate::Error;
use crate::declarations::{Declaration, Place, declarations};
use crate::files::comments;
use crate::placement::{
    Kind, SETTINGS, SHARDS, fits, group_of_buckets, kinds, lacking_objects, on_metadata, on_nodes,
    shards_of_buckets,
};

/// A setting while tables are spread. Otherwise a table that every node has makes Citus keep the
/// tables that refer to it on the coordinator, from where they can refer to no distributed table.
const REFERENCES_STAY: &str = "set citus.enable_local_reference_table_foreign_keys = off";

/// Distributes what is not distributed yet, and fails if anything is not where it belongs then.
pub(crate) async fn distribute(connection: &mut PgConnection) -> Result<(), Error> {
    describe(connection).await?;
    let tables = declarations(connection).await?;
    settle(connection).await?;
    run(connection, REFERENCES_STAY).await?;
    for table in names_of(&tables, Place::Everywhere) {
        if !is_placed(connection, table, Place::Everywhere).await? {
            run(connection, &format!("select create_reference_table('{table}')")).await?;
        }
    }
    // The table `buckets` decides on which node each bucket is.
    if !is_placed(connection, "buckets", Place::ByBucket).await? {
        let create = "select create_distributed_table(
            'buckets', 'bucket', shard_count => 1, colocate_with => 'none'
        )";
        run(connection, create).await?;
    }
    if shards_of_buckets(connection).await? == 1 {
        split_buckets(connection).await?;
    }
    distribute_beside_buckets(connection, &tables).await?;
    distribute_objects(connection).await?;
    describe(connection).await?;
    let tables = declarations(connection).await?;
    let places: Vec<_> = tables.iter().map(|it| (it.table.clone(), it.place)).collect();
    let mut wrong = on_metadata(connection, &places).await?;
    if wrong.is_empty() {
        wrong = on_nodes(connection, &tables).await?;
    }
    if wrong.is_empty() { Ok(()) } else { Err(Error::Misplaced(wrong)) }
}

/// The names of the tables that belong there, each after those that it refers to.
fn names_of(tables: &[Declaration], place: Place) -> impl Iterator<Item = &str> {
    tables.iter().filter(move |it| it.place == place).map(|it| &*it.table)
}

async fn is_placed(
    connection: &mut PgConnection,
    table: &str,
    place: Place,
) -> Result<bool, Error> {
    let kinds = kinds(connection).await?;
    let group = group_of_buckets(&kinds);
    Ok(kinds.get(table).is_some_and(|kind| fits(kind, place, group)))
}

/// Distributes the local tables with buckets, in one transaction. Foreign keys between tables that
/// Citus manages on the coordinator are removed first and added again at its end.
async fn distribute_beside_buckets(
    connection: &mut PgConnection,
    tables: &[Declaration],
) -> Result<(), Error> {
    let kinds = kinds(connection).await?;
    let is_local = |it: &&str| matches!(kinds.get(*it), None | Some(Kind::Local));
    let left: Vec<&str> = names_of(tables, Place::ByBucket).filter(is_local).collect();
    if left.is_empty() {
        return Ok(());
    }
    let managed: Vec<&str> = left.iter().copied().filter(|it| kinds.contains_key(*it)).collect();
    let mut transaction = connection.begin().await?;
    let keys: Vec<(String, String, String)> = sqlx::query_as(
        "select conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid)
         from pg_constraint
         where contype = 'f' and conrelid = any($1::text[]::regclass[])
         order by 1, 2",
    )
    .bind(&managed)
    .fetch_all(&mut *transaction)
    .await?;
    for (table, key, _) in &keys {
        run(&mut transaction, &format!("alter table {table} drop constraint {key}")).await?;
    }
    for table in left {
        remove_triggers(&mut transaction, table).await?;
        run(&mut transaction, &distribution_of(table, "buckets")).await?;
    }
    for (table, key, definition) in &keys {
        let add = format!("alter table {table} add constraint {key} {definition}");
        run(&mut transaction, &add).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Removes the triggers of a table, which Citus does not distribute. They refuse what the role that
/// serves has no right to do, so rights alone refuse it then.
async fn remove_triggers(connection: &mut PgConnection, table: &str) -> Result<(), Error> {
    let triggers: Vec<String> = sqlx::query_scalar(
        "select quote_ident(tgname)
         from pg_trigger
         where tgrelid = $1::regclass and not tgisinternal",
    )
    .bind(table)
    .fetch_all(&mut *connection)
    .await?;
    for trigger in triggers {
        run(connection, &format!("drop trigger {trigger} on {table}")).await?;
    }
    Ok(())
}

/// Lets every node have the functions and types of the coordinator. Those that were created after
/// the extension are there already.
async fn distribute_objects(connection: &mut PgConnection) -> Result<(), Error> {
    if lacking_objects(connection).await?.is_empty() {
        return Ok(());
    }
    let types: Vec<String> = sqlx::query_scalar(
        "select pg_type.oid::regtype::text
         from pg_type
         join pg_class on pg_class.oid = typrelid and relkind = 'c'
         where typnamespace = (select relnamespace from pg_class where oid = 'entries'::regclass)
         order by 1",
    )
    .fetch_all(&mut *connection)
    .await?;
    for its in types {
        // A type comes to a node with a function that takes it.
        let carrier = format!("carrier({its})");
        run(
            connection,
            &format!("create or replace function {carrier} returns void language sql as ''"),
        )
        .await?;
        run(connection, &format!("select create_distributed_function('{carrier}')")).await?;
        run(connection, &format!("drop function {carrier}")).await?;
    }
    let functions: Vec<String> = sqlx::query_scalar(
        "select oid::regprocedure::text
         from pg_proc
         where pronamespace = (select relnamespace from pg_class where oid = 'entries'::regclass)
             and prokind = 'f'
             and not exists (select 1 from pg_depend where objid = pg_proc.oid and deptype = 'e')
         order by 1",
    )
    .fetch_all(&mut *connection)
    .await?;
    for function in functions {
        run(connection, &format!("select create_distributed_function('{function}')")).await?;
    }
    Ok(())
}

/// Restores the comments of migrations on tables that lost them: Citus makes a table anew when it
/// changes its kind, without its comment.
async fn describe(connection: &mut PgConnection) -> Result<(), Error> {
    for (table, comment) in comments() {
        let is_lost: Option<bool> = sqlx::query_scalar(
            "select obj_description(oid, 'pg_class') is null
             from pg_class
             where oid = to_regclass($1)",
        )
        .bind(&table)
        .fetch_optional(&mut *connection)
        .await?;
        if is_lost == Some(true) {
            run(connection, &comment).await?;
        }
    }
    Ok(())
}

/// The statement that distributes a new table like another.
pub fn distribution_of(table: &str, beside: &str) -> String {
    format!("select create_distributed_table('{table}', 'bucket', colocate_with => '{beside}')")
}

/// Applies the settings to this session and to every new session on every node.
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
        // Whether it is set there is checked at the end.
        sqlx::query("select run_command_on_workers($1)")
            .bind(&alter)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Splits the only shard of the table that decides on which node each bucket is, between the hashes
/// of the buckets. Shards are assigned to eligible nodes in turn.
async fn split_buckets(connection: &mut PgConnection) -> Result<(), Error> {
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

/// The last hash of every shard except the last, from all hashes in order. Buckets with equal
/// hashes would be in one shard.
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

#[cfg(test)]
mod tests {
    use super::*;

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
