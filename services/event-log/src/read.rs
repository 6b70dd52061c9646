//! Reads the entries of a stream or a bucket.

use std::error::Error as StdError;

use database::{Group, groups};
use futures::{Stream, TryStreamExt, stream};
use positions::{Bucket, Position, Recorded, StreamId};
use sqlx::{FromRow, Row};
use time::OffsetDateTime;

use crate::after::{self, After, Read};
use crate::log::Shared;
use crate::{ColdError, Error, Header, Log};

/// A part of a bucket: the entries after one bucket position, up to and including another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub bucket: Bucket,
    pub after: i64,
    pub until: i64,
}

/// The page size of reads of a stream: a few dozen kilobytes, and more entries than most streams
/// have.
const PAGE: i64 = 500;

impl Log {
    /// A stream's entries after a position, in order, at most `limit`.
    pub async fn entries(
        &self,
        stream: StreamId,
        after: Position,
        limit: i64,
    ) -> Result<Vec<Recorded>, Error> {
        let key = After { stream, position: after, limit, with_header: false };
        Ok(self.read_after(key).await?.entries)
    }

    /// A stream's entries from a position on, in order, at most `limit`, and its header; `None` if
    /// there are no such entries.
    pub async fn entries_from(
        &self,
        stream: StreamId,
        from: Position,
        limit: i64,
    ) -> Result<(Option<Header>, Vec<Recorded>), Error> {
        let position = Position(from.0 - 1);
        let key = After { stream, position, limit, with_header: true };
        let Read { header, entries } = self.read_after(key).await?;
        Ok((header, entries))
    }

    /// Like [`Log::entries`], in a query of its own: for so many entries that other callers of a
    /// shared query would wait for them.
    pub async fn many_entries(
        &self,
        stream: StreamId,
        after: Position,
        limit: i64,
    ) -> Result<Vec<Recorded>, Error> {
        let key = After { stream, position: after, limit, with_header: false };
        let Shared { database, statements, .. } = &*self.0;
        let pools = database.readers().clone();
        let read = after::load(database.clone(), pools, statements.clone(), vec![key]).await?.pop();
        let read = read.expect("a key has an answer")?;
        Ok(self.whole(key, read).await?.entries)
    }

    async fn read_after(&self, key: After) -> Result<Read, Error> {
        let read = self.0.after.load(key).await?;
        self.whole(key, read).await
    }

    /// With the content that was moved out.
    async fn whole(&self, key: After, mut read: Read) -> Result<Read, Error> {
        self.restore_all(read.entries.iter_mut().map(|row| (key.stream, row))).await?;
        if let Some(last) = read.entries.last() {
            self.0.marks.saw(Bucket::of(key.stream), last.mark());
        }
        Ok(read)
    }

    /// A stream's entries after a position, in order, up to the last one at the time of reading.
    /// They are read page by page, so the stream may be long and the reader slow.
    pub fn stream(
        &self,
        stream: StreamId,
        after: Position,
    ) -> impl Stream<Item = Result<Recorded, Error>> + use<> {
        let log = self.clone();
        let pages = stream::try_unfold(Some(after), move |after| {
            let log = log.clone();
            async move {
                let Some(after) = after else { return Ok::<_, Error>(None) };
                let page = log.entries(stream, after, PAGE).await?;
                let next =
                    page.last().filter(|_| page.len() == PAGE as usize).map(|last| last.position);
                Ok(Some((stream::iter(page.into_iter().map(Ok)), next)))
            }
        });
        pages.try_flatten()
    }

    /// A stream's last position; [`Position::START`] if it has no entry yet.
    pub async fn tail(&self, stream: StreamId) -> Result<Position, Error> {
        let tail: Option<Position> = sqlx::query_scalar(self.0.statements.tail.clone())
            .bind(Bucket::of(stream))
            .bind(stream)
            .fetch_one(self.0.database.at(Bucket::of(stream)))
            .await?;
        Ok(tail.unwrap_or(Position::START))
    }

    /// A stream's last position among the entries up to a position of its bucket.
    pub async fn last_within(&self, stream: StreamId, until: i64) -> Result<Position, Error> {
        let last: Option<Position> = sqlx::query_scalar(self.0.statements.last_within.clone())
            .bind(Bucket::of(stream))
            .bind(stream)
            .bind(until)
            .fetch_one(self.0.database.at(Bucket::of(stream)))
            .await?;
        Ok(last.unwrap_or(Position::START))
    }

    /// The first of a stream's entries after a position that was created after a time, and its own
    /// time. The writers' clocks may differ a little, so a later entry may have an earlier time.
    pub async fn first_after(
        &self,
        stream: StreamId,
        time: OffsetDateTime,
        after: Position,
    ) -> Result<Option<(Position, OffsetDateTime)>, Error> {
        let first = sqlx::query_as(self.0.statements.first_after.clone())
            .bind(Bucket::of(stream))
            .bind(stream)
            .bind(time)
            .bind(after)
            .fetch_optional(self.0.database.at(Bucket::of(stream)))
            .await?;
        Ok(first)
    }

    /// The entries in these windows, by bucket, in commit order. Entries never change and are never
    /// inserted in between, so the next window begins at the last one's bucket position. Entries
    /// whose content was moved out are empty: see [`Log::whole_entries_in`].
    pub async fn entries_in(
        &self,
        windows: &[Window],
    ) -> Result<Vec<(StreamId, Recorded)>, database::Error> {
        let mut rows = Vec::new();
        let is_sharded = self.0.database.is_sharded().await?;
        for Group { is_of_one, of } in groups(windows.to_vec(), is_sharded, |it| it.bucket) {
            let entries = sqlx::query(self.0.statements.windows.of(is_of_one))
                .bind(of.iter().map(|it| it.bucket).collect::<Vec<_>>())
                .bind(of.iter().map(|it| it.after).collect::<Vec<_>>())
                .bind(of.iter().map(|it| it.until).collect::<Vec<_>>());
            let entries = if is_of_one { entries.bind(of[0].bucket) } else { entries };
            rows.append(&mut match is_of_one {
                true => entries.fetch_all(self.0.database.at(of[0].bucket)).await?,
                false => entries.fetch_all(self.0.database.pool()).await?,
            });
        }
        let entries: Result<Vec<(StreamId, Recorded)>, sqlx::Error> =
            rows.iter().map(|row| Ok((row.try_get("stream")?, Recorded::from_row(row)?))).collect();
        let mut entries = entries?;
        // They arrive almost sorted, but SQL does not guarantee it, and `order by` would make
        // Postgres sort them on disk.
        entries.sort_by_key(|(stream, entry)| (Bucket::of(*stream), entry.bucket_position));
        Ok(entries)
    }

    /// Like [`Log::entries_in`], with restored content. A stream whose content is damaged stays
    /// empty.
    pub async fn whole_entries_in(
        &self,
        windows: &[Window],
    ) -> Result<Vec<(StreamId, Recorded)>, Error> {
        let mut entries = self.entries_in(windows).await?;
        let rows = entries.iter_mut().map(|(stream, entry)| (*stream, entry));
        self.restore_or_pass(rows).await?;
        Ok(entries)
    }
}

impl Log {
    /// Restores the content of entries that was moved out. Returns the streams whose content is
    /// damaged or missing, each with its error. Costs nothing if no entry is empty.
    pub async fn restore<'r>(
        &self,
        rows: impl Iterator<Item = (StreamId, &'r mut Recorded)>,
    ) -> Result<Vec<(StreamId, ColdError)>, Error> {
        let empty: Vec<(StreamId, &'r mut Recorded)> =
            rows.filter(|(_, row)| row.is_stub()).collect();
        match &self.0.cold {
            Some(cold) if !empty.is_empty() => cold.restore(empty).await,
            _ => Ok(Vec::new()),
        }
    }

    /// Like [`Log::restore`], for reads of many streams, which skip entries that stay empty.
    pub async fn restore_or_pass<'r>(
        &self,
        rows: impl Iterator<Item = (StreamId, &'r mut Recorded)>,
    ) -> Result<(), Error> {
        for (stream, error) in self.restore(rows).await? {
            tracing::error!(
                error = &error as &dyn StdError,
                stream = %stream.0,
                "an archived stream cannot be read"
            );
        }
        Ok(())
    }

    /// Like [`Log::restore`], for reads that fail if a stream is damaged.
    pub async fn restore_all<'r>(
        &self,
        rows: impl Iterator<Item = (StreamId, &'r mut Recorded)>,
    ) -> Result<(), Error> {
        let damaged = self.restore(rows).await?.into_iter().next();
        damaged.map_or(Ok(()), |(_, error)| Err(error.into()))
    }
}
