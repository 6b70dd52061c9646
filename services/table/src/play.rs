//! How a match advances: opening, actions, resignations and timeouts.
//!
//! Each function returns the new table and the entry that leads to it; the given table does not
//! change. Only [`advance`] plays in place; the invariants check that its refusals change nothing.

use std::convert::Infallible;

use crate::{
    ADD_TIME, Chance, Contribution, Dealer, Entry, OPEN, Options, RESIGN, Refused, Rules, Seat,
    TIMEOUT, Table, Viewer,
    absent::{HOUSE_ACTIONS_MAX, answer_for, answer_for_absent},
    waiting_for,
};

/// The opening table and the entry that leads to it. The seats' contributions come first; `chance`
/// follows from them. `options` were checked for `seats` seats.
pub fn open<G: Rules>(
    seats: u8,
    options: &Options,
    contributions: &[Contribution],
    chance: &mut dyn Chance,
) -> (Table, Entry) {
    assert!(G::SEATS.contains(&seats), "checking the options refuses other numbers of seats");
    let mut table = Table::new(G::layout(), seats, Viewer::House);
    let mut d = Dealer::new(&mut table, chance);
    contributions.iter().for_each(|it| d.contribute(it.clone()));
    G::set_up(&mut d, options);
    stand_at_first::<G>(&mut d);
    answer_for_absent::<G>(&mut d);
    let entry = d.finish(G::VERSION, None, OPEN, None);
    (table, entry)
}

/// Declares the standing answers that every seat begins with.
fn stand_at_first<G: Rules>(d: &mut Dealer) {
    let decisions = G::layout().decisions().iter().map(|it| it.id);
    for decision in decisions.filter(|&it| G::stands_at_first(it)) {
        assert!(G::may_stand(decision), "only what may have a standing answer begins with one");
        d.seats().for_each(|seat| d.stand(seat, decision, true));
    }
}

/// The table after `action`, and the entry that leads to it. The action changes a copy of the
/// table, so a refusal has no effect.
pub fn play<G: Rules>(
    table: &Table,
    seat: Seat,
    action: &G::Action,
    chance: &mut dyn Chance,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    is_asked(table, seat)?;
    let mut table = table.clone();
    let mut d = Dealer::new(&mut table, chance);
    carry_out::<G>(&mut d, seat, action).map_err(Refused::Rules)?;
    let entry = d.finish(G::VERSION, Some(seat), G::verb(action), Some(G::print(action)));
    Ok((table, entry))
}

/// Changes the table as [`play`] does, in place and without a record, for searches that play
/// thousands of actions. A refusal leaves the table as it was.
pub fn advance<G: Rules>(
    table: &mut Table,
    seat: Seat,
    action: &G::Action,
    chance: &mut dyn Chance,
) -> Result<(), Refused<G::Refusal>> {
    is_asked(table, seat)?;
    let mut d = Dealer::unrecorded(table, chance);
    match carry_out::<G>(&mut d, seat, action) {
        Ok(()) => {
            d.note_asked(Some(seat));
            Ok(())
        }
        Err(refusal) => {
            d.withdraw();
            Err(Refused::Rules(refusal))
        }
    }
}

fn carry_out<G: Rules>(d: &mut Dealer, seat: Seat, action: &G::Action) -> Result<(), G::Refusal> {
    G::act(d, seat, action)?;
    answer_for_absent::<G>(d);
    Ok(())
}

/// The table after a seat resigned, and the entry that leads to it. Any seat may resign at any
/// time. The match continues while at least two contenders are left; otherwise the last one wins.
pub fn resign<G: Rules>(
    table: &Table,
    seat: Seat,
    chance: &mut dyn Chance,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    still_playing(table, seat)?;
    let mut table = table.clone();
    let mut d = Dealer::new(&mut table, chance);
    resign_now::<G>(&mut d, seat);
    let entry = d.finish(G::VERSION, Some(seat), RESIGN, None);
    Ok((table, entry))
}

fn resign_now<G: Rules>(d: &mut Dealer, seat: Seat) {
    d.resign(seat);
    let mut contenders = d.contenders();
    match (contenders.next(), contenders.next()) {
        (last, None) => d.end(last),
        _ => answer_for_absent::<G>(d),
    }
}

/// The table after the time ran out for a seat for which the match waits, and the entry that leads
/// to it. The seat resigns, or the house makes one decision for it.
pub fn time_out<G: Rules>(
    table: &Table,
    seat: Seat,
    resigns: bool,
    chance: &mut dyn Chance,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    is_waited_for(table, seat)?;
    let mut table = table.clone();
    let mut d = Dealer::new(&mut table, chance);
    d.time_out(seat);
    if resigns {
        resign_now::<G>(&mut d, seat);
    } else {
        // It may take several actions, such as the steps of a turn.
        for _ in 0..HOUSE_ACTIONS_MAX {
            answer_for::<G>(&mut d, seat);
            if d.prompt(seat).is_none_or(|prompt| !prompt.must || prompt.age == 0) {
                break;
            }
        }
        answer_for_absent::<G>(&mut d);
    }
    let entry = d.finish(G::VERSION, Some(seat), TIMEOUT, None);
    Ok((table, entry))
}

/// The table after seats were given more time, in milliseconds, and the entry that leads to it.
pub fn add_time<G: Rules>(
    table: &Table,
    added: &[(Seat, u32)],
    chance: &mut dyn Chance,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    let mut after = table.clone();
    let mut d = Dealer::new(&mut after, chance);
    for &(seat, ms) in added {
        still_playing(table, seat)?;
        d.add_time(seat, ms);
    }
    let entry = d.finish(G::VERSION, None, ADD_TIME, None);
    Ok((after, entry))
}

/// Refuses a seat that is not at the table any more, or never was.
pub fn still_playing<R>(table: &Table, seat: Seat) -> Result<(), Refused<R>> {
    match () {
        () if table.ended() => Err(Refused::MatchEnded),
        () if !table.has_seat(seat) => Err(Refused::NotSeated),
        () if table.resigned().has(seat) => Err(Refused::Resigned),
        () => Ok(()),
    }
}

/// Like [`still_playing`]; the match must also not be paused.
pub fn may_act<R>(table: &Table, seat: Seat) -> Result<(), Refused<R>> {
    still_playing(table, seat)?;
    if table.is_paused() { Err(Refused::MatchPaused) } else { Ok(()) }
}

/// Whether a seat can act now: the match is running, and the seat has a prompt.
pub fn can_act(table: &Table, seat: Seat) -> bool {
    is_asked::<Infallible>(table, seat).is_ok()
}

/// Everyone sees for whom the match waits.
fn not_asked<R>(table: &Table) -> Refused<R> {
    Refused::NotAsked { waiting_for: waiting_for(table.prompts(), table.is_paused()) }
}

/// Like [`may_act`]; the seat must also have a prompt.
pub fn is_asked<R>(table: &Table, seat: Seat) -> Result<(), Refused<R>> {
    may_act(table, seat)?;
    table.prompt(seat).map(|_| ()).ok_or_else(|| not_asked(table))
}

/// Like [`is_asked`]; the match must also wait for the seat.
pub fn is_waited_for<R>(table: &Table, seat: Seat) -> Result<(), Refused<R>> {
    may_act(table, seat)?;
    let waits = table.prompt(seat).is_some_and(|prompt| prompt.must);
    if waits { Ok(()) } else { Err(not_asked(table)) }
}
