//! A primary that is lost while matches are played: what its standby lacks is noticed and told, and
//! what it has is lost by nobody.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::Drill;
use super::crowd::{Account, Crowd, Record, Watched, record};
use super::database::Pair;
use crate::harness::*;
use crate::metering::{figure, scrape};

/// Players at the same time.
pub const PLAYERS: u64 = 8;

/// How many acknowledged entries a standby lacks.
const LOST: i64 = 80;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn asynchronous_failover() {
    let mut drill = Drill::begin("asynchronous failover");
    let folder = new_folder();
    let mut pair = Pair::open(folder.path()).await;
    let mut service = Service::start(&folder.path().join("a"), Some(&pair.url)).await;
    let crowd = Crowd::gather(&service.client(Protocol::Grpc), PLAYERS).await;
    crowd.play_on(300).await;
    pair.fall_behind(LOST).await;
    let mut standby = pair.standby().await;
    let moment = lose(&mut pair, &crowd).await;
    let surviving = record(&mut standby).await;
    drop(standby);
    pair.promote(folder.path()).await;
    let promoted = Instant::now();
    crowd.play_on(300).await;
    check_told(&moment, &crowd.watched(), &surviving);
    let mut database = pair.standby().await;
    let account = crowd.account(&mut database, &pair.url, folder.path()).await;
    note(&mut drill, &account);
    check_lost(&account, LOST as usize / 2, promoted);
    check_noticed(&mut drill, &mut service, &mut database, &surviving).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn synchronous_failover() {
    let mut drill = Drill::begin("synchronous failover");
    let folder = new_folder();
    let mut pair = Pair::open(folder.path()).await;
    pair.make_synchronous().await;
    let mut service = Service::start(&folder.path().join("a"), Some(&pair.url)).await;
    let crowd = Crowd::gather(&service.client(Protocol::Grpc), PLAYERS).await;
    crowd.play_on(300).await;
    lose(&mut pair, &crowd).await;
    pair.promote(folder.path()).await;
    crowd.play_on(300).await;
    let mut database = pair.standby().await;
    let account = crowd.account(&mut database, &pair.url, folder.path()).await;
    note(&mut drill, &account);
    check_nothing_lost(&account, &mut service).await;
}

/// What was lost was acknowledged before, and the stream was told. A consumer whose stream the
/// outage ended calls again without a cursor, and is given what it lacks.
pub fn check_lost(account: &Account, least: usize, before: Instant) {
    assert!(account.lost >= least, "{account:?}");
    assert!(account.lost_until.expect("some are lost") < before, "{account:?}");
    assert!(account.streams_went_back >= 1, "{account:?}");
}

/// The service noticed before it wrote anything.
pub async fn check_noticed(
    drill: &mut Drill,
    service: &mut Service,
    database: &mut PgConnection,
    surviving: &Record,
) {
    let (notice, write) = (noticed(&service.folder), first_write(database, surviving).await);
    drill.figure("noticed_before_first_write_ms", (write - notice).whole_milliseconds() as i64);
    assert!(notice <= write, "noticed at {notice}, and written at {write}");
    let page = scrape(&service.metrics().await).await;
    let lost = figure(&page, "croupier_record_entries_lost_total", &[]);
    drill.figure("entries_lost_as_noticed", lost);
    assert_eq!(figure(&page, "croupier_record_went_back_total", &[]), Some(1.0));
}

/// Nothing is lost, and nothing else was said.
pub async fn check_nothing_lost(account: &Account, service: &mut Service) {
    let Account { lost, streams_went_back, consumers_went_back, watches_went_back, .. } = account;
    let told = streams_went_back + consumers_went_back + watches_went_back;
    assert_eq!((*lost, told), (0, 0), "{account:?}");
    let allowed = ["DATABASE_UNAVAILABLE", "OUTCOME_UNKNOWN"];
    assert!(account.refusals.keys().all(|it| allowed.contains(&it.as_str())), "{account:?}");
    let page = scrape(&service.metrics().await).await;
    let went_back = figure(&page, "croupier_record_went_back_total", &[]);
    assert_eq!(went_back.unwrap_or(0.0), 0.0);
}

/// Loses the primary, and returns what the watchers were told by it.
async fn lose(pair: &mut Pair, crowd: &Crowd) -> BTreeMap<String, Watched> {
    pair.lose_primary();
    // What the service still had to send is sent.
    tokio::time::sleep(Duration::from_millis(500)).await;
    crowd.watched()
}

/// Every watcher that was told more than the record has was told so, with what still holds, and no
/// other was.
pub fn check_told(
    moment: &BTreeMap<String, Watched>,
    now: &BTreeMap<String, Watched>,
    surviving: &Record,
) {
    for (name, watched) in moment.iter().filter(|(_, watched)| !watched.is_over) {
        let holds = surviving.get(name).map_or(0, Vec::len);
        let beyond = watched.entries.len() > holds;
        let expected = if beyond { vec![holds as i32] } else { Vec::new() };
        let had = watched.entries.len();
        assert_eq!(now[name].went_back, expected, "{name}, of which {had} entries were told");
    }
}

pub fn note(drill: &mut Drill, account: &Account) {
    drill.figure("matches", account.matches);
    drill.figure("entries", account.entries);
    drill.figure("acknowledged", account.acknowledged);
    drill.figure("acknowledged_and_lost", account.lost);
    drill.figure("streams_told", account.streams_went_back);
    drill.figure("consumers_told", account.consumers_went_back);
    drill.figure("watches_told", account.watches_went_back);
    drill.figure("refusals", serde_json::json!(account.refusals));
}

/// When the service logged that the record went back.
fn noticed(folder: &Path) -> OffsetDateTime {
    let log = std::fs::read_to_string(folder.join("service.txt")).expect("a log");
    let line = log.lines().find(|line| line.contains("the record went back"));
    let line = line.unwrap_or_else(|| panic!("it was not noticed: {}", log_tail(folder)));
    let time = line.split_whitespace().next().expect("a time");
    OffsetDateTime::parse(time, &Rfc3339).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// When the first entry was recorded that is not among these.
async fn first_write(database: &mut PgConnection, before: &Record) -> OffsetDateTime {
    let query = "select match_id::text, position, create_time from entries order by create_time";
    let rows: Vec<(String, i64, OffsetDateTime)> =
        sqlx::query_as(query).fetch_all(database).await.expect("rows");
    let is_new = |id: &str, position: i64| {
        before.get(&format!("matches/{id}")).map_or(0, Vec::len) < position as usize
    };
    let first = rows.into_iter().find(|(id, position, _)| is_new(id, *position));
    first.expect("it goes on").2
}
