//! The table as lines of text: each place and its contents.

use std::collections::BTreeMap;

use table::{
    Argument, Arrangement, BackId, MarkId, MarkKind, Piece, PlaceSeen, Role, Seat, Table, Term,
};

use crate::clauses::{offered, score_parts, won};
use crate::entries::{alike, decides};
use crate::narrator::Voice;
use crate::people::{OTHER, SEAT};
use crate::things::arguments;
use crate::words::{Args, capitalized, people_count, sentence};
use crate::{Narrator, titles};

/// The name of a place or a mark, and its contents.
type Row = (String, String);

impl Narrator {
    /// The table as its viewer sees it, in sections of lines: round and turn, common places, the
    /// places of each seat, and open decisions. Names and contents are in two columns.
    pub fn table(&self, table: &Table) -> String {
        let voice = self.voice();
        let mut sections = vec![vec![self.time(table)]];
        let mut rows: BTreeMap<Option<Seat>, Vec<(u8, Row)>> = BTreeMap::new();
        let rows_of_scores = scores(voice, table);
        for (owner, order, row) in
            places(voice, table).chain(marks(voice, table)).chain(rows_of_scores)
        {
            rows.entry(owner).or_default().push((order, row));
        }
        let names = rows.values().flatten().map(|(_, (name, _))| name.chars().count());
        let width = names.max().unwrap_or_default();
        let mut section = |owner, heading: String| {
            let mut rows = rows.remove(&owner).unwrap_or_default();
            rows.sort_by_key(|(order, _)| *order);
            let line =
                |(name, what): Row| format!("  {name:<width$}  {what}").trim_end().to_owned();
            let lines = rows.into_iter().map(|(_, row)| line(row));
            std::iter::once(heading).chain(lines).collect::<Vec<_>>()
        };
        sections.push(section(None, voice.words().say("table-common", &Args::new())));
        for seat in table.seats() {
            sections.push(section(Some(seat), self.heading(table, seat)));
        }
        sections.push(self.open(table));
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
        let is_scored = table.ended() || table.scores().iter().any(|&points| points != 0);
        let points = table.scores()[table::Small::index(seat)];
        let args = Args::new()
            .person(SEAT, self.person(seat))
            .number("number", people_count(seat))
            .number("points", points.into())
            .text("scored", if is_scored { "yes" } else { "no" })
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
    drawn.into_iter().flat_map(move |seen| {
        let owner = seen.place.arguments.iter().find_map(Argument::seat);
        let lines = contents(voice, &on_pieces, &seen);
        // Most places are empty.
        let mut name = if lines.is_empty() { String::new() } else { title(voice, &seen) };
        let row = |line| (owner, seen.place.display.order, (std::mem::take(&mut name), line));
        lines.into_iter().map(row).collect::<Vec<Placed>>()
    })
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

/// The contents of a place in one line; in a grid, a piece with something on it has a line of its
/// own.
fn contents(voice: Voice, on_pieces: &OnPieces, seen: &PlaceSeen) -> Vec<String> {
    let layout = voice.layout();
    // Used pieces are only counted.
    let is_used = seen.place.display.role == Role::Discard;
    let mut used: BTreeMap<BackId, usize> = BTreeMap::new();
    for piece in seen.pieces.iter().filter(|_: &Piece| is_used) {
        *used.entry(layout.back(piece)).or_default() += 1;
    }
    let used = used.into_iter().map(|(back, count)| voice.unseen(Some(back), count));
    let (top, below) = if is_used { (Vec::new(), 0) } else { top(layout, seen) };
    let (mut faces, mut lines) = (Vec::new(), Vec::new());
    for piece in top {
        let title = voice.words().exact_piece(layout, piece);
        match on_piece(voice, on_pieces, piece) {
            on if on.is_empty() => faces.push(title.to_owned()),
            on if seen.place.display.arrangement == Arrangement::Grid => {
                lines.push(format!("{title} ({})", on.join(", ")));
            }
            on => faces.push(format!("{title} ({})", on.join(", "))),
        }
    }
    let below = (below > 0)
        .then(|| voice.words().say("table-below", &Args::new().number("count", below as i64)));
    let unseen = seen.unseen.iter().map(|&(back, count)| voice.unseen(Some(back), count));
    let hidden = (!seen.is_counted).then(|| voice.words().say("uncounted", &Args::new()));
    let is_shown = |coin, amount| amount != 0 && !layout.is_bank(seen.place.id, coin);
    let coins = seen.purses.iter().filter(|&&(coin, amount)| is_shown(coin, amount));
    let coins = coins.map(|&(coin, amount)| voice.coins(coin, Some(amount.into())));
    let more = below.into_iter().chain(used).chain(unseen).chain(hidden).chain(coins);
    let what: Vec<String> = faces.into_iter().chain(more).collect();
    let what = (!what.is_empty()).then(|| what.join(", "));
    what.into_iter().chain(lines).collect()
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
        let what = contents(voice, on_pieces, seen);
        (!what.is_empty()).then(|| title(voice, seen) + &voice.words().colon() + &what.join(", "))
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
        (owner, u8::MAX, marked(voice, row.id, value))
    })
}

/// What the score of each seat consists of, if it has several parts.
fn scores<'a>(voice: Voice<'a>, table: &'a Table) -> impl Iterator<Item = Placed> + 'a {
    table.seats().filter_map(move |seat| {
        let parts = table.score_parts().iter().filter(|it| it.seat == seat);
        let parts: Vec<_> = parts.map(|it| (it.announcement, it.points)).collect();
        let what = (parts.len() > 1).then(|| score_parts(voice, &parts))?;
        let title = capitalized(&voice.words().say("table-score", &Args::new()));
        Some((Some(seat), u8::MAX, (title, what)))
    })
}

/// A mark's title and its value; a flag has no value.
fn marked(voice: Voice, mark: table::MarkId, value: i16) -> Row {
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
