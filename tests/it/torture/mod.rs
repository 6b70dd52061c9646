//! Torture: many matches are played while faults are injected, and afterwards every promise is
//! checked against what each client received. A [`plan`] follows from a seed. It runs on a
//! [`site`], in [`round`]s: [`clients`] play at a [`table`], a [`platform`] writes everything else
//! and gives up calls of every rpc, [`faults`] strike, a [`rush`] overloads a process, and in the
//! [`surroundings`] entries are sent and archived. When everything is quiet the [`audit`] compares
//! the record, the service and the clients' observations, whose [`history`] must be linearizable.
//! The [`tally`] counts. The tests of [`alone`] inject with certainty what a campaign may miss.

mod alone;
mod audit;
mod clients;
mod faults;
mod history;
mod plan;
mod platform;
mod round;
mod rush;
pub mod site;
mod surroundings;
mod table;
mod tally;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use plan::{Fault, Plan};
use round::Round;
use site::Site;
use tally::Tally;

#[tokio::test]
async fn nothing_is_lost_duplicated_or_changed_under_faults() {
    campaign(Plan::short(50)).await;
}

/// The long form, run by `make torture` with the options `SEED`, `SECONDS`, `OPERATIONS` and
/// `FAULTS`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: make torture"]
async fn the_requested_campaign() {
    campaign(Plan::asked_for()).await;
}

/// Plays rounds until the time is up; fails if anything was wrong.
async fn campaign(plan: Plan) {
    let tally = Arc::new(Tally::new());
    let _repeat = Repeat(plan.clone());
    eprintln!("{}", plan.command());
    let (site, mut services) = Site::open(&plan).await;
    for (fault, disk) in [(Fault::FillDisk, &site.tables), (Fault::FillWal, &site.cluster)] {
        if plan.has(fault) && disk.is_none() {
            let name = fault.name();
            eprintln!("skipped: {name}, because only root can put the database on a small disk");
        }
    }
    let progress = tokio::spawn(print_progress(tally.clone()));
    for number in 0..plan.rounds {
        let left = plan.time.saturating_sub(tally.elapsed());
        if left.is_zero() || tally.operations() >= plan.operations {
            break;
        }
        let (site, tally) = (site.clone(), tally.clone());
        let [calm, quiet, hurry, end] = [(); 4].map(|()| CancellationToken::new());
        let round = Round { plan: plan.clone(), number, site, tally, calm, quiet, hurry, end };
        services = Arc::new(round).play(services, left.min(plan.round)).await;
    }
    progress.abort();
    report(&plan, &tally);
    assert!(tally.findings.lock().expect("nobody panics holding it").is_empty(), "see above");
}

async fn print_progress(tally: Arc<Tally>) {
    loop {
        sleep(Duration::from_secs(5)).await;
        eprintln!("{}", tally.progress());
    }
}

/// Prints the report for people, and writes it to a file for programs.
fn report(plan: &Plan, tally: &Tally) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("torture-{}.json", plan.seed));
    fs::write(&path, format!("{}\n", tally.json(plan))).expect("the report is written");
    eprintln!("{}{}", tally.report(plan), path.display());
}

/// Prints how to repeat a failed campaign.
struct Repeat(Plan);

impl Drop for Repeat {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("repeat with: {}", self.0.command());
        }
    }
}
