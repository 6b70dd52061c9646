//! The pattern of an agent: how it finds work, and the outcomes of an attempt.

use std::fmt::Debug;
use std::hash::Hash;
use std::time::Duration;

use time::OffsetDateTime;

/// Why an agent could not read or do its due work. The agent retries.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// A kind of work that the service does by itself.
pub trait Agent: Send + Sync + 'static {
    /// Identifies a piece of work, such as the match that it is about.
    type Key: Clone + Debug + Eq + Hash + Send + Sync + 'static;
    /// The label `agent` of the metrics, in kebab-case.
    const NAME: &'static str;
    /// How often the agent looks for due work.
    const INTERVAL: Duration = Duration::from_millis(250);
    /// How many attempts run at once.
    const ATTEMPTS_MAX: usize = 32;

    /// Up to `most` pieces of due work, longest due first; platforms take turns, so that none waits
    /// for all the work of another. Work in `except` failed recently and is left out.
    fn due(
        &self,
        most: usize,
        except: &[Self::Key],
    ) -> impl Future<Output = Result<Vec<Due<Self::Key>>, Error>> + Send;

    /// Returns when work may be due before the interval has passed.
    fn woken(&self) -> impl Future<Output = ()> + Send {
        std::future::pending()
    }

    /// Attempts a piece of work once. After an error it is attempted again later.
    fn attempt(&self, key: Self::Key) -> impl Future<Output = Result<Outcome, Error>> + Send;
}

/// A piece of work, and since when it has been due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due<K> {
    pub key: K,
    pub since: OffsetDateTime,
}

/// The outcome of an attempt that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This attempt did the work.
    Won,
    /// The work was no longer due: another process did it first.
    Lost,
}
