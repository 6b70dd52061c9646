//! The four phases of a round: prompts and readiness.

use table::{Dealer, Seat, Small, Table};

use super::vocabulary::{Announcement, Decision, Mark::*, Phase};

/// §4.1
pub const ROUNDS: u8 = 15;

impl Phase {
    /// Counted from 1, as in the rulebook.
    pub(super) fn number(self) -> u8 {
        self.index() as u8 + 1
    }

    pub(super) fn of(table: &Table) -> Phase {
        let nth = usize::from(table.phase()).checked_sub(1);
        nth.and_then(Phase::nth).expect("a match is always in one of the four phases")
    }

    pub(super) fn begin(self, d: &mut Dealer, seat: Seat) {
        reset_counts(d);
        d.begin_phase(self.number());
        d.announce(Announcement::Begins(self), seat, 0);
    }
}

/// Whether no decision interrupts the phase.
pub(super) fn uninterrupted(table: &Table) -> bool {
    table.prompts().last().is_none_or(|prompt| prompt.layer == 0)
}

/// §20.2: asks a seat before anything else continues, together with seats already asked in this
/// way.
pub(super) fn interrupt_together(d: &mut Dealer, seat: Seat, decision: Decision) {
    if uninterrupted(d) {
        d.interrupt(seat, decision);
    } else {
        d.ask(seat, decision);
    }
}

/// §20.11: seats that are not ready must answer; ready ones may. A prompt that stays open keeps its
/// age, regardless of other seats' actions.
pub(super) fn ask_unready(d: &mut Dealer, decision: Decision, asks: impl Fn(&Table, Seat) -> bool) {
    let asked = d.seats().filter(|&seat| asks(d, seat));
    let wanted: Vec<_> = asked.map(|seat| (seat, decision, !d.is_marked(Ready(seat)))).collect();
    d.ask_exactly(wanted);
}

/// §5.2, §12.4: the others may play karma, and in the Player phase deal with the seat on turn.
pub(super) fn allow_interrupts(d: &mut Dealer, seat: Seat) {
    d.others(seat).for_each(|other| d.allow(other, Decision::Interrupt));
}

/// §3.5, §5.12, §10.12: resets the counts of actions that are limited per turn or phase.
pub(super) fn reset_counts(d: &mut Dealer) {
    for mark in d.seats().flat_map(|seat| [Offers(seat), Unreadied(seat), Shows(seat)]) {
        d.mark(mark, 0);
    }
}

pub(super) fn clear_all_ready(d: &mut Dealer) {
    d.seats().for_each(|seat| d.mark(Ready(seat), 0));
}

pub(super) fn all_ready(table: &Table) -> bool {
    table.seats().all(|seat| table.is_marked(Ready(seat)))
}

/// Called when a seat has nothing more to do.
pub(super) fn settle(d: &mut Dealer, seat: Seat) {
    d.mark(Ready(seat), 1);
    d.mark(Touched(seat), 0);
}

/// Called when something happens to a seat: it may want to act again.
pub(super) fn clear_ready(d: &mut Dealer, seat: Seat) {
    d.mark(Ready(seat), 0);
    d.mark(Touched(seat), 1);
}
/// §10.7, §10.9: before the Last Call the seat is no longer ready, after it the seat readjusts at
/// once.
pub(super) fn ask_to_readjust(d: &mut Dealer, victim: Seat) {
    if d.is_marked(LastCalled) {
        interrupt_together(d, victim, Decision::Readjust);
    } else {
        clear_ready(d, victim);
    }
}
