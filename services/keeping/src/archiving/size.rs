//! The size of the table of entries, or of its shards on all nodes.

use sqlx::postgres::PgConnection;

pub(super) async fn of_table(connection: &mut PgConnection) -> Result<(i64, i64), sqlx::Error> {
    let size = sqlx::query_as(
        "select pg_total_relation_size(oid), greatest(reltuples, 0)::int8
         from pg_class
         where oid = 'entries'::regclass",
    );
    size.fetch_one(connection).await
}

/// The table itself is empty where its rows are in shards.
pub(super) async fn of_shards(connection: &mut PgConnection) -> Result<(i64, i64), sqlx::Error> {
    let size = sqlx::query_as(
        "select sum(split_part(result, ' ', 1)::int8)::int8,
             sum(split_part(result, ' ', 2)::int8)::int8
         from run_command_on_shards('entries', $$
             select concat(pg_total_relation_size(oid), ' ', greatest(reltuples, 0)::int8)
             from pg_class
             where oid = '%s'::regclass
         $$)",
    );
    size.fetch_one(connection).await
}
