//! The implementation of `Rules` for R.I.G.S.

use std::ops::RangeInclusive;

use bytes::Bytes;
use table::{
    ActionFilter, Chance, Dealer, DecisionId, Layout, Listed, Malformed, Options, Rules, Seat,
    Table, listed,
};

use super::{
    absent,
    actions::{self, Action, Aim},
    answers, invariants,
    layout::LAYOUT,
    legal, opinion,
    refusals::Refusal,
    rounds, series, set_up, showing,
};

pub struct Rigs;

impl Rules for Rigs {
    const NAME: &'static str = "rigs";
    /// §19.1
    const SEATS: RangeInclusive<u8> = 2..=4;
    const VERSION: u32 = 3;
    type Action = Action;
    type Refusal = Refusal;

    fn layout() -> &'static Layout {
        &LAYOUT
    }

    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        actions::parse(message)
    }

    fn print(action: &Action) -> Bytes {
        actions::print(action)
    }

    fn verb(action: &Action) -> &'static str {
        action.into()
    }

    fn set_up(d: &mut Dealer, _: &Options) {
        set_up::set_up(d);
    }

    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        legal::all(table, seat)
    }

    /// §19.2
    fn list(table: &Table, seat: Seat, filter: &ActionFilter) -> Vec<Listed<Action>> {
        listed::<Self>(legal::asked_for(table, seat, filter), table, seat, filter)
    }

    fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
        legal::any(table, seat, chance)
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        let decision = d.decision(seat).ok_or(Refusal::NotNow)?;
        match action {
            // It answers no prompt, so the match does not advance.
            Action::Show { cards, credits, to } => {
                return showing::show(d, seat, *cards, *credits, to);
            }
            Action::Series { answers } => series::answer(d, seat, decision, answers)?,
            action => answers::answer(d, seat, decision, action)?,
        }
        rounds::advance(d);
        Ok(())
    }

    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        absent::passive(table, seat)
    }

    fn may_stand(decision: DecisionId) -> bool {
        decision.to().is_some_and(absent::may_stand)
    }

    fn stands_at_first(decision: DecisionId) -> bool {
        decision.to().is_some_and(absent::stands_at_first)
    }

    fn concerns(table: &Table, seat: Seat) -> bool {
        absent::concerns(table, seat)
    }

    /// §19.2
    fn open_ended(_: &Table, _: Seat, action: &Action) -> bool {
        match action {
            Action::Offer { .. }
            | Action::Power { .. }
            | Action::Raise { .. }
            | Action::Show { .. } => true,
            Action::Grant { order, .. } => !order.is_empty(),
            Action::Series { .. } => true,
            Action::Play { aim, .. } => {
                matches!(aim, Aim::Swap { .. } | Aim::Stake(_) | Aim::Loss { .. })
            }
            _ => false,
        }
    }

    /// §15.5: only the two seats learn which card is taken.
    fn in_secret(action: &Action) -> bool {
        matches!(action, Action::Take { .. })
    }

    const HAS_OPINION: bool = true;

    fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
        opinion::appeal(table, seat, action)
    }

    fn worth(table: &Table, seat: Seat) -> i32 {
        opinion::worth(table, seat)
    }

    fn check(table: &Table) -> Result<(), String> {
        invariants::check(table)
    }
}
