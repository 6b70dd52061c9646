//! Chooses the bots to ask, and those that agree.

use table::{Motion, Seat, Table};

/// The bots to ask at a table, in turn: those that need not act, then the first that must.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub may: Vec<Seat>,
    pub must: Option<Seat>,
}

impl Asked {
    pub fn of(table: &Table, is_bot: impl Fn(Seat) -> bool) -> Asked {
        let seats = table.contenders().filter(|&seat| is_bot(seat));
        let asked = seats.filter_map(|seat| Some((seat, table.prompt(seat)?.must)));
        let (must, may): (Vec<_>, Vec<_>) = asked.partition(|&(_, must)| must);
        Asked { may: may.into_iter().map(|it| it.0).collect(), must: must.first().map(|it| it.0) }
    }
}

/// The next vote of a bot: for a motion that all people voted for, if there are any people.
pub fn agreement(table: &Table, is_bot: impl Fn(Seat) -> bool) -> Option<(Seat, Motion)> {
    let (bots, people): (Vec<Seat>, Vec<Seat>) = table.contenders().partition(|&seat| is_bot(seat));
    if people.is_empty() {
        return None;
    }
    let is_agreed = |motion: &Motion| people.iter().all(|&seat| table.votes_for(seat, *motion));
    let missing = |motion| bots.iter().find(|&&seat| !table.votes_for(seat, motion));
    let proposed = table.votes().iter().map(|vote| vote.1).filter(is_agreed);
    proposed.filter_map(|motion| Some((*missing(motion)?, motion))).next()
}
