//! The supported languages, and the choice among them for a reader.

use std::cmp::Reverse;

use unic_langid::LanguageIdentifier;

/// A supported language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    English,
    German,
}

/// A tag of no supported language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are no texts in {tag:?}, only in {}", Language::ALL.map(Language::tag).join(" and "))]
pub struct UnknownLanguage {
    pub tag: String,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::English, Language::German];

    /// Its BCP 47 tag.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
        }
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
        known.next().unwrap_or(Language::English)
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

    #[test]
    fn a_tag_names_a_language_whatever_its_region() {
        assert_eq!(Language::of("de"), Ok(Language::German));
        assert_eq!(Language::of("de-CH"), Ok(Language::German));
        assert_eq!(Language::of("EN_gb"), Ok(Language::English));
        for tag in ["fr", "", "german", "d e", "\u{202e}en"] {
            assert!(Language::of(tag).is_err(), "{tag:?}");
        }
    }

    #[test]
    fn the_header_is_answered_by_quality_then_order() {
        let accepted = Language::accepted;
        assert_eq!(accepted("de-AT, en;q=0.5"), Language::German);
        assert_eq!(accepted("en;q=0.5, de;q=0.7"), Language::German);
        assert_eq!(accepted("fr, de;q=0.1"), Language::German);
        assert_eq!(accepted("de;q=0, en"), Language::English);
        assert_eq!(accepted("de;q=0"), Language::English);
        for header in ["", "fr", "*", "de;q=x", ";;,,", "de;q=7"] {
            assert_eq!(accepted(header), Language::English, "{header:?}");
        }
    }
}
