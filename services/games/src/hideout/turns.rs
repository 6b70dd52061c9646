//! Set-up, and the three phases of a turn: advance time, play, refresh.

use table::{
    ActionFilter, Chance, Component, Dealer, Listed, Options, Rules, Seat, Set, Small, Table,
    any_kind,
};

use super::{
    Action, Announcement, Choice,
    Coin::IskToken,
    Decision, Hideout, Mark,
    Place::*,
    Refusal, Ruleset,
    cards::{self, Card, Colour, Effect, Job, Person},
    effects::{self, Part},
    ends::{self, End},
    name, teams,
};
use crate::first_seat;

// === Set-up ===

/// §2.1 The coins in play with two, three and four seats.
pub(super) const COFFERS: [u32; 3] = [50, 65, 75];
/// §2.4
const STASH_AT_START: u32 = 3;
/// §2.5
const SPECIALISTS_AT_START: usize = 3;

pub(super) fn set_up<G: Ruleset>(d: &mut Dealer, options: &Options) {
    let variant = G::variant(options, d.seat_count());
    d.set(Mark::DeckEnd, Some(variant.deck_end));
    d.mark(Mark::SecondJob, variant.second_job.into());

    // §2.1
    d.pay(IskToken, Box, Coffers, COFFERS[d.seat_count() - 2]);
    // §2.2
    for (stack, colour) in G::CARDS.stacks.iter().zip(Colour::all()) {
        if stack.players > d.seat_count() {
            d.gather(Jobs(colour), Box);
        }
    }
    // §2.4
    for seat in d.seats() {
        Person::ringleaders(seat.index()).for_each(|card| d.put(card, Hand(seat)));
        d.pay(IskToken, Coffers, Stash(seat), STASH_AT_START);
    }
    // §2.7 in Grifters, §2.8 in You Dirty Rat.
    if variant.thins_deck {
        Person::of_each_type().for_each(|card| d.put(card, Box));
    }
    // §2.5
    for seat in d.seats() {
        for _ in 0..SPECIALISTS_AT_START {
            d.draw(Deck, Hand(seat));
        }
    }
    // §2.6
    let first = first_seat::pick(options, d);
    begin_turn(d, first);
}

// === The turn ===

/// §3.1, first phase.
fn begin_turn(d: &mut Dealer, seat: Seat) {
    d.begin_turn(seat);
    advance_time(d, seat);
    d.ask(seat, Decision::Turn);
}

/// §3.2, with coins moved like cards, §3.6. On a first turn the hideout is empty, §3.3.
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

/// Announces the advance, because it is not the one that begins each turn.
pub(super) fn advance_again(d: &mut Dealer, seat: Seat) {
    d.announce(Announcement::TimeAdvances, seat, 0);
    advance_time(d, seat);
}

/// §6.1; no hand limit follows, §6.2.
fn refresh(d: &mut Dealer, seat: Seat) {
    d.gather(RefreshArea(seat), Hand(seat));
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
fn takes_jobs(table: &Table, decision: Decision) -> bool {
    decision == Decision::Turn
        || decision == Decision::SecondCaper && table.is_marked(Mark::SecondJob)
}

/// The legal answers to `turn` and `second-caper`. Some teams may be missing, §11.3; [`list`] finds
/// them.
pub(super) fn plays<G: Ruleset>(table: &Table, seat: Seat, decision: Decision) -> Vec<Action> {
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

/// One of those, or of the teams that are not listed.
pub(super) fn any_play<G: Ruleset>(
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

/// Every job that can be completed equally likely, and then every team that completes it.
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

/// §11.4 The most teams listed for all jobs together where a filter asks for them.
const FILTERED_MAX: usize = 1_000;

/// The legal actions that a filter asks for. With a filter, teams are listed that [`plays`] leaves
/// out, as many as fit.
pub(super) fn list<G: Ruleset>(
    table: &Table,
    seat: Seat,
    filter: &ActionFilter,
) -> Vec<Listed<Action>> {
    let legal = Hideout::<G>::legal(table, seat);
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

/// What a text allows and does not demand: §8.10, §8.27, §8.28.
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

// === Refusals ===

/// §4.3 Only an answer to the decision that was asked is accepted.
pub(super) fn refuse<G: Ruleset>(
    table: &Table,
    seat: Seat,
    decision: Decision,
    action: &Action,
) -> Result<(), Refusal> {
    match (decision, *action) {
        (Decision::Turn | Decision::SecondCaper, Action::PerformCaper { card }) => {
            check_caper::<G>(table, seat, card)
        }
        (_, Action::CompleteJob { job, team }) if takes_jobs(table, decision) => {
            check_team::<G>(table, seat, job, team)
        }
        // §3.4
        (Decision::Turn, Action::Pass) if can_play::<G>(table, seat) => Err(Refusal::MustPlay),
        (Decision::Turn, Action::Pass) | (Decision::NameSkill, Action::NameSkill { .. }) => Ok(()),
        (_, Action::Decline) if may_decline(decision) => Ok(()),
        (Decision::Choose(asked), Action::Choose { what, card }) if asked == what => {
            effects::check_choice::<G>(table, seat, what, card)
        }
        (Decision::Rob, Action::Rob { victim }) => effects::check_victim::<G>(table, seat, victim),
        (Decision::SwapJobs, Action::SwapJobs { mine, theirs }) => {
            effects::check_swap::<G>(table, seat, mine, theirs)
        }
        _ => Err(Refusal::DecideFirst { asked: G::layout().decision_name(decision.into()) }),
    }
}

fn check_caper<G: Ruleset>(table: &Table, seat: Seat, card: Person) -> Result<(), Refusal> {
    if !table.lies(card, Hand(seat)) {
        // §4.2
        return Err(Refusal::NotInHand { cards: name::<G>(card).into() });
    }
    if !has_partner::<G>(table, seat, card) {
        // §3.9
        return Err(Refusal::NoPartner { card: name::<G>(card) });
    }
    Ok(())
}

/// §5.1, then §5.2.
fn check_team<G: Ruleset>(
    table: &Table,
    seat: Seat,
    job: Job,
    team: Set<Person>,
) -> Result<(), Refusal> {
    if table.first(Jobs(job.colour())) != Some(job) {
        return Err(Refusal::NotOnTop { job: name::<G>(job) });
    }
    // §4.2
    let missing = team.without(&table.pieces(Hand(seat)));
    if !missing.is_empty() {
        return Err(Refusal::NotInHand { cards: missing.names(G::layout()) });
    }
    let gap = teams::Gap::of::<G>(team, job);
    if !gap.is_none() {
        let (missing, spare) = (cards::skills::<G>(gap.missing), cards::skills::<G>(gap.spare));
        let spare: Vec<_> =
            spare.into_iter().chain(std::iter::repeat_n("any", gap.wild.into())).collect();
        let (missing, spare) = (missing.join(" "), spare.join(" "));
        return Err(Refusal::WrongTeam { job: name::<G>(job), missing, spare });
    }
    Ok(())
}

// === Perform a caper or complete a job ===

/// Carries out an action that was not refused.
pub(super) fn carry_out<G: Ruleset>(
    d: &mut Dealer,
    seat: Seat,
    decision: Decision,
    action: &Action,
) -> Result<(), End> {
    d.answer(seat);
    match *action {
        Action::PerformCaper { card } => {
            // §4.1
            d.announce(Announcement::Caper, seat, 0);
            place(d, seat, decision, Set::one(card));
            effects::resolve::<G>(d, seat, Part::first(card))
        }
        Action::CompleteJob { job, team } => {
            // §5.1; the texts of the team are not resolved, §5.4.
            d.announce(Announcement::Job, seat, 0);
            place(d, seat, decision, team);
            effects::resolve::<G>(d, seat, Part::first(job))
        }
        Action::Pass => {
            pass(d, seat);
            Ok(())
        }
        Action::Decline => effects::resume::<G>(d, seat, |_, _| Ok(())),
        Action::Choose { what, card } => {
            effects::resume::<G>(d, seat, |d, part| effects::choose::<G>(d, seat, what, card, part))
        }
        Action::Rob { victim } => {
            effects::resume::<G>(d, seat, |d, part| effects::rob_chosen::<G>(d, seat, victim, part))
        }
        Action::NameSkill { skill } => {
            effects::resume::<G>(d, seat, |d, _| effects::rob_by_skill::<G>(d, seat, skill))
        }
        Action::SwapJobs { mine, theirs } => {
            effects::resume::<G>(d, seat, |d, _| effects::swap(d, seat, mine, theirs))
        }
    }
}

/// Places the cards of a play. Before a second play time advances, §8.11.
fn place(d: &mut Dealer, seat: Seat, decision: Decision, cards: Set<Person>) {
    if decision == Decision::SecondCaper {
        advance_again(d, seat);
    }
    cards.iter().for_each(|card| d.put(card, FirstNight(seat)));
}

/// §3.5; cards left in the hand are shown, §3.10. A coin in a night is no card, §3.7.
fn pass(d: &mut Dealer, seat: Seat) {
    d.announce(Announcement::CannotPlay, seat, 0);
    d.pieces::<Person>(Hand(seat)).iter().for_each(|card| d.reveal(card));
    d.pay_up_to(IskToken, Stash(seat), FirstNight(seat), 1);
}

/// Ends the game or the turn, unless a decision is still open.
pub(super) fn finish_action<G: Ruleset>(d: &mut Dealer, seat: Seat, resolved: Result<(), End>) {
    let waits = d.prompt(seat).is_some();
    match resolved.err().or_else(|| if waits { None } else { ends::after_play(d) }) {
        Some(end) => ends::finish::<G>(d, end),
        None if waits => {}
        None => {
            d.set::<Card>(Mark::Acting, None);
            d.mark(Mark::Clause, 0);
            // §3.1
            refresh(d, seat);
            let next = d.after(seat);
            begin_turn(d, next);
        }
    }
}
