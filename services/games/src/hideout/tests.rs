//! Tests of the rules that both games share; scenes use the engine's names. Rules that only one
//! game has are tested in its own folder.

/// Set-up and options.
mod set_up;

/// Advance time, play, refresh, and what may be played.
mod turns;

/// The texts of the people.
mod people;

/// Jobs and heists: teams and rewards.
mod jobs;

/// The ends of the game, scores and ties.
mod ends;

/// How often every job is completed.
mod balance;

/// The differences between the two games, and rulings that are the same in both.
mod differences;

/// Secrets, refusals and messages.
mod messages;

/// Seats that resign.
mod resigned;

/// The house's answers for absent seats.
mod passive;

/// How a player who does not look ahead values actions and positions.
mod opinion;

use std::fmt::Debug;

use table::{
    ActionFilter, AnnouncementId, BadOption, ChaCha, Component, Dealer, DecisionId, Entry, Event,
    Layout, Listed, MarkId, Options, Piece, PlaceId, Reason as _, Refused, Rules, Seat, Set, Sight,
    Small, Table, Viewer, invariants, open, play,
};

use super::{
    Action, Hideout, Ruleset,
    cards::*,
    nights::hideout,
    renamed::rename,
    teams,
    vocabulary::{Coin::*, Place::*, *},
};
use crate::{
    first_seat,
    grifters::Grifters,
    tests::scene::{self, Facts, Scene, seat},
    you_dirty_rat::YouDirtyRat,
};

/// Checks a scene in both games.
#[track_caller]
fn both(scene: &str, acts: &str, outcome: &str) {
    check::<Grifters>(scene, acts, outcome);
    check::<YouDirtyRat>(scene, acts, outcome);
}

#[track_caller]
pub(crate) fn check<G: Ruleset>(scene: &str, acts: &str, outcome: &str) {
    scene::check::<Hideout<G>>(scene, acts, outcome);
}

/// Time has already advanced when a scene begins. Specialists that it does not name are in the box;
/// jobs, called by color and number (`yellow-1`), are in their stacks unless the scene names a
/// stack. By default the Coffers hold 20 coins and the deck one card.
impl<G: Ruleset> Scene for Hideout<G> {
    const SEATS_USUAL: u8 = 2;

    fn prepare(d: &mut Dealer, scene: Facts) {
        Person::all().for_each(|card| d.put(card, Box));
        if scene.iter().any(|(name, _)| name.starts_with("jobs/")) {
            Job::all().for_each(|job| d.put(job, Box));
        }
        let seats = d.seat_count();
        let options = Options::of::<Hideout<G>>(&Default::default(), seats as u8);
        let variant = G::variant(&options.expect("the defaults fit"), seats);
        d.set(Mark::DeckEnd, Some(variant.deck_end));
        if scene.get("coffers").is_none() {
            d.pay(IskToken, Box, Coffers, 20);
        }
        if scene.get("deck").is_none() {
            d.put(person("recruiter/3"), Deck);
        }
    }

    fn begin(d: &mut Dealer, scene: Facts) {
        d.begin_turn(scene.turn());
        d.ask(scene.turn(), Decision::Turn);
    }

    fn action(text: &str) -> Action {
        action(text)
    }

    fn read(table: &Table, name: &str, _: &str) -> Option<String> {
        let choices = || {
            let seat = table.live().next().expect("a seat is asked").seat;
            let legal = Hideout::<G>::legal(table, seat);
            let cards = legal.iter().filter_map(|action| match action {
                Action::Choose { card, .. } => Some(*card),
                _ => None,
            });
            cards.collect::<Set<Person>>().names(G::layout())
        };
        (name == "choices").then(choices)
    }

    // Both games are tested under the engine's names.

    fn place(name: &str) -> Option<PlaceId> {
        place(name).map(PlaceId::from)
    }
    fn mark(name: &str) -> Option<MarkId> {
        Mark::all().find(|mark| mark.spell(&[]) == name).map(MarkId::from)
    }
    fn piece(name: &str) -> Option<Piece> {
        let job = || Job::all().find(|&job| alias(job) == name).map(Piece::from);
        job().or_else(|| Grifters::layout().piece_named(name))
    }
    fn piece_name(piece: Piece) -> String {
        Job::of(piece).map_or_else(|| G::layout().piece_name(piece).into(), alias)
    }
    fn decision_name(decision: DecisionId) -> String {
        spelled::<Decision>(decision.to())
    }
    fn announcement_name(announcement: AnnouncementId) -> String {
        spelled::<Announcement>(announcement.to())
    }
}

fn spelled<W: Small>(id: Option<W>) -> String {
    id.expect("an identifier of the engine").spell(&[])
}

fn place(name: &str) -> Option<Place> {
    Place::all().find(|place| place.spell(&[]) == name)
}

fn person(name: &str) -> Person {
    Grifters::layout().named(name).unwrap_or_else(|| panic!("no card {name}"))
}

fn people(names: &str) -> impl Iterator<Item = Person> {
    names.split_whitespace().map(person)
}

/// A job by its color and number: `yellow-1`.
fn job(name: &str) -> Job {
    Job::all().find(|&job| alias(job) == name).unwrap_or_else(|| panic!("no job {name}"))
}

fn alias(job: Job) -> String {
    format!("{}-{}", <&str>::from(job.colour()), job.index() % 4 + 1)
}

fn lay_out<G: Ruleset>(scene: &str) -> (Table, Entry) {
    scene::lay_out::<Hideout<G>>(scene)
}

fn action(act: &str) -> Action {
    let (verb, rest) = act.split_once(' ').unwrap_or((act, ""));
    let choose = |what| Action::Choose { what, card: person(rest) };
    match verb {
        "caper" => Action::PerformCaper { card: person(rest) },
        "job" => {
            let (name, team) = rest.split_once(' ').expect("a job, then its team");
            Action::CompleteJob { job: job(name), team: people(team).collect() }
        }
        "rob" => Action::Rob { victim: seat(rest) },
        "name" => {
            let skill = Skill::all().find(|&skill| <&str>::from(skill) == rest);
            Action::NameSkill { skill: skill.expect("a skill") }
        }
        "swap" => {
            let (mine, theirs) =
                rest.split_once(' ').expect("the seat's own job, then the opponent's");
            Action::SwapJobs { mine: job(mine), theirs: job(theirs) }
        }
        "decline" => Action::Decline,
        "pass" => Action::Pass,
        verb => {
            let what = Choice::all().find(|&what| <&str>::from(what) == verb);
            choose(what.unwrap_or_else(|| panic!("{act} is no action")))
        }
    }
}

/// The opening of a match with these options.
pub(crate) fn opened<G: Ruleset>(
    seats: u8,
    given: &[(&str, &str)],
    seed: u64,
) -> Result<(Table, Entry), BadOption> {
    let given = given.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let options = Options::of::<Hideout<G>>(&given, seats)?;
    Ok(open::<Hideout<G>>(seats, &options, &[], &mut ChaCha::of(invariants::key(seed), 1)))
}

/// The sentence and the facts of the refusal that an act leads to.
fn refusal<G: Ruleset>(scene: &str, act: &str) -> (String, Vec<(&'static str, String)>) {
    let refusal = scene::refusal::<Hideout<G>>(scene, act);
    (refusal.to_string(), refusal.facts())
}
