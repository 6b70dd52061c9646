//! The words of a game in a language: its own messages, and the shared ones that it does not
//! override.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use games::Game;
use table::Seat;

use crate::{Language, kept::Kept};

pub(crate) struct Words {
    bundle: FluentBundle<FluentResource>,
    /// By the piece's number, filled on first use: they never change, and most texts need some.
    pub pieces: OnceLock<Vec<PieceTitles>>,
}

/// The titles of a piece.
pub(crate) struct PieceTitles {
    /// The title printed on the piece.
    pub printed: String,
    /// The title in a drawn table.
    pub exact: String,
    /// The title in a short label.
    pub brief: String,
}

/// The arguments of a message, by name: texts and numbers. Most messages use few of those that they
/// are given, so texts are borrowed where that is possible.
#[derive(Default)]
pub(crate) struct Args<'a>(FluentArgs<'a>);

impl<'a> Args<'a> {
    pub fn new() -> Args<'a> {
        Args::default()
    }
    pub fn text(
        mut self,
        name: impl Into<Cow<'a, str>>,
        text: impl Into<Cow<'a, str>>,
    ) -> Args<'a> {
        self.0.set(name, FluentValue::String(text.into()));
        self
    }
    pub fn number(mut self, name: impl Into<Cow<'a, str>>, number: i64) -> Args<'a> {
        self.0.set(name, FluentValue::from(number));
        self
    }
    /// A copy that borrows nothing.
    pub fn owned(&self) -> Args<'static> {
        let given = self.0.iter();
        Args(given.map(|(name, value)| (name.to_owned(), value.into_owned())).collect())
    }
}

/// A game by where its layout is, and a language: a module may have the name of another game.
type Key = (usize, Language);

fn key(game: &dyn Game, language: Language) -> Key {
    (std::ptr::from_ref(game.layout()).addr(), language)
}

impl Words {
    /// The words of a game, parsed on first use; in English if it has none in that language.
    pub fn of(game: &dyn Game, language: Language) -> &'static Words {
        static COMPILED_IN: LazyLock<HashMap<Key, OnceLock<Words>>> = LazyLock::new(|| {
            let all = games::GAMES.iter();
            let all = all.flat_map(|game| Language::ALL.map(|it| (key(*game, it), <_>::default())));
            all.collect()
        });
        static OF_MODULES: Kept<Key, Words> = Kept::new();
        let language = language.for_game(game);
        let key = key(game, language);
        match COMPILED_IN.get(&key) {
            Some(words) => words.get_or_init(|| Words::parse(game, language)),
            None => OF_MODULES.get_or_keep(&key, || Words::parse(game, language)),
        }
    }

    /// A broken file is read as far as it goes; `tests/keys.rs` parses every file.
    fn parse(game: &dyn Game, language: Language) -> Words {
        let mut bundle = FluentBundle::new_concurrent(vec![language.identifier()]);
        // Isolation marks around arguments are needed only for mixed directions of text.
        bundle.set_use_isolating(false);
        let own = game.words(language.tag()).unwrap_or_default();
        for source in [language.shared(), own] {
            let resource = FluentResource::try_new(source.to_owned());
            bundle.add_resource_overriding(resource.unwrap_or_else(|(partial, _)| partial));
        }
        Words { bundle, pieces: OnceLock::new() }
    }

    pub fn has(&self, key: &str) -> bool {
        self.bundle.has_message(key)
    }

    /// A message's text; its key if there is no such message, which `tests/keys.rs` excludes.
    pub fn say(&self, key: &str, args: &Args) -> String {
        self.find(key, args).unwrap_or_else(|| key.to_owned())
    }

    /// A message's text, if it has one.
    pub fn find(&self, key: &str, args: &Args) -> Option<String> {
        let pattern = self.bundle.get_message(key)?.value()?;
        Some(self.bundle.format_pattern(pattern, Some(&args.0), &mut Vec::new()).into_owned())
    }

    /// The text of a message's attribute, if there is one.
    pub fn attribute(&self, key: &str, attribute: &str, args: &Args) -> Option<String> {
        let attribute = self.bundle.get_message(key)?.get_attribute(attribute)?;
        let pattern = attribute.value();
        Some(self.bundle.format_pattern(pattern, Some(&args.0), &mut Vec::new()).into_owned())
    }

    /// Like `attribute`, for an attribute that few messages have: the arguments are built only if
    /// it exists.
    pub fn rare_attribute<'a>(
        &self,
        key: &str,
        attribute: &str,
        args: impl FnOnce() -> Args<'a>,
    ) -> Option<String> {
        self.has_attribute(key, attribute).then(|| self.attribute(key, attribute, &args()))?
    }

    pub fn has_attribute(&self, key: &str, attribute: &str) -> bool {
        self.bundle.get_message(key).is_some_and(|it| it.get_attribute(attribute).is_some())
    }

    /// What separates a head from what follows from it.
    pub fn colon(&self) -> String {
        self.say("colon", &Args::new())
    }

    /// What separates clauses.
    pub fn semicolon(&self) -> String {
        self.say("semicolon", &Args::new())
    }

    /// A seat by its number, as people count.
    pub fn seat(&self, seat: Seat) -> String {
        self.say("seat", &Args::new().number("number", people_count(seat)))
    }

    /// `Ada, Bruno and Cleo`.
    pub fn list(&self, parts: impl IntoIterator<Item = String>) -> String {
        let mut parts: Vec<String> = parts.into_iter().collect();
        let Some(last) = parts.pop() else { return self.say("nothing", &Args::new()) };
        if parts.is_empty() {
            return last;
        }
        let first = parts.join(", ");
        self.say("list", &Args::new().text("first", first).text("last", last))
    }
}

/// The number of a seat in texts, counted from 1.
pub(crate) fn people_count(seat: Seat) -> i64 {
    i64::from(u8::from(seat)) + 1
}

/// A sentence: with a capital at its beginning and a stop at its end.
pub(crate) fn sentence(text: &str) -> String {
    let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    capitalized(text) + stop
}

/// With a capital at its beginning.
pub(crate) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
