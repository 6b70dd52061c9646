//! Statements about one bucket: they run on its node, and wait for it no longer than they must.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use futures::{FutureExt, StreamExt, TryFutureExt, TryStreamExt};
use sqlx::postgres::{PgRow, PgStatement, PgTypeInfo};
use sqlx::{Execute, Executor, Postgres, SqlStr};

use crate::error::{is_of_node, node_is_away};
use crate::hosts::Hosts;
use crate::nodes::Node;
use crate::pool::{Answers, AnyQuery, Pool, Row, rows};

/// Where a statement about one bucket runs, for `fetch_all` and its like: on one Postgres in the
/// pool of the readers; on several in that of its node. There it fails if the node has just been
/// found away, or is found so meanwhile.
pub struct At {
    pub(crate) pool: Pool,
    /// The node, and the configured address.
    pub(crate) node: Option<(Node, Arc<Hosts>)>,
}

impl At {
    /// Several nodes give the rows when all are there.
    fn answers(self, query: AnyQuery) -> Answers<'static> {
        let Self { pool, node } = self;
        let answers = pool.answers(query);
        if node.is_none() {
            return answers;
        }
        let all = At::answer(node, answers.try_collect::<Vec<_>>());
        all.map_ok(|all| stream::iter(all.into_iter().map(Ok))).try_flatten_stream().boxed()
    }

    fn first_row(self, query: AnyQuery) -> Row<'static> {
        let Self { pool, node } = self;
        let row = pool.first_row(query);
        if node.is_none() { row } else { At::answer(node, row).boxed() }
    }

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
        let Self { pool, node } = self;
        At::answer(node, async move { pool.prepare_with(sql, parameters).await }).boxed()
    }
}
