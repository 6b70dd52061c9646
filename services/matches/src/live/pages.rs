//! Reading the record page by page, in turns.
//!
//! A few entries are read together with those of other callers, and decoded at once. Many are read
//! in a lane of their own, and decoded by the workers.

use positions::{Position, Recorded};
use rows::MatchId;
use store::Store;

use crate::access::{Budgets, Lane};
use crate::error::Error;

/// Entries read from the log at a time: about 100 KB of the largest game.
pub(crate) const PAGE_MAX: usize = 500;

/// Entries that are read together with those of others, and decoded at once: about a tenth of a
/// millisecond.
pub(crate) const FEW: usize = 64;

/// A reader of pages. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Pages {
    pub store: Store,
    pub budgets: Budgets,
    /// Whether it waits without a timeout, because a stream reads.
    is_patient: bool,
}

impl Pages {
    pub fn new(store: &Store, budgets: &Budgets) -> Pages {
        Pages { store: store.clone(), budgets: budgets.clone(), is_patient: false }
    }

    /// The reader of a stream.
    pub fn patient(&self) -> Pages {
        Pages { is_patient: true, ..self.clone() }
    }

    /// A match's entries after a position, in order, at most `limit`.
    pub async fn rows(
        &self,
        platform: &str,
        match_id: MatchId,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Recorded>, Error> {
        let (log, most) = (self.store.log(), limit as i64);
        if limit <= FEW {
            return Ok(log.entries(match_id, after, most).await?);
        }
        let reading = log.many_entries(match_id, after, most);
        match self.is_patient {
            true => self.budgets.in_lane_patiently(Lane::History, platform, reading).await,
            false => self.budgets.in_lane(Lane::History, platform, reading).await,
        }
    }

    /// Does work with this many entries, for a platform.
    pub async fn work<T: Send + 'static>(
        &self,
        platform: &str,
        count: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        match count {
            ..=FEW => Ok(work()),
            _ => self.budgets.work_patiently(platform, work).await,
        }
    }
}
