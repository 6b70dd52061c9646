//! Repeated decisions, answered in one action (§20.3).

use table::{Dealer, Seat, Table};

use super::{
    actions::{Action, Location},
    answers,
    colony::{locations, place_of, rigs_at},
    disasters,
    karma::{in_play, sabotage},
    player,
    refusals::Refusal,
    vocabulary::{Decision, Karma, Mark::*, Place::*},
};

/// Refused as a whole if one of the answers is.
pub(super) fn answer(
    d: &mut Dealer,
    seat: Seat,
    decision: Decision,
    answers: &[Action],
) -> Result<(), Refusal> {
    if decision == Decision::Deal {
        return disasters::deal_in_order(d, seat, &named(answers)?);
    }
    d.all_or_nothing(|d| answers.iter().try_for_each(|it| answer_one(d, seat, decision, it)))
}

fn answer_one(
    d: &mut Dealer,
    seat: Seat,
    decision: Decision,
    answer: &Action,
) -> Result<(), Refusal> {
    let fits = match (decision, answer) {
        (Decision::GrantTo | Decision::Share, Action::Name { .. })
        | (Decision::Discard | Decision::Match, Action::Discard { .. })
        | (Decision::LoseRigs, Action::Lose { .. })
        | (Decision::Salvage, Action::Salvage { .. })
        | (Decision::Send, Action::Send { .. }) => d.decision(seat) == Some(decision),
        _ => false,
    };
    if !fits {
        return Err(Refusal::NotNow);
    }
    answers::answer(d, seat, decision, answer)
}

fn named(answers: &[Action]) -> Result<Vec<Seat>, Refusal> {
    let seat = |answer: &Action| match answer {
        &Action::Name { seat } => Ok(seat),
        _ => Err(Refusal::NotNow),
    };
    answers.iter().map(seat).collect()
}

/// §19.2: one or two examples.
pub(super) fn list(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let Some(decision) = table.decision(seat) else { return };
    let mut add = |answers: Vec<Action>| {
        if answers.len() > 1 {
            legal.push(Action::Series { answers });
        }
    };
    let due = usize::from(table.marked(Due(seat)).unsigned_abs());
    let discards = |count| {
        let hand = table.pieces::<Karma>(Hand(seat));
        hand.iter().take(count).map(|card| Action::Discard { card }).collect()
    };
    match decision {
        Decision::Deal => {
            let undealt: Vec<Seat> = disasters::undealt(table).collect();
            add(undealt.iter().map(|&seat| Action::Name { seat }).collect());
            add(undealt.iter().rev().map(|&seat| Action::Name { seat }).collect());
        }
        Decision::GrantTo => {
            let seats = player::without_plot(table, seat).take(table.count(Grant(seat)));
            add(seats.map(|seat| Action::Name { seat }).collect());
        }
        Decision::Discard => {
            add(discards(table.count(Hand(seat)).saturating_sub(player::HAND_MAX)));
        }
        Decision::Match => add(discards(due)),
        // With both cards in play, each lost RIGS is first put on one of them.
        Decision::LoseRigs if !in_play::salvages_by_choice(table, seat) => {
            let rigs = |from| rigs_at(table, place_of(from)) as usize;
            let all = locations(table, seat)
                .flat_map(|from| std::iter::repeat_n(Action::Lose { from }, rigs(from)));
            add(all.take(due).collect());
        }
        Decision::Salvage => {
            let rigs = rigs_at(table, Wreck(seat)) as usize;
            add(vec![Action::Salvage { card: Karma::Recycling }; rigs]);
        }
        Decision::Send => {
            if let Some((_, from)) = sabotage::next_to_send(table) {
                let rigs = rigs_at(table, place_of(from)) as usize;
                add(vec![Action::Send { to: Location::Warehouse(seat) }; rigs]);
            }
        }
        Decision::Share => {
            let recipients = sabotage::recipients(table);
            let units = sabotage::collected(table).total() as usize;
            let seats = recipients.into_iter().cycle().take(units);
            add(seats.map(|seat| Action::Name { seat }).collect());
        }
        _ => {}
    }
}
