//! An installation for one test: its own Postgres and the real program serving on it, both removed
//! at the end.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use accounts::Accounts;
use api::ApiKey;
use database::Database;
use event_log::Log;
use postgres_server::{Options, Postgres};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions};
use store::{RECORD, Store};
use tempfile::TempDir;
use test_database::copy_prepared;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::{sleep, timeout};

use super::{Client, PATIENCE, Port, Protocol, new_folder, now};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_croupier");

/// One serving process, its database, and the folder of both; dropped in this order.
pub struct Installation {
    pub service: Service,
    pub postgres: Option<Postgres>,
    pub folder: TempDir,
}

impl Installation {
    pub async fn open() -> Installation {
        let folder = new_folder();
        copy_migrated(&folder.path().join("database")).await;
        let postgres = start_postgres(&folder.path().join("database")).await;
        let own = "update installation set installation_id = gen_random_uuid()";
        let mut database = connect(&postgres.options()).await;
        sqlx::raw_sql(own).execute(&mut database).await.expect("an installation of its own");
        let service = Service::start(&folder.path().join("a"), Some(&postgres.url())).await;
        Installation { service, postgres: Some(postgres), folder }
    }

    /// Another process on the same database, with a data folder of its own.
    pub async fn serve(&self, name: &str) -> Service {
        Service::start(&self.folder.path().join(name), Some(&self.postgres().url())).await
    }

    /// Serves as a role that may do no more than `croupier migrate --grant` lets it, and as nobody
    /// else.
    pub async fn restrict(&mut self) {
        let owner = self.postgres().url();
        let mut database = self.database().await;
        sqlx::raw_sql("create role serving login").execute(&mut database).await.expect("a role");
        let mut grant = Command::new(PROGRAM);
        grant.args(["migrate", "--grant", "serving", "--database-url", &owner]);
        grant.env("CROUPIER_MODULE_COMPILER", NO_COMPILER);
        assert!(grant.status().await.expect("it runs").success());
        self.service.kill().await;
        let serving = owner.replacen("user=croupier", "user=serving", 1);
        assert_ne!(serving, owner);
        let folder = self.folder.path().join("restricted");
        self.service = Service::start(&folder, Some(&serving)).await;
    }

    pub fn client(&self, protocol: Protocol) -> Client {
        self.service.client(protocol)
    }

    pub fn postgres(&self) -> &Postgres {
        self.postgres.as_ref().expect("the database is there")
    }

    pub async fn stop_postgres(&mut self) {
        self.postgres.take().expect("the database is there").stop().await;
    }

    pub async fn start_postgres(&mut self) {
        self.postgres = Some(start_postgres(&self.folder.path().join("database")).await);
    }

    pub async fn database(&self) -> PgConnection {
        connect(&self.postgres().options()).await
    }

    /// Another platform, and its key.
    pub async fn platform(&self, name: &str) -> String {
        let store = open_store(database::Options::new(self.postgres().options())).await;
        let (accounts, now) = (Accounts::new(store.database()), now());
        let key = ApiKey::new(name).expect("randomness");
        accounts.create_platform(name, now).await.expect("a platform");
        let hash = key.hash();
        accounts.create_platform_key(name, &key.key_id, hash.as_bytes(), now).await.expect("a key");
        key.to_string()
    }
}

/// The tables of matches, as a process has them.
pub async fn open_store(options: database::Options) -> Store {
    let database = Database::connect(options).await.expect("it connects");
    Store::new(&Log::new(&database, event_log::Options::new(RECORD)))
}

/// A process of the real program, killed when this is dropped.
pub struct Service {
    child: Child,
    stdout: Lines<BufReader<ChildStdout>>,
    port: Port,
    program: PathBuf,
    pub folder: PathBuf,
    database: Option<String>,
    /// Additional command-line arguments, used from the next start on.
    pub arguments: Vec<&'static str>,
    /// Additional variables of its environment, likewise.
    pub environment: Vec<(&'static str, String)>,
}

impl Service {
    /// Starts it on a data folder, and on a database if one is named; returns when it is serving.
    pub async fn start(folder: &Path, database: Option<&str>) -> Service {
        Service::start_with(folder, database, &[]).await
    }

    /// The same with additional arguments.
    pub async fn start_with(folder: &Path, database: Option<&str>, arguments: &[&str]) -> Service {
        Service::start_program(Path::new(PROGRAM), folder, database, arguments).await
    }

    /// The same with another program, such as another release's.
    pub async fn start_program(
        program: &Path,
        folder: &Path,
        database: Option<&str>,
        arguments: &[&str],
    ) -> Service {
        Service::start_in(program, folder, database, arguments, Vec::new()).await
    }

    /// The same with additional variables of its environment, which its own Postgres inherits.
    pub async fn start_in(
        program: &Path,
        folder: &Path,
        database: Option<&str>,
        arguments: &[&str],
        environment: Vec<(&'static str, String)>,
    ) -> Service {
        let (child, stdout) = serve_program(program, folder, database, arguments, &environment);
        let (program, folder) = (program.to_owned(), folder.to_owned());
        let (port, database) = (Port::default(), database.map(str::to_owned));
        let arguments = arguments.iter().map(|it| &*it.to_string().leak()).collect();
        let mut service =
            Service { child, stdout, port, program, folder, database, arguments, environment };
        service.read_port().await;
        service
    }

    /// Restarts it after its process has ended. Existing clients reach the new process.
    pub async fn start_again(&mut self) {
        self.spawn_again();
        self.read_port().await;
    }

    /// Kills it and starts it again, with these additional arguments.
    pub async fn restart_with(&mut self, arguments: &[&'static str]) {
        self.kill().await;
        self.arguments = arguments.to_vec();
        self.start_again().await;
    }

    /// Tries to restart it. Without a database it exits instead of serving.
    pub async fn try_start_again(&mut self) -> bool {
        self.spawn_again();
        let first = timeout(2 * PATIENCE, self.stdout.next_line()).await;
        let first = first.ok().and_then(Result::ok).flatten();
        let port = first.as_deref().and_then(port_of);
        port.inspect(|&port| self.port.store(port, SeqCst)).is_some()
    }

    /// Starts it again without waiting until it serves.
    pub fn spawn_again(&mut self) {
        let database = self.database.as_deref();
        (self.child, self.stdout) = serve_program(
            &self.program,
            &self.folder,
            database,
            &self.arguments,
            &self.environment,
        );
    }

    /// Waits until it serves.
    pub async fn read_port(&mut self) {
        let first = timeout(PATIENCE, self.stdout.next_line()).await.expect("it serves in time");
        let first = first.expect("its output can be read").unwrap_or_default();
        self.port.store(port_of(&first).unwrap_or_else(|| panic!("it said {first:?}")), SeqCst);
    }

    pub fn port(&self) -> u16 {
        self.port.load(SeqCst)
    }

    /// From now on the clients of this process reach another one, until this one starts again.
    pub fn redirect_to(&self, other: &Service) {
        self.port.store(other.port(), SeqCst);
    }

    pub fn client(&self, protocol: Protocol) -> Client {
        Client::new(&self.port, protocol, &self.key())
    }

    /// A client of its metrics address, which is read from the start-up output. Call it once.
    pub async fn metrics(&mut self) -> Client {
        loop {
            let line = timeout(PATIENCE, self.stdout.next_line()).await.expect("it says where");
            let line = line.expect("its output can be read").expect("it goes on");
            if let Some((_, rest)) = line.split_once("are at http://127.0.0.1:") {
                let port: u16 =
                    rest.split('/').next().and_then(|it| it.parse().ok()).expect("a port");
                let port = Port::new(port.into());
                return Client::new(&port, Protocol::Rest, "").anonymous();
            }
        }
    }

    /// The API key of the platform `local`.
    pub fn key(&self) -> String {
        let key = fs::read_to_string(self.folder.join("local.key"));
        key.expect("it keeps its key there").trim().to_owned()
    }

    /// What it logged, also before it was started again.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("service.txt")).expect("it logs there")
    }

    pub fn id(&self) -> u32 {
        self.child.id().expect("it was not waited for")
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("it runs");
    }

    /// Suspends the process, and returns when all its threads have stopped: the signal takes a
    /// moment.
    pub async fn stop(&self) {
        self.signal(Signal::STOP);
        let began = Instant::now();
        while !is_stopped(self.id()) {
            assert!(began.elapsed() < PATIENCE, "it does not stand still");
            sleep(Duration::from_millis(1)).await;
        }
    }

    pub async fn ended(&mut self) -> ExitStatus {
        timeout(PATIENCE, self.child.wait()).await.expect("it ends in time").expect("a child")
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_none()
    }

    pub async fn ends_within(&mut self, longest: Duration) -> bool {
        timeout(longest, self.child.wait()).await.is_ok()
    }

    /// Kills the process in the middle of whatever it is doing, as a crash would.
    pub async fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.ended().await;
    }

    /// The process of its embedded Postgres, if it runs one.
    pub fn postmaster(&self) -> Option<Pid> {
        let mark = self.folder.join("postgres/cluster/postmaster.pid");
        Pid::from_raw(fs::read_to_string(mark).ok()?.lines().next()?.trim().parse().ok()?)
    }

    /// A connection to its embedded Postgres.
    pub async fn database(&self) -> PgConnection {
        let options = PgConnectOptions::new_without_pgpass();
        let options = options.socket(self.folder.join("postgres/socket")).port(5432);
        connect(&options.username("croupier").database("postgres")).await
    }

    pub fn pid(&self) -> Pid {
        Pid::from_raw(self.id().cast_signed()).expect("a process")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{} logged:\n{}", self.folder.display(), log_tail(&self.folder));
        }
    }
}

/// The port in the first line of a service's output.
fn port_of(first: &str) -> Option<u16> {
    let (_, rest) = first.split_once("://127.0.0.1:")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Runs `croupier serve` on a free port. It ends together with the thread that started it.
pub fn serve(folder: &Path, database: Option<&str>) -> (Child, Lines<BufReader<ChildStdout>>) {
    serve_with(folder, database, &[])
}

/// As [`serve`], with additional arguments.
pub fn serve_with(
    folder: &Path,
    database: Option<&str>,
    arguments: &[&str],
) -> (Child, Lines<BufReader<ChildStdout>>) {
    serve_program(Path::new(PROGRAM), folder, database, arguments, &[])
}

fn serve_program(
    program: &Path,
    folder: &Path,
    database: Option<&str>,
    arguments: &[&str],
    environment: &[(&str, String)],
) -> (Child, Lines<BufReader<ChildStdout>>) {
    fs::create_dir_all(folder).expect("a folder");
    let log = File::options().create(true).append(true).open(folder.join("service.txt"));
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--"]).arg(program).arg("serve");
    command.args(["--listen", "127.0.0.1:0", "--metrics-listen", "127.0.0.1:0", "--data"]);
    command.arg(folder).args(arguments).envs(environment.iter().cloned());
    // Several threads, on machines of any size.
    command.env("CROUPIER_THREADS", "2").env("CROUPIER_CONNECT_WAIT_S", "2");
    if let Some(url) = database {
        command.args(["--database-url", url]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log.expect("a file"));
    // Whether pages were built makes no difference; a test that needs some writes them there.
    let pages = folder.join("pages");
    fs::create_dir_all(&pages).expect("a folder");
    command.env("CROUPIER_PAGES", pages);
    // A backtrace would push what a test looks for out of the tail of the log.
    command.env_remove("RUST_LOG").env_remove("RUST_BACKTRACE").kill_on_drop(true);
    let mut child = command.spawn().expect("the program runs");
    let stdout = child.stdout.take().expect("it is piped");
    (child, BufReader::new(stdout).lines())
}

/// The last lines of a service's log.
pub fn log_tail(folder: &Path) -> String {
    let log = fs::read_to_string(folder.join("service.txt")).unwrap_or_default();
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

/// Whether each thread of a process is stopped.
fn is_stopped(process: u32) -> bool {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let stats = threads.filter_map(|it| fs::read_to_string(it.path().join("stat")).ok());
    // The process name between the brackets may contain any character.
    let mut states = stats.filter_map(|stat| stat.rsplit_once(") ").map(|it| it.1.to_owned()));
    states.all(|state| state.starts_with('T'))
}

pub fn is_alive(process: Pid) -> bool {
    test_kill_process(process).is_ok()
}

/// Polls until a value is found; panics when it takes too long.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let looking = async {
        loop {
            if let Some(found) = look().await {
                return found;
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, looking).await.unwrap_or_else(|_| panic!("{what}: not in time"))
}

/// Waits until no session sees rows that were deleted or replaced before: until then `vacuum` keeps
/// them.
pub async fn until_old_rows_are_removable(database: &mut PgConnection) {
    let next: i64 =
        sqlx::query_scalar("select pg_snapshot_xmax(pg_current_snapshot())::text::int8")
            .fetch_one(&mut *database)
            .await
            .expect("a number");
    until("nobody sees old rows", async || {
        let older = "select count(*)
             from pg_stat_activity
             where pid <> pg_backend_pid()
             and least(backend_xid::text::int8, backend_xmin::text::int8) < $1";
        let older = sqlx::query_scalar(older).bind(next).fetch_one(&mut *database).await;
        let older: i64 = older.expect("a number");
        (older == 0).then_some(())
    })
    .await;
}

/// With this compiler, nothing is spent on keeping the modules of the built-in games.
pub const NO_COMPILER: &str = "/nowhere/compiler";

/// Copies a cluster with the tables of the program, as after `croupier migrate`.
async fn copy_migrated(data: &Path) {
    let mut hasher = DefaultHasher::new();
    let migrations = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
    let files = fs::read_dir(migrations).expect("migrations").map(|it| it.expect("one").path());
    let files = files.map(|it| (fs::read(&it).expect("statements"), it));
    files.collect::<BTreeSet<_>>().hash(&mut hasher);
    copy_prepared(&format!("migrated-{:016x}", hasher.finish()), data, async |postgres| {
        let mut migrate = Command::new(PROGRAM);
        migrate.args(["migrate", "--database-url", &postgres.url()]);
        migrate.env("CROUPIER_MODULE_COMPILER", NO_COMPILER);
        migrate.stdout(Stdio::null()).stderr(Stdio::null());
        assert!(migrate.status().await.expect("it runs").success());
    })
    .await;
}

/// Starts a server on the cluster in this folder, creating it if there is none.
pub async fn start_postgres(data: &Path) -> Postgres {
    start_postgres_with(data, &[]).await
}

/// The same with further settings.
pub async fn start_postgres_with(data: &Path, settings: &[(&str, &str)]) -> Postgres {
    let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let settings = settings.iter().map(owned).collect();
    let options = Options { settings, ..Options::new("croupier") };
    Postgres::start(data, options).await.unwrap_or_else(|error| panic!("{error}"))
}

/// A connection, as soon as the database accepts one.
pub async fn connect(options: &PgConnectOptions) -> PgConnection {
    until("the database", async || options.connect().await.ok()).await
}

/// The request ids of a match's entries, in the order of the record.
pub async fn recorded_requests(database: &mut PgConnection, name: &str) -> Vec<String> {
    let query = format!(
        "select position, request_id from entries where match_id = '{}' order by position",
        name.trim_start_matches("matches/")
    );
    let rows: Vec<(i64, String)> =
        sqlx::query_as(AssertSqlSafe(query)).fetch_all(database).await.expect("rows");
    let positions: Vec<i64> = rows.iter().map(|row| row.0).collect();
    assert_eq!(positions, (1..=rows.len() as i64).collect::<Vec<_>>());
    rows.into_iter().map(|row| row.1).collect()
}

/// Bucket positions and match positions run 1, 2, 3 …, and no request appears twice in a match.
pub async fn check_keys(database: &mut PgConnection) -> Vec<String> {
    let checks = [
        (
            "bucket positions have gaps",
            "select count(*) from (
                 select 1 from entries group by bucket
                 having min(bucket_position) <> 1 or max(bucket_position) <> count(*)
             ) as wrong",
        ),
        (
            "positions have gaps",
            "select count(*) from (
                 select 1 from entries group by match_id
                 having min(position) <> 1 or max(position) <> count(*)
             ) as wrong",
        ),
        (
            "requests stand twice",
            "select count(*) from (
                 select 1 from entries where request_id is not null
                 group by match_id, request_id having count(*) > 1
             ) as wrong",
        ),
    ];
    let mut findings = Vec::new();
    for (what, query) in checks {
        let wrong: i64 =
            sqlx::query_scalar(query).fetch_one(&mut *database).await.expect("a number");
        if wrong > 0 {
            findings.push(format!("{what}: {wrong}"));
        }
    }
    findings
}
