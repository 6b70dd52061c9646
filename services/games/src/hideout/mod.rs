//! Hideouts: the engine of Grifters and You Dirty Rat. Play people, one a night or several on a
//! job; they come back three nights later.
//!
//! The engine speaks Grifters' words, and [`Ruleset`] holds what each of the two games has of its
//! own. In the order of the rulebooks: set-up, a turn, capers and jobs, the end; what the texts of
//! the cards do is in `deeds`, which cards make a team in `teams`.

pub(crate) mod actions;
pub mod cards;
mod deeds;
mod said;
mod teams;
#[cfg(test)]
mod tests;

use std::{cmp::Reverse, fmt::Debug, marker::PhantomData, ops::RangeInclusive};

use bytes::Bytes;
use table::{
    BadOption, Component, Dealer, Layout, Malformed, Meaning, OptionSpec, Options, Plan, Purse,
    Reason, Rules, Seat, Set, Sight, Small, Table, small, vocabulary,
};

use cards::{Card, Cards, Colour, Deed, Job, Person, Skill};
use deeds::Clause;
use said::{Said, say};

/// What each of the two games has of its own.
pub trait Ruleset: Copy + Eq + Debug + 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    const ABOUT: &'static str;
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
    const VERBS: &'static [(&'static str, &'static str)];
    const COIN: &'static str;
    fn mark(mark: Mark) -> &'static str;
    fn ask(ask: Ask) -> &'static str;
    fn tell(tell: Tell) -> &'static str;
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
        Drawn(Seat),
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
    pub enum Ask { Turn, SecondCaper, Rob, NameSkill, SwapJobs, Choose(Choice) }
}
small! {
    /// What a card is chosen for.
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Choice { Keep, TeamUp, Duplicate, TakeBack, Abduct, Exchange }
}
small! {
    pub enum Tell {
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
vocabulary!(Place => PlaceId, Coin => CoinId, Mark => MarkId, Ask => AskId, Tell => TellId, Back => BackId);

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
            Hand(seat) | Drawn(seat) => Sight::Only(seat),
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
                Deck | Discard | Jobs(_) | Hand(_) | Drawn(_) | RefreshArea(_) | CompletedJobs(_),
                IskToken,
            ) => Purse::None,
        },
        coin: |_: Said<G, Coin>| G::COIN,
        mark: |mark: Said<G, Mark>| {
            let about = G::mark(mark.word);
            match mark.word {
                Mark::DeckEnd => Meaning::one_of::<DeckEnd>(about),
                Mark::Acting => Meaning::one_of::<Card>(about),
                Mark::SecondJob | Mark::Clause => Meaning::number(about),
            }
        },
        ask: |ask: Said<G, Ask>| G::ask(ask.word),
        tell: |tell: Said<G, Tell>| G::tell(tell.word),
        back: |back: Said<G, Back>| G::back(back.word),
        verbs: G::VERBS,
    })
}

impl<G: Ruleset> Rules for Hideout<G> {
    const NAME: &'static str = G::NAME;
    const TITLE: &'static str = G::TITLE;
    const ABOUT: &'static str = G::ABOUT;
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
        let value = options.get(FIRST_SEAT);
        match first_seat(options) {
            Some(seat) if u8::from(seat) >= seats => {
                Err(BadOption::NotWithSeats { name: FIRST_SEAT, value, seats })
            }
            _ => Ok(()),
        }
    }

    fn set_up(d: &mut Dealer, options: &Options) {
        set_up::<G>(d, options);
    }

    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        let Some(ask) = table.asked::<Ask>(seat) else { return Vec::new() };
        match ask {
            Ask::Turn | Ask::SecondCaper => plays::<G>(table, seat, ask),
            Ask::Rob => deeds::victims(table, seat, Clause::pending(table).deed::<G>())
                .map(|victim| Action::Rob { victim })
                .collect(),
            Ask::NameSkill => Skill::all().map(|skill| Action::NameSkill { skill }).collect(),
            Ask::SwapJobs => deeds::swaps(table, seat)
                .map(|(mine, theirs)| Action::SwapJobs { mine, theirs })
                .collect(),
            Ask::Choose(what) => {
                let cards = deeds::choices::<G>(table, seat, what, Clause::pending(table));
                cards.iter().map(|card| Action::Choose { what, card }).collect()
            }
        }
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        let ask = d.asked(seat).expect("a seat acts when it is asked");
        refuse::<G>(d, seat, ask, action)?;
        let went = carry_out::<G>(d, seat, ask, action);
        go_on::<G>(d, seat, went);
        Ok(())
    }

    /// Of teams that differ only in which copy of a card is in them, one is listed.
    fn open_ended(action: &Action) -> bool {
        matches!(action, Action::CompleteJob { .. })
    }

    fn check(table: &Table) -> Result<(), String> {
        check(table)
    }
}

/// What neither game may ever break.
fn check(table: &Table) -> Result<(), String> {
    let issued = -table.coins(IskToken, Box);
    let due = COFFERS[table.seat_count() - 2] as i32;
    if issued != due {
        return Err(format!("{issued} coins are in play, not {due}"));
    }
    if table.coins(IskToken, Coffers) == 0 && !table.ended() {
        return Err("the match goes on without a coin in the Coffers".into());
    }
    for (n, seat) in table.seats().enumerate() {
        let own = [Hand(seat), RefreshArea(seat)].into_iter().chain(hideout(seat));
        let own: Vec<_> = own.collect();
        if let Some(card) =
            Person::ringleaders(n).find(|&card| !own.iter().any(|&place| table.lies(card, place)))
        {
            return Err(format!("{card:?} has left seat {seat}"));
        }
        let keeps = table.asked(seat) == Some(Ask::Choose(Choice::Keep));
        if !keeps && !table.is_bare(Drawn(seat)) && !table.ended() {
            return Err(format!("seat {seat} has cards to choose from and is not asked"));
        }
    }
    Ok(())
}

// === Set-up ===

/// Coins in play with two, three and four players.
const COFFERS: [u32; 3] = [50, 65, 75];
const STASH_AT_START: u32 = 3;
const SPECIALISTS_AT_START: usize = 3;

pub const FIRST_SEAT: &str = "first-seat";

/// Who goes first, an option of both games.
pub const fn first_seat_option(about: &'static str) -> OptionSpec {
    OptionSpec {
        name: FIRST_SEAT,
        about,
        values: &["random", "0", "1", "2", "3"],
        default: "random",
    }
}

/// The seat that the options name; none if chance does.
fn first_seat(options: &Options) -> Option<Seat> {
    options.get(FIRST_SEAT).parse().ok().and_then(Seat::nth)
}

fn set_up<G: Ruleset>(d: &mut Dealer, options: &Options) {
    let variant = G::variant(options, d.seat_count());
    d.set(Mark::DeckEnd, Some(variant.deck_end));
    d.mark(Mark::SecondJob, variant.second_job.into());

    d.pay(IskToken, Box, Coffers, COFFERS[d.seat_count() - 2]);
    for (stack, colour) in G::CARDS.stacks.iter().zip(Colour::all()) {
        if stack.players > d.seat_count() {
            d.gather(Jobs(colour), Box);
        }
    }
    for (n, seat) in d.seats().enumerate() {
        Person::ringleaders(n).for_each(|card| d.put(card, Hand(seat)));
        d.pay(IskToken, Coffers, Stash(seat), STASH_AT_START);
    }
    if variant.thins_deck {
        Person::of_each_type().for_each(|card| d.put(card, Box));
    }
    for seat in d.seats() {
        for _ in 0..SPECIALISTS_AT_START {
            d.draw(Deck, Hand(seat));
        }
    }
    let first = first_seat(options).unwrap_or_else(|| d.pick_seat());
    begin_turn(d, first);
}

// === A turn: advance time, play specialists, refresh ===

fn begin_turn(d: &mut Dealer, seat: Seat) {
    d.begin_turn(seat);
    advance_time(d, seat);
    d.ask(seat, Ask::Turn);
}

/// The nights of a hideout. The Refresh Area is not part of it.
fn hideout(seat: Seat) -> impl Iterator<Item = Place> + Clone {
    [FirstNight(seat), SecondNight(seat), ThirdNight(seat)].into_iter()
}

/// Everything moves forward a night, coins as if they were cards; a coin that leaves the hideout
/// goes back to the Coffers. On a first turn there is nothing to move.
fn advance_time(d: &mut Dealer, seat: Seat) {
    let steps = [
        (ThirdNight(seat), RefreshArea(seat), Coffers),
        (SecondNight(seat), ThirdNight(seat), ThirdNight(seat)),
        (FirstNight(seat), SecondNight(seat), SecondNight(seat)),
    ];
    for (night, next, coins_to) in steps {
        d.gather(night, next);
        d.pay_all(IskToken, night, coins_to);
    }
}

fn refresh(d: &mut Dealer, seat: Seat) {
    d.gather(RefreshArea(seat), Hand(seat));
}

/// Whoever can play a card must. Cards in the Refresh Area are not in the hand yet.
fn can_play<G: Ruleset>(table: &Table, seat: Seat) -> bool {
    table.pieces(Hand(seat)).iter().any(|card| has_partner::<G>(table, seat, card))
}

/// Whether a card that needs another beside it finds one in the hand.
fn has_partner<G: Ruleset>(table: &Table, seat: Seat, card: Person) -> bool {
    G::THUG_ALONE || !card.does::<G>(Deed::TeamUp) || table.count(Hand(seat)) > 1
}

/// Whether a job may be completed now: it is a turn's one play, unless the match was created to
/// allow it as the second.
fn takes_jobs(table: &Table, ask: Ask) -> bool {
    ask == Ask::Turn || ask == Ask::SecondCaper && table.is_marked(Mark::SecondJob)
}

fn plays<G: Ruleset>(table: &Table, seat: Seat, ask: Ask) -> Vec<Action> {
    let hand: Set<Person> = table.pieces(Hand(seat));
    let playable = hand.iter().filter(|&card| has_partner::<G>(table, seat, card));
    let mut plays: Vec<Action> = playable.map(|card| Action::PerformCaper { card }).collect();
    if takes_jobs(table, ask) {
        for job in Colour::all().filter_map(|colour| table.first(Jobs(colour))) {
            teams::list::<G>(hand, job, &mut |team| plays.push(Action::CompleteJob { job, team }));
        }
    }
    if ask == Ask::SecondCaper {
        plays.push(Action::Decline);
    } else if plays.is_empty() {
        plays.push(Action::Pass);
    }
    plays
}

// === What is refused ===

fn refuse<G: Ruleset>(table: &Table, seat: Seat, ask: Ask, action: &Action) -> Result<(), Refusal> {
    match (ask, *action) {
        (Ask::Turn | Ask::SecondCaper, Action::PerformCaper { card }) => {
            may_play::<G>(table, seat, card)
        }
        (_, Action::CompleteJob { job, team }) if takes_jobs(table, ask) => {
            may_complete::<G>(table, seat, job, team)
        }
        (Ask::Turn, Action::Pass) if can_play::<G>(table, seat) => Err(Refusal::MustPlay),
        (Ask::Turn, Action::Pass)
        | (Ask::SecondCaper, Action::Decline)
        | (Ask::NameSkill, Action::NameSkill { .. }) => Ok(()),
        (Ask::Choose(asked), Action::Choose { what, card }) if asked == what => {
            deeds::may_choose::<G>(table, seat, what, card)
        }
        (Ask::Rob, Action::Rob { victim }) => deeds::may_rob::<G>(table, seat, victim),
        (Ask::SwapJobs, Action::SwapJobs { mine, theirs }) => {
            deeds::may_swap::<G>(table, seat, mine, theirs)
        }
        _ => Err(Refusal::DecideFirst { asked: G::layout().ask_name(ask.into()) }),
    }
}

fn may_play<G: Ruleset>(table: &Table, seat: Seat, card: Person) -> Result<(), Refusal> {
    if !table.lies(card, Hand(seat)) {
        return Err(Refusal::NotInHand { cards: name::<G>(card).into() });
    }
    if !has_partner::<G>(table, seat, card) {
        return Err(Refusal::NoPartner { card: name::<G>(card) });
    }
    Ok(())
}

fn may_complete<G: Ruleset>(
    table: &Table,
    seat: Seat,
    job: Job,
    team: Set<Person>,
) -> Result<(), Refusal> {
    if table.first(Jobs(job.colour())) != Some(job) {
        return Err(Refusal::NotOnTop { job: name::<G>(job) });
    }
    let missing = team.without(&table.pieces(Hand(seat)));
    if !missing.is_empty() {
        return Err(Refusal::NotInHand { cards: missing.names(G::layout()) });
    }
    let gap = teams::Gap::of::<G>(team, job);
    if !gap.is_none() {
        let (missing, spare) = (cards::skills::<G>(gap.missing), cards::skills::<G>(gap.spare));
        let spare = spare.split(' ').filter(|it| !it.is_empty());
        let spare: Vec<_> = spare.chain(std::iter::repeat_n("any", gap.wild.into())).collect();
        return Err(Refusal::WrongTeam { job: name::<G>(job), missing, spare: spare.join(" ") });
    }
    Ok(())
}

fn name<G: Ruleset>(card: impl Component) -> &'static str {
    G::layout().piece_name(card)
}

// === Perform a caper or complete a job ===

/// Whether play goes on: an end of the game cuts short what is left of a text.
type Went = Result<(), End>;

/// Why the game ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    CoffersEmpty,
    JobsCompleted,
    DeckOut,
}

/// Does what was not refused.
fn carry_out<G: Ruleset>(d: &mut Dealer, seat: Seat, ask: Ask, action: &Action) -> Went {
    d.answer(seat);
    if ask == Ask::SecondCaper && *action != Action::Decline {
        d.tell(Tell::TimeAdvances, seat, 0);
        advance_time(d, seat);
    }
    match *action {
        Action::PerformCaper { card } => {
            d.tell(Tell::Caper, seat, 0);
            d.put(card, FirstNight(seat));
            deeds::resolve::<G>(d, seat, Clause::first(card))
        }
        Action::CompleteJob { job, team } => {
            d.tell(Tell::Job, seat, 0);
            team.iter().for_each(|card| d.put(card, FirstNight(seat)));
            deeds::resolve::<G>(d, seat, Clause::first(job))
        }
        Action::Pass => {
            pass(d, seat);
            Ok(())
        }
        Action::Decline => Ok(()),
        Action::Choose { what, card } => deeds::decided::<G>(d, seat, |d, clause| {
            deeds::choose::<G>(d, seat, what, card, clause)
        }),
        Action::Rob { victim } => deeds::decided::<G>(d, seat, |d, clause| {
            deeds::rob_chosen::<G>(d, seat, victim, clause)
        }),
        Action::NameSkill { skill } => {
            deeds::decided::<G>(d, seat, |d, _| deeds::shake_down::<G>(d, seat, skill))
        }
        Action::SwapJobs { mine, theirs } => {
            deeds::decided::<G>(d, seat, |d, _| deeds::swap(d, seat, mine, theirs))
        }
    }
}

/// For want of a card to play, a coin takes its place in the first night, if there is one. A hand
/// that is not empty proves by being shown that it cannot be played.
fn pass(d: &mut Dealer, seat: Seat) {
    d.tell(Tell::CannotPlay, seat, 0);
    d.pieces::<Person>(Hand(seat)).iter().for_each(|card| d.reveal(card));
    d.pay_up_to(IskToken, Stash(seat), FirstNight(seat), 1);
}

/// Ends the game or the turn, unless something is still to be decided.
fn go_on<G: Ruleset>(d: &mut Dealer, seat: Seat, went: Went) {
    let waits = d.prompt(seat).is_some();
    match went.err().or_else(|| if waits { None } else { over(d) }) {
        Some(end) => finish::<G>(d, end),
        None if waits => {}
        None => {
            d.set::<Card>(Mark::Acting, None);
            d.mark(Mark::Clause, 0);
            refresh(d, seat);
            let next = d.after(seat);
            begin_turn(d, next);
        }
    }
}

// === End of the game ===

fn deck_end(table: &Table) -> DeckEnd {
    table.get(Mark::DeckEnd).expect("set with the table")
}

/// What ends the game after a play. The Coffers, and the deck in some matches, end it in the middle
/// of one.
fn over(table: &Table) -> Option<End> {
    if Colour::all().all(|colour| table.is_bare(Jobs(colour))) {
        return Some(End::JobsCompleted);
    }
    let exhausted = table.is_bare(Deck) && table.is_bare(Discard);
    (deck_end(table) == DeckEnd::BothPilesEmpty && exhausted).then_some(End::DeckOut)
}

fn finish<G: Ruleset>(d: &mut Dealer, end: End) {
    let reason = match end {
        End::CoffersEmpty => Tell::CoffersEmpty,
        End::JobsCompleted => Tell::JobsCompleted,
        End::DeckOut => Tell::DeckOut,
    };
    d.tell(reason, d.turn(), 0);
    for seat in d.seats() {
        let mut points = d.coins(IskToken, Stash(seat));
        for colour in Colour::all() {
            let done: Set<Job> = d.pieces(CompletedJobs(seat));
            let bonus = G::BONUS[done.iter().filter(|job| job.colour() == colour).count()];
            if bonus > 0 {
                d.tell(Tell::Bonus(colour), seat, bonus as i16);
            }
            points += bonus;
        }
        d.score(seat, points);
    }
    tell_ties(d);
    d.end_by(|table, seat| (points(table, seat), jobs(table, seat), Reverse(people(table, seat))));
}

/// Most money wins; among those, most jobs; among those, fewest people.
fn tell_ties(d: &mut Dealer) {
    let mut tied: Vec<Seat> = d.contenders().collect();
    retain_best(&mut tied, |seat| points(d, seat));
    if tied.len() > 1 {
        tied.iter().for_each(|&seat| d.tell(Tell::TieOnJobs, seat, jobs(d, seat) as i16));
        retain_best(&mut tied, |seat| jobs(d, seat));
    }
    if tied.len() > 1 {
        tied.iter().for_each(|&seat| d.tell(Tell::TieOnPeople, seat, people(d, seat) as i16));
    }
}

fn retain_best<K: Ord>(seats: &mut Vec<Seat>, standing: impl Fn(Seat) -> K) {
    let best = seats.iter().map(|&seat| standing(seat)).max();
    seats.retain(|&seat| Some(standing(seat)) == best);
}

fn points(table: &Table, seat: Seat) -> i32 {
    table.scores()[seat.index()]
}

fn jobs(table: &Table, seat: Seat) -> usize {
    table.count(CompletedJobs(seat))
}

/// The people in hand, hideout and Refresh Area.
fn people(table: &Table, seat: Seat) -> usize {
    let places = [Hand(seat), RefreshArea(seat)].into_iter().chain(hideout(seat));
    places.map(|place| table.count(place)).sum()
}
