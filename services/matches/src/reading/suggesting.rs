//! What a seat could do, for people who learn a game.

use std::time::{Duration, Instant};

use bots::{Budget, Iterations, Suggestion, suggest};
use bytes::Bytes;
use games::{Beside, Legal, kinds_of};
use positions::Position;
use rows::MatchId;
use table::{Observation, Seat};

use super::legal::LegalActions;
use super::views::check_position;
use crate::accepting::refusal;
use crate::access::Caller;
use crate::error::Error;
use crate::matches::Matches;
use crate::random::own_chance;

/// The suggested actions, the best first.
pub struct Suggestions {
    pub legal: LegalActions,
    pub of: Vec<Suggested>,
}

pub struct Suggested {
    /// The index of its action; `None` is to wait.
    pub action: Option<usize>,
    pub estimate: Option<f32>,
    /// Whether the seat did it next.
    pub is_taken: bool,
}

/// How many iterations are enough, and how long they may take: now, and in a review, which asks
/// about many positions.
const ENOUGH: Iterations = Iterations(1000);
const TIME: Duration = Duration::from_millis(500);
const REVIEW_TIME: Duration = Duration::from_millis(250);

const SUGGESTIONS_MAX: usize = 3;

impl Matches {
    /// What a bot would do with what the seat sees, or saw at a position: against bots only, until
    /// the match has ended.
    pub async fn suggestions(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
        at: Option<Position>,
    ) -> Result<Suggestions, Error> {
        let (live, source) = self.current(caller, match_id).await?;
        let seat = caller.acting_seat(&live, seat)?;
        let head = live.head();
        let now = head.table.as_ref().ok_or(Error::NotStarted)?;
        if !now.ended() && now.contenders().any(|it| it != seat && !live.has_bot(it)) {
            return Err(Error::SuggestionsAgainstPeople);
        }
        let (game, position) = (live.game, at.unwrap_or(head.position));
        check_position("position", position, head.position)?;
        let mut observation = Observation::new(game.layout(), live.seats(), seat);
        live.tell(&self.0.live.pages, &mut observation, Position::START, position).await?;
        let next = match position < head.position {
            true => self.0.live.entries_of(&live, source, position, 1).await?,
            false => Vec::new(),
        };
        let taken = next.first().filter(|it| it.entry.seat == Some(seat));
        let taken = taken.and_then(|it| Some((it.entry.verb, it.entry.action.clone()?)));
        let time = if at.is_some() { REVIEW_TIME } else { TIME };
        let think = move || {
            let mut budget = within(time);
            let found = suggest(game, &observation, &mut budget, &mut own_chance());
            found.map(|found| (chosen(found, taken), observation.table().clone()))
        };
        let thought = match game.own_levels() {
            [] => self.work(caller, false, think).await?,
            // A module may think longer than it is asked to.
            _ => self.budgets().apart(live.platform(), think).await?,
        };
        let (found, table) = thought.map_err(|refused| refusal(&live, refused))?;
        let mut actions = Vec::new();
        let of = found.into_iter().map(|(Suggestion { action, estimate }, is_taken)| {
            let action = action.map(|action| {
                actions.push(action);
                actions.len() - 1
            });
            Suggested { action, estimate, is_taken }
        });
        let of = of.collect();
        let kinds = kinds_of(&actions);
        let beside = Beside::default();
        let legal = LegalActions { game, seat, position, actions, kinds, table, beside };
        Ok(Suggestions { legal, of })
    }
}

/// A budget of time, and of one iteration at least: on a busy machine the time may be over before
/// the first, after which nothing would be suggested.
fn within(time: Duration) -> impl FnMut() -> bool {
    let began = Instant::now();
    let (mut iterations, mut is_first) = (ENOUGH, true);
    move || {
        let is_forced = std::mem::take(&mut is_first);
        iterations.allows_another() && (is_forced || began.elapsed() < time)
    }
}

/// The best suggestions and, if the bots have an opinion at all, what the seat did next; each with
/// whether that is it.
fn chosen(found: Vec<Suggestion>, taken: Option<(&'static str, Bytes)>) -> Vec<(Suggestion, bool)> {
    let has_opinion = !found.is_empty();
    let is_taken = |it: &Suggestion| match (&it.action, &taken) {
        (Some(action), Some((_, taken))) => action.action == *taken,
        _ => false,
    };
    let mut kept = Vec::new();
    for (nth, suggestion) in found.into_iter().enumerate() {
        let is_taken = is_taken(&suggestion);
        if nth < SUGGESTIONS_MAX || is_taken {
            kept.push((suggestion, is_taken));
        }
    }
    if let Some((verb, action)) = taken
        && has_opinion
        && !kept.iter().any(|(_, is_taken)| *is_taken)
    {
        let action = Some(Legal { verb, action, open_ended: false });
        kept.push((Suggestion { action, estimate: None }, true));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_is_over_allows_one_iteration() {
        let mut budget = within(Duration::ZERO);
        assert_eq!([budget.allows_another(), budget.allows_another()], [true, false]);
    }

    #[test]
    fn enough_iterations_end_a_time_that_is_not_over() {
        let mut budget = within(Duration::from_secs(3600));
        let Iterations(enough) = ENOUGH;
        assert_eq!((0..).take_while(|_| budget.allows_another()).count(), enough as usize);
    }
}
