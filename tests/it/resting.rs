//! A process that nobody uses looks less often for what others changed.

use std::time::Duration;

use contract::v1::ListMatchesRequest;
use tokio::time::{Instant, sleep, sleep_until};

use crate::harness::*;

/// Longer than a process waits before it rests.
const UNUSED: Duration = Duration::from_secs(32);
const WINDOW: Duration = Duration::from_secs(10);

#[tokio::test]
async fn a_process_that_nobody_uses_asks_the_database_seldom() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let transactions = async || {
        let mut database = installation.database().await;
        let count = async |database: &mut sqlx::PgConnection| {
            let query =
                "select xact_commit from pg_stat_database where datname = current_database()";
            sqlx::query_scalar::<_, i64>(query).fetch_one(database).await.expect("a number")
        };
        let before = count(&mut database).await;
        sleep(WINDOW).await;
        count(&mut database).await - before
    };
    let writers = async || {
        let mut database = installation.database().await;
        let query = sqlx::query_scalar::<_, i64>("select count(*) from writers");
        query.fetch_one(&mut database).await.expect("a number")
    };
    let call = ListMatchesRequest::default();
    client.ask(&call).await.expect("the platform may ask");
    let used = Instant::now();
    let awake = transactions().await;
    assert_eq!(writers().await, 1, "others may write by it");
    sleep_until(used + UNUSED).await;
    let resting = transactions().await;
    assert!(resting * 2 < awake, "{awake} transactions, and {resting} when nobody had called");
    assert_eq!(writers().await, 0, "others write without it");
    let log = installation.service.log();
    assert!(!log.contains("not known"), "it knows the time of the database: {log}");

    client.ask(&call).await.expect("the platform may ask");
    let woken = transactions().await;
    assert!(woken > resting * 2, "{resting} transactions, and {woken} after a call");
    assert_eq!(writers().await, 1, "it is announced again");
}
