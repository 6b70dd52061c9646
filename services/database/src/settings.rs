//! Settings of sessions, as SQL statements.

use std::time::Duration;

/// Makes the session's commits durable before they are answered, regardless of the default of the
/// database or role.
pub const DURABLE: &str = "select set_config('synchronous_commit', 'on', false)
     where current_setting('synchronous_commit') not in ('on', 'remote_apply')";

/// Settings for queries that find rows by key and run so often that they are planned once. The plan
/// must not be a sequential scan, which is fastest only while the tables are empty.
pub const PLANNED_ONCE: &str = "select set_config('plan_cache_mode', 'force_generic_plan', false)
     -- It has to know the values to know the nodes.
     where not exists (select 1 from pg_extension where extname = 'citus');
     set enable_seqscan = off;
     -- A table without an index appears to cost so much then that Postgres would compile its scan.
     set jit = off";

/// Settings for connections that only read: Postgres refuses writes even in case of a bug.
pub const READ_ONLY: &str = "set default_transaction_read_only = on";

/// A setting for queries that find some rows of a large table by their keys. Without it, the
/// planner expects a disk with a moving head, and reads whole tables of some ten thousand rows.
pub(crate) const READ_BY_KEY: &str = "set random_page_cost = 1.1";

/// How long the database lets a transaction wait for its client before it ends the connection:
/// longer than any work of this program between two statements of a transaction, short enough that
/// the locks of a hanging process do not block others for long.
const IDLE_IN_TRANSACTION_WAIT: Duration = Duration::from_secs(30);

pub(crate) fn limit_idle_transactions() -> String {
    let wait_ms = IDLE_IN_TRANSACTION_WAIT.as_millis();
    format!("set idle_in_transaction_session_timeout = {wait_ms}")
}
