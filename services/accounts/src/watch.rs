//! The connection on which a process reads changes of credentials and erasures. It belongs to no
//! pool, so callers cannot delay a revocation.

use std::ops::{Deref, DerefMut};

use database::{Database, Error};
use sqlx::Connection;
use sqlx::postgres::PgConnection;
use tokio::sync::{Mutex, MutexGuard};

/// The connection while it is not in use.
#[derive(Default)]
pub(crate) struct Watch(Mutex<Option<PgConnection>>);

/// The connection while it is in use. Unless it is kept, it is dropped: a read on it has failed or
/// was given up.
pub(crate) struct Watching<'a> {
    connection: PgConnection,
    place: MutexGuard<'a, Option<PgConnection>>,
}

/// A read that hangs is given up; the next one tries again.
const SETTINGS: &str = "set statement_timeout = '5s'";

impl Watch {
    /// Takes the connection as soon as it is not in use.
    pub async fn take(&self, database: &Database) -> Result<Watching<'_>, Error> {
        let mut place = self.0.lock().await;
        let connection = match place.take() {
            Some(connection) => connection,
            None => {
                let mut connection = database.connection().await?;
                sqlx::raw_sql(SETTINGS).execute(&mut connection).await?;
                connection
            }
        };
        Ok(Watching { connection, place })
    }

    pub async fn close(&self) {
        if let Some(connection) = self.0.lock().await.take() {
            let _ = connection.close().await;
        }
    }
}

impl Watching<'_> {
    /// Keeps the connection for the next read.
    pub fn keep(mut self) {
        *self.place = Some(self.connection);
    }
}

impl Deref for Watching<'_> {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for Watching<'_> {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}

/// The id below which every transaction has finished, so that later statements see its changes.
pub(crate) async fn transaction_horizon(connection: &mut PgConnection) -> Result<i64, Error> {
    let horizon = sqlx::query_scalar("select pg_snapshot_xmin(pg_current_snapshot())::text::int8")
        .fetch_one(connection)
        .await?;
    Ok(horizon)
}
