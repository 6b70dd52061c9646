//! The statements on a real database of several nodes, if the extension Citus is installed:
//! `make citus` runs them.

use event_log::{Append, append};
use positions::{BUCKETS, Bucket, Position};
use rows::MatchId;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};
use test_database::Citus;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::sources::Statement;
use super::{ALLOWED, ELSEWHERE, OF_FILTERS, OnePostgres, TYPES, Why, all_statements, value};
use crate::installation::Installation;
use crate::play::{draft, new_match};

/// The classes of what a statement may answer to made-up values: about data, and constraints.
const ANSWERS: [&str; 2] = ["22", "23"];

/// What the latter say.
const VIOLATES: [&str; 2] = ["violates check constraint", "violates not-null constraint"];

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
                let says = |it: &&str| error.to_string().contains(*it);
                let of_other = code == "XX000" && VIOLATES.iter().any(says);
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

/// The writer, the follower and what is mostly asked in vain read the shards of a node by their
/// names. They notice when a shard has gone to another node.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the extension Citus"]
async fn reads_by_the_names_of_shards_follow_a_shard_that_moves() {
    let citus = match Citus::start(3).await {
        Ok(citus) => citus,
        Err(why) => return eprintln!("left out: {why}"),
    };
    citus.join().await;
    let one = Installation::migrated(citus.nodes[0].options()).await;
    let nodes = one.database().nodes().await.expect("nodes");
    assert_eq!(nodes.len(), 2);
    one.accounts.create_platform("acme", test_database::now()).await.expect("a platform");
    let may_have = async || one.database().may_have("bot_matches", "true").await;
    assert!(!may_have().await);
    let match_id = MatchId(Uuid::from_u128(7));
    one.create(&new_match(match_id, 0)).await.expect("it is created");
    one.note_bots("acme", match_id).await.expect("it is noted");
    assert!(may_have().await);

    let writer = append::Service::on_nodes(one.log(), &nodes, append::Options::default());
    let (handle, drain) = (writer.handle(), CancellationToken::new());
    let writing = tokio::spawn(writer.run(drain.clone()));
    let mut coordinator = citus.nodes[0].connect().await;
    for position in 1..=4 {
        assert_eq!(handle.append(draft(match_id, position)).await, Ok(Append::Recorded));
        let heads = one.log().bucket_heads().await.expect("heads");
        assert_eq!(heads[Bucket::of(match_id).index()].position, position);
        if position % 2 == 0 {
            move_shard(&mut coordinator, Bucket::of(match_id)).await;
            assert!(may_have().await);
        }
    }
    let entries = one.log().entries(match_id, Position::START, 9).await.expect("entries");
    assert_eq!(entries.len(), 4);
    drain.cancel();
    writing.await.expect("it ends");
    coordinator.close().await.expect("it closes");
    one.close().await;
    citus.stop();
}

/// Moves the shards of a bucket to the other worker.
async fn move_shard(coordinator: &mut PgConnection, bucket: Bucket) {
    sqlx::query(
        "select citus_move_shard_placement(
             its.shardid, its.nodename, its.nodeport, other.nodename, other.nodeport, 'block_writes'
         )
         from pg_dist_shard_placement as its
         join pg_dist_node as other
             on other.shouldhaveshards
             and (other.nodename, other.nodeport) <> (its.nodename, its.nodeport)
         where its.shardid = get_shard_id_for_distribution_column('buckets', $1)",
    )
    .bind(bucket)
    .execute(coordinator)
    .await
    .expect("it is moved");
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
