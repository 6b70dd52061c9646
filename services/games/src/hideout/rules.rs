//! The implementation of `Rules` for both games.

use std::ops::RangeInclusive;

use bytes::Bytes;
use table::{
    ActionFilter, BadOption, Chance, Dealer, Layout, Listed, Malformed, OptionSpec, Options, Rules,
    Seat, Set, Table,
};

use super::{
    absent,
    actions::Action,
    invariants, legal, opinion,
    refusals::Refusal,
    renamed::rename,
    ruleset::{Hideout, Ruleset},
    set_up, teams, turns,
    vocabulary::Place::*,
};
use crate::first_seat;

/// The table handles resignations, §11.1, and answers for resigned seats, §11.2.
impl<G: Ruleset> Rules for Hideout<G> {
    const NAME: &'static str = G::NAME;
    /// §2.1
    const SEATS: RangeInclusive<u8> = 2..=4;
    const VERSION: u32 = G::VERSION;
    const OPTIONS: &'static [OptionSpec] = G::OPTIONS;
    type Action = Action;
    type Refusal = Refusal;

    fn layout() -> &'static Layout {
        G::layout()
    }

    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        G::parse(message)
    }

    fn print(action: &Action) -> Bytes {
        G::print(action)
    }

    fn verb(action: &Action) -> &'static str {
        rename::<G>(match action {
            Action::Choose { what, .. } => what.into(),
            other => other.into(),
        })
    }

    /// §2.6
    fn fits(options: &Options, seats: u8) -> Result<(), BadOption> {
        first_seat::fits(options, seats)
    }

    fn set_up(d: &mut Dealer, options: &Options) {
        set_up::set_up::<G>(d, options);
    }

    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        legal::all::<G>(table, seat)
    }

    fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
        legal::any::<G>(table, seat, chance)
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        let decision =
            d.decision(seat).expect("the table lets only a seat act that has a decision");
        turns::refuse::<G>(d, seat, decision, action)?;
        let resolved = turns::carry_out::<G>(d, seat, decision, action);
        turns::finish_action::<G>(d, seat, resolved);
        Ok(())
    }

    /// §11.5
    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        absent::passive::<G>(table, seat)
    }

    /// §11.3
    fn open_ended(table: &Table, seat: Seat, action: &Action) -> bool {
        let Action::CompleteJob { job, .. } = *action else { return false };
        teams::count::<G>(table.pieces(Hand(seat)), Set::EMPTY, job) > teams::LISTED_MAX
    }

    /// §11.4
    fn list(table: &Table, seat: Seat, filter: &ActionFilter) -> Vec<Listed<Action>> {
        legal::list::<G>(table, seat, filter)
    }

    const HAS_OPINION: bool = true;

    fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
        opinion::appeal::<G>(table, seat, action)
    }

    fn worth(table: &Table, seat: Seat) -> i32 {
        opinion::worth::<G>(table, seat)
    }

    fn check(table: &Table) -> Result<(), String> {
        invariants::check(table)
    }
}
