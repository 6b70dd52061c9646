//! The actions of a seat, and their messages.

use bytes::Bytes;
use prost::Message;
use table::{Component, Malformed, Seat, Set};

use super::{
    layout::LAYOUT,
    resources::Resources,
    vocabulary::{Karma, Plot, Resource},
};

mod pb {
    #![allow(clippy::all, clippy::pedantic, reason = "generated")]
    include!(concat!(env!("OUT_DIR"), "/croupier.games.rigs.v1.rs"));
}

use pb::{action::Kind, location, play};

/// §5.3: one side of a deal. A plot takes its survey and its RIGS along.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bundle {
    pub units: Resources,
    pub credits: u32,
    pub plots: Set<Plot>,
    /// Idle ones, from warehouse to warehouse.
    pub rigs: u32,
    /// §5.11: an offer of scripts is refused.
    pub scripts: Resources,
}

/// Where a RIGS stands: idle or on a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    Warehouse(Seat),
    Spot(Plot, Resource),
}

/// The target of a karma card.
#[derive(Clone, Debug, PartialEq)]
pub enum Aim {
    Nothing,
    Seat(Seat),
    Plot(Plot),
    Plots(Plot, Plot),
    Resource(Resource),
    /// The spots of one kind on a plot.
    Spots(Plot, Resource),
    Swap {
        give: Resources,
        take: Resources,
    },
    /// Resources staked on Poker Night.
    Stake(Resources),
    /// The seat that must match a loss, and the units and cards that the card's player discards for
    /// it now.
    Loss {
        victim: Seat,
        units: Resources,
        cards: Set<Karma>,
    },
}

#[derive(Clone, Debug, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Action {
    /// The order in which the other seats draw; empty if the leader names none.
    Grant {
        plot: Plot,
        order: Vec<Seat>,
    },
    Name {
        seat: Seat,
    },
    Build,
    Move {
        from: Location,
        to: Location,
    },
    Survey {
        plot: Plot,
    },
    Borrow {
        resource: Resource,
    },
    Repay {
        resource: Resource,
    },
    Offer {
        to: Seat,
        give: Bundle,
        take: Bundle,
    },
    Withdraw,
    Accept {
        by: Seat,
    },
    Refuse {
        by: Seat,
    },
    Play {
        card: Karma,
        aim: Aim,
    },
    Cash,
    Tinker,
    Discard {
        card: Karma,
    },
    Take {
        card: Karma,
    },
    Salvage {
        card: Karma,
    },
    Lose {
        from: Location,
    },
    Throw {
        units: Resources,
    },
    Gain {
        units: Resources,
    },
    Send {
        to: Location,
    },
    DrawThree,
    Receive,
    Power {
        plots: Set<Plot>,
    },
    LastCall,
    Sell {
        amount: u32,
    },
    Ready,
    Unready,
    Pass,
    Raise {
        units: Resources,
    },
    Claim,
    /// To everyone if `to` is empty.
    Show {
        cards: Set<Karma>,
        credits: bool,
        to: Vec<Seat>,
    },
    /// Answers the same decision several times, in order.
    Series {
        answers: Vec<Action>,
    },
}

/// The maximum number of answers in one series: as many as there are RIGS.
const SERIES_MAX: usize = 75;

// === From the message ===

/// §19.3
pub(super) fn parse(message: &[u8]) -> Result<Action, Malformed> {
    let message = pb::Action::decode(message).map_err(|error| malformed(error.to_string()))?;
    action(message)
}

fn action(message: pb::Action) -> Result<Action, Malformed> {
    let kind = message.kind.ok_or_else(|| malformed("the kind of action is missing"))?;
    Ok(match kind {
        Kind::Grant(it) => Action::Grant { plot: plot(&it.plot)?, order: seats(&it.order)? },
        Kind::Name(it) => Action::Name { seat: seat(it.seat)? },
        Kind::Build(_) => Action::Build,
        Kind::Move(it) => Action::Move { from: location(it.from)?, to: location(it.to)? },
        Kind::Survey(it) => Action::Survey { plot: plot(&it.plot)? },
        Kind::Borrow(it) => Action::Borrow { resource: resource(it.resource)? },
        Kind::Repay(it) => Action::Repay { resource: resource(it.resource)? },
        Kind::Offer(it) => {
            Action::Offer { to: seat(it.to)?, give: bundle(it.give)?, take: bundle(it.take)? }
        }
        Kind::Withdraw(_) => Action::Withdraw,
        Kind::Accept(it) => Action::Accept { by: seat(it.by)? },
        Kind::Refuse(it) => Action::Refuse { by: seat(it.by)? },
        Kind::Play(it) => Action::Play { card: karma(&it.card)?, aim: aim(it.aim)? },
        Kind::Cash(_) => Action::Cash,
        Kind::Tinker(_) => Action::Tinker,
        Kind::Discard(it) => Action::Discard { card: karma(&it.card)? },
        Kind::Take(it) => Action::Take { card: karma(&it.card)? },
        Kind::Salvage(it) => Action::Salvage { card: karma(&it.card)? },
        Kind::Lose(it) => Action::Lose { from: location(it.from)? },
        Kind::Throw(it) => Action::Throw { units: units(it.units) },
        Kind::Gain(it) => Action::Gain { units: units(it.units) },
        Kind::Send(it) => Action::Send { to: location(it.to)? },
        Kind::DrawThree(_) => Action::DrawThree,
        Kind::Receive(_) => Action::Receive,
        Kind::Power(it) => Action::Power { plots: set(&it.plots)? },
        Kind::LastCall(_) => Action::LastCall,
        Kind::Sell(it) => Action::Sell { amount: it.amount },
        Kind::Ready(_) => Action::Ready,
        Kind::Unready(_) => Action::Unready,
        Kind::Pass(_) => Action::Pass,
        Kind::Raise(it) => Action::Raise { units: units(it.units) },
        Kind::Claim(_) => Action::Claim,
        Kind::Show(it) if it.cards.is_empty() && !it.credits => {
            return Err(malformed("nothing is shown"));
        }
        Kind::Show(it) => {
            Action::Show { cards: set(&it.cards)?, credits: it.credits, to: seats(&it.to)? }
        }
        Kind::Series(it) => series(it.answers)?,
    })
}

/// §19.3
fn series(answers: Vec<pb::Action>) -> Result<Action, Malformed> {
    if !(2..=SERIES_MAX).contains(&answers.len()) {
        return Err(malformed(format!("a series has 2 to {SERIES_MAX} answers")));
    }
    let answer = |message: pb::Action| match message.kind {
        Some(Kind::Series(_)) => Err(malformed("a series is no answer in a series")),
        _ => action(message),
    };
    Ok(Action::Series { answers: answers.into_iter().map(answer).collect::<Result<_, _>>()? })
}

fn malformed(sentence: impl Into<String>) -> Malformed {
    Malformed(sentence.into())
}

fn named<C: Component>(what: &str, name: &str) -> Result<C, Malformed> {
    LAYOUT.named(name).ok_or_else(|| match name {
        "" => malformed(format!("a {what} is missing")),
        name => malformed(format!("there is no {what} {name:?}")),
    })
}

fn plot(name: &str) -> Result<Plot, Malformed> {
    named("plot", name)
}

fn karma(name: &str) -> Result<Karma, Malformed> {
    named("karma card", name)
}

/// §19.3: refuses a name that occurs twice.
fn set<C: Component>(names: &[String]) -> Result<Set<C>, Malformed> {
    let mut set = Set::EMPTY;
    for name in names {
        let piece = named("plot or karma card", name)?;
        if set.has(piece) {
            return Err(malformed(format!("{name} is named twice")));
        }
        set.add(piece);
    }
    Ok(set)
}

fn seat(number: u32) -> Result<Seat, Malformed> {
    let seat = u8::try_from(number).ok().and_then(|number| Seat::try_from(number).ok());
    seat.ok_or_else(|| malformed(format!("there is no seat {number}")))
}

/// §19.3: refuses a seat that occurs twice.
fn seats(numbers: &[u32]) -> Result<Vec<Seat>, Malformed> {
    let mut seats = Vec::new();
    for &number in numbers {
        let seat = seat(number)?;
        if seats.contains(&seat) {
            return Err(malformed(format!("seat {number} is named twice")));
        }
        seats.push(seat);
    }
    Ok(seats)
}

fn resource(number: i32) -> Result<Resource, Malformed> {
    match pb::Resource::try_from(number) {
        Ok(pb::Resource::Energy) => Ok(Resource::Energy),
        Ok(pb::Resource::Supply) => Ok(Resource::Supply),
        Ok(pb::Resource::Metal) => Ok(Resource::Metal),
        Ok(pb::Resource::Luxury) => Ok(Resource::Luxury),
        Ok(pb::Resource::Unspecified) | Err(_) => Err(malformed("the resource is missing")),
    }
}

fn units(units: Option<pb::Resources>) -> Resources {
    let it = units.unwrap_or_default();
    Resources([it.energy, it.supply, it.metal, it.luxury])
}

fn location(location: Option<pb::Location>) -> Result<Location, Malformed> {
    match location.and_then(|location| location.at) {
        Some(location::At::Warehouse(owner)) => Ok(Location::Warehouse(seat(owner)?)),
        Some(location::At::Spot(spot)) => {
            Ok(Location::Spot(plot(&spot.plot)?, resource(spot.resource)?))
        }
        None => Err(malformed("the location of the RIGS is missing")),
    }
}

#[expect(
    deprecated,
    reason = "§5.11: an offer with scripts is refused, not misread as one without"
)]
fn bundle(bundle: Option<pb::Bundle>) -> Result<Bundle, Malformed> {
    let it = bundle.unwrap_or_default();
    let scripts = units(it.scripts);
    if scripts.get(Resource::Luxury) > 0 {
        return Err(malformed("there is no script of Luxury"));
    }
    Ok(Bundle {
        units: units(it.units),
        credits: it.credits,
        plots: set(&it.plots)?,
        rigs: it.rigs,
        scripts,
    })
}

fn aim(aim: Option<play::Aim>) -> Result<Aim, Malformed> {
    Ok(match aim {
        None => Aim::Nothing,
        Some(play::Aim::Seat(it)) => Aim::Seat(seat(it)?),
        Some(play::Aim::Plot(it)) => Aim::Plot(plot(&it)?),
        Some(play::Aim::Plots(it)) => match (plot(&it.plot)?, plot(&it.other)?) {
            (one, other) if one < other => Aim::Plots(one, other),
            (one, other) => Aim::Plots(other, one),
        },
        Some(play::Aim::Resource(it)) => Aim::Resource(resource(it)?),
        Some(play::Aim::Spots(it)) => Aim::Spots(plot(&it.plot)?, resource(it.resource)?),
        Some(play::Aim::Swap(it)) => Aim::Swap { give: units(it.give), take: units(it.take) },
        Some(play::Aim::Stake(it)) => Aim::Stake(units(Some(it))),
        Some(play::Aim::Loss(it)) => {
            Aim::Loss { victim: seat(it.victim)?, units: units(it.units), cards: set(&it.cards)? }
        }
    })
}

// === To the message ===

pub(super) fn print(action: &Action) -> Bytes {
    to_action(action).encode_to_vec().into()
}

fn to_action(action: &Action) -> pb::Action {
    let kind = match action {
        Action::Grant { plot, order } => Kind::Grant(pb::Grant {
            plot: name(*plot),
            order: order.iter().copied().map(number).collect(),
        }),
        &Action::Name { seat } => Kind::Name(pb::Name { seat: number(seat) }),
        Action::Build => Kind::Build(pb::Build {}),
        &Action::Move { from, to } => {
            Kind::Move(pb::Move { from: Some(to_location(from)), to: Some(to_location(to)) })
        }
        &Action::Survey { plot } => Kind::Survey(pb::Survey { plot: name(plot) }),
        &Action::Borrow { resource } => Kind::Borrow(pb::Borrow { resource: to_pb(resource) }),
        &Action::Repay { resource } => Kind::Repay(pb::Repay { resource: to_pb(resource) }),
        Action::Offer { to, give, take } => Kind::Offer(pb::Offer {
            to: number(*to),
            give: Some(to_bundle(give)),
            take: Some(to_bundle(take)),
        }),
        Action::Withdraw => Kind::Withdraw(pb::Withdraw {}),
        &Action::Accept { by } => Kind::Accept(pb::Accept { by: number(by) }),
        &Action::Refuse { by } => Kind::Refuse(pb::Refuse { by: number(by) }),
        Action::Play { card, aim } => Kind::Play(pb::Play { card: name(*card), aim: to_aim(aim) }),
        Action::Cash => Kind::Cash(pb::Cash {}),
        Action::Tinker => Kind::Tinker(pb::Tinker {}),
        &Action::Discard { card } => Kind::Discard(pb::Discard { card: name(card) }),
        &Action::Take { card } => Kind::Take(pb::Take { card: name(card) }),
        &Action::Salvage { card } => Kind::Salvage(pb::Salvage { card: name(card) }),
        &Action::Lose { from } => Kind::Lose(pb::Lose { from: Some(to_location(from)) }),
        &Action::Throw { units } => Kind::Throw(pb::Throw { units: Some(to_units(units)) }),
        &Action::Gain { units } => Kind::Gain(pb::Gain { units: Some(to_units(units)) }),
        &Action::Send { to } => Kind::Send(pb::Send { to: Some(to_location(to)) }),
        Action::DrawThree => Kind::DrawThree(pb::DrawThree {}),
        Action::Receive => Kind::Receive(pb::Receive {}),
        Action::Power { plots } => Kind::Power(pb::Power { plots: names(plots) }),
        Action::LastCall => Kind::LastCall(pb::LastCall {}),
        &Action::Sell { amount } => Kind::Sell(pb::Sell { amount }),
        Action::Ready => Kind::Ready(pb::Ready {}),
        Action::Unready => Kind::Unready(pb::Unready {}),
        Action::Pass => Kind::Pass(pb::Pass {}),
        &Action::Raise { units } => Kind::Raise(pb::Raise { units: Some(to_units(units)) }),
        Action::Claim => Kind::Claim(pb::Claim {}),
        Action::Show { cards, credits, to } => Kind::Show(pb::Show {
            cards: names(cards),
            credits: *credits,
            to: to.iter().copied().map(number).collect(),
        }),
        Action::Series { answers } => {
            Kind::Series(pb::Series { answers: answers.iter().map(to_action).collect() })
        }
    };
    pb::Action { kind: Some(kind) }
}

fn name<C: Component>(piece: C) -> String {
    LAYOUT.piece_name(piece).into()
}

fn names<C: Component>(pieces: &Set<C>) -> Vec<String> {
    pieces.iter().map(name).collect()
}

fn number(seat: Seat) -> u32 {
    u8::from(seat).into()
}

fn to_pb(resource: Resource) -> i32 {
    let resource = match resource {
        Resource::Energy => pb::Resource::Energy,
        Resource::Supply => pb::Resource::Supply,
        Resource::Metal => pb::Resource::Metal,
        Resource::Luxury => pb::Resource::Luxury,
    };
    resource.into()
}

fn to_units(units: Resources) -> pb::Resources {
    let [energy, supply, metal, luxury] = units.0;
    pb::Resources { energy, supply, metal, luxury }
}

fn to_units_or_none(units: Resources) -> Option<pb::Resources> {
    (units != Resources::none()).then(|| to_units(units))
}

fn to_spot(plot: Plot, resource: Resource) -> pb::Spot {
    pb::Spot { plot: name(plot), resource: to_pb(resource) }
}

fn to_location(location: Location) -> pb::Location {
    let at = match location {
        Location::Warehouse(seat) => location::At::Warehouse(number(seat)),
        Location::Spot(plot, resource) => location::At::Spot(to_spot(plot, resource)),
    };
    pb::Location { at: Some(at) }
}

#[expect(deprecated, reason = "the message of an action gives the same action back")]
fn to_bundle(bundle: &Bundle) -> pb::Bundle {
    pb::Bundle {
        units: to_units_or_none(bundle.units),
        credits: bundle.credits,
        plots: names(&bundle.plots),
        rigs: bundle.rigs,
        scripts: to_units_or_none(bundle.scripts),
    }
}

fn to_aim(aim: &Aim) -> Option<play::Aim> {
    Some(match aim {
        Aim::Nothing => return None,
        &Aim::Seat(seat) => play::Aim::Seat(number(seat)),
        &Aim::Plot(plot) => play::Aim::Plot(name(plot)),
        &Aim::Plots(plot, other) => {
            play::Aim::Plots(pb::Plots { plot: name(plot), other: name(other) })
        }
        &Aim::Resource(resource) => play::Aim::Resource(to_pb(resource)),
        &Aim::Spots(plot, resource) => play::Aim::Spots(to_spot(plot, resource)),
        &Aim::Swap { give, take } => {
            play::Aim::Swap(pb::Swap { give: Some(to_units(give)), take: Some(to_units(take)) })
        }
        &Aim::Stake(units) => play::Aim::Stake(to_units(units)),
        Aim::Loss { victim, units, cards } => play::Aim::Loss(pb::Loss {
            victim: number(*victim),
            units: Some(to_units(*units)),
            cards: names(cards),
        }),
    })
}
