//! Bringing a match in memory up to date, and finding out why that fails.

use positions::Position;

use super::live_match::LiveMatch;
use super::loading::LiveMatches;
use crate::error::Error;

/// Where to read the entries of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Record,
    /// Because the database is unavailable.
    Memory,
}

impl LiveMatches {
    /// Applies entries of other processes. While the database is unavailable, callers get the match
    /// as it is in memory.
    pub async fn refresh_or_stale(&self, live: &LiveMatch) -> Result<Source, Error> {
        match self.refresh(live).await {
            Err(Error::DatabaseUnavailable { .. }) if live.position() > Position::START => {
                Ok(Source::Memory)
            }
            other => other.map(|()| Source::Record),
        }
    }

    /// Applies what other processes recorded.
    pub async fn refresh(&self, live: &LiveMatch) -> Result<(), Error> {
        match live.refresh(&self.pages).await {
            Ok(_) => Ok(()),
            Err(error) => Err(self.explain(live, error).await),
        }
    }

    /// Diagnoses an error of reading a match in memory. If the record differs from memory or lacks
    /// the content of entries, it was altered, it went back, or the match was reduced to its
    /// result. Loading the whole match shows which.
    pub async fn explain(&self, live: &LiveMatch, error: Error) -> Error {
        let is_doubtful = match &error {
            Error::RecordWentBack { .. } => live.is_refuted(),
            Error::HistoryNotKept => !live.is_reduced(),
            _ => false,
        };
        if !is_doubtful {
            return error;
        }
        match Box::pin(self.load(live.platform(), live.id())).await {
            Err(altered @ Error::RecordAltered { .. }) => altered,
            _ => error,
        }
    }
}
