//! What legal actions are about, as rows of numbers: their kind, and the things of the layout that
//! they name.

use std::collections::HashMap;
use std::sync::Mutex;

use bytes::Bytes;
use games::{About, Game};
use table::{Layout, Seat, Small};

use crate::encoder::{Parts, View, relative};
use crate::planes::{Kind, Planes};

/// How many actions are remembered. Reading an action from its message takes microseconds.
const KEPT_MAX: usize = 100_000;

/// Writes the actions of one game with one number of seats.
pub struct Features {
    game: &'static dyn Game,
    seats: u8,
    pub planes: Planes,
    verbs: HashMap<&'static str, i16>,
    values: HashMap<&'static str, usize>,
    offsets: Offsets,
    kept: Mutex<HashMap<Bytes, About>>,
}

struct Offsets {
    pieces: usize,
    places: usize,
    seats: usize,
    values: usize,
    amounts: usize,
}

/// The verb of an optional prompt that is left alone.
const WAIT: &str = "wait";

impl Features {
    pub fn new(game: &'static dyn Game, seats: u8, parts: &Parts) -> Features {
        let layout: &'static Layout = game.layout();
        let mut planes = Planes::default();
        let own = layout.verbs().iter().filter(|it| !table::COMMON_VERBS.contains(it));
        let verbs: Vec<&'static str> = std::iter::once(WAIT).chain(own.copied()).collect();
        let verb_names: Vec<String> = verbs.iter().map(|&it| it.to_owned()).collect();
        planes.add("verb", Kind::Category, vec!["verb".into()], &verb_names);
        let pieces = layout.pieces().iter().map(|it| it.name.clone()).collect();
        let values: Vec<&'static str> = layout.value_names().into_iter().collect();
        let all_seats = (0..seats).map(|it| format!("seat {it}")).collect();
        let value_names = values.iter().map(|&it| it.to_owned()).collect();
        let coins = layout.coins().iter().map(|it| it.name.clone()).collect();
        let offsets = Offsets {
            pieces: planes.add("pieces", Kind::Flag, pieces, &[]),
            places: planes.add("places", Kind::Flag, parts.places.names.clone(), &[]),
            seats: planes.add("seats", Kind::Flag, all_seats, &[]),
            values: planes.add("values", Kind::Flag, value_names, &[]),
            amounts: planes.add("amounts", Kind::Count, coins, &[]),
        };
        Features {
            game,
            seats,
            planes,
            verbs: (1..).zip(verbs).map(|(nth, verb)| (verb, nth)).collect(),
            values: values.into_iter().enumerate().map(|(nth, it)| (it, nth)).collect(),
            offsets,
            kept: Mutex::default(),
        }
    }

    /// The row of waiting, which answers an optional prompt.
    pub fn write_wait(&self, out: &mut [i16]) {
        out.fill(0);
        out[0] = self.verbs[WAIT];
    }

    /// The row of an action, as the seat with this view takes it.
    pub fn write(
        &self,
        verb: &'static str,
        action: &Bytes,
        (seat, view): (Seat, &View),
        out: &mut [i16],
    ) {
        out.fill(0);
        out[0] = self.verbs.get(verb).copied().unwrap_or_default();
        let mut kept = self.kept.lock().unwrap_or_else(|it| it.into_inner());
        if kept.len() >= KEPT_MAX {
            kept.clear();
        }
        let about = kept.entry(action.clone()).or_insert_with(|| About::of(self.game, action));
        let at = &self.offsets;
        about.pieces.iter().for_each(|it| out[at.pieces + it.index()] = 1);
        for place in &about.places {
            if let Some(nth) = view.place(*place).checked_sub(1) {
                out[at.places + usize::from(nth)] = 1;
            }
        }
        for named in about.seats.iter().filter(|it| u8::from(**it) < self.seats) {
            out[at.seats + relative(*named, seat.into(), self.seats).index()] = 1;
        }
        for value in &about.values {
            if let Some(nth) = self.values.get(value) {
                out[at.values + nth] = 1;
            }
        }
        let coins = self.game.layout().coins();
        for (coin, amount) in &about.amounts {
            if let Some(nth) = coins.iter().position(|it| it.id == *coin) {
                out[at.amounts + nth] += i16::try_from(*amount).unwrap_or(i16::MAX);
            }
        }
    }
}
