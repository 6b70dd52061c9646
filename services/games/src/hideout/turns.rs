//! The three phases of a turn: advance time, play, refresh.

use table::{Dealer, Seat, Set, Table};

use super::{
    actions::Action,
    catalogue::skills,
    effects::{self, Part},
    ends::{self, End},
    layout::name,
    legal, nights,
    refusals::Refusal,
    ruleset::Ruleset,
    teams::Gap,
    vocabulary::{Announcement, Card, Coin::IskToken, Decision, Job, Mark, Person, Place::*},
};

/// §3.1, first phase.
pub(super) fn begin_turn(d: &mut Dealer, seat: Seat) {
    d.begin_turn(seat);
    nights::advance_time(d, seat);
    d.ask(seat, Decision::Turn);
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
        (_, Action::CompleteJob { job, team }) if legal::takes_jobs(table, decision) => {
            check_team::<G>(table, seat, job, team)
        }
        // §3.4
        (Decision::Turn, Action::Pass) if legal::can_play::<G>(table, seat) => {
            Err(Refusal::MustPlay)
        }
        (Decision::Turn, Action::Pass) | (Decision::NameSkill, Action::NameSkill { .. }) => Ok(()),
        (_, Action::Decline) if legal::may_decline(decision) => Ok(()),
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
    if !legal::has_partner::<G>(table, seat, card) {
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
    let gap = Gap::of::<G>(team, job);
    if !gap.is_none() {
        let (missing, spare) = (skills::<G>(gap.missing), skills::<G>(gap.spare));
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
        nights::advance_again(d, seat);
    }
    cards.iter().for_each(|card| d.put(card, FirstNight(seat)));
}

/// §3.5; cards left in the hand are shown, §3.10. A coin in a night is not a card, §3.7.
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
            nights::refresh(d, seat);
            let next = d.after(seat);
            begin_turn(d, next);
        }
    }
}
