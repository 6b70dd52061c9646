//! Texts about a match: the service's, in the language of the person at the terminal.
//!
//! Where the service sends none, this module falls back to the program's own narration. Nothing
//! else in the program chooses between the two.

use api::v1::{Entry, Game, LegalAction, Match, Place, Prompt, Table};
use client::actions;

use super::view;
use crate::narration::Narrator;
use crate::narration::vocabulary::Vocabulary;

/// Tells about one match. Entries are told in order.
pub struct Texts {
    game: Game,
    it: Match,
    vocabulary: Vocabulary,
    narrator: Narrator,
}

impl Texts {
    pub fn new(game: &Game, it: &Match) -> Texts {
        let narrator = Narrator::new(Vocabulary::new(game, it));
        let vocabulary = Vocabulary::new(game, it);
        Texts { game: game.clone(), it: it.clone(), vocabulary, narrator }
    }

    /// What happened, in sentences.
    pub fn entry(&mut self, entry: &Entry) -> String {
        // The narrator has to know every entry to tell the next one.
        let narrated = self.narrator.narrate(entry);
        or(&entry.text, || narrated)
    }

    /// What the action does, in a line.
    pub fn action(&self, action: &LegalAction) -> String {
        let json = || match action.action.as_ref().map(actions::json).as_deref() {
            None | Some("" | "{}") => action.verb.clone(),
            Some(json) => format!("{} {json}", action.verb),
        };
        or(&action.label, json)
    }

    /// What actions of a kind do, in a sentence; may be empty.
    pub fn verb(&self, verb: &str) -> String {
        let verbs = self.game.layout.iter().flat_map(|layout| &layout.verbs);
        let mut verbs = verbs.filter(|term| term.name == verb);
        verbs.next().map(|term| term.description.clone()).unwrap_or_default()
    }

    /// The name of a kind of action.
    pub fn verb_title(&self, verb: &str) -> String {
        let verbs = self.game.layout.iter().flat_map(|layout| &layout.verbs);
        let mut verbs = verbs.filter(|term| term.name == verb);
        let title = verbs.next().map(|term| term.title.clone()).unwrap_or_default();
        or(&title, || verb.to_owned())
    }

    /// What a seat decides, in a sentence.
    pub fn prompt(&self, prompt: &Prompt) -> String {
        or(&prompt.text, || self.vocabulary.decides(&[prompt.seat], prompt))
    }

    /// The table, drawn in lines.
    pub fn table(&self, table: &Table) -> String {
        or(&table.text, || view::drawing(&self.game, &self.it, table))
    }

    /// The state of the match in a sentence or two; may be empty.
    pub fn summary(&self, it: &Match) -> String {
        it.summary.clone()
    }

    /// The name of a seat's player.
    pub fn player(&self, seat: u32) -> String {
        let seated = self.it.seats.get(seat as usize);
        let given = seated.map(|it| it.display_name.clone()).unwrap_or_default();
        or(&given, || self.vocabulary.player(seat))
    }

    /// The names of several players, such as `Ada, Bruno`.
    pub fn players(&self, seats: impl IntoIterator<Item = u32>) -> String {
        seats.into_iter().map(|seat| self.player(seat)).collect::<Vec<_>>().join(", ")
    }
}

/// The service's text, or another one if that is empty.
fn or(text: &str, other: impl FnOnce() -> String) -> String {
    if text.is_empty() { other() } else { text.to_owned() }
}

/// A name with its title, if it has one that says more: `talk: Table talk`.
pub fn titled(title: &str, name: &str) -> String {
    match title {
        "" => name.to_owned(),
        title if title == name => name.to_owned(),
        title => format!("{name}: {title}"),
    }
}

/// The title of a place, without its seat.
pub fn title_of(place: &Place) -> String {
    let seat = place.seat.map(|seat| seat.to_string());
    let is_seat = |part: &&str| Some(*part) == seat.as_deref();
    let parts: Vec<&str> = place.name.split('/').filter(|part| !is_seat(part)).collect();
    or(&place.title, || parts.join(" of ").replace('-', " "))
}
