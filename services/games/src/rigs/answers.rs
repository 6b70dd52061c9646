//! Which actions answer which decision, and the functions that carry them out.

use table::{Dealer, Seat};

use super::{
    actions::Action,
    deals, disasters,
    karma::{in_play, play},
    losses, market, player, production,
    refusals::Refusal,
    vocabulary::Decision,
};

/// §6.4, §7.2, §12.5: each decision accepts its own actions and no others.
pub(super) fn answer(
    d: &mut Dealer,
    seat: Seat,
    decision: Decision,
    action: &Action,
) -> Result<(), Refusal> {
    use Action::*;
    match (decision, action) {
        (Decision::Grant, Grant { plot, order }) => player::grant(d, seat, *plot, order),
        (Decision::GrantTo, &Name { seat: to }) => player::grant_to(d, seat, to),
        (Decision::Turn, Ready) => player::end_turn(d, seat),
        (Decision::Turn, &Build) => player::build(d, seat),
        (Decision::Turn, &Move { from, to }) => player::move_rig(d, seat, from, to),
        (Decision::Turn, &Survey { plot }) => player::survey(d, seat, plot),
        (
            Decision::Turn
            | Decision::Interrupt
            | Decision::Produce
            | Decision::CallLast
            | Decision::Readjust,
            &Borrow { resource },
        ) => player::borrow(d, seat, resource),
        (Decision::Turn, &Repay { resource }) => player::repay(d, seat, resource),
        (Decision::Turn | Decision::Interrupt, Cash) => in_play::cash(d, seat),
        (Decision::Turn | Decision::Interrupt, Tinker) => in_play::tinker(d, seat),
        (Decision::Turn | Decision::Interrupt | Decision::Produce, Offer { to, give, take }) => {
            deals::offer(d, seat, *to, give, take)
        }
        (
            Decision::Turn | Decision::Interrupt | Decision::Produce | Decision::CallLast,
            Withdraw,
        ) => deals::withdraw(d, seat),
        (
            Decision::Turn | Decision::Interrupt | Decision::Produce | Decision::CallLast,
            &Accept { by },
        ) => deals::accept(d, seat, by),
        (
            Decision::Turn | Decision::Interrupt | Decision::Produce | Decision::CallLast,
            &Refuse { by },
        ) => deals::refuse(d, seat, by),
        (Decision::Discard, &Discard { card }) => player::discard(d, seat, card),
        (Decision::Deal, &Name { seat: to }) => disasters::deal_to(d, seat, to),
        (Decision::Exchange, Pass) => disasters::decline_exchange(d, seat),
        (Decision::Exchange, &Discard { card }) => disasters::exchange(d, seat, card),
        (Decision::LoseRigs, &Lose { from }) => losses::lose_rig(d, seat, from),
        (Decision::Produce | Decision::Readjust, &Power { plots }) => {
            production::power(d, seat, plots)
        }
        (Decision::Produce, Ready) => production::ready(d, seat),
        (Decision::Produce | Decision::CallLast, Unready) => production::unready(d, seat),
        (Decision::CallLast, LastCall) => production::call_last(d, seat),
        (Decision::Readjust, Ready) => production::readjusted(d, seat),
        (Decision::Final, Pass) => production::pass(d, seat),
        (Decision::Draw, &Name { seat: drawer }) => market::draw(d, seat, drawer),
        (Decision::Sell, &Sell { amount }) => market::sell(d, seat, amount),
        (Decision::Sell, Ready) => market::ready(d, seat),
        (decision, Play { card, aim }) => play::play(d, seat, decision, *card, aim),
        (decision, action) => play::answer(d, seat, decision, action),
    }
}
