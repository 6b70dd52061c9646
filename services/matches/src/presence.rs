//! What a process knows of its presence: until when it has watched the clocks of matches.

use std::sync::{Arc, Mutex};

use database::Reading;
use store::Outage;
use time::Duration;

/// What this process last noted.
#[derive(Default)]
pub(crate) struct Presence {
    last: Mutex<Option<Watched>>,
    /// One task notes at a time; the others use what it found.
    pub noting: tokio::sync::Mutex<()>,
    /// One task asks for the time at a time, while it is not known.
    pub asking: tokio::sync::Mutex<()>,
}

/// That this process has watched the clocks, and the outages until then.
#[derive(Clone)]
pub struct Watched {
    pub(crate) at: Reading,
    pub(crate) outages: Arc<[Outage]>,
}

impl Presence {
    pub fn last(&self) -> Option<Watched> {
        self.last.lock().expect(LOCKED).clone()
    }

    pub fn set(&self, watched: Watched) {
        *self.last.lock().expect(LOCKED) = Some(watched);
    }
}

impl Watched {
    /// Whether this is less than `longest` ago, by a clock that was not set since.
    pub(crate) fn covers(&self, now: &Reading, longest: Duration) -> bool {
        let since = now.time - self.at.time;
        now.steps == self.at.steps && !since.is_negative() && since < longest
    }
}

const LOCKED: &str = "no holder of this lock panics";
