//! Queries: one match and its past, and all matches of a platform.

mod attending;
mod casts;
mod entries;
mod entry_stream;
mod holding;
mod legal;
mod players;
mod record;
mod replay;
mod search;
mod seen;
mod suggesting;
mod summaries;
mod views;
mod watching;

pub use entry_stream::{EntryStream, Told};
pub use legal::{LegalActions, LegalFilter};
pub use record::{Record, RecordPages};
pub use replay::ReplaySpeed;
pub use search::{Search, SearchCursor, SearchPage};
pub use suggesting::Suggestions;
pub use summaries::SummaryPage;
pub use views::{AsOf, View};
