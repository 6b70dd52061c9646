//! The rules that both games have, a line each; scenes are written in Grifters' words. What only
//! one of them has is tested in its own folder.

/// Set-up and options.
mod set_up;

/// Advance time, play, refresh; the answers of the rulebooks on what may be played.
mod turns;

/// What each of the people does.
mod people;

/// Jobs and heists: teams and rewards.
mod jobs;

/// The three ends, scores and ties.
mod ends;

/// What the two games differ in, point by point.
mod differences;

/// Secrets, refusals and messages.
mod messages;

use table::{
    AnnouncementId, ChaCha, Dealer, DecisionId, Entry, Event, Refused, Viewer, invariants, open,
    play,
};

use super::{cards::Deed, *};
use crate::{grifters::Grifters, you_dirty_rat::YouDirtyRat};

/// Holds the same scene in both games.
#[track_caller]
fn both(scene: &str, acts: &str, then: &str) {
    check::<Grifters>(scene, acts, then);
    check::<YouDirtyRat>(scene, acts, then);
}

/// Lets whoever is asked do `acts` from the `scene`, and compares with `then` what it names.
///
/// A scene and an outcome are lists of `place: cards` or `place: coins`; `seats`, marks, and what
/// is asked come along. Seat 0 is on turn, and time has already advanced. People that a scene does
/// not name are in the box; jobs, called by colour and number, are in their stacks unless the scene
/// names a stack. Where it does not say otherwise the coffers hold 20 and the deck one card.
#[track_caller]
pub(crate) fn check<G: Ruleset>(scene: &str, acts: &str, then: &str) {
    let (mut table, mut last) = lay_out::<G>(scene);
    let mut refused = String::new();
    for act in acts.split(", ").filter(|act| !act.is_empty()) {
        assert!(refused.is_empty(), "{}: refused {refused} before {act}", G::NAME);
        let seat = table.live().next().expect("somebody is asked").seat;
        match play::<Hideout<G>>(&table, seat, &action(act), &mut ChaCha::of([3; 32], 0)) {
            Ok((after, entry)) => (table, last) = (after, entry),
            Err(refusal) => refused = refusal.reason().to_lowercase().replace('_', "-"),
        }
    }
    let (then, is): (Vec<String>, Vec<String>) = facts(then)
        .map(|(name, wanted)| {
            let is = if name == "refused" {
                refused.clone()
            } else {
                look::<G>(&table, &last, name, wanted)
            };
            (format!("{name}: {wanted}"), format!("{name}: {is}"))
        })
        .unzip();
    assert_eq!(is, then, "{}: {scene} | {acts}", G::NAME);
}

/// What a table and its last entry say of one thing.
fn look<G: Ruleset>(table: &Table, last: &Entry, name: &str, wanted: &str) -> String {
    let seats = |seats: Vec<Seat>| seats.iter().map(Seat::to_string).collect::<Vec<_>>().join(" ");
    match name {
        "turn" => table.turn().to_string(),
        "asked" => table
            .prompts()
            .iter()
            .map(|it| spelled::<Decision>(DecisionId::to(it.decision)))
            .collect(),
        "choices" => {
            let seat = table.live().next().expect("somebody is asked").seat;
            let legal = Hideout::<G>::legal(table, seat);
            let cards = legal.iter().filter_map(|action| match action {
                Action::Choose { card, .. } => Some(*card),
                _ => None,
            });
            cards.collect::<Set<Person>>().names(G::layout())
        }
        "winners" => seats(table.winners().map(|it| it.iter().collect()).unwrap_or_default()),
        "told" => {
            let told = last.events.iter().filter_map(|event| match event {
                Event::Announced { announcement, .. } => {
                    Some(spelled::<Announcement>(AnnouncementId::to(*announcement)))
                }
                _ => None,
            });
            told.collect::<Vec<_>>().join(" ")
        }
        "scores" => table.scores().iter().map(i32::to_string).collect::<Vec<_>>().join(" "),
        name => match place(name) {
            Some(place) if wanted.parse::<i32>().is_ok() => {
                table.coins(IskToken, place).to_string()
            }
            Some(place @ (Jobs(_) | CompletedJobs(_))) => {
                table.pieces::<Job>(place).iter().map(alias).collect::<Vec<_>>().join(" ")
            }
            Some(place) => table.pieces::<Person>(place).names(G::layout()),
            None => panic!("{name} is no place"),
        },
    }
}

fn spelled<W: Small>(word: Option<W>) -> String {
    word.expect("a word of the engine").spell(&[])
}

fn facts(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let facts = text.split(';').map(str::trim).filter(|fact| !fact.is_empty());
    facts.map(|fact| fact.split_once(':').map_or((fact, ""), |(name, value)| (name, value.trim())))
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

/// A job by its colour and number: `yellow-1`.
fn job(name: &str) -> Job {
    Job::all().find(|&job| alias(job) == name).unwrap_or_else(|| panic!("no job {name}"))
}

fn alias(job: Job) -> String {
    format!("{}-{}", <&str>::from(job.colour()), job.index() % 4 + 1)
}

fn lay_out<G: Ruleset>(scene: &str) -> (Table, Entry) {
    let mut chance = ChaCha::of([1; 32], 0);
    let given = |name: &str| facts(scene).find(|fact| fact.0 == name).map(|fact| fact.1);
    let seats = given("seats").map_or(2, |seats| seats.parse().expect("a number of seats"));
    let mut d = Dealer::new(Table::new(G::layout(), seats, Viewer::House), &mut chance);
    Person::all().for_each(|card| d.put(card, Box));
    if scene.contains("jobs/") && facts(scene).any(|fact| fact.0.starts_with("jobs/")) {
        Job::all().for_each(|job| d.put(job, Box));
    }
    let options = Options::of::<Hideout<G>>(&Default::default(), seats).expect("they fit");
    let deck_end = match given("deck-end") {
        Some(name) => DeckEnd::all().find(|it| it.spell(&[]) == name).expect("a deck end"),
        None => G::variant(&options, seats.into()).deck_end,
    };
    d.set(Mark::DeckEnd, Some(deck_end));
    d.mark(Mark::SecondJob, given("second-job").is_some().into());
    if given("coffers").is_none() {
        d.pay(IskToken, Box, Coffers, 20);
    }
    if given("deck").is_none() {
        d.put(person("recruiter/3"), Deck);
    }
    let said = ["seats", "deck-end", "second-job"];
    for (name, value) in facts(scene).filter(|fact| !said.contains(&fact.0)) {
        let place = place(name).unwrap_or_else(|| panic!("{name} is no part of a scene"));
        match (place, value.parse()) {
            (_, Ok(coins)) => d.pay(IskToken, Box, place, coins),
            (Jobs(_) | CompletedJobs(_), Err(_)) => {
                value.split_whitespace().for_each(|name| d.put(job(name), place));
            }
            (_, Err(_)) => people(value).for_each(|card| d.put(card, place)),
        }
    }
    d.begin_turn(Seat::default());
    d.ask(Seat::default(), Decision::Turn);
    d.finish(None, "open", None)
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
            let (mine, theirs) = rest.split_once(' ').expect("one's own, then theirs");
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

fn seat(number: &str) -> Seat {
    Seat::try_from(number.parse::<u8>().expect("a number")).expect("a seat")
}

/// A match of these options as it opens.
pub(crate) fn opened<G: Ruleset>(
    seats: u8,
    given: &[(&str, &str)],
    seed: u64,
) -> Result<(Table, Entry), BadOption> {
    let given = given.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let options = Options::of::<Hideout<G>>(&given, seats)?;
    Ok(open::<Hideout<G>>(seats, &options, &mut ChaCha::of(invariants::key(seed), 1)))
}

/// Why an act is refused from a scene, and its facts.
fn refusal<G: Ruleset>(scene: &str, act: &str) -> (String, Vec<(&'static str, String)>) {
    let (table, _) = lay_out::<G>(scene);
    let seat = table.live().next().expect("somebody is asked").seat;
    match play::<Hideout<G>>(&table, seat, &action(act), &mut ChaCha::of([3; 32], 0)) {
        Err(Refused::Rules(refusal)) => (refusal.to_string(), refusal.facts()),
        other => panic!("{other:?}"),
    }
}
