//! Upgrades: migrations by a command or by the service, releases side by side, the role that
//! serves, and databases that are not durable.

use std::path::Path;
use std::process::Output;

use contract::v1::*;
use postgres_server::{Options, Postgres};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};
use tokio::process::Command;

use crate::harness::*;

/// Runs the command line on a database.
async fn croupier(url: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.args(arguments).args(["--database-url", url]).env_remove("RUST_LOG");
    command.env("CROUPIER_MODULE_COMPILER", NO_COMPILER);
    command.output().await.expect("it runs")
}

#[track_caller]
fn check_success(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

async fn execute(database: &mut PgConnection, statements: &'static str) {
    sqlx::raw_sql(statements).execute(database).await.expect("they are valid");
}

/// The end of the log of a service that does not start.
async fn refused(folder: &Path, url: &str, arguments: &[&str]) -> String {
    let (mut child, _stdout) = serve_with(folder, Some(url), arguments);
    let status = tokio::time::timeout(PATIENCE, child.wait()).await.expect("it ends in time");
    assert_eq!(status.expect("a child").code(), Some(1));
    log_tail(folder)
}

/// Plays a match to its end, and waits until it is projected and its results are settled.
async fn play(client: &Client, seed: u64) -> Playing {
    let mut playing = Playing::new(client, 3, seed).await;
    playing.finish().await;
    until("the match is projected", async || {
        let page = client.ask(&ListMatchesRequest::default()).await.ok()?;
        page.matches.iter().any(|it| it.name == playing.name && it.turn.is_some()).then_some(())
    })
    .await;
    playing
}

/// A player's matches in the standings.
async fn played(client: &Client, count: u32) {
    let request = GetPlayerRequest { name: format!("players/{}", player(0)), ..<_>::default() };
    until("the results are settled", async || {
        let found = client.ask(&request).await.ok()?.player?;
        (found.standings.first()?.played == count).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_release_serves_on_the_tables_of_a_later_one() {
    let mut installation = Installation::open().await;
    let mut database = installation.database().await;
    let later =
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
         values (9999, 'later', true, '\\x00', 1);
         alter table entries add column later text;
         alter table match_summaries add column later int default 7;
         create table later (bucket smallint primary key);
         insert into later values (3)";
    execute(&mut database, later).await;
    installation.service.kill().await;
    installation.service.start_again().await;
    let client = installation.client(Protocol::Grpc);
    let playing = play(&client, 1).await;
    check_record(&playing, &[&client], &mut database).await;
    let url = installation.postgres().url();
    check_success(&croupier(&url, &["project", "rebuild", "matches"]).await);
    let kept: i64 = sqlx::query_scalar("select count(*) from match_summaries where later = 7")
        .fetch_one(&mut database)
        .await
        .expect("the column is kept");
    assert_eq!(kept, 1);
    let migrated = check_success(&croupier(&url, &["migrate"]).await);
    assert_eq!(migrated, "the tables are up to date\n");
    check_success(&croupier(&url, &["migrate", "--check"]).await);
}

#[tokio::test]
async fn migrations_are_applied_by_a_command_of_their_own() {
    let folder = new_folder();
    copy_cluster(&folder.path().join("database")).await;
    let postgres = start_postgres(&folder.path().join("database")).await;
    let (data, url) = (folder.path().join("a"), postgres.url());
    let pending = croupier(&url, &["migrate", "--check"]).await;
    assert_eq!(pending.status.code(), Some(1));
    let listed = String::from_utf8_lossy(&pending.stdout).into_owned();
    assert!(listed.starts_with("pending: 0001 log\npending: 0002 accounts\n"), "{listed}");
    let said = String::from_utf8_lossy(&pending.stderr).into_owned();
    let count = listed.lines().count();
    assert_eq!(said, format!("croupier: {count} migrations are pending\n"));
    let log = refused(&data, &url, &["--without-migration"]).await;
    let expected = format!("the database lacks {count} migrations (0001 log, ");
    assert!(log.contains(&expected) && log.contains("croupier migrate"), "{log}");

    let migrated = check_success(&croupier(&url, &["migrate"]).await);
    assert_eq!(migrated, listed.replace("pending", "applied"));
    let nothing = check_success(&croupier(&url, &["migrate", "--check"]).await);
    assert_eq!(nothing, "the tables are up to date\n");
    let (mut child, mut stdout) = serve_with(&data, Some(&url), &["--without-migration"]);
    let first = tokio::time::timeout(PATIENCE, stdout.next_line()).await.expect("it serves");
    assert!(first.expect("a line").is_some_and(|line| line.contains("is serving on")));
    child.kill().await.expect("it is killed");

    // A migration that was changed after it had been applied.
    let mut database = connect(&postgres.options()).await;
    execute(&mut database, "update _sqlx_migrations set checksum = '\\x00' where version = 2")
        .await;
    let changed = croupier(&url, &["migrate"]).await;
    let reason = String::from_utf8_lossy(&changed.stderr).into_owned();
    assert!(!changed.status.success() && reason.contains("migration 2"), "{reason}");
    postgres.stop().await;
}

/// Bots play, and are forgotten once their match is over.
async fn check_bots(client: &Client, store: &store::Store, database: &mut PgConnection) {
    let bots = ["random", "heuristic"].map(str::to_owned).to_vec();
    create(client, &CreateMatchRequest { players: Vec::new(), bots, ..new_match(2) }).await;
    let mut kept = async || {
        let count = sqlx::query_scalar("select count(*) from bot_matches");
        let count: i64 = count.fetch_one(&mut *database).await.expect("a count");
        count
    };
    assert_eq!(kept().await, 1);
    until("the end of the bots' match", async || {
        store.forget_bots().await.expect("it may");
        (kept().await == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_role_that_serves_cannot_change_the_record() {
    let mut installation = Installation::open().await;
    let mut database = installation.database().await;
    // Rights that somebody gave it by hand are taken away.
    execute(&mut database, "create role \"Serving\" login").await;
    execute(&mut database, "grant all on all tables in schema public to \"Serving\"").await;
    let owner = installation.postgres().url();
    check_success(&croupier(&owner, &["migrate", "--grant", "Serving"]).await);
    let unknown = croupier(&owner, &["migrate", "--grant", "serving"]).await;
    let reason = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert_eq!(reason, "croupier: the database has no role \"serving\"\n");

    // The first service ran as the owner; only the other one projects from now on.
    installation.service.kill().await;
    let serving = owner.replacen("user=croupier", "user=Serving", 1);
    assert_ne!(serving, owner);
    let service = Service::start(&installation.folder.path().join("b"), Some(&serving)).await;
    let client = service.client(Protocol::Grpc);
    let playing = play(&client, 1).await;
    check_record(&playing, &[&client], &mut database).await;
    played(&client, 1).await;

    let tags = |tags: &[(&str, &str)], removed: &[&str]| TagMatchRequest {
        name: playing.name.clone(),
        set: tags.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect(),
        remove: removed.iter().map(|&key| key.to_owned()).collect(),
    };
    client.ask(&tags(&[("event", "one"), ("stage", "final")], &[])).await.expect("set");
    client.ask(&tags(&[("event", "two")], &["stage"])).await.expect("changed and removed");
    let tagged = get(&client, &playing.name).await.tags;
    assert_eq!(tagged.into_iter().collect::<Vec<_>>(), [("event".to_owned(), "two".to_owned())]);
    token(&client, &playing.name, Some(0)).await;
    let revoke = RevokeTokensRequest { parent: playing.name.clone(), ..<_>::default() };
    client.ask(&revoke).await.expect("revoked");
    let name = "subscriptions/scores".to_owned();
    let create = CreateSubscriptionRequest { name: name.clone(), ..<_>::default() };
    client.ask(&create).await.expect("a subscription");
    let consume = ConsumeSubscriptionRequest { name: name.clone(), ..<_>::default() };
    let mut consumer = client.stream(&consume).await;
    let batch = consumer.next().await.expect("it is valid").expect("entries").message;
    let acknowledge = AcknowledgeEntriesRequest { name: name.clone(), cursor: batch.cursor };
    client.ask(&acknowledge).await.expect("acknowledged");
    drop(consumer);
    client.ask(&DeleteSubscriptionRequest { name, ..<_>::default() }).await.expect("deleted");
    // An erasure changes the record, which the role itself may not.
    let erase = ErasePlayerRequest { name: format!("players/{}", player(1)) };
    assert!(client.ask(&erase).await.expect("it may").erased);
    assert!(get(&client, &playing.name).await.seats[1].player.starts_with("erased-"));
    // A snapshot, as of a longer match.
    let mut store = database::Options::parse(&serving).expect("a URL");
    store.query_connections = 3;
    let store = open_store(store).await;
    let id = rows::MatchId(playing.name["matches/".len()..].parse().expect("an id"));
    let entry =
        store.log().entries(id, positions::Position(1), 1).await.expect("entries").remove(0);
    for version in [1, 2] {
        let snapshot = store::Snapshot {
            position: entry.position,
            create_time: entry.create_time,
            digest: entry.digest.expect("new entries have one"),
            version,
            table: Default::default(),
            acted: Vec::new(),
            requests: Default::default(),
            clocks: None,
        };
        store.save_snapshot(id, &snapshot).await.expect("it is written, and replaced");
    }

    check_bots(&client, &store, &mut database).await;

    // The owner rebuilds a read model while the service uses it.
    for model in ["matches", "players", "holdings"] {
        check_success(&croupier(&owner, &["project", "rebuild", model]).await);
    }
    play(&client, 2).await;
    played(&client, 2).await;

    let mut database = PgConnection::connect(&serving).await.expect("it may");
    for refused in [
        "update entries set request_id = 'other'",
        "delete from entries",
        "truncate entries cascade",
        "update seeds set seed = seed",
        "delete from seeds",
        "update matches set game = game",
        "delete from seats",
        "update seats set player = 'other'",
        "update speech_keys set key = key",
        "delete from speech_keys",
        "update erasures set pseudonym = 'erased-2'",
        "delete from erasures",
        "update platforms set suspend_time = now()",
        "delete from token_revocations",
        "update platform_limits set calls_per_s = 1",
        "alter table entries add column mine text",
        "drop table holdings",
        "create table mine (x int)",
        "update _sqlx_migrations set success = false",
    ] {
        let answer = sqlx::raw_sql(AssertSqlSafe(refused)).execute(&mut database).await;
        let error = answer.expect_err(refused);
        let code = error.as_database_error().and_then(|error| error.code());
        assert_eq!(code.as_deref(), Some("42501"), "{refused}: {error}");
    }
}

#[tokio::test]
async fn a_database_that_loses_commits_is_refused() {
    let folder = new_folder();
    let database = folder.path().join("database");
    copy_cluster(&database).await;
    let mut options = Options::new("croupier");
    let off = |name: &str| (name.to_owned(), "off".to_owned());
    options.settings = vec![off("fsync"), off("full_page_writes")];
    let postgres = Postgres::start(&database, options).await.expect("it starts");
    let (data, url) = (folder.path().join("a"), postgres.url());
    let log = refused(&data, &url, &[]).await;
    assert!(log.contains("has the setting `fsync = off`"), "{log}");
    assert!(log.contains("--allow-unsafe fsync=off"), "{log}");
    let log = refused(&data, &url, &["--allow-unsafe", "fsync=off"]).await;
    assert!(log.contains("--allow-unsafe full_page_writes=off"), "{log}");
    let mut database = connect(&postgres.options()).await;
    let tables: i64 =
        sqlx::query_scalar("select count(*) from pg_tables where schemaname = 'public'")
            .fetch_one(&mut database)
            .await
            .expect("a count");
    assert_eq!(tables, 0, "a service that does not start changes nothing");

    let allow = ["--allow-unsafe", "fsync=off", "--allow-unsafe", "full_page_writes=off"];
    let (mut child, mut stdout) = serve_with(&data, Some(&url), &allow);
    let first = tokio::time::timeout(PATIENCE, stdout.next_line()).await.expect("it serves");
    assert!(first.expect("a line").is_some_and(|line| line.contains("is serving on")));
    child.kill().await.expect("it is killed");
    assert!(log_tail(&data).contains("THE DATABASE HAS THE SETTING `fsync = off`"));
    postgres.stop().await;
}
