//! The titles and descriptions of everything in a game, for clients that draw it.

use games::Game;
use table::{Argument, Layout, MarkId, MarkValue, PieceRow, PlaceRow, Seat, Term, Values};

use crate::people::{Is, Person, SEAT};
use crate::things::{arguments, coins, piece_text, value_title};
use crate::words::{Args, Words, capitalized};
use crate::{Language, Narrator};

/// The titles of a game's things in a language.
#[derive(Clone, Copy)]
pub struct Titles {
    pub(crate) game: &'static dyn Game,
    pub(crate) words: &'static Words,
}

impl Narrator {
    /// The titles of the game's things, in the narrator's language.
    pub fn titles(&self) -> Titles {
        Titles { game: self.game, words: self.words }
    }
}

impl Titles {
    pub fn of(game: &'static dyn Game, language: Language) -> Titles {
        Titles { game, words: Words::of(game, language) }
    }

    fn layout(&self) -> &'static Layout {
        self.game.layout()
    }

    fn say(&self, key: &str) -> String {
        self.words.say(key, &Args::new())
    }

    /// The title of the game.
    pub fn game(&self) -> String {
        self.say("game")
    }

    /// That so many matches wait for the reader: `It is your turn`.
    pub fn waiting(&self, matches: usize) -> String {
        self.words.say("waiting", &Args::new().number("matches", matches as i64))
    }

    /// A description of the game in a sentence.
    pub fn description(&self) -> String {
        self.words.attribute("game", "description", &Args::new()).unwrap_or_default()
    }

    /// The title and the description of an option.
    pub fn option(&self, name: &str) -> (String, String) {
        let key = format!("option-{name}");
        let description = self.words.attribute(&key, "description", &Args::new());
        (self.say(&key), description.unwrap_or_default())
    }

    /// The title of an option's value: an attribute of the option, or the title of a seat.
    pub fn option_value(&self, name: &str, value: &str) -> String {
        let key = format!("option-{name}");
        if let Some(title) = self.words.attribute(&key, &format!("is-{value}"), &Args::new()) {
            return title;
        }
        let seat = value.parse::<u8>().ok().and_then(|number| Seat::try_from(number).ok());
        seat.map_or_else(|| value.to_owned(), |seat| self.words.seat(seat))
    }

    /// The title of a place, without its seat.
    pub fn place(&self, row: &PlaceRow) -> String {
        let args = arguments(self.words, self.layout(), &row.arguments);
        capitalized(&self.words.say(&format!("place-{}", row.case()), &args))
    }

    /// The title of a piece.
    pub fn piece(&self, row: &PieceRow) -> String {
        capitalized(self.words.piece(self.layout(), row.piece))
    }

    /// The text printed on a piece; empty if there is none.
    pub fn piece_text(&self, row: &PieceRow) -> String {
        piece_text(self.words, row).unwrap_or_default()
    }

    pub fn value(&self, value: &str) -> String {
        value_title(self.words, value)
    }

    pub fn facet(&self, name: &str) -> String {
        self.say(&format!("facet-{name}"))
    }

    pub fn phase(&self, name: &str) -> String {
        self.say(&format!("phase-{name}"))
    }

    /// An amount of coins in the words of the game.
    pub fn coins(&self, coin: table::CoinId, amount: i64) -> String {
        coins(self.words, self.layout(), coin, Some(amount))
    }

    /// The title of a coin, mark, back or announcement, without its seat.
    fn term<Id>(&self, kind: &str, row: &Term<Id>) -> (String, String) {
        let args = arguments(self.words, self.layout(), &row.arguments);
        let key = format!("{kind}-{}", row.case());
        let help = self.words.attribute(&key, "help", &args).unwrap_or_default();
        (capitalized(&self.words.say(&key, &args)), help)
    }

    /// The title and the description of a coin.
    pub fn coin(&self, row: &Term<table::CoinId>) -> (String, String) {
        self.term("coin", row)
    }

    /// The title and the meaning of a mark.
    pub fn mark(&self, row: &Term<MarkId>) -> (String, String) {
        self.term("mark", row)
    }

    /// The title and the description of a back.
    pub fn back(&self, row: &Term<table::BackId>) -> (String, String) {
        self.term("back", row)
    }

    /// The title and the text of an announcement, with `{seat}` and `{value}` in place of those of
    /// the event.
    pub fn announcement(&self, row: &Term<table::AnnouncementId>) -> (String, String) {
        let person = Person::new(self.words, "{seat}".to_owned(), Is::Other);
        let args = arguments(self.words, self.layout(), &row.arguments)
            .person(SEAT, &person)
            .text("amount", "{value}");
        let key = format!("announcement-{}", row.case());
        let does = self.words.attribute(&key, "does", &args).map(|does| format!("{{seat}} {does}"));
        let form = |form| self.words.attribute(&key, form, &args);
        let text = does.or_else(|| form("adds")).or_else(|| form("sentence"));
        let text = text.unwrap_or_else(|| self.words.say(&key, &args));
        // An announcement may be the head of a sentence, and nothing else.
        let begins = || self.words.attribute(&key, "begins", &args).unwrap_or_default();
        let text = if text.is_empty() { begins() } else { text };
        (self.words.attribute(&key, "title", &args).unwrap_or_default(), text)
    }

    /// The title of a part of a score, such as `plots`.
    pub fn score_part(&self, announcement: table::AnnouncementId) -> String {
        score_part(self.words, self.layout(), announcement)
    }

    /// The title of a decision.
    pub fn decision(&self, row: &Term<table::DecisionId>) -> String {
        self.term("decision", row).0
    }

    /// The title and the description of a kind of action.
    pub fn verb(&self, verb: &str) -> (String, String) {
        let key = format!("verb-{verb}");
        let help = self.words.attribute(&key, "help", &Args::new()).unwrap_or_default();
        (self.say(&key), help)
    }

    /// The titles of a mark's values; empty if they are numbers.
    pub fn mark_values(&self, mark: MarkId) -> Vec<String> {
        match self.layout().mark_values(mark) {
            Values::Number => Vec::new(),
            Values::OneOf(values) => {
                let title = |it: &MarkValue| argument(self.words, self.layout(), &it.argument);
                values.iter().map(title).collect()
            }
        }
    }
}

/// The title of a part of a score.
pub(crate) fn score_part(
    words: &Words,
    layout: &Layout,
    announcement: table::AnnouncementId,
) -> String {
    let row = layout.announcement_term(announcement);
    let args = arguments(words, layout, &row.arguments);
    let key = format!("announcement-{}", row.case());
    words.attribute(&key, "title", &args).unwrap_or_else(|| row.name.clone())
}

/// The title of an argument's value; a seat by its number.
pub(crate) fn argument(words: &Words, layout: &Layout, argument: &Argument) -> String {
    match argument {
        Argument::Seat(seat) => words.seat(*seat),
        Argument::Piece(piece) => words.piece(layout, *piece).to_owned(),
        Argument::Value(value) => value_title(words, value),
        Argument::Number(number) => (number + 1).to_string(),
    }
}
