//! What the seats agree on, or the platform orders, about the match as a whole: to end it without a
//! result, to pause it, to resume it, and who plays on a seat.

use crate::{
    ABANDON, CommonRefusal, Dealer, Entry, PAUSE, REPLACE, RESUME, Refused, Rules, Seat, Table,
    VOTE, chance::NoChance, rules::still_playing,
};

/// What the seats can vote for. It happens once every seat that has not resigned votes for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    EndWithoutResult,
    Pause,
    Resume,
}

impl Motion {
    /// Its number where it is stored.
    pub fn number(self) -> u32 {
        match self {
            Motion::EndWithoutResult => 1,
            Motion::Pause => 2,
            Motion::Resume => 3,
        }
    }

    pub fn numbered(number: u32) -> Option<Motion> {
        let all = [Motion::EndWithoutResult, Motion::Pause, Motion::Resume];
        all.into_iter().find(|it| it.number() == number)
    }

    /// The verb of the entry by which the platform orders it.
    pub fn verb(self) -> &'static str {
        match self {
            Motion::EndWithoutResult => ABANDON,
            Motion::Pause => PAUSE,
            Motion::Resume => RESUME,
        }
    }

    /// The motion that the platform orders by an entry of this verb.
    pub fn ordered_by(verb: &str) -> Option<Motion> {
        let all = [Motion::EndWithoutResult, Motion::Pause, Motion::Resume];
        all.into_iter().find(|it| it.verb() == verb)
    }
}

/// The table after a seat voted for a motion, or withdrew its vote, and the entry that leads to it.
/// A vote stands until it is withdrawn, the seat resigns, or the match is paused, resumed or over.
pub fn vote<G: Rules>(
    table: &Table,
    seat: Seat,
    motion: Motion,
    on: bool,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    still_playing(table, seat)?;
    fits(table, motion)?;
    let all_do = || table.contenders().all(|it| it == seat || table.votes_for(it, motion));
    let passes = on && all_do();
    // After another seat resigned, the last vote that it takes may have been given already.
    if table.votes_for(seat, motion) == on && !passes {
        return Err(CommonRefusal::NothingChanges.into());
    }
    let mut nothing = NoChance;
    let mut table = table.clone();
    let mut d = Dealer::new(&mut table, &mut nothing);
    d.vote(seat, motion, on);
    if passes {
        d.carry(motion, Some(seat));
    }
    let entry = d.finish(G::VERSION, Some(seat), VOTE, None);
    Ok((table, entry))
}

/// The table after the platform ordered what seats can vote for, and the entry that leads to it.
pub fn order<G: Rules>(
    table: &Table,
    motion: Motion,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    if table.ended() {
        return Err(Refused::MatchEnded);
    }
    fits(table, motion)?;
    let mut nothing = NoChance;
    let mut table = table.clone();
    let mut d = Dealer::new(&mut table, &mut nothing);
    d.carry(motion, None);
    let entry = d.finish(G::VERSION, None, motion.verb(), None);
    Ok((table, entry))
}

fn fits<R>(table: &Table, motion: Motion) -> Result<(), Refused<R>> {
    match motion {
        Motion::Pause if table.is_paused() => Err(Refused::MatchPaused),
        Motion::Resume if !table.is_paused() => Err(CommonRefusal::MatchNotPaused.into()),
        Motion::EndWithoutResult | Motion::Pause | Motion::Resume => Ok(()),
    }
}

/// The table after another player took over a seat, and the entry that leads to it. `is_gone` says
/// that its player is, so that the seat need not have resigned.
pub fn replace<G: Rules>(
    table: &Table,
    seat: Seat,
    is_gone: bool,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    match () {
        () if table.ended() => return Err(Refused::MatchEnded),
        () if !table.has_seat(seat) => return Err(Refused::NotSeated),
        () if !is_gone && !table.resigned().has(seat) => {
            return Err(CommonRefusal::NotResigned.into());
        }
        () => {}
    }
    let mut nothing = NoChance;
    let mut table = table.clone();
    let mut d = Dealer::new(&mut table, &mut nothing);
    d.replace(seat);
    let entry = d.finish(G::VERSION, None, REPLACE, None);
    Ok((table, entry))
}
