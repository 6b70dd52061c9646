//! The narrator of a match: its game, its language, the names of its players, and the reader.

use games::Game;
use table::{Layout, Seat, Table};

use crate::Language;
use crate::people::{People, Person};
use crate::words::Words;

/// Writes texts about one match, for one reader.
pub struct Narrator {
    pub(crate) game: &'static dyn Game,
    language: Language,
    pub(crate) words: &'static Words,
    pub(crate) people: People,
}

impl Narrator {
    /// `names` are the names of the players by seat, `None` for an open seat. `reader` is the seat
    /// of the reader, who is addressed as "you". The language is English if the game has no words
    /// in the one that is asked for.
    pub fn new(
        game: &'static dyn Game,
        language: Language,
        names: &[Option<&str>],
        reader: Option<Seat>,
    ) -> Narrator {
        let language = language.for_game(game);
        let words = Words::of(game, language);
        Narrator { game, language, words, people: People::new(words, names, reader) }
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// A player in words.
    pub(crate) fn person(&self, seat: Seat) -> &Person {
        self.people.person(seat)
    }

    /// The voice that addresses the reader.
    pub(crate) fn voice(&self) -> Voice<'_> {
        Voice { narrator: self, to_reader: true, is_brief: false, apart_on: None }
    }
}

/// A narrator that addresses its reader as "you", or that speaks about everyone in the third
/// person.
#[derive(Clone, Copy)]
pub(crate) struct Voice<'a> {
    pub narrator: &'a Narrator,
    pub to_reader: bool,
    /// Whether it leaves out what a short label can do without, such as quotation marks.
    pub is_brief: bool,
    /// The table on which it tells copies of a card apart, by where they lie.
    pub apart_on: Option<&'a Table>,
}

impl<'a> Voice<'a> {
    /// The voice that speaks about everyone in the third person, including the reader.
    pub fn third(self) -> Voice<'a> {
        Voice { to_reader: false, ..self }
    }

    pub fn words(self) -> &'a Words {
        self.narrator.words
    }

    pub fn game(self) -> &'static dyn Game {
        self.narrator.game
    }

    pub fn layout(self) -> &'static Layout {
        self.narrator.game.layout()
    }

    pub fn person(self, seat: Seat) -> &'a Person {
        let people = &self.narrator.people;
        if self.to_reader { people.person(seat) } else { people.third(seat) }
    }
}
