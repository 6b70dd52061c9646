//! The nights of a hideout, and how time passes in it.

use table::{Dealer, Seat, Set};

use super::vocabulary::{Announcement, Coin::IskToken, Person, Place, Place::*};

/// The places of a seat's people: hand, hideout and refresh area.
pub(super) fn own_places(seat: Seat) -> impl Iterator<Item = Place> {
    [Hand(seat), RefreshArea(seat)].into_iter().chain(hideout(seat))
}

/// §1.5 The nights of a hideout, without the refresh area.
pub(super) fn hideout(seat: Seat) -> impl Iterator<Item = Place> + Clone {
    [FirstNight(seat), SecondNight(seat), ThirdNight(seat)].into_iter()
}

/// §3.2, with coins moved like cards, §3.6. On a first turn the hideout is empty, §3.3.
pub(super) fn advance_time(d: &mut Dealer, seat: Seat) {
    let steps = [
        (ThirdNight(seat), RefreshArea(seat), Coffers),
        (SecondNight(seat), ThirdNight(seat), ThirdNight(seat)),
        (FirstNight(seat), SecondNight(seat), SecondNight(seat)),
    ];
    for (night, next, coins_to) in steps {
        d.gather(night, next);
        d.pay_all(IskToken, night, coins_to);
    }
}

/// Announces the advance, because it is not the one that begins each turn.
pub(super) fn advance_again(d: &mut Dealer, seat: Seat) {
    d.announce(Announcement::TimeAdvances, seat, 0);
    advance_time(d, seat);
}

/// §6.1; no hand limit follows, §6.2.
pub(super) fn refresh(d: &mut Dealer, seat: Seat) {
    // One by one, so that everyone is told which.
    let refreshed: Set<Person> = d.pieces(RefreshArea(seat));
    refreshed.iter().for_each(|card| d.put(card, Hand(seat)));
}
