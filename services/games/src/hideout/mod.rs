//! Hideout: the engine that Grifters and You Dirty Rat share.
//!
//! The two games are by the same designers and play alike: a turn plays one person for its text, or
//! a team for the reward of a job, into the first of three nights, and people come back to the hand
//! three nights later. They differ in names, in their catalogues, in some options, and in a few
//! rules. This folder holds everything that they share, written in Grifters' names, as
//! [`Hideout<G>`]. What a game has of its own is its [`Ruleset`], in a folder beside this one:
//! `grifters` and `you_dirty_rat` are peers of the other games, because each has its own name,
//! messages, layout, records and rules page, and a platform need not know that they share code.
//!
//! A `Ruleset` supplies:
//!
//! - the name, description and options of the game, and what the options mean ([`Variant`]);
//! - the catalogue of people and jobs ([`cards::Cards`]), each row with its origin;
//! - the values of rules that differ: the bonuses, and whether a Thug may be played alone;
//! - the public names that differ from the engine's ([`Ruleset::RENAMES`]), and the descriptions;
//! - the protobuf messages, from the `messages!` macro in `actions`.
//!
//! Where to change what:
//!
//! | to change | edit |
//! | --- | --- |
//! | a card's skill, team, text or origin | `cards.rs` of the game |
//! | what an effect does, or a new one | [`Effect`](cards::Effect) and `effects` |
//! | set-up, turns, what may be played | `turns` |
//! | which cards complete a job | `teams` |
//! | the ends of the game, scores and ties | `ends` |
//! | what the house answers for a seat that is away | `passive` |
//! | what a player thinks of a play who does not look ahead | `opinion` |
//! | a public name or description in one game | the `Ruleset` of the game |
//! | a rule in one game only | a constant of `Ruleset`, or a field of `Variant` for an option |
//!
//! `§4.2` stands for paragraph 4.2 of the game's page in `docs/games/`. A number that stands on
//! both pages is the same rule.

pub(crate) mod actions;
pub mod cards;
mod effects;
mod ends;
mod opinion;
mod passive;
mod renamed;
mod teams;
#[cfg(test)]
pub(crate) mod tests;
mod turns;

use std::{fmt::Debug, marker::PhantomData, ops::RangeInclusive};

use bytes::Bytes;
use table::{
    ActionFilter, Arrangement, BadOption, Chance, Component, Dealer, Display, Layout, Listed,
    Malformed, Meaning, OptionSpec, Options, Plan, Purse, Role, Rules, Seat, Set, Sight, Small,
    Table, any_of, refusals, small, vocabulary,
};

use crate::first_seat;
use cards::{Card, Cards, Colour, Job, Person, Skill};
use effects::Part;
use renamed::{Renamed, rename};

/// What one of the two games has of its own.
pub trait Ruleset: Copy + Eq + Debug + 'static {
    const NAME: &'static str;
    /// As [`Rules::VERSION`].
    const VERSION: u32;
    const OPTIONS: &'static [OptionSpec];
    const CARDS: &'static Cards;

    /// The bonus for each number of jobs of one colour, from none to four.
    const BONUS: [i32; 5];
    /// Whether a Thug may be played without a card to team up with, for no effect.
    const THUG_ALONE: bool;

    /// What the options of a match mean.
    fn variant(options: &Options, seats: usize) -> Variant;

    /// The engine's names that this game publishes under others: `(engine's, game's)`.
    const RENAMES: &'static [(&'static str, &'static str)];
    /// The verbs, under the game's names.
    const VERBS: &'static [&'static str];

    /// The [`layout()`] of this game, built once.
    fn layout() -> &'static Layout;

    fn parse(message: &[u8]) -> Result<Action, Malformed>;
    fn print(action: &Action) -> Bytes;
}

/// What the options of a match decide in the rules.
pub struct Variant {
    /// One copy of each specialist type goes to the box.
    pub thins_deck: bool,
    pub deck_end: DeckEnd,
    /// A job may be completed as the second play that a Femme Fatale allows.
    pub second_job: bool,
}

/// A game played by this engine.
pub struct Hideout<G>(PhantomData<fn() -> G>);

// === The vocabulary ===

small! {
    /// §1.5
    pub enum Place {
        Box, Coffers, Deck, Discard, Jobs(Colour),
        Stash(Seat), Hand(Seat),
        /// Cards drawn, of which one is to be kept.
        DrawnCards(Seat),
        FirstNight(Seat), SecondNight(Seat), ThirdNight(Seat), RefreshArea(Seat),
        CompletedJobs(Seat),
    }
}
small! {
    /// §1.4
    pub enum Coin { IskToken }
}
small! {
    pub enum Mark {
        DeckEnd,
        SecondJob,
        /// The card whose text is being resolved, and the number of its part.
        Acting, Clause,
    }
}
small! {
    pub enum Decision { Turn, SecondCaper, Rob, NameSkill, SwapJobs, Choose(Choice) }
}
small! {
    /// The purpose that a card is chosen for.
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Choice { Keep, TeamUp, Duplicate, TakeBack, Abduct, Exchange }
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
        /// §9.4
        BothPilesEmpty,
        /// §9.5
        NothingToDraw,
        /// §9.6
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

refusals! {
    /// Cards, jobs and skills appear under the game's names.
    pub enum Refusal {
        #[error("another decision comes first: {asked}")]
        DecideFirst { asked: &'static str },
        #[error("a seat that can play a card must play")]
        MustPlay,
        #[error("not in your hand: {cards}")]
        NotInHand { cards: String },
        #[error("{job} is not on top of its stack")]
        NotOnTop { job: &'static str },
        #[error("the team does not match {job}: missing {missing:?}, extra {spare:?}")]
        WrongTeam { job: &'static str, missing: String, spare: String },
        #[error("{card} needs another card from the hand beside it")]
        NoPartner { card: &'static str },
        #[error("{card} cannot be duplicated")]
        NotDuplicated { card: &'static str },
        #[error("{card} cannot be exchanged")]
        NotExchanged { card: &'static str },
        #[error("{card} is a ringleader, which never leaves its seat")]
        Loyal { card: &'static str },
        #[error("{choice} is not among the choices: {choices}")]
        NotAChoice { choice: String, choices: String },
    }
}

// === The table ===

/// The layout of either game: names, descriptions and catalogue differ.
pub fn layout<G: Ruleset>() -> Layout {
    Layout::of(Plan::<_, _, _, Renamed<G, Decision>, Renamed<G, Announcement>, Renamed<G, Back>> {
        catalogue: cards::catalogue::<G>(),
        // §1.6
        sight: |place: Renamed<G, Place>| match place.id {
            Deck => Sight::Nobody,
            Hand(seat) | DrawnCards(seat) => Sight::Only(seat),
            Box | Coffers | Discard | Jobs(_) | Stash(_) | FirstNight(_) | SecondNight(_)
            | ThirdNight(_) | RefreshArea(_) | CompletedJobs(_) => Sight::All,
        },
        purse: |place, coin: Renamed<G, Coin>| match (place.id, coin.id) {
            (Box, IskToken) => Purse::Bank,
            // §3.7 A token in a night.
            (Coffers | Stash(_) | FirstNight(_) | SecondNight(_) | ThirdNight(_), IskToken) => {
                Purse::Held
            }
            (
                Deck | Discard | Jobs(_) | Hand(_) | DrawnCards(_) | RefreshArea(_)
                | CompletedJobs(_),
                IskToken,
            ) => Purse::None,
        },
        display: |place| match place.id {
            Box => Display::of(Role::Box, Arrangement::Pile, 9),
            Coffers => Display::of(Role::Purse, Arrangement::Pile, 0),
            Deck => Display::of(Role::Deck, Arrangement::Pile, 1),
            Discard => Display::of(Role::Discard, Arrangement::Pile, 1),
            Jobs(_) => Display::of(Role::Row, Arrangement::Pile, 2),
            Stash(_) => Display::of(Role::Purse, Arrangement::Pile, 0),
            Hand(_) => Display::of(Role::Hand, Arrangement::Fan, 1),
            DrawnCards(_) => Display::of(Role::Hand, Arrangement::Fan, 2),
            FirstNight(_) => Display::of(Role::Area, Arrangement::Row, 3),
            SecondNight(_) => Display::of(Role::Area, Arrangement::Row, 4),
            ThirdNight(_) => Display::of(Role::Area, Arrangement::Row, 5),
            RefreshArea(_) => Display::of(Role::Area, Arrangement::Row, 6),
            CompletedJobs(_) => Display::of(Role::Area, Arrangement::Row, 7),
        },
        mark: |mark: Renamed<G, Mark>| match mark.id {
            Mark::DeckEnd => Meaning::one_of::<DeckEnd>().hidden(),
            Mark::Acting => Meaning::one_of::<Card>().hidden(),
            Mark::SecondJob | Mark::Clause => Meaning::HIDDEN,
        },
        discloses: &[],
        verbs: G::VERBS,
        phases: &[],
        palette: cards::PALETTE,
        terms: PhantomData,
    })
}

/// The table itself lets a seat resign, §11.1, and answers for it, §11.2.
impl<G: Ruleset> Rules for Hideout<G> {
    const NAME: &'static str = G::NAME;
    /// §2.1
    const SEATS: RangeInclusive<u8> = 2..=4;
    const VERSION: u32 = G::VERSION;
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
        rename::<G>(match action {
            Action::Choose { what, .. } => what.into(),
            other => other.into(),
        })
    }

    /// §2.6
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
            Decision::Rob => effects::victims(table, seat, Part::pending(table).effect::<G>())
                .map(|victim| Action::Rob { victim })
                .collect(),
            Decision::NameSkill => Skill::all().map(|skill| Action::NameSkill { skill }).collect(),
            Decision::SwapJobs => effects::swaps(table, seat)
                .map(|(mine, theirs)| Action::SwapJobs { mine, theirs })
                .chain([Action::Decline])
                .collect(),
            Decision::Choose(what) => {
                let cards = effects::choices::<G>(table, seat, what, Part::pending(table));
                let chosen = cards.iter().map(|card| Action::Choose { what, card });
                chosen.chain(turns::may_decline(decision).then_some(Action::Decline)).collect()
            }
        }
    }

    fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
        match table.decision(seat)? {
            decision @ (Decision::Turn | Decision::SecondCaper) => {
                turns::any_play::<G>(table, seat, decision, chance)
            }
            Decision::Rob | Decision::NameSkill | Decision::SwapJobs | Decision::Choose(_) => {
                any_of(Self::legal(table, seat), chance)
            }
        }
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        let decision =
            d.decision(seat).expect("the table lets only a seat act that has a decision");
        turns::refuse::<G>(d, seat, decision, action)?;
        let resolved = turns::carry_out::<G>(d, seat, decision, action);
        turns::finish_action::<G>(d, seat, resolved);
        Ok(())
    }

    /// §11.5
    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        passive::answer::<G>(table, seat)
    }

    /// §11.3
    fn open_ended(table: &Table, seat: Seat, action: &Action) -> bool {
        let Action::CompleteJob { job, .. } = *action else { return false };
        teams::count::<G>(table.pieces(Hand(seat)), Set::EMPTY, job) > teams::LISTED_MAX
    }

    /// §11.4
    fn list(table: &Table, seat: Seat, filter: &ActionFilter) -> Vec<Listed<Action>> {
        turns::list::<G>(table, seat, filter)
    }

    fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
        opinion::appeal::<G>(table, seat, action)
    }

    fn worth(table: &Table, seat: Seat) -> i32 {
        opinion::worth::<G>(table, seat)
    }

    fn check(table: &Table) -> Result<(), String> {
        check(table)
    }
}

// === Invariants of both games ===

fn check(table: &Table) -> Result<(), String> {
    let found = [
        coin_error(table),
        deck_error(table),
        box_error(table),
        table.seats().find_map(|seat| seat_error(table, seat)),
    ];
    found.into_iter().flatten().next().map_or(Ok(()), Err)
}

/// §1.4, §9.1
fn coin_error(table: &Table) -> Option<String> {
    let issued = -table.coins(IskToken, Box);
    let due = turns::COFFERS[table.seat_count() - 2] as i32;
    if issued != due {
        return Some(format!("{issued} coins are in play instead of {due}"));
    }
    let goes_on = table.coins(IskToken, Coffers) == 0 && !table.ended();
    goes_on.then(|| "the match continues although the Coffers are empty".into())
}

/// §9.4
fn deck_error(table: &Table) -> Option<String> {
    let ends = table.get(Mark::DeckEnd) == Some(DeckEnd::BothPilesEmpty) && !table.ended();
    let exhausted = table.is_bare(Deck) && table.is_bare(Discard);
    (ends && exhausted).then(|| "the match continues although both piles are empty".into())
}

/// §2.2 The box holds whole stacks, and one copy of each specialist type or none.
fn box_error(table: &Table) -> Option<String> {
    let boxed: Set<Job> = table.pieces(Box);
    let split =
        |colour: &Colour| boxed.iter().filter(|job| job.colour() == *colour).count() % 4 > 0;
    if let Some(colour) = Colour::all().find(split) {
        return Some(format!("only a part of the {colour:?} stack is in the box"));
    }
    let people: Set<Person> = table.pieces(Box);
    let specialists = people.iter().filter(|card| !card.is_ringleader()).count();
    (![0, cards::SPECIALISTS].contains(&specialists))
        .then(|| format!("{specialists} specialists are in the box"))
}

/// §8.23, and drawn cards are there only while one is chosen.
fn seat_error(table: &Table, seat: Seat) -> Option<String> {
    let own: Vec<Place> = own_places(seat).collect();
    let lost = |card: &Person| !own.iter().any(|&place| table.lies(*card, place));
    if let Some(card) = Person::ringleaders(seat.index()).find(lost) {
        return Some(format!("{card:?} has left seat {seat}"));
    }
    let keeps = table.decision(seat) == Some(Decision::Choose(Choice::Keep)) || table.ended();
    (!keeps && !table.is_bare(DrawnCards(seat)))
        .then(|| format!("seat {seat} has drawn cards and is not asked to keep one"))
}

/// The places of a seat's people: hand, hideout and refresh area.
fn own_places(seat: Seat) -> impl Iterator<Item = Place> {
    [Hand(seat), RefreshArea(seat)].into_iter().chain(hideout(seat))
}

/// §1.5 The nights of a hideout, without the refresh area.
fn hideout(seat: Seat) -> impl Iterator<Item = Place> + Clone {
    [FirstNight(seat), SecondNight(seat), ThirdNight(seat)].into_iter()
}

fn name<G: Ruleset>(card: impl Component) -> &'static str {
    G::layout().piece_name(card)
}
