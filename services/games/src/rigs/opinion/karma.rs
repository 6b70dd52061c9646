//! How a player values karma cards (§12): to play, to answer with, to keep and to discard.

use table::{Seat, Table};

use super::mind::{CREDIT, DIE, Mind, QUOTE};
use crate::rigs::{
    actions::{Aim, Location},
    cards::Kind,
    colony::{capacity, leader, owner, plots, rigs_of, rigs_on, stock, units},
    karma::sabotage,
    losses::lost_units,
    market,
    phases::ROUNDS,
    production,
    resources::Resources,
    vocabulary::{
        Coin::*,
        Decision, Karma,
        Mark::*,
        MarketCard,
        Place::*,
        Plot,
        Resource::{Energy, Luxury},
    },
};

/// The average output of a RIGS per remaining round.
const RIG: i32 = 30;
/// The threshold below which a card is kept for later.
const PATIENCE: i32 = 60;

/// The target of a card, and the value of playing it.
struct Target {
    victim: Option<Seat>,
    plot: Option<Plot>,
}

impl Target {
    fn of(table: &Table, aim: &Aim) -> Target {
        match *aim {
            Aim::Seat(victim) | Aim::Loss { victim, .. } => {
                Target { victim: Some(victim), plot: None }
            }
            Aim::Plot(plot) => Target { victim: owner(table, plot), plot: Some(plot) },
            _ => Target { victim: None, plot: None },
        }
    }
}

impl Mind<'_> {
    pub(super) fn play(&self, card: Karma, aim: &Aim) -> i32 {
        if let Some(Decision::React | Decision::GiveDecoy) = self.table.decision(self.seat) {
            return self.react(card, aim);
        }
        let target = Target::of(self.table, aim);
        match card.kind() {
            Kind::Destruction => self.destroy(card, aim, &target),
            Kind::Sabotage => self.sabotage(card, aim, &target),
            Kind::Wealth => self.enrich(card, aim, &target),
            Kind::Protection => self.protect(card),
        }
    }

    /// The value of a rival's loss; this seat's own loss is negative.
    fn harm(&self, victim: Option<Seat>, loss: i32) -> i32 {
        match victim {
            Some(victim) if victim == self.seat => -loss,
            Some(_) => loss / (self.table.seat_count() as i32 - 1),
            None => 0,
        }
    }

    /// §13
    fn destroy(&self, card: Karma, aim: &Aim, target: &Target) -> i32 {
        let victim = target.victim;
        let each = self.left * RIG;
        let held = || victim.map_or(Resources::none(), |it| stock(self.table, it));
        match card {
            Karma::MissingSupport => {
                self.harm(victim, target.plot.map_or(each / 2, |it| self.rig_on(it)))
            }
            Karma::BadOsRevision => {
                let rigs = victim.map_or(0, |it| rigs_of(self.table, it)) as i32;
                self.harm(victim, rigs / 2 * each - 60)
            }
            Karma::WrongManual => self.harm(victim, each),
            Karma::EyeForAnEye | Karma::NotThatOne => self.harm(victim, 50) + 20,
            Karma::AccidentalDumping => self.harm(victim, held().get(Luxury) as i32 * 110) - 20,
            Karma::LeftTheLightOn => self.harm(victim, held().get(Energy) as i32 * 20) - 20,
            Karma::DaRoofIsOnFire => self.harm(victim, self.units(held()) - 60) - 20,
            Karma::RoughStorm => self.storm(),
            Karma::Blowout => {
                let lost = target.plot.map_or(0, |it| self.rigs_at_work(it) * self.rig_on(it));
                self.harm(victim, lost - 40)
            }
            // §13.8: discards nothing for it.
            _ => match *aim {
                Aim::Loss { units, cards, .. } if units.total() == 0 && cards.is_empty() => 5,
                _ => -1,
            },
        }
    }

    fn rigs_at_work(&self, plot: Plot) -> i32 {
        rigs_on(self.table, plot).map_or(0, |it| it.1) as i32
    }

    fn rig_on(&self, plot: Plot) -> i32 {
        let at = rigs_on(self.table, plot).map(|it| Location::Spot(plot, it.0));
        at.map_or(0, |it| self.rig(it)).max(10)
    }

    /// §13.12
    fn storm(&self) -> i32 {
        let held = |it: Seat| stock(self.table, it).total().min(3) as i32 * 10;
        let others = self.table.others(self.seat);
        others.map(|it| self.harm(Some(it), held(it))).sum::<i32>() - held(self.seat)
    }

    /// §15
    fn sabotage(&self, card: Karma, aim: &Aim, target: &Target) -> i32 {
        let table = self.table;
        let victim = target.victim;
        let crop = || victim.zip(target.plot).map_or(0, |(seat, plot)| self.crop(seat, plot));
        match card {
            Karma::GiveMeThat | Karma::IllTakeThat => self.harm(victim, 50) + 20,
            // §15.2: credits are private; all seats began with the same amount.
            Karma::IdentityTheft => {
                let usual = 100 + i32::from(table.round()) * 15;
                (usual - table.coins(Credit, Purse(self.seat))) * CREDIT - 200
            }
            Karma::IncorrectDrivers => self.harm(victim, crop()) - 20,
            Karma::IWantThat => match *aim {
                Aim::Resource(resource) => {
                    let given = |it| units(table, it, resource).min(3) as i32;
                    let all: i32 = table.others(self.seat).map(given).sum();
                    all * (self.price(resource) + 20) - PATIENCE
                }
                _ => -1,
            },
            Karma::YouSentItWhere => crop() + self.harm(victim, crop()) - 30,
            Karma::Brownout => {
                let is_powered = |plot: &Plot| table.is_marked(Powered(*plot));
                let powered = victim.map_or(0, |it| plots(table, it).filter(is_powered).count());
                self.harm(victim, powered as i32 * DIE) - 30
            }
            Karma::SurveyError => {
                let worth = target.plot.map_or(0, |it| self.survey_worth(it, it) - 60);
                self.harm(victim, worth)
            }
            Karma::SurveyTypo => match *aim {
                Aim::Plots(one, two) => self.swap_surveys(one, two),
                _ => -1,
            },
            Karma::RecordNotFound => self.unrecord(target),
            Karma::CarrierLost => self.harm(victim, victim.map_or(0, |it| self.harvest(it))) - 40,
            // §15.13: they come to this seat.
            _ => {
                let rigs = target.plot.map_or(0, |it| self.rigs_at_work(it));
                self.harm(victim, 2 * rigs * self.left * RIG) - 30
            }
        }
    }

    /// The output of a seat's plots this round.
    fn harvest(&self, seat: Seat) -> i32 {
        plots(self.table, seat).map(|it| self.crop(seat, it)).sum()
    }

    fn crop(&self, seat: Seat, plot: Plot) -> i32 {
        let runs = self.table.is_marked(Powered(plot));
        let made = production::make(self.table, seat, plot).filter(|it| runs || it.0 == Energy);
        made.map_or(0, |(resource, amount)| self.price(resource) * amount as i32)
    }

    /// §18.2: the value that the survey of one plot adds to another.
    fn survey_worth(&self, survey: Plot, plot: Plot) -> i32 {
        let spots = capacity(self.table, survey, Luxury) as i32;
        let doubled = if spots > 0 { plot.land().market_cards() as i32 * QUOTE } else { 0 };
        doubled + spots * self.left * RIG
    }

    /// §15.10
    fn swap_surveys(&self, one: Plot, two: Plot) -> i32 {
        let change = |plot, other| {
            let less = self.survey_worth(plot, plot) - self.survey_worth(other, plot);
            self.harm(owner(self.table, plot), less)
        };
        change(one, two) + change(two, one) - 40
    }

    /// §15.11: the leader names the new owner.
    fn unrecord(&self, target: &Target) -> i32 {
        let (Some(victim), Some(plot)) = (target.victim, target.plot) else { return -1 };
        let worth = self.plot(plot);
        let comes = self.table.seat_count() == 2 || leader(self.table) == self.seat;
        let gain = if comes && victim != self.seat { worth } else { -40 };
        self.harm(Some(victim), worth) + gain
    }

    /// §16
    fn enrich(&self, card: Karma, aim: &Aim, target: &Target) -> i32 {
        match (card, aim) {
            (Karma::RidiculousEfficiency, _) => self.harvest(self.seat) - PATIENCE,
            (Karma::RigsTdm, _) => {
                2 * target.plot.map_or(0, |it| self.crop(self.seat, it)) - PATIENCE
            }
            (Karma::SwapMeet, &Aim::Swap { give, take }) => {
                self.units(take) - self.units(give) - PATIENCE
            }
            // §16.5: half a unit more on average.
            (Karma::PokerNight, &Aim::Stake(units)) => self.units(units) / 2 - 50,
            (Karma::BelowTheSurface, &Aim::Spots(plot, resource)) => {
                let spots = capacity(self.table, plot, resource) as i32;
                spots * self.price(resource) - self.left * 8
            }
            (Karma::WinningRaffleTicket | Karma::Ruins, _) => 300,
            (Karma::OtherMarkets | Karma::NaiveProfits, _) => self.raise_price(card),
            _ => 10,
        }
    }

    /// §16.10, §16.11
    fn raise_price(&self, card: Karma) -> i32 {
        let luxury = units(self.table, self.seat, Luxury) as i32;
        let past = self.table.pieces::<MarketCard>(MarketDiscard);
        let drawn = past.or(&self.table.pieces(Price));
        let values = drawn.iter().map(|it| it.value() as i32);
        let more = match card {
            Karma::OtherMarkets => values.max().unwrap_or(0) - market::price(self.table) as i32,
            _ => values.min().unwrap_or(0),
        };
        let kept = if self.table.round() == ROUNDS { 0 } else { 150 };
        luxury * more * CREDIT - kept
    }

    /// §17
    fn protect(&self, card: Karma) -> i32 {
        match card {
            Karma::WarehouseInsurance => {
                let lost = self.units(lost_units(self.table, self.seat));
                lost - if self.left > 2 { 100 } else { 0 }
            }
            Karma::ALittleInformation => 1,
            _ => 20,
        }
    }

    /// §14: answers only what affects the seat, preferably turning it on another.
    fn react(&self, card: Karma, aim: &Aim) -> i32 {
        if card == Karma::Decoy {
            return 10;
        }
        let is_own = match *aim {
            Aim::Seat(seat) => seat == self.seat,
            Aim::Plot(plot) => owner(self.table, plot) == Some(self.seat),
            _ => false,
        };
        if is_own || !sabotage::is_affected(self.table, self.seat) {
            return -1;
        }
        if *aim == Aim::Nothing { 10 } else { 15 }
    }

    /// §6.9, §8.4, §13.6: exchanges a card that is worse than most.
    pub(super) fn discard(&self, card: Karma) -> i32 {
        match self.table.decision(self.seat) {
            Some(Decision::DiscardTheirs) => keep(card),
            Some(Decision::Exchange) => 40 - keep(card),
            _ => -keep(card),
        }
    }

    /// §15.13
    pub(super) fn send(&self, to: Location) -> i32 {
        match to {
            Location::Warehouse(seat) => i32::from(seat == self.seat) * 10,
            Location::Spot(plot, resource) if owner(self.table, plot) == Some(self.seat) => {
                10 + self.spot(resource, true).max(1)
            }
            Location::Spot(..) => -1,
        }
    }
}

/// The value of a card in the hand.
pub(super) fn keep(card: Karma) -> i32 {
    use Karma::*;
    match card {
        WinningRaffleTicket | Ruins | SwapMeet => 300,
        RidiculousEfficiency | RigsTdm | RecordNotFound | YouSentItWhere | NaiveProfits => 150,
        PokerNight | OtherMarkets | CarrierLost | BadOsRevision | TriangulationDrift => 120,
        BelowTheSurface | Blowout | SurveyTypo | MissingSupport | WrongManual => 80,
        SurveyError | IWantThat | DaRoofIsOnFire | AccidentalDumping => 60,
        RightBackAtYou | WrongAddress | CallingInAFavor | DoubleAgent => 50,
        IncorrectDrivers | Brownout | GiveMeThat | IllTakeThat | RigsAlarmSystem | IveGotADonk
        | PushPullOrDrag | AintWorkingForYou | WarehouseInsurance | IdentityTheft => 40,
        EyeForAnEye | NotThatOne | IAintGoingAlone | LeftTheLightOn | RoughStorm | Recycling
        | PartsShop | Decoy | ALittleInformation => 20,
    }
}
