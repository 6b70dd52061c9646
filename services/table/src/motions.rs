//! Motions about the match as a whole, by vote of the seats or order of the platform: ending it
//! without a result, pausing, resuming, and replacing a player.

use crate::{
    CommonRefusal, Dealer, Entry, Motion, REPLACE, Refused, Rules, Seat, Table, VOTE,
    chance::NoChance, play::still_playing,
};

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
    // After another seat resigned, the votes given may already suffice.
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

/// The table after the platform ordered a motion, and the entry that leads to it.
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

/// The table after another player took over a seat, and the entry that leads to it. Unless
/// `is_gone` (its player left), the seat must have resigned.
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
