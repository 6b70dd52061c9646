//! Faults of a whole database.

use contract::v1::*;

use super::prometheus::{PATIENTLY, Prometheus};
use super::{Alarms, Expected};
use crate::drills::crowd::Crowd;
use crate::drills::database::Pair;
use crate::drills::failover::PLAYERS;
use crate::harness::*;

/// How many acknowledged entries the standby lacks.
const LOST: i64 = 40;

/// An asynchronous failover, after which the old primary takes writes again.
pub async fn failover(alarms: &mut Alarms) {
    let folder = new_folder();
    let mut pair = Pair::open(folder.path()).await;
    let mut service = Service::start(&folder.path().join("a"), Some(&pair.url)).await;
    let mut prometheus = Prometheus::start(folder.path(), PATIENTLY).await;
    prometheus.scrape("a", &mut service).await;
    let client = service.client(Protocol::Grpc);
    let early = create(&client, &new_match(2)).await.name;
    let crowd = Crowd::gather(&client, PLAYERS / 2).await;
    crowd.play_on(50).await;
    pair.fall_behind(LOST).await;

    let expected = Expected::now(&prometheus, &["CroupierDatabaseDown", "CroupierTimeUnknown"]);
    pair.lose_primary();
    alarms.fire(&prometheus, expected).await;
    let alerts = &["CroupierRecordWentBack", "CroupierEntriesLost", "CroupierTermBegan"];
    let expected = Expected::now(&prometheus, alerts);
    pair.promote(folder.path()).await;
    alarms.fire(&prometheus, expected).await;
    drop(crowd);

    let old = start_postgres(&folder.path().join("one")).await;
    let mut unfenced = Service::start(&folder.path().join("b"), Some(&old.url())).await;
    prometheus.scrape("b", &mut unfenced).await;
    let token = token(&client, &early, Some(0)).await;
    let misled = unfenced.client(Protocol::Grpc).holding(token);
    let expected = Expected::now(&prometheus, &["CroupierLaterTermMet"]);
    let get = GetMatchRequest { name: early, ..GetMatchRequest::default() };
    misled.ask(&get).await.expect("the match is on both");
    alarms.fire(&prometheus, expected).await;
}
