//! Sends and receives hints over every configured way.

use std::future::pending;

use database::Database;
use uuid::Uuid;

use super::changed::ChangedBuckets;
use super::hint::Of;
use super::nats::Nats;
use super::notify;
use super::ways::Options;
use crate::terms::Terms;

/// The ways of one process.
pub(crate) struct Hints {
    process: Uuid,
    notify: bool,
    nats: Option<Nats>,
}

impl Hints {
    pub(crate) fn new(options: Options, process: Uuid) -> Self {
        Self { process, notify: options.notify, nats: options.nats.map(Nats::new) }
    }

    pub(crate) fn has_way(&self) -> bool {
        self.notify || self.nats.is_some()
    }

    /// Tells other processes of the buckets that this one has written to. Does not return.
    pub(crate) async fn send(&self, database: &Database, terms: &Terms, written: &ChangedBuckets) {
        let of = Of { database, terms, process: self.process };
        let (for_notify, for_nats) = (ChangedBuckets::default(), ChangedBuckets::default());
        let sharing = async {
            loop {
                let buckets = written.take().await;
                for_notify.add(buckets);
                for_nats.add(buckets);
            }
        };
        let by_notify = async {
            if self.notify {
                notify::send(of, &for_notify).await;
            }
        };
        let by_nats = async {
            if let Some(nats) = &self.nats {
                nats.send(of, &for_nats).await;
            }
        };
        tokio::join!(sharing, by_notify, by_nats);
    }

    /// Collects the hints of other processes. When some may have been missed, all buckets count as
    /// changed. Does not return.
    pub(crate) async fn receive(
        &self,
        database: &Database,
        terms: &Terms,
        received: &ChangedBuckets,
    ) {
        let of = Of { database, terms, process: self.process };
        let by_notify = async {
            if self.notify {
                notify::receive(of, received).await;
            }
        };
        let by_nats = async {
            if let Some(nats) = &self.nats {
                nats.receive(of, received).await;
            }
        };
        tokio::join!(by_notify, by_nats, pending::<()>());
    }
}
