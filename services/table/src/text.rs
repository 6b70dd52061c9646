//! Texts that players write to each other.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Plain text of limited length. It is not escaped: every program that displays it must escape it
/// for its own output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(Box<str>);

/// The maximum length of a text in characters: enough for a deal with all its conditions. An entry
/// keeps the text twice, in its action and in its event.
pub const TEXT_CHARS_MAX: usize = 500;

impl Text {
    /// A text as typed, with line endings normalized to line feeds. Refuses one that is blank or
    /// too long, or has control characters, invisible characters, or characters that change the
    /// direction of others.
    pub fn of(typed: &str) -> Result<Text, BadText> {
        let text = Text::lines(typed);
        let characters = text.chars().count();
        if characters > TEXT_CHARS_MAX {
            return Err(BadText::TooLong { characters });
        }
        if let Some(at) = text.chars().position(is_control) {
            return Err(BadText::NotPlain { at });
        }
        if !text.chars().any(shows) {
            return Err(BadText::Blank);
        }
        Ok(Text(text.into()))
    }

    /// The text with line endings normalized to line feeds.
    pub(crate) fn lines(typed: &str) -> String {
        typed.replace("\r\n", "\n").replace('\r', "\n")
    }

    /// A text of the record, which was checked when it was written.
    pub(crate) fn recorded(text: String) -> Result<Text, BadText> {
        if text.is_empty() { Err(BadText::Blank) } else { Ok(Text(text.into())) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Joiners, which some scripts and emoji need.
const JOINERS: [char; 2] = ['\u{200C}', '\u{200D}'];

/// Letters and symbols that are invisible.
const FILLERS: [char; 5] = ['\u{115F}', '\u{1160}', '\u{2800}', '\u{3164}', '\u{FFA0}'];

fn is_control(it: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    match it.general_category() {
        Control => it != '\n' && it != '\t',
        Format => !JOINERS.contains(&it),
        LineSeparator | ParagraphSeparator => true,
        _ => false,
    }
}

fn shows(it: char) -> bool {
    use GeneralCategory::{EnclosingMark, NonspacingMark};
    let is_mark = matches!(it.general_category(), NonspacingMark | EnclosingMark);
    !(it.is_whitespace() || is_mark || JOINERS.contains(&it) || FILLERS.contains(&it))
}

/// Why a text is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadText {
    #[error("a text must show something")]
    Blank,
    #[error("a text has {TEXT_CHARS_MAX} characters at most, not {characters}")]
    TooLong { characters: usize },
    #[error(
        "a text may have no control characters but line feeds and tabs, and no invisible ones; one \
         is at character {at}, counted from 0"
    )]
    NotPlain { at: usize },
}
