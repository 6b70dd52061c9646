//! What monitors and load balancers are told.

use std::sync::Arc;

use api::health::Readiness;
use database::SeenNodes;
use database::probe::Condition;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::vital::Vital;

/// What a process tells from its beginning to its end.
pub struct Telling(watch::Sender<Readiness>);

impl Telling {
    /// A process that is starting.
    pub fn start() -> Telling {
        Telling(watch::Sender::new(Readiness::NotReady("it is starting")))
    }

    pub fn receiver(&self) -> watch::Receiver<Readiness> {
        self.0.subscribe()
    }

    /// From now on tells what the database can do, and which of its nodes do not answer, until the
    /// process leaves or drains.
    pub fn follow(
        self,
        mut condition: watch::Receiver<Condition>,
        mut nodes: watch::Receiver<SeenNodes>,
        leaving: CancellationToken,
        drain: CancellationToken,
        vital: &Vital,
    ) {
        let told = self.0;
        told.send_replace(of(*condition.borrow_and_update(), &nodes.borrow_and_update()));
        let drained = drain.clone();
        let following = async move {
            loop {
                tokio::select! {
                    () = leaving.cancelled() => break,
                    () = drained.cancelled() => break,
                    changed = condition.changed() => if changed.is_err() { break },
                    changed = nodes.changed() => if changed.is_err() { break },
                }
                told.send_replace(of(*condition.borrow_and_update(), &nodes.borrow_and_update()));
            }
            told.send_replace(Readiness::NotReady("it is leaving"));
            // Readers keep the last value only while this side lives.
            told.closed().await;
        };
        vital.spawn("readiness", &drain, following);
    }
}

fn of(condition: Condition, nodes: &SeenNodes) -> Readiness {
    match condition {
        Condition::Works => {
            let away = nodes.iter().filter(|it| !it.answers).map(|it| it.name.clone());
            let away: Arc<[String]> = away.collect();
            if away.is_empty() { Readiness::Ready } else { Readiness::Partly(away) }
        }
        Condition::Full => Readiness::ReadsOnly("the database's disk is full"),
        Condition::Away => {
            Readiness::NotReady("the database does not answer, or accepts no writes")
        }
    }
}
