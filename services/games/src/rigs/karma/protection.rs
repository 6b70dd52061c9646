//! Protection (§17), except the cards that are played in answer to a Sabotage: see
//! [`super::sabotage`].

use table::{Dealer, Seat, Small, Table};

use super::hands::show_hand;
use crate::rigs::{
    actions::Aim,
    colony::pay,
    losses::lost_units,
    showing::note_credits,
    vocabulary::{Karma, Mark::*, Place::*, Resource},
};

/// §17.3: Warehouse Insurance needs a loss.
pub(super) fn aims(table: &Table, seat: Seat, card: Karma) -> Vec<Aim> {
    match card {
        Karma::WarehouseInsurance if lost_units(table, seat).total() == 0 => Vec::new(),
        _ => vec![Aim::Nothing],
    }
}

pub(super) fn play(d: &mut Dealer, seat: Seat, card: Karma) {
    match card {
        // §17.3
        Karma::WarehouseInsurance => {
            d.put(card, KarmaDiscard);
            pay(d, lost_units(d, seat), Bank, Warehouse(seat));
            Resource::all().for_each(|it| d.mark(Lost(seat, it), 0));
        }
        // §17.5
        Karma::ALittleInformation => {
            d.put(card, KarmaDiscard);
            reveal_secrets(d, seat);
        }
        // §17.1, §17.2, §17.4
        card => d.put(card, InPlay(seat)),
    }
}

/// §17.5
fn reveal_secrets(d: &mut Dealer, seat: Seat) {
    for other in d.others(seat) {
        show_hand(d, seat, other);
        note_credits(d, seat, other);
    }
}

// === Cards in play that roll against a Sabotage ===

const GUARDS: [Karma; 2] = [Karma::RigsAlarmSystem, Karma::IveGotADonk];

pub(super) fn has_guards(table: &Table, seat: Seat) -> bool {
    GUARDS.into_iter().any(|card| table.lies(card, InPlay(seat)))
}

/// §14.11, §17.1, §17.4: rolls for the cards that a seat has in play, and returns whether one of
/// them saves it.
pub(super) fn roll_to_protect(d: &mut Dealer, seat: Seat) -> bool {
    for card in GUARDS.into_iter().filter(|&card| d.lies(card, InPlay(seat))).collect::<Vec<_>>() {
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
