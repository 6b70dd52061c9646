//! Chooses the bots to ask.

use table::{Seat, Table};

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
