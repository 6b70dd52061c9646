//! Streams of one match's entries.

use std::pin::Pin;

use futures::Stream;
use futures::stream::unfold;
use rows::RedactedEntry;

use crate::error::Error;
use crate::went_back::RecordWentBack;

/// What a stream of a match tells next.
#[derive(Clone, Debug)]
pub enum Told {
    /// At least one entry.
    Entries(Vec<RedactedEntry>),
    /// The match lost entries that were told; the entries that follow the last valid one come next.
    WentBack(RecordWentBack),
}

pub type EntryStream = Pin<Box<dyn Stream<Item = Result<Told, Error>> + Send>>;

/// A source of a match's entries for a stream.
pub(super) trait EntrySource: Send + Sized + 'static {
    /// What comes next; `None` after the last entry.
    fn next(&mut self) -> impl Future<Output = Result<Option<Told>, Error>> + Send;

    /// The error for the caller, given the one that ended the stream.
    fn explain(&self, error: Error) -> impl Future<Output = Error> + Send;

    /// The entries as a stream, which ends after the last entry or an error.
    fn into_stream(self) -> EntryStream {
        Box::pin(unfold(Some(self), async |source| {
            let mut source = source?;
            match source.next().await {
                Ok(told) => told.map(|told| (Ok(told), Some(source))),
                Err(error) => Some((Err(source.explain(error).await), None)),
            }
        }))
    }
}
