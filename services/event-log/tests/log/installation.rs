//! An installation: a log with empty tables.

use std::sync::Arc;
use std::time::Duration;

use event_log::{
    BUCKETS, Bucket, Database, Log, Options, Recorded, StreamId, Tables, Window, append, hints,
};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use test_database::{Server, TestDatabase};
use tokio::time::timeout;

use crate::playing::Writer;

/// An installation with an empty log.
pub struct Installation {
    pub log: Log,
    pub database: PgConnectOptions,
    pub server: Arc<Server>,
    tables: Tables,
}

pub const TABLES: Tables = Tables {
    entries: "entries",
    stream: "stream",
    buckets: "buckets",
    writers: "writers",
    terms: "terms",
    servers: "servers",
    header: None,
    companion: None,
    rights: None,
};

impl Installation {
    pub async fn open() -> Self {
        Self::on(TestDatabase::shared().await).await
    }

    /// On a server of its own, which a test may kill.
    pub async fn open_alone() -> Self {
        Self::on(TestDatabase::alone().await).await
    }

    async fn on(database: TestDatabase) -> Self {
        Self::with(database, Options::new(TABLES)).await
    }

    pub async fn with(database: TestDatabase, options: Options) -> Self {
        for creation in [TABLES.creation(), TABLES.creation_of_terms()] {
            database.connect().await.execute(AssertSqlSafe(creation)).await.unwrap();
        }
        let tables = options.tables;
        let log = open(&database.options, options).await;
        Self { log, database: database.options, server: database.server, tables }
    }

    /// The log of another process of the same installation.
    pub async fn another(&self) -> Log {
        open(&self.database, Options::new(self.tables)).await
    }

    pub async fn another_without_hints(&self) -> Log {
        let hints = hints::Options::none();
        open(&self.database, Options { hints, ..Options::new(TABLES) }).await
    }

    pub fn writer(&self, options: append::Options) -> Writer {
        Writer::run(&self.log, options)
    }

    /// Blocks all reads and writes of entries until the returned connection is closed.
    pub async fn stall(&self) -> sqlx::PgConnection {
        let mut connection = self.database.connect().await.unwrap();
        connection.execute("begin").await.unwrap();
        connection.execute("lock table entries in access exclusive mode").await.unwrap();
        connection
    }

    /// Whether commits wait for a standby from now on; there is none.
    pub async fn wait_for_standby(&self, waits: bool) {
        let mut connection = self.database.connect().await.unwrap();
        let names = if waits { "'*'" } else { "''" };
        let set = format!("alter system set synchronous_standby_names = {names}");
        connection.execute(sqlx::AssertSqlSafe(set)).await.unwrap();
        connection.execute("select pg_reload_conf()").await.unwrap();
        let setting = "select current_setting('synchronous_standby_names') <> ''";
        while sqlx::query_scalar::<_, bool>(setting).fetch_one(&mut connection).await.unwrap()
            != waits
        {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        // The checkpointer tells waiting commits of the change. It has been told of the change
        // before a session that connects from now on, and looks before it makes a checkpoint.
        let mut connected_since = self.database.connect().await.unwrap();
        connected_since.execute("checkpoint").await.unwrap();
    }

    pub async fn cut_listeners(&self) {
        let mut connection = self.database.connect().await.unwrap();
        let cut = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen%'";
        connection.execute(cut).await.unwrap();
    }

    /// Ends the connections of writers, as a server does that is replaced.
    pub async fn cut_writers(&self) {
        let mut connection = self.database.connect().await.unwrap();
        let cut = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike '%insert into entries%' and pid <> pg_backend_pid()";
        connection.execute(cut).await.unwrap();
    }

    pub async fn until_listening(&self) {
        let mut connection = self.database.connect().await.unwrap();
        let count = "select count(*) from pg_stat_activity where datname = current_database() and query ilike 'listen%'";
        let listening = async {
            while sqlx::query_scalar::<_, i64>(count).fetch_one(&mut connection).await.unwrap() == 0
            {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(60), listening).await.expect("the follower listens");
    }

    /// Removes a match's entries after a position, as a standby that takes over may lack them.
    pub async fn lose_after(&self, stream: StreamId, position: i64) {
        let lost = sqlx::query("delete from entries where stream = $1 and position > $2")
            .bind(stream)
            .bind(position)
            .execute(self.log.database().pool())
            .await
            .unwrap();
        assert!(lost.rows_affected() > 0);
    }

    pub async fn until_up(&self) {
        let up = async {
            while self.log.bucket_heads().await.is_err() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(Duration::from_secs(60), up).await.expect("the server starts again");
    }

    /// All entries, by bucket. Checks that bucket positions have no gaps.
    pub async fn all_entries(&self) -> Vec<(StreamId, Recorded)> {
        let (heads, mut all) = (self.log.bucket_heads().await.unwrap(), Vec::new());
        assert_eq!(heads.len(), BUCKETS);
        for bucket in Bucket::all() {
            let whole = Window { bucket, after: 0, until: i64::MAX };
            let entries = self.log.entries_in(&[whole]).await.unwrap();
            let positions: Vec<_> =
                entries.iter().map(|(_, entry)| entry.bucket_position).collect();
            assert_eq!(positions, (1..=heads[bucket.index()].position).collect::<Vec<_>>());
            all.extend(entries);
        }
        all
    }
}

async fn open(database: &PgConnectOptions, options: Options) -> Log {
    let database = Database::connect(database::Options::new(database.clone())).await.unwrap();
    Log::new(&database, options)
}
