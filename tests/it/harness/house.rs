//! A house for one test: a Postgres of its own, the real program serving on it, and nothing left behind.

use std::fs::{self, File, Permissions};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use api::ApiKey;
use croupier::postgres::{Options, Postgres};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions};
use tempfile::TempDir;
use time::OffsetDateTime;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::{sleep, timeout};

use super::{Client, PATIENCE, Protocol};

/// One process that serves, its database, and the folder of both; dropped in this order.
pub struct House {
    pub service: Service,
    pub postgres: Option<Postgres>,
    pub folder: TempDir,
}

impl House {
    pub async fn open() -> House {
        let folder = new_folder();
        copy_cluster(&folder.path().join("database")).await;
        let postgres = start_postgres(&folder.path().join("database")).await;
        let service = Service::start(&folder.path().join("a"), Some(&postgres.url())).await;
        House { service, postgres: Some(postgres), folder }
    }

    /// Another process on the same database, with a data folder of its own.
    pub async fn serve(&self, name: &str) -> Service {
        Service::start(&self.folder.path().join(name), Some(&self.postgres().url())).await
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
        let log = log::Log::connect(log::Options::new(self.postgres().options())).await;
        let (log, key) = (log.expect("a record"), ApiKey::new(name).expect("randomness"));
        let now = OffsetDateTime::now_utc();
        log.create_platform(name, now).await.expect("a platform");
        let hash = key.hash();
        log.create_platform_key(name, &key.key_id, hash.as_bytes(), now).await.expect("a key");
        key.to_string()
    }
}

/// A process of the real program, killed when this is dropped.
pub struct Service {
    child: Child,
    _stdout: Lines<BufReader<ChildStdout>>,
    pub address: SocketAddr,
    pub folder: PathBuf,
}

impl Service {
    /// Starts it on a data folder, and on a database if one is named; returns when it serves.
    pub async fn start(folder: &Path, database: Option<&str>) -> Service {
        let mut child = serve(folder, database);
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let first = timeout(PATIENCE, stdout.next_line()).await.expect("it serves in time");
        let first = first.expect("its output can be read");
        let address = first
            .as_deref()
            .and_then(|line| line.split_once("http://")?.1.split(&[',', ' ']).next()?.parse().ok());
        let Some(address) = address else {
            panic!("it said {first:?} and logged:\n{}", last_words(folder));
        };
        Service { child, _stdout: stdout, address, folder: folder.to_owned() }
    }

    pub fn client(&self, protocol: Protocol) -> Client {
        Client::new(self.address, protocol, &self.key())
    }

    /// The API key of the platform `local`.
    pub fn key(&self) -> String {
        let key = fs::read_to_string(self.folder.join("local.key"));
        key.expect("it keeps its key there").trim().to_owned()
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("it runs");
    }

    pub async fn ended(mut self) -> ExitStatus {
        timeout(PATIENCE, self.child.wait()).await.expect("it ends in time").expect("a child")
    }

    /// As a crash would: at once, in the middle of whatever it did.
    pub async fn kill(self) {
        self.signal(Signal::KILL);
        self.ended().await;
    }

    /// The server that it keeps itself, where no database is named.
    pub fn postmaster(&self) -> Option<Pid> {
        let mark = self.folder.join("postgres/cluster/postmaster.pid");
        Pid::from_raw(fs::read_to_string(mark).ok()?.lines().next()?.trim().parse().ok()?)
    }

    /// A connection to that server.
    pub async fn database(&self) -> PgConnection {
        let options = PgConnectOptions::new_without_pgpass();
        let options = options.socket(self.folder.join("postgres/socket")).port(5432);
        connect(&options.username("croupier").database("postgres")).await
    }

    fn pid(&self) -> Pid {
        let pid = self.child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        pid.expect("it was not waited for")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the service at {} logged:\n{}", self.address, last_words(&self.folder));
        }
    }
}

/// Runs `croupier serve` on a free port. It ends with the thread that started it, however that ends.
pub fn serve(folder: &Path, database: Option<&str>) -> Child {
    fs::create_dir_all(folder).expect("a folder");
    let log = File::options().create(true).append(true).open(folder.join("service.txt"));
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--", env!("CARGO_BIN_EXE_croupier"), "serve"]);
    command.args(["--listen", "127.0.0.1:0", "--data"]).arg(folder);
    if let Some(url) = database {
        command.args(["--database-url", url]);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log.expect("a file"));
    command.env_remove("RUST_LOG").kill_on_drop(true).spawn().expect("the program runs")
}

/// The end of what a service logged.
pub fn last_words(folder: &Path) -> String {
    let log = fs::read_to_string(folder.join("service.txt")).unwrap_or_default();
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

pub fn is_alive(process: Pid) -> bool {
    test_kill_process(process).is_ok()
}

/// Looks again and again, within bounds.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let looking = async {
        loop {
            if let Some(found) = look().await {
                return found;
            }
            sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, looking).await.unwrap_or_else(|_| panic!("{what}: not in time"))
}

/// A folder that every user may pass through, as the database's does.
pub fn new_folder() -> TempDir {
    let mut folder = tempfile::Builder::new();
    folder.prefix("it-").permissions(Permissions::from_mode(0o755));
    folder.tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

/// Puts an empty cluster where a Postgres on `data` will find it. Making one takes seconds, so one is made for all tests.
pub async fn copy_cluster(data: &Path) {
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty-cluster");
    let lock = File::create(made.with_extension("lock")).expect("a lock");
    lock.lock().expect("the lock is to be had");
    if !made.exists() {
        let folder = new_folder();
        start_postgres(folder.path()).await.stop().await;
        fs::rename(folder.path().join("cluster"), &made).expect("it is moved whole");
    }
    drop(lock);
    fs::create_dir_all(data).expect("a folder");
    let copy = std::process::Command::new("cp")
        .args(["--archive", "--reflink=auto"])
        .args([&made, &data.join("cluster")])
        .status();
    assert!(copy.expect("cp runs").success());
}

async fn start_postgres(data: &Path) -> Postgres {
    let started = Postgres::start(data, Options::default()).await;
    started.unwrap_or_else(|error| panic!("{error}"))
}

async fn connect(options: &PgConnectOptions) -> PgConnection {
    options.connect().await.expect("the database answers")
}

/// The one value of a query.
pub async fn value<T>(database: &mut PgConnection, query: String) -> T
where
    T: Send + Unpin + for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres>,
{
    let query = sqlx::query_scalar(AssertSqlSafe(query));
    query.fetch_one(database).await.expect("the query has an answer")
}
