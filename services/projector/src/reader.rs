//! The reader of the read models. Each model adds its queries to it.

use database::Database;
use store::Store;

use crate::error::Error;
use crate::handle::Handle;
use crate::token::ConsistencyToken;
use crate::waiting::{Awaitable, WaitingList};

/// Reads the read models. Cheap to clone.
#[derive(Clone)]
pub struct Reader {
    pub(crate) store: Store,
    waiting: WaitingList,
}

impl Reader {
    /// `handle` belongs to the projector of this process; a process without one passes a default
    /// handle.
    pub fn new(store: &Store, handle: Handle) -> Reader {
        Reader { store: store.clone(), waiting: WaitingList::new(store, handle) }
    }

    pub fn database(&self) -> &Database {
        self.store.database()
    }

    /// Waits until a model includes a consistency token. Returns false if it does not in time.
    pub(crate) async fn reaches(
        &self,
        platform: &str,
        model: Awaitable,
        token: &ConsistencyToken,
    ) -> Result<bool, Error> {
        self.waiting.reaches(platform, model, token).await
    }
}
