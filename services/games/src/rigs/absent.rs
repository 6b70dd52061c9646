//! The house's answers for a seat that is away (§20.8), and the decisions that concern a seat
//! despite its standing answer (§20.7).

// A wildcard arm would cover future decisions.
#![deny(clippy::wildcard_enum_match_arm)]

use table::{Seat, Table};

use super::{
    actions::{Action, Location},
    colony::{LENT, owner, plots, rigs_at, spots_for, survey_of, units},
    karma::sabotage,
    market, player, production,
    vocabulary::{Decision, Mark::*, Place::*, Resource},
};

/// §20.8: `None` if every answer would commit the seat; a resigned seat's answer is then random.
pub(super) fn passive(table: &Table, seat: Seat) -> Option<Action> {
    match table.decision::<Decision>(seat)? {
        Decision::Turn => Some(Action::Ready),
        Decision::Deal => {
            let next = table.from(seat).find(|&it| !table.is_marked(Dealt(it)));
            next.map(|seat| Action::Name { seat })
        }
        // An idle RIGS costs the seat least.
        Decision::LoseRigs => {
            let idle = rigs_at(table, Warehouse(seat)) > 0;
            idle.then_some(Action::Lose { from: Location::Warehouse(seat) })
        }
        Decision::Produce | Decision::Readjust => Some(production::passive(table, seat)),
        Decision::CallLast => Some(Action::LastCall),
        Decision::Draw => Some(Action::Name { seat }),
        Decision::Sell => Some(market::passive(table, seat)),
        Decision::Exchange
        | Decision::Final
        | Decision::React
        | Decision::GiveDecoy
        | Decision::Raise
        | Decision::TradeIn
        | Decision::Retrieve => Some(Action::Pass),
        Decision::Robbed => Some(Action::DrawThree),
        // The RIGS stay with the owner of the plot.
        Decision::Send => {
            let owner = sabotage::next_to_send(table).and_then(|it| owner(table, it.0));
            owner.map(|owner| Action::Send { to: Location::Warehouse(owner) })
        }
        Decision::Grant
        | Decision::GrantTo
        | Decision::Interrupt
        | Decision::Discard
        | Decision::TakeCard
        | Decision::DiscardTheirs
        | Decision::Throw
        | Decision::Match
        | Decision::Gain
        | Decision::Salvage
        | Decision::NewOwner
        | Decision::Share => None,
    }
}

/// §20.7: whether a decision concerns a seat despite its standing answer. It reads only what
/// everyone sees.
type Concerns = fn(&Table, Seat) -> bool;

/// §20.7: `None` for a decision that cannot have a standing answer.
fn standing(decision: Decision) -> Option<Concerns> {
    let concerns: Concerns = match decision {
        Decision::Turn => {
            |table, seat| is_touched(table, seat) || has_work(table, seat) || can_buy(table, seat)
        }
        Decision::Produce => {
            |table, seat| is_touched(table, seat) || production::is_short(table, seat)
        }
        Decision::Final => is_touched,
        Decision::Sell => {
            |table, seat| is_touched(table, seat) || units(table, seat, Resource::Luxury) > 0
        }
        Decision::React => sabotage::is_affected,
        Decision::Deal | Decision::Exchange => |_, _| false,
        Decision::Grant
        | Decision::GrantTo
        | Decision::Interrupt
        | Decision::Discard
        | Decision::LoseRigs
        | Decision::CallLast
        | Decision::Readjust
        | Decision::Draw
        | Decision::GiveDecoy
        | Decision::TakeCard
        | Decision::DiscardTheirs
        | Decision::Throw
        | Decision::Match
        | Decision::Gain
        | Decision::Salvage
        | Decision::Send
        | Decision::NewOwner
        | Decision::Share
        | Decision::Robbed
        | Decision::Raise
        | Decision::TradeIn
        | Decision::Retrieve => return None,
    };
    Some(concerns)
}

pub(super) fn may_stand(decision: Decision) -> bool {
    standing(decision).is_some()
}

/// §20.12: the decisions that every seat lets the house answer until it says otherwise. Neither has
/// a choice that matters unless it concerns the seat: disasters are shuffled, so each order gives
/// each seat every disaster alike, and every card for the Production phase can still be played
/// after the Last Call.
pub(super) fn stands_at_first(decision: Decision) -> bool {
    matches!(decision, Decision::Deal | Decision::Produce)
}

pub(super) fn concerns(table: &Table, seat: Seat) -> bool {
    let Some(decision) = table.decision::<Decision>(seat) else { return false };
    standing(decision).is_none_or(|concerns| concerns(table, seat))
}

fn is_touched(table: &Table, seat: Seat) -> bool {
    table.is_marked(Touched(seat)) || table.offers().iter().any(|offer| offer.to == seat)
}

/// Whether a seat can build, put an idle RIGS to work, or survey a plot.
fn has_work(table: &Table, seat: Seat) -> bool {
    if player::can_build(table, seat) {
        return true;
    }
    if units(table, seat, Resource::Supply) == 0 {
        return false;
    }
    let home = Location::Warehouse(seat);
    let mut plots = plots(table, seat);
    let has_room = |plot| spots_for(table, home, plot).next().is_some();
    let idle = rigs_at(table, Warehouse(seat)) > 0 && plots.clone().any(has_room);
    let unknown = |plot| survey_of(table, plot).is_none();
    idle || (!table.is_bare(SurveyDeck) && plots.any(unknown))
}

/// How many units of a resource a seat holds before it can spare some.
const KEPT: u32 = 2;

/// Whether a seat lacks a resource that another has to spare.
fn can_buy(table: &Table, seat: Seat) -> bool {
    let spares = |it| table.others(seat).any(|other| units(table, other, it) > KEPT);
    LENT.into_iter().any(|it| units(table, seat, it) == 0 && spares(it))
}
