//! A pool of connections whose statements run in code that is compiled once, here.
//!
//! The compiler compiles an async function anew in each part of a program that waits for it, and a
//! pool's contains how connections are opened, checked and closed. A boxed future is one pointer.

use std::fmt;

use futures::future::BoxFuture;
use futures::stream::BoxStream;
use futures::{FutureExt, TryStreamExt};
use sqlx::error::BoxDynError;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{
    PgArguments, PgConnection, PgPool, PgPoolOptions, PgQueryResult, PgRow, PgStatement, PgTypeInfo,
};
use sqlx::{Either, Execute, Executor, Postgres, SqlStr};

use crate::hosts::Hosts;

/// A pool of connections, cheap to clone. Each statement runs on any of them, and no caller can
/// begin a transaction:
///
/// ```compile_fail,E0599
/// async fn begin(pool: &database::Pool) {
///     let _ = pool.begin().await;
/// }
/// ```
#[derive(Clone)]
pub struct Pool(PgPool);

/// What a statement returns.
pub(crate) type Answers<'e> = BoxStream<'e, Result<Either<PgQueryResult, PgRow>, sqlx::Error>>;
/// The first row that a statement returns.
pub(crate) type Row<'e> = BoxFuture<'e, Result<Option<PgRow>, sqlx::Error>>;

impl Pool {
    /// A pool that connects at once.
    pub(crate) async fn connect(
        options: PgPoolOptions,
        hosts: &Hosts,
    ) -> Result<Self, sqlx::Error> {
        let pool = options.connect_with(hosts.current()).await?;
        hosts.lead(&pool);
        Ok(Self(pool))
    }

    /// A pool that connects on demand.
    pub(crate) fn on_demand(options: PgPoolOptions, hosts: &Hosts) -> Self {
        let pool = options.connect_lazy_with(hosts.current());
        hosts.lead(&pool);
        Self(pool)
    }

    pub(crate) fn inner(&self) -> &PgPool {
        &self.0
    }

    /// The number of connections that are open, and of those that are not in use.
    pub fn size(&self) -> (u32, u32) {
        (self.0.size(), self.0.num_idle() as u32)
    }

    /// A connection for a single statement.
    #[expect(clippy::disallowed_methods, reason = "it is used for a single statement")]
    pub(crate) fn acquire(
        &self,
    ) -> BoxFuture<'static, Result<PoolConnection<Postgres>, sqlx::Error>> {
        let pool = self.0.clone();
        async move { pool.acquire().await }.boxed()
    }

    pub(crate) fn answers(&self, query: AnyQuery) -> Answers<'static> {
        self.0.fetch_many(query)
    }

    pub(crate) fn first_row(&self, query: AnyQuery) -> Row<'static> {
        self.0.fetch_optional(query)
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'c> Executor<'c> for &Pool {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> Answers<'e>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        self.answers(AnyQuery::of(query))
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> Row<'e>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        self.first_row(AnyQuery::of(query))
    }

    fn execute<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<PgQueryResult, sqlx::Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        done(self.answers(AnyQuery::of(query)))
    }

    fn fetch<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Result<PgRow, sqlx::Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        rows(self.answers(AnyQuery::of(query)))
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [PgTypeInfo],
    ) -> BoxFuture<'e, Result<PgStatement, sqlx::Error>>
    where
        'c: 'e,
    {
        self.0.prepare_with(sql, parameters)
    }
}

/// A statement of any type.
pub(crate) struct AnyQuery {
    sql: SqlStr,
    statement: Option<PgStatement>,
    arguments: Result<Option<PgArguments>, BoxDynError>,
    is_persistent: bool,
}

impl AnyQuery {
    pub fn of<'q>(mut query: impl Execute<'q, Postgres>) -> Self {
        Self {
            statement: query.statement().cloned(),
            arguments: query.take_arguments(),
            is_persistent: query.persistent(),
            sql: query.sql(),
        }
    }

    /// Runs the statement on this connection.
    pub fn done_on(
        self,
        connection: &mut PgConnection,
    ) -> BoxFuture<'_, Result<PgQueryResult, sqlx::Error>> {
        done(connection.fetch_many(self))
    }

    /// The first row that the statement returns on this connection.
    pub fn first_row_on(self, connection: &mut PgConnection) -> Row<'_> {
        connection.fetch_optional(self)
    }
}

impl Execute<'_, Postgres> for AnyQuery {
    fn sql(self) -> SqlStr {
        self.sql
    }

    fn statement(&self) -> Option<&PgStatement> {
        self.statement.as_ref()
    }

    fn take_arguments(&mut self) -> Result<Option<PgArguments>, BoxDynError> {
        std::mem::replace(&mut self.arguments, Ok(None))
    }

    fn persistent(&self) -> bool {
        self.is_persistent
    }
}

pub(crate) fn rows(answers: Answers<'_>) -> BoxStream<'_, Result<PgRow, sqlx::Error>> {
    Box::pin(answers.try_filter_map(async |it| Ok(it.right())))
}

fn done(answers: Answers<'_>) -> BoxFuture<'_, Result<PgQueryResult, sqlx::Error>> {
    Box::pin(answers.try_filter_map(async |it| Ok(it.left())).try_collect())
}
