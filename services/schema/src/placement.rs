//! Whether the tables of a database of several nodes are where they belong.
//!
//! Citus runs each statement that spreads a table in a transaction of its own, so a run that failed
//! half-way leaves some tables spread and others not. [`on_metadata`] finds that in the metadata
//! which every node has; [`on_nodes`] compares what the nodes really have.

use std::collections::HashMap;

use positions::BUCKETS;
use sqlx::postgres::PgConnection;

use crate::Error;
use crate::declarations::{Declaration, Place};

/// The number of shards of a new database: the maximum number of nodes, yet few enough for cheap
/// statements about all shards. Each shard has equally many buckets.
pub(crate) const SHARDS: usize = 16;

/// Settings of every session. A statement about several shards uses one connection to each node,
/// and goes through the shards in one order, so that two of them cannot wait for each other.
pub(crate) const SETTINGS: [(&str, &str); 2] = [
    ("citus.max_adaptive_executor_pool_size", "1"),
    ("citus.multi_shard_modify_mode", "sequential"),
];

/// What Citus knows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is whole on the coordinator: Citus does not know it, or knows it as a local table.
    Local,
    /// Every node has all rows.
    Reference,
    /// By a column, in a group of tables whose shards lie side by side.
    Distributed { column: String, group: i32 },
}

/// The kinds of all tables that Citus knows.
pub(crate) async fn kinds(connection: &mut PgConnection) -> Result<HashMap<String, Kind>, Error> {
    let rows: Vec<(String, String, String, Option<String>, i32)> = sqlx::query_as(
        "select relname::text, partmethod::text, repmodel::text,
             case when partkey is not null then column_to_column_name(logicalrelid, partkey) end,
             colocationid
         from pg_dist_partition
         join pg_class on pg_class.oid = logicalrelid
         where relnamespace = (select relnamespace from pg_class where oid = 'entries'::regclass)",
    )
    .fetch_all(connection)
    .await?;
    let kind = |(table, method, model, column, group): (String, String, String, _, i32)| {
        let kind = match (&*method, &*model, column) {
            ("h", _, Some(column)) => Kind::Distributed { column, group },
            ("n", "t", _) => Kind::Reference,
            _ => Kind::Local,
        };
        (table, kind)
    };
    Ok(rows.into_iter().map(kind).collect())
}

/// Whether a table is of the kind that its place requires, in the group of `buckets`.
pub(crate) fn fits(kind: &Kind, place: Place, group_of_buckets: Option<i32>) -> bool {
    match (kind, place) {
        (Kind::Reference, Place::Everywhere) => true,
        (Kind::Distributed { column, group }, Place::ByBucket) => {
            column == "bucket" && Some(*group) == group_of_buckets
        }
        _ => false,
    }
}

/// The group of the table that decides on which node each bucket is.
pub(crate) fn group_of_buckets(kinds: &HashMap<String, Kind>) -> Option<i32> {
    match kinds.get("buckets") {
        Some(Kind::Distributed { group, .. }) => Some(*group),
        _ => None,
    }
}

/// What is wrong according to the metadata, which every node has. It asks no other node.
pub(crate) async fn on_metadata(
    connection: &mut PgConnection,
    tables: &[(String, Place)],
) -> Result<Vec<String>, Error> {
    let kinds = kinds(connection).await?;
    let group = group_of_buckets(&kinds);
    let mut wrong = Vec::new();
    for (table, place) in tables {
        let kind = kinds.get(table).unwrap_or(&Kind::Local);
        if !fits(kind, *place, group) {
            let belongs = match place {
                Place::Everywhere => "on every node",
                Place::ByBucket => "beside the table buckets",
            };
            let is = match kind {
                Kind::Local => "on the coordinator only".to_owned(),
                Kind::Reference => "on every node".to_owned(),
                Kind::Distributed { column, .. } => format!("spread by {column} elsewhere"),
            };
            wrong.push(format!("the table {table} belongs {belongs}, and is {is}"));
        }
    }
    if group.is_some() {
        let shards = shards_of_buckets(connection).await?;
        if shards < SHARDS as i64 {
            wrong.push(format!("the table buckets has {shards} of {SHARDS} shards"));
        }
    }
    Ok(wrong)
}

/// How many shards each table beside `buckets` has. An operator may have split some.
pub(crate) async fn shards_of_buckets(connection: &mut PgConnection) -> Result<i64, Error> {
    let shards = sqlx::query_scalar(
        "select count(*) from pg_dist_shard where logicalrelid = 'buckets'::regclass",
    );
    Ok(shards.fetch_one(connection).await?)
}

/// What the nodes lack of what the coordinator has: foreign keys, functions, settings and buckets.
pub(crate) async fn on_nodes(
    connection: &mut PgConnection,
    tables: &[Declaration],
) -> Result<Vec<String>, Error> {
    let mut wrong = Vec::new();
    for table in tables {
        foreign_keys(connection, &table.table, &mut wrong).await?;
    }
    wrong.extend(lacking_objects(connection).await?);
    settings(connection, &mut wrong).await?;
    let buckets: i64 =
        sqlx::query_scalar("select count(*) from buckets").fetch_one(connection).await?;
    if buckets != BUCKETS as i64 {
        wrong.push(format!("the table buckets has {buckets} of {BUCKETS} rows"));
    }
    Ok(wrong)
}

/// Each shard has the foreign keys of its table.
async fn foreign_keys(
    connection: &mut PgConnection,
    table: &str,
    wrong: &mut Vec<String>,
) -> Result<(), Error> {
    let keys: i64 = sqlx::query_scalar(
        "select count(*) from pg_constraint where contype = 'f' and conrelid = $1::regclass",
    )
    .bind(table)
    .fetch_one(&mut *connection)
    .await?;
    if keys == 0 {
        return Ok(());
    }
    let lacking: Vec<String> = sqlx::query_scalar(
        "select format('%s:%s: %s', nodename, nodeport, result)
         from run_command_on_placements($1::regclass, $$
             select count(*) from pg_constraint where contype = 'f' and conrelid = '%s'::regclass
         $$)
         where not success or result <> $2::text
         order by 1
         limit 1",
    )
    .bind(table)
    .bind(keys.to_string())
    .fetch_all(connection)
    .await?;
    let lacking = lacking.into_iter();
    wrong.extend(lacking.map(|it| format!("{table} has {keys} foreign keys, and on {it}")));
    Ok(())
}

/// The schema's functions and types, as one text for each. Those of extensions are not ours.
const OBJECTS: &str = "
    select string_agg(its, E'\\n' order by its)
    from (
        select pg_get_functiondef(pg_proc.oid) as its
        from pg_proc
        where pronamespace = (select relnamespace from pg_class where oid = 'entries'::regclass)
            and prokind = 'f'
            and not exists (
                select 1 from pg_depend where objid = pg_proc.oid and deptype = 'e'
            )
        union all
        select format('create type %s (%s)', typname, string_agg(
            format('%s %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum
        ))
        from pg_type
        join pg_class on pg_class.oid = typrelid and relkind = 'c'
        join pg_attribute on attrelid = pg_class.oid and attnum > 0
        where typnamespace = (select relnamespace from pg_class where oid = 'entries'::regclass)
        group by typname
    ) as objects";

/// The functions and types that a node lacks, or has differently.
pub(crate) async fn lacking_objects(connection: &mut PgConnection) -> Result<Vec<String>, Error> {
    let mut wrong = Vec::new();
    let ours: String = sqlx::query_scalar(OBJECTS).fetch_one(&mut *connection).await?;
    let theirs: Vec<(String, bool, String)> = sqlx::query_as(
        "select format('%s:%s', nodename, nodeport), success, result
         from run_command_on_workers($1)",
    )
    .bind(OBJECTS)
    .fetch_all(connection)
    .await?;
    for (node, success, result) in theirs {
        if !success {
            wrong.push(format!("{node} does not answer: {result}"));
        } else if let Some(object) = first_lacking(&ours, &result) {
            wrong.push(format!("{node} lacks, or has another, {object}"));
        }
    }
    Ok(wrong)
}

/// The heading of the first function or type that the second text lacks.
fn first_lacking(ours: &str, theirs: &str) -> Option<String> {
    let heads = |text: &str| -> Vec<String> {
        let parts = text.split("\nCREATE OR REPLACE ").flat_map(|it| it.split("\ncreate type "));
        parts.map(|it| it.trim().to_owned()).collect()
    };
    let known = heads(theirs);
    let lacking = heads(ours).into_iter().find(|it| !known.contains(it))?;
    Some(lacking.lines().next().unwrap_or_default().to_owned())
}

/// Every node applies the settings to new sessions.
async fn settings(connection: &mut PgConnection, wrong: &mut Vec<String>) -> Result<(), Error> {
    const SET: &str = "
        select coalesce(string_agg(setting, ' ' order by setting), '')
        from pg_db_role_setting
        join pg_database on pg_database.oid = setdatabase and datname = current_database()
        cross join unnest(setconfig) as setting
        where setrole = 0";
    let own: String = sqlx::query_scalar(SET).fetch_one(&mut *connection).await?;
    let mut all = vec![("the coordinator".to_owned(), own)];
    let theirs: Vec<(String, String)> = sqlx::query_as(
        "select format('%s:%s', nodename, nodeport), result
         from run_command_on_workers($1)",
    )
    .bind(SET)
    .fetch_all(connection)
    .await?;
    all.extend(theirs);
    for (node, found) in all {
        for (setting, value) in SETTINGS {
            if !found.contains(&format!("{setting}={value}")) {
                wrong.push(format!("{node} lacks the setting {setting} = {value}"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_fits_its_place_only() {
        let beside = |group| Kind::Distributed { column: "bucket".to_owned(), group };
        assert!(fits(&Kind::Reference, Place::Everywhere, None));
        assert!(fits(&beside(4), Place::ByBucket, Some(4)));
        for (kind, place) in [
            (Kind::Local, Place::Everywhere),
            (Kind::Local, Place::ByBucket),
            (Kind::Reference, Place::ByBucket),
            (beside(4), Place::Everywhere),
            (beside(5), Place::ByBucket),
            (Kind::Distributed { column: "match_id".to_owned(), group: 4 }, Place::ByBucket),
        ] {
            assert!(!fits(&kind, place, Some(4)), "{kind:?}, {place:?}");
        }
        assert!(!fits(&beside(4), Place::ByBucket, None));
    }

    #[test]
    fn a_function_that_a_node_lacks_is_named() {
        let ours = "CREATE OR REPLACE FUNCTION a()\n one\nCREATE OR REPLACE FUNCTION b()\n two";
        let theirs = "CREATE OR REPLACE FUNCTION a()\n one\nCREATE OR REPLACE FUNCTION b()\n other";
        assert_eq!(first_lacking(ours, ours), None);
        assert_eq!(first_lacking(ours, theirs).as_deref(), Some("FUNCTION b()"));
        assert_eq!(first_lacking(ours, "").as_deref(), Some("CREATE OR REPLACE FUNCTION a()"));
    }
}
