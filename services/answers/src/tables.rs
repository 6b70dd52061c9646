//! Tables, prompts and offers as messages of the contract, with names in place of numbers. Their
//! types, such as `View`, are redacted already, so nothing here decides what a viewer sees.

#![deny(clippy::wildcard_enum_match_arm)]

use clocks::Clocks;
use contract::v1;
use games::Game;
use positions::{Digest, Position};
use rows::MatchId;
use table::{
    Arrangement, BackId, DecisionId, Layout, Offer, OfferItem, Piece, PlaceSeen, Prompt, ScorePart,
    Seat, Sight, Small, Table, Viewer, top_layer,
};

use crate::values::{match_name, number, timestamp, viewer_name, wire_digest, wire_position};

/// A table as its viewer sees it, and where it is in the record.
pub struct Seen<'a> {
    pub match_id: MatchId,
    pub game: &'static dyn Game,
    pub viewer: Viewer,
    pub position: Position,
    /// The digest of the entry there, if it has one.
    pub digest: Option<Digest>,
    pub table: &'a Table,
    /// Only of the latest table of a match with clocks.
    pub clocks: Option<&'a Clocks>,
}

/// The table without texts.
pub fn table_of(view: &Seen) -> v1::Table {
    let (table, layout) = (view.table, view.table.layout());
    let places = table.places().map(|seen| v1::PlaceContents {
        place: seen.place.name.clone(),
        pieces: seen.pieces.iter().map(|piece| layout.piece_name(piece).to_owned()).collect(),
        unseen: seen.unseen.iter().map(|&(back, count)| unseen(layout, back, count)).collect(),
        purses: seen
            .purses
            .iter()
            .filter(|(_, amount)| *amount != 0)
            .map(|&(coin, amount)| v1::Purse {
                coin: layout.coin_name(coin).to_owned(),
                amount,
                ..v1::Purse::default()
            })
            .collect(),
        count_hidden: !seen.is_counted,
        top: top_of(layout, &seen).map(|it| layout.piece_name(it).to_owned()).unwrap_or_default(),
    });
    let is_empty = |place: &v1::PlaceContents| {
        place.pieces.is_empty() && place.unseen.is_empty() && place.purses.is_empty()
    };
    // A place whose pieces the viewer cannot count is always listed, so that its absence discloses
    // nothing.
    let is_drawn = |place: &v1::PlaceContents| place.count_hidden || !is_empty(place);
    let marks = table.marks().filter(|(_, value)| *value != 0);
    v1::Table {
        r#match: match_name(view.match_id),
        viewer: viewer_name(view.viewer),
        position: wire_position(view.position),
        digest: wire_digest(view.digest),
        places: places.filter(is_drawn).collect(),
        marks: marks
            .map(|(mark, value)| v1::Marked {
                mark: layout.mark_name(mark).to_owned(),
                value: value.into(),
            })
            .collect(),
        round: table.round().into(),
        phase: table.phase().into(),
        turn: number(table.turn()),
        prompts: timed_prompts_of(view),
        offers: table.offers().iter().map(|offer| offer_of(layout, offer)).collect(),
        scores: table.scores().to_vec(),
        score_parts: table.score_parts().iter().map(|part| score_part_of(layout, part)).collect(),
        resigned: table.resigned().iter().map(number).collect(),
        ended: table.winners().map(|it| v1::Ended { winners: it.iter().map(number).collect() }),
        standing: table.standing().iter().map(|&it| standing_of_seat(layout, it)).collect(),
        ..v1::Table::default()
    }
}

/// The prompts of a table, with their deadlines.
fn timed_prompts_of(view: &Seen) -> Vec<v1::Prompt> {
    let (table, layout) = (view.table, view.table.layout());
    let mut prompts = prompts_of(layout, table.prompts(), view.position);
    let Some(clocks) = view.clocks else { return prompts };
    let top = top_layer(table.prompts());
    for (prompt, told) in table.prompts().iter().zip(&mut prompts) {
        if prompt.must && prompt.layer == top {
            let clock = clocks.seats().get(prompt.seat.index());
            told.opened_time = clock.and_then(|it| it.running_since).map(timestamp);
            told.deadline = clocks.deadline(prompt.seat).map(timestamp);
        }
    }
    prompts
}

/// The top piece of a pile that everyone sees, if layers determine it.
fn top_of(layout: &Layout, seen: &PlaceSeen) -> Option<Piece> {
    let is_pile =
        seen.place.display.arrangement == Arrangement::Pile && seen.place.sight == Sight::All;
    let layer = |piece: &Piece| layout.pieces()[piece.index()].layer;
    let first = seen.pieces.iter().filter(|_| is_pile).min_by_key(layer)?;
    let is_alone = seen.pieces.iter().filter(|it| layer(it) == layer(&first)).count() == 1;
    is_alone.then_some(first)
}

fn score_part_of(layout: &Layout, part: &ScorePart) -> v1::ScorePart {
    v1::ScorePart {
        seat: number(part.seat),
        part: layout.announcement_name(part.announcement).to_owned(),
        points: part.points,
        title: String::new(),
    }
}

fn standing_of_seat(layout: &Layout, (seat, decision): (Seat, DecisionId)) -> v1::StandingAnswer {
    let decision = layout.decision_name(decision).to_owned();
    v1::StandingAnswer { seat: number(seat), decision }
}

fn unseen(layout: &Layout, back: BackId, count: usize) -> v1::Unseen {
    let count = count.try_into().expect("a table has fewer than 2^32 pieces");
    v1::Unseen { back: layout.back_name(back).to_owned(), count }
}

/// The position this many entries earlier.
fn before(position: Position, entries: u32) -> Position {
    Position(position.0 - i64::from(entries))
}

/// The prompts after the entry at `position`.
pub(crate) fn prompts_of(
    layout: &Layout,
    prompts: &[Prompt],
    position: Position,
) -> Vec<v1::Prompt> {
    let prompt_of = |prompt: &Prompt| v1::Prompt {
        seat: number(prompt.seat),
        decision: layout.decision_name(prompt.decision).to_owned(),
        optional: !prompt.must,
        layer: prompt.layer.into(),
        opened_position: wire_position(before(position, prompt.age)),
        asked_position: prompt.asked.map_or(0, |ago| wire_position(before(position, ago))),
        ..v1::Prompt::default()
    };
    prompts.iter().map(prompt_of).collect()
}

pub(crate) fn offer_of(layout: &Layout, offer: &Offer) -> v1::Offer {
    let items = |items: &[OfferItem]| items.iter().map(|item| item_of(layout, item)).collect();
    v1::Offer {
        by: number(offer.by),
        to: number(offer.to),
        give: items(&offer.give),
        take: items(&offer.take),
    }
}

fn item_of(layout: &Layout, item: &OfferItem) -> v1::OfferItem {
    match *item {
        OfferItem::Piece { piece, to } => v1::OfferItem {
            piece: layout.piece_name(piece).to_owned(),
            to: layout.place_name(to).to_owned(),
            ..v1::OfferItem::default()
        },
        OfferItem::Coins { coin, from, to, amount } => v1::OfferItem {
            piece: String::new(),
            coin: layout.coin_name(coin).to_owned(),
            amount,
            from: layout.place_name(from).to_owned(),
            to: layout.place_name(to).to_owned(),
            text: String::new(),
        },
    }
}
