//! Answers about a match as messages of the contract: tables, entries, legal actions and games,
//! with names in place of numbers, and with texts where a narrator tells them. The service answers
//! with them, and so do the rules on a player's own device.
//!
//! Their input is redacted for the reader already, so nothing here decides what a viewer sees.
//!
//! In reading order: names and numbers, tables, entries, legal actions, the same in words, games
//! and their rules, and tables read back.

mod values;

mod tables;

mod legal;

mod entries;

mod told;

mod games;

mod rules;

mod known;

pub use entries::entry_of;
pub use games::{game_of, layout_of, refusals_of};
pub use known::{Unknown, known_table};
pub use legal::{Legals, legal_of, motion_of};
pub use rules::{page_of, primer_of, rules_of};
pub use tables::{Seen, table_of};
pub use told::{told_entry, told_legal, told_table};
pub use values::{
    action_of, entry_name, match_name, number, timestamp, viewer_name, wire_digest, wire_position,
};
