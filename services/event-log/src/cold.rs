//! Content that was moved out of the log, and how it is restored.

use futures::future::BoxFuture;
use positions::{Recorded, StreamId};

use crate::{ColdError, Error};

/// Restores the content of entries that was moved out of the log.
pub trait Restore: Send + Sync {
    /// Restores these entries, all of which are empty. Entries whose content was removed for good
    /// stay empty. So do entries whose content is damaged or missing: their streams are returned,
    /// each with its error.
    fn restore<'r>(
        &'r self,
        rows: Vec<(StreamId, &'r mut Recorded)>,
    ) -> BoxFuture<'r, Result<Vec<(StreamId, ColdError)>, Error>>;
}
