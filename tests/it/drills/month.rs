//! A month of slow matches in minutes: the time of day passes faster, and processes are killed.

use std::collections::BTreeMap;
use std::env;
use std::time::{Duration, Instant};

use contract::v1::*;
use futures::{StreamExt, stream};
use time::OffsetDateTime;
use tokio::time::sleep;

use super::Drill;
use crate::harness::*;

/// Days that pass in the drill.
const DAYS: u32 = 30;

/// Matches, and the minutes that the month takes, unless variables of these names say otherwise.
const MATCHES: u32 = 10_000;
const MINUTES: u32 = 10;

const PROCESSES: usize = 2;

/// How often one of the processes is killed.
const KILL_EVERY: Duration = Duration::from_secs(20);

fn asked(name: &str, default: u32) -> u32 {
    env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a quarter of an hour: make drills"]
async fn a_month_of_daily_matches_with_processes_killed_at_random() {
    let mut drill = Drill::begin("a month of daily matches");
    let (matches, minutes) = (asked("MATCHES", MATCHES), asked("MINUTES", MINUTES));
    let rate = DAYS * 24 * 60 / minutes;
    let folder = new_folder();
    copy_cluster(&folder.path().join("database")).await;
    let postgres = start_postgres(&folder.path().join("database")).await;
    let origin = now().unix_timestamp();
    let simulated: &'static str = format!("--simulate-time={origin}*{rate}").leak();
    let mut services = Vec::new();
    for number in 0..PROCESSES {
        let path = folder.path().join(format!("process-{number}"));
        let mut service = Service::start(&path, Some(&postgres.url())).await;
        service.restart_with(&[simulated]).await;
        services.push(service);
    }
    let client = services[0].client(Protocol::Grpc);
    let began = Instant::now();
    // Two players who never answer: each misses a day after the other, and so do their seats.
    let per_decision = Some(contract::seconds(86_400));
    let control = TimeControl { per_decision, ..TimeControl::default() };
    let request = CreateMatchRequest { time_control: Some(control), ..new_match(2) };
    let creating = stream::iter(0..matches).map(|_| client.ask(&request)).buffer_unordered(32);
    let names: Vec<String> = creating
        .map(|created| created.expect("it is created").r#match.expect("a match").name)
        .collect()
        .await;
    drill.figure("matches", matches);
    drill.figure("seconds to create them", began.elapsed().as_secs());

    let month = Duration::from_secs(60 * u64::from(minutes));
    let (ends, mut kills) = (Instant::now() + month, 0);
    while Instant::now() < ends {
        sleep(KILL_EVERY.min(ends - Instant::now())).await;
        let service = &mut services[kills % PROCESSES];
        service.kill().await;
        service.start_again().await;
        kills += 1;
    }
    drill.figure("kills", kills);
    drill.figure("seconds", began.elapsed().as_secs());
    for service in &mut services {
        service.kill().await;
    }

    // The record alone says whether each time ran out once, and none early.
    let mut database = connect(&postgres.options()).await;
    let rows: Vec<(String, i64, OffsetDateTime)> = sqlx::query_as(
        "select match_id::text, position, create_time from entries order by match_id, position",
    )
    .fetch_all(&mut database)
    .await
    .expect("rows");
    let mut times: BTreeMap<String, Vec<OffsetDateTime>> = BTreeMap::new();
    for (match_id, position, at) in rows {
        let its = times.entry(match_id).or_default();
        its.push(at);
        assert_eq!(position, its.len() as i64);
    }
    assert_eq!(times.len(), names.len());
    let day = time::Duration::days(1);
    let (mut timeouts, mut early, mut late) = (0_u64, 0, time::Duration::ZERO);
    for its in times.values() {
        for pair in its.windows(2) {
            timeouts += 1;
            early += u64::from(pair[1] - pair[0] < day);
            late = late.max(pair[1] - pair[0] - day);
        }
    }
    drill.figure("timeouts", timeouts);
    drill.figure("early", early);
    drill.figure("latest, in seconds of the machine", late.as_seconds_f64() / f64::from(rate));
    assert_eq!(early, 0);
    // Each match waits for somebody every day; kills and a busy machine cost some of the days.
    assert!(timeouts > u64::from(matches * DAYS / 3), "{timeouts}");
}
