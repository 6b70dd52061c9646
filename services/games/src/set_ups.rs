//! Set-ups as data: the contents of places when a match begins, by number of seats.
//!
//! The counts come from tables that the rules set up, so they cannot differ from the deal.

use std::{collections::BTreeMap, ops::RangeInclusive};

use table::{ChaCha, Options, Table, invariants};

use crate::{Game, Refused, first_seat};

/// Tables sampled for each set-up. Amounts that depend on chance have a minimum and a maximum among
/// them.
const SAMPLES: u64 = 64;

/// The set-up of a game for a number of seats.
#[derive(Clone, Debug, PartialEq)]
pub struct SetUp {
    pub seats: u8,
    /// The options that make the difference; all others have their defaults.
    pub options: BTreeMap<String, String>,
    /// The places that are not empty, in the layout's order.
    pub places: Vec<PlaceSetUp>,
}

/// The minimum and maximum contents of a place.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceSetUp {
    pub place: String,
    pub pieces: RangeInclusive<u32>,
    /// By name, without banks, which have no limit.
    pub coins: Vec<(String, RangeInclusive<i32>)>,
}

/// Every set-up of a game: for each number of seats with the defaults of all options, then with
/// each value of an option that changes what is laid out.
pub fn set_ups(game: &dyn Game) -> Vec<SetUp> {
    game.seats().flat_map(|seats| with_seats(game, seats)).collect()
}

fn with_seats(game: &dyn Game, seats: u8) -> Vec<SetUp> {
    let Some(usual) = set_up(game, seats, BTreeMap::new()) else { return Vec::new() };
    // `first-seat` only permutes the seats' contents, and is random by default.
    let options = game.options().into_iter().filter(|option| option.name != first_seat::NAME);
    let values = options.flat_map(|option| option.values.iter().map(|value| (option.name, *value)));
    let given = values.map(|(name, value)| [(name.to_owned(), value.to_owned())].into());
    let others = given.filter_map(|given| set_up(game, seats, given));
    let others: Vec<SetUp> = others.filter(|other| other.places != usual.places).collect();
    [usual].into_iter().chain(others).collect()
}

/// `None` if the options do not fit the number of seats, or the rules fail.
fn set_up(game: &dyn Game, seats: u8, given: BTreeMap<String, String>) -> Option<SetUp> {
    let options = game.check_options(&given, seats).ok()?;
    let tables = (0..SAMPLES).map(|seed| lay_out(game, seats, &options, seed));
    let tables: Vec<Table> = tables.collect::<Result<_, _>>().ok()?;
    let counts: Vec<Vec<Counts>> = tables.iter().map(counts).collect();
    let places = game.layout().places_of(seats).enumerate().map(|(nth, place)| {
        let here: Vec<&Counts> = counts.iter().map(|counts| &counts[nth]).collect();
        let coins = here[0].coins.iter().enumerate().map(|(nth, (coin, _))| {
            let amounts = range(here.iter().map(|it| it.coins[nth].1));
            (coin.clone(), amounts)
        });
        PlaceSetUp {
            place: place.name.clone(),
            pieces: range(here.iter().map(|it| it.pieces)),
            coins: coins.filter(|(_, amounts)| *amounts != (0..=0)).collect(),
        }
    });
    let is_used = |place: &PlaceSetUp| place.pieces != (0..=0) || !place.coins.is_empty();
    Some(SetUp { seats, options: given, places: places.filter(is_used).collect() })
}

fn lay_out(game: &dyn Game, seats: u8, options: &Options, seed: u64) -> Result<Table, Refused> {
    let opened = game.open(seats, options, &[], &mut ChaCha::of(invariants::key(seed), 1));
    opened.map(|(table, _)| table)
}

/// The contents of a place of one table.
struct Counts {
    pieces: u32,
    coins: Vec<(String, i32)>,
}

fn counts(table: &Table) -> Vec<Counts> {
    let layout = table.layout();
    let places = table.places().map(|seen| {
        let is_bank = |coin| {
            let mut purses = layout.purses().iter();
            purses.any(|it| it.is_bank && (it.place, it.coin) == (seen.place.id, coin))
        };
        let coins = seen.purses.iter().filter(|(coin, _)| !is_bank(*coin));
        let unseen: usize = seen.unseen.iter().map(|(_, count)| count).sum();
        Counts {
            pieces: (seen.pieces.len() + unseen) as u32,
            coins: coins.map(|&(coin, n)| (layout.coin_name(coin).to_owned(), n)).collect(),
        }
    });
    places.collect()
}

fn range<T: Ord + Copy>(counts: impl Iterator<Item = T> + Clone) -> RangeInclusive<T> {
    let least = counts.clone().min().expect("there are samples");
    least..=counts.max().expect("there are samples")
}
