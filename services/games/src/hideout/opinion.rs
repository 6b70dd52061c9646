//! How a player who does not look ahead values plays and positions. Values are in tenths of a
//! token.

// A wildcard arm would cover future effects and actions.
#![deny(clippy::wildcard_enum_match_arm)]

use std::{cell::OnceCell, marker::PhantomData};

use table::{Seat, Set, Small, Table};

use super::{
    actions::Action,
    cards::Effect,
    effects::{self, Part},
    nights::{hideout, own_places},
    ruleset::Ruleset,
    vocabulary::{Choice, Coin::IskToken, Colour, Job, Person, Place::*, Skill},
};

const TOKEN: i32 = 10;

pub(super) fn appeal<G: Ruleset>(table: &Table, seat: Seat, action: &Action) -> i32 {
    let mind = Mind::<G>::of(table, seat);
    match *action {
        Action::PerformCaper { card } => mind.caper(card, true),
        Action::CompleteJob { job, team } => mind.job(job, team),
        Action::Choose { what, card } => match what {
            Choice::Keep => mind.held(card),
            Choice::TeamUp => mind.beside_thug(card) - mind.held(card) / 4,
            Choice::Duplicate => mind.caper(card, false),
            Choice::TakeBack => mind.held(card),
            Choice::Abduct => mind.held(card) + mind.harm(TOKEN / 2),
            Choice::Exchange => mind.caper(card, false) + mind.held(card) / 2 - INSIDE_MAN,
        },
        Action::Rob { victim } => {
            let effect = Part::pending(table).effect::<G>();
            let (Effect::Rob(amount) | Effect::RobRichest(amount)) = effect else { return 0 };
            // Among equal loot, prefers that of the richest.
            mind.rob(victim, amount) + mind.stash(victim) / TOKEN
        }
        Action::NameSkill { skill } => mind.thug(skill),
        Action::SwapJobs { mine, theirs } => mind.swap(mine, theirs),
        Action::Decline | Action::Pass => 0,
    }
}

/// The value of a card in a small hand, and in a large one, where it waits for its turn.
const CARD: i32 = 30;
const IDLE_CARD: i32 = 12;
const MANY: usize = 8;
/// With this many tokens in the Coffers or more, the game is long enough for any card.
const FULL: i32 = 40;
/// The value of one night less for a person in the hideout, §8.9.
const NIGHT: i32 = 2;
/// The value of performing a chosen text of another card, §8.21.
const EXCHANGE: i32 = 8;
/// The value of a token of the bonus for the next job.
const HOPE: i32 = 4;
/// People on a job are away for three nights, which costs this part of their value.
const TIED: i32 = 20;
/// The value of an Inside Man in the hand, §8.21: it fits any team, and can copy any text.
const INSIDE_MAN: i32 = 12;

struct Mind<'a, G> {
    table: &'a Table,
    seat: Seat,
    hand: Set<Person>,
    behind: OnceCell<i32>,
    game: PhantomData<fn() -> G>,
}

impl<'a, G: Ruleset> Mind<'a, G> {
    fn of(table: &'a Table, seat: Seat) -> Self {
        let hand = table.pieces(Hand(seat));
        Mind { table, seat, hand, behind: OnceCell::new(), game: PhantomData }
    }

    fn stash(&self, seat: Seat) -> i32 {
        self.table.coins(IskToken, Stash(seat)) * TOKEN
    }

    /// The value of one opponent's loss: all of it if there is no other opponent.
    fn harm(&self, loss: i32) -> i32 {
        loss / (self.table.seat_count() as i32 - 1)
    }

    /// The value of a card that waits in the hand or in the deck. The sooner the Coffers are empty,
    /// the less cards are worth.
    fn card(&self) -> i32 {
        let left = self.table.coins(IskToken, Coffers);
        let full = if self.hand.len() > MANY { IDLE_CARD } else { CARD };
        full * left.min(FULL) / FULL
    }

    /// The value of holding a card: for its text, and for teams.
    fn held(&self, card: Person) -> i32 {
        let wild = if card.skill::<G>().is_none() { INSIDE_MAN } else { 0 };
        self.card() + wild + card.row::<G>().text.iter().map(|&it| self.usual(it)).sum::<i32>() / 2
    }

    /// The average value of an effect.
    fn usual(&self, effect: Effect) -> i32 {
        match effect {
            Effect::Steal(amount) | Effect::Rob(amount) | Effect::RobRichest(amount) => {
                TOKEN * i32::from(amount)
            }
            Effect::StealByJobs { .. } | Effect::StealBySkills | Effect::RobEach { .. } => 25,
            Effect::DrawAndKeep(_) | Effect::AdvanceTime | Effect::SwapJobs => 8,
            Effect::Draw(cards) => self.card() * i32::from(cards),
            Effect::SecondCaper | Effect::TeamUp | Effect::Duplicate => 20,
            Effect::TakeBack | Effect::Abduct | Effect::Exchange => 12,
        }
    }

    /// §4.1 The value of playing a card for its text; a copied text, §8.15, does not copy or repeat
    /// in turn.
    fn caper(&self, card: Person, may_repeat: bool) -> i32 {
        card.row::<G>().text.iter().map(|&it| self.effect(card, it, may_repeat)).sum()
    }

    fn effect(&self, card: Person, effect: Effect, may_repeat: bool) -> i32 {
        let others = || self.hand.without(&Set::one(card)).iter();
        let best = |value: &dyn Fn(Person) -> i32| others().map(value).max().unwrap_or(0);
        match effect {
            Effect::DrawAndKeep(cards) => self.card() + i32::from(cards),
            Effect::Draw(cards) => self.card() * i32::from(cards),
            Effect::Steal(amount) => self.steal(amount),
            Effect::StealByJobs { without, with } => {
                let none = self.table.is_bare(CompletedJobs(self.seat));
                self.steal(if none { without } else { with })
            }
            Effect::StealBySkills => self.steal(self.skills_shown(card)),
            Effect::Rob(amount) => self.best_rob(amount),
            Effect::RobRichest(amount) => self.best_rob(amount),
            Effect::RobEach { each, only } => {
                let amount = if self.table.seat_count() == 2 { only } else { each };
                self.table.others(self.seat).map(|it| self.rob(it, amount)).sum()
            }
            // §8.9
            Effect::AdvanceTime => {
                let away = hideout(self.seat).map(|it| self.table.count(it)).sum::<usize>();
                NIGHT * away as i32
            }
            Effect::SecondCaper if may_repeat => best(&|it| self.caper(it, false)),
            Effect::Duplicate if may_repeat => best(&|it| self.caper(it, false)),
            Effect::SecondCaper | Effect::Duplicate => 0,
            Effect::TeamUp => best(&|it| self.beside_thug(it)),
            Effect::TakeBack => {
                let away = hideout(self.seat).skip(1).map(|it| self.table.pieces(it));
                let away = away.fold(Set::EMPTY, |all, it: Set<Person>| all.or(&it));
                away.iter().map(|it| self.held(it)).max().unwrap_or(0) / 2
            }
            Effect::Abduct => self.card() + self.harm(TOKEN / 2),
            Effect::Exchange => EXCHANGE,
            Effect::SwapJobs => 0,
        }
    }

    /// §5.5, §10.2: the reward and the bonus, less the cards' value as capers.
    fn job(&self, job: Job, team: Set<Person>) -> i32 {
        let cards = team.iter();
        let tied: i32 = cards.map(|it| self.held(it)).sum();
        let any = team.iter().next().expect("a team has cards");
        let reward: i32 = job.row::<G>().reward.iter().map(|&it| self.effect(any, it, false)).sum();
        let done = self.jobs(self.seat, job.colour());
        let bonus = (G::BONUS[done + 1] - G::BONUS[done]) * TOKEN;
        // The next job of the colour has its bonus too.
        let hope = G::BONUS.get(done + 2).map_or(0, |next| next - G::BONUS[done + 1]) * HOPE;
        reward + bonus + hope - tied / TIED
    }

    fn jobs(&self, seat: Seat, colour: Colour) -> usize {
        let done: Set<Job> = self.table.pieces(CompletedJobs(seat));
        done.iter().filter(|job| job.colour() == colour).count()
    }

    /// §8.20 How a swap changes the bonuses of the two seats, §10.2.
    fn swap(&self, mine: Job, theirs: Job) -> i32 {
        let (given, taken) = (mine.colour(), theirs.colour());
        let owner = self.table.others(self.seat).find(|&it| {
            let done: Set<Job> = self.table.pieces(CompletedJobs(it));
            done.has(theirs)
        });
        let (Some(owner), false) = (owner, given == taken) else { return 0 };
        let change = |seat, less: Colour, more: Colour| {
            let (less, more) = (self.jobs(seat, less), self.jobs(seat, more));
            G::BONUS[(more + 1).min(4)] - G::BONUS[more] - G::BONUS[less]
                + G::BONUS[less.saturating_sub(1)]
        };
        let gain = change(self.seat, given, taken) * TOKEN;
        gain - self.harm(change(owner, taken, given) * TOKEN)
    }

    /// §7.2; §9.1: the last token ends the game, which is good only for the richest.
    fn steal(&self, amount: u8) -> i32 {
        let left = self.table.coins(IskToken, Coffers);
        let gain = i32::from(amount).min(left);
        if gain < left {
            return gain * TOKEN;
        }
        if gain > self.lead_of_others() { 100 * TOKEN } else { -5 * TOKEN }
    }

    /// §7.3. Loot that gives a small lead is soon robbed back, and two seats that only rob each
    /// other never end the game. So loot counts in full only for a seat that stays behind.
    fn rob(&self, victim: Seat, amount: u8) -> i32 {
        let loot = self.stash(victim).min(TOKEN * i32::from(amount));
        let stays = 2 * loot <= *self.behind.get_or_init(|| self.lead_of_others() * TOKEN);
        if stays { loot + self.harm(loot) } else { loot * 6 / 10 }
    }

    /// By how much the richest other seat is ahead of this one.
    fn lead_of_others(&self) -> i32 {
        let others = self.table.others(self.seat).map(|it| total::<G>(self.table, it));
        others.max().unwrap_or(0) - total::<G>(self.table, self.seat)
    }

    fn best_rob(&self, amount: u8) -> i32 {
        self.table.others(self.seat).map(|it| self.rob(it, amount)).max().unwrap_or(0)
    }

    /// §8.5 Including the card that is being played.
    fn skills_shown(&self, card: Person) -> u8 {
        let mut shown = [false; Skill::COUNT];
        let mut wild = 0;
        let out = hideout(self.seat).map(|it| self.table.pieces::<Person>(it));
        let out = out.fold(Set::one(card), |all, it| all.or(&it));
        for card in out.iter() {
            match card.skill::<G>() {
                Some(skill) => shown[skill.index()] = true,
                None => wild += 1,
            }
        }
        (shown.iter().filter(|it| **it).count() + wild).min(Skill::COUNT) as u8
    }

    /// §8.13, §8.14: the Thug's loot beside this partner.
    fn beside_thug(&self, partner: Person) -> i32 {
        match partner.skill::<G>() {
            Some(skill) => self.thug(skill),
            None => Skill::all().map(|it| self.thug(it)).max().unwrap_or(0),
        }
    }

    fn thug(&self, skill: Skill) -> i32 {
        let lone = |rival| effects::lone_of_skill::<G>(self.table, rival, skill) as u8;
        self.table.others(self.seat).map(|it| self.rob(it, lone(it))).sum()
    }
}

/// §10.1, §10.2: the tokens and the bonuses of a seat, as if the game ended now.
fn total<G: Ruleset>(table: &Table, seat: Seat) -> i32 {
    let done: Set<Job> = table.pieces(CompletedJobs(seat));
    let bonus = |colour: Colour| G::BONUS[done.iter().filter(|job| job.colour() == colour).count()];
    table.coins(IskToken, Stash(seat)) + Colour::all().map(bonus).sum::<i32>()
}

/// The total, and what the seat's people may still take from the Coffers.
pub(super) fn worth<G: Ruleset>(table: &Table, seat: Seat) -> i32 {
    if table.ended() {
        return table.scores()[seat.index()];
    }
    let people: usize = own_places(seat).map(|place| table.count(place)).sum();
    total::<G>(table, seat) + people as i32 * table.coins(IskToken, Coffers) / 80
}
