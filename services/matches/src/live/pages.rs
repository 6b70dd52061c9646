//! Reading the record page by page, in turns.
//!
//! A few entries are read together with those of other callers, and decoded at once. Many are read
//! in a lane of their own, and decoded by the workers.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

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
    alterations: Arc<Alterations>,
}

/// Matches whose record was found altered, so that the operator is told of each once.
#[derive(Default)]
struct Alterations(Mutex<HashSet<MatchId>>);

/// Altered matches that are remembered; when there are more, they are forgotten.
const ALTERED_MAX: usize = 1000;

impl Pages {
    pub fn new(store: &Store, budgets: &Budgets) -> Pages {
        Pages {
            store: store.clone(),
            budgets: budgets.clone(),
            is_patient: false,
            alterations: Arc::default(),
        }
    }

    /// The reader of a stream.
    pub fn patient(&self) -> Pages {
        Pages { is_patient: true, ..self.clone() }
    }

    /// Tells the operator if a match cannot be read because its record was altered: once for each
    /// match, although every caller is refused.
    pub fn tell_if_altered(&self, match_id: MatchId, error: &Error) {
        let Error::RecordAltered { position } = error else { return };
        if self.alterations.is_new(match_id) {
            tracing::error!(
                match.id = %match_id.0,
                position = position.0,
                "the record of a match was altered: its calls are refused, and `croupier verify \
                 --all` lists what is wrong"
            );
        }
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

impl Alterations {
    fn is_new(&self, match_id: MatchId) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= ALTERED_MAX {
            known.clear();
        }
        known.insert(match_id)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn an_altered_match_is_new_once() {
        let alterations = Alterations::default();
        let match_id = |number: usize| MatchId(Uuid::from_u128(number as u128));
        assert!(alterations.is_new(match_id(0)));
        assert!(!alterations.is_new(match_id(0)));
        for number in 1..=ALTERED_MAX {
            assert!(alterations.is_new(match_id(number)));
        }
        assert!(alterations.0.lock().expect("no panic").len() <= ALTERED_MAX);
    }
}
