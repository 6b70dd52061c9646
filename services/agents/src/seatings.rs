//! Seating players who seek a match.

use std::time::Duration;

use matches::{Matches, Seating};

use crate::agent::{Agent, Due, Error, Outcome};

/// Creates matches for seekers who fit each other.
pub struct Seatings {
    matches: Matches,
}

impl Seatings {
    pub fn new(matches: Matches) -> Seatings {
        Seatings { matches }
    }
}

impl Agent for Seatings {
    type Key = Seating;
    const NAME: &'static str = "seatings";
    const INTERVAL: Duration = Duration::from_millis(500);
    /// All processes attempt the same pools, so most further attempts would be wasted.
    const ATTEMPTS_MAX: usize = 8;

    async fn due(&self, most: usize, except: &[Seating]) -> Result<Vec<Due<Seating>>, Error> {
        let found = self.matches.seatings(most).await?;
        let found = found.into_iter().filter(|(key, _)| !except.contains(key));
        Ok(found.map(|(key, since)| Due { key, since }).collect())
    }

    async fn attempt(&self, seating: Seating) -> Result<Outcome, Error> {
        match self.matches.do_seating(&seating).await {
            Ok(true) => Ok(Outcome::Won),
            // One of the seeks has ended.
            Ok(false) | Err(matches::Error::NoSuchMatch) => Ok(Outcome::Lost),
            Err(error) => Err(error.into()),
        }
    }
}
