//! Moving matches between installations in files of records.
//!
//! [`Exporter`] writes the matches of a store into a file, and [`Importer`] records those of a file
//! in another store.
//!
//! See `docs/decisions/0028-export-and-import-access-the-database.md`.

mod error;
mod export;
mod import;

pub use error::Error;
pub use export::{Exporter, parse_match};
pub use import::{AT_ONCE, Importer};
