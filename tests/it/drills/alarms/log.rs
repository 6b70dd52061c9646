//! Faults of a transparency log: one that stands still, and one whose witness is away.

use super::prometheus::{EVERY, Prometheus};
use super::{Alarms, Expected};
use crate::harness::*;
use crate::transparency::{ALTER, begin, grown, operate, set, witness};

pub async fn withheld(alarms: &mut Alarms) {
    let (mut one, mut two) = (Installation::open().await, Installation::open().await);
    let mut of_one = Prometheus::start(one.folder.path(), EVERY).await;
    let mut of_two = Prometheus::start(two.folder.path(), EVERY).await;
    begin(&one).await;
    begin(&two).await;
    of_one.scrape("a", &mut one.service).await;
    of_two.scrape("a", &mut two.service).await;
    let (mine, theirs) = (one.client(Protocol::Grpc), two.client(Protocol::Grpc));
    create(&mine, &new_match(2)).await;
    grown(&one.client(Protocol::Rest), 1).await;
    let (mut child, url, key) = witness(&two).await;
    operate(&two, &["add-witness", &url, &key]).await;
    operate(&two, &["require", "1"]).await;
    create(&theirs, &new_match(2)).await;
    grown(&two.client(Protocol::Rest), 1).await;

    let alerts = &["CroupierLogBehind", "CroupierLogStands"];
    let stands = Expected::now(&of_one, alerts);
    set(&mut one.database().await, ALTER).await;
    create(&mine, &new_match(2)).await;
    let alerts = &["CroupierLogWithheld", "CroupierWitnessAway"];
    let away = Expected::now(&of_two, alerts);
    child.kill().await.expect("it is killed");
    create(&theirs, &new_match(2)).await;
    alarms.fire(&of_one, stands).await;
    alarms.fire(&of_two, away).await;
}
