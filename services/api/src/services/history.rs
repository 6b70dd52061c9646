//! `HistoryService`: differences between positions, and replays.

use std::ops::RangeInclusive;
use std::time::Duration;

use contract::v1::history_service_server::HistoryService;
use contract::v1::*;
use matches::{AsOf, ReplaySpeed};
use tonic::{Request, Response, Status};

use super::calls::Calls;
use super::streaming::{Answers, OfMatch, told, while_valid};
use crate::answers::diff::diff;
use crate::answers::tables::view_of;
use crate::error::{invalid, of};
use crate::requests::names::parse_match;
use crate::requests::values::{parse_digest, parse_duration, parse_viewer, position_of};

/// The default longest pause of a replay: long enough to see the table, too short to look stuck.
const PAUSE_USUAL: Duration = Duration::from_secs(5);

/// The bounds of `pause_max`, up to ten minutes.
const PAUSES: RangeInclusive<Duration> = Duration::from_millis(1)..=Duration::from_secs(600);

pub(crate) struct History {
    pub calls: Calls,
}

#[tonic::async_trait]
impl HistoryService for History {
    async fn diff_views(
        &self,
        request: Request<DiffViewsRequest>,
    ) -> Result<Response<DiffViewsResponse>, Status> {
        let (caller, request) = self.calls.open(request).await?;
        let (match_id, wanted) =
            (parse_match("name", &request.name)?, parse_viewer(&request.viewer)?);
        let from = AsOf::Position(position_of(request.from_position));
        let to = request.to_position.map_or(AsOf::Latest, |to| AsOf::Position(position_of(to)));
        let views = self.calls.matches.views(&caller, match_id, wanted, [from, to]).await;
        let views = views.map_err(of)?;
        let diff = self.calls.matches.work(&caller, false, move || {
            let [before, after] = views.each_ref().map(view_of);
            diff(&before, &after)
        });
        Ok(Response::new(DiffViewsResponse { diff: Some(diff.await.map_err(of)?) }))
    }

    type ReplayEntriesStream = Answers<ReplayEntriesResponse>;

    async fn replay_entries(
        &self,
        request: Request<ReplayEntriesRequest>,
    ) -> Result<Response<Self::ReplayEntriesStream>, Status> {
        let (credentials, texts, request) = self.calls.open_stream(request).await?;
        let caller = &credentials.caller;
        let (match_id, wanted) =
            (parse_match("parent", &request.parent)?, parse_viewer(&request.viewer)?);
        let after = position_of(request.after_position);
        let digest = parse_digest("after_digest", &request.after_digest)?;
        let until = request.until_position.map(position_of);
        let speed = replay_speed(request.speed, request.pause_max)?;
        let replay =
            self.calls.matches.replay(caller, match_id, wanted, after, digest, until, speed);
        let replay = replay.await;
        let replay = replay.map_err(|error| texts.refusal(error, Some(match_id), None))?;
        let replay = told(replay, texts, |OfMatch { entries, position, digest, .. }| {
            ReplayEntriesResponse { entries, position, digest }
        });
        let replay = self.calls.unread.until_unread(replay);
        Ok(Response::new(while_valid(replay, self.calls.auth.clone(), credentials)))
    }
}

fn replay_speed(
    speed: f64,
    pause_max: Option<prost_types::Duration>,
) -> Result<ReplaySpeed, Status> {
    if !(speed.is_finite() && speed >= 0.0) {
        return Err(invalid("speed", "speed must be at least 0"));
    }
    let pause_max = parse_duration("pause_max", pause_max, PAUSES)?.unwrap_or(PAUSE_USUAL);
    Ok(ReplaySpeed { factor: Some(speed).filter(|speed| *speed > 0.0), pause_max })
}
