//! Hideouts: the engine of Grifters and You Dirty Rat. Play people, one a night or several on a
//! job; they come back three nights later.
//!
//! The engine speaks Grifters' words, and [`Ruleset`] holds what each of the two games has of its
//! own. In the order of the rulebooks: set-up and turns are in `turns`, what the texts of the cards
//! do in `deeds`, which cards make a team in `teams`, how it ends in `ends`.

pub(crate) mod actions;
pub mod cards;
mod deeds;
mod ends;
mod said;
mod teams;
#[cfg(test)]
pub(crate) mod tests;
mod turns;

use std::{fmt::Debug, marker::PhantomData, ops::RangeInclusive};

use bytes::Bytes;
use table::{
    BadOption, Component, Dealer, Layout, Malformed, Meaning, OptionSpec, Options, Plan, Purse,
    Reason, Rules, Seat, Set, Sight, Small, Table, small, vocabulary,
};

use crate::first_seat;
use cards::{Card, Cards, Colour, Job, Person, Skill};
use deeds::Clause;
use said::{Said, say};

/// What each of the two games has of its own.
pub trait Ruleset: Copy + Eq + Debug + 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    const DESCRIPTION: &'static str;
    const OPTIONS: &'static [OptionSpec];
    const CARDS: &'static Cards;

    /// The bonus for so many jobs of one colour.
    const BONUS: [i32; 5];
    /// Whether a Thug may be played with no card to team up with, for nothing.
    const THUG_ALONE: bool;

    /// How a match is played that was created with these options.
    fn variant(options: &Options, seats: usize) -> Variant;

    /// The engine's words that this game has others for.
    const WORDS: &'static [(&'static str, &'static str)];
    /// What its actions, coins, marks, prompts and backs are, and what is told, in its sentences.
    const VERBS: &'static [(&'static str, &'static str)];
    const COIN: &'static str;
    fn mark(mark: Mark) -> &'static str;
    fn decision(decision: Decision) -> &'static str;
    fn announcement(announcement: Announcement) -> &'static str;
    fn back(back: Back) -> &'static str;

    /// The [`layout`] of this game, built once.
    fn layout() -> &'static Layout;

    fn parse(message: &[u8]) -> Result<Action, Malformed>;
    fn print(action: &Action) -> Bytes;
}

/// What the options of a match decide.
pub struct Variant {
    /// One card of each specialist type stays in the box.
    pub thins_deck: bool,
    pub deck_end: DeckEnd,
    /// A job may be completed as the second play that a Femme Fatale allows.
    pub second_job: bool,
}

/// A game of the engine.
pub struct Hideout<G>(PhantomData<fn() -> G>);

// === The words ===

small! {
    pub enum Place {
        Box, Coffers, Deck, Discard, Jobs(Colour),
        Stash(Seat), Hand(Seat),
        /// Cards drawn to keep one of.
        DrawnCards(Seat),
        FirstNight(Seat), SecondNight(Seat), ThirdNight(Seat), RefreshArea(Seat),
        CompletedJobs(Seat),
    }
}
small! {
    pub enum Coin { IskToken }
}
small! {
    pub enum Mark {
        DeckEnd,
        SecondJob,
        /// The card whose text is being resolved, and how far its text is.
        Acting, Clause,
    }
}
small! {
    pub enum Decision { Turn, SecondCaper, Rob, NameSkill, SwapJobs, Choose(Choice) }
}
small! {
    /// What a card is chosen for.
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Choice { Keep, TeamUp, Duplicate, TakeBack, Abduct, Exchange }
}
impl Choice {
    /// The question as both games ask it.
    pub fn description(self) -> &'static str {
        match self {
            Choice::Keep => "Keep one of the cards drawn.",
            Choice::TeamUp => "Choose a card of your hand to team up with the Thug.",
            Choice::Duplicate => "Choose a card of your hand to duplicate.",
            Choice::TakeBack => "Choose a card of your hideout to take back.",
            Choice::Abduct => "Choose a card of an opponent's hideout to abduct.",
            Choice::Exchange => {
                "Choose a card of an opponent's hideout to exchange the Inside Man for."
            }
        }
    }
}
small! {
    pub enum Announcement {
        Caper, Job, NothingComesOfIt, TimeAdvances, Targets(Skill), NewDeck, CannotPlay,
        CoffersEmpty, JobsCompleted, DeckOut, Bonus(Colour), TieOnJobs, TieOnPeople,
    }
}
small! {
    pub enum Back { Specialist, Job }
}
small! {
    /// When an exhausted deck ends the game.
    pub enum DeckEnd {
        /// After a play that leaves neither deck nor discard pile.
        BothPilesEmpty,
        /// At once when a card must be drawn and there is neither.
        NothingToDraw,
        /// At once when the last card of the deck is drawn.
        DeckEmpty,
    }
}
vocabulary!(Place => PlaceId, Coin => CoinId, Mark => MarkId, Decision => DecisionId, Announcement => AnnouncementId, Back => BackId);

use {Coin::*, Place::*};

#[derive(Clone, Copy, Debug, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Action {
    PerformCaper { card: Person },
    CompleteJob { job: Job, team: Set<Person> },
    Choose { what: Choice, card: Person },
    Rob { victim: Seat },
    NameSkill { skill: Skill },
    SwapJobs { mine: Job, theirs: Job },
    Decline,
    Pass,
}

/// Cards, jobs and skills are named as the game names them.
#[derive(Debug, PartialEq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum Refusal {
    #[error("something else is to be decided now: {asked}")]
    DecideFirst { asked: &'static str },
    #[error("whoever can play a card must")]
    MustPlay,
    #[error("not in your hand: {cards}")]
    NotInHand { cards: String },
    #[error("{job} is not on top of its stack")]
    NotOnTop { job: &'static str },
    #[error("a team shows exactly what {job} asks for: missing {missing:?}, to spare {spare:?}")]
    WrongTeam { job: &'static str, missing: String, spare: String },
    #[error("{card} is played beside another card of the hand, and there is none")]
    NoPartner { card: &'static str },
    #[error("no card duplicates {card}")]
    NotDuplicated { card: &'static str },
    #[error("{card} is not exchanged for its like")]
    NotExchanged { card: &'static str },
    #[error("ringleaders may not be abducted, so {card} stays")]
    Loyal { card: &'static str },
    #[error("{choice} cannot be chosen here, but one of these: {choices}")]
    NotAChoice { choice: String, choices: String },
}

impl Reason for Refusal {
    fn reason(&self) -> &'static str {
        self.into()
    }
    fn facts(&self) -> Vec<(&'static str, String)> {
        match self {
            Refusal::DecideFirst { asked } => vec![("asked", (*asked).into())],
            Refusal::MustPlay => Vec::new(),
            Refusal::NotInHand { cards } => vec![("cards", cards.clone())],
            Refusal::NotOnTop { job } => vec![("job", (*job).into())],
            Refusal::WrongTeam { job, missing, spare } => {
                vec![("job", (*job).into()), ("missing", missing.clone()), ("spare", spare.clone())]
            }
            Refusal::NoPartner { card }
            | Refusal::NotDuplicated { card }
            | Refusal::NotExchanged { card }
            | Refusal::Loyal { card } => vec![("card", (*card).into())],
            Refusal::NotAChoice { choice, choices } => {
                vec![("choice", choice.clone()), ("choices", choices.clone())]
            }
        }
    }
}

// === The table ===

/// The table of either game; they differ in names, sentences and catalogue.
pub fn layout<G: Ruleset>() -> Layout {
    Layout::of(Plan {
        catalogue: cards::catalogue::<G>(),
        sight: |place: Said<G, Place>| match place.word {
            Deck => Sight::Nobody,
            Hand(seat) | DrawnCards(seat) => Sight::Only(seat),
            Box | Coffers | Discard | Jobs(_) | Stash(_) | FirstNight(_) | SecondNight(_)
            | ThirdNight(_) | RefreshArea(_) | CompletedJobs(_) => Sight::All,
        },
        purse: |place, coin: Said<G, Coin>| match (place.word, coin.word) {
            (Box, IskToken) => Purse::Bank,
            // A token in a night is what was put there for want of a card to play.
            (Coffers | Stash(_) | FirstNight(_) | SecondNight(_) | ThirdNight(_), IskToken) => {
                Purse::Held
            }
            (
                Deck | Discard | Jobs(_) | Hand(_) | DrawnCards(_) | RefreshArea(_)
                | CompletedJobs(_),
                IskToken,
            ) => Purse::None,
        },
        coin: |_: Said<G, Coin>| G::COIN,
        mark: |mark: Said<G, Mark>| {
            let description = G::mark(mark.word);
            match mark.word {
                Mark::DeckEnd => Meaning::one_of::<DeckEnd>(description),
                Mark::Acting => Meaning::one_of::<Card>(description),
                Mark::SecondJob | Mark::Clause => Meaning::number(description),
            }
        },
        decision: |decision: Said<G, Decision>| G::decision(decision.word),
        announcement: |announcement: Said<G, Announcement>| G::announcement(announcement.word),
        back: |back: Said<G, Back>| G::back(back.word),
        verbs: G::VERBS,
    })
}

impl<G: Ruleset> Rules for Hideout<G> {
    const NAME: &'static str = G::NAME;
    const TITLE: &'static str = G::TITLE;
    const DESCRIPTION: &'static str = G::DESCRIPTION;
    const SEATS: RangeInclusive<u8> = 2..=4;
    const OPTIONS: &'static [OptionSpec] = G::OPTIONS;
    type Action = Action;
    type Refusal = Refusal;

    fn layout() -> &'static Layout {
        G::layout()
    }

    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        G::parse(message)
    }

    fn print(action: &Action) -> Bytes {
        G::print(action)
    }

    fn verb(action: &Action) -> &'static str {
        say::<G>(match action {
            Action::Choose { what, .. } => what.into(),
            other => other.into(),
        })
    }

    fn fits(options: &Options, seats: u8) -> Result<(), BadOption> {
        first_seat::fits(options, seats)
    }

    fn set_up(d: &mut Dealer, options: &Options) {
        turns::set_up::<G>(d, options);
    }

    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        let Some(decision) = table.decision::<Decision>(seat) else { return Vec::new() };
        match decision {
            Decision::Turn | Decision::SecondCaper => turns::plays::<G>(table, seat, decision),
            Decision::Rob => deeds::victims(table, seat, Clause::pending(table).deed::<G>())
                .map(|victim| Action::Rob { victim })
                .collect(),
            Decision::NameSkill => Skill::all().map(|skill| Action::NameSkill { skill }).collect(),
            Decision::SwapJobs => deeds::swaps(table, seat)
                .map(|(mine, theirs)| Action::SwapJobs { mine, theirs })
                .collect(),
            Decision::Choose(what) => {
                let cards = deeds::choices::<G>(table, seat, what, Clause::pending(table));
                cards.iter().map(|card| Action::Choose { what, card }).collect()
            }
        }
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        let decision = d.decision(seat).expect("a seat acts when it is asked");
        turns::refuse::<G>(d, seat, decision, action)?;
        let went = turns::carry_out::<G>(d, seat, decision, action);
        turns::go_on::<G>(d, seat, went);
        Ok(())
    }

    /// Not every team that completes a job is listed.
    fn open_ended(action: &Action) -> bool {
        matches!(action, Action::CompleteJob { .. })
    }

    fn check(table: &Table) -> Result<(), String> {
        check(table)
    }
}

// === What neither game may ever break ===

fn check(table: &Table) -> Result<(), String> {
    let found = [
        coins_amiss(table),
        cards_out_of_play_amiss(table),
        table.seats().find_map(|seat| cards_of_seat_amiss(table, seat)),
    ];
    found.into_iter().flatten().next().map_or(Ok(()), Err)
}

fn coins_amiss(table: &Table) -> Option<String> {
    let issued = -table.coins(IskToken, Box);
    let due = turns::COFFERS[table.seat_count() - 2] as i32;
    if issued != due {
        return Some(format!("{issued} coins are in play, not {due}"));
    }
    let goes_on = table.coins(IskToken, Coffers) == 0 && !table.ended();
    goes_on.then(|| "the match goes on without a coin in the Coffers".into())
}

/// A stack is in play or out of it as a whole, and so is a card of each specialist type.
fn cards_out_of_play_amiss(table: &Table) -> Option<String> {
    let boxed: Set<Job> = table.pieces(Box);
    let torn = |colour: &Colour| boxed.iter().filter(|job| job.colour() == *colour).count() % 4 > 0;
    if let Some(colour) = Colour::all().find(torn) {
        return Some(format!("a part of the {colour:?} stack is out of play"));
    }
    let people: Set<Person> = table.pieces(Box);
    let specialists = people.iter().filter(|card| !card.is_ringleader()).count();
    (![0, cards::SPECIALISTS].contains(&specialists))
        .then(|| format!("{specialists} specialists are out of play"))
}

/// Ringleaders never leave their seat, and cards lie drawn only while one is chosen.
fn cards_of_seat_amiss(table: &Table, seat: Seat) -> Option<String> {
    let own: Vec<Place> = own_places(seat).collect();
    let lost = |card: &Person| !own.iter().any(|&place| table.lies(*card, place));
    if let Some(card) = Person::ringleaders(seat.index()).find(lost) {
        return Some(format!("{card:?} has left seat {seat}"));
    }
    let keeps = table.decision(seat) == Some(Decision::Choose(Choice::Keep)) || table.ended();
    (!keeps && !table.is_bare(DrawnCards(seat)))
        .then(|| format!("seat {seat} has cards to choose from and is not asked"))
}

/// Where the people of a seat are: hand, hideout and Refresh Area.
fn own_places(seat: Seat) -> impl Iterator<Item = Place> {
    [Hand(seat), RefreshArea(seat)].into_iter().chain(hideout(seat))
}

/// The nights of a hideout. The Refresh Area is not part of it.
fn hideout(seat: Seat) -> impl Iterator<Item = Place> + Clone {
    [FirstNight(seat), SecondNight(seat), ThirdNight(seat)].into_iter()
}

fn name<G: Ruleset>(card: impl Component) -> &'static str {
    G::layout().piece_name(card)
}
