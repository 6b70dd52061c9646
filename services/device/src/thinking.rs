//! The bots of a match, one decision at a time.

use bots::{Asked, Iterations, agreement};
use bytes::Bytes;
use table::{ChaCha, Observation, Seat};

use crate::device::{Device, Thought};
use crate::played::{Command, Played};
use crate::refusal::Refusal;

impl Device {
    /// Lets the bots of a match act, with at most one entry. Returns whether one did.
    pub fn think(&mut self, thought: &Thought) -> Result<bool, Refusal> {
        let played = self.found_mut(&thought.name)?;
        if played.table.ended() {
            return Ok(false);
        }
        if let Some((seat, motion)) = agreement(&played.table, |seat| played.bot(seat).is_some()) {
            let vote = Command::Vote(seat, motion, true);
            return played.carry_out(&vote, thought.now_ms).map(|_| true);
        }
        if played.table.is_paused() {
            return Ok(false);
        }
        let asked = Asked::of(&played.table, |seat| played.bot(seat).is_some());
        let position = played.position();
        if played.asked.replace(position) != Some(position) {
            for (nth, seat) in asked.may.into_iter().enumerate() {
                if let Some(action) = chosen(played, seat, nth, thought) {
                    return act(played, seat, &action, thought).map(|()| true);
                }
            }
        }
        let Some(seat) = asked.must else { return Ok(false) };
        let action = chosen(played, seat, usize::MAX, thought);
        if let Some(action) = action
            && act(played, seat, &action, thought).is_ok()
        {
            return Ok(true);
        }
        // A bot failed, so the house answers for it.
        let (game, mut chance) = (played.game, ChaCha::of(thought.chance, u64::MAX - 1));
        let answer = game.answer_for_house(observed(played, seat).table(), seat, &mut chance);
        let answer = answer.ok().flatten();
        let answer = answer
            .ok_or_else(|| Refusal::new("internal", "INTERNAL", "the house has no answer"))?;
        act(played, seat, &answer, thought).map(|()| true)
    }
}

fn act(played: &mut Played, seat: Seat, action: &[u8], by: &Thought) -> Result<(), Refusal> {
    let parsed = played.game.parse(action);
    let parsed = parsed.map_err(|it| Refusal::of_rules(played.game.name(), it))?;
    played.carry_out(&Command::Act(seat, parsed), by.now_ms).map(|_| ())
}

/// The choice of the bot on a seat; `None` if it waits.
fn chosen(played: &mut Played, seat: Seat, nth: usize, by: &Thought) -> Option<Bytes> {
    let level = bots::find(played.game, played.bot(seat)?)?;
    let (game, mut chance) = (played.game, ChaCha::of(by.chance, nth as u64));
    let mut budget = Iterations(by.iterations);
    // Rules that are compiled in do not fail.
    level.choose(game, observed(played, seat), &mut budget, &mut chance).ok()?
}

/// What a seat knows.
pub fn observed(played: &mut Played, seat: Seat) -> &Observation {
    let (layout, seats) = (played.game.layout(), played.row.seats as u8);
    let new = || (0, Observation::new(layout, seats, seat));
    let (heard, observation) = played.observations.entry(seat).or_insert_with(new);
    played.entries[*heard..].iter().for_each(|it| observation.hear(&it.entry));
    *heard = played.entries.len();
    observation
}
