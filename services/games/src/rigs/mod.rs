//! R.I.G.S.: settle plots, work them with machines, survive disasters and your neighbours, sell
//! Luxury.
//!
//! The rules are on the page `docs/games/rigs.md`, and its paragraphs are cited as `§4.2`. The
//! modules follow the page: the catalogue ([`cards`]), the colony, deals, the Player phase,
//! disasters, production, the market and the end; [`karma`] interrupts all of them.

mod absent;
mod actions;
mod cards;
mod colony;
mod deals;
mod disasters;
mod end;
mod karma;
mod layout;
mod market;
mod opinion;
mod player;
mod production;
mod refusals;
mod series;
mod showing;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use bytes::Bytes;
use table::{
    Chance, Dealer, DecisionId, Layout, Malformed, Options, Rules, Seat, Set, Table, Upto,
    any_kind, any_of, components, small, vocabulary,
};

pub use cards::{DisasterKind, Karma, Land, Resource};
use layout::LAYOUT;
pub use refusals::Refusal;

pub struct Rigs;

// === Names ===

components! {
    pub Plot: 0..27,
    /// Gives its plot Luxury spots.
    pub SurveyCard: 27..54,
    /// The six Safe cards are among them.
    pub DisasterCard: 54..90,
    /// Used as prices during the match, and to value plots at its end.
    pub MarketCard: 135..171,
}

/// Positions on the stage: a Sabotage at 0, and above it up to three cards that redirect it.
pub type Depth = Upto<4>;

small! {
    pub enum Place {
        /// The unlimited supply of credits and resources; the source of RIGS and scripts in set-up.
        Bank,
        /// RIGS that are not built.
        Works,
        /// Scripts that are not lent out.
        Vinnie,
        Warehouse(Seat), Purse(Seat), Debts(Seat),
        /// RIGS just lost, until their destination is decided.
        Wreck(Seat),
        PlotDeck, Grant(Seat), Owned(Seat), Spots(Plot, Resource), On(Plot),
        SurveyDeck,
        DisasterDeck, Front(Seat), DisasterDiscard,
        KarmaDeck, Hand(Seat), InPlay(Seat), Awaited(Seat), Stage(Depth), KarmaDiscard,
        /// RIGS on the Recycling card.
        Recycled,
        /// RIGS on the Parts Shop card.
        Parts,
        MarketDeck, Price, MarketDiscard, EndMarketDeck, Value(Land),
        /// The credits of the second seat as the first one saw them, and the source of such notes.
        Notes(Seat, Seat), Notepad,
    }
}
small! {
    pub enum Coin { Unit(Resource), Credit, Rig, Script(Resource), Counted }
}
small! {
    pub enum Mark {
        Leader, LandMoved, Ready(Seat), Dealt(Seat), Borrowed(Seat), Tinkered, Due(Seat),
        Powered(Plot), LastCalled, SentTo, Lost(Seat, Resource), LostKarma(Seat), Worth(Resource),
        By(Depth), Victim(Depth), Aimed(Depth), AimedToo(Depth), Sort(Depth), LostBoth(Seat),
        Guarded(Seat), Offers(Seat), Unreadied(Seat), Shows(Seat),
        Unrolled(Resource), Touched(Seat),
    }
}
small! {
    /// §20.9: what is asked, and why.
    pub enum Decision {
        Grant, GrantTo, Turn, Interrupt, Discard,
        Deal, Exchange, LoseRigs,
        Produce, CallLast, Final, Readjust,
        Draw, Sell,
        React, GiveDecoy, TakeCard, DiscardTheirs, Throw, Match, Gain, Salvage, Send, NewOwner,
        Share, Robbed, Raise, TradeIn, Retrieve,
    }
}
small! {
    pub enum Announcement {
        Begins(Phase), Leads, IsReady, IsNotReady, LastCall, Unaffected, Averted, TakenOver, Returned,
        Wasted, Price, LandValue(Land), UnitValue(Resource), PlotsWorth, StockWorth, Owes,
        OnSeat, OnPlot(Plot), OnResource(Resource), Powers, PriceForSeat,
        ShowsCredits,
    }
}
small! {
    pub enum Phase { Player, Disaster, Production, Market }
}
small! {
    pub enum Back { Plot, Survey, Disaster, Karma, Market }
}
vocabulary!(Place => PlaceId, Coin => CoinId, Mark => MarkId, Decision => DecisionId, Announcement => AnnouncementId, Back => BackId);

use {Mark::*, Place::*};

/// An amount of each resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources(pub [u32; 4]);

/// §5.3: one side of a deal. A plot takes its survey and its RIGS along.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bundle {
    pub units: Resources,
    pub credits: u32,
    pub plots: Set<Plot>,
    /// Idle ones, from warehouse to warehouse.
    pub rigs: u32,
    /// §5.11: an offer of any is refused.
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
    /// The seat that must match a loss, and what the player of the card discards for it now.
    Loss {
        victim: Seat,
        units: Resources,
        cards: Set<Karma>,
    },
}

#[derive(Clone, Debug, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Action {
    /// The order in which the other seats draw theirs; empty where the leader names none.
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

/// §4.1
pub const ROUNDS: u8 = 15;

impl Rules for Rigs {
    const NAME: &'static str = "rigs";
    /// §19.1
    const SEATS: RangeInclusive<u8> = 2..=4;
    const VERSION: u32 = 1;
    type Action = Action;
    type Refusal = Refusal;

    fn layout() -> &'static Layout {
        &LAYOUT
    }

    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        actions::parse(message)
    }

    fn print(action: &Action) -> Bytes {
        actions::print(action)
    }

    fn verb(action: &Action) -> &'static str {
        action.into()
    }

    fn set_up(d: &mut Dealer, _: &Options) {
        colony::set_up(d);
        player::begin_round(d, 1);
    }

    /// §19.5: the service chooses among these for a seat that resigned.
    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        let mut legal = Vec::new();
        let listers = table.decision(seat).map(listers).unwrap_or_default();
        listers.iter().for_each(|list| list(table, seat, &mut legal));
        legal
    }

    fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
        let listers = listers(table.decision(seat)?);
        any_kind(listers.len(), chance, |kind, chance| {
            let mut legal = Vec::new();
            listers[kind](table, seat, &mut legal);
            any_of(legal, chance)
        })
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        let decision = d.decision(seat).ok_or(Refusal::NotNow)?;
        if let Action::Show { cards, credits, to } = action {
            return showing::show(d, seat, *cards, *credits, to);
        }
        answer(d, seat, decision, action)?;
        advance(d);
        Ok(())
    }

    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        absent::passive(table, seat)
    }

    fn may_stand(decision: DecisionId) -> bool {
        decision.to().is_some_and(absent::may_stand)
    }

    fn concerns(table: &Table, seat: Seat) -> bool {
        absent::concerns(table, seat)
    }

    /// §19.2
    fn open_ended(_: &Table, _: Seat, action: &Action) -> bool {
        match action {
            Action::Offer { .. }
            | Action::Power { .. }
            | Action::Raise { .. }
            | Action::Show { .. } => true,
            Action::Grant { order, .. } => !order.is_empty(),
            Action::Series { .. } => true,
            Action::Play { aim, .. } => {
                matches!(aim, Aim::Swap { .. } | Aim::Stake(_) | Aim::Loss { .. })
            }
            _ => false,
        }
    }

    /// §15.5: only the two seats learn which card is taken.
    fn in_secret(action: &Action) -> bool {
        matches!(action, Action::Take { .. })
    }

    fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
        opinion::appeal(table, seat, action)
    }

    fn worth(table: &Table, seat: Seat) -> i32 {
        opinion::worth(table, seat)
    }

    fn check(table: &Table) -> Result<(), String> {
        colony::check(table)
    }
}

// === Answers to each decision ===

/// Lists the actions of a kind or two that a seat may take now.
type Lister = fn(&Table, Seat, &mut Vec<Action>);

fn listers(decision: Decision) -> &'static [Lister] {
    match decision {
        Decision::Grant => &[player::list_grants],
        Decision::GrantTo => &[series::list, player::list_recipients],
        Decision::Turn => &[
            list_ready,
            player::list_building,
            player::list_moves,
            player::list_surveys,
            player::list_loans,
            player::list_repayments,
            karma::list_cashing,
            karma::list_tinkering,
            deals::list_answers,
            deals::list_own,
            karma::list_plays,
        ],
        Decision::Interrupt => {
            &[player::list_interrupts, deals::list_answers, deals::list_own, karma::list_plays]
        }
        Decision::Deal => &[series::list, disasters::list_dealing, karma::list_plays],
        Decision::Produce | Decision::CallLast => &[
            production::list_last_call,
            production::list_unready,
            production::list_powering,
            player::list_loans,
            production::list_ready,
            deals::list_answers,
            deals::list_own,
            karma::list_plays,
        ],
        Decision::Readjust => {
            &[production::list_powering, player::list_loans, production::list_ready]
        }
        Decision::Final => &[list_pass, karma::list_plays],
        Decision::Draw => &[market::list_drawers, karma::list_plays],
        Decision::Sell => &[market::list_sales, market::list_ready, karma::list_plays],
        Decision::Discard | Decision::Match => &[series::list, list_hand],
        Decision::Exchange => &[list_pass, list_hand],
        Decision::LoseRigs => &[series::list, colony::list_losses],
        _ => &[series::list, karma::list_answers],
    }
}

fn list_ready(_: &Table, _: Seat, legal: &mut Vec<Action>) {
    legal.push(Action::Ready);
}

fn list_pass(_: &Table, _: Seat, legal: &mut Vec<Action>) {
    legal.push(Action::Pass);
}

fn list_hand(table: &Table, seat: Seat, legal: &mut Vec<Action>) {
    let hand = table.pieces(Hand(seat));
    legal.extend(hand.iter().map(|card| Action::Discard { card }));
}

/// §6.4, §7.2, §12.5: each decision accepts its own actions and no others.
fn answer(d: &mut Dealer, seat: Seat, decision: Decision, action: &Action) -> Result<(), Refusal> {
    use Action::*;
    match (decision, action) {
        (Decision::Grant, Grant { plot, order }) => player::grant(d, seat, *plot, order),
        (Decision::GrantTo, &Name { seat: to }) => player::grant_to(d, seat, to),
        (Decision::Turn, Ready) => player::end_turn(d, seat),
        (Decision::Turn, &Build) => player::build(d, seat),
        (Decision::Turn, &Move { from, to }) => player::move_rig(d, seat, from, to),
        (Decision::Turn, &Survey { plot }) => player::survey(d, seat, plot),
        (
            Decision::Turn
            | Decision::Interrupt
            | Decision::Produce
            | Decision::CallLast
            | Decision::Readjust,
            &Borrow { resource },
        ) => player::borrow(d, seat, resource),
        (Decision::Turn, &Repay { resource }) => player::repay(d, seat, resource),
        (Decision::Turn | Decision::Interrupt, Cash) => karma::cash(d, seat),
        (Decision::Turn | Decision::Interrupt, Tinker) => karma::tinker(d, seat),
        (Decision::Turn | Decision::Interrupt | Decision::Produce, Offer { to, give, take }) => {
            deals::offer(d, seat, *to, give, take)
        }
        (
            Decision::Turn | Decision::Interrupt | Decision::Produce | Decision::CallLast,
            Withdraw,
        ) => deals::withdraw(d, seat),
        (
            Decision::Turn | Decision::Interrupt | Decision::Produce | Decision::CallLast,
            &Accept { by },
        ) => deals::accept(d, seat, by),
        (
            Decision::Turn | Decision::Interrupt | Decision::Produce | Decision::CallLast,
            &Refuse { by },
        ) => deals::refuse(d, seat, by),
        (Decision::Discard, &Discard { card }) => player::discard(d, seat, card),
        (Decision::Deal, &Name { seat: to }) => disasters::deal_to(d, seat, to),
        (Decision::Exchange, Pass) => disasters::decline_exchange(d, seat),
        (Decision::Exchange, &Discard { card }) => disasters::exchange(d, seat, card),
        (Decision::LoseRigs, &Lose { from }) => colony::lose_rig(d, seat, from),
        (Decision::Produce | Decision::Readjust, &Power { plots }) => {
            production::power(d, seat, plots)
        }
        (Decision::Produce, Ready) => production::ready(d, seat),
        (Decision::Produce | Decision::CallLast, Unready) => production::unready(d, seat),
        (Decision::CallLast, LastCall) => production::call_last(d, seat),
        (Decision::Readjust, Ready) => production::readjusted(d, seat),
        (Decision::Final, Pass) => production::pass(d, seat),
        (Decision::Draw, &Name { seat: drawer }) => market::draw(d, seat, drawer),
        (Decision::Sell, &Sell { amount }) => market::sell(d, seat, amount),
        (Decision::Sell, Ready) => market::ready(d, seat),
        (decision, Series { answers }) => series::answer(d, seat, decision, answers),
        (decision, Play { card, aim }) => karma::play(d, seat, decision, *card, aim),
        (decision, action) => karma::answer(d, seat, decision, action),
    }
}

// === Phases and readiness ===

/// Whether no decision interrupts the phase.
fn uninterrupted(table: &Table) -> bool {
    table.prompts().last().is_none_or(|prompt| prompt.layer == 0)
}

/// §4.1, §12.1: continues until a seat must decide; a karma card is resolved before anything else.
fn advance(d: &mut Dealer) {
    while !d.ended() && uninterrupted(d) {
        if karma::is_under_way(d) {
            karma::finish(d);
            continue;
        }
        deals::expire(d);
        match Phase::of(d) {
            Phase::Production => production::ask(d),
            Phase::Market => market::ask_for_sales(d),
            Phase::Player | Phase::Disaster => {}
        }
        if d.prompts().iter().any(|prompt| prompt.must) {
            return;
        }
        // What the others may do between two disasters stays open.
        if Phase::of(d) != Phase::Disaster {
            d.close_optional();
        }
        match Phase::of(d) {
            Phase::Player => disasters::begin(d),
            Phase::Disaster => disasters::advance(d),
            Phase::Production => production::finish(d),
            Phase::Market => market::end_round(d),
        }
    }
}

impl Phase {
    /// Counted from 1, as in the rulebook.
    fn number(self) -> u8 {
        table::Small::index(self) as u8 + 1
    }

    fn of(table: &Table) -> Phase {
        let nth = usize::from(table.phase()).checked_sub(1);
        nth.and_then(table::Small::nth).expect("a match is always in one of the four phases")
    }

    fn begin(self, d: &mut Dealer, seat: Seat) {
        reset_counts(d);
        d.begin_phase(self.number());
        d.announce(Announcement::Begins(self), seat, 0);
    }
}

/// §20.2: asks a seat before everything else goes on, together with those asked so already.
fn interrupt_together(d: &mut Dealer, seat: Seat, decision: Decision) {
    if uninterrupted(d) {
        d.interrupt(seat, decision);
    } else {
        d.ask(seat, decision);
    }
}

/// §20.11: seats that are not ready must answer; ready ones may. A question that stays open stays
/// the same one, whatever other seats do.
fn ask_unready(d: &mut Dealer, decision: Decision, asks: impl Fn(&Table, Seat) -> bool) {
    let asked = d.seats().filter(|&seat| asks(d, seat));
    let wanted: Vec<_> = asked.map(|seat| (seat, decision, !d.is_marked(Ready(seat)))).collect();
    d.ask_exactly(wanted);
}

/// §5.2, §12.4: the others may play karma, and in the Player phase deal with the seat on turn.
fn allow_interrupts(d: &mut Dealer, seat: Seat) {
    d.others(seat).for_each(|other| d.allow(other, Decision::Interrupt));
}

/// §3.5, §5.12, §10.12: what a seat does a limited number of times in a turn or phase.
fn reset_counts(d: &mut Dealer) {
    for mark in d.seats().flat_map(|seat| [Offers(seat), Unreadied(seat), Shows(seat)]) {
        d.mark(mark, 0);
    }
}

fn clear_all_ready(d: &mut Dealer) {
    d.seats().for_each(|seat| d.mark(Ready(seat), 0));
}

fn all_ready(table: &Table) -> bool {
    table.seats().all(|seat| table.is_marked(Ready(seat)))
}

/// Called when a seat has nothing more to do.
fn settle(d: &mut Dealer, seat: Seat) {
    d.mark(Ready(seat), 1);
    d.mark(Touched(seat), 0);
}

/// Called when something happens to a seat: it may want to act again.
fn clear_ready(d: &mut Dealer, seat: Seat) {
    d.mark(Ready(seat), 0);
    d.mark(Touched(seat), 1);
}
