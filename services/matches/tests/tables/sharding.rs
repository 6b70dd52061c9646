//! Tests that the statements fit a database whose tables are distributed over several nodes by
//! bucket, on one Postgres: a twin, whose tables are partitioned by bucket, shows which parts a
//! statement would touch, and unsupported constructs are found in the text. A second Postgres
//! stands for a node that becomes unreachable.

mod away;
mod citus;
mod forms;
mod refused;
mod sources;

use crate::installation::Installation;
use event_log::Log;
use postgres_server::Postgres;
use projector::Filter;
use rows::MatchId;
use schema::Place;
use sources::Statement;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, Executor, Row};
use std::collections::BTreeSet;
use std::path::Path;
use store::RECORD;
use time::OffsetDateTime;
use uuid::Uuid;

/// Why a statement may touch the rows of all buckets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// It is sent to one Postgres only.
    OnePostgres,
    /// It is sent straight to the node that has the buckets.
    Direct,
    /// It reads all buckets, or one that follows from the data that it reads.
    All(&'static str),
}

use Why::{All, Direct, OnePostgres};

/// Types of parameters that Postgres cannot infer, as the program declares them.
const TYPES: [(&str, &str); 6] = [
    (
        "from unreadable_matches where model = any($1) and try_time",
        "text[], timestamptz, bool, int8",
    ),
    (
        "with seated as ( insert into seats",
        "smallint, uuid, smallint, text, text, timestamptz, text, text, bytea, bytea, text",
    ),
    (
        "with created as ( insert into seeks",
        "smallint, uuid, text, text, text, text, smallint[], text, int8, int8, int8, bytea, text, timestamptz, bytea, text",
    ),
    (
        "with created as ( insert into subscriptions",
        "smallint, text, text, text[], text[], text[], bool, timestamptz, int8[], jsonb, text, bytea",
    ),
    (
        "$14 where $16::text is null or right_holds_for",
        "smallint, uuid, text, text, text, text, smallint[], text, int8, int8, int8, bytea, text, timestamptz, bytea, text",
    ),
    ("select platform, match_id, deadline from (", "timestamptz, timestamptz, int8, uuid[]"),
];

/// Files whose statements need what the twin lacks: the functions of Citus, or the temporary tables
/// with which read models are compared, on one Postgres only.
const ELSEWHERE: [&str; 7] = [
    "database/database.rs",
    "database/nodes.rs",
    "database/own_shards.rs",
    "keeping/archiving/size.rs",
    "projector/compare.rs",
    "schema/distribution.rs",
    "schema/placement.rs",
];

include!("sharding/allowed.rs");

/// Where the statements of lists are made, for every filter another one.
const OF_FILTERS: &str = "projector/model/matches/find.rs";

/// Those of the sources, and those that are made at run time.
fn all_statements() -> Vec<Statement> {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut statements = sources::statements(&services);
    let of_log = Log::statements(&RECORD);
    statements.extend(of_log.iter().map(|text| Statement::new("event-log", text)));
    let cursor = (OffsetDateTime::UNIX_EPOCH, MatchId(Uuid::nil()));
    let of_filters = Filter::statements_on_nodes(cursor);
    assert!(of_filters.len() > 500, "{} lists", of_filters.len());
    statements.extend(of_filters.iter().map(|text| Statement::new(OF_FILTERS, text)));
    statements
}

#[tokio::test(flavor = "multi_thread")]
async fn every_statement_names_its_bucket_or_may_touch_all() {
    let statements = all_statements();
    assert!(statements.len() > 150, "{} statements", statements.len());
    let folder = tempfile::tempdir().expect("a folder");
    let postgres =
        Postgres::start(folder.path().join("postgres"), postgres_server::Options::new("sharding"));
    let postgres = postgres.await.expect("it starts");
    let installation = Installation::migrated(postgres.options()).await;
    let mut twin = installation.database().connection().await.expect("it connects");
    let declared = schema::declarations(&mut twin).await.expect("they are read");
    let of_rights = |end: &str| -> Vec<String> {
        let on_all = declared.iter().filter(|it| it.place == Place::Everywhere);
        on_all.filter(|it| it.rights.ends_with(end)).map(|it| it.table.clone()).collect()
    };
    let (everywhere, only_added) = (of_rights(""), of_rights("insert"));
    partition(&mut twin).await;
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for Statement { file, sql } in statements.iter().filter(|it| !ELSEWHERE.contains(&&*it.file)) {
        let allowed = ALLOWED.iter().position(|(its, part, _)| file == its && sql.contains(part));
        used.extend(allowed);
        let why = allowed.map(|n| ALLOWED[n].2);
        if why != Some(OnePostgres) && refused::changes_by_chance(sql) {
            wrong.push(format!("{file}: a change of rows with a volatile function: {sql}"));
        }
        if why != Some(OnePostgres) {
            let refused = refused::refused_alone(sql, &everywhere);
            wrong.extend(refused.iter().map(|it| format!("{file}: {it}: {sql}")));
            if refused::locks_what_is_only_added_to(sql, &only_added) {
                wrong.push(format!("{file}: more than `insert … values` (`Database::add`): {sql}"));
            }
        }
        match touched(&mut twin, sql).await {
            Err(error) => wrong.push(format!("{file}: cannot be read ({error}): {sql}")),
            Ok(touched) if touched.contains("others") => match why {
                None => wrong.push(format!("{file}: touches all buckets: {sql}")),
                Some(OnePostgres | Direct) => {}
                Some(All(_)) => {
                    let refused = refused::refused(sql, &everywhere);
                    wrong.extend(refused.iter().map(|it| format!("{file}: {it}: {sql}")));
                }
            },
            // It names the buckets of a node.
            Ok(_) if file == OF_FILTERS => {
                let refused = refused::refused(sql, &everywhere);
                wrong.extend(refused.iter().map(|it| format!("{file}: {it}: {sql}")));
            }
            Ok(_) => {}
        }
    }
    let unused = (0..ALLOWED.len()).filter(|n| !used.contains(n));
    wrong.extend(unused.map(|n| format!("is allowed, and not there: {:?}", ALLOWED[n])));
    twin.close().await.expect("it closes");
    installation.close().await;
    postgres.stop().await;
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The bucket that all values name.
const BUCKET: i16 = 5;

/// A statement that runs these ones for every table that has buckets, with `its.name` as its name.
/// Foreign keys and triggers are removed first: they would refuse it.
fn change_tables(each: &str) -> String {
    format!(
        "do $$
        declare
            its record;
        begin
            for its in select conrelid::regclass as of, conname from pg_constraint where contype = 'f' loop
                execute format('alter table %s drop constraint %I', its.of, its.conname);
            end loop;
            for its in
                select relname as name
                from pg_class
                where relkind = 'r' and relnamespace = 'public'::regnamespace
                    and obj_description(oid, 'pg_class') like 'by bucket;%'
            loop
                execute format('alter table %I disable trigger user', its.name);
                {each}
            end loop;
        end $$"
    )
}

/// Partitions every table that has buckets: one partition for [`BUCKET`] and for rows of the whole
/// installation, one for the others.
async fn partition(twin: &mut PgConnection) {
    let each = format!(
        "execute format('alter table %I rename to %I', its.name, its.name || '_old');
         execute format('create table %I (like %I including all) partition by list (bucket)',
             its.name, its.name || '_old');
         execute format('create table %I partition of %I for values in (0, {BUCKET})',
             its.name || '__named', its.name);
         execute format('create table %I partition of %I default', its.name || '__others', its.name);"
    );
    let statement = change_tables(&each);
    twin.execute(AssertSqlSafe(statement)).await.expect("it is partitioned");
    twin.execute("set plan_cache_mode = force_custom_plan").await.expect("it is set");
}

/// The partitions that a statement would touch, with values that are all of [`BUCKET`].
async fn touched(
    twin: &mut PgConnection,
    sql: &str,
) -> Result<BTreeSet<&'static str>, sqlx::Error> {
    let mut transaction = twin.begin().await?;
    let types = TYPES.iter().find(|(part, _)| sql.contains(part));
    let types = types.map_or(String::new(), |(_, types)| format!("({types})"));
    transaction.execute(AssertSqlSafe(format!("prepare its{types} as {sql}"))).await?;
    let types: Vec<String> = sqlx::query_scalar(
        "select parameter_types::text[] from pg_prepared_statements where name = 'its'",
    )
    .fetch_one(&mut *transaction)
    .await?;
    let values: Vec<String> = types.iter().map(|it| value(it)).collect();
    let values = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
    let explain = format!("explain (costs off) execute its{values}");
    let plan = transaction.fetch_all(AssertSqlSafe(explain)).await;
    transaction.execute("deallocate its").await.ok();
    let mut touched = BTreeSet::new();
    for row in plan? {
        let line: String = row.try_get(0)?;
        for part in ["named", "others"] {
            if line.contains(&format!("__{part}")) {
                touched.insert(part);
            }
        }
    }
    transaction.rollback().await?;
    Ok(touched)
}

fn value(its: &str) -> String {
    match its.strip_suffix("[]") {
        Some(element) => format!("array[{}]::{its}", value(element)),
        None => match its {
            "smallint" => format!("{BUCKET}::smallint"),
            "uuid" => format!("'00000000-0000-0000-0000-0000000000{BUCKET:02x}'::uuid"),
            "bytea" => format!("decode(repeat('{BUCKET:02x}', 32), 'hex')"),
            "timestamp with time zone" => "'2026-01-01'::timestamptz".to_owned(),
            "boolean" => "true".to_owned(),
            "text" | "jsonb" => format!("'1'::{its}"),
            _ => format!("1::{its}"),
        },
    }
}
