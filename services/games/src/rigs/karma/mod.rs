//! Karma cards (§12), which interrupt everything else and are resolved first.
//!
//! A card is played on an [`Aim`]. While it is resolved it is on the stage, and marks record its
//! player and its target; cards that redirect a Sabotage follow it there. The effects are in
//! [`destruction`], [`sabotage`], [`wealth`] and [`protection`].

mod destruction;
mod protection;
pub(super) mod sabotage;
mod wealth;

use table::{Dealer, Seat, Small, Table};

use super::{
    Action, Aim, Announcement,
    Coin::*,
    Decision, Depth, Karma,
    Mark::*,
    Phase,
    Place::*,
    Plot, Refusal, Resource,
    cards::{Kind, Window},
    clear_all_ready, clear_ready,
    colony::{owner, rigs_at},
};

// === The deck and the hands ===

/// §12.2: an empty deck is reshuffled from the discards.
pub(super) fn draw(d: &mut Dealer, seat: Seat, count: u32) {
    for _ in 0..count {
        if d.is_bare(KarmaDeck) {
            d.gather(KarmaDiscard, KarmaDeck);
        }
        d.draw(KarmaDeck, Hand(seat));
    }
}

pub(super) fn discard(d: &mut Dealer, seat: Seat, card: Karma) -> Result<(), Refusal> {
    if !d.lies(card, Hand(seat)) {
        return Err(Refusal::NotInHand { card });
    }
    d.put(card, KarmaDiscard);
    Ok(())
}

/// Whether a seat has a card in play.
pub(super) fn has(table: &Table, seat: Seat, card: Karma) -> bool {
    table.lies(card, InPlay(seat))
}

/// §12.8: remembers a loss of karma cards, which may be matched.
fn lose_karma(d: &mut Dealer, seat: Seat, count: usize) {
    d.mark(LostKarma(seat), count as i16);
    d.mark(LostBoth(seat), 0);
}

// === Windows and targets ===

/// §12.3
fn window(table: &Table) -> Window {
    match Phase::of(table) {
        Phase::Player => Window::Player,
        Phase::Disaster => Window::Disaster,
        Phase::Production if table.is_marked(LastCalled) => Window::LastCall,
        Phase::Production => Window::Production,
        Phase::Market => Window::Market,
    }
}

/// §12.6: the targets of a card. §19.2: only examples where amounts are chosen.
fn aims(table: &Table, seat: Seat, card: Karma) -> Vec<Aim> {
    match card.kind() {
        Kind::Destruction => destruction::aims(table, seat, card),
        Kind::Sabotage => sabotage::aims(table, seat, card),
        Kind::Wealth => wealth::aims(table, seat, card),
        Kind::Protection => protection::aims(table, seat, card),
    }
}

fn fits(table: &Table, seat: Seat, card: Karma, aim: &Aim) -> bool {
    match (card, aim) {
        (Karma::SwapMeet, &Aim::Swap { give, take }) => wealth::can_swap(table, seat, give, take),
        (Karma::PokerNight, &Aim::Stake(units)) => wealth::can_stake(table, seat, units),
        (Karma::IAintGoingAlone, &Aim::Loss { victim, units, cards }) => {
            destruction::can_match(table, seat, victim, units, cards)
        }
        _ => aims(table, seat, card).contains(aim),
    }
}

/// §14.10
fn is_barred(table: &Table, seat: Seat, card: Karma) -> bool {
    card.is_sabotage() && table.lies(Karma::AintWorkingForYou, Front(seat))
}

pub(super) fn list_plays(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let now = window(table);
    for card in table.pieces::<Karma>(Hand(seat)).iter() {
        if card.windows().contains(&now) && !is_barred(table, seat, card) {
            let aims = aims(table, seat, card).into_iter();
            legal.extend(aims.map(|aim| Action::Play { card, aim }));
        }
    }
}

/// §12.1, §12.4, §12.5
pub(super) fn play(
    d: &mut Dealer,
    seat: Seat,
    decision: Decision,
    card: Karma,
    aim: &Aim,
) -> Result<(), Refusal> {
    if !d.lies(card, Hand(seat)) {
        return Err(Refusal::NotInHand { card });
    }
    match decision {
        Decision::React => return sabotage::react(d, seat, card, aim),
        Decision::GiveDecoy => return sabotage::give_decoy(d, seat, card, aim),
        Decision::Turn
        | Decision::Interrupt
        | Decision::Deal
        | Decision::Produce
        | Decision::CallLast
        | Decision::Final
        | Decision::Draw
        | Decision::Sell => {}
        _ => return Err(Refusal::NotNow),
    }
    if !card.windows().contains(&window(d)) {
        return Err(Refusal::WrongTime { card });
    }
    if is_barred(d, seat, card) {
        return Err(Refusal::NoMoreSabotage);
    }
    if !fits(d, seat, card, aim) {
        return Err(Refusal::BadAim { card });
    }
    // §10.8: after a card is played, all are asked again.
    if decision == Decision::Final {
        clear_all_ready(d);
    }
    match card.kind() {
        Kind::Destruction => destruction::play(d, seat, card, aim),
        Kind::Sabotage => sabotage::play(d, seat, card, aim),
        Kind::Wealth => wealth::play(d, seat, card, aim),
        Kind::Protection => protection::play(d, seat, card),
    }
    Ok(())
}

// === The stage ===

/// A card on the stage, with its player and its target.
struct StagedCard {
    card: Karma,
    by: Seat,
    victim: Option<Seat>,
    plot: Option<Plot>,
    other: Option<Plot>,
    resource: Option<Resource>,
}

const FIRST: Depth = Depth::new(0);

fn staged_card(table: &Table, depth: Depth) -> Option<StagedCard> {
    let by = table.get(By(depth))?;
    let card = table.first(Stage(depth))?;
    Some(StagedCard {
        card,
        by,
        victim: table.get(Victim(depth)),
        plot: table.get(Aimed(depth)),
        other: table.get(AimedToo(depth)),
        resource: table.get(Sort(depth)),
    })
}

/// Puts a card on the stage. §12.7: its target is no longer ready.
fn put_on_stage(d: &mut Dealer, depth: Depth, seat: Seat, card: Karma, aim: &Aim) {
    d.put(card, Stage(depth));
    d.set(By(depth), Some(seat));
    let (plot, other, resource) = match *aim {
        Aim::Plot(plot) => (Some(plot), None, None),
        Aim::Plots(plot, other) => (Some(plot), Some(other), None),
        Aim::Resource(resource) => (None, None, Some(resource)),
        _ => (None, None, None),
    };
    let victim = match *aim {
        Aim::Seat(seat) | Aim::Loss { victim: seat, .. } => Some(seat),
        Aim::Plot(plot) => owner(d, plot),
        _ => None,
    };
    d.set(Victim(depth), victim);
    d.set(Aimed(depth), plot);
    d.set(AimedToo(depth), other);
    d.set(Sort(depth), resource);
    for plot in [plot, other].into_iter().flatten() {
        d.announce(Announcement::OnPlot(plot), seat, 0);
    }
    if let Some(resource) = resource {
        d.announce(Announcement::OnResource(resource), seat, 0);
    }
    if let Some(victim) = victim.filter(|&victim| victim != seat) {
        d.announce(Announcement::OnSeat, victim, 0);
        clear_ready(d, victim);
    }
}

pub(super) fn is_under_way(table: &Table) -> bool {
    table.is_marked(By(FIRST))
}

/// The card on the stage is resolved: no decision about it is left.
pub(super) fn finish(d: &mut Dealer) {
    // §13.3
    let victim = d.get::<Seat>(Victim(FIRST));
    if let Some(victim) = victim.filter(|_| d.lies(Karma::BadOsRevision, Stage(FIRST))) {
        draw(d, victim, 2);
    }
    clear_stage(d);
}

/// §12.1: the cards go to the discards.
fn clear_stage(d: &mut Dealer) {
    for depth in Depth::all() {
        d.gather(Stage(depth), KarmaDiscard);
        let marks = [By(depth), Victim(depth), Aimed(depth), AimedToo(depth), Sort(depth)];
        marks.into_iter().for_each(|mark| d.mark(mark, 0));
    }
    d.seats().for_each(|seat| d.mark(Guarded(seat), 0));
}

// === Decisions while a card is resolved ===

pub(super) fn list_answers(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let Some(decision) = table.decision(seat) else { return };
    match decision {
        Decision::React => sabotage::list_reactions(table, seat, legal),
        Decision::GiveDecoy => sabotage::list_decoy(table, seat, legal),
        Decision::TakeCard => sabotage::list_takes(table, legal),
        Decision::Robbed => legal.extend([Action::DrawThree, Action::Receive]),
        Decision::NewOwner => sabotage::list_new_owners(table, legal),
        Decision::Send => sabotage::list_destinations(table, legal),
        Decision::Share => sabotage::list_shares(table, legal),
        Decision::DiscardTheirs => destruction::list_their_cards(table, legal),
        Decision::Throw => destruction::list_throws(table, seat, legal),
        Decision::Gain => wealth::list_gains(table, seat, legal),
        Decision::Raise => wealth::list_raises(table, legal),
        Decision::TradeIn | Decision::Retrieve => legal.extend([Action::Claim, Action::Pass]),
        Decision::Salvage => {
            legal.extend(SALVAGE.map(|(card, _)| Action::Salvage { card }));
        }
        _ => {}
    }
}

pub(super) fn answer(
    d: &mut Dealer,
    seat: Seat,
    decision: Decision,
    action: &Action,
) -> Result<(), Refusal> {
    match (decision, action) {
        (Decision::React, Action::Pass) => sabotage::decline_to_react(d, seat),
        (Decision::GiveDecoy, Action::Pass) => sabotage::give_no_decoy(d, seat),
        (Decision::TakeCard, &Action::Take { card }) => sabotage::take(d, seat, card),
        (Decision::Robbed, Action::DrawThree) => sabotage::draw_three(d, seat),
        (Decision::Robbed, Action::Receive) => sabotage::receive(d, seat),
        (Decision::NewOwner, &Action::Name { seat: to }) => sabotage::give_plot(d, seat, to),
        (Decision::Send, &Action::Send { to }) => sabotage::send(d, seat, to),
        (Decision::Share, &Action::Name { seat: to }) => sabotage::share(d, seat, to),
        (Decision::DiscardTheirs, &Action::Discard { card }) => {
            destruction::discard_theirs(d, seat, card)
        }
        (Decision::Match, &Action::Discard { card }) => destruction::match_card(d, seat, card),
        (Decision::Throw, &Action::Throw { units }) => destruction::throw(d, seat, units),
        (Decision::Gain, &Action::Gain { units }) => wealth::gain(d, seat, units),
        (Decision::Raise, &Action::Raise { units }) => wealth::raise(d, seat, units),
        (Decision::Raise, Action::Pass) => wealth::stop(d, seat),
        (Decision::TradeIn, Action::Claim) => trade_in(d, seat),
        (Decision::Retrieve, Action::Claim) => retrieve(d, seat),
        (Decision::TradeIn | Decision::Retrieve, Action::Pass) => leave(d, seat),
        (Decision::Salvage, &Action::Salvage { card }) => salvage(d, seat, card),
        _ => Err(Refusal::NotNow),
    }
}

// === Cards in play ===

/// The cards that take lost RIGS, and the place of the RIGS on them.
const SALVAGE: [(Karma, super::Place); 2] =
    [(Karma::Recycling, Recycled), (Karma::PartsShop, Parts)];

/// §12.9
pub(super) fn salvages_by_choice(table: &Table, seat: Seat) -> bool {
    SALVAGE.into_iter().all(|(card, _)| has(table, seat, card))
}

/// §12.9: with both cards in play, their owner chooses for each lost RIGS.
fn salvage(d: &mut Dealer, seat: Seat, card: Karma) -> Result<(), Refusal> {
    let Some((_, place)) = SALVAGE.into_iter().find(|it| it.0 == card) else {
        return Err(Refusal::NoSuchCard { card });
    };
    d.pay(Rig, Wreck(seat), place, 1);
    if rigs_at(d, Wreck(seat)) == 0 {
        d.answer(seat);
    }
    Ok(())
}

pub(super) fn list_cashing(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if has(table, seat, Karma::Recycling) {
        legal.push(Action::Cash);
    }
}

pub(super) fn list_tinkering(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    if has(table, seat, Karma::PartsShop) && !table.is_marked(Tinkered) {
        legal.push(Action::Tinker);
    }
}

/// §17.2
fn trade_in(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    d.put(Karma::PushPullOrDrag, KarmaDiscard);
    d.pay_up_to(Rig, Works, Warehouse(seat), 1);
    Ok(())
}

/// §16.3
fn retrieve(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    d.pay_up_to(Rig, Parts, Warehouse(seat), 1);
    Ok(())
}

/// §16.3, §17.2: the RIGS stays where it is, and the card in play.
fn leave(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    d.answer(seat);
    Ok(())
}

/// §16.1, §16.3: at any time of the Player phase.
fn check_phase(table: &Table) -> Result<(), Refusal> {
    if Phase::of(table) == Phase::Player { Ok(()) } else { Err(Refusal::NotNow) }
}

/// §16.1
pub(super) fn cash(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    check_phase(d)?;
    if !has(d, seat, Karma::Recycling) {
        return Err(Refusal::NotInPlay { card: Karma::Recycling });
    }
    d.put(Karma::Recycling, KarmaDiscard);
    let rigs = d.pay_all(Rig, Recycled, Works);
    d.pay(Unit(Resource::Metal), Bank, Warehouse(seat), rigs);
    Ok(())
}

/// §16.3
pub(super) fn tinker(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    check_phase(d)?;
    if !has(d, seat, Karma::PartsShop) {
        return Err(Refusal::NotInPlay { card: Karma::PartsShop });
    }
    if d.is_marked(Tinkered) {
        return Err(Refusal::TinkeredAlready);
    }
    d.mark(Tinkered, 1);
    match d.roll(seat) {
        1 => {
            d.put(Karma::PartsShop, KarmaDiscard);
            d.pay_all(Rig, Parts, Works);
        }
        roll if rigs_at(d, Parts) >= roll => d.interrupt(seat, Decision::Retrieve),
        _ => {}
    }
    Ok(())
}
