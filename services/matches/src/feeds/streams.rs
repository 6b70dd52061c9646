//! Streams of all matches of a platform or of a player.

use event_log::WentBack;
use positions::{BUCKETS, Bookmark, Mark, Marks, Term};

use super::assignment::Assignment;
use super::batches::{BatchStream, StreamTiming, spawn_stream};
use super::filter::{EntryFilter, StreamStart};
use super::log_reader::LogReader;
use crate::access::{Caller, Lane, StreamKind};
use crate::error::Error;
use crate::matches::Matches;
use crate::request::{check_player, check_tags};

impl Matches {
    /// The entries of all matches of the caller's platform.
    pub async fn stream(
        &self,
        caller: &Caller,
        filter: EntryFilter,
        start: StreamStart,
        timing: StreamTiming,
    ) -> Result<BatchStream, Error> {
        let platform = caller.platform()?;
        check_tags("filter.tags", &filter.tags)?;
        let open = self.open_stream(caller, StreamKind::ManyMatches)?;
        let started = self.started(platform, start).await?;
        let assignment = Assignment::all(started.at);
        let reader = LogReader::new(self, platform, filter, assignment, timing.heartbeat);
        let reader = reader.continuing(None, started.term);
        let reader = started.begin(reader);
        Ok(spawn_stream(reader, timing.take_wait, open))
    }

    /// The entries of all matches in which a player of the caller's platform has a seat, each as
    /// that seat sees it.
    pub async fn watch_player(
        &self,
        caller: &Caller,
        player: &str,
        start: StreamStart,
        timing: StreamTiming,
    ) -> Result<BatchStream, Error> {
        caller.check_player(player)?;
        check_player("name", player)?;
        // Counted like a platform's stream, because it reads the same log.
        let open = self.open_stream(caller, StreamKind::ManyMatches)?;
        let started = self.started(&caller.platform, start).await?;
        let filter = EntryFilter { players: vec![player.to_owned()], ..EntryFilter::default() };
        let assignment = Assignment::all(started.at);
        let reader = LogReader::new(self, &caller.platform, filter, assignment, timing.heartbeat)
            .of_player();
        Ok(spawn_stream(started.begin(reader), timing.take_wait, open))
    }

    /// The positions to start after. Fails if the record went back behind a cursor.
    pub(crate) async fn start_marks(
        &self,
        platform: &str,
        start: StreamStart,
    ) -> Result<Marks, Error> {
        match self.started(platform, start).await? {
            Started { at, lost: None, .. } => Ok(at),
            Started { lost: Some(holds), .. } => {
                let resume = Bookmark::of_all(self.term(), *holds);
                Err(Error::RecordWentBack { position: None, resume: Some(Box::new(resume)) })
            }
        }
    }

    async fn started(&self, platform: &str, start: StreamStart) -> Result<Started, Error> {
        // Heads come from the database: this process may not have seen the newest entries of
        // others.
        let log = self.0.store.log();
        let claims = match start {
            StreamStart::Beginning => return Ok(Started::at([Mark::default(); BUCKETS])),
            StreamStart::Now => {
                let heads = self.in_lane(Lane::Streams, platform, log.bucket_heads()).await?;
                return Ok(Started::at(heads));
            }
            StreamStart::After(claims) => claims,
        };
        // Boxed, because it holds the marks of all buckets several times.
        let checking = Box::pin(log.check_claims(&claims));
        match self.in_lane(Lane::Streams, platform, checking).await? {
            Ok(at) => Ok(Started { term: claims.term, ..Started::at(at) }),
            Err(WentBack { holds }) => {
                let at = claims.positions().map(|position| Mark::new(position, None));
                Ok(Started { at, term: claims.term, lost: Some(holds) })
            }
        }
    }
}

/// Where a stream starts.
struct Started {
    at: Marks,
    /// The term of the cursor; unknown without one.
    term: Term,
    /// Where the record holds, if it went back behind the cursor.
    lost: Option<Box<Marks>>,
}

impl Started {
    fn at(at: Marks) -> Started {
        Started { at, term: Term::UNKNOWN, lost: None }
    }

    fn begin(self, mut reader: LogReader) -> LogReader {
        reader.begin();
        match self.lost {
            Some(holds) => reader.after_loss(*holds, self.term),
            None => reader,
        }
    }
}
