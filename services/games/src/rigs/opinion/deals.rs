//! How a player values deals (§5).
//!
//! A deal is good for both seats if the stock of each is worth more to it afterwards. The worth of
//! a stock does not depend on what deals change, and a seat wants more for a plot or RIGS than
//! others pay. So nothing is traded back, and a match among such players ends.

use table::{Component, OfferItem, Seat, Small};

use super::mind::{CREDIT, DEAL, Mind, NEVER, land};
use crate::rigs::{
    actions::Bundle,
    colony::stock,
    vocabulary::{
        Coin::{self, *},
        Mark::*,
        Plot, Resource,
    },
};

/// Credits above this maximum are not counted; no seat has as many.
const CREDITS_MAX: u32 = 10_000;

/// The value of an idle RIGS per remaining round, when bought and when sold.
const BOUGHT: i32 = 10;
const SOLD: i32 = 60;

impl Mind<'_> {
    /// §5.12: one offer per turn, by which both gain and which the other has reason to accept.
    pub(super) fn offer(&self, to: Seat, give: &Bundle, take: &Bundle) -> i32 {
        if self.table.is_marked(Offers(self.seat)) {
            return NEVER;
        }
        let gain = self.gain(take, give);
        let theirs = Mind::of(self.table, to).gain(give, take);
        let is_good = self.is_fair(gain, theirs) && self.is_fair(theirs, gain);
        if is_good && gain > CREDIT / 2 { DEAL + gain } else { NEVER }
    }

    /// §5.8: above 0 if an open offer should be accepted.
    pub(super) fn answer(&self, by: Seat) -> i32 {
        let mut offers = self.table.offers().iter();
        let Some(offer) = offers.find(|it| (it.by, it.to) == (by, self.seat)) else { return -1 };
        let (gets, gives) = (bundle(&offer.give), bundle(&offer.take));
        let gain = self.gain(&gets, &gives);
        let theirs = Mind::of(self.table, by).gain(&gives, &gets);
        if self.is_fair(gain, theirs) { DEAL + gain } else { -1 }
    }

    /// Whether a gain is worth the other side's gain, which matters less the more rivals there are.
    fn is_fair(&self, gain: i32, theirs: i32) -> bool {
        let rivals = self.table.seat_count() as i32 - 1;
        gain > 0 && gain * if rivals > 1 { 2 * rivals } else { 1 } > theirs
    }

    fn gain(&self, gets: &Bundle, gives: &Bundle) -> i32 {
        let have = stock(self.table, self.seat);
        let stored = |it: Resource| {
            let now = have.get(it) as i32;
            let then = now + gets.units.get(it) as i32 - gives.units.get(it) as i32;
            self.stored(it, then) - self.stored(it, now)
        };
        let credits = |it: &Bundle| it.credits.min(CREDITS_MAX) as i32 * CREDIT;
        let bought: i32 = gets.plots.iter().map(|it| land(self.table, it)).sum();
        let sold: i32 = gives.plots.iter().map(|it| 2 * self.plot(it)).sum();
        let rigs = (gets.rigs as i32 * BOUGHT - gives.rigs as i32 * SOLD) * self.left;
        let units: i32 = Resource::all().map(stored).sum();
        units + credits(gets) - credits(gives) + bought - sold + rigs
    }
}

fn bundle(items: &[OfferItem]) -> Bundle {
    let mut bundle = Bundle::default();
    for item in items {
        match *item {
            OfferItem::Piece { piece, .. } => {
                Plot::of(piece).into_iter().for_each(|it| bundle.plots.add(it));
            }
            OfferItem::Coins { coin, amount, .. } => match coin.to::<Coin>() {
                Some(Unit(resource)) => bundle.units.0[resource.index()] += amount,
                Some(Credit) => bundle.credits = amount,
                Some(Rig) => bundle.rigs = amount,
                Some(Script(_) | Counted) | None => {}
            },
        }
    }
    bundle
}
