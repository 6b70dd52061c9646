//! The lag of read models while something else is measured.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;
use store::Store;

use crate::report::{Error, histogram};

/// The age of the oldest entry that some read model does not include yet, in seconds; 0 if there is
/// none.
#[derive(Serialize)]
pub(crate) struct Behind {
    /// Read models that are behind at the start catch up during the run.
    pub(crate) first_s: f64,
    pub(crate) p50_s: f64,
    pub(crate) max_s: f64,
    pub(crate) last_s: f64,
}

/// The pause between two samples: each costs an index lookup for each bucket and read model.
const PAUSE: Duration = Duration::from_millis(200);
/// The pause on several nodes, where each costs a statement for each shard.
const PAUSE_ON_NODES: Duration = Duration::from_secs(5);

/// Awaits `run`, and takes samples in the meantime.
pub(crate) async fn sampled<T>(
    store: &Store,
    run: impl Future<Output = T>,
) -> Result<(T, Behind), Error> {
    let mut connection = store.database().connection().await.map_err(database::Error::from)?;
    let mut ages_ms: Histogram<u64> = histogram();
    let mut first = None;
    let pause = match store.database().nodes().await?.len() {
        0 | 1 => PAUSE,
        _ => PAUSE_ON_NODES,
    };
    tokio::pin!(run);
    loop {
        let last = age_ms(&mut connection).await.map_err(database::Error::from)?;
        first.get_or_insert(last);
        ages_ms.saturating_record(last);
        tokio::select! {
            done = &mut run => {
                let s = |ms: u64| ms as f64 / 1e3;
                let p50_s = s(ages_ms.value_at_quantile(0.5));
                let max_s = s(ages_ms.max());
                let first_s = s(first.unwrap_or_default());
                return Ok((done, Behind { first_s, p50_s, max_s, last_s: s(last) }));
            }
            () = tokio::time::sleep(pause) => {}
        }
    }
}

async fn age_ms(connection: &mut sqlx::PgConnection) -> Result<u64, sqlx::Error> {
    let ms: i64 = sqlx::query_scalar(
        "select coalesce(max(extract(epoch from clock_timestamp() - entries.create_time) * 1000), 0)::int8
         from checkpoints as its
         join projections on projections.bucket = 0
             and projections.model = its.model
             and projections.generation = its.generation
         join entries on entries.bucket = its.bucket
             and entries.bucket_position = its.bucket_position + 1",
    )
    .fetch_one(connection)
    .await?;
    Ok(ms.try_into().unwrap_or_default())
}
