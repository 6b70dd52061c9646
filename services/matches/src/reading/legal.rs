//! The legal actions of a seat.

use games::{Beside, Game, Legal, LegalKind, Wanted, copies};
use positions::Position;
use rows::MatchId;
use table::{ActionFilter, Layout, Seat, Set, Table, Viewer};

use crate::accepting::refusal;
use crate::access::Caller;
use crate::error::Error;
use crate::matches::Matches;

pub struct LegalActions {
    pub game: &'static dyn Game,
    pub seat: Seat,
    pub position: Position,
    pub actions: Vec<Legal>,
    pub kinds: Vec<LegalKind>,
    /// What the seat sees.
    pub table: Table,
    pub beside: Beside,
}

/// Which legal actions to list, by public names. Parts are combined with AND.
#[derive(Clone, Debug, Default)]
pub struct LegalFilter {
    /// The kind of action.
    pub verb: Option<String>,
    /// The pieces that an action names, all of them.
    pub pieces: Vec<String>,
    /// Also the actions that differ from others only in which copies of a card they name.
    pub with_copies: bool,
    pub wanted: Wanted,
}

/// The maximum number of pieces that one filter names: more than any action does.
const FILTER_PIECES_MAX: usize = 16;

impl LegalFilter {
    fn of_layout(&self, layout: &Layout) -> Result<ActionFilter, Error> {
        if self.pieces.len() > FILTER_PIECES_MAX {
            return Err(Error::invalid(
                "pieces",
                format!("a filter names {FILTER_PIECES_MAX} pieces at most"),
            ));
        }
        let mut pieces = Set::EMPTY;
        for (nth, name) in self.pieces.iter().enumerate() {
            let piece = layout.piece_named(name);
            let unknown =
                || Error::invalid("pieces", format!("there is no piece {name:?}")).at(nth);
            pieces.add(piece.ok_or_else(unknown)?);
        }
        if let Some(verb) = self.verb.as_ref().filter(|verb| layout.verb(verb).is_none()) {
            return Err(Error::invalid("verb", format!("the game has no verb {verb:?}")));
        }
        Ok(ActionFilter { verb: self.verb.clone(), pieces })
    }
}

impl Matches {
    /// The legal actions of a seat, computed from that seat's own view.
    pub async fn legal(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
        filter: &LegalFilter,
    ) -> Result<LegalActions, Error> {
        let (live, _) = self.current(caller, match_id).await?;
        let seat = caller.acting_seat(&live, seat)?;
        let (with_copies, wanted) = (filter.with_copies, filter.wanted);
        let filter = filter.of_layout(live.game.layout())?;
        let head = live.head();
        let table = head.table.ok_or(Error::NotStarted)?;
        let game = live.game;
        let list = move || {
            let table = table.seen_by(Viewer::Seat(seat));
            let mut actions = game.list(&table, seat, &filter)?;
            if !with_copies {
                let mut copies = copies(game, &table, &actions).into_iter();
                actions.retain(|_| copies.next().is_some_and(|first| first.is_none()));
            }
            let beside = Beside::of(game, &table, seat, &filter, &actions, wanted);
            Ok::<_, games::Refused>((games::kinds_of(&actions), actions, table, beside))
        };
        let listed = match game.is_suspect() {
            true => self.by_rules(&live, list).await?,
            false => self.work(caller, false, list).await?,
        };
        let listed = listed.map_err(|refused| refusal(&live, refused))?;
        let (kinds, actions, table, beside) = listed;
        Ok(LegalActions { game, seat, position: head.position, actions, kinds, table, beside })
    }
}
