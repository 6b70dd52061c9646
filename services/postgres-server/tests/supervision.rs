//! After any kill there is exactly one server again, with every row.

use postgres_server::{Error, Options, Postgres};
use rustix::process::{Pid, Signal, kill_process};
use sqlx::{ConnectOptions, Executor, Row};
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_server_keeps_its_rows_from_one_start_to_the_next() {
    let data = tempfile::tempdir().unwrap();
    let postgres = start(data.path()).await;
    let server = postgres.pid().unwrap();
    run(&postgres, "create table kept (row int)").await;
    run(&postgres, "insert into kept values (1)").await;
    postgres.stop().await;
    assert!(!is_alive(server));
    assert_eq!(run(&start(data.path()).await, "select row from kept").await, Some(1));
}

#[tokio::test]
async fn a_server_is_durable_private_and_checks_its_pages() {
    let data = tempfile::tempdir().unwrap();
    let postgres = start(data.path()).await;
    let mut connection = postgres.options().connect().await.unwrap();
    for (setting, value) in [
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("synchronous_commit", "on"),
        ("data_checksums", "on"),
        ("listen_addresses", ""),
        ("server_encoding", "UTF8"),
    ] {
        let query =
            sqlx::query_scalar("select setting from pg_settings where name = $1").bind(setting);
        let found: String = query.fetch_one(&mut connection).await.unwrap();
        assert_eq!(found, value, "{setting}");
    }
    let collation =
        sqlx::query_scalar("select datcollate from pg_database where datname = 'postgres'");
    let collation: String = collation.fetch_one(&mut connection).await.unwrap();
    assert_eq!(collation, "C");
    let url: sqlx::postgres::PgConnectOptions = postgres.url().parse().unwrap();
    url.connect().await.expect("the URL reaches the same server");
}

#[tokio::test]
async fn a_second_start_on_the_same_folder_is_refused_and_names_the_holder() {
    let data = tempfile::tempdir().unwrap();
    let _postgres = start(data.path()).await;
    let refused = Postgres::start(data.path(), options()).await;
    let Err(Error::Held { holder, .. }) = refused.map(drop) else { panic!("the folder is in use") };
    assert_eq!(holder, std::process::id().to_string());
}

#[tokio::test]
async fn a_server_that_dies_is_soon_back_at_the_same_address() {
    let data = tempfile::tempdir().unwrap();
    let postgres = start(data.path()).await;
    run(&postgres, "create table kept (row int)").await;
    run(&postgres, "insert into kept values (7)").await;
    let (died, server) = (Instant::now(), postgres.pid().unwrap());
    kill(server, Signal::KILL);
    let row = loop {
        match try_run(&postgres, "select row from kept").await {
            Ok(row) => break row,
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
        assert!(died.elapsed() < Duration::from_secs(60), "the server is back");
    };
    assert_eq!(row, Some(7));
    assert_ne!(postgres.pid(), Some(server));
}

#[tokio::test]
async fn no_server_outlives_a_killed_application_and_the_next_start_recovers() {
    let data = tempfile::tempdir().unwrap();
    for round in 0..3 {
        let (mut application, server) = application_on(data.path());
        kill(application.id() as i32, Signal::KILL);
        // The server may not have ended yet.
        let postgres = start(data.path()).await;
        assert!(!is_alive(server), "round {round}");
        run(&postgres, "create table if not exists kept (row int)").await;
        run(&postgres, "insert into kept values (1)").await;
        assert_eq!(run(&postgres, "select count(*)::int from kept").await, Some(round + 1));
        application.wait().unwrap();
    }
}

#[tokio::test]
async fn the_lock_files_of_a_dead_server_do_not_prevent_a_start() {
    let data = tempfile::tempdir().unwrap();
    start(data.path()).await.stop().await;
    let cluster = data.path().join("cluster");
    let user = fs::metadata(&cluster).unwrap().uid();
    // Another program of the server's user now has the server's process id.
    let mut other = Command::new("sleep").arg("100").uid(user).spawn().unwrap();
    let lock = format!("{}\n{}\n0\n5432\n\n\n0 0\nready\n", other.id(), cluster.display());
    for file in ["cluster/postmaster.pid", "socket/.s.PGSQL.5432.lock"] {
        fs::write(data.path().join(file), &lock).unwrap();
        start(data.path()).await.stop().await;
    }
    other.kill().unwrap();
    other.wait().unwrap();
}

#[tokio::test]
async fn a_start_waits_for_a_server_that_is_still_shutting_down() {
    let data = tempfile::tempdir().unwrap();
    let (mut application, server) = application_on(data.path());
    // A process of the server that cannot react delays its end by seconds.
    let child = fs::read_to_string(format!("/proc/{server}/task/{server}/children")).unwrap();
    let child = child.split_whitespace().next().unwrap().parse().unwrap();
    kill(child, Signal::STOP);
    let killed = Instant::now();
    kill(application.id() as i32, Signal::KILL);
    application.wait().unwrap();
    let postgres = start(data.path()).await;
    assert!(killed.elapsed() > Duration::from_secs(2), "{:?}", killed.elapsed());
    assert!(!is_alive(server) && !is_alive(child));
    assert_eq!(run(&postgres, "select 1").await, Some(1));
}

#[tokio::test]
async fn a_start_waits_for_an_application_that_is_still_stopping() {
    let data = tempfile::tempdir().unwrap();
    let first = start(data.path()).await;
    let stopping = async {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        first.stop().await;
    };
    let options = Options { lock_wait: Duration::from_secs(30), ..options() };
    let ((), second) = tokio::join!(stopping, Postgres::start(data.path(), options));
    assert_eq!(run(&second.unwrap(), "select 1").await, Some(1));
}

#[tokio::test]
async fn a_start_on_a_full_disk_says_so_and_succeeds_once_there_is_room() {
    let data = tempfile::tempdir().unwrap();
    let Some(disk) = Disk::mount(data.path()) else {
        eprintln!("not tried: this needs the right to mount a small file system");
        return;
    };
    for is_new in [true, false] {
        disk.fill();
        let full = Postgres::start(data.path(), options()).await;
        let Err(error) = full else { panic!("there is no room: new {is_new}") };
        assert!(error.is_disk_full(), "new {is_new}: {error}");
        disk.clear();
        let postgres = start(data.path()).await;
        assert_eq!(run(&postgres, "select 1").await, Some(1));
        postgres.stop().await;
    }
}

/// A file system of 96 MB, which holds a cluster and little else.
struct Disk<'a>(&'a Path);

impl Disk<'_> {
    /// `None` if this user or this kernel may not mount one.
    fn mount(path: &Path) -> Option<Disk<'_>> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=96m,mode=0755", "tmpfs"]).arg(path);
        mount.stderr(Stdio::null()).status().ok()?.success().then_some(Disk(path))
    }

    fn fill(&self) {
        let mut file = fs::File::create(self.0.join("filling")).unwrap();
        for size in [1 << 20, 1 << 12] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    fn clear(&self) {
        fs::remove_file(self.0.join("filling")).unwrap();
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.0).status();
    }
}

#[tokio::test]
async fn a_failed_start_quotes_the_server_log() {
    let data = tempfile::tempdir().unwrap();
    let settings = vec![("shared_buffers".to_owned(), "plenty".to_owned())];
    let options = Options { settings, ..options() };
    let Err(error) = Postgres::start(data.path(), options).await else {
        panic!("the setting is invalid")
    };
    assert!(
        error.to_string().contains(r#"invalid value for parameter "shared_buffers": "plenty""#),
        "{error}"
    );
}

#[tokio::test]
async fn a_folder_of_a_version_that_is_not_installed_names_the_version() {
    let data = tempfile::tempdir().unwrap();
    fs::create_dir(data.path().join("cluster")).unwrap();
    fs::write(data.path().join("cluster/PG_VERSION"), "9\n").unwrap();
    let Err(error) = Postgres::start(data.path(), options()).await else {
        panic!("no machine has this version")
    };
    assert!(matches!(error, Error::OtherVersion { version: 9, .. }), "{error}");
}

#[tokio::test]
async fn a_data_folder_with_a_long_and_odd_name_has_its_socket_elsewhere() {
    let data = tempfile::tempdir().unwrap();
    let odd = data.path().join("a, \"b\" ".to_owned() + &"long".repeat(40));
    let postgres = start(&odd).await;
    assert_eq!(run(&postgres, "select 1").await, Some(1));
}

#[tokio::test]
async fn a_folder_that_the_server_user_cannot_enter_is_named() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let private = tempfile::tempdir().unwrap();
    fs::set_permissions(private.path(), Permissions::from_mode(0o700)).unwrap();
    let Err(error) = Postgres::start(private.path().join("data"), options()).await else {
        panic!("only root can enter the parent folder")
    };
    let Error::Unreachable { parent, .. } = &error else { panic!("{error}") };
    assert_eq!(parent, &private.path().canonicalize().unwrap());
}

/// Not a test: the application that other tests kill. It runs in a process of its own until then.
#[tokio::test]
#[ignore = "started by other tests"]
async fn application_to_be_killed() {
    let Some(data) = std::env::var_os("APPLICATION_DATA") else { return };
    let postgres = start(Path::new(&data)).await;
    println!("\nserver {}", postgres.pid().unwrap());
    std::future::pending().await
}

fn application_on(data: &Path) -> (Child, i32) {
    let mut application = Command::new(std::env::current_exe().unwrap());
    application
        .args(["--exact", "application_to_be_killed", "--ignored", "--nocapture"])
        .env("APPLICATION_DATA", data);
    let mut application = application.stdout(Stdio::piped()).spawn().unwrap();
    let output = BufReader::new(application.stdout.take().unwrap());
    let server =
        output.lines().find_map(|line| line.unwrap().strip_prefix("server ")?.parse().ok());
    (application, server.expect("it prints the process of its server"))
}

fn options() -> Options {
    Options::new("supervised")
}

async fn start(data: &Path) -> Postgres {
    Postgres::start(data, options()).await.unwrap_or_else(|error| panic!("{error}"))
}

async fn run(postgres: &Postgres, statement: &'static str) -> Option<i32> {
    try_run(postgres, statement).await.unwrap()
}

/// The first column of the first row, if there is one.
async fn try_run(postgres: &Postgres, statement: &'static str) -> Result<Option<i32>, sqlx::Error> {
    let mut connection = postgres.options().connect().await?;
    let row = connection.fetch_optional(statement).await?;
    row.map(|row| row.try_get(0)).transpose()
}

/// Whether a process runs. A process that has ended may still be a zombie.
fn is_alive(process: i32) -> bool {
    fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|arguments| !arguments.is_empty())
}

fn kill(process: i32, signal: Signal) {
    kill_process(Pid::from_raw(process).unwrap(), signal).unwrap();
}
