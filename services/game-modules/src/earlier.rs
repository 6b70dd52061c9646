//! The rules of a game as another version of them, for tests of matches that began under it.

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use bytes::Bytes;
use croupier_game::table::{
    ActionFilter, BadOption, Chance, Dealer, DecisionId, Layout, Listed, Malformed, OptionSpec,
    Options, Rules, Seat, Table,
};

/// The rules of `G` before the present ones: they draw a number after each action, which no other
/// version does. So no entry can be decided by other rules without a difference, and what is drawn
/// after it differs, too. `ADDED` is for tests of games that are added: it names the game
/// `charlatan`, since no module is offered under the name of a game that is compiled in.
pub struct Earlier<G, const ADDED: bool = false>(PhantomData<G>);

impl<G: Rules, const ADDED: bool> Rules for Earlier<G, ADDED> {
    const NAME: &'static str = if ADDED { "charlatan" } else { G::NAME };
    const SEATS: RangeInclusive<u8> = G::SEATS;
    const VERSION: u32 = G::VERSION - 1;
    const OPTIONS: &'static [OptionSpec] = G::OPTIONS;
    const TALK: bool = G::TALK;

    type Action = G::Action;
    type Refusal = G::Refusal;

    fn layout() -> &'static Layout {
        G::layout()
    }

    fn parse(message: &[u8]) -> Result<G::Action, Malformed> {
        G::parse(message)
    }

    fn print(action: &G::Action) -> Bytes {
        G::print(action)
    }

    fn verb(action: &G::Action) -> &'static str {
        G::verb(action)
    }

    fn fits(options: &Options, seats: u8) -> Result<(), BadOption> {
        G::fits(options, seats)
    }

    fn set_up(d: &mut Dealer, options: &Options) {
        G::set_up(d, options);
    }

    fn legal(table: &Table, seat: Seat) -> Vec<G::Action> {
        G::legal(table, seat)
    }

    fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<G::Action> {
        G::any(table, seat, chance)
    }

    fn act(d: &mut Dealer, seat: Seat, action: &G::Action) -> Result<(), G::Refusal> {
        G::act(d, seat, action)?;
        d.pick(2);
        Ok(())
    }

    fn answers(action: &G::Action) -> bool {
        G::answers(action)
    }

    fn passive(table: &Table, seat: Seat) -> Option<G::Action> {
        G::passive(table, seat)
    }

    fn may_stand(decision: DecisionId) -> bool {
        G::may_stand(decision)
    }

    fn stands_at_first(decision: DecisionId) -> bool {
        G::stands_at_first(decision)
    }

    fn concerns(table: &Table, seat: Seat) -> bool {
        G::concerns(table, seat)
    }

    fn open_ended(table: &Table, seat: Seat, action: &G::Action) -> bool {
        G::open_ended(table, seat, action)
    }

    fn list(table: &Table, seat: Seat, filter: &ActionFilter) -> Vec<Listed<G::Action>> {
        G::list(table, seat, filter)
    }

    fn in_secret(action: &G::Action) -> bool {
        G::in_secret(action)
    }

    const HAS_OPINION: bool = G::HAS_OPINION;

    fn appeal(table: &Table, seat: Seat, action: &G::Action) -> i32 {
        G::appeal(table, seat, action)
    }

    fn worth(table: &Table, seat: Seat) -> i32 {
        G::worth(table, seat)
    }

    fn best_of(seats: u8) -> Option<u8> {
        G::best_of(seats)
    }

    fn begins_next(ended: &Table) -> Option<Seat> {
        G::begins_next(ended)
    }
}
