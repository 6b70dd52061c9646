//! The stored form of a table: a snapshot of a long match at a position, from which folding can
//! continue.

use bytes::Bytes;
use prost::Message;

use super::fold::{ScorePart, Table, UNSEEN};
use crate::stored::{
    Undecodable, announcement, coin, decode_contribution, decode_offer, decode_prompt,
    decode_stood, decode_vote, encode_contribution, encode_offer, encode_prompt, encode_vote,
    known, mark, narrow, number, pb, piece, place, seat,
};
use crate::{Layout, SEATS_MAX, Seats, Small, Viewer, Viewers};

/// The version of the stored form and of the fold behind it. Raise it whenever either changes: a
/// table of another version is not read.
pub const SNAPSHOT_VERSION: i32 = 5;

impl Table {
    /// The stored form of the house's table, or of a spectator's.
    pub fn encode(&self) -> Bytes {
        assert!(!matches!(self.viewer, Viewer::Seat(_)), "no seat's table is stored");
        self.encode_view()
    }

    /// The same form of any viewer's table, for a game that is a module.
    pub fn encode_view(&self) -> Bytes {
        // Every field is named, so that a new one does not compile until it is stored.
        let Table {
            layout,
            viewer,
            seats: _,
            at,
            unseen,
            shown,
            coins,
            marks,
            round,
            phase,
            turn,
            prompts,
            offers,
            scores,
            score_parts,
            resigned,
            standing,
            asides,
            votes,
            is_paused,
            contributions,
            choices,
            winners,
            attachment: _,
        } = self;
        let viewer_seat = if let Viewer::Seat(seat) = *viewer { Some(number(seat)) } else { None };
        let unseen = unseen.iter().map(|&(place, back, count)| {
            let mut pieces = layout.pieces().iter().map(|row| row.piece);
            let piece = pieces.find(|&piece| layout.back(piece) == back);
            pb::Unseen {
                place: place.number().into(),
                piece: piece.expect("each back is a piece's").0.into(),
                count: count.into(),
            }
        });
        let shown = shown.iter().map(|(piece, to)| pb::Shown {
            piece: Some(piece.0.into()),
            at: at[piece.index()].number().into(),
            to: to.0.into(),
        });
        let purses = layout.purses().iter().zip(coins).filter(|(_, coins)| **coins != 0);
        let purses = purses.map(|(purse, coins)| pb::Purse {
            place: purse.place.number().into(),
            coin: purse.coin.number().into(),
            coins: *coins,
        });
        let marks = layout.marks().iter().zip(marks).filter(|(_, value)| **value != 0);
        let marks = marks.map(|(mark, value)| pb::Marked {
            mark: mark.id.number().into(),
            value: i32::from(*value),
        });
        let table = pb::Table {
            places: at.iter().map(|place| place.number().into()).collect(),
            shown: shown.collect(),
            purses: purses.collect(),
            marks: marks.collect(),
            round: (*round).into(),
            phase: (*phase).into(),
            turn: number(*turn),
            prompts: prompts.iter().map(encode_prompt).collect(),
            offers: offers.iter().map(encode_offer).collect(),
            scores: scores.to_vec(),
            score_parts: score_parts
                .iter()
                .map(|it| pb::ScorePart {
                    seat: number(it.seat),
                    announcement: it.announcement.number().into(),
                    points: it.points,
                })
                .collect(),
            resigned: resigned.0.into(),
            standing: standing
                .iter()
                .map(|&(seat, decision)| pb::Stood {
                    seat: number(seat),
                    decision: decision.number().into(),
                    on: true,
                })
                .collect(),
            asides: asides.map(u32::from).to_vec(),
            contributions: contributions.iter().map(encode_contribution).collect(),
            choices: *choices,
            winners: winners.map(|winners| winners.0.into()),
            is_public: *viewer == Viewer::Spectator,
            viewer_seat,
            unseen: unseen.collect(),
            paused: *is_paused,
            votes: votes.iter().map(|&(seat, motion)| encode_vote(seat, motion, true)).collect(),
        };
        table.encode_to_vec().into()
    }

    /// The house's table behind the stored bytes of a snapshot. Refuses numbers that the layout
    /// does not have.
    pub fn decode(bytes: &[u8], layout: &'static Layout, seats: u8) -> Result<Table, Undecodable> {
        let stored = pb::Table::decode(bytes)?;
        // A piece that was added to the layout since would be missing.
        let is_house = !stored.is_public && stored.viewer_seat.is_none();
        if !is_house || stored.places.len() != layout.pieces().len() {
            let number = stored.places.len() as i64;
            return Err(Undecodable::OutOfRange { what: "number of pieces", number });
        }
        Table::of_stored(stored, layout, seats)
    }

    /// The table behind stored bytes that are kept for good: the house's or a spectator's, written
    /// by this release or an earlier one. Pieces added to the layout since were not in play.
    pub fn decode_kept(
        bytes: &[u8],
        layout: &'static Layout,
        seats: u8,
    ) -> Result<Table, Undecodable> {
        Table::of_stored(pb::Table::decode(bytes)?, layout, seats)
    }

    /// The table behind the bytes of [`encode_view`](Table::encode_view), of any viewer.
    pub fn decode_view(
        bytes: &[u8],
        layout: &'static Layout,
        seats: u8,
    ) -> Result<Table, Undecodable> {
        let stored = pb::Table::decode(bytes)?;
        if stored.places.len() != layout.pieces().len() {
            let number = stored.places.len() as i64;
            return Err(Undecodable::OutOfRange { what: "number of pieces", number });
        }
        Table::of_stored(stored, layout, seats)
    }

    fn of_stored(
        stored: pb::Table,
        layout: &'static Layout,
        seats: u8,
    ) -> Result<Table, Undecodable> {
        let viewer = match (stored.is_public, stored.viewer_seat) {
            (true, _) => Viewer::Spectator,
            (false, Some(number)) => Viewer::Seat(seat(number)?),
            (false, None) => Viewer::House,
        };
        let mut table = Table::new(layout, seats, viewer);
        if stored.places.len() > table.at.len() {
            let number = stored.places.len() as i64;
            return Err(Undecodable::OutOfRange { what: "number of pieces", number });
        }
        for (at, stored) in table.at.iter_mut().zip(stored.places) {
            *at = match stored {
                it if viewer != Viewer::House && it == u32::from(UNSEEN.number()) => UNSEEN,
                it => place(it, layout)?,
            };
        }
        table.unseen.clear();
        for it in stored.unseen {
            let back = layout.back(piece(Some(it.piece), layout)?);
            let count = narrow("number of pieces", it.count)?;
            table.unseen.push((place(it.place, layout)?, back, count));
        }
        table.unseen.sort_unstable();
        for it in stored.shown {
            let to = Viewers(narrow("set of viewers", it.to)?);
            table.shown.push((piece(it.piece, layout)?, to));
        }
        for it in stored.purses {
            let purse = layout.purse(place(it.place, layout)?, coin(it.coin, layout)?);
            table.coins[known("purse for this coin", it.place, purse)?] = it.coins;
        }
        for it in stored.marks {
            table.marks[layout.marks.row(mark(it.mark, layout)?)] = narrow("value", it.value)?;
        }
        table.round = narrow("round", stored.round)?;
        table.phase = narrow("phase", stored.phase)?;
        table.turn = seat(stored.turn)?;
        let prompts = stored.prompts.into_iter().map(|prompt| decode_prompt(prompt, layout));
        table.prompts = prompts.collect::<Result<_, _>>()?;
        let offers = stored.offers.into_iter().map(|offer| decode_offer(offer, layout));
        table.offers = offers.collect::<Result<_, _>>()?;
        let count = stored.scores.len();
        table.scores = <[i32; SEATS_MAX]>::try_from(stored.scores).map_err(|_| {
            Undecodable::OutOfRange { what: "number of scores", number: count as i64 }
        })?;
        for it in stored.score_parts {
            table.score_parts.push(ScorePart {
                seat: seat(it.seat)?,
                announcement: announcement(it.announcement, layout)?,
                points: it.points,
            });
        }
        table.resigned = Seats(narrow("set of seats", stored.resigned)?);
        for it in stored.standing {
            let (seat, decision, _) = decode_stood(it, layout)?;
            table.standing.push((seat, decision));
        }
        for (asides, stored) in table.asides.iter_mut().zip(stored.asides) {
            *asides = narrow("number of asides", stored)?;
        }
        for it in stored.votes {
            let (seat, motion, _) = decode_vote(it)?;
            table.votes.push((seat, motion));
        }
        table.is_paused = stored.paused;
        let contributions = stored.contributions.into_iter().map(decode_contribution);
        table.contributions = contributions.collect::<Result<_, _>>()?;
        table.choices = stored.choices;
        let winners = stored.winners.map(|winners| narrow("set of seats", winners));
        table.winners = winners.transpose()?.map(Seats);
        Ok(table)
    }
}
