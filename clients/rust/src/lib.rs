//! The Rust client of Croupier, a game-state service for tabletop matches. It knows no game:
//! everything it shows comes from the service.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use croupier_client::{Croupier, Options, v1::CreateMatchRequest};
//!
//! let options = Options { credentials: "the API key".into(), ..Options::default() };
//! let croupier = Croupier::connect("http://127.0.0.1:7710", options)?;
//! let request = CreateMatchRequest {
//!     game: "mountebank".into(),
//!     seats: 2,
//!     bots: vec!["search".into(), "heuristic".into()],
//!     ..CreateMatchRequest::default()
//! };
//! let created = croupier.matches().create(request).await?;
//! let mut entries = croupier.match_named(&created.name).watch();
//! while let Some(entry) = entries.next().await? {
//!     println!("{}", entry.verb);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! [`Croupier`] is the client, with a handle of each thing that can be called; [`Options`] say how
//! it calls. A [`Call`] is made when it is awaited; lists are [`Pages`], and
//! streams that resume are [`Resumed`] and [`Entries`]. Everything fails with a [`Refusal`].
//! [`Live`] keeps a table with a [`Fold`] of entries. [`Play`] sends the actions of many
//! matches over one stream. The messages are in [`v1`], the actions of each game in [`actions`].
//!
//! Features: `verify` checks records of matches, and compiles the rules of all games for it;
//! `webhooks` reads the messages that the service sends to an endpoint.
//!
//! Read in this order: `names`, `refusal`, `backoff`, `credentials`, `options`, `calls`; `call`,
//! `pages`, `resumed`, `record`, `play`, `fold`; the handles `games`, `match_handle` and `live`,
//! `matches`, `players`, `streams`, `history`; `croupier`.

#![warn(missing_docs)]

mod backoff;
mod call;
mod calls;
mod credentials;
mod croupier;
mod fold;
mod games;
mod history;
#[cfg(feature = "verify")]
pub mod keeping;
mod live;
mod match_handle;
mod matches;
mod names;
mod options;
mod pages;
mod play;
mod players;
mod record;
mod refusal;
mod resumed;
mod streams;
#[cfg(feature = "verify")]
pub mod verify;
#[cfg(feature = "webhooks")]
pub mod webhooks;

pub use call::Call;
pub use contract::{
    Action, InWords, Rpc, ServerStreaming, Unary, duration, games as actions, seconds, v1,
};
pub use credentials::Credentials;
pub use croupier::Croupier;
pub use fold::{Fold, FoldError};
pub use games::Games;
pub use history::History;
pub use live::{Change, Live};
pub use match_handle::{MatchHandle, MatchUpdate};
pub use matches::Matches;
pub use options::{ConnectError, Listener, Options};
pub use pages::{Paged, Pages};
pub use play::{Outcome, Play};
pub use players::{PlayerHandle, Seeks};
pub use refusal::Refusal;
pub use resumed::{Entries, HasEntries, Resume, Resumed};
pub use streams::{Consumer, Streams, SubscriptionHandle, SubscriptionUpdate};
pub use tonic::Code;
