//! Games and their layouts as messages of the contract, with titles in a language.

use std::collections::BTreeSet;

use contract::names::game_name;
use contract::v1;
use games::{Game, Named};
use narration::{Language, Narrator, Titles};
use table::{
    Argument, Arrangement, Facet, FacetValue, Layout, MarkId, MarkKind, Origin, PieceRow, PlaceRow,
    RefusalSpec, Role, Sight, Small, Term, Values,
};

use crate::values::number;

/// A game without its layout, as in lists.
pub fn game_of((game, module): Named, language: Language) -> v1::Game {
    let titles = Titles::of(game, language);
    let languages = Language::of_game(game).into_iter();
    let options = game.options().into_iter().map(|option| {
        let (title, description) = titles.option(option.name);
        let value_title = |&value: &&str| titles.option_value(option.name, value);
        v1::GameOption {
            name: option.name.to_owned(),
            description,
            values: option.values.iter().map(|&value| value.to_owned()).collect(),
            default_value: option.default.to_owned(),
            title,
            value_titles: option.values.iter().map(value_title).collect(),
        }
    });
    let (duration, difficulty) = titles.effort();
    v1::Game {
        name: game_name(game.name()),
        title: titles.game(),
        description: titles.description(),
        seats_min: (*game.seats().start()).into(),
        seats_max: (*game.seats().end()).into(),
        options: options.collect(),
        rules_version: game.rules_version(),
        languages: languages.map(|it| it.tag().to_owned()).collect(),
        module: module.unwrap_or_default(),
        levels: bots::of_game(game).iter().map(|it| it.name.to_owned()).collect(),
        duration,
        difficulty,
        cover: cover_of(game.layout(), &titles),
        ..v1::Game::default()
    }
}

/// The pieces for a picture of a game, with what they name; `None` if the game names none.
fn cover_of(layout: &Layout, titles: &Titles) -> Option<v1::Layout> {
    let pieces = titles.cover();
    let rows: Vec<&PieceRow> = pieces.iter().map(|it| &layout.pieces()[it.index()]).collect();
    let facets = || rows.iter().flat_map(|row| &row.facets);
    let names: BTreeSet<&str> = facets().map(|it| it.name).collect();
    let ofs = facets().flat_map(|it| match &it.value {
        FacetValue::Number(_) => &[][..],
        FacetValue::Values(values) => values,
    });
    // A facet may have the name of a value, such as spots for Energy.
    let values: BTreeSet<&str> = ofs.map(String::as_str).chain(names.iter().copied()).collect();
    let values = layout.value_names().into_iter().filter(|it| values.contains(it));
    let backs: BTreeSet<_> = rows.iter().map(|row| layout.back_name(row.back)).collect();
    let backs = layout.backs().iter().filter(|it| backs.contains(it.name.as_str()));
    (!rows.is_empty()).then(|| v1::Layout {
        pieces: rows.iter().map(|row| piece_of(layout, titles, row)).collect(),
        values: values.map(|name| value_of(layout, titles, name)).collect(),
        facets: names.iter().map(|name| facet_of(titles, name)).collect(),
        backs: backs.map(|row| term_of(&row.name, titles.back(row))).collect(),
        ..v1::Layout::default()
    })
}

fn term_of(name: &str, (title, description): (String, String)) -> v1::Term {
    v1::Term { name: name.to_owned(), description, title }
}

fn facet_of(titles: &Titles, name: &str) -> v1::Term {
    term_of(name, (titles.facet(name), String::new()))
}

fn value_of(layout: &Layout, titles: &Titles, name: &str) -> v1::Value {
    let look = layout.look(name);
    v1::Value {
        name: name.to_owned(),
        title: titles.value(name),
        color: look.map(|it| it.color.to_owned()).unwrap_or_default(),
        symbol: look.map(|it| it.symbol.to_owned()).unwrap_or_default(),
    }
}

pub fn layout_of(game: &'static dyn Game, language: Language) -> v1::Layout {
    let layout = game.layout();
    let titles = Titles::of(game, language);
    let places = layout.places_of(*game.seats().end());
    let decisions = layout.decisions().iter().map(|row| {
        let title = titles.decision(row);
        term_of(&row.name, (title.clone(), title + "."))
    });
    let announcements =
        layout.announcements().iter().map(|row| term_of(&row.name, titles.announcement(row)));
    let phases =
        layout.phases().iter().map(|name| term_of(name, (titles.phase(name), String::new())));
    let facets = layout.facet_names().into_iter();
    let values = layout.value_names().into_iter().map(|name| value_of(layout, &titles, name));
    v1::Layout {
        places: places.map(|row| place_of(layout, &titles, row)).collect(),
        pieces: layout.pieces().iter().map(|row| piece_of(layout, &titles, row)).collect(),
        coins: layout.coins().iter().map(|row| term_of(&row.name, titles.coin(row))).collect(),
        marks: layout.marks().iter().map(|row| mark_of(layout, &titles, row)).collect(),
        decisions: decisions.collect(),
        verbs: layout.verbs().iter().map(|verb| term_of(verb, titles.verb(verb))).collect(),
        announcements: announcements.collect(),
        backs: layout.backs().iter().map(|row| term_of(&row.name, titles.back(row))).collect(),
        phases: phases.collect(),
        values: values.collect(),
        facets: facets.map(|name| facet_of(&titles, name)).collect(),
    }
}

pub fn refusals_of(game: &'static dyn Game, language: Language) -> Vec<v1::Refusal> {
    let narrator = Narrator::new(game, language, &[], None);
    let refusal = |spec: RefusalSpec| {
        let names: Vec<String> = spec.facts.iter().map(|fact| format!("{{{fact}}}")).collect();
        let facts = spec.facts.iter().copied().zip(names.iter().map(String::as_str));
        v1::Refusal {
            reason: spec.reason.to_owned(),
            facts: spec.facts.iter().map(|&fact| fact.to_owned()).collect(),
            example: narrator.refusal(spec.reason, facts).unwrap_or_default(),
        }
    };
    game.refusals().into_iter().map(refusal).collect()
}

fn place_of(layout: &Layout, titles: &Titles, row: &PlaceRow) -> v1::Place {
    let (sight, seen_by) = match row.sight {
        Sight::All => (v1::Sight::All, None),
        Sight::Only(seat) | Sight::Screened(seat) => (v1::Sight::Seat, Some(number(seat))),
        Sight::Nobody => (v1::Sight::Nobody, None),
    };
    let purses = layout.purses().iter().filter(|purse| purse.place == row.id);
    v1::Place {
        name: row.name.clone(),
        seat: row.seat.map(number),
        sight: sight.into(),
        seen_by,
        count_hidden: matches!(row.sight, Sight::Screened(_)),
        purses: purses
            .map(|purse| v1::PlacePurse {
                coin: layout.coin_name(purse.coin).to_owned(),
                bank: purse.is_bank,
            })
            .collect(),
        title: titles.place(row),
        role: role_of(row.display.role).into(),
        arrangement: arrangement_of(row.display.arrangement).into(),
        order: row.display.order.into(),
        piece: row.piece().map(|it| layout.piece_name(it).to_owned()).unwrap_or_default(),
        value: row.value().unwrap_or_default().to_owned(),
    }
}

fn role_of(role: Role) -> v1::PlaceRole {
    match role {
        Role::Hand => v1::PlaceRole::Hand,
        Role::Deck => v1::PlaceRole::Deck,
        Role::Discard => v1::PlaceRole::Discard,
        Role::Row => v1::PlaceRole::Row,
        Role::Board => v1::PlaceRole::Board,
        Role::Area => v1::PlaceRole::Area,
        Role::Purse => v1::PlaceRole::Purse,
        Role::Bank => v1::PlaceRole::Bank,
        Role::Box => v1::PlaceRole::Box,
    }
}

fn arrangement_of(arrangement: Arrangement) -> v1::Arrangement {
    match arrangement {
        Arrangement::Pile => v1::Arrangement::Pile,
        Arrangement::Fan => v1::Arrangement::Fan,
        Arrangement::Row => v1::Arrangement::Row,
        Arrangement::Grid => v1::Arrangement::Grid,
    }
}

fn piece_of(layout: &Layout, titles: &Titles, row: &PieceRow) -> v1::Piece {
    let facet_of = |Facet { name, value, origin }: &Facet| {
        let (values, number) = match value {
            FacetValue::Number(number) => (vec![number.to_string()], Some(*number)),
            FacetValue::Values(values) => (values.clone(), None),
        };
        v1::Facet {
            name: (*name).to_owned(),
            value: value.to_string(),
            values,
            number,
            origin: origin_of(origin.unwrap_or(row.origin)).into(),
        }
    };
    v1::Piece {
        name: row.name.clone(),
        back: layout.back_name(row.back).to_owned(),
        start: layout.place_name(row.start).to_owned(),
        facets: row.facets.iter().map(facet_of).collect(),
        origin: origin_of(row.origin).into(),
        title: titles.piece(row),
        text: titles.piece_text(row),
        layer: row.layer.into(),
        title_origin: origin_of(row.title_origin).into(),
        text_origin: origin_of(row.text_origin).into(),
    }
}

fn origin_of(origin: Origin) -> v1::Origin {
    match origin {
        Origin::Printed => v1::Origin::Printed,
        Origin::PublicFact => v1::Origin::PublicFact,
        Origin::Design => v1::Origin::Design,
    }
}

fn mark_of(layout: &Layout, titles: &Titles, row: &Term<MarkId>) -> v1::Mark {
    let values = match layout.mark_values(row.id) {
        Values::Number => Vec::new(),
        Values::OneOf(values) => values.iter().map(|it| it.name.clone()).collect(),
    };
    let (title, description) = titles.mark(row);
    let piece = row.arguments.iter().find_map(Argument::piece);
    v1::Mark {
        name: row.name.clone(),
        description,
        values,
        title,
        kind: kind_of(layout.mark_kind(row.id)).into(),
        seat: row.arguments.iter().find_map(Argument::seat).map(number),
        piece: piece.map(|it| layout.pieces()[it.index()].name.clone()).unwrap_or_default(),
        value_titles: titles.mark_values(row.id),
        refers_to: reference_of(layout.mark_values(row.id)).into(),
    }
}

/// The values of a mark are all of one kind.
fn reference_of(values: Values) -> v1::MarkReference {
    let first = match values {
        Values::Number => None,
        Values::OneOf(values) => values.first().map(|it| &it.argument),
    };
    match first {
        Some(Argument::Seat(_)) => v1::MarkReference::Seat,
        Some(Argument::Piece(_)) => v1::MarkReference::Piece,
        Some(Argument::Value(_)) => v1::MarkReference::Value,
        Some(Argument::Number(_)) | None => v1::MarkReference::Unspecified,
    }
}

fn kind_of(kind: MarkKind) -> v1::MarkKind {
    match kind {
        MarkKind::Flag => v1::MarkKind::Flag,
        MarkKind::Counter => v1::MarkKind::Counter,
        MarkKind::Track => v1::MarkKind::Track,
        MarkKind::Reference => v1::MarkKind::Reference,
        MarkKind::Hidden => v1::MarkKind::Hidden,
    }
}
