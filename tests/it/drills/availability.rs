//! Three machines under Patroni: the leader hands over, dies with everything on it, and comes back,
//! while matches are played on all three.

use std::time::{Duration, Instant};

use super::Drill;
use super::crowd::{Account, Crowd, record};
use super::failover::note;
use super::machines::Machines;
use crate::files::done;
use crate::harness::*;
use crate::metering::{figure, scrape};

/// Players at the same time, a third of them on each machine.
const PLAYERS: u64 = 6;

/// Actions between what happens.
const ACTIONS: usize = 150;

/// For how long no action may be accepted, whatever happens to one machine.
const GAP_MAX: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: make drills"]
async fn high_availability() {
    let mut drill = Drill::begin("high availability");
    let folder = new_folder();
    let mut machines = Machines::start(folder.path()).await;
    machines.serve().await;
    let clients: Vec<Client> = (machines.all.iter())
        .map(|it| it.service.as_ref().expect("it serves").client(Protocol::Grpc))
        .collect();
    let crowd = Crowd::gather_on(&clients, PLAYERS).await;
    crowd.play_on(ACTIONS).await;

    let (first, began) = (machines.until_roles().await, Instant::now());
    machines.switch_over(first).await;
    crowd.play_on(ACTIONS).await;
    let second = machines.until_roles().await;
    assert_ne!(first, second, "another machine leads");
    check_gap(&mut drill, "switchover_gap_ms", &crowd, began);

    let began = Instant::now();
    machines.lose(second).await;
    crowd.play_on(ACTIONS).await;
    check_gap(&mut drill, "machine_lost_gap_ms", &crowd, began);

    let began = Instant::now();
    machines.bring_back(second).await;
    let third = machines.until_roles().await;
    assert_ne!(second, third, "what returns follows");
    drill.figure("machine_returned_ms", began.elapsed().as_millis() as u64);
    crowd.play_on(ACTIONS).await;
    check_gap(&mut drill, "return_gap_ms", &crowd, began);

    let mut database = machines.database(third).await;
    let account = crowd.account(&mut database, &machines.url, folder.path()).await;
    note(&mut drill, &account);
    drill.figure("failed_calls", account.refusals.values().sum::<usize>());
    let unknown = account.refusals.get("OUTCOME_UNKNOWN").copied().unwrap_or_default();
    drill.figure("outcome_unknown", unknown);
    check_account(&account);
    done(&["verify", "--all", "--database-url", &machines.url]).await;

    let written = record(&mut database).await;
    for number in 0..machines.all.len() {
        let mut database = machines.database(number).await;
        until("each machine has the same record", async || {
            (record(&mut database).await == written).then_some(())
        })
        .await;
        let service = machines.all[number].service.as_mut().expect("it serves");
        let page = scrape(&service.metrics().await).await;
        assert_eq!(figure(&page, "croupier_record_went_back_total", &[]), Some(0.0));
    }
}

/// Notes for how long no action was accepted.
fn check_gap(drill: &mut Drill, name: &str, crowd: &Crowd, since: Instant) {
    let gap = crowd.longest_gap(since);
    drill.figure(name, gap.as_millis() as u64);
    assert!(gap < GAP_MAX, "{name}: {gap:?}");
}

/// Nothing is lost, nobody was told of anything that is, and calls failed only as they may.
fn check_account(account: &Account) {
    let Account { lost, streams_went_back, consumers_went_back, watches_went_back, .. } = account;
    let told = streams_went_back + consumers_went_back + watches_went_back;
    assert_eq!((*lost, told), (0, 0), "{account:?}");
    let allowed = ["DATABASE_UNAVAILABLE", "OUTCOME_UNKNOWN", "no answer"];
    assert!(account.refusals.keys().all(|it| allowed.contains(&it.as_str())), "{account:?}");
}
