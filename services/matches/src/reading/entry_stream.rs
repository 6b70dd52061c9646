//! Streams of one match's entries.

use std::pin::Pin;

use futures::Stream;
use futures::stream::unfold;
use rows::RedactedEntry;

use crate::error::Error;

pub type EntryStream = Pin<Box<dyn Stream<Item = Result<Vec<RedactedEntry>, Error>> + Send>>;

/// A source of a match's entries for a stream.
pub(super) trait EntrySource: Send + Sized + 'static {
    /// The next entries; empty after the last.
    fn next(&mut self) -> impl Future<Output = Result<Vec<RedactedEntry>, Error>> + Send;

    /// The error for the caller, given the one that ended the stream.
    fn explain(&self, error: Error) -> impl Future<Output = Error> + Send;

    /// The entries as a stream, which ends after the last entry or an error.
    fn into_stream(self) -> EntryStream {
        Box::pin(unfold(Some(self), async |source| {
            let mut source = source?;
            match source.next().await {
                Ok(entries) if entries.is_empty() => None,
                Ok(entries) => Some((Ok(entries), Some(source))),
                Err(error) => Some((Err(source.explain(error).await), None)),
            }
        }))
    }
}
