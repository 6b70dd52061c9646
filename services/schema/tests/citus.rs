//! Migrating a real database of several nodes, if the extension Citus is installed:
//! `make citus` runs these tests.

use database::{Database, Options};
use schema::{Error, Place};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection, Executor};
use test_database::Citus;

/// A coordinator and two workers; `None`, with a line that says why, without the extension.
async fn servers() -> Option<Citus> {
    let servers = Citus::start(3).await;
    servers.map_err(|why| eprintln!("left out: {why}")).ok()
}

async fn database(citus: &Citus) -> Database {
    let options = Options::new(citus.nodes[0].options());
    Database::connect(options).await.expect("it connects")
}

/// Migrates as a process does that starts now.
async fn migrate(citus: &Citus) -> Result<usize, Error> {
    let database = database(citus).await;
    let migrated = schema::migrate(&database).await;
    database.close().await;
    migrated.map(|it| it.len())
}

async fn check_places(citus: &Citus) -> Result<(), Error> {
    let database = database(citus).await;
    let checked = schema::check_places(&database).await;
    database.close().await;
    checked
}

/// The number of tables of each kind that Citus knows.
async fn kinds(connection: &mut PgConnection) -> Vec<(String, i64)> {
    sqlx::query_as(
        "select partmethod::text || repmodel::text, count(*)
         from pg_dist_partition
         group by 1
         order by 1",
    )
    .fetch_all(connection)
    .await
    .expect("they are counted")
}

async fn count(connection: &mut PgConnection, query: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(query.to_owned()))
        .fetch_one(connection)
        .await
        .expect("a number")
}

async fn run(connection: &mut PgConnection, statement: &str) {
    connection.execute(AssertSqlSafe(statement.to_owned())).await.expect(statement);
}

/// Everything is where it belongs, a second run changes nothing, and a worker serves it too.
async fn is_whole(citus: &Citus) {
    check_places(citus).await.expect("all is where it belongs");
    assert_eq!(migrate(citus).await.expect("a second run"), 0);
    let mut coordinator = citus.nodes[0].connect().await;
    let declared = schema::declarations(&mut coordinator).await.expect("they are declared");
    let declared = |place| declared.iter().filter(|it| it.place == place).count() as i64;
    let expected = [
        ("hs".to_owned(), declared(Place::ByBucket)),
        ("nt".to_owned(), declared(Place::Everywhere)),
    ];
    for node in &citus.nodes {
        let mut connection = node.connect().await;
        assert_eq!(kinds(&mut connection).await, expected);
        let buckets = "select count(*) from buckets";
        assert_eq!(count(&mut connection, buckets).await, 64);
        let database = Database::connect(Options::new(node.options())).await.expect("it connects");
        schema::check_places(&database).await.expect("a process on this node may start");
        assert_eq!(schema::pending(&database).await.expect("they are read"), []);
        database.close().await;
    }
    let each = "select count(*)
         from (
             select get_shard_id_for_distribution_column('buckets', bucket::smallint)
             from generate_series(0, 63) as bucket
             group by 1
             having count(*) = 4
         ) as shards";
    assert_eq!(count(&mut coordinator, each).await, 16, "each shard has as many buckets");
}

/// The last migration of the first release that spread its tables.
const FIRST_SPREAD: i64 = 7;

/// A platform, and matches with tags.
const ROWS: &str = "
    insert into platforms (bucket, platform, create_time) values (5, 'acme', now());
    insert into matches (bucket, match_id, platform, game, seats, create_time, terms, request_digest)
        select bucket_of(its), its, 'acme', 'mountebank', 2, now(),
            jsonb_build_object('options', '{}'::jsonb, 'seed_commitment', repeat('0', 64)), ''
        from (select md5(n::text)::uuid as its from generate_series(1, 300) as n) as ids;
    insert into match_tags (bucket, match_id, key, slot, value, platform, match_create_time)
        select bucket, match_id, 'table', 0, '1', platform, create_time from matches;";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the extension Citus"]
async fn a_new_cluster_is_migrated() {
    let Some(citus) = servers().await else { return };
    citus.join().await;
    let refused = check_places(&citus).await;
    assert!(refused.is_err(), "nothing is there yet");
    assert!(migrate(&citus).await.expect("it migrates") > 10);
    is_whole(&citus).await;
    citus.stop();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the extension Citus"]
async fn a_plain_postgres_with_rows_becomes_a_cluster() {
    let Some(citus) = servers().await else { return };
    migrate(&citus).await.expect("plain Postgres migrates");
    let mut coordinator = citus.nodes[0].connect().await;
    run(&mut coordinator, ROWS).await;
    coordinator.close().await.expect("it closes");
    citus.join().await;
    let refused = check_places(&citus).await.expect_err("nothing is spread yet").to_string();
    assert!(refused.contains("the table matches belongs beside the table buckets"), "{refused}");
    assert_eq!(migrate(&citus).await.expect("it spreads the tables"), 0);
    is_whole(&citus).await;
    for node in &citus.nodes {
        let mut connection = node.connect().await;
        for table in ["matches", "match_tags"] {
            let rows = format!("select count(*) from {table}");
            assert_eq!(count(&mut connection, &rows).await, 300, "{table}");
        }
    }
    citus.stop();
}

/// Every release spread its tables before the next one's migration, whose tables refer to them.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the extension Citus"]
async fn a_cluster_of_an_earlier_release_is_migrated() {
    let Some(citus) = servers().await else { return };
    citus.join().await;
    let database = database(&citus).await;
    let mut coordinator = citus.nodes[0].connect().await;
    let last =
        schema::pending(&database).await.expect("they are read").last().expect("one").version;
    for release in FIRST_SPREAD..=last {
        let migrated = schema::migrate_until(&database, release).await;
        let migrated = migrated.unwrap_or_else(|error| panic!("migration {release}: {error}"));
        assert_eq!(migrated.last().map_or(release, |it| it.version), release);
        if release == FIRST_SPREAD {
            run(&mut coordinator, ROWS).await;
        }
    }
    database.close().await;
    is_whole(&citus).await;
    assert_eq!(count(&mut coordinator, "select count(*) from match_tags").await, 300);
    citus.stop();
}

/// After each step at which a run may fail, the next run finishes the work.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the extension Citus"]
async fn a_run_that_failed_half_way_is_finished() {
    finish_half_way("off").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the extension Citus"]
async fn a_run_of_an_earlier_release_that_failed_half_way_is_finished() {
    // It left tables on the coordinator.
    finish_half_way("on").await;
}

/// Migrates after each step of a run that failed, with this setting of foreign keys between tables
/// of the coordinator and tables that every node has.
async fn finish_half_way(foreign_keys: &str) {
    let steps = [
        "select create_reference_table('_sqlx_migrations')",
        "select create_reference_table('platforms')",
        "select create_distributed_table('buckets', 'bucket', shard_count => 1, colocate_with => 'none')",
        "select create_distributed_table('matches', 'bucket', colocate_with => 'buckets')",
    ];
    for done in 1..=steps.len() {
        let Some(citus) = servers().await else { return };
        migrate(&citus).await.expect("plain Postgres migrates");
        let mut coordinator = citus.nodes[0].connect().await;
        run(&mut coordinator, ROWS).await;
        citus.join().await;
        let setting = "set citus.enable_local_reference_table_foreign_keys";
        run(&mut coordinator, &format!("{setting} = {foreign_keys}")).await;
        for step in &steps[..done] {
            run(&mut coordinator, step).await;
        }
        let refused = check_places(&citus).await;
        assert!(matches!(refused, Err(Error::Misplaced(_))), "{refused:?}");
        let finished = migrate(&citus).await;
        finished.unwrap_or_else(|error| panic!("{done} steps: {error}"));
        is_whole(&citus).await;
        assert_eq!(count(&mut coordinator, "select count(*) from match_tags").await, 300);
        citus.stop();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the extension Citus"]
async fn what_a_node_lacks_is_named_by_every_run() {
    let Some(citus) = servers().await else { return };
    citus.join().await;
    migrate(&citus).await.expect("it migrates");
    let mut coordinator = citus.nodes[0].connect().await;
    let mut worker = citus.nodes[1].connect().await;
    // Whoever works at a node itself, past the coordinator.
    let hidden = "set citus.enable_ddl_propagation = off";
    for connection in [&mut coordinator, &mut worker] {
        run(connection, hidden).await;
    }
    let problem = async || match migrate(&citus).await {
        Err(Error::Misplaced(wrong)) => wrong.join("; "),
        other => panic!("{other:?}"),
    };

    run(&mut worker, "alter database croupier reset citus.multi_shard_modify_mode").await;
    // It is set again by every run.
    is_whole(&citus).await;

    let key = "select shard_name from citus_shards where table_name = 'seats'::regclass
        and nodeport = (select current_setting('port')::int)
        and nodename = (select nodename from pg_dist_node where groupid = (select groupid from pg_dist_local_group))
        limit 1";
    let shard: String = sqlx::query_scalar(key).fetch_one(&mut worker).await.expect("a shard");
    let constraint: String = sqlx::query_scalar(
        "select conname::text from pg_constraint where contype = 'f' and conrelid = $1::regclass",
    )
    .bind(&shard)
    .fetch_one(&mut worker)
    .await
    .expect("a foreign key");
    run(&mut worker, "set citus.enable_manual_changes_to_shards = on").await;
    run(&mut worker, &format!("alter table {shard} drop constraint {constraint}")).await;
    let problems = problem().await;
    assert!(problems.contains("seats has 1 foreign keys"), "{problems}");
    citus.stop();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the extension Citus"]
async fn a_function_that_a_node_lost_is_named() {
    let Some(citus) = servers().await else { return };
    citus.join().await;
    migrate(&citus).await.expect("it migrates");
    let mut worker = citus.nodes[2].connect().await;
    run(&mut worker, "set citus.enable_ddl_propagation = off").await;
    run(&mut worker, "set citus.enable_metadata_sync = off").await;
    run(&mut worker, "drop function if exists wait_for_player(text, text)").await;
    let known = "select count(*) from pg_proc where proname = 'wait_for_player'";
    assert_eq!(count(&mut worker, known).await, 0);
    for _ in 0..2 {
        let problem = migrate(&citus).await.expect_err("it is missing").to_string();
        assert!(problem.contains("FUNCTION public.wait_for_player"), "{problem}");
    }
    citus.stop();
}
