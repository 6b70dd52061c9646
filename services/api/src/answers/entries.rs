//! Entries in streams as messages of the contract.

pub use ::answers::entry_of;
use contract::names::game_name;
use contract::v1;
use matches::{Happening, RedactedEntry};

use super::values::{number, viewer_name};

/// An entry in a stream of many matches.
pub(crate) fn streamed_of(
    entry: &RedactedEntry,
    told: v1::Entry,
    result: Option<v1::Match>,
) -> v1::StreamedEntry {
    let happenings = Happening::all_in(&entry.entry, entry.position);
    v1::StreamedEntry {
        entry: Some(told),
        game: game_name(entry.game.name()),
        viewer: viewer_name(entry.viewer),
        happenings: happenings.map(|it| happening_of(it).into()).collect(),
        turns: entry.entry.turns().iter().map(number).collect(),
        result,
    }
}

pub(crate) fn happening_of(it: Happening) -> v1::Happening {
    match it {
        Happening::Started => v1::Happening::Started,
        Happening::Turn => v1::Happening::Turn,
        Happening::Action => v1::Happening::Action,
        Happening::Ended => v1::Happening::Ended,
        Happening::Abandoned => v1::Happening::Abandoned,
        Happening::Rated => v1::Happening::Rated,
    }
}
