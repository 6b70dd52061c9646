//! [`Matches`], the state that every use case shares.

use std::sync::Arc;

use accounts::Accounts;
use database::{Clock, Database};
use deliveries::Deliveries;
use positions::Term;
use store::Store;
use time::OffsetDateTime;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::access::{Budgets, Caller, Lane, OpenStream, StreamKind};
use crate::attendance::Attendance;
use crate::error::Error;
use crate::live::{BotQueue, LiveMatches, Pages, Sink};
use crate::operators::{Operator, Who};
use crate::presence::Presence;
use crate::sent::ClosedStreams;

/// Every use case of the service, over one database. Cheap to clone.
#[derive(Clone)]
pub struct Matches(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub store: Store,
    pub accounts: Accounts,
    pub deliveries: Deliveries,
    pub writer: event_log::append::Handle,
    pub follower: event_log::follow::Handle,
    pub projector: projector::Reader,
    pub live: LiveMatches,
    pub bots: Arc<BotQueue>,
    pub budgets: Budgets,
    pub presence: Presence,
    pub attendance: Arc<Attendance>,
    pub closed_streams: ClosedStreams,
    /// Modules are tried one at a time.
    pub installing: Arc<Semaphore>,
    /// Cancelled when the service stops; streams then end with [`Error::ShuttingDown`].
    pub drain: CancellationToken,
}

impl Matches {
    /// `follower` must deliver the entries of other processes to `sink`. The tasks
    /// [`follow_erasures`](Matches::follow_erasures) and [`upkeep`](Matches::upkeep) must run as
    /// long as the process serves.
    pub fn new(
        store: Store,
        accounts: Accounts,
        writer: event_log::append::Handle,
        follower: event_log::follow::Handle,
        projector: projector::Reader,
        sink: Sink,
        drain: CancellationToken,
    ) -> Matches {
        let budgets = Budgets::new(store.database().readers_max());
        let Sink { cache, bots } = sink;
        let live = LiveMatches { cache, pages: Pages::new(&store, &budgets) };
        let deliveries = Deliveries::new(store.database());
        Matches(Arc::new(Inner {
            store,
            accounts,
            deliveries,
            writer,
            follower,
            projector,
            live,
            bots,
            budgets,
            presence: Presence::default(),
            attendance: Arc::default(),
            closed_streams: ClosedStreams::default(),
            installing: Arc::new(Semaphore::new(1)),
            drain,
        }))
    }

    pub fn store(&self) -> &Store {
        &self.0.store
    }

    pub fn accounts(&self) -> &Accounts {
        &self.0.accounts
    }

    pub fn database(&self) -> &Database {
        self.0.store.database()
    }

    /// The current term of the installation.
    pub fn term(&self) -> Term {
        self.0.store.log().term()
    }

    /// A client presents what this installation told it in a term.
    pub fn met_term(&self, term: Term) {
        self.0.store.log().met_term(term);
    }

    /// The time that all processes share.
    pub(crate) fn clock(&self) -> &Clock {
        self.database().clock()
    }

    /// The current time. Times that decide who loses are those of `Matches::deciding_time`.
    pub fn now(&self) -> OffsetDateTime {
        self.clock().now()
    }

    /// A platform as an operator.
    pub(crate) fn operator<'a>(&self, caller: &'a Caller) -> Operator<'a> {
        let key_id = caller.right.as_ref().and_then(|it| it.right.key_id.as_deref());
        Operator::new(self.database(), Who::Platform { platform: &caller.platform, key_id })
    }

    pub fn budgets(&self) -> &Budgets {
        &self.0.budgets
    }

    /// See [`Budgets::open_stream`].
    pub(crate) fn open_stream(
        &self,
        caller: &Caller,
        kind: StreamKind,
    ) -> Result<OpenStream, Error> {
        self.0.budgets.open_stream(caller, kind)
    }

    // Not `async`, because an async wrapper would hold the query's future twice.

    /// See [`Budgets::in_lane`].
    pub(crate) fn in_lane<T, E: Into<Error>>(
        &self,
        lane: Lane,
        platform: &str,
        query: impl Future<Output = Result<T, E>>,
    ) -> impl Future<Output = Result<T, Error>> {
        self.0.budgets.in_lane(lane, platform, query)
    }

    /// See [`Budgets::in_lane_patiently`].
    pub(crate) fn in_lane_of_streams<T, E: Into<Error>>(
        &self,
        platform: &str,
        query: impl Future<Output = Result<T, E>>,
    ) -> impl Future<Output = Result<T, Error>> {
        self.0.budgets.in_lane_patiently(Lane::Streams, platform, query)
    }

    /// See [`Budgets::work`]. A stream waits without a timeout.
    pub async fn work<T: Send + 'static>(
        &self,
        caller: &Caller,
        is_stream: bool,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        match is_stream {
            true => self.0.budgets.work_patiently(&caller.platform, work).await,
            false => self.0.budgets.work(caller, work).await,
        }
    }

    /// Does the work of a picture, where it delays no other work of a call.
    pub async fn draw<T: Send + 'static>(
        &self,
        caller: &Caller,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.0.budgets.draw(caller, work).await
    }
}
