//! The server, and the databases on it.

use std::sync::{Arc, Weak};

use postgres_server::{Options, Postgres};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use tempfile::TempDir;
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::{copy_cluster, new_folder};

/// A server that runs as long as any test uses it.
pub struct Server {
    pub postgres: Postgres,
    _data: TempDir,
}

impl Server {
    async fn start() -> Arc<Self> {
        let data = new_folder();
        copy_cluster(&data.path().join("postgres")).await;
        // Enough for all tests at once.
        let settings = vec![("max_connections".to_owned(), "500".to_owned())];
        let options = Options { settings, ..Options::new("croupier") };
        let postgres = Postgres::start(data.path().join("postgres"), options).await;
        Arc::new(Self { postgres: postgres.expect("it starts"), _data: data })
    }

    async fn share() -> Arc<Self> {
        static SHARED: Mutex<Weak<Server>> = Mutex::const_new(Weak::new());
        let mut shared = SHARED.lock().await;
        if let Some(server) = shared.upgrade() {
            return server;
        }
        let server = Self::start().await;
        *shared = Arc::downgrade(&server);
        server
    }
}

/// An empty database.
pub struct TestDatabase {
    pub options: PgConnectOptions,
    pub server: Arc<Server>,
}

impl TestDatabase {
    /// On the server that tests share.
    pub async fn shared() -> Self {
        Self::on(Server::share().await).await
    }

    /// On a server of its own, which a test may kill.
    pub async fn alone() -> Self {
        Self::on(Server::start().await).await
    }

    async fn on(server: Arc<Server>) -> Self {
        let name = format!("test_{}", Uuid::new_v4().simple());
        let mut connection = server.postgres.options().connect().await.expect("it accepts");
        let create = AssertSqlSafe(format!("create database {name}"));
        connection.execute(create).await.expect("it is created");
        Self { options: server.postgres.options().database(&name), server }
    }

    pub async fn connect(&self) -> PgConnection {
        self.options.connect().await.expect("it accepts connections")
    }

    /// How many sessions wait in a transaction for their client.
    pub async fn idle_in_transaction(&self) -> i64 {
        let count = "select count(*) from pg_stat_activity
             where datname = current_database() and state like 'idle in transaction%'";
        sqlx::query_scalar(count).fetch_one(&mut self.connect().await).await.expect("it is counted")
    }
}
