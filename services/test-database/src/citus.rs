//! A database of several nodes with the extension Citus, if it is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use postgres_server::{Options, Postgres};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use tempfile::TempDir;

use crate::{copy_cluster, new_folder};

/// A coordinator and workers. Each has an empty database; [`Citus::join`] makes one of them.
pub struct Citus {
    /// The coordinator first.
    pub nodes: Vec<CitusNode>,
    _data: TempDir,
}

/// A server that can be a node.
pub struct CitusNode {
    postgres: Option<Postgres>,
    folder: PathBuf,
    settings: Vec<(String, String)>,
    /// Its address on this machine, on [`PORT`].
    pub host: String,
}

/// The port of all nodes, each on an address of its own.
const PORT: u16 = 27_710;
const DATABASE: &str = "croupier";

/// Backups have a line of their own.
const ACCESS: &str = "local all all trust
host all all 127.0.0.0/8 trust
host replication all 127.0.0.0/8 trust
";

impl Citus {
    /// Servers that are no cluster yet, with the extension loaded, or why there are none.
    pub async fn start(nodes: usize) -> Result<Citus, String> {
        check_installed()?;
        let data = new_folder();
        // Both ends of every connection are on this machine, and so is whoever may connect.
        let access = data.path().join("hba.conf");
        fs::write(&access, ACCESS).expect("a file");
        let mut started = Vec::new();
        for n in 0..nodes {
            let host = address(n);
            let folder = data.path().join(format!("node{n}"));
            copy_cluster(&folder).await;
            let settings = [
                ("listen_addresses", host.as_str()),
                ("port", &PORT.to_string()),
                ("hba_file", &access.to_string_lossy()),
                ("shared_preload_libraries", "citus"),
                ("citus.local_hostname", host.as_str()),
                ("wal_level", "logical"),
                ("max_connections", "200"),
                // A certificate of Citus itself is nothing that the service accepts.
                ("ssl", "off"),
                ("citus.node_conninfo", "sslmode=disable"),
                ("citus.enable_statistics_collection", "off"),
            ];
            let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let mut node = CitusNode { postgres: None, folder, settings: settings.into(), host };
            node.start().await;
            let create = format!("create database {DATABASE}");
            let mut connection = node.options().database("postgres").connect().await;
            let connection = connection.as_mut().expect("it accepts");
            connection.execute(AssertSqlSafe(create)).await.expect("a database");
            started.push(node);
        }
        Ok(Citus { nodes: started, _data: data })
    }

    /// Makes the servers nodes of one database.
    pub async fn join(&self) {
        self.join_first(self.nodes.len()).await;
    }

    /// The same with the first of them only.
    pub async fn join_first(&self, count: usize) {
        self.run_on(0, "create extension citus").await;
        let own = format!("select citus_set_coordinator_host('{}', {PORT})", self.nodes[0].host);
        self.run_on(0, &own).await;
        for node in 1..count {
            self.add(node).await;
        }
    }

    /// Makes a server a node of the database of the first one.
    pub async fn add(&self, node: usize) {
        self.run_on(node, "create extension citus").await;
        let add = format!("select citus_add_node('{}', {PORT})", self.nodes[node].host);
        self.run_on(0, &add).await;
    }

    /// Makes a role that may connect to every node.
    pub async fn create_role(&self, role: &str) {
        self.run_on(0, &format!("create role {role} login")).await;
    }

    async fn run_on(&self, node: usize, statement: &str) {
        let mut connection = self.nodes[node].connect().await;
        connection.execute(AssertSqlSafe(statement.to_owned())).await.expect(statement);
    }

    /// The address of a node's database.
    pub fn url(&self, node: usize) -> String {
        self.url_of(&[node])
    }

    /// The address of a database that each of these nodes serves; the first one is preferred.
    pub fn url_of(&self, nodes: &[usize]) -> String {
        let host = |&node: &usize| format!("{}:{PORT}", self.nodes[node].host);
        let hosts = nodes.iter().map(host).collect::<Vec<_>>().join(",");
        format!("postgres://croupier@{hosts}/{DATABASE}?sslmode=disable")
    }

    /// Ends all servers at once: an orderly stop of a node waits for the others.
    pub fn stop(self) {
        drop(self);
    }
}

impl CitusNode {
    /// Starts the server, for the first time or again.
    pub async fn start(&mut self) {
        let settings = self.settings.clone();
        let options = Options { settings, ..Options::new("croupier") };
        let started = Postgres::start(self.folder.clone(), options).await;
        self.postgres = Some(started.expect("it starts"));
    }

    /// From its next start on, the server has this setting.
    pub fn set(&mut self, name: &str, value: &str) {
        self.settings.push((name.to_owned(), value.to_owned()));
    }

    /// The folder of its cluster.
    pub fn cluster(&self) -> PathBuf {
        self.folder.join("cluster")
    }

    /// Ends the server at once, in the middle of whatever it does.
    pub fn lose(&mut self) {
        drop(self.postgres.take().expect("it runs"));
    }

    /// Its address, as nodes have it for each other.
    pub fn address(&self) -> String {
        format!("{}:{PORT}", self.host)
    }

    /// The process of the server.
    pub fn pid(&self) -> i32 {
        self.postgres.as_ref().and_then(Postgres::pid).expect("it runs")
    }

    pub fn options(&self) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass()
            .host(&self.host)
            .port(PORT)
            .username("croupier")
            .database(DATABASE)
            .ssl_mode(sqlx::postgres::PgSslMode::Disable)
    }

    pub async fn connect(&self) -> PgConnection {
        self.options().connect().await.expect("it accepts connections")
    }
}

/// An address that no other process of this user has: the network of this machine alone has
/// millions.
fn address(node: usize) -> String {
    let process = std::process::id();
    format!("127.{}.{}.{}", 100 + (process >> 14) % 100, (process >> 6) & 0xff, {
        (process & 0x3f) * 4 + node as u32
    })
}

/// Fails, and says why, if the extension is not installed for this machine's Postgres.
fn check_installed() -> Result<(), String> {
    let asked = Command::new("pg_config").arg("--pkglibdir").output();
    let Ok(answer) = asked else { return Err("pg_config is not installed".to_owned()) };
    let folder = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    let library = Path::new(&folder).join("citus.so");
    let missing =
        || format!("the extension Citus is not installed: {} is missing", library.display());
    library.exists().then_some(()).ok_or_else(missing)
}
