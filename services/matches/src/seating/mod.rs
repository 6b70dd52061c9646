//! How players get seats, and leave them before the deal.
//!
//! # The last seat
//!
//! Taking the last seat ends the time before the deal. Other calls may contribute, leave or delete
//! the match at the same moment, and the row of the match orders them: taking a seat and
//! contributing share a lock on it, leaving and deleting exclude all others. Each is one statement
//! that acts only if a seat is still open (a contribution: if the player still has the seat), and
//! its caller reads the record afterwards to tell the outcome. The modules here rely on that and
//! add no locks of their own. The tests are `of_joins_and_deletions_one_succeeds` in
//! `tests/it/retention.rs`, `of_one_who_leaves_and_one_who_takes_the_last_seat_one_succeeds` and
//! `what_is_contributed_while_a_player_leaves_goes_with_the_player` in `tests/it/staying.rs`, and
//! `a_contribution_counts_or_is_refused` in `tests/it/contributions.rs`.
//!
//! The first caller that finds a full match deals it: see [`crate::finding`].

mod bots;
mod contributions;
mod create;
mod importing;
mod invitations;
mod join;
mod leaving;
mod lobby;
mod new_match;
mod pairing;
mod request_digest;
mod seeks;
mod series;
mod speech;
mod substitutes;

pub use contributions::Commitment;
pub use create::BatchError;
pub use importing::Giver;
pub use invitations::{NewGuest, SeatedGuest};
pub use join::{Joined, NewPlayer};
pub use new_match::NewMatch;
pub use seeks::{NewSeek, Seating, Seek, SeekCursor};
pub use substitutes::NewSubstitute;
