//! Checks entries from outside, such as those of a file, against the invariants of any recorded
//! match, under any version of its rules.

// A wildcard arm would treat future variants as sound.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::{
    CHOICES_MAX, EVENTS_MAX, Entry, Event, Face, Layout, OFFERED_MAX, OPEN, PROMPTS_MAX, Prompt,
    SEATS_MAX, Table, Viewer, dealer::asked_again,
};

/// Folds a match's entries, for the house and for every other viewer, and checks each.
pub struct Audit {
    table: Table,
    seen: Vec<Table>,
}

/// Why an entry cannot be genuine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    #[error("a match begins with its opening and has only one")]
    Opening,
    #[error("it names a seat that the match does not have")]
    NoSuchSeat,
    #[error("it follows the end of the match")]
    AfterTheEnd,
    #[error("it loses or duplicates a piece")]
    PieceLost,
    #[error("it creates coins from nothing")]
    CoinsMade,
    #[error("it takes more coins than a place holds")]
    Overdrawn,
    #[error("it leaves more offers or contributions on the table than there can be")]
    TooMuch,
    #[error("its redacted form does not lead to the table that a viewer sees")]
    Redaction,
    #[error("it has more events, prompts or choices than an entry can have")]
    TooLong,
    #[error("it moves or shows a piece that is not there")]
    Misplaced,
    #[error("only the house records such an event")]
    NotOfRules,
    #[error("a prompt that it keeps open was not open before, or had another age")]
    PromptAge,
}

impl Audit {
    pub fn new(layout: &'static Layout, seats: u8) -> Audit {
        let table = |viewer| Table::new(layout, seats, viewer);
        Audit { table: table(Viewer::House), seen: Viewer::guests(seats).map(table).collect() }
    }

    /// An audit that starts at a table that is known to be sound: the house's.
    pub fn after(table: Table) -> Audit {
        let seats = table.seat_count() as u8;
        let seen = Viewer::guests(seats).map(|viewer| table.seen_by(viewer)).collect();
        Audit { table, seen }
    }

    /// The table after the entries so far.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Applies the next entry. After a violation the audit cannot continue.
    pub fn apply(&mut self, entry: &Entry, is_first: bool) -> Result<(), Violation> {
        let layout = self.table.layout();
        let must = |holds: bool, otherwise| if holds { Ok(()) } else { Err(otherwise) };
        must((entry.verb == OPEN && entry.seat.is_none()) == is_first, Violation::Opening)?;
        let seats = entry.seat.into_iter().chain(entry.prompts.iter().map(|prompt| prompt.seat));
        must(seats.into_iter().all(|seat| self.table.has_seat(seat)), Violation::NoSuchSeat)?;
        must(!self.table.ended(), Violation::AfterTheEnd)?;
        self.table.apply(entry);
        is_sound(&self.table, None)?;
        for seen in &mut self.seen {
            seen.apply(&entry.seen_by(seen.viewer(), layout));
            must(*seen == self.table.seen_by(seen.viewer()), Violation::Redaction)?;
        }
        Ok(())
    }
}

/// Whether a table can be, after the one `before` it. Hidden purses of an imagined table hold what
/// was imagined: its coins are not balanced, and an entry must leave the balance as it was.
fn is_sound(table: &Table, before: Option<&Table>) -> Result<(), Violation> {
    let must = |holds: bool, otherwise| if holds { Ok(()) } else { Err(otherwise) };
    // A table takes bounded memory, so that an audit takes as long for each entry.
    let is_bounded = table.contributions().len() <= SEATS_MAX;
    must(is_bounded && table.offered() <= OFFERED_MAX, Violation::TooMuch)?;
    must(table.piece_count() == table.layout().pieces().len(), Violation::PieceLost)?;
    let balance = table.balance();
    if balance.iter().all(|&sum| sum == 0) {
        return must(table.overdrawn().is_none(), Violation::Overdrawn);
    }
    must(before.is_some_and(|it| it.balance() == balance), Violation::CoinsMade)
}

/// The table after an entry that a guest returned for the house's `table`. The guest is not
/// trusted: each event must fit the table at that moment, show nothing that its kind does not show,
/// and be one that rules may record. Whom the entry asks is noted here, whatever the guest noted.
pub fn apply_from_guest(table: &Table, entry: &mut Entry) -> Result<Table, Violation> {
    let must = |holds: bool, otherwise| if holds { Ok(()) } else { Err(otherwise) };
    let sizes = [
        (entry.events.len(), EVENTS_MAX),
        (entry.prompts.len(), PROMPTS_MAX),
        (entry.choices.len(), CHOICES_MAX),
    ];
    must(sizes.iter().all(|(count, most)| count <= most), Violation::TooLong)?;
    let mut prompted = entry.prompts.iter().map(|prompt| prompt.seat);
    must(prompted.all(|seat| table.has_seat(seat)), Violation::NoSuchSeat)?;
    let mut after = table.clone();
    // Also without events: its prompts are others.
    after.detach();
    for event in &entry.events {
        must(!after.ended(), Violation::AfterTheEnd)?;
        fits(&after, event)?;
        after.apply_event(event);
    }
    after.choices = after.choices.wrapping_add(entry.choices.len() as u32);
    after.prompts.clone_from(&entry.prompts);
    must(!after.ended() || after.prompts().is_empty(), Violation::AfterTheEnd)?;
    must(have_aged(table.prompts(), &mut after.prompts), Violation::PromptAge)?;
    after.note_asked(asked_again(entry.seat, entry.verb));
    entry.prompts.clone_from(&after.prompts);
    is_sound(&after, Some(table))?;
    Ok(after)
}

/// Whether each prompt is new, or was open before and has aged by one entry. Gives each the time
/// when its seat was asked that it had before.
fn have_aged(before: &[Prompt], prompts: &mut [Prompt]) -> bool {
    let mut open: Vec<Prompt> = before.iter().map(|prompt| prompt.later()).collect();
    prompts.iter_mut().all(|prompt| {
        prompt.asked = None;
        let is_it = |it: &Prompt| it.age == prompt.age && it.ageless() == prompt.ageless();
        let kept = open.iter().position(is_it).map(|nth| open.remove(nth));
        if let Some(kept) = kept {
            *prompt = kept;
        }
        kept.is_some() || prompt.age == 0
    })
}

/// Whether the rules may record an event on this table of the house.
fn fits(table: &Table, event: &Event) -> Result<(), Violation> {
    let layout = table.layout();
    let must = |holds: bool, otherwise| if holds { Ok(()) } else { Err(otherwise) };
    let seated = |seat| must(table.has_seat(seat), Violation::NoSuchSeat);
    let is_there = |what, place| matches!(what, Face::Up(piece) if table.at(piece) == Some(place));
    match *event {
        Event::Moved { what, from, to: _ } => must(is_there(what, from), Violation::Misplaced),
        Event::Shown { what, at, to: _ } => must(is_there(what, at), Violation::Misplaced),
        // It names no piece, so nobody may see or count more of them than before.
        Event::Gathered { from, to } => must(
            layout.viewers(to).within(layout.viewers(from))
                && layout.counters(to).within(layout.counters(from)),
            Violation::Redaction,
        ),
        Event::Paid { amount, .. } => {
            must(amount.is_some_and(|it| i32::try_from(it).is_ok()), Violation::Overdrawn)
        }
        Event::Rolled { seat, value: _ }
        | Event::Announced { announcement: _, seat, value: _ }
        | Event::TurnBegan(seat)
        | Event::OfferClosed { by: seat }
        | Event::Scored { seat, points: _ }
        | Event::Resigned { seat }
        | Event::TimedOut { seat }
        | Event::Stood { seat, decision: _, on: _ } => seated(seat),
        Event::Offered(ref offer) => seated(offer.by).and(seated(offer.to)),
        Event::Contributed(ref it) => seated(it.seat),
        Event::Ended { winners } => {
            let may_win = |seat| table.contenders().any(|it| it == seat);
            must(winners.iter().all(may_win), Violation::NoSuchSeat)
        }
        Event::Marked { mark: _, value: _ } | Event::RoundBegan(_) | Event::PhaseBegan(_) => Ok(()),
        Event::Said { .. }
        | Event::TimeAdded { .. }
        | Event::TookBack { .. }
        | Event::Voted { .. }
        | Event::Paused { .. }
        | Event::Resumed { .. }
        | Event::Abandoned
        | Event::Replaced { .. } => Err(Violation::NotOfRules),
    }
}
