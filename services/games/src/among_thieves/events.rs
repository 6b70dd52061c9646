//! The fifth step of a turn: events, one by one.

use table::{Component, Dealer, Seat, Small, Table};

use super::{
    Announcement, Coin::*, Corporation, Decision, EventCard, Mark::*, Place::*, Refusal, answers,
    bystanders, cards::Effect, gain, has_seat, heist, held, honor, members, move_honor, sides,
    target,
};

/// Draws and resolves the events that are due, then goes on to the reward. Stops where an event
/// asks somebody, and is called again with the answer.
pub(super) fn resolve(d: &mut Dealer) {
    while d.is_marked(EventsDue) {
        d.mark(EventsDue, d.marked(EventsDue) - 1);
        if d.is_bare(EventDeck) {
            d.gather(EventDiscard, EventDeck);
        }
        if let Some(event) = d.draw(EventDeck, Events).and_then(EventCard::of) {
            happen(d, event.effect());
        }
        if !d.prompts().is_empty() {
            return;
        }
    }
    heist::reward(d);
}

const HEISTMASTERS_GAIN: u32 = 3;
const BYSTANDERS_GAIN: u32 = 2;
const ON_EACH_POT: u32 = 2;
const FAVOR: u32 = 4;
const LOW_HONOR: i32 = 5;

fn happen(d: &mut Dealer, effect: Effect) {
    let (honorable, dishonorable) = sides(d);
    let honors = || d.seats().map(|seat| honor(d, seat));
    let (least, most) = (honors().min(), honors().max());
    match effect {
        // These lie among the events until the payout is counted.
        Effect::Payout(_) | Effect::DoublePayout => {}
        Effect::OneMoreCard => {
            let deck = Deck(target(d));
            d.draw(deck, Payout);
        }
        Effect::HonorableGainHonor => move_honor(d, honorable, 1),
        Effect::DishonorableLoseHonor => move_honor(d, dishonorable, -1),
        Effect::LowestGainHonor => move_honor(d, having(d, |it| Some(it) == least), 1),
        Effect::HighestLoseHonor => move_honor(d, having(d, |it| Some(it) == most), -1),
        Effect::LowGainHonor => move_honor(d, having(d, |it| it <= LOW_HONOR), 1),
        Effect::HeistmasterGains => gain(d, [d.turn()], HEISTMASTERS_GAIN),
        Effect::BystandersGain => gain(d, bystanders(d), BYSTANDERS_GAIN),
        Effect::MembersPay => {
            for member in able(d, members(d)) {
                d.pay_aloud(Million, Stash(member), Reserve, 1);
            }
        }
        Effect::EachPaysLeft => {
            // Who can pay is settled before anyone is paid.
            for seat in able(d, d.seats()) {
                d.pay_aloud(Million, Stash(seat), Stash(d.after(seat)), 1);
            }
        }
        Effect::PotsGrow => {
            Corporation::all().for_each(|it| d.pay(Million, Reserve, Pot(it), ON_EACH_POT));
        }
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

pub(super) fn favor(d: &mut Dealer, seat: Seat, other: Seat) -> Result<(), Refusal> {
    answers(d, seat, &[Decision::Favor])?;
    has_seat(d, other)?;
    if d.is_marked(Member(other)) {
        return Err(Refusal::OnHeist { seat: other });
    }
    d.answer(seat);
    gain(d, [other], FAVOR);
    resolve(d);
    Ok(())
}
