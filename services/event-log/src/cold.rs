//! Content that was moved out of the log: who gives it back.

use futures::future::BoxFuture;
use positions::{Recorded, StreamId};

use crate::{ColdError, Error};

/// Gives entries back what they say whose content was moved away from the log.
pub trait Restore: Send + Sync {
    /// Restores these entries, all of which are empty. Entries whose content was removed for good
    /// stay empty, and so do those whose content is damaged or gone: their streams are returned,
    /// each with its error.
    fn restore<'r>(
        &'r self,
        rows: Vec<(StreamId, &'r mut Recorded)>,
    ) -> BoxFuture<'r, Result<Vec<(StreamId, ColdError)>, Error>>;
}
