//! The fifth step of a turn: events, one after another.

use table::{Component, Dealer, Seat, Small, Table};

use super::{
    cards::Effect,
    refusals::Refusal,
    seats::{answers, bystanders, gain, has_seat, held, honor, members, move_honor, sides, target},
    vocabulary::{Announcement, Coin::*, Corporation, Decision, EventCard, Mark::*, Place::*},
};

/// §7.1, §7.2: draws and resolves the events that are due. Stops at one that needs a decision, and
/// is called again after the answer. Returns whether all are resolved.
pub(super) fn resolve(d: &mut Dealer) -> bool {
    while d.is_marked(EventsDue) {
        d.mark(EventsDue, d.marked(EventsDue) - 1);
        if d.is_bare(EventDeck) {
            d.gather(EventDiscard, EventDeck);
        }
        if let Some(event) = d.draw(EventDeck, Events).and_then(EventCard::of) {
            happen(d, event.effect());
        }
        if !d.prompts().is_empty() {
            return false;
        }
    }
    true
}

/// §7.11
const HEISTMASTERS_GAIN: u32 = 3;
/// §7.12
const BYSTANDERS_GAIN: u32 = 2;
/// §7.14
const ON_EACH_POT: u32 = 2;
/// §7.16
const FAVOR: u32 = 4;
/// §7.17
const LOW_HONOR: i32 = 5;

fn happen(d: &mut Dealer, effect: Effect) {
    let (honorable, dishonorable) = sides(d);
    let honors = || d.seats().map(|seat| honor(d, seat));
    let (least, most) = (honors().min(), honors().max());
    match effect {
        // §7.3, §7.5: counted with the payout.
        Effect::Payout(_) | Effect::DoublePayout => {}
        // §7.6
        Effect::OneMoreCard => {
            let deck = Deck(target(d));
            d.draw(deck, Payout);
        }
        // §7.7
        Effect::HonorableGainHonor => move_honor(d, honorable, 1),
        // §7.8
        Effect::DishonorableLoseHonor => move_honor(d, dishonorable, -1),
        // §7.9
        Effect::LowestGainHonor => move_honor(d, having(d, |it| Some(it) == least), 1),
        // §7.10
        Effect::HighestLoseHonor => move_honor(d, having(d, |it| Some(it) == most), -1),
        // §7.17
        Effect::LowGainHonor => move_honor(d, having(d, |it| it <= LOW_HONOR), 1),
        Effect::HeistmasterGains => gain(d, [d.turn()], HEISTMASTERS_GAIN),
        Effect::BystandersGain => gain(d, bystanders(d), BYSTANDERS_GAIN),
        // §7.13
        Effect::MembersPay => {
            for member in able(d, members(d)) {
                d.pay_aloud(Million, Stash(member), Reserve, 1);
            }
        }
        // §7.15: `able` is complete before anyone is paid.
        Effect::EachPaysLeft => {
            for seat in able(d, d.seats()) {
                d.pay_aloud(Million, Stash(seat), Stash(d.after(seat)), 1);
            }
        }
        Effect::PotsGrow => {
            Corporation::all().for_each(|it| d.pay(Million, Reserve, Pot(it), ON_EACH_POT));
        }
        // §7.18
        Effect::CountStashes => {
            for seat in d.seats() {
                d.announce(Announcement::StashHolds, seat, d.count(Stash(seat)) as i16);
            }
        }
        Effect::Favor => d.ask(d.turn(), Decision::Favor),
    }
}

fn having(table: &Table, honors: impl Fn(i32) -> bool) -> Vec<Seat> {
    table.seats().filter(|&seat| honors(honor(table, seat))).collect()
}

fn able(table: &Table, seats: impl IntoIterator<Item = Seat>) -> Vec<Seat> {
    seats.into_iter().filter(|&seat| held(table, seat) > 0).collect()
}

/// §7.16
pub(super) fn favor(d: &mut Dealer, seat: Seat, other: Seat) -> Result<(), Refusal> {
    answers(d, seat, &[Decision::Favor])?;
    has_seat(d, other)?;
    if d.is_marked(Member(other)) {
        return Err(Refusal::OnHeist { seat: other });
    }
    d.answer(seat);
    gain(d, [other], FAVOR);
    Ok(())
}
