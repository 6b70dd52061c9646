//! Which entries a stream sends, and where it starts.

use positions::Claims;
use rows::Tags;

use crate::happening::Happening;

/// Which entries a stream sends. Filters are combined with AND; empty filters are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryFilter {
    pub games: Vec<String>,
    pub verbs: Vec<String>,
    pub players: Vec<String>,
    /// What happened with the entry. With `players`, turns and actions are theirs.
    pub happenings: Vec<Happening>,
    /// Tags that a match must have when the stream reads its entries.
    pub tags: Tags,
    /// Whether entries of revealed matches are sent as the house sees them.
    pub is_whole: bool,
}

#[derive(Clone, Debug)]
pub enum StreamStart {
    Beginning,
    Now,
    /// After the position of a cursor.
    After(Box<Claims>),
}
