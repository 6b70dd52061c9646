//! A layout as a message of the contract of a game, and back.
//!
//! The message comes from a stranger's module, so reading it checks everything that the functions
//! of a layout rely on.

use std::collections::BTreeSet;

use crate::{
    Argument, Arrangement, CASES_MAX, Display, Facet, FacetValue, Layout, Look, MarkKind,
    MarkValue, Origin, PIECES_MAX, Piece, PieceRow, PlaceRow, PurseRow, Role, SEATS_MAX, Seat,
    Sight, Small, contract as pb,
    ids::Id,
    layout::{Family, Parts, Term},
};

/// Why a message is no layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLayout {
    #[error("the {what} {name:?} has no valid name")]
    Name { what: &'static str, name: String },
    #[error("the name {name:?} is given to two {what}s")]
    NamedTwice { what: &'static str, name: String },
    #[error("the number {number} of a {what} is out of order")]
    Number { what: &'static str, number: u32 },
    #[error("there is no {what} {number}")]
    Unknown { what: &'static str, number: u32 },
    #[error("the {0} is missing")]
    Missing(&'static str),
    #[error("the value of an announcement counts for a score as 1, 0 or -1, not {0}")]
    Score(i32),
    #[error("there are {count} {what}s, and {most} at most")]
    TooMany { what: &'static str, count: usize, most: usize },
}

/// Rows of a family at most: numbers have 16 bits, and arguments ten of them.
const ROWS_MAX: usize = 4_096;

// === To a message ===

impl Layout {
    /// The layout as a message of the contract.
    pub fn describe(&self) -> pb::Layout {
        let places = self.places().iter().map(|row| pb::Place {
            number: row.id.number().into(),
            name: row.name.clone(),
            arguments: arguments(&row.arguments),
            seat: row.seat.map(number),
            sight: match row.sight {
                Sight::All => pb::Sight::All,
                Sight::Only(_) => pb::Sight::Only,
                Sight::Nobody => pb::Sight::Nobody,
                Sight::Screened(_) => pb::Sight::Screened,
            }
            .into(),
            sight_seat: match row.sight {
                Sight::Only(seat) | Sight::Screened(seat) => number(seat),
                Sight::All | Sight::Nobody => 0,
            },
            role: role(row.display.role).into(),
            arrangement: arrangement(row.display.arrangement).into(),
            order: row.display.order.into(),
        });
        let pieces = self.pieces().iter().map(|row| pb::Piece {
            name: row.name.clone(),
            words: row.words.clone(),
            start: row.start.number().into(),
            back: row.back.number().into(),
            layer: row.layer.into(),
            origin: origin(row.origin).into(),
            title_origin: origin(row.title_origin).into(),
            text_origin: origin(row.text_origin).into(),
            facets: row.facets.iter().map(facet).collect(),
        });
        let purses = self.purses().iter().map(|row| pb::Purse {
            place: row.place.number().into(),
            coin: row.coin.number().into(),
            is_bank: row.is_bank,
        });
        let marks = self.marks().iter().map(|it| {
            let (kind, values) = self.mark_meaning(it.id);
            let value = |value: &MarkValue| pb::MarkValue {
                name: value.name.clone(),
                argument: Some(argument(&value.argument)),
            };
            pb::Mark {
                term: Some(term(it, false)),
                kind: mark_kind(kind).into(),
                values: values.unwrap_or_default().iter().map(value).collect(),
                is_named: values.is_some(),
            }
        });
        let announcements = self.announcements().iter().map(|it| pb::Term {
            score: self.score_points(it.id, 1),
            ..term(it, self.discloses_with(it.id))
        });
        let look = |(value, look): &(&'static str, Look)| pb::Look {
            value: (*value).to_owned(),
            color: look.color.to_owned(),
            symbol: look.symbol.to_owned(),
        };
        pb::Layout {
            places: places.collect(),
            pieces: pieces.collect(),
            purses: purses.collect(),
            coins: self.coins().iter().map(|it| term(it, self.discloses_in(it.id))).collect(),
            marks: marks.collect(),
            decisions: self.decisions().iter().map(|it| term(it, false)).collect(),
            announcements: announcements.collect(),
            backs: self.backs().iter().map(|it| term(it, false)).collect(),
            verbs: self.own_verbs().iter().map(|it| (*it).to_owned()).collect(),
            phases: self.phases().iter().map(|it| (*it).to_owned()).collect(),
            palette: self.palette().iter().map(look).collect(),
        }
    }
}

fn number(seat: Seat) -> u32 {
    u8::from(seat).into()
}

fn arguments(arguments: &[Argument]) -> Vec<pb::Argument> {
    arguments.iter().map(argument).collect()
}

fn argument(argument: &Argument) -> pb::Argument {
    use pb::argument::Kind;
    pb::Argument {
        kind: Some(match argument {
            Argument::Seat(seat) => Kind::Seat(number(*seat)),
            Argument::Piece(piece) => Kind::Piece(piece.0.into()),
            Argument::Value(value) => Kind::Value(value.clone()),
            Argument::Number(number) => Kind::Number((*number).into()),
        }),
    }
}

fn term<K: Copy>(term: &Term<Id<K>>, discloses: bool) -> pb::Term {
    pb::Term {
        number: term.id.number().into(),
        name: term.name.clone(),
        arguments: arguments(&term.arguments),
        discloses,
        score: 0,
    }
}

fn facet(facet: &Facet) -> pb::Facet {
    let (number, values) = match &facet.value {
        FacetValue::Number(number) => (Some(*number), Vec::new()),
        FacetValue::Values(values) => (None, values.clone()),
    };
    pb::Facet {
        name: facet.name.to_owned(),
        number,
        values,
        origin: facet.origin.map_or(pb::Origin::Unspecified, origin).into(),
    }
}

/// Two enums with the same cases, in both directions.
macro_rules! alike {
    ($($to:ident, $from:ident: $Own:ident { $($Case:ident),* };)*) => {$(
        fn $to(own: $Own) -> pb::$Own {
            match own {
                $($Own::$Case => pb::$Own::$Case),*
            }
        }

        fn $from(number: i32) -> Option<$Own> {
            match pb::$Own::try_from(number).ok()? {
                pb::$Own::Unspecified => None,
                $(pb::$Own::$Case => Some($Own::$Case)),*
            }
        }
    )*};
}

alike! {
    role, role_of: Role { Hand, Deck, Discard, Row, Board, Area, Purse, Bank, Box };
    arrangement, arrangement_of: Arrangement { Pile, Fan, Row, Grid };
    origin, origin_of: Origin { Printed, PublicFact, Design };
    mark_kind, mark_kind_of: MarkKind { Flag, Counter, Track, Reference, Hidden };
}

// === From a message ===

/// Keeps a name for as long as the program runs.
type Intern<'a> = &'a dyn Fn(&str) -> &'static str;

impl Layout {
    /// The layout behind a message. Its names live as long as the program: `intern` keeps them.
    pub fn described(message: pb::Layout, intern: Intern) -> Result<Layout, BadLayout> {
        let pieces = message.pieces.len();
        at_most("piece", pieces, PIECES_MAX)?;
        let places = family("place", message.places.len(), |nth| message.places[nth].number)?;
        let coins = terms("coin", &message.coins, pieces)?;
        let backs = terms("back", &message.backs, pieces)?;
        let announcements = terms("announcement", &message.announcements, pieces)?;
        let mark_terms = message.marks.iter().map(|it| it.term.clone().unwrap_or_default());
        let marks = terms("mark", &mark_terms.collect::<Vec<_>>(), pieces)?;
        let values = message.marks.iter().map(|mark| {
            let kind = mark_kind_of(mark.kind).ok_or(BadLayout::Missing("kind of a mark"))?;
            let value = |it: &pb::MarkValue| {
                let argument = it.argument.clone().ok_or(BadLayout::Missing("value of a mark"))?;
                named("value", &it.name)?;
                Ok(MarkValue { name: it.name.clone(), argument: argument_of(argument, pieces)? })
            };
            let values = mark.values.iter().map(value).collect::<Result<Vec<_>, _>>()?;
            Ok((kind, (mark.is_named || !values.is_empty()).then_some(values)))
        });
        let values = values.collect::<Result<Vec<_>, BadLayout>>()?;
        let rows = message.places.iter().map(|it| place_of(it, pieces));
        let places = Family::of_rows(places, rows.collect::<Result<Vec<_>, _>>()?);
        unique("place", places.rows().iter().map(|row| &row.name[..]))?;
        let rows = message.pieces.iter().enumerate();
        let rows = rows.map(|(nth, it)| {
            let start = places.id(it.start);
            let back = backs.id(it.back);
            let unknown = |what, number| BadLayout::Unknown { what, number };
            named("piece", &it.name)?;
            named("piece", &it.words)?;
            Ok(PieceRow {
                piece: Piece(nth as u8),
                name: it.name.clone(),
                words: it.words.clone(),
                start: start.ok_or(unknown("place", it.start))?,
                back: back.ok_or(unknown("back", it.back))?,
                layer: narrow("layer", it.layer)?,
                origin: origin_of(it.origin).ok_or(BadLayout::Missing("origin of a piece"))?,
                title_origin: origin_of(it.title_origin).unwrap_or(Origin::Design),
                text_origin: origin_of(it.text_origin).unwrap_or(Origin::Design),
                facets: it
                    .facets
                    .iter()
                    .map(|it| facet_of(it, intern))
                    .collect::<Result<_, _>>()?,
            })
        });
        let rows = rows.collect::<Result<Vec<_>, BadLayout>>()?;
        unique("piece", rows.iter().map(|row| &row.name[..]))?;
        let mut known = BTreeSet::new();
        let purses = message.purses.iter().map(|it| {
            let unknown = |what, number| BadLayout::Unknown { what, number };
            let place = places.id(it.place).ok_or(unknown("place", it.place))?;
            let coin = coins.id(it.coin).ok_or(unknown("coin", it.coin))?;
            if !known.insert((it.place, it.coin)) {
                return Err(BadLayout::Number { what: "purse", number: it.place });
            }
            Ok(PurseRow { place, coin, is_bank: it.is_bank })
        });
        let purses = purses.collect::<Result<Vec<_>, BadLayout>>()?;
        unique("verb", message.verbs.iter().map(|it| &it[..]).chain(crate::COMMON_VERBS))?;
        let verbs = message.verbs.iter().map(|it| named("verb", it).map(|()| intern(it)));
        let phases = message.phases.iter().map(|it| named("phase", it).map(|()| intern(it)));
        let phases = phases.collect::<Result<Vec<_>, _>>()?;
        let palette = message.palette.iter().map(|it| {
            named("value", &it.value)?;
            Ok((intern(&it.value), Look::of(intern(&it.color), intern(&it.symbol))))
        });
        let palette = palette.collect::<Result<Vec<_>, BadLayout>>()?;
        let scoring = message.announcements.iter().map(|it| match it.score {
            score @ -1..=1 => Ok(score),
            score => Err(BadLayout::Score(score)),
        });
        let discloses = |terms: &[pb::Term]| terms.iter().map(|it| it.discloses).collect();
        Ok(Layout::of_parts(Parts {
            disclosing_coins: discloses(&message.coins),
            disclosing_announcements: discloses(&message.announcements),
            scoring: scoring.collect::<Result<_, _>>()?,
            decisions: terms("decision", &message.decisions, pieces)?,
            verbs: verbs.collect::<Result<Vec<_>, _>>()?,
            // Once for each version of a game that is installed.
            phases: Vec::leak(phases),
            palette: Vec::leak(palette),
            places,
            pieces: rows,
            purses,
            coins,
            marks,
            values,
            announcements,
            backs,
        }))
    }
}

fn at_most(what: &'static str, count: usize, most: usize) -> Result<(), BadLayout> {
    if count <= most { Ok(()) } else { Err(BadLayout::TooMany { what, count, most }) }
}

fn narrow(what: &'static str, wide: u32) -> Result<u8, BadLayout> {
    u8::try_from(wide).map_err(|_| BadLayout::Number { what, number: wide })
}

/// Names are parts of paths and of keys in the words: lower-case letters, digits, `-`, `_`, `/`.
fn named(what: &'static str, name: &str) -> Result<(), BadLayout> {
    let is_name = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "-_/".contains(it);
    match (1..=pb::NAME_CHARS_MAX).contains(&name.len()) && name.chars().all(is_name) {
        true => Ok(()),
        false => Err(BadLayout::Name { what, name: name.chars().take(40).collect() }),
    }
}

fn unique<'a>(what: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), BadLayout> {
    let mut known = BTreeSet::new();
    for name in names {
        named(what, name)?;
        if !known.insert(name) {
            return Err(BadLayout::NamedTwice { what, name: name.to_owned() });
        }
    }
    Ok(())
}

/// By case: its first row, and one more for the end. Numbers must count arguments within a case,
/// and cases, without gaps.
fn family(
    what: &'static str,
    rows: usize,
    number: impl Fn(usize) -> u32,
) -> Result<Vec<u16>, BadLayout> {
    at_most(what, rows, ROWS_MAX)?;
    let mut first = Vec::<u16>::new();
    for row in 0..rows {
        let number = number(row);
        let (case, nth) = ((number & 63) as usize, (number >> 6) as usize);
        if nth == 0 && case == first.len() && case < CASES_MAX {
            first.push(row as u16);
        }
        let expected = first.last().map(|&it| (first.len() - 1, row - usize::from(it)));
        if expected != Some((case, nth)) || number > u16::MAX.into() {
            return Err(BadLayout::Number { what, number });
        }
    }
    first.push(rows as u16);
    Ok(first)
}

fn terms<K>(what: &'static str, terms: &[pb::Term], pieces: usize) -> Result<Family<K>, BadLayout> {
    let first = family(what, terms.len(), |nth| terms[nth].number)?;
    unique(what, terms.iter().map(|it| &it.name[..]))?;
    let rows = terms.iter().map(|it| {
        let arguments = it.arguments.iter().cloned().map(|it| argument_of(it, pieces));
        let id = Id::numbered(it.number as u16);
        Ok(Term { id, name: it.name.clone(), arguments: arguments.collect::<Result<_, _>>()? })
    });
    Ok(Family::of_rows(first, rows.collect::<Result<_, BadLayout>>()?))
}

fn seat_of(number: u32) -> Result<Seat, BadLayout> {
    const { assert!(SEATS_MAX <= 8) };
    Seat::nth(number as usize).ok_or(BadLayout::Unknown { what: "seat", number })
}

fn argument_of(argument: pb::Argument, pieces: usize) -> Result<Argument, BadLayout> {
    use pb::argument::Kind;
    Ok(match argument.kind.ok_or(BadLayout::Missing("kind of an argument"))? {
        Kind::Seat(seat) => Argument::Seat(seat_of(seat)?),
        Kind::Piece(number) => {
            let piece = Some(number as usize).filter(|&it| it < pieces).and_then(Piece::nth);
            Argument::Piece(piece.ok_or(BadLayout::Unknown { what: "piece", number })?)
        }
        Kind::Value(value) => named("value", &value).map(|()| Argument::Value(value))?,
        Kind::Number(number) => Argument::Number(narrow("argument", number)?),
    })
}

fn place_of(it: &pb::Place, pieces: usize) -> Result<PlaceRow, BadLayout> {
    let sight = match it.sight() {
        pb::Sight::Unspecified => return Err(BadLayout::Missing("sight of a place")),
        pb::Sight::All => Sight::All,
        pb::Sight::Only => Sight::Only(seat_of(it.sight_seat)?),
        pb::Sight::Nobody => Sight::Nobody,
        pb::Sight::Screened => Sight::Screened(seat_of(it.sight_seat)?),
    };
    let arguments = it.arguments.iter().cloned().map(|it| argument_of(it, pieces));
    Ok(PlaceRow {
        id: Id::numbered(it.number as u16),
        name: it.name.clone(),
        arguments: arguments.collect::<Result<_, _>>()?,
        seat: it.seat.map(seat_of).transpose()?,
        sight,
        display: Display::of(
            role_of(it.role).ok_or(BadLayout::Missing("role of a place"))?,
            arrangement_of(it.arrangement).ok_or(BadLayout::Missing("arrangement of a place"))?,
            narrow("order", it.order)?,
        ),
    })
}

fn facet_of(it: &pb::Facet, intern: Intern) -> Result<Facet, BadLayout> {
    named("facet", &it.name)?;
    it.values.iter().try_for_each(|value| named("value", value))?;
    let values = || FacetValue::Values(it.values.clone());
    let value = it.number.map_or_else(values, FacetValue::Number);
    Ok(Facet { name: intern(&it.name), value, origin: origin_of(it.origin) })
}
