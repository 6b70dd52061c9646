//! The set-up of a match.

use table::Dealer;

use super::{
    colony::LENT,
    phases::ROUNDS,
    player,
    vocabulary::{Coin::*, Place::*, Resource},
};

/// §1.7
const RIGS_IN_THE_COLONY: u32 = 75;
/// §1.8: scripts of each resource that Vinnie lends.
const SCRIPTS: u32 = 20;
/// §2.1: credits, RIGS, and units of Energy and of Supply.
const KIT: (u32, u32, u32) = (100, 5, 5);
/// §2.2: plots dealt to all seats together.
const PLOTS_DEALT: usize = 12;

/// §2
pub(super) fn set_up(d: &mut Dealer) {
    d.pay(Rig, Bank, Works, RIGS_IN_THE_COLONY);
    LENT.into_iter().for_each(|it| d.pay(Script(it), Bank, Vinnie, SCRIPTS));
    // §2.3
    for _ in 0..ROUNDS {
        d.draw(EndMarketDeck, MarketDeck);
    }
    let (credits, rigs, units) = KIT;
    for seat in d.seats() {
        d.pay_aloud(Credit, Bank, Purse(seat), credits);
        d.pay(Rig, Works, Warehouse(seat), rigs);
        d.pay(Unit(Resource::Energy), Bank, Warehouse(seat), units);
        d.pay(Unit(Resource::Supply), Bank, Warehouse(seat), units);
        for _ in 0..PLOTS_DEALT / d.seat_count() {
            d.draw(PlotDeck, Owned(seat));
        }
    }
    player::begin_round(d, 1);
}
