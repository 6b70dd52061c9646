//! The supported languages, and the choice among them for a reader.

use std::cmp::Reverse;

use games::Game;
use unic_langid::LanguageIdentifier;

/// A language that there are words in, by its BCP 47 tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(&'static str);

/// Declares the languages: each has a file of the messages that all games share.
macro_rules! languages {
    ($($tag:literal),*) => {
        const SHARED: &[(Language, &str)] =
            &[$((Language($tag), include_str!(concat!("words/", $tag, ".ftl")))),*];

        impl Language {
            /// Every language, English first.
            pub const ALL: [Language; SHARED.len()] = [$(Language($tag)),*];
        }
    };
}

languages!["en", "de", "fr"];

/// A tag of no supported language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are no texts in {tag:?}, only in {}", Language::ALL.map(Language::tag).join(", "))]
pub struct UnknownLanguage {
    pub tag: String,
}

impl Language {
    /// The language of a game that lacks words in another one.
    pub const ENGLISH: Language = Language::ALL[0];

    /// Its BCP 47 tag.
    pub fn tag(self) -> &'static str {
        self.0
    }

    /// The languages in which a game has words.
    pub fn of_game(game: &dyn Game) -> Vec<Language> {
        Language::ALL.into_iter().filter(|it| game.words(it.tag()).is_some()).collect()
    }

    /// This language if the game has words in it, else English.
    pub(crate) fn for_game(self, game: &dyn Game) -> Language {
        if game.words(self.tag()).is_some() { self } else { Language::ENGLISH }
    }

    /// The messages that all games share.
    pub(crate) fn shared(self) -> &'static str {
        let found = SHARED.iter().find(|(it, _)| *it == self);
        found.map(|(_, words)| *words).expect("every language is made with its words")
    }

    pub(crate) fn identifier(self) -> LanguageIdentifier {
        self.tag().parse().expect("it is a tag")
    }

    /// The language of a BCP 47 tag, regardless of its region and script.
    pub fn of(tag: &str) -> Result<Language, UnknownLanguage> {
        let unknown = || UnknownLanguage { tag: tag.to_owned() };
        let identifier: LanguageIdentifier = tag.parse().map_err(|_| unknown())?;
        let found = Language::ALL.into_iter().find(|it| identifier.language.as_str() == it.tag());
        found.ok_or_else(unknown)
    }

    /// The best language for an `Accept-Language` header such as `de-AT, en;q=0.5`; English if it
    /// names no supported one.
    pub fn accepted(header: &str) -> Language {
        let mut asked: Vec<(&str, u32)> = header.split(',').filter_map(range).collect();
        asked.sort_by_key(|(_, quality)| Reverse(*quality));
        let known = asked.into_iter().filter(|(_, quality)| *quality > 0);
        let mut known = known.filter_map(|(tag, _)| Language::of(tag).ok());
        known.next().unwrap_or(Language::ENGLISH)
    }
}

/// A language range and its quality in thousandths.
fn range(part: &str) -> Option<(&str, u32)> {
    let (tag, parameters) = part.split_once(';').unwrap_or((part, ""));
    let quality = parameters.trim().strip_prefix("q=").unwrap_or("1");
    let quality: f32 = quality.trim().parse().ok().filter(|it| (0.0..=1.0).contains(it))?;
    Some((tag.trim(), (quality * 1000.0) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GERMAN: Language = Language("de");

    #[test]
    fn a_tag_names_a_language_whatever_its_region() {
        assert_eq!(Language::of("de"), Ok(GERMAN));
        assert_eq!(Language::of("de-CH"), Ok(GERMAN));
        assert_eq!(Language::of("EN_gb"), Ok(Language::ENGLISH));
        for tag in ["xx", "", "german", "d e", "\u{202e}en"] {
            assert!(Language::of(tag).is_err(), "{tag:?}");
        }
    }

    #[test]
    fn the_header_is_answered_by_quality_then_order() {
        let accepted = Language::accepted;
        assert_eq!(accepted("de-AT, en;q=0.5"), GERMAN);
        assert_eq!(accepted("en;q=0.5, de;q=0.7"), GERMAN);
        assert_eq!(accepted("xx, de;q=0.1"), GERMAN);
        assert_eq!(accepted("de;q=0, en"), Language::ENGLISH);
        assert_eq!(accepted("de;q=0"), Language::ENGLISH);
        for header in ["", "xx", "*", "de;q=x", ";;,,", "de;q=7"] {
            assert_eq!(accepted(header), Language::ENGLISH, "{header:?}");
        }
    }
}
