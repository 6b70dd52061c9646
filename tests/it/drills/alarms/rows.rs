//! Faults in parts of a record: of single matches, of the archive and of a read model.

use std::fs;
use std::time::Duration;

use contract::v1::*;
use tonic::Code;

use super::prometheus::{EVERY, Prometheus};
use super::{Alarms, Expected};
use crate::alterations::alter;
use crate::archiving::{aged, archive, ended, object};
use crate::drills::clocks::matches;
use crate::harness::*;
use crate::projections::rename;
use crate::unreadable::{empty_projections, poison};

/// The time for a decision in the match that is altered.
const DECISION: Duration = Duration::from_secs(5);

pub async fn altered(alarms: &mut Alarms) {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let archived = ended(&client, 1).await.remove(0);
    aged().await;
    archive(&installation, &[]).await;
    let mut prometheus = Prometheus::start(installation.folder.path(), EVERY).await;
    prometheus.scrape("a", &mut installation.service).await;
    let mut newer = Playing::new(&client, 2, 1).await;
    newer.steps(4).await;
    let timed = matches(&client, 1, DECISION).await.remove(0);

    let alerts = &["CroupierMatchesUnreadable", "CroupierAgentsLate"];
    let unread = Expected::now(&prometheus, alerts);
    installation.service.kill().await;
    let mut database = installation.database().await;
    alter(&installation, &timed, "update seeds set seed = sha256(seed) where match_id = $1").await;
    poison(&mut database, &newer.name).await;
    empty_projections(&mut database).await;
    installation.service.start_again().await;
    prometheus.scrape("a", &mut installation.service).await;

    let altered = Expected::now(&prometheus, &["CroupierRecordAltered"]);
    let list = ListEntriesRequest { parent: timed, ..<_>::default() };
    let refused = client.ask(&list).await.expect_err("it was altered");
    refused.check(Code::DataLoss, "RECORD_ALTERED");

    let damaged = Expected::now(&prometheus, &["CroupierArchiveFails"]);
    fs::remove_file(object(&installation, &archived).await).expect("it is removed");
    let list = ListEntriesRequest { parent: archived, ..<_>::default() };
    let refused = client.ask(&list).await.expect_err("it is gone");
    refused.check(Code::DataLoss, "ARCHIVE_DAMAGED");

    let failing = &["CroupierInternalErrors", "CroupierProjectionBehind"];
    let failing = Expected::now(&prometheus, failing);
    rename(&mut database, "holdings", "holdings_of_yesterday").await;
    let playing = Playing::new(&client, 2, 2).await;
    let list = ListHoldingsRequest { parent: playing.name, ..<_>::default() };
    client.ask(&list).await.expect_err("its table is gone").check(Code::Internal, "INTERNAL");

    for expected in [altered, damaged, unread, failing] {
        alarms.fire(&prometheus, expected).await;
    }
}
