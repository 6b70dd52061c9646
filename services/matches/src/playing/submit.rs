//! Submissions of seats and platforms: actions, resignations, votes, orders.

use std::sync::Arc;

use rows::{MatchId, RedactedEntry};
use table::{Motion, Seat, Viewer};

use crate::accepting::{Action, Command, Expected, Vote};
use crate::access::Caller;
use crate::error::Error;
use crate::live::LiveMatch;
use crate::matches::Matches;
use crate::request::check_request_id;

/// An action for a seat to take.
#[derive(Clone, Debug)]
pub struct Submission {
    pub match_id: MatchId,
    /// `None` for the seat of the caller's token.
    pub seat: Option<Seat>,
    pub action: Action,
    pub expected: Expected,
    pub request_id: Option<String>,
}

impl Matches {
    /// Accepts an action, once, and returns its entry as the seat sees it.
    pub async fn submit(
        &self,
        caller: &Caller,
        submission: Submission,
    ) -> Result<RedactedEntry, Error> {
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        let Submission { match_id, seat, action, expected, request_id } = submission;
        let live = self.live(caller, match_id).await?;
        let seat = caller.acting_seat(&live, seat)?;
        let command = Command::Act(seat, self.parse(&live, action).await?);
        self.accept_for_seat(caller, &live, command, seat, expected, request_id).await
    }

    /// Resigns a seat.
    pub async fn resign(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
        expected: Expected,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        let live = self.live(caller, match_id).await?;
        let seat = caller.acting_seat(&live, seat)?;
        self.accept_for_seat(caller, &live, Command::Resign(seat), seat, expected, request_id).await
    }

    /// Takes back the last action of a seat.
    pub async fn take_back(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
        expected: Expected,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        let live = self.live(caller, match_id).await?;
        let seat = live.check_seat(caller.acting_seat(&live, seat)?)?;
        self.accept_for_seat(caller, &live, Command::TakeBack(seat), seat, expected, request_id)
            .await
    }

    /// Votes for a motion, or, if not `on`, withdraws the vote. The last vote that a motion needs
    /// carries it.
    #[expect(clippy::too_many_arguments, reason = "each is a field of the request")]
    pub async fn vote(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
        motion: Motion,
        on: bool,
        expected: Expected,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        let live = self.live(caller, match_id).await?;
        let seat = live.check_seat(caller.acting_seat(&live, seat)?)?;
        let command = Command::Vote(Vote { seat, motion, on });
        self.accept_for_seat(caller, &live, command, seat, expected, request_id).await
    }

    /// Carries out a motion at once, for the platform.
    pub async fn order(
        &self,
        caller: &Caller,
        match_id: MatchId,
        motion: Motion,
        expected: Expected,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        caller.platform()?;
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        check_request_id(request_id.as_deref())?;
        let live = self.live(caller, match_id).await?;
        let entry =
            self.accept(&live, Some(caller), Command::Order(motion), expected, request_id).await?;
        Ok(live.redact(&entry, Viewer::Spectator))
    }

    async fn accept_for_seat(
        &self,
        caller: &Caller,
        live: &Arc<LiveMatch>,
        command: Command,
        seat: Seat,
        expected: Expected,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        check_request_id(request_id.as_deref())?;
        let entry = self.accept(live, Some(caller), command, expected, request_id).await?;
        Ok(live.redact(&entry, Viewer::Seat(seat)))
    }
}
