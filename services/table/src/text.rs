//! What players write to each other.

use crate::Reason;

/// Plain text of limited length, otherwise exactly as the player typed it. It is not escaped: every
/// program that displays it must escape it for its own output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text(Box<str>);

/// Bytes a text may have: enough for a deal with all its conditions. An entry keeps the text twice,
/// in its action and in its event.
pub const TEXT_BYTES_MAX: usize = 500;

impl Text {
    /// Refuses text that is blank, too long, or has a control character other than a line feed.
    pub fn of(text: &str) -> Result<Text, BadText> {
        let bytes = text.len();
        if bytes > TEXT_BYTES_MAX {
            return Err(BadText::TooLong { bytes });
        }
        if text.trim().is_empty() {
            return Err(BadText::Blank);
        }
        match text.char_indices().find(|(_, it)| it.is_control() && *it != '\n') {
            Some((byte, _)) => Err(BadText::NotPlain { byte }),
            None => Ok(Text(text.into())),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a text is refused. A refusal of any game may hold it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadText {
    #[error("a text must not be blank")]
    Blank,
    #[error("a text has {TEXT_BYTES_MAX} bytes at most, not {bytes}")]
    TooLong { bytes: usize },
    #[error("a text may have no control characters but line feeds; one is at byte {byte}")]
    NotPlain { byte: usize },
}

impl Reason for BadText {
    fn reason(&self) -> &'static str {
        match self {
            BadText::Blank => "TEXT_BLANK",
            BadText::TooLong { .. } => "TEXT_TOO_LONG",
            BadText::NotPlain { .. } => "TEXT_NOT_PLAIN",
        }
    }
    fn facts(&self) -> Vec<(&'static str, String)> {
        match self {
            BadText::Blank => Vec::new(),
            BadText::TooLong { bytes } => {
                vec![("bytes", bytes.to_string()), ("bytes_max", TEXT_BYTES_MAX.to_string())]
            }
            BadText::NotPlain { byte } => vec![("byte", byte.to_string())],
        }
    }
}
