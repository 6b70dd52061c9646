//! Tables read back from the messages of the contract, for what lists actions from a view.

use contract::{names, v1};
use games::Game;
use table::{
    BackId, CoinId, DecisionId, Known, Layout, Offer, OfferItem, Piece, PlaceId, Prompt, ScorePart,
    Seat, Seats, Small, Table, Term, Viewer,
};

/// Why a message is no table of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table has no {what} {name:?}")]
pub struct Unknown {
    pub what: &'static str,
    pub name: String,
}

/// The table of a seat behind its message, with or without texts. `is_paused` is told by the match.
pub fn known_table(
    game: &'static dyn Game,
    told: &v1::Table,
    is_paused: bool,
) -> Result<(Seat, Table), Unknown> {
    let names = Names { layout: game.layout() };
    let seats = u8::try_from(told.scores.len()).ok().filter(|it| game.seats().contains(it));
    let seats = seats.ok_or_else(|| unknown("number of seats", told.scores.len()))?;
    let viewer = names::seat_number(&told.viewer).ok().and_then(Seat::nth);
    let viewer = viewer.filter(|it| it.index() < seats.into());
    let viewer = viewer.ok_or_else(|| unknown("seat", &told.viewer))?;
    let mut known = Known {
        round: small("round", told.round)?,
        phase: small("phase", told.phase)?,
        turn: names.seat(told.turn)?,
        scores: told.scores.clone(),
        resigned: names.seats(&told.resigned)?,
        winners: told.ended.as_ref().map(|it| names.seats(&it.winners)).transpose()?,
        is_paused,
        ..Known::default()
    };
    for contents in &told.places {
        let place = names.place(&contents.place)?;
        for piece in &contents.pieces {
            known.pieces.push((names.piece(piece)?, place));
        }
        for it in &contents.unseen {
            known.unseen.push((place, names.back(&it.back)?, small("count", it.count)?));
        }
        for it in &contents.purses {
            known.purses.push((place, names.coin(&it.coin)?, it.amount));
        }
    }
    for it in &told.marks {
        let mark = row("mark", names.layout.marks(), &it.mark)?;
        known.marks.push((mark, small("value", it.value)?));
    }
    for it in &told.prompts {
        known.prompts.push(names.prompt(it, told.position)?);
    }
    for it in &told.offers {
        known.offers.push(names.offer(it)?);
    }
    for it in &told.score_parts {
        let announcement = row("announcement", names.layout.announcements(), &it.part)?;
        let seat = names.seat(it.seat)?;
        known.score_parts.push(ScorePart { seat, announcement, points: it.points });
    }
    for it in &told.standing {
        known.standing.push((names.seat(it.seat)?, names.decision(&it.decision)?));
    }
    Ok((viewer, Table::of_known(names.layout, seats, Viewer::Seat(viewer), known)))
}

/// The rows of a layout by their names.
struct Names {
    layout: &'static Layout,
}

impl Names {
    fn place(&self, name: &str) -> Result<PlaceId, Unknown> {
        self.layout.place_named(name).ok_or_else(|| unknown("place", name))
    }

    fn piece(&self, name: &str) -> Result<Piece, Unknown> {
        self.layout.piece_named(name).ok_or_else(|| unknown("piece", name))
    }

    fn back(&self, name: &str) -> Result<BackId, Unknown> {
        row("back", self.layout.backs(), name)
    }

    fn coin(&self, name: &str) -> Result<CoinId, Unknown> {
        row("coin", self.layout.coins(), name)
    }

    fn decision(&self, name: &str) -> Result<DecisionId, Unknown> {
        row("decision", self.layout.decisions(), name)
    }

    fn seat(&self, number: u32) -> Result<Seat, Unknown> {
        Seat::nth(number as usize).ok_or_else(|| unknown("seat", number))
    }

    fn seats(&self, numbers: &[u32]) -> Result<Seats, Unknown> {
        let mut seats = Seats::default();
        for &number in numbers {
            seats.add(self.seat(number)?);
        }
        Ok(seats)
    }

    fn prompt(&self, told: &v1::Prompt, position: i32) -> Result<Prompt, Unknown> {
        let since = |opened: i32| {
            let entries = position.checked_sub(opened).and_then(|it| u32::try_from(it).ok());
            entries.ok_or_else(|| unknown("entry", opened))
        };
        let asked = (told.asked_position != 0).then(|| since(told.asked_position)).transpose()?;
        Ok(Prompt {
            seat: self.seat(told.seat)?,
            decision: self.decision(&told.decision)?,
            must: !told.optional,
            layer: small("layer", told.layer)?,
            age: since(told.opened_position)?,
            asked,
        })
    }

    fn offer(&self, told: &v1::Offer) -> Result<Offer, Unknown> {
        let give = told.give.iter().map(|it| self.item(it)).collect::<Result<_, _>>()?;
        let take = told.take.iter().map(|it| self.item(it)).collect::<Result<_, _>>()?;
        Ok(Offer { by: self.seat(told.by)?, to: self.seat(told.to)?, give, take })
    }

    fn item(&self, told: &v1::OfferItem) -> Result<OfferItem, Unknown> {
        let to = self.place(&told.to)?;
        if !told.piece.is_empty() {
            return Ok(OfferItem::Piece { piece: self.piece(&told.piece)?, to });
        }
        let (coin, from) = (self.coin(&told.coin)?, self.place(&told.from)?);
        Ok(OfferItem::Coins { coin, from, to, amount: told.amount })
    }
}

fn row<I: Copy>(what: &'static str, rows: &[Term<I>], name: &str) -> Result<I, Unknown> {
    let found = rows.iter().find(|it| it.name == name);
    found.map(|it| it.id).ok_or_else(|| unknown(what, name))
}

fn small<W: Copy + ToString, N: TryFrom<W>>(what: &'static str, wide: W) -> Result<N, Unknown> {
    N::try_from(wide).map_err(|_| unknown(what, wide))
}

fn unknown(what: &'static str, name: impl ToString) -> Unknown {
    Unknown { what, name: name.to_string() }
}
