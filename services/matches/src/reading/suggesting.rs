//! What a seat could do, for people who learn a game.

use std::time::{Duration, Instant};

use bots::{Budget, Iterations, suggest};
use games::kinds_of;
use positions::Position;
use rows::MatchId;
use table::{Observation, Seat};

use super::legal::LegalActions;
use crate::access::Caller;
use crate::error::Error;
use crate::matches::Matches;
use crate::random::own_chance;

/// The suggested actions, the best first.
pub struct Suggestions {
    pub legal: LegalActions,
    /// One of each suggestion: the index of its action, unless it is to wait, and its estimate.
    pub of: Vec<(Option<usize>, Option<f32>)>,
}

/// How many iterations are enough, and how long they may take.
const ENOUGH: Iterations = Iterations(1000);
const TIME: Duration = Duration::from_millis(500);

const SUGGESTIONS_MAX: usize = 3;

impl Matches {
    /// What a bot would do with what the seat sees, against bots only.
    pub async fn suggestions(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
    ) -> Result<Suggestions, Error> {
        let live = self.live(caller, match_id).await?;
        let seat = caller.acting_seat(&live, seat)?;
        self.0.live.refresh_or_stale(&live).await?;
        let head = live.head();
        let table = head.table.clone().ok_or(Error::NotStarted)?;
        let (game, position) = (live.game, head.position);
        if table.contenders().any(|it| it != seat && !live.has_bot(it)) {
            return Err(Error::SuggestionsAgainstPeople);
        }
        let mut observation = Observation::new(game.layout(), live.seats(), seat);
        live.tell(&self.0.live.pages, &mut observation, Position::START, position).await?;
        let thinking = self.work(caller, false, move || {
            let began = Instant::now();
            let mut iterations = ENOUGH;
            let mut budget = || iterations.allows_another() && began.elapsed() < TIME;
            let mut found = suggest(game, &observation, &mut budget, &mut own_chance());
            found.truncate(SUGGESTIONS_MAX);
            (found, observation.table().clone())
        });
        let (found, table) = thinking.await?;
        let mut actions = Vec::new();
        let of = found.into_iter().map(|it| {
            let nth = it.action.map(|action| {
                actions.push(action);
                actions.len() - 1
            });
            (nth, it.estimate)
        });
        let of = of.collect();
        let kinds = kinds_of(&actions);
        Ok(Suggestions { legal: LegalActions { game, seat, position, actions, kinds, table }, of })
    }
}
