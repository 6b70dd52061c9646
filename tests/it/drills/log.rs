//! What an owner of the database, or whoever has the key of the transparency log, may try, and who
//! finds it: each drill writes what was tried, who found it, and after how many seconds.

use std::time::{Duration, Instant};

use croupier_client::keeping::Keeper;
use records::{Code, Look};
use sqlx::Row;
use tlog::{Checkpoint, SigningKey};

use super::Drill;
use crate::files::export;
use crate::harness::*;
use crate::log_receipts::{connect, open_match};
use crate::metering::{figure, scrape};
use crate::transparency::*;

/// A drill whose fraud is about to begin.
struct Fraud {
    drill: Drill,
    since: Instant,
}

impl Fraud {
    fn begin(name: &'static str, what: &str) -> Fraud {
        let mut drill = Drill::begin(name);
        drill.figure("what", what);
        Fraud { drill, since: Instant::now() }
    }

    fn found(mut self, by: &str, code: &str) {
        let after_s = (self.since.elapsed().as_secs_f64() * 10.0).round() / 10.0;
        self.drill.figure("found_by", by);
        self.drill.figure("code", code);
        self.drill.figure("after_s", after_s);
    }
}

/// Waits until a look finds this.
async fn found(installation: &Installation, code: &str, more: &[&str]) {
    until(code, async || {
        let (look, _) = look(installation, more).await;
        codes(&look).contains(&code).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_match_that_is_left_out_is_found_by_whoever_has_its_record() {
    let (installation, client) = seen().await;
    let mut database = installation.database().await;
    let fraud = Fraud::begin("omission", "a match is played and kept out of the log");
    set(&mut database, HIDE).await;
    let mut playing = Playing::new(&client, 2, 7).await;
    playing.finish().await;
    set(&mut database, "update transparency_logs set end_time = null").await;
    let record = file(&installation, "record");
    export(&installation, &record, &[&playing.name]).await;
    let (told, _) = verified(&installation, record.to_str().expect("a path")).await;
    assert_eq!(told["unproven"][0]["code"], "LOG_MISSING", "{told}");
    fraud.found("a player, by croupier verify --log", "LOG_MISSING");
}

#[tokio::test]
async fn a_match_that_is_dated_back_is_found_by_the_monitor() {
    let (installation, client) = seen().await;
    let mut database = installation.database().await;
    set(&mut database, HIDE).await;
    create(&client, &new_match(2)).await;
    let fraud = Fraud::begin("back-dating", "a match is logged as if it were an hour older");
    set(&mut database, BACK).await;
    found(&installation, "LEAF_LATE", &[]).await;
    fraud.found("croupier monitor", "LEAF_LATE");
}

#[tokio::test]
async fn two_views_of_a_log_are_found_by_two_players_who_compare() {
    let installation = Installation::open().await;
    begin(&installation).await;
    let (client, croupier) = (installation.client(Protocol::Rest), connect(&installation));
    let wait = Duration::from_secs(60);
    let (mut ann, mut bob) = (Keeper::default(), Keeper::default());
    let first = create(&client, &open_match()).await;
    ann.await_opening(&croupier, &first, wait).await.expect("it answers");
    let fraud = Fraud::begin("split view", "one player is shown another history than the other");
    set(&mut installation.database().await, FORGE).await;
    for _ in 0..2 {
        create(&client, &new_match(2)).await;
    }
    grown(&client, 2).await;
    let other = create(&client, &open_match()).await;
    let complaints = bob.await_opening(&croupier, &other, wait).await.expect("it answers");
    assert_eq!(complaints, [], "bob has seen no other history");
    let mut look = Look {
        log_key: ann.log_key,
        told: bob.checkpoint,
        checkpoint: Some(ann.checkpoint),
        ..Look::default()
    };
    let (old, size) = look.needed_consistency().expect("one is larger");
    look.consistency = Some(text(&client, &format!("/log/consistency/{old}/{size}")).await);
    let looked = look.compare().expect("both were signed");
    assert_eq!(looked.findings[0].code, Code::LogContradicts);
    assert_eq!(looked.evidence.len(), 2);
    fraud.found("two players who compare their checkpoints", "LOG_CONTRADICTS");
}

#[tokio::test]
async fn a_clone_that_goes_on_by_itself_is_found_by_the_monitor() {
    let (installation, client) = seen().await;
    let (mut mine, clone) = (installation.database().await, Installation::open().await);
    let mut theirs = clone.database().await;
    let fraud = Fraud::begin("forked clone", "a copy of the database goes on beside it");
    for table in ["logs", "leaves", "tiles", "checkpoints"] {
        copy(&mut mine, &mut theirs, table).await;
    }
    create(&client, &new_match(2)).await;
    grown(&client, 4).await;
    let (seen, status) = look(&installation, &[]).await;
    assert_eq!(status, Some(0), "{seen}");
    let of_clone = clone.client(Protocol::Rest);
    create(&of_clone, &new_match(2)).await;
    grown(&of_clone, 4).await;
    let state = file(&installation, "monitor.json");
    std::fs::copy(state, file(&clone, "monitor.json")).expect("the monitor asks the other one");
    found(&clone, "TWO_FACES", &[]).await;
    fraud.found("croupier monitor, which asks both", "TWO_FACES");
}

/// Copies the rows of a table of the log.
async fn copy(
    from: &mut sqlx::postgres::PgConnection,
    to: &mut sqlx::postgres::PgConnection,
    table: &str,
) {
    let table = format!("transparency_{table}");
    let select = format!("select to_jsonb(its)::text as its from {table} as its");
    let rows = sqlx::query(sqlx::AssertSqlSafe(select)).fetch_all(from).await.expect("rows");
    let insert = format!(
        "insert into {table} select * from jsonb_populate_record(null::{table}, $1::jsonb)"
    );
    for row in rows {
        let its: String = row.try_get("its").expect("text");
        let inserting = sqlx::query(sqlx::AssertSqlSafe(insert.clone()));
        inserting.bind(its).execute(&mut *to).await.expect("it fits");
    }
}

#[tokio::test]
async fn a_tail_that_a_failover_lost_is_found_by_the_monitor() {
    let (installation, client) = seen().await;
    let fraud = Fraud::begin("lost tail", "the newest leaves are gone after a failover");
    set(&mut installation.database().await, DROP_LAST).await;
    create(&client, &new_match(2)).await;
    // What takes its place is appended before or after the monitor looks.
    let code = until("another history", async || {
        let (look, _) = look(&installation, &[]).await;
        let wrong = ["WENT_BACK", "TWO_FACES", "HISTORY_CHANGED"];
        wrong.into_iter().find(|code| codes(&look).contains(code))
    })
    .await;
    fraud.found("croupier monitor", code);
}

#[tokio::test]
async fn a_witness_that_is_away_is_told_by_the_metrics_and_found_by_the_monitor() {
    let mut installation = Installation::open().await;
    let metrics = installation.service.metrics().await;
    begin(&installation).await;
    let client = installation.client(Protocol::Rest);
    let (mut child, url, key) = witness(&installation).await;
    operate(&installation, &["add-witness", &url, &key]).await;
    operate(&installation, &["require", "1"]).await;
    create(&client, &new_match(2)).await;
    grown(&client, 1).await;
    let up = [("witness", "witness.example")];
    let is_up = async || figure(&scrape(&metrics).await, "croupier_log_witness_up", &up);
    assert_eq!(is_up().await, Some(1.0));
    let fraud = Fraud::begin("witness away", "the only witness is killed");
    child.kill().await.expect("it is killed");
    create(&client, &new_match(2)).await;
    until("the metric", async || (is_up().await == Some(0.0)).then_some(())).await;
    let page = scrape(&metrics).await;
    assert_eq!(figure(&page, "croupier_log_openings_waiting", &[]), Some(0.0), "it is appended");
    assert!(page.contains("croupier_log_told_checkpoint_age_seconds"), "{page}");
    found(&installation, "STALE", &["--stale", "1s", "--witness", &key]).await;
    fraud.found("the metrics, and croupier monitor", "STALE");
}

#[tokio::test]
async fn a_key_that_leaked_convinces_nobody_who_kept_a_checkpoint_or_knows_a_witness() {
    let installation = Installation::open().await;
    begin(&installation).await;
    let (client, croupier) = (installation.client(Protocol::Rest), connect(&installation));
    let mut keeper = Keeper::default();
    let first = create(&client, &open_match()).await;
    let wait = Duration::from_secs(60);
    keeper.await_opening(&croupier, &first, wait).await.expect("it answers");
    let fraud = Fraud::begin("leaked key", "somebody else signs a checkpoint by the log's key");
    let secret: Vec<u8> = sqlx::query_scalar("select secret from transparency_logs")
        .fetch_one(&mut installation.database().await)
        .await
        .expect("a row");
    let secret = secret.try_into().expect("it has 32 bytes");
    let thief = SigningKey::new(ORIGIN, &secret).expect("it is a name");
    let forged = Checkpoint { origin: ORIGIN.to_owned(), size: 1, root: [7; 32] };
    let told = forged.sign(&thief, 1_793_872_900).to_string();
    let mut look = Look { log_key: keeper.log_key, told, ..Look::default() };
    let believed = look.compare().expect("it was signed");
    assert_eq!(believed.findings, [], "by the key alone it cannot be told apart");
    look.checkpoint = Some(keeper.checkpoint);
    let looked = look.compare().expect("both were signed");
    assert_eq!(looked.findings[0].code, Code::LogContradicts);
    fraud.found("a player who kept a checkpoint", "LOG_CONTRADICTS");
}
