//! Legal actions from a seat's table: of the device's own matches, and of a service's, while the
//! service's own list is on its way. The service decides what is legal.

use answers::{Legals, known_table, told_legal};
use contract::v1;
use games::{Beside, Game, Legal, Wanted, copies, kinds_of};
use narration::{Language, Narrator};
use positions::Position;
use prost::Message;
use serde::Deserialize;
use table::{ActionFilter, Seat, Set, Table};

use crate::refusal::Refusal;

/// A list to make from the table of a match that a service has.
#[derive(Clone, Debug, Deserialize)]
pub struct Listing {
    /// The game, such as `mountebank`, by compiled-in rules.
    pub game: String,
    /// The version of the rules that the service has.
    pub rules_version: u32,
    /// As in `Accept-Language`.
    #[serde(default)]
    pub language: String,
    /// The names of the players, by seat.
    pub names: Vec<String>,
    #[serde(default)]
    pub is_paused: bool,
    /// As in `ListLegalActionsRequest`.
    #[serde(default)]
    pub verb: String,
    #[serde(default)]
    pub pieces: Vec<String>,
    #[serde(default)]
    pub copies: bool,
    #[serde(default)]
    pub reasons: bool,
    #[serde(default)]
    pub effects: bool,
}

impl Listing {
    /// A `ListLegalActionsResponse` for a `Table`, as its seat sees it.
    pub fn answer(&self, table: &[u8]) -> Result<Vec<u8>, Refusal> {
        let game = games::find(&self.game).filter(|it| it.rules_version() == self.rules_version);
        let game = game.ok_or_else(|| {
            Refusal::new("unimplemented", "", "the device does not have these rules")
        })?;
        let told = v1::Table::decode(table)
            .map_err(|error| Refusal::invalid("table", error.to_string()))?;
        let known = known_table(game, &told, self.is_paused);
        let (seat, table) = known.map_err(|error| Refusal::invalid("table", error.to_string()))?;
        let filter = filter_of(game, &self.verb, &self.pieces)?;
        let actions = listed(game, &table, seat, &filter, self.copies)?;
        let wanted = Wanted { reasons: self.reasons, effects: self.effects };
        let beside = Beside::of(game, &table, seat, &filter, &actions, wanted);
        let kinds = kinds_of(&actions);
        let names: Vec<_> = self.names.iter().map(|it| Some(&**it)).collect();
        let narrator = Narrator::new(game, Language::accepted(&self.language), &names, Some(seat));
        let position = Position(told.position.into());
        let legals = Legals {
            game,
            position,
            actions: &actions,
            kinds: &kinds,
            table: &table,
            beside: &beside,
        };
        Ok(told_legal(&narrator, &legals).encode_to_vec())
    }
}

/// The legal actions of a seat from its table, and of copies the first unless all are wanted.
pub fn listed(
    game: &'static dyn Game,
    table: &Table,
    seat: Seat,
    filter: &ActionFilter,
    with_copies: bool,
) -> Result<Vec<Legal>, Refusal> {
    let listed = game.list(table, seat, filter);
    let mut actions = listed.map_err(|it| Refusal::of_rules(game.name(), it))?;
    if !with_copies {
        let mut copies = copies(game, table, &actions).into_iter();
        actions.retain(|_| copies.next().is_some_and(|first| first.is_none()));
    }
    Ok(actions)
}

pub fn filter_of(game: &dyn Game, verb: &str, pieces: &[String]) -> Result<ActionFilter, Refusal> {
    let mut named = Set::EMPTY;
    for name in pieces {
        let piece = game.layout().piece_named(name);
        let none = || Refusal::invalid("pieces", format!("there is no piece {name:?}"));
        named.add(piece.ok_or_else(none)?);
    }
    Ok(ActionFilter { verb: (!verb.is_empty()).then(|| verb.to_owned()), pieces: named })
}
