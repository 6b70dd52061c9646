//! Faults of a database of several nodes.

use super::prometheus::{PATIENTLY, Prometheus};
use super::{Alarms, Expected};
use crate::drills::citus::Cluster;
use crate::harness::*;

/// A worker is killed.
pub async fn node(alarms: &mut Alarms) {
    let alerts = &["CroupierDatabaseNodeDown"];
    let mut cluster = match Cluster::open_with(3).await {
        Ok(cluster) => cluster,
        Err(why) => return alarms.skip(alerts, why.leak()),
    };
    let folder = new_folder();
    let mut prometheus = Prometheus::start(folder.path(), PATIENTLY).await;
    prometheus.scrape("a", &mut cluster.processes[0]).await;
    let expected = Expected::now(&prometheus, alerts);
    cluster.citus.nodes[2].lose();
    alarms.fire(&prometheus, expected).await;
    assert!(!prometheus.is_firing("CroupierDatabaseDown"), "the other nodes answer");
    cluster.close().await;
}
