//! The house's answers for absent seats: those that resigned, those whose time ran out, and those
//! that declared a standing answer.
//!
//! See `docs/decisions/0003-the-house-answers-inside-the-entry.md`.

use crate::{Chance, Dealer, DecisionId, Rules, Seat, Table, any_of, draws::choose};

/// The maximum number of actions that the house takes within one entry; a turn takes a few. A match
/// that needs more continues with the next entry instead of blocking the service, and the
/// invariants report the game.
pub(crate) const HOUSE_ACTIONS_MAX: usize = 1_000;

/// How often, at most, the house gives the same standing answer for a seat within one entry. A seat
/// that is asked more often in one round must answer itself.
const STANDING_ANSWERS_MAX: usize = 16;

/// Answers for seats that resigned or declared a standing answer, within the entry of the action
/// that prompted them, so the log keeps one entry per action.
///
/// Standing answers within one entry are given in one round only. So even if every seat has
/// declared every standing answer, an entry spans at most one round before a seat is asked: no
/// match plays itself to its end, and entries stay short.
pub(crate) fn answer_for_absent<G: Rules>(d: &mut Dealer) {
    if d.resigned().is_empty() && d.standing().is_empty() {
        return;
    }
    let mut given = Vec::new();
    for _ in 0..HOUSE_ACTIONS_MAX {
        d.close_optional_of_resigned();
        let Some(seat) = first_absent::<G>(d, &given) else { return };
        if !d.resigned().has(seat) {
            given.extend(Given::next(d, seat));
        }
        answer_for::<G>(d, seat);
    }
}

/// Gives the answer of the house for a seat that has to decide.
pub(crate) fn answer_for<G: Rules>(d: &mut Dealer, seat: Seat) {
    let passive = G::passive(d, seat);
    let action = passive.unwrap_or_else(|| chosen_by_chance::<G>(d, seat));
    let accepted = G::act(d, seat, &action);
    accepted.expect("what a game calls passive or legal it accepts");
}

/// A standing answer that the house gave.
#[derive(Clone, Copy)]
struct Given {
    seat: Seat,
    decision: DecisionId,
    round: u8,
}

impl Given {
    /// The next standing answer that the house would give.
    fn next(table: &Table, seat: Seat) -> Option<Given> {
        let decision = table.prompt(seat)?.decision;
        Some(Given { seat, decision, round: table.round() })
    }

    /// Whether the house may still give this answer in the entry in which it gave others.
    fn is_due(self, given: &[Given]) -> bool {
        let mut alike = given
            .iter()
            .filter(|it| (it.seat, it.decision) == (self.seat, self.decision))
            .peekable();
        alike.peek().is_none_or(|first| first.round == self.round)
            && alike.count() < STANDING_ANSWERS_MAX
    }
}

fn first_absent<G: Rules>(table: &Table, given: &[Given]) -> Option<Seat> {
    let mut asked = table.live().filter(|prompt| prompt.must).map(|prompt| prompt.seat);
    asked.find(|&seat| is_absent::<G>(table, seat, given))
}

/// Whether the house answers a seat's current prompt.
fn is_absent<G: Rules>(table: &Table, seat: Seat, given: &[Given]) -> bool {
    let stands = || {
        let next = Given::next(table, seat);
        next.is_some_and(|it| table.stands(seat, it.decision) && it.is_due(given))
            && !G::concerns(table, seat)
    };
    table.resigned().has(seat) || (stands() && G::passive(table, seat).is_some())
}

fn chosen_by_chance<G: Rules>(d: &mut Dealer, seat: Seat) -> G::Action {
    let answers = answers::<G>(d, seat);
    choose(&answers, std::mem::discriminant, |_| 1, |limit| d.pick(limit)).clone()
}

fn answers<G: Rules>(table: &Table, seat: Seat) -> Vec<G::Action> {
    let mut legal = G::legal(table, seat);
    legal.retain(G::answers);
    legal
}

/// The house's answer for a seat that has a prompt.
pub fn house_answer<G: Rules>(
    table: &Table,
    seat: Seat,
    chance: &mut dyn Chance,
) -> Option<G::Action> {
    G::passive(table, seat).or_else(|| any_of(answers::<G>(table, seat), chance))
}
