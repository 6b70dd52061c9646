//! The connection on which a process reads what has changed: credentials, and erasures. It is no
//! pool's, so nothing that callers do delays a revocation.

use crate::{Error, Store};
use sqlx::Connection;
use sqlx::postgres::PgConnection;
use std::ops::{Deref, DerefMut};
use tokio::sync::{Mutex, MutexGuard};

/// The connection, while nobody reads on it.
#[derive(Default)]
pub(crate) struct Watch(Mutex<Option<PgConnection>>);

/// The connection, while somebody reads on it. Unless it is kept, it is not used again: a read on
/// it has failed, or was given up.
pub(crate) struct Watching<'a> {
    connection: PgConnection,
    place: MutexGuard<'a, Option<PgConnection>>,
}

/// A read that hangs is given up, and the next one tries again.
const SETTINGS: &str = "set statement_timeout = '5s'";

impl Watch {
    pub async fn close(&self) {
        if let Some(connection) = self.0.lock().await.take() {
            let _ = connection.close().await;
        }
    }
}

impl Store {
    pub(crate) async fn watch(&self) -> Result<Watching<'_>, Error> {
        let mut place = self.shared.watch.0.lock().await;
        let connection = match place.take() {
            Some(connection) => connection,
            None => {
                let mut connection = self.connection().await?;
                sqlx::raw_sql(SETTINGS).execute(&mut connection).await?;
                connection
            }
        };
        Ok(Watching { connection, place })
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
