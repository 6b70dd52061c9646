//! Everything on a table in words: entries, actions, prompts, refusals, views and results, for a
//! reader, in a language.
//!
//! Words are data: a Fluent file a game and language in the game's folder, and one a language here
//! for what all games share. A game's file may override any message of the shared one. The crate is
//! pure. It is given what the reader was told, redacted, and knows nothing else, so no text can
//! tell more.

mod actions;
mod clauses;
mod drawing;
mod entries;
mod language;
mod people;
mod refusals;
mod summary;
mod things;
mod titles;
mod words;

pub use language::{Language, UnknownLanguage};
pub use summary::Standing;
pub use titles::Titles;

use games::Game;
use table::Seat;

use people::{People, Person};
use words::Words;

/// Tells about one match, to one reader.
pub struct Narrator {
    game: &'static dyn Game,
    words: &'static Words,
    people: People,
}

impl Narrator {
    /// `names` are those of the players by seat, none where nobody sits. `reader` is the seat of
    /// the reader, who is addressed as "you".
    pub fn new(
        game: &'static dyn Game,
        language: Language,
        names: &[Option<&str>],
        reader: Option<Seat>,
    ) -> Narrator {
        let words = Words::of(game, language);
        Narrator { game, words, people: People::new(words, names, reader) }
    }

    /// A player in words.
    fn person(&self, seat: Seat) -> &Person {
        self.people.person(seat)
    }
}

#[cfg(test)]
mod tests;
