//! Whether there is anything to ask for, if the database has several nodes.

use futures::future::join_all;
use positions::Bucket;
use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};
use tokio::time::timeout;

use crate::nodes::{AWAY_WAIT, Node};
use crate::{Database, Error, OwnShards, Pool};

impl Database {
    /// Whether a table may have a row that fulfils the condition, in which `its` is the row. It is
    /// false only if no node has any, and costs little then: for what is asked again and again, and
    /// mostly in vain. On one Postgres it is true, since asking costs as little there.
    ///
    /// The condition needs an index that has no rows if there are none.
    pub async fn may_have(&self, table: &'static str, condition: &'static str) -> bool {
        let nodes = self.known_nodes();
        if nodes.len() < 2 {
            return true;
        }
        let asking = nodes.iter().map(|node| async {
            let answer = timeout(AWAY_WAIT, self.node_has(node, table, condition)).await;
            answer.ok().and_then(Result::ok).flatten().unwrap_or(true)
        });
        join_all(asking).await.contains(&true)
    }

    /// `None` if its own shards do not tell.
    async fn node_has(
        &self,
        node: &Node,
        table: &'static str,
        condition: &'static str,
    ) -> Result<Option<bool>, Error> {
        if node.is_away() {
            return Ok(None);
        }
        let (pool, asked) = (self.readers().of_node(node), self.asked());
        let key = (node.name().to_owned(), table, condition);
        let known = asked.get(&key, &node.buckets);
        let statement = match known {
            Some(statement) => statement,
            None => {
                let Some(statement) = statement(&pool, table, condition, &node.buckets).await?
                else {
                    return Ok(None);
                };
                asked.set(key.clone(), node.buckets.clone(), statement.clone());
                statement
            }
        };
        let answer: Result<(bool, bool), _> = sqlx::query_as(statement).fetch_one(&pool).await;
        if let Ok((has, true)) = answer {
            return Ok(Some(has));
        }
        asked.remove(&key);
        Ok(answer.map(|_| None)?)
    }
}

async fn statement(
    pool: &Pool,
    table: &str,
    condition: &str,
    buckets: &[Bucket],
) -> Result<Option<SqlStr>, Error> {
    let shards = OwnShards::of(&mut *pool.acquire().await?, table, buckets).await?;
    Ok(shards.map(|shards| {
        let (have, are_here) = (shards.have(condition), shards.are_here());
        AssertSqlSafe(format!("select {have}, {are_here}")).into_sql_str()
    }))
}
