//! A scripted player who plays as people do: it works its plots, sells at good prices, strikes a
//! deal now and then, plays karma where it helps, and defends itself. It knows only what its seat
//! sees.

use super::*;
use crate::rigs::{
    cards::{Kind, Window},
    colony::{
        LENT, capacity, locations, owner, plots, rigs_at, rigs_of, rigs_on, stock, survey_of, units,
    },
    losses::lost_units,
    market,
};

/// What the seat does now, as it sees the table; nothing if it only may act and would rather not.
pub(super) fn answer(seen: &Table, seat: Seat, must: bool) -> Option<Action> {
    let legal = Rigs::legal(seen, seat);
    let can = |action: &Action| legal.contains(action);
    if let Some(offer) = seen.offers().iter().find(|offer| offer.to == seat) {
        let accept = Action::Accept { by: offer.by };
        return Some(if can(&accept) { accept } else { Action::Refuse { by: offer.by } });
    }
    if !must {
        return None;
    }
    let decision = seen.decision(seat).expect("the seat is asked");
    if let Some(series) = legal.iter().find(|it| matches!(it, Action::Series { .. })) {
        return Some(series.clone());
    }
    Some(match decision {
        Decision::Grant => best_grant(seen, seat, &legal),
        Decision::Turn => turn(seen, seat, &legal),
        Decision::Discard => worst_card(seen, seat),
        Decision::Exchange => exchange(seen, seat),
        Decision::LoseRigs => Action::Lose { from: least_useful(seen, seat) },
        Decision::Produce | Decision::Readjust => produce(seen, seat, &legal),
        Decision::CallLast => Action::LastCall,
        Decision::Final => last_call_karma(seen, seat, &legal).unwrap_or(Action::Pass),
        Decision::Sell => sell(seen, seat, &legal),
        Decision::React => react(seen, seat, &legal),
        Decision::GiveDecoy => legal.last().cloned().expect("it may pass"),
        Decision::Send => Action::Send { to: Location::Warehouse(seat) },
        Decision::Robbed => Action::DrawThree,
        Decision::Gain => legal.last().cloned().expect("it gains something"),
        Decision::NewOwner | Decision::Share => {
            let own = Action::Name { seat };
            if can(&own) { own } else { legal[0].clone() }
        }
        _ => legal[0].clone(),
    })
}

/// The standing answers that it declares or takes back: it wants to be asked only where it has
/// something to do, and about the Last Call while it holds a card for it.
pub(super) fn stand(seen: &Table, seat: Seat) -> Option<(Decision, bool)> {
    let hand = seen.pieces::<Karma>(Hand(seat));
    let is_armed = hand.iter().any(|card| {
        let windows = card.windows();
        windows.contains(&Window::LastCall) && !windows.contains(&Window::Market)
    });
    let wanted = [
        (Decision::Turn, true),
        (Decision::Produce, true),
        (Decision::React, true),
        (Decision::Sell, true),
        (Decision::Deal, true),
        (Decision::Final, !is_armed),
    ];
    wanted.into_iter().find(|&(decision, on)| seen.stands(seat, decision) != on)
}

// === Land and RIGS ===

fn best_grant(seen: &Table, seat: Seat, legal: &[Action]) -> Action {
    let worth = |action: &&Action| match action {
        Action::Grant { plot, order: _ } => plot.land().market_cards() * 10 + spots(seen, *plot),
        _ => 0,
    };
    debug_assert!(seen.has_seat(seat), "a seat of the match chooses");
    legal.iter().max_by_key(worth).cloned().expect("plots are granted")
}

fn spots(seen: &Table, plot: Plot) -> usize {
    Resource::all().map(|it| capacity(seen, plot, it) as usize).sum()
}

/// Builds, surveys, moves RIGS to where they are needed, plays karma, and deals now and then.
fn turn(seen: &Table, seat: Seat, legal: &[Action]) -> Action {
    let first = |wanted: &dyn Fn(&Action) -> bool| legal.iter().find(|it| wanted(it)).cloned();
    if let Some(action) = first(&|it| *it == Action::Tinker && rigs_at(seen, Parts) > 1) {
        return action;
    }
    if let Some(action) = first(&|it| *it == Action::Cash && rigs_at(seen, Recycled) > 1) {
        return action;
    }
    if let Some(action) = karma(seen, seat, legal) {
        return action;
    }
    if let Some(action) = first(&|it| *it == Action::Build) {
        return action;
    }
    if let Some(action) = first(&|it| matches!(it, Action::Repay { .. })) {
        return action;
    }
    let supply = units(seen, seat, Resource::Supply);
    let idle = rigs_at(seen, Warehouse(seat));
    if idle > 0 && supply > 0 {
        let to = legal.iter().filter_map(|it| match it {
            &Action::Move { from: Location::Warehouse(_), to } => Some(to),
            _ => None,
        });
        if let Some(to) = to.max_by_key(|&to| use_of(seen, seat, to)) {
            return Action::Move { from: Location::Warehouse(seat), to };
        }
    }
    if let Some(action) = first(&|it| matches!(it, Action::Survey { .. })).filter(|_| supply > 1) {
        return action;
    }
    if let Some(action) = first(&|it| is_improvement(seen, it)).filter(|_| supply > 3) {
        return action;
    }
    deal(seen, seat).unwrap_or(Action::Ready)
}

/// How useful a RIGS on a spot is: each resource is needed less the more of it comes in.
fn use_of(seen: &Table, seat: Seat, to: Location) -> i32 {
    let Location::Spot(plot, resource) = to else { return -1 };
    let coming = |it| plots(seen, seat).map(|plot| rigs_at(seen, Spots(plot, it)) as i32).sum();
    let income: [i32; 4] = Resource::all().map(coming).collect::<Vec<_>>().try_into().expect("4");
    let powered = plots(seen, seat).filter(|&it| rigs_on(seen, it).is_some()).count() as i32;
    let needed = match resource {
        Resource::Energy => 14 + 4 * (powered - income[0]),
        Resource::Supply => 16 - 5 * income[1],
        Resource::Metal => 15 - 5 * income[2],
        Resource::Luxury => 18 - income[3],
    };
    let room = capacity(seen, plot, resource) as i32;
    let begun = if rigs_on(seen, plot).is_some() { 6 } else { 0 };
    needed + begun + 3 * room
}

/// A lone RIGS on a plot with Luxury spots that harvests something else.
fn is_improvement(seen: &Table, action: &Action) -> bool {
    let &Action::Move { from, to } = action else { return false };
    match (from, to) {
        (Location::Spot(here, it), Location::Spot(there, Resource::Luxury)) => {
            here == there
                && !matches!(it, Resource::Luxury | Resource::Energy)
                && rigs_at(seen, Spots(here, it)) == 1
        }
        _ => false,
    }
}

/// Idle RIGS first, then those of the plot with the fewest.
fn least_useful(seen: &Table, seat: Seat) -> Location {
    let rigs = |location: &Location| match *location {
        Location::Warehouse(_) => 0,
        Location::Spot(plot, it) => rigs_at(seen, Spots(plot, it)),
    };
    locations(seen, seat).min_by_key(rigs).expect("it has RIGS to lose")
}

// === Deals ===

/// In some rounds it buys a unit of what it lacks most from a seat that has plenty, or swaps.
fn deal(seen: &Table, seat: Seat) -> Option<Action> {
    let asks = usize::from(seen.round()) % 3 == seat.index() % 3;
    if !asks || seen.offers().iter().any(|it| it.by == seat) || has_dealt(seen, seat) {
        return None;
    }
    let mine = stock(seen, seat);
    let lacks = LENT.into_iter().find(|&it| mine.get(it) == 0)?;
    let to =
        seen.others(seat).find(|&it| !seen.resigned().has(it) && units(seen, it, lacks) > 2)?;
    let take = Bundle { units: Resources::one(lacks), ..Bundle::default() };
    let plenty = LENT.into_iter().find(|&it| mine.get(it) > 3);
    let give = match plenty {
        Some(it) => Bundle { units: Resources::of(it, 2), ..Bundle::default() },
        None => Bundle { credits: 6, ..Bundle::default() },
    };
    let offer = Action::Offer { to, give, take };
    (seen.coins(Credit, Purse(seat)) >= 6).then_some(offer)
}

/// The test strikes at most one deal a turn: with the unit bought the seat lacks it no more, and
/// an offer that was refused is not repeated, because its maker then borrows.
fn has_dealt(seen: &Table, seat: Seat) -> bool {
    seen.is_marked(Borrowed(seat))
}

// === Production ===

/// Powers the plots with the most RIGS, as far as there is Energy.
fn produce(seen: &Table, seat: Seat, legal: &[Action]) -> Action {
    let now: Set<Plot> = plots(seen, seat).filter(|&it| seen.is_marked(Powered(it))).collect();
    let yields = |plots: Set<Plot>| -> u32 {
        let made = plots.iter().filter_map(|plot| rigs_on(seen, plot));
        made.map(|(it, rigs)| if it == Resource::Luxury { 3 * rigs } else { 2 * rigs }).sum()
    };
    let ready = legal.contains(&Action::Ready);
    let better = legal.iter().filter_map(|it| match it {
        Action::Power { plots } => Some((yields(*plots), plots)),
        _ => None,
    });
    let better = better.max_by_key(|it| it.0).filter(|it| it.0 > yields(now) || !ready);
    match better {
        Some((_, &plots)) => Action::Power { plots },
        None if ready => Action::Ready,
        None => legal[0].clone(),
    }
}

fn last_call_karma(seen: &Table, seat: Seat, legal: &[Action]) -> Option<Action> {
    karma(seen, seat, legal)
}

// === The market ===

/// Sells at a good price, in the last rounds, or when there is much to lose to thieves.
fn sell(seen: &Table, seat: Seat, legal: &[Action]) -> Action {
    let luxury = units(seen, seat, Resource::Luxury);
    if let Some(action) = karma(seen, seat, legal) {
        return action;
    }
    if luxury > 0 && (market::price(seen) >= 8 || luxury > 3 || seen.round() >= ROUNDS - 1) {
        return Action::Sell { amount: luxury };
    }
    Action::Ready
}

// === Karma ===

/// How much a card is worth keeping.
fn value(card: Karma) -> usize {
    match card.kind() {
        Kind::Protection => 3,
        Kind::Wealth => 4,
        Kind::Sabotage => 2,
        Kind::Destruction => 1,
    }
}

fn worst_card(seen: &Table, seat: Seat) -> Action {
    let hand = seen.pieces::<Karma>(Hand(seat));
    let card = hand.iter().min_by_key(|&card| value(card)).expect("it holds cards");
    Action::Discard { card }
}

fn exchange(seen: &Table, seat: Seat) -> Action {
    let hand = seen.pieces::<Karma>(Hand(seat));
    let useless = hand.iter().find(|&card| matches!(card, Karma::ALittleInformation));
    let useless = useless.or(hand.iter().find(|&card| value(card) == 1 && hand.len() > 2));
    useless.map_or(Action::Pass, |card| Action::Discard { card })
}

/// The seat that seems richest among the others.
fn rival(seen: &Table, seat: Seat) -> Seat {
    let worth = |it: &Seat| {
        let land: usize = plots(seen, *it).map(|plot| plot.land().market_cards() * 12).sum();
        let stock = stock(seen, *it);
        land as u64
            + stock.total() * 3
            + u64::from(stock.get(Resource::Luxury)) * 8
            + u64::from(rigs_of(seen, *it)) * 4
    };
    seen.others(seat).max_by_key(worth).expect("nobody plays alone")
}

/// A card that helps now: what brings resources, what protects, and attacks on a rival that hurt.
fn karma(seen: &Table, seat: Seat, legal: &[Action]) -> Option<Action> {
    let rival = rival(seen, seat);
    let gain = |action: &Action| match action {
        Action::Play { card, aim } => worth_playing(seen, seat, rival, *card, aim),
        _ => 0,
    };
    legal
        .iter()
        .map(|it| (gain(it), it))
        .filter(|it| it.0 > 0)
        .max_by_key(|it| it.0)
        .map(|it| it.1.clone())
}

fn worth_playing(seen: &Table, seat: Seat, rival: Seat, card: Karma, aim: &Aim) -> u32 {
    use Karma::*;
    let theirs = |it| units(seen, rival, it);
    let rigs = |plot| rigs_on(seen, plot).map_or(0, |it| it.1);
    let luxury = units(seen, seat, Resource::Luxury);
    match (card, aim) {
        (Recycling | PartsShop | RigsAlarmSystem | IveGotADonk | PushPullOrDrag, _) => 9,
        (Ruins | WinningRaffleTicket, _) => 8,
        (BelowTheSurface, &Aim::Spots(plot, it)) => capacity(seen, plot, it).saturating_sub(1),
        (RidiculousEfficiency, _) => rigs_of(seen, seat).saturating_sub(4),
        (RigsTdm, &Aim::Plot(plot)) => rigs(plot).saturating_sub(1),
        (NaiveProfits | OtherMarkets, _) => luxury.saturating_sub(2),
        (SwapMeet, &Aim::Swap { give, take }) => {
            let plenty = LENT.into_iter().any(|it| give.get(it) > 2 && units(seen, seat, it) > 4);
            if plenty && take.get(Resource::Luxury) > 0 { give.total() as u32 } else { 0 }
        }
        (WarehouseInsurance, _) => {
            let lost = lost_units(seen, seat).total() as u32;
            lost.saturating_sub(1)
        }
        (AccidentalDumping, &Aim::Seat(it)) if it == rival => theirs(Resource::Luxury),
        (LeftTheLightOn, &Aim::Seat(it)) if it == rival => theirs(Resource::Energy) / 3,
        (DaRoofIsOnFire, &Aim::Seat(it)) if it == rival => (stock(seen, it).total() / 6) as u32,
        (BadOsRevision | WrongManual | EyeForAnEye | NotThatOne | CarrierLost, &Aim::Seat(it))
            if it == rival =>
        {
            1
        }
        (GiveMeThat | IllTakeThat, &Aim::Seat(it)) if it == rival => 2,
        (MissingSupport | Blowout, &Aim::Plot(plot)) if owner(seen, plot) == Some(rival) => {
            rigs(plot)
        }
        (IncorrectDrivers | YouSentItWhere | TriangulationDrift, &Aim::Plot(plot))
            if owner(seen, plot) == Some(rival) =>
        {
            rigs(plot)
        }
        (RecordNotFound, &Aim::Plot(plot)) if owner(seen, plot) == Some(rival) => {
            plot.land().market_cards() as u32
        }
        (SurveyError, &Aim::Plot(plot)) if owner(seen, plot) == Some(rival) => {
            survey_of(seen, plot).map_or(0, SurveyCard::luxury_spots)
        }
        (IWantThat, &Aim::Resource(it)) => {
            seen.others(seat).map(|other| units(seen, other, it).min(3)).sum::<u32>() / 2
        }
        _ => 0,
    }
}

/// Answers a Sabotage that affects the seat, and lets others look after themselves.
fn react(seen: &Table, seat: Seat, legal: &[Action]) -> Action {
    let depths = Depth::all().take_while(|&it| seen.is_marked(By(it)));
    let is_victim = depths.last().and_then(|it| seen.get(Victim(it))) == Some(seat);
    let answers = legal.iter().find(|it| is_victim && matches!(it, Action::Play { .. }));
    answers.cloned().unwrap_or(Action::Pass)
}
