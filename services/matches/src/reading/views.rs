//! The table as a viewer sees it, now or earlier.

use std::sync::Arc;

use clocks::Clocks;
use games::Game;
use positions::{Digest, Position};
use rows::MatchId;
use table::{Table, Viewer};
use time::OffsetDateTime;

use crate::access::{Caller, Lane, RequestedViewer};
use crate::error::Error;
use crate::live::{LiveMatch, Source};
use crate::matches::Matches;

/// Which state of a match to read.
#[derive(Clone, Copy, Debug)]
pub enum AsOf {
    Latest,
    /// After the entry at this position.
    Position(Position),
    /// After every entry accepted by this time.
    Time(OffsetDateTime),
}

pub struct View {
    pub match_id: MatchId,
    pub game: &'static dyn Game,
    pub viewer: Viewer,
    pub position: Position,
    /// The digest of the entry there, if it has one.
    pub digest: Option<Digest>,
    pub table: Table,
    /// Only in a view of the latest table of a match with clocks.
    pub clocks: Option<Arc<Clocks>>,
}

impl Matches {
    /// The table as the viewer sees it.
    pub async fn view(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        as_of: AsOf,
    ) -> Result<View, Error> {
        let (live, source) = self.current(caller, match_id).await?;
        let viewer = caller.viewer(&live, requested)?;
        self.view_at(&live, source, viewer, "position", as_of).await
    }

    /// The table as the viewer sees it, at two points in the match.
    pub async fn views(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        points: [AsOf; 2],
    ) -> Result<[View; 2], Error> {
        let (live, source) = self.current(caller, match_id).await?;
        let viewer = caller.viewer(&live, requested)?;
        let [from, to] = points;
        let from = self.view_at(&live, source, viewer, "from_position", from).await?;
        let to = self.view_at(&live, source, viewer, "to_position", to).await?;
        // Clocks are current, so they are not part of the difference.
        Ok([from, to].map(|view| View { clocks: None, ..view }))
    }

    /// `field` is the field of the request that holds the position.
    async fn view_at(
        &self,
        live: &LiveMatch,
        source: Source,
        viewer: Viewer,
        field: &'static str,
        as_of: AsOf,
    ) -> Result<View, Error> {
        let head = live.head();
        let table = head.table.ok_or(Error::NotStarted)?;
        let position = match as_of {
            AsOf::Latest => head.position,
            AsOf::Position(position) => position,
            AsOf::Time(time) => self.position_at(live, time).await?,
        };
        check_position(field, position, head.position)?;
        let (table, digest) = match position {
            last if last == head.position => (table, Some(head.digest)),
            past => {
                let before = Position(past.0 - 1);
                let entries = self.0.live.entries_of(live, source, before, 1).await?;
                let digest = entries.first().and_then(|entry| entry.digest);
                (Arc::new(self.0.live.table_at(live, source, past).await?), digest)
            }
        };
        let is_now = position == head.position;
        Ok(View {
            match_id: live.id(),
            clocks: head.clocks.filter(|_| is_now),
            game: live.game,
            viewer,
            position,
            digest,
            table: table.seen_by(viewer),
        })
    }

    /// The position of the last entry accepted by `time`.
    async fn position_at(&self, live: &LiveMatch, time: OffsetDateTime) -> Result<Position, Error> {
        let now = self.now();
        if time > now {
            return Err(Error::TimeAhead { now });
        }
        let first = self.0.store.first_after(live.id(), time);
        match self.in_lane(Lane::Lists, live.platform(), first).await? {
            None => Ok(live.position()),
            Some((Position(1), start)) => Err(Error::TimeBeforeStart { start }),
            // Entries accepted since this read began are also later than `time`.
            Some((next, _)) => Ok(Position(next.0 - 1).min(live.position())),
        }
    }
}

/// Whether a match that is at `last` has reached a position, which `field` of the request holds.
pub(super) fn check_position(
    field: &'static str,
    position: Position,
    last: Position,
) -> Result<(), Error> {
    match position {
        Position(..=0) => Err(Error::invalid(field, "positions are counted from 1")),
        ahead if ahead > last => Err(Error::PositionAhead { position: last }),
        _ => Ok(()),
    }
}
