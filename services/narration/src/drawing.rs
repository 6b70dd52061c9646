//! The table in words: each place and its contents, as parts for a picture or as lines of text.

use std::collections::BTreeMap;

use table::{
    Argument, Arrangement, BackId, CoinId, Display, MarkId, MarkKind, Piece, PlaceSeen, Role, Seat,
    Table, Term,
};

use crate::clauses::{offered, score_parts, won};
use crate::entries::{alike, decides};
use crate::narrator::Voice;
use crate::people::{OTHER, SEAT};
use crate::things::arguments;
use crate::words::{Args, capitalized, people_count, sentence};
use crate::{Narrator, titles};

/// A table in words, as its viewer sees it: what a drawing of it says.
pub struct Sketch {
    /// `Round 3, Production phase, Ada's turn`; may be empty.
    pub time: String,
    /// The common places, then those of each seat.
    pub sections: Vec<Section>,
    /// Open offers, prompts and the result, as sentences.
    pub open: Vec<String>,
}

/// The common part of a table, or that of a seat.
pub struct Section {
    pub seat: Option<Seat>,
    /// `Ada, seat 0, 3 points`.
    pub heading: String,
    /// The player, as a heading; empty for the common part.
    pub name: String,
    /// Of the seat, if any seat has some or the match has ended.
    pub points: Option<i32>,
    /// In the order in which they are drawn.
    pub rows: Vec<Row>,
}

/// A place that holds something, or a mark.
pub enum Row {
    Place(Shown),
    /// A title and a value, which is empty for a flag.
    Fact(String, String),
}

/// A place that holds something, as its viewer sees it.
pub struct Shown {
    pub title: String,
    pub display: Display,
    /// The pieces that are seen one by one.
    pub faces: Vec<ShownFace>,
    /// Pieces below those, in words.
    pub below: Option<String>,
    /// Pieces that are only counted, by their backs: used ones, and those that are face down.
    pub stacks: Vec<Stack>,
    /// That there may be more, where the viewer cannot count.
    pub uncounted: Option<String>,
    /// Coins, with their amounts in words.
    pub coins: Vec<(CoinId, String)>,
}

/// A piece that is seen.
pub struct ShownFace {
    pub piece: Piece,
    pub title: String,
    /// The title in short, as a heading; other pieces may have the same.
    pub name: String,
    /// What lies on it, and its marks.
    pub on: Vec<String>,
}

/// Pieces with the same back.
pub struct Stack {
    pub back: BackId,
    pub count: usize,
    /// `3 cards`.
    pub text: String,
}

impl Narrator {
    /// The table as its viewer sees it, in parts.
    pub fn sketch(&self, table: &Table) -> Sketch {
        let voice = self.voice();
        let mut rows: BTreeMap<Option<Seat>, Vec<(u8, Row)>> = BTreeMap::new();
        let of_scores = scores(voice, table);
        for (owner, order, row) in places(voice, table).chain(marks(voice, table)).chain(of_scores)
        {
            rows.entry(owner).or_default().push((order, row));
        }
        let mut section = |seat, heading: String| {
            let mut rows = rows.remove(&seat).unwrap_or_default();
            rows.sort_by_key(|(order, _)| *order);
            let name = seat.map(|it| capitalized(self.person(it).name())).unwrap_or_default();
            let points = seat.and_then(|it| points(table, it));
            Section { seat, heading, name, points, rows: rows.into_iter().map(|it| it.1).collect() }
        };
        let common = section(None, voice.words().say("table-common", &Args::new()));
        let seats = table.seats().map(|seat| section(Some(seat), self.heading(table, seat)));
        let sections = std::iter::once(common).chain(seats).collect();
        Sketch { time: self.time(table), sections, open: self.open(table) }
    }

    /// The table as its viewer sees it, in sections of lines: round and turn, common places, the
    /// places of each seat, and open decisions. Names and contents are in two columns.
    pub fn table(&self, table: &Table) -> String {
        let sketch = self.sketch(table);
        let sections = sketch.sections.into_iter().map(|it| (it.heading, lines(it.rows)));
        let sections: Vec<(String, Vec<(String, String)>)> = sections.collect();
        let names = sections.iter().flat_map(|(_, rows)| rows);
        let width = names.map(|(name, _)| name.chars().count()).max().unwrap_or_default();
        let line = |(name, what): (String, String)| {
            format!("  {name:<width$}  {what}").trim_end().to_owned()
        };
        let sections = sections.into_iter().map(|(heading, rows)| {
            std::iter::once(heading).chain(rows.into_iter().map(line)).collect::<Vec<_>>()
        });
        let mut sections: Vec<_> =
            std::iter::once(vec![sketch.time]).chain(sections).chain([sketch.open]).collect();
        sections.retain(|lines| lines.iter().any(|line| !line.is_empty()));
        let sections = sections.into_iter().map(|lines| lines.join("\n"));
        sections.collect::<Vec<_>>().join("\n\n")
    }

    /// `Round 3, Production phase, Ada's turn`.
    fn time(&self, table: &Table) -> String {
        let words = self.words;
        let round = (table.round() > 0)
            .then(|| words.say("table-round", &Args::new().number("number", table.round().into())));
        let phases = table.layout().phases();
        let phase = usize::from(table.phase()).checked_sub(1);
        let name = phase.and_then(|nth| phases.get(nth)).copied();
        let phase = name.map(|name| {
            let title = words.say(&format!("phase-{name}"), &Args::new());
            words.say("table-phase", &Args::new().text("phase", title))
        });
        let turn = (!table.ended()).then(|| {
            let args = Args::new().person(SEAT, self.person(table.turn()));
            words.say("table-turn", &args.text("phase", name.unwrap_or_default()))
        });
        let time = [round, phase, turn].into_iter().flatten().filter(|it| !it.is_empty());
        let time: Vec<String> = time.collect();
        capitalized(&time.join(", "))
    }

    /// A player, with points if any seat has some or the match has ended.
    fn heading(&self, table: &Table, seat: Seat) -> String {
        let points = points(table, seat);
        let args = Args::new()
            .person(SEAT, self.person(seat))
            .number("number", people_count(seat))
            .number("points", points.unwrap_or_default().into())
            .text("scored", if points.is_some() { "yes" } else { "no" })
            .text("resigned", if table.resigned().has(seat) { "yes" } else { "no" });
        capitalized(&self.words.say("table-seat", &args))
    }

    /// Open offers, prompts and the result.
    fn open(&self, table: &Table) -> Vec<String> {
        let voice = self.voice();
        let offers = table.offers().iter().map(|offer| {
            let by = voice.person(offer.by);
            let does = voice.words().say(offered(offer), &voice.terms(offer).person(SEAT, by));
            sentence(&format!("{} {does}", by.name()))
        });
        let prompts = alike(table.prompts());
        let prompts = prompts.into_iter().map(|(prompt, seats)| decides(voice, seats, prompt));
        let end = table.winners().map(|winners| sentence(&won(voice, winners)));
        offers.chain(prompts).chain(end).collect()
    }
}

/// The points of a seat, if any seat has some or the match has ended.
fn points(table: &Table, seat: Seat) -> Option<i32> {
    let is_scored = table.ended() || table.scores().iter().any(|&points| points != 0);
    is_scored.then(|| table.scores()[table::Small::index(seat)])
}

type Placed = (Option<Seat>, u8, Row);

/// The places that hold something, in the order of the layout, with their owners. A place of a
/// piece is drawn with the piece.
fn places<'a>(voice: Voice<'a>, table: &'a Table) -> impl Iterator<Item = Placed> + 'a {
    let (mut on_pieces, mut drawn) = (OnPieces::default(), Vec::new());
    for seen in table.places().filter(|seen| seen.place.display.role != Role::Box) {
        match seen.place.piece() {
            Some(piece) => on_pieces.places.entry(piece).or_default().push(seen),
            None => drawn.push(seen),
        }
    }
    for (row, value) in followed(table) {
        if let Some(piece) = row.arguments.iter().find_map(Argument::piece) {
            on_pieces.marks.entry(piece).or_default().push((row, value));
        }
    }
    drawn.into_iter().filter_map(move |seen| {
        let owner = seen.place.arguments.iter().find_map(Argument::seat);
        let shown = shown(voice, &on_pieces, &seen)?;
        Some((owner, seen.place.display.order, Row::Place(shown)))
    })
}

/// Names and contents. In a grid, a piece with something on it has a line of its own, and only the
/// first line of a place has its name.
fn lines(rows: Vec<Row>) -> Vec<(String, String)> {
    let lines = rows.into_iter().flat_map(|row| match row {
        Row::Fact(title, value) => vec![(title, value)],
        Row::Place(shown) => {
            let mut title = shown.title.clone();
            shown.lines().into_iter().map(|line| (std::mem::take(&mut title), line)).collect()
        }
    });
    lines.collect()
}

/// The places and marks that belong to pieces.
#[derive(Default)]
struct OnPieces<'a> {
    places: BTreeMap<Piece, Vec<PlaceSeen<'a>>>,
    marks: BTreeMap<Piece, Vec<(&'static Term<MarkId>, i16)>>,
}

/// The title of a place without its owner; a place of two seats names the second one.
fn title(voice: Voice, seen: &PlaceSeen) -> String {
    let mut args = arguments(voice.words(), voice.layout(), &seen.place.arguments);
    let other = seen.place.arguments.iter().filter_map(Argument::seat).nth(1);
    let key = format!("place-{}", seen.place.case());
    let title = other.and_then(|other| {
        args = std::mem::take(&mut args).person(OTHER, voice.person(other));
        voice.words().attribute(&key, "with-other", &args)
    });
    capitalized(&title.unwrap_or_else(|| voice.words().say(&key, &args)))
}

/// A place with its contents; `None` if it holds nothing.
fn shown(voice: Voice, on_pieces: &OnPieces, seen: &PlaceSeen) -> Option<Shown> {
    let layout = voice.layout();
    let stack = |(back, count)| Stack { back, count, text: voice.unseen(Some(back), count) };
    // Used pieces are only counted.
    let is_used = seen.place.display.role == Role::Discard;
    let mut used: BTreeMap<BackId, usize> = BTreeMap::new();
    for piece in seen.pieces.iter().filter(|_: &Piece| is_used) {
        *used.entry(layout.back(piece)).or_default() += 1;
    }
    let (top, below) = if is_used { (Vec::new(), 0) } else { top(layout, seen) };
    let face = |piece| ShownFace {
        piece,
        title: voice.words().exact_piece(layout, piece).to_owned(),
        name: capitalized(voice.words().brief_piece(layout, piece)),
        on: on_piece(voice, on_pieces, piece),
    };
    let below = (below > 0)
        .then(|| voice.words().say("table-below", &Args::new().number("count", below as i64)));
    let is_shown = |coin, amount| amount != 0 && !layout.is_bank(seen.place.id, coin);
    let coins = seen.purses.iter().filter(|&&(coin, amount)| is_shown(coin, amount));
    let mut shown = Shown {
        title: String::new(),
        display: seen.place.display,
        faces: top.into_iter().map(face).collect(),
        below,
        stacks: used.into_iter().chain(seen.unseen.iter().copied()).map(stack).collect(),
        uncounted: (!seen.is_counted).then(|| voice.words().say("uncounted", &Args::new())),
        coins: coins
            .map(|&(coin, amount)| (coin, voice.coins(coin, Some(amount.into()))))
            .collect(),
    };
    if shown.is_empty() {
        return None;
    }
    // Most places are empty, and need no title.
    shown.title = title(voice, seen);
    Some(shown)
}

impl Shown {
    fn is_empty(&self) -> bool {
        let Shown { title: _, display: _, faces, below, stacks, uncounted, coins } = self;
        faces.is_empty()
            && stacks.is_empty()
            && coins.is_empty()
            && below.is_none()
            && uncounted.is_none()
    }

    /// The contents in one line; in a grid, a piece with something on it has a line of its own.
    fn lines(self) -> Vec<String> {
        let is_grid = self.display.arrangement == Arrangement::Grid;
        let (mut what, mut lines) = (Vec::new(), Vec::new());
        for ShownFace { piece: _, title, name: _, on } in self.faces {
            match on {
                on if on.is_empty() => what.push(title),
                on if is_grid => lines.push(format!("{title} ({})", on.join(", "))),
                on => what.push(format!("{title} ({})", on.join(", "))),
            }
        }
        what.extend(self.below);
        what.extend(self.stacks.into_iter().map(|it| it.text));
        what.extend(self.uncounted);
        what.extend(self.coins.into_iter().map(|(_, text)| text));
        let what = (!what.is_empty()).then(|| what.join(", "));
        what.into_iter().chain(lines).collect()
    }
}

/// The pieces that lie on top, and how many are below. Only piles with layers have an order.
fn top(layout: &table::Layout, seen: &PlaceSeen) -> (Vec<Piece>, usize) {
    let pieces: Vec<Piece> = seen.pieces.iter().collect();
    let layer = |piece: &Piece| layout.pieces()[table::Small::index(*piece)].layer;
    let first = pieces.iter().map(layer).min();
    let is_pile = seen.place.display.arrangement == Arrangement::Pile;
    let (top, below): (Vec<_>, Vec<_>) =
        pieces.into_iter().partition(|it| !is_pile || Some(layer(it)) == first);
    (top, below.len())
}

/// The contents of a piece's places, and its marks.
fn on_piece(voice: Voice, on_pieces: &OnPieces, piece: Piece) -> Vec<String> {
    let places = on_pieces.places.get(&piece).into_iter().flatten().filter_map(|seen| {
        let shown = shown(voice, on_pieces, seen)?;
        let title = shown.title.clone();
        Some(title + &voice.words().colon() + &shown.lines().join(", "))
    });
    let marks = on_pieces.marks.get(&piece).into_iter().flatten();
    let marks = marks.map(|&(row, value)| match marked(voice, row.id, value) {
        (title, value) if value.is_empty() => title,
        (title, value) => format!("{title} {value}"),
    });
    places.chain(marks).collect()
}

/// The marks that people should see, with their values.
fn followed(table: &Table) -> impl Iterator<Item = (&'static Term<MarkId>, i16)> {
    let layout = table.layout();
    let is_followed = |mark| layout.mark_kind(mark) != MarkKind::Hidden;
    let marks = table.marks().filter(move |(mark, value)| *value != 0 && is_followed(*mark));
    marks.map(|(mark, value)| (layout.mark_term(mark), value))
}

/// The marks that belong to no piece.
fn marks<'a>(voice: Voice<'a>, table: &'a Table) -> impl Iterator<Item = Placed> + 'a {
    let shown =
        followed(table).filter(|(row, _)| row.arguments.iter().all(|it| it.piece().is_none()));
    shown.map(move |(row, value)| {
        let owner = row.arguments.iter().find_map(Argument::seat);
        let (title, value) = marked(voice, row.id, value);
        (owner, u8::MAX, Row::Fact(title, value))
    })
}

/// What the score of each seat consists of, if it has several parts.
fn scores<'a>(voice: Voice<'a>, table: &'a Table) -> impl Iterator<Item = Placed> + 'a {
    table.seats().filter_map(move |seat| {
        let parts = table.score_parts().iter().filter(|it| it.seat == seat);
        let parts: Vec<_> = parts.map(|it| (it.announcement, it.points)).collect();
        let what = (parts.len() > 1).then(|| score_parts(voice, &parts))?;
        let title = capitalized(&voice.words().say("table-score", &Args::new()));
        Some((Some(seat), u8::MAX, Row::Fact(title, what)))
    })
}

/// A mark's title and its value; a flag has no value.
fn marked(voice: Voice, mark: MarkId, value: i16) -> (String, String) {
    let layout = voice.layout();
    let row = layout.mark_term(mark);
    let args = arguments(voice.words(), layout, &row.arguments);
    let title = capitalized(&voice.words().say(&format!("mark-{}", row.case()), &args));
    let value = match (layout.mark_kind(mark), layout.mark_value(mark, value)) {
        (MarkKind::Flag, _) => String::new(),
        (_, Some(named)) => match &named.argument {
            Argument::Seat(seat) => voice.person(*seat).name().to_owned(),
            other => titles::argument(voice.words(), layout, other),
        },
        (_, None) => value.to_string(),
    };
    (title, value)
}
