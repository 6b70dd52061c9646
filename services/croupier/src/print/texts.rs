//! Names and titles from the service, in the language of the person at the terminal.

use contract::v1::{Game, Match, Term};

/// The names in one match.
pub struct Texts {
    verbs: Vec<Term>,
    it: Match,
}

impl Texts {
    pub fn new(game: &Game, it: &Match) -> Texts {
        let verbs = game.layout.as_ref().map(|layout| layout.verbs.clone()).unwrap_or_default();
        Texts { verbs, it: it.clone() }
    }

    /// The help of a kind of action, in a sentence.
    pub fn verb(&self, verb: &str) -> &str {
        self.term(verb).map_or("", |term| &term.description)
    }

    /// The title of a kind of action.
    pub fn verb_title<'a>(&'a self, verb: &'a str) -> &'a str {
        self.term(verb).map_or(verb, |term| &term.title)
    }

    fn term(&self, verb: &str) -> Option<&Term> {
        self.verbs.iter().find(|term| term.name == verb)
    }

    /// The name of a seat's player. A seat without one is counted from 1, as in all texts.
    pub fn player(&self, seat: u32) -> String {
        let seated = self.it.seats.get(seat as usize);
        let names = seated.into_iter().flat_map(|it| [&it.display_name, &it.player]);
        let mut names = names.filter(|name| !name.is_empty());
        names.next().map_or_else(|| format!("seat {}", seat + 1), Clone::clone)
    }

    /// The names of several players, such as `Ada, Bruno`.
    pub fn players(&self, seats: impl IntoIterator<Item = u32>) -> String {
        seats.into_iter().map(|seat| self.player(seat)).collect::<Vec<_>>().join(", ")
    }
}

/// A name with its title, if that says more: `talk: Table talk`.
pub fn titled(title: &str, name: &str) -> String {
    if title == name { name.to_owned() } else { format!("{name}: {title}") }
}
