//! What the service does by itself, in one pattern: an agent asks what is due, any number of
//! processes try it, and keys in the database decide who did it.
//!
//! [`Agent`] is one kind of work, and [`run`] does it until the service stops. [`Timeouts`] is one.
//! Nothing is locked or leased: a process that is killed leaves what it had not done due, and two
//! processes that try the same at once do it once.

mod bots;
mod run;
mod seatings;
mod timeouts;

use std::fmt::Debug;
use std::hash::Hash;
use std::time::Duration;

use time::OffsetDateTime;

pub use bots::Bots;
pub use run::{ATTEMPTS, DUE, LATE, run};
pub use seatings::Seatings;
pub use timeouts::Timeouts;

/// Why something could not be done now.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Something the service does by itself.
pub trait Agent: Send + Sync + 'static {
    /// Identifies what is due, such as a match.
    type Key: Clone + Debug + Eq + Hash + Send + Sync + 'static;
    /// Of the metrics, in kebab-case.
    const NAME: &'static str;
    /// How often it asks what is due.
    const INTERVAL: Duration = Duration::from_millis(250);
    /// How much it attempts at once.
    const ATTEMPTS_MAX: usize = 32;

    /// At most so much of what is due now, longest due first, except that no platform waits for
    /// all of another's. What is in `except` failed lately, and is left out.
    fn due(
        &self,
        most: usize,
        except: &[Self::Key],
    ) -> impl Future<Output = Result<Vec<Due<Self::Key>>, Error>> + Send;

    /// Returns when something may be due before the interval is over.
    fn woken(&self) -> impl Future<Output = ()> + Send {
        std::future::pending()
    }

    /// Tries it once. After an error it is tried again later.
    fn attempt(&self, key: Self::Key) -> impl Future<Output = Result<Outcome, Error>> + Send;
}

/// Something to do, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due<K> {
    pub key: K,
    pub since: OffsetDateTime,
}

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done, by this attempt.
    Won,
    /// It was not due any more: somebody else was first.
    Lost,
}
