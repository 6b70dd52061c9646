//! The rules of games as messages of the contract.

use std::ops::RangeInclusive;

use contract::names::rules_name;
use contract::v1;
use games::Game;
use narration::{Language, PrimerSection, Titles};

/// The rules of a game without their primer. Hundreds of tables are set up for them.
pub fn rules_of(game: &dyn Game) -> v1::Rules {
    let set_ups = games::set_ups(game).into_iter().map(set_up_of).collect();
    v1::Rules { set_ups, ..page_of(game) }
}

/// The rules of a game without what is set up, and without their primer.
pub fn page_of(game: &dyn Game) -> v1::Rules {
    let page = game.rules_page();
    let best_of =
        game.seats().filter_map(|seats| Some((seats.into(), game.best_of(seats)?.into())));
    v1::Rules {
        name: rules_name(game.name()),
        page: page.0.to_owned(),
        sections: page.sections().into_iter().map(section_of).collect(),
        best_of: best_of.collect(),
        ..v1::Rules::default()
    }
}

/// The primer of a game, which is in a language.
pub fn primer_of(game: &'static dyn Game, language: Language) -> Vec<v1::PrimerSection> {
    let section = |it: PrimerSection| v1::PrimerSection {
        title: it.title,
        text: it.text,
        pieces: it.pieces,
        decisions: it.decisions,
        sections: it.rules,
    };
    Titles::of(game, language).primer().into_iter().map(section).collect()
}

fn section_of(section: games::Section) -> v1::RulesSection {
    let ends_match = section.is_about_end();
    let paragraphs = section.paragraphs.into_iter().map(|it| v1::RulesParagraph {
        number: it.number.to_owned(),
        text: it.text,
        ruling: it.ruling,
    });
    v1::RulesSection {
        number: section.number,
        title: section.title.to_owned(),
        paragraphs: paragraphs.collect(),
        ends_match,
    }
}

fn set_up_of(set_up: games::SetUp) -> v1::SetUp {
    let coin = |(coin, amounts): (String, RangeInclusive<i32>)| v1::CoinSetUp {
        coin,
        amount_min: *amounts.start(),
        amount_max: *amounts.end(),
    };
    let places = set_up.places.into_iter().map(|it| v1::PlaceSetUp {
        place: it.place,
        pieces_min: *it.pieces.start(),
        pieces_max: *it.pieces.end(),
        coins: it.coins.into_iter().map(coin).collect(),
    });
    v1::SetUp {
        seats: set_up.seats.into(),
        options: set_up.options.into_iter().collect(),
        places: places.collect(),
    }
}
