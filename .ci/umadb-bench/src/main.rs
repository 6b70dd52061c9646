//! Appends to a running UmaDB, one event a call: `umadb-bench URL CLIENTS SECONDS BYTES`. It prints
//! appends, seconds and the median latency in microseconds.
//!
//! A client appends to one stream after another, of 200 events each, as a client of Croupier plays
//! matches. Each append has the condition that nothing was added to its stream since the client's
//! last event there.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use umadb_client::{AsyncUmaDbClient, UmaDbClient};
use umadb_dcb::{
    DcbAppendCondition, DcbEvent, DcbEventStoreAsync, DcbQuery, DcbQueryItem, DcbResult,
};

/// As those of `croupier bench actions`.
const CONNECTIONS_MAX: usize = 4;
const EVENTS_PER_STREAM: usize = 200;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let [url, clients, seconds, bytes] =
        <[String; 4]>::try_from(std::env::args().skip(1).collect::<Vec<_>>())
            .map_err(|_| "usage: umadb-bench URL CLIENTS SECONDS BYTES")?;
    let (clients, bytes): (usize, usize) = (clients.parse()?, bytes.parse()?);
    let mut connections = Vec::new();
    for _ in 0..clients.min(CONNECTIONS_MAX) {
        connections.push(Arc::new(UmaDbClient::new(url.clone()).connect_async().await?));
    }
    let began = Instant::now();
    let until = began + Duration::from_secs(seconds.parse()?);
    let mut appending = JoinSet::new();
    for (client, connection) in (0..clients).zip(connections.iter().cycle()) {
        appending.spawn(append(connection.clone(), client, until, bytes));
    }
    let mut took_us = Vec::new();
    while let Some(client) = appending.join_next().await {
        took_us.extend(client??);
    }
    let took = began.elapsed();
    took_us.sort_unstable();
    println!("{} {} {}", took_us.len(), took.as_secs_f64(), took_us[took_us.len() / 2]);
    Ok(())
}

/// Returns the latency of each append.
async fn append(
    store: Arc<AsyncUmaDbClient>,
    client: usize,
    until: Instant,
    bytes: usize,
) -> DcbResult<Vec<u64>> {
    let mut took_us = Vec::new();
    let run = std::process::id();
    for stream in 0.. {
        let tag = format!("match:{run}-{client}-{stream}");
        let mut last = None;
        for _ in 0..EVENTS_PER_STREAM {
            if Instant::now() >= until {
                return Ok(took_us);
            }
            let event = DcbEvent::new().event_type("action").data(vec![7; bytes]).tags([&tag]);
            let query = DcbQuery::new().item(DcbQueryItem::new().tags([&tag]));
            let condition = DcbAppendCondition { fail_if_events_match: query, after: last };
            let began = Instant::now();
            last = Some(store.append(vec![event], Some(condition), None).await?);
            took_us.push(began.elapsed().as_micros() as u64);
        }
    }
    unreachable!("streams are numbered without end")
}
