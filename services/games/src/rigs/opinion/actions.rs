//! The appeal of an action.

use table::{Seat, Table};

use super::{
    karma::keep,
    mind::{CREDIT, DEAL, DIE, Mind, NEVER, PATIENCE, land},
};
use crate::rigs::{
    actions::Action,
    colony::rigs_at,
    market,
    phases::ROUNDS,
    vocabulary::{Karma, Place::*, Resource::Metal},
};

pub(in crate::rigs) fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
    let mind = || Mind::of(table, seat);
    match action {
        Action::Ready | Action::Pass | Action::LastCall => 0,
        Action::Grant { plot, .. } => land(table, *plot),
        Action::Name { seat: named } => i32::from(*named == seat),
        Action::Build => mind().build(),
        Action::Move { from, to } => mind().moving(*from, *to),
        Action::Survey { plot } => mind().survey(*plot),
        Action::Borrow { resource } => mind().borrow(*resource),
        // §7.4, §18.4
        Action::Repay { resource } => 4 * DIE - 2 * mind().price(*resource),
        Action::Offer { to, give, take } => mind().offer(*to, give, take),
        Action::Accept { by } => mind().answer(*by),
        Action::Refuse { by } => {
            if mind().answer(*by) > 0 {
                -1
            } else {
                DEAL / 2
            }
        }
        Action::Withdraw | Action::Unready | Action::Show { .. } => NEVER,
        Action::Play { card, aim } => mind().play(*card, aim),
        Action::Cash => rigs_at(table, Recycled) as i32 * mind().price(Metal) - 1,
        Action::Tinker => rigs_at(table, Parts) as i32 * 20 - 10,
        Action::Discard { card } => mind().discard(*card),
        Action::Take { card } => keep(*card),
        Action::Salvage { card } => i32::from(*card == Karma::PartsShop),
        Action::Lose { from } => -mind().rig(*from),
        Action::Throw { units } => -mind().units(*units),
        Action::Gain { units } => mind().units(*units),
        Action::Send { to } => mind().send(*to),
        Action::DrawThree | Action::Claim => 1,
        Action::Receive => 0,
        Action::Power { plots } => mind().power(*plots),
        // §11.2, §11.3
        Action::Sell { amount } => {
            let kept = if table.round() == ROUNDS { 0 } else { PATIENCE };
            *amount as i32 * (market::price_for(table, seat) as i32 * CREDIT - kept)
        }
        // §16.5: half a unit more on average.
        Action::Raise { units } => mind().units(*units) / 2,
        // §20.3
        Action::Series { answers } => match answers[..] {
            [Action::Name { .. }, ..] => 2,
            _ => NEVER,
        },
    }
}
