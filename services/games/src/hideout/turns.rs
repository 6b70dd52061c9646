//! Set-up, and a turn: advance time, play specialists, refresh.

use table::{Dealer, Options, Seat, Set, Small, Table};

use super::{
    Action, Announcement,
    Coin::IskToken,
    Decision, Mark,
    Place::*,
    Refusal, Ruleset,
    cards::{self, Card, Colour, Deed, Job, Person},
    deeds::{self, Clause},
    ends::{self, Went},
    name, teams,
};
use crate::first_seat;

// === Set-up ===

/// Coins in play with two, three and four players.
pub(super) const COFFERS: [u32; 3] = [50, 65, 75];
const STASH_AT_START: u32 = 3;
const SPECIALISTS_AT_START: usize = 3;

pub(super) fn set_up<G: Ruleset>(d: &mut Dealer, options: &Options) {
    let variant = G::variant(options, d.seat_count());
    d.set(Mark::DeckEnd, Some(variant.deck_end));
    d.mark(Mark::SecondJob, variant.second_job.into());

    d.pay(IskToken, Box, Coffers, COFFERS[d.seat_count() - 2]);
    for (stack, colour) in G::CARDS.stacks.iter().zip(Colour::all()) {
        if stack.players > d.seat_count() {
            d.gather(Jobs(colour), Box);
        }
    }
    for seat in d.seats() {
        Person::ringleaders(seat.index()).for_each(|card| d.put(card, Hand(seat)));
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
    let first = first_seat::pick(options, d);
    begin_turn(d, first);
}

// === A turn: advance time, play specialists, refresh ===

fn begin_turn(d: &mut Dealer, seat: Seat) {
    d.begin_turn(seat);
    advance_time(d, seat);
    d.ask(seat, Decision::Turn);
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

/// What happens a second time in a turn is worth saying.
pub(super) fn advance_once_more(d: &mut Dealer, seat: Seat) {
    d.announce(Announcement::TimeAdvances, seat, 0);
    advance_time(d, seat);
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
fn takes_jobs(table: &Table, decision: Decision) -> bool {
    decision == Decision::Turn
        || decision == Decision::SecondCaper && table.is_marked(Mark::SecondJob)
}

pub(super) fn plays<G: Ruleset>(table: &Table, seat: Seat, decision: Decision) -> Vec<Action> {
    let hand: Set<Person> = table.pieces(Hand(seat));
    let playable = hand.iter().filter(|&card| has_partner::<G>(table, seat, card));
    let mut plays: Vec<Action> = playable.map(|card| Action::PerformCaper { card }).collect();
    if takes_jobs(table, decision) {
        let types = teams::Types::of::<G>(hand);
        for job in Colour::all().filter_map(|colour| table.first::<Job>(Jobs(colour))) {
            let teams = types.teams(job.row::<G>().team).into_iter();
            plays.extend(teams.map(|team| Action::CompleteJob { job, team }));
        }
    }
    if decision == Decision::SecondCaper {
        plays.push(Action::Decline);
    } else if plays.is_empty() {
        plays.push(Action::Pass);
    }
    plays
}

// === What is refused ===

pub(super) fn refuse<G: Ruleset>(
    table: &Table,
    seat: Seat,
    decision: Decision,
    action: &Action,
) -> Result<(), Refusal> {
    match (decision, *action) {
        (Decision::Turn | Decision::SecondCaper, Action::PerformCaper { card }) => {
            may_play::<G>(table, seat, card)
        }
        (_, Action::CompleteJob { job, team }) if takes_jobs(table, decision) => {
            may_complete::<G>(table, seat, job, team)
        }
        (Decision::Turn, Action::Pass) if can_play::<G>(table, seat) => Err(Refusal::MustPlay),
        (Decision::Turn, Action::Pass)
        | (Decision::SecondCaper, Action::Decline)
        | (Decision::NameSkill, Action::NameSkill { .. }) => Ok(()),
        (Decision::Choose(asked), Action::Choose { what, card }) if asked == what => {
            deeds::may_choose::<G>(table, seat, what, card)
        }
        (Decision::Rob, Action::Rob { victim }) => deeds::may_rob::<G>(table, seat, victim),
        (Decision::SwapJobs, Action::SwapJobs { mine, theirs }) => {
            deeds::may_swap::<G>(table, seat, mine, theirs)
        }
        _ => Err(Refusal::DecideFirst { asked: G::layout().decision_name(decision.into()) }),
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

// === Perform a caper or complete a job ===

/// Does what was not refused.
pub(super) fn carry_out<G: Ruleset>(
    d: &mut Dealer,
    seat: Seat,
    decision: Decision,
    action: &Action,
) -> Went {
    d.answer(seat);
    match *action {
        Action::PerformCaper { card } => {
            d.announce(Announcement::Caper, seat, 0);
            put_tonight(d, seat, decision, Set::one(card));
            deeds::resolve::<G>(d, seat, Clause::first(card))
        }
        Action::CompleteJob { job, team } => {
            d.announce(Announcement::Job, seat, 0);
            put_tonight(d, seat, decision, team);
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

/// Cards are placed before any text is resolved. For a second play, time advances first.
fn put_tonight(d: &mut Dealer, seat: Seat, decision: Decision, cards: Set<Person>) {
    if decision == Decision::SecondCaper {
        advance_once_more(d, seat);
    }
    cards.iter().for_each(|card| d.put(card, FirstNight(seat)));
}

/// For want of a card to play, a coin takes its place in the first night, if there is one. A hand
/// that is not empty proves by being shown that it cannot be played.
fn pass(d: &mut Dealer, seat: Seat) {
    d.announce(Announcement::CannotPlay, seat, 0);
    d.pieces::<Person>(Hand(seat)).iter().for_each(|card| d.reveal(card));
    d.pay_up_to(IskToken, Stash(seat), FirstNight(seat), 1);
}

/// Ends the game or the turn, unless something is still to be decided.
pub(super) fn go_on<G: Ruleset>(d: &mut Dealer, seat: Seat, went: Went) {
    let waits = d.prompt(seat).is_some();
    match went.err().or_else(|| if waits { None } else { ends::over(d) }) {
        Some(end) => ends::finish::<G>(d, end),
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
