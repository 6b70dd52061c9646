//! The tables of matches, around the record's log: seats, parameters, and all other data about a
//! match besides its entries.
//!
//! [`RECORD`] names the tables of the log; [`Store`] is the handle. In reading order:
//!
//! 1. Creating a match and taking its seats: [`Store::create`], [`Store::take_seat`],
//!    [`Substitute`], [`Store::contribute`], [`Store::next_match`] of a series.
//! 2. Finding matches: [`Store::load`] for playing one, [`Store::find`] and [`Store::find_all`];
//!    their notes ([`Store::notes`]) and snapshots ([`Store::snapshot`]).
//! 3. Entries across matches: [`Store::entries_in_scope`].
//! 4. Matchmaking: [`Store::lobby`], [`Store::create_seek`]. Work that waits for the service:
//!    [`Store::due_matches`], [`Store::matches_waiting_for_bots`].
//! 5. The exceptions to a record that is written once: deleting a match that was never dealt
//!    ([`Store::delete_open`]), leaving it ([`Store::leave_open`]), and replacing a player
//!    ([`Substitute`]). The crates `accounts` (erasures) and `keeping` have the others.
//! 6. Games that are modules: [`Store::install_module`], [`Store::learn`].
//! 7. Which receipts were signed: [`Store::note_receipt`].
//! 8. The whole record: [`Scan`] to verify it, [`Store::entries_of`] and [`Store::create_copy`] to
//!    move it.

mod bots;
mod catalogue;
mod columns;
mod contributions;
mod copying;
mod creating;
mod deletion;
mod finding;
mod found;
mod kept;
mod loading;
mod lobby;
mod module_rows;
mod of_matches;
mod receipts;
mod record;
mod scan;
mod scopes;
mod seating;
mod seeks;
mod series;
mod snapshots;
mod store;
mod substitutes;
mod tags;
mod timeouts;

pub use bots::BotMatch;
pub use catalogue::{ModuleError, ModuleOptions, module_hash};
pub use copying::Copied;
pub use creating::{Created, MadeFor};
pub use deletion::{Deletion, RemovalReader, Removals};
pub use loading::Loaded;
pub use lobby::{LobbyFilter, LobbyRow};
pub use module_rows::{ModuleRow, ModuleState, Unknown};
pub use of_matches::OfMatches;
pub use receipts::Signable;
pub use record::RECORD;
pub use scan::{Scan, Scanned};
pub use scopes::{InScope, LastEntry, Scope, Streamed, WindowEnds};
pub use seating::{Place, Seating};
pub use seeks::{FoundSeek, OpenSeek, SeekCreated, SeekRow};
pub use snapshots::{SNAPSHOT_INTERVAL, Snapshot};
pub use store::Store;
pub use substitutes::Substitute;
pub use tags::{NewNotes, Notes, Tagging};
pub use timeouts::{DueMatch, Outage};
