//! Streams of all matches of a platform or of a player.

use positions::{BUCKETS, Mark, Marks};

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
        let at = self.start_marks(platform, start).await?;
        let assignment = Assignment::all(at);
        let reader = LogReader::new(self, platform, filter, assignment, timing.heartbeat);
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
        let at = self.start_marks(&caller.platform, start).await?;
        let filter = EntryFilter { players: vec![player.to_owned()], ..EntryFilter::default() };
        let assignment = Assignment::all(at);
        let reader = LogReader::new(self, &caller.platform, filter, assignment, timing.heartbeat)
            .of_player();
        Ok(spawn_stream(reader, timing.take_wait, open))
    }

    /// The positions to start after.
    pub(crate) async fn start_marks(
        &self,
        platform: &str,
        start: StreamStart,
    ) -> Result<Marks, Error> {
        // Heads come from the database: this process may not have seen the newest entries of
        // others.
        match start {
            StreamStart::Beginning => Ok([Mark::default(); BUCKETS]),
            StreamStart::Now => {
                self.in_lane(Lane::Streams, platform, self.0.store.log().bucket_heads()).await
            }
            StreamStart::After(claims) => self.marks_of(platform, &claims).await,
        }
    }
}
