//! Protection that is played by itself. What answers a Sabotage is in [`super::sabotage`].

use table::{Dealer, Seat, Table};

use super::{destruction::show_hand, wealth::pay};
use crate::rigs::{Aim, Coin::*, Karma, Mark::*, Place::*, Resource, colony::lost_units};
use table::Small;

pub(super) fn aims(table: &Table, seat: Seat, card: Karma) -> Vec<Aim> {
    match card {
        Karma::WarehouseInsurance if lost_units(table, seat).total() == 0 => Vec::new(),
        _ => vec![Aim::Nothing],
    }
}

pub(super) fn play(d: &mut Dealer, seat: Seat, card: Karma) {
    match card {
        Karma::WarehouseInsurance => {
            d.put(card, KarmaDiscard);
            pay(d, lost_units(d, seat), Bank, Warehouse(seat));
            Resource::all().for_each(|it| d.mark(Lost(seat, it), 0));
        }
        Karma::ALittleInformation => {
            d.put(card, KarmaDiscard);
            reveal_secrets(d, seat);
        }
        card => d.put(card, InPlay(seat)),
    }
}

/// The hands are shown to the seat, and the credits it counts are noted where only it reads.
fn reveal_secrets(d: &mut Dealer, seat: Seat) {
    for whose in d.others(seat) {
        show_hand(d, seat, whose);
        d.pay_all(Counted, Notes(seat, whose), Notepad);
        let credits = d.coins(Credit, Purse(whose)).max(0) as u32;
        d.pay(Counted, Notepad, Notes(seat, whose), credits);
    }
}

// === Cards in play that answer a Sabotage by themselves ===

/// Rolls for the cards that a victim has in play, the alarm first.
pub(super) fn roll_to_protect(d: &mut Dealer, seat: Seat) -> bool {
    let in_play = [Karma::RigsAlarmSystem, Karma::IveGotADonk];
    for card in in_play.into_iter().filter(|&card| d.lies(card, InPlay(seat))).collect::<Vec<_>>() {
        let roll = d.roll(seat);
        let (saves, breaks) = match card {
            Karma::RigsAlarmSystem => (roll.is_multiple_of(2), roll == 1),
            _ => ((2..=5).contains(&roll), roll == 1 || roll == 6),
        };
        if breaks {
            d.put(card, KarmaDiscard);
        }
        if saves {
            return true;
        }
    }
    false
}
