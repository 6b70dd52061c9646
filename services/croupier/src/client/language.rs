//! The language of the person at the terminal.

use std::env;

/// The language if the system names none.
const ENGLISH: &str = "en";

/// The language of messages from the environment, with variables in the order of POSIX; English if
/// there are no texts in that language.
pub fn language() -> String {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
    let wanted = locale.map_or_else(|| ENGLISH.to_owned(), |locale| of_locale(&locale));
    narration::Language::of(&wanted).unwrap_or(narration::Language::ENGLISH).tag().to_owned()
}

/// The language of a locale: `de` of `de_DE.UTF-8`, English of `C` and `POSIX`.
fn of_locale(locale: &str) -> String {
    let language = locale.split(['_', '.', '@', '-']).next().unwrap_or_default();
    let is_language =
        (2..=3).contains(&language.len()) && language.bytes().all(|it| it.is_ascii_alphabetic());
    if is_language { language.to_ascii_lowercase() } else { ENGLISH.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_names_a_language() {
        let locales = ["de_DE.UTF-8", "de", "pt-BR", "sr@latin", "C", "C.UTF-8", "POSIX", ""];
        let languages: Vec<String> = locales.map(of_locale).into();
        assert_eq!(languages, ["de", "de", "pt", "sr", "en", "en", "en", "en"]);
    }
}
