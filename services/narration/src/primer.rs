//! The primer of a game: how it is played, for people who are new to it. Its sections are the
//! messages `primer-1`, `primer-2` and so on of the game's words.

use games::Game;
use table::{DecisionId, Piece, Term};

use crate::words::{Args, Words};
use crate::{Language, Titles};

/// The attributes of a section that are names and not words: the pieces, decisions and sections of
/// the rules that it is about. Only the English file has them.
pub(crate) const ABOUT: [&str; 3] = ["pieces", "decisions", "rules"];

/// A section of a primer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrimerSection {
    pub title: String,
    /// In Markdown.
    pub text: String,
    /// Names of pieces to show with the text.
    pub pieces: Vec<String>,
    /// Names of the decisions that it explains.
    pub decisions: Vec<String>,
    /// Numbers of the sections of the rules that it sums up.
    pub rules: Vec<u32>,
}

impl Titles {
    /// The primer; empty if the game has none.
    pub fn primer(&self) -> Vec<PrimerSection> {
        let about = Words::of(self.game, Language::ENGLISH);
        let section = |key: String| {
            let names = |attribute| names(about, &key, attribute);
            PrimerSection {
                title: self.words.say(&key, &Args::new()),
                text: self.words.attribute(&key, "text", &Args::new()).unwrap_or_default(),
                pieces: names("pieces"),
                decisions: decisions(self.game, &names("decisions")),
                rules: names("rules").iter().filter_map(|it| it.parse().ok()).collect(),
            }
        };
        keys(self.game).map(section).collect()
    }

    /// How long a match takes, and how hard the game is to learn; empty if it does not say.
    pub fn effort(&self) -> (String, String) {
        let of = |attribute| self.words.attribute("game", attribute, &Args::new());
        (of("duration").unwrap_or_default(), of("difficulty").unwrap_or_default())
    }

    /// The pieces for a picture of the game.
    pub fn cover(&self) -> Vec<Piece> {
        let names = names(Words::of(self.game, Language::ENGLISH), "game", "cover");
        names.iter().filter_map(|it| self.game.layout().piece_named(it)).collect()
    }
}

/// The keys of a game's sections, in order. English has every section that there is.
pub(crate) fn keys(game: &dyn Game) -> impl Iterator<Item = String> {
    let words = Words::of(game, Language::ENGLISH);
    (1..).map(|nth| format!("primer-{nth}")).take_while(|key| words.has(key))
}

/// The names in an attribute, between spaces.
fn names(words: &Words, key: &str, attribute: &str) -> Vec<String> {
    let names = words.attribute(key, attribute, &Args::new()).unwrap_or_default();
    names.split_whitespace().map(str::to_owned).collect()
}

/// The decisions of these names; a name without its arguments stands for all of its decisions.
fn decisions(game: &dyn Game, names: &[String]) -> Vec<String> {
    let is_named =
        |it: &&Term<DecisionId>| names.iter().any(|name| *name == it.name || name == it.case());
    let all = game.layout().decisions().iter();
    all.filter(is_named).map(|it| it.name.clone()).collect()
}

/// What is wrong with the names in a game's primer and cover. Each problem is a line.
pub(crate) fn problems(game: &dyn Game) -> Vec<String> {
    let (layout, words) = (game.layout(), Words::of(game, Language::ENGLISH));
    let (mut problems, mut explained) = (Vec::new(), Vec::new());
    let mut unknown = |key: &str, attribute: &str, is_known: &dyn Fn(&str) -> bool| {
        let names = names(words, key, attribute);
        let names = names.into_iter().filter(|it| !is_known(it));
        problems
            .extend(names.map(|it| format!("{key}.{attribute} names {it}, which there is not")));
    };
    let is_piece = |name: &str| layout.piece_named(name).is_some();
    unknown("game", "cover", &is_piece);
    let numbers: Vec<String> =
        game.rules_page().sections().iter().map(|it| it.number.to_string()).collect();
    for key in keys(game) {
        unknown(&key, "pieces", &is_piece);
        unknown(&key, "decisions", &|it| !decisions(game, &[it.to_owned()]).is_empty());
        unknown(&key, "rules", &|it| numbers.iter().any(|number| number == it));
        explained.extend(decisions(game, &names(words, &key, "decisions")));
    }
    let all = layout.decisions().iter().filter(|it| !explained.contains(&it.name));
    if keys(game).next().is_some() {
        problems.extend(all.map(|it| format!("no section of the primer explains {}", it.name)));
    }
    problems
}
