//! Requests whose answers contain texts.

use crate::v1;

/// A request that names the language of its answer's texts.
pub trait InWords {
    /// The language as a BCP 47 tag, such as `de`; empty if the request names none.
    fn language(&self) -> &str;

    /// Asks for texts in this language, or for none if it is empty.
    fn set_language(&mut self, language: &str);
}

// For every request that has a field `language`.
include!(concat!(env!("OUT_DIR"), "/words.rs"));
