//! Standard output of commands: sentences and tables for people, lines of JSON for programs.
//!
//! In reading order: `lines`; `texts` and `times`, the parts of lines; `entries`, `matches` and
//! `links`, which several commands print.

mod entries;
mod lines;
mod links;
mod matches;
mod texts;
mod times;

pub use entries::{Printer, ends, match_went_back, went_back};
pub use lines::{
    columns, count, json, line, matches_and_entries, printable, raw, table, width, wrap,
};
pub use links::{invitation_link, sign_in_link};
pub use matches::{is_open, print_match, print_match_and_next};
pub use texts::{Texts, titled};
pub use times::time_of;
