//! Connecting to the database: several hosts, a schema of the role's own, a database that starts
//! late, and URLs from files.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use contract::v1::*;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};

use crate::harness::*;

/// Runs statements on a database.
pub async fn execute(postgres: &postgres_server::Postgres, statements: impl Into<String>) {
    let mut database = connect(&postgres.options()).await;
    let statements = sqlx::raw_sql(AssertSqlSafe(statements.into()));
    statements.execute(&mut database).await.expect("they are valid");
}

/// A host in a URL, from the folder of a socket.
pub fn host(folder: &Path) -> String {
    folder.to_str().expect("a plain path").replace('/', "%2F")
}

/// The folder of the installation's socket.
fn socket(installation: &Installation) -> PathBuf {
    installation.folder.path().join("database/socket")
}

/// Plays a match, and waits until it is projected.
async fn play(client: &Client, seed: u64) -> Playing {
    let new = new_match(2);
    let created = until("a match can be created", async || client.ask(&new).await.ok()).await;
    let mut playing = Playing::of(client, &created.r#match.expect("a match"), seed);
    while playing.patient_step().await {}
    until("the match is projected", async || {
        let page = client.ask(&ListMatchesRequest::default()).await.ok()?;
        page.matches.iter().any(|it| it.name == playing.name && it.turn.is_some()).then_some(())
    })
    .await;
    playing
}

#[tokio::test]
async fn of_several_hosts_the_one_that_accepts_writes_is_used() {
    let installation = Installation::open().await;
    let folder = installation.folder.path();
    // The first host refuses connections, the second accepts no writes.
    copy_cluster(&folder.join("standby")).await;
    let standby = start_postgres(&folder.join("standby")).await;
    execute(&standby, "alter system set default_transaction_read_only = on").await;
    execute(&standby, "select pg_reload_conf()").await;
    let (one, other) = (folder.join("one"), folder.join("other"));
    symlink(folder.join("nowhere"), &one).expect("a link");
    symlink(socket(&installation), &other).expect("a link");
    let hosts = [host(&one), host(&folder.join("standby/socket")), host(&other)].join(",");
    let url = format!("postgres://croupier@{hosts}/postgres?target_session_attrs=read-write");
    let service = Service::start(&folder.join("b"), Some(&url)).await;
    let client = service.client(Protocol::Grpc);
    let playing = play(&client, 1).await;
    check_record(&playing, &[&client], &mut installation.database().await).await;

    // Another host becomes the primary: connections are lost, and the last host is gone.
    fs::remove_file(&other).expect("it is there");
    fs::remove_file(&one).expect("it is there");
    symlink(socket(&installation), &one).expect("a link");
    execute(
        installation.postgres(),
        "select pg_terminate_backend(pid)
         from pg_stat_activity
         where pid <> pg_backend_pid() and application_name = 'croupier'",
    )
    .await;
    let playing = play(&client, 2).await;
    check_record(&playing, &[&client], &mut installation.database().await).await;
    standby.stop().await;
}

#[tokio::test]
async fn a_role_may_have_a_schema_of_its_own() {
    let installation = Installation::open().await;
    execute(installation.postgres(), "create database apart").await;
    execute(installation.postgres(), "create role \"Own-Role\" login").await;
    let url = |role: &str| format!("postgres://{role}@{}/apart", host(&socket(&installation)));
    let mut database = PgConnection::connect(&url("croupier")).await.expect("it exists");
    sqlx::raw_sql(
        "grant create on database apart to \"Own-Role\";
         create schema \"Own-Role\" authorization \"Own-Role\"",
    )
    .execute(&mut database)
    .await
    .expect("they are valid");
    let url = url("Own-Role");
    let service = Service::start(&installation.folder.path().join("b"), Some(&url)).await;
    let client = service.client(Protocol::Grpc);
    play(&client, 1).await;
    let rebuild = tokio::process::Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["project", "rebuild", "matches", "--database-url", &url])
        .output();
    let rebuild = rebuild.await.expect("it runs");
    assert!(rebuild.status.success(), "{}", String::from_utf8_lossy(&rebuild.stderr));
    play(&client, 2).await;
    until("the role's own table has both", async || {
        let of_role: i64 = sqlx::query_scalar("select count(*) from \"Own-Role\".match_summaries")
            .fetch_one(&mut database)
            .await
            .expect("the table is still there");
        (of_role == 2).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_service_waits_for_a_database_that_starts_late() {
    let mut installation = Installation::open().await;
    let url = installation.postgres().url();
    let folder = installation.folder.path().join("b");
    installation.stop_postgres().await;
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("url");
    fs::write(&file, format!("{url}\n")).expect("a file");
    let file = file.to_str().expect("a plain path").to_owned();
    let arguments = ["--database-url-file", &file, "--connect-wait-s", "60"];
    let (mut child, mut stdout) = serve_with(&folder, None, &arguments);
    until("it says that it waits", async || {
        log_tail(&folder).contains("waiting for the database at ").then_some(())
    })
    .await;
    installation.start_postgres().await;
    let first = tokio::time::timeout(PATIENCE, stdout.next_line()).await.expect("in time");
    let first = first.expect("its output can be read").expect("it serves");
    assert!(first.contains("is serving on"), "{first:?}");
    child.kill().await.expect("it runs");

    installation.stop_postgres().await;
    let arguments = ["--database-url-file", &file, "--connect-wait-s", "1"];
    let (mut child, _stdout) = serve_with(&folder, None, &arguments);
    let status = tokio::time::timeout(PATIENCE, child.wait()).await.expect("it ends in time");
    assert_eq!(status.expect("a child").code(), Some(1));
    let log = log_tail(&folder);
    assert!(log.contains(" for 1 s, in vain"), "{log:?}");
    assert!(log.contains("did not accept a connection: "), "{log:?}");
}

#[tokio::test]
async fn a_service_waits_for_a_database_that_has_no_connection_left() {
    let installation = Installation::open().await;
    let url = installation.postgres().url();
    let limit = "create role busy login connection limit 0";
    execute(installation.postgres(), limit).await;
    let mut grant = tokio::process::Command::new(env!("CARGO_BIN_EXE_croupier"));
    grant.args(["migrate", "--grant", "busy", "--database-url", &url]);
    assert!(grant.status().await.expect("it runs").success());
    let folder = installation.folder.path().join("b");
    let key = installation.folder.path().join("a/local.key");
    fs::create_dir_all(&folder).expect("a folder");
    fs::copy(key, folder.join("local.key")).expect("it is copied");
    let url = url.replacen("user=croupier", "user=busy", 1);
    let arguments = ["--connect-wait-s", "600"];
    let (mut child, mut stdout) = serve_with(&folder, Some(&url), &arguments);
    let log = until("it says that it waits", async || {
        Some(log_tail(&folder)).filter(|log| log.contains("waiting for the database at "))
    })
    .await;
    assert!(log.contains("too many connections"), "{log}");
    // Some are left, but too few for the whole start.
    execute(installation.postgres(), "alter role busy connection limit 2").await;
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    assert!(child.try_wait().expect("a child").is_none(), "{}", log_tail(&folder));
    execute(installation.postgres(), "alter role busy connection limit 100").await;
    let first = tokio::time::timeout(PATIENCE, stdout.next_line()).await.expect("in time");
    let first = first.expect("its output can be read").expect("it serves");
    assert!(first.contains("is serving on"), "{first:?}");
    child.kill().await.expect("it runs");
}

#[tokio::test]
async fn a_service_whose_password_is_refused_says_so_and_ends() {
    let installation = Installation::open().await;
    execute(installation.postgres(), "create role guarded login password 'right'").await;
    let rules = installation.folder.path().join("database/cluster/pg_hba.conf");
    let before = fs::read_to_string(&rules).expect("a file");
    fs::write(&rules, format!("local all guarded scram-sha-256\n{before}")).expect("a file");
    execute(installation.postgres(), "select pg_reload_conf()").await;
    let folder = installation.folder.path().join("b");
    for (user, reason) in [
        ("guarded:wrong", "password authentication failed for user \"guarded\""),
        ("nobody", "role \"nobody\" does not exist"),
    ] {
        let url = format!("postgres://{user}@{}/postgres", host(&socket(&installation)));
        let arguments = ["--connect-wait-s", "600"];
        let (mut child, _stdout) = serve_with(&folder, Some(&url), &arguments);
        let status = tokio::time::timeout(PATIENCE, child.wait()).await.expect("it ends in time");
        assert_eq!(status.expect("a child").code(), Some(1));
        let log = log_tail(&folder);
        assert!(log.contains("refuses the role, or its password: "), "{log:?}");
        assert!(log.contains(reason) && !log.contains("wrong"), "{log:?}");
    }
}

#[tokio::test]
async fn a_url_that_cannot_be_used_is_explained() {
    let folder = new_folder();
    for (url, reason) in [
        ("mysql://one/db", "the database URL is not of the form postgres://"),
        ("postgres://one/db?target_session_attrs=standby", "target_session_attrs=standby is not"),
        ("postgres://one:port/db", "the database URL is invalid: "),
    ] {
        let (mut child, _stdout) = serve(folder.path(), Some(url));
        let status = tokio::time::timeout(PATIENCE, child.wait()).await.expect("it ends in time");
        assert_eq!(status.expect("a child").code(), Some(1));
        let log = log_tail(folder.path());
        assert!(log.contains(reason), "{reason:?} is not in {log:?}");
    }
}
