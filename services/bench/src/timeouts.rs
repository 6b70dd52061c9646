//! How soon after their deadlines the timeouts of many matches are recorded.

use std::time::{Duration, Instant};

use contract::names::match_id;
use contract::v1::{CreateMatchRequest, TimeControl};
use futures::{StreamExt, TryStreamExt, stream};
use positions::Position;
use rows::MatchId;
use serde::Serialize;
use store::Store;

use crate::report::{CREATING, Error, Percentiles, Report, histogram, per_second, progress};
use crate::service::Service;
use crate::usage::Program;

/// Create matches with clocks in which nobody acts, and measure how soon each ends by a timeout
///
/// Prints a JSON object. The command fails if a timeout is early, missing, or recorded twice.
#[derive(clap::Args)]
pub struct Args {
    /// The number of matches
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    matches: u64,
    /// The time for each decision, in seconds: longer than creating all matches takes, so that all
    /// clocks run at once
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3600))]
    per_decision_s: u32,
}

#[derive(Serialize)]
struct Outcome {
    matches: u64,
    created_per_second: u64,
    /// From the deadline to the time of the timeout's entry.
    late_ms: Percentiles,
    early: u64,
    /// The CPU usage of the service while all clocks ran and no deadline passed, in thousandths of
    /// a processor; null if it does not run on this machine.
    idle_millicores: Option<u64>,
}

/// The number of matches created or checked concurrently.
const AT_ONCE: usize = 64;

/// How long after the last deadline all matches must have ended.
const LATE_MAX: Duration = Duration::from_secs(60);

pub async fn run(args: &Args, service: &Service, store: &Store) -> Result<Report, Error> {
    let client = service.connect().await?;
    let bar = progress(CREATING, args.matches);
    let began = Instant::now();
    let creating = stream::iter(0..args.matches).map(|_| async {
        let created = client.matches().create(request(args.per_decision_s)).await?;
        bar.inc(1);
        Ok::<_, Error>(created.name)
    });
    let names: Vec<String> = creating.buffer_unordered(AT_ONCE).try_collect().await?;
    bar.finish_and_clear();
    let creating = began.elapsed();
    let last_deadline = Instant::now() + Duration::from_secs(args.per_decision_s.into());
    let idle_millicores = idle(service, last_deadline - creating).await;
    let waiting = progress("{pos} of {len} matches have ended {wide_bar}", args.matches);
    tokio::time::sleep_until(last_deadline.into()).await;
    let (mut late_us, mut early) = (histogram(), 0);
    for name in &names {
        let late = late_of(store, name, args.per_decision_s, last_deadline + LATE_MAX).await?;
        waiting.inc(1);
        match u64::try_from(late.whole_microseconds()) {
            Ok(us) => late_us.saturating_record(us),
            Err(_) => early += 1,
        }
    }
    waiting.finish_and_clear();
    let outcome = Outcome {
        matches: args.matches,
        created_per_second: per_second(args.matches, creating),
        late_ms: Percentiles::of_us(&late_us),
        early,
        idle_millicores,
    };
    let fault = (early > 0).then_some("a timeout came before its deadline");
    Ok(Report { fault, ..Report::json(&outcome) })
}

fn request(per_decision_s: u32) -> CreateMatchRequest {
    let per_decision = Some(contract::seconds(per_decision_s));
    let time_control =
        Some(TimeControl { per_decision, resign_after: 1, ..TimeControl::default() });
    CreateMatchRequest {
        game: "games/mountebank".to_owned(),
        seats: 2,
        players: vec!["ann".to_owned(), "bob".to_owned()],
        time_control,
        ..CreateMatchRequest::default()
    }
}

/// The CPU usage of the service until the first deadline, in thousandths of a processor.
async fn idle(service: &Service, first_deadline: Instant) -> Option<u64> {
    let program = Program::of(service)?;
    let (before, began) = (program.cpu(), Instant::now());
    tokio::time::sleep_until(first_deadline.into()).await;
    let elapsed = began.elapsed();
    let used = program.cpu().saturating_sub(before);
    (elapsed > Duration::from_secs(1))
        .then(|| (used.as_secs_f64() / elapsed.as_secs_f64() * 1000.0) as u64)
}

/// How long after its deadline a match ended.
async fn late_of(
    store: &Store,
    name: &str,
    per_decision_s: u32,
    until: Instant,
) -> Result<time::Duration, Error> {
    let id = match_id(name).expect("the service names it so");
    loop {
        let entries = store.log().entries(MatchId(id), Position::START, 4).await?;
        if let [opening, timeout] = &entries[..] {
            let per_decision = Duration::from_secs(per_decision_s.into());
            return Ok(timeout.create_time - opening.create_time - per_decision);
        }
        if entries.len() > 2 || Instant::now() > until {
            let count = entries.len().saturating_sub(1);
            return Err(Error::Timeouts { name: name.to_owned(), count });
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
