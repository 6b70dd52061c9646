//! The turn of a Heistmaster, step by step.

use table::{Dealer, Seat, Seats, Small, Table};

use super::{
    cards::{Effect, disc},
    deals::{self, deals_with},
    ending, events,
    refusals::Refusal,
    seats::{answers, gain, has_seat, holds, members, move_honor, sides, target},
    vocabulary::{
        Announcement, Card, Coin::*, Corporation, Decision, EventCard, Mark::*, Place::*,
    },
};

// === 1. The team ===

/// §3.1, §3.2, §3.3; §3.6, §3.10: turns are counted, and each begins without offers.
pub(super) fn begin_turn(d: &mut Dealer, heistmaster: Seat) {
    d.begin_turn(heistmaster);
    d.mark(TurnsBegun, d.marked(TurnsBegun).saturating_add(1));
    d.seats().for_each(|seat| d.mark(OffersMade(seat), 0));
    d.others(heistmaster).for_each(|other| d.allow(other, Decision::Deal));
    d.ask(heistmaster, Decision::Assemble);
}

/// §3.3, §3.4, §3.6; §3.9: an offer left open would show what its maker still has.
pub(super) fn pay(
    d: &mut Dealer,
    seat: Seat,
    to: Seat,
    millions: u32,
    turn: u32,
) -> Result<(), Refusal> {
    deals_with(d, seat, to)?;
    deals::belongs(d, turn)?;
    if millions == 0 {
        return Err(Refusal::NothingPaid);
    }
    holds(d, seat, millions)?;
    d.close_offer(seat);
    d.pay(Million, Stash(seat), Stash(to), millions);
    Ok(())
}

/// §3.1
pub(super) fn team_size(table: &Table) -> usize {
    table.seat_count().div_ceil(2)
}

/// §3.1, §3.5
pub(super) fn assemble(d: &mut Dealer, seat: Seat, team: Seats) -> Result<(), Refusal> {
    answers(d, seat, &[Decision::Assemble])?;
    team.iter().try_for_each(|member| has_seat(d, member))?;
    let (size, chosen) = (team_size(d), team.len());
    if chosen != size {
        return Err(Refusal::TeamSize { size, chosen });
    }
    d.close_optional();
    deals::close_all(d);
    d.answer(seat);
    d.announce(Announcement::Assembles, seat, 0);
    for member in d.from(seat).filter(|&it| team.has(it)) {
        d.mark(Member(member), 1);
        d.announce(Announcement::Joins, member, 0);
    }
    d.ask(seat, Decision::Blackmail);
    Ok(())
}

// === 2. The corporation ===

/// §4.2: millions added to each of the other pots.
const SPARED: u32 = 2;

/// §4.1, §4.2
pub(super) fn blackmail(
    d: &mut Dealer,
    seat: Seat,
    corporation: Corporation,
) -> Result<(), Refusal> {
    answers(d, seat, &[Decision::Blackmail])?;
    d.answer(seat);
    d.set(Target, Some(corporation));
    d.announce(Announcement::Blackmails(corporation), seat, 0);
    d.pay_all(Million, Pot(corporation), Stash(seat));
    for spared in Corporation::all().filter(|&it| it != corporation) {
        d.pay(Million, Reserve, Pot(spared), SPARED);
    }
    members(d).into_iter().for_each(|member| d.ask(member, Decision::Choose));
    Ok(())
}

// === 3. The choice ===

/// §5.1, §5.2, §5.3
pub(super) fn choose(d: &mut Dealer, seat: Seat, honorable: bool) -> Result<(), Refusal> {
    answers(d, seat, &[Decision::Choose])?;
    d.answer(seat);
    d.put(disc(seat, honorable), Palm(seat));
    if d.prompts().iter().any(|prompt| prompt.must) {
        return Ok(());
    }
    // Matches of an earlier release may have let members choose again.
    d.close_optional();
    members(d).into_iter().for_each(|member| d.gather(Palm(member), Revealed(member)));
    determine_payout(d);
    Ok(())
}

// === 4. The payout ===

/// §6.1, §6.2, §6.3, §6.4; §6.5: everyone sees who draws.
fn determine_payout(d: &mut Dealer) {
    let deck = Deck(target(d));
    let (honorable, dishonorable) = sides(d);
    for member in dishonorable {
        d.draw(deck, Stash(member));
    }
    for _ in honorable {
        d.draw(deck, Payout);
    }
    let due = d.pieces::<Card>(Payout).iter().filter(|card| card.has_event()).count();
    d.mark(EventsDue, due as i16);
    resolve_events(d);
}

/// §6.3, §7.3, §7.4, §7.5
fn payout(table: &Table) -> u32 {
    let cards: u32 = table.pieces::<Card>(Payout).iter().map(Card::value).sum();
    let effects = || table.pieces::<EventCard>(Events).iter().map(EventCard::effect);
    let change: i32 = effects()
        .map(|effect| match effect {
            Effect::Payout(change) => change,
            _ => 0,
        })
        .sum();
    let worth = cards.saturating_add_signed(change);
    if effects().any(|effect| effect == Effect::DoublePayout) { 2 * worth } else { worth }
}

// === 5. Events ===

fn resolve_events(d: &mut Dealer) {
    if events::resolve(d) {
        reward(d);
    }
}

/// §7.2, §7.16
pub(super) fn favor(d: &mut Dealer, seat: Seat, other: Seat) -> Result<(), Refusal> {
    events::favor(d, seat, other)?;
    resolve_events(d);
    Ok(())
}

// === 6. The reward ===

/// §8.1, §8.2, §8.3, §8.4
fn reward(d: &mut Dealer) {
    let payout = payout(d);
    d.announce(Announcement::PayoutIs, d.turn(), payout as i16);
    let (honorable, dishonorable) = sides(d);
    if dishonorable.is_empty() {
        gain(d, honorable, payout);
    } else {
        gain(d, dishonorable.iter().copied(), 2 * payout);
        move_honor(d, dishonorable, -1);
        move_honor(d, honorable, 1);
    }
    end_turn(d);
}

/// §8.6
fn end_turn(d: &mut Dealer) {
    if let Some(ending) = ending::of_this_turn(d) {
        return ending::end(d, ending);
    }
    d.gather(Payout, Discard);
    d.gather(Events, EventDiscard);
    for member in members(d) {
        d.gather(Revealed(member), Pocket(member));
        d.mark(Member(member), 0);
    }
    d.set::<Corporation>(Target, None);
    let next = d.after(d.turn());
    begin_turn(d, next);
}
