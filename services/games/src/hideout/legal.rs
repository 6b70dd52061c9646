//! The legal actions of a seat.

use table::{
    ActionFilter, Chance, Component, Listed, Rules, Seat, Set, Small, Table, any_kind, any_of,
};

use super::{
    actions::Action,
    cards::Effect,
    effects::{self, Part},
    ruleset::{Hideout, Ruleset},
    teams,
    vocabulary::{Choice, Colour, Decision, Job, Mark, Person, Place::*, Skill},
};

pub(super) fn all<G: Ruleset>(table: &Table, seat: Seat) -> Vec<Action> {
    let Some(decision) = table.decision::<Decision>(seat) else { return Vec::new() };
    match decision {
        Decision::Turn | Decision::SecondCaper => plays::<G>(table, seat, decision),
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
            chosen.chain(may_decline(decision).then_some(Action::Decline)).collect()
        }
    }
}

pub(super) fn any<G: Ruleset>(
    table: &Table,
    seat: Seat,
    chance: &mut dyn Chance,
) -> Option<Action> {
    match table.decision(seat)? {
        decision @ (Decision::Turn | Decision::SecondCaper) => {
            any_play::<G>(table, seat, decision, chance)
        }
        Decision::Rob | Decision::NameSkill | Decision::SwapJobs | Decision::Choose(_) => {
            any_of(all::<G>(table, seat), chance)
        }
    }
}

/// §3.8 in Grifters, §3.9 in You Dirty Rat.
pub(super) fn can_play<G: Ruleset>(table: &Table, seat: Seat) -> bool {
    table.pieces(Hand(seat)).iter().any(|card| has_partner::<G>(table, seat, card))
}

/// Whether the hand holds the second card that some cards need beside them.
pub(super) fn has_partner<G: Ruleset>(table: &Table, seat: Seat, card: Person) -> bool {
    G::THUG_ALONE || !card.does::<G>(Effect::TeamUp) || table.count(Hand(seat)) > 1
}

/// Whether a job may be completed now: as a second play it depends on the match, §8.25 in Grifters
/// and §8.26 in You Dirty Rat.
pub(super) fn takes_jobs(table: &Table, decision: Decision) -> bool {
    decision == Decision::Turn
        || decision == Decision::SecondCaper && table.is_marked(Mark::SecondJob)
}

/// The legal answers to `turn` and `second-caper`. Some teams may be missing, §11.3; [`list`] finds
/// them.
fn plays<G: Ruleset>(table: &Table, seat: Seat, decision: Decision) -> Vec<Action> {
    let hand: Set<Person> = table.pieces(Hand(seat));
    let playable = hand.iter().filter(|&card| has_partner::<G>(table, seat, card));
    let mut plays: Vec<Action> = playable.map(|card| Action::PerformCaper { card }).collect();
    if takes_jobs(table, decision) {
        for job in available_jobs(table) {
            let (teams, _) = teams::list::<G>(hand, Set::EMPTY, job, teams::LISTED_MAX);
            plays.extend(teams.into_iter().map(|team| Action::CompleteJob { job, team }));
        }
    }
    if may_decline(decision) {
        plays.push(Action::Decline);
    } else if plays.is_empty() {
        plays.push(Action::Pass);
    }
    plays
}

/// One of those plays, or of the teams that are not listed.
fn any_play<G: Ruleset>(
    table: &Table,
    seat: Seat,
    decision: Decision,
    chance: &mut dyn Chance,
) -> Option<Action> {
    let hand: Set<Person> = table.pieces(Hand(seat));
    let play = any_kind(3, chance, |kind, chance| match kind {
        0 => {
            let playable = hand.iter().filter(|&card| has_partner::<G>(table, seat, card));
            let card = playable.collect::<Set<_>>().any(chance)?;
            Some(Action::PerformCaper { card })
        }
        1 if takes_jobs(table, decision) => any_job::<G>(table, hand, chance),
        2 if may_decline(decision) => Some(Action::Decline),
        _ => None,
    });
    play.or(Some(Action::Pass))
}

/// A random play of a job: each job that can be completed is equally likely, and then each team
/// that completes it.
fn any_job<G: Ruleset>(
    table: &Table,
    hand: Set<Person>,
    chance: &mut dyn Chance,
) -> Option<Action> {
    any_kind(Colour::COUNT, chance, |colour, chance| {
        let job = table.first(Jobs(Colour::nth(colour)?))?;
        let team = teams::any::<G>(hand, job, chance)?;
        Some(Action::CompleteJob { job, team })
    })
}

/// §2.3
fn available_jobs(table: &Table) -> impl Iterator<Item = Job> {
    Colour::all().filter_map(|colour| table.first::<Job>(Jobs(colour)))
}

/// Whether a text allows a decision without demanding it: §8.10, §8.27, §8.28.
pub(super) fn may_decline(decision: Decision) -> bool {
    match decision {
        Decision::SecondCaper | Decision::SwapJobs | Decision::Choose(Choice::Exchange) => true,
        Decision::Turn
        | Decision::Rob
        | Decision::NameSkill
        | Decision::Choose(
            Choice::Keep | Choice::TeamUp | Choice::Duplicate | Choice::TakeBack | Choice::Abduct,
        ) => false,
    }
}

/// §11.4 The maximum number of teams listed for all jobs together if a filter asks for them.
const FILTERED_MAX: usize = 1_000;

/// The legal actions that pass a filter. A filtered list includes teams that [`plays`] leaves out,
/// as many as fit.
pub(super) fn list<G: Ruleset>(
    table: &Table,
    seat: Seat,
    filter: &ActionFilter,
) -> Vec<Listed<Action>> {
    let legal = all::<G>(table, seat);
    let completes = |action: &Action| matches!(action, Action::CompleteJob { .. });
    let teams =
        if legal.iter().any(completes) { list_teams::<G>(table, seat, filter) } else { Vec::new() };
    let others = legal
        .into_iter()
        .filter(|action| !completes(action) && filter.asks_for::<Hideout<G>>(action))
        .map(|action| Listed { action, is_example: false });
    others.chain(teams).collect()
}

fn list_teams<G: Ruleset>(table: &Table, seat: Seat, filter: &ActionFilter) -> Vec<Listed<Action>> {
    let cards: Set<Person> = filter.pieces.iter().filter_map(Person::of).collect();
    let named: Set<Job> = filter.pieces.iter().filter_map(Job::of).collect();
    let asked = |job: &Job| {
        let action = Action::CompleteJob { job: *job, team: cards };
        filter.asks_for_verb(Hideout::<G>::verb(&action)) && named.within(&Set::one(*job))
    };
    let jobs: Vec<Job> = available_jobs(table).filter(asked).collect();
    let most = match filter.is_empty() {
        true => teams::LISTED_MAX,
        false => FILTERED_MAX / jobs.len().max(1),
    };
    let mut listed = Vec::new();
    for job in jobs {
        let (teams, all) = teams::list::<G>(table.pieces(Hand(seat)), cards, job, most);
        let actions = teams.into_iter().map(|team| Action::CompleteJob { job, team });
        listed.extend(actions.map(|action| Listed { action, is_example: !all }));
    }
    listed
}
