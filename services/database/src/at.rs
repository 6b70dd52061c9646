//! Statements about one bucket: they run on its node, and wait for it no longer than they must.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt, TryFutureExt, TryStreamExt};
use sqlx::postgres::{PgPool, PgQueryResult, PgRow, PgStatement, PgTypeInfo};
use sqlx::{Either, Execute, Executor, Postgres, SqlStr};

use crate::error::{is_of_node, node_is_away};
use crate::hosts::Hosts;
use crate::nodes::Node;

/// Where a statement about one bucket runs, for `fetch_all` and its like: on one Postgres in the
/// pool of the readers; on several in that of its node. There it fails if the node has just been
/// found away, or is found so meanwhile.
pub struct At {
    pub(crate) pool: PgPool,
    /// The node, and the configured address.
    pub(crate) node: Option<(Node, Arc<Hosts>)>,
}

impl At {
    /// Waits for a statement, at most until its node is found away.
    async fn answer<T>(
        node: Option<(Node, Arc<Hosts>)>,
        answering: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<T, sqlx::Error> {
        match node {
            None => answering.await,
            Some((node, given)) => {
                node.ask(&given, is_of_node, answering).await?.ok_or_else(node_is_away)
            }
        }
    }
}

impl fmt::Debug for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let node = self.node.as_ref().map(|(node, _)| node.name());
        f.debug_struct("At").field("node", &node).finish_non_exhaustive()
    }
}

impl<'c> Executor<'c> for At {
    type Database = Postgres;

    /// Several nodes give the rows when all are there.
    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, Result<Either<PgQueryResult, PgRow>, sqlx::Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let Self { pool, node } = self;
        if node.is_none() {
            return pool.fetch_many(query);
        }
        let all = async move {
            let all = pool.fetch_many(query).try_collect::<Vec<_>>();
            At::answer(node, all).await.map(|all| stream::iter(all.into_iter().map(Ok)))
        };
        all.try_flatten_stream().boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxFuture<'e, Result<Option<PgRow>, sqlx::Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let Self { pool, node } = self;
        if node.is_none() {
            return pool.fetch_optional(query);
        }
        At::answer(node, async move { pool.fetch_optional(query).await }).boxed()
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [PgTypeInfo],
    ) -> BoxFuture<'e, Result<PgStatement, sqlx::Error>>
    where
        'c: 'e,
    {
        let Self { pool, node } = self;
        At::answer(node, async move { pool.prepare_with(sql, parameters).await }).boxed()
    }
}
