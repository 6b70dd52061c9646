//! Spreading the tables over the nodes of a database with the extension Citus.
//!
//! All rows of a bucket are on one node; a table declared `everywhere` is whole on every node.

use positions::BUCKETS;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor};

use crate::Error;
use crate::declarations::{Declaration, Place, declarations, functions};

/// The number of shards of a new database: the maximum number of nodes, yet few enough for cheap
/// statements about all shards. Each shard has equally many buckets.
const SHARDS: usize = 16;

/// Settings of every session. A statement about several shards uses one connection to each node,
/// and goes through the shards in one order, so that two of them cannot wait for each other.
const SETTINGS: [(&str, &str); 2] = [
    ("citus.max_adaptive_executor_pool_size", "1"),
    ("citus.multi_shard_modify_mode", "sequential"),
];

/// Distributes the tables that are not distributed yet. If all are, it does nothing, so any role
/// may call it.
pub(crate) async fn distribute(connection: &mut PgConnection) -> Result<(), Error> {
    let mut left = Vec::new();
    // The table `buckets` decides on which node each bucket is.
    let mut tables = declarations(connection).await?;
    tables.sort_by_key(|it| (it.place != Place::Everywhere, it.table != "buckets"));
    for it in tables {
        let is_local: bool = sqlx::query_scalar(
            "select not exists (
                 select 1
                 from pg_dist_partition
                 where logicalrelid = $1::regclass
             )",
        )
        .bind(&it.table)
        .fetch_one(&mut *connection)
        .await?;
        if is_local {
            left.push(it);
        }
    }
    if left.is_empty() {
        return Ok(());
    }
    settle(connection).await?;
    for Declaration { table, place, .. } in left {
        match (&*table, place) {
            (_, Place::Everywhere) => {
                run(connection, &format!("select create_reference_table('{table}')")).await?
            }
            ("buckets", Place::ByBucket) => distribute_buckets(connection).await?,
            (_, Place::ByBucket) => run(connection, &distribution_of(&table, "buckets")).await?,
        }
    }
    for function in functions(connection).await? {
        run(connection, &format!("select create_distributed_function('{function}')")).await?;
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
        sqlx::query("select run_command_on_workers($1)")
            .bind(&alter)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Distributes the table that decides on which node each bucket is: as one shard, which is then
/// split between the hashes of the buckets. Shards are assigned to eligible nodes in turn.
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
