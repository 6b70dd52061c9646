//! The names that a match shows for its players, and which of them look alike.

use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// A player's id and the name to show for it, if there is one.
pub type Named<'a> = (&'a str, Option<&'a str>);

/// Whether a reader could confuse two players: a display name of one reads the same as the display
/// name or the id of the other. Two ids are never compared, since the platform chose them to
/// differ.
pub fn look_alike(one: Named<'_>, other: Named<'_>) -> bool {
    if (one.1, other.1) == (None, None) {
        return false;
    }
    let [one, other] = [one, other].map(|(player, name)| (name_key(player), name.map(name_key)));
    one.1.is_some() && (one.1 == other.1 || one.1.as_ref() == Some(&other.0))
        || other.1.as_ref() == Some(&one.0)
}

/// A key that is equal for names that read the same: Unicode's compatibility form, ignoring case,
/// spaces and invisible characters. Similar letters of different scripts stay different.
pub fn name_key(name: &str) -> String {
    let shown = name.nfkc().filter(|it| !is_ignorable(*it));
    // Upper case, then lower case: some letters have several lower cases, and some an upper case of
    // two letters.
    let folded = shown.flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let folded: String = folded.nfkc().collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether an id shows everything that it consists of, so that it can be told apart from others and
/// does not change what is written around it: the FreeformClass of RFC 8264 (PRECIS), in NFC, with
/// single spaces between words only.
pub fn is_plain(id: &str) -> bool {
    use GeneralCategory::*;
    let is_shown = |it: char| {
        let category = it.general_category();
        it == ' '
            || !is_ignorable(it)
                && !matches!(
                    category,
                    Control
                        | Format
                        | LineSeparator
                        | ParagraphSeparator
                        | SpaceSeparator
                        | PrivateUse
                        | Surrogate
                        | Unassigned
                )
    };
    id.chars().all(is_shown) && is_nfc(id) && id.split(' ').all(|word| !word.is_empty())
}

/// Invisible characters of display names: joiners, fillers and variation selectors.
fn is_ignorable(it: char) -> bool {
    matches!(it,
        '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{200C}' | '\u{200D}' | '\u{2800}' | '\u{3164}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{E0100}'..='\u{E01EF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_read_as_the_same_have_one_key() {
        for (one, other) in [
            ("Ann", "ann"),
            ("Ann  B", " ann b "),
            ("\u{FF21}nn", "ann"),
            ("Zoe\u{308}", "Zo\u{eb}"),
            ("Stra\u{df}e", "STRASSE"),
            (
                "\u{3a3}\u{3af}\u{3c3}\u{3c5}\u{3c6}\u{3bf}\u{3c2}",
                "\u{3a3}\u{38a}\u{3a3}\u{3a5}\u{3a6}\u{39f}\u{3a3}",
            ),
            ("a\u{200d}nn\u{fe0f}", "ann"),
            ("ann\u{a0}b", "ann b"),
        ] {
            assert_eq!(name_key(one), name_key(other), "{one:?} {other:?}");
        }
        for (one, other) in
            [("ann", "anna"), ("an n", "ann"), ("\u{430}nn", "ann"), ("zoe", "zo\u{eb}")]
        {
            assert_ne!(name_key(one), name_key(other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn ids_that_hide_something_are_not_plain() {
        for id in ["ann", "u-1:2@x.example", "Zo\u{eb} B", "\u{9648}", "\u{1f984}7", "a+b=c"] {
            assert!(is_plain(id), "{id:?}");
        }
        for id in [
            // Bidirectional controls, isolates and marks, which reorder what is around them.
            "\u{202e}nna",
            "ann\u{2066}",
            "ann\u{200f}",
            "\u{61c}ann",
            // Characters that show nothing.
            "an\u{200b}n",
            "an\u{200d}n",
            "an\u{ad}n",
            "ann\u{feff}",
            "ann\u{3164}",
            "\u{115f}",
            "ann\u{fe0f}",
            "ann\u{e0061}",
            "ann\u{180e}",
            "ann\u{2060}",
            "ann\u{34f}",
            // Lines, and spaces that look like others.
            "a\nb",
            "a\tb",
            "a\u{2028}b",
            "a\u{a0}b",
            "a\u{3000}b",
            " ann",
            "ann ",
            "a  b",
            "",
            // One letter, written in two ways.
            "Zoe\u{308}",
            "\u{212b}",
            // Characters without a meaning, or with one of their own.
            "\u{e000}",
            "\u{378}",
            "\u{0}",
            "a\u{85}",
        ] {
            assert!(!is_plain(id), "{id:?}");
        }
    }

    #[test]
    fn players_look_alike_by_a_display_name_only() {
        let (ann, bob) = (("ann", None), ("bob", None));
        assert!(!look_alike(ann, bob));
        assert!(!look_alike(("u1", None), ("U1", None)), "ids are the platform's to tell apart");
        assert!(look_alike(("ann", Some("Bob")), ("cid", Some("Ann"))), "the id of another");
        assert!(look_alike(("u1", Some("Ann")), ("u2", Some("ANN"))));
        assert!(look_alike(("u1", Some("Bob")), bob));
        assert!(look_alike(bob, ("u1", Some("Bob"))));
        assert!(look_alike(("u1", Some("Bob")), ("bob", Some("Robert"))));
        assert!(
            !look_alike(("bob", Some("Bob")), ("u1", Some("Ann"))),
            "a name may be one's own id"
        );
    }
}
