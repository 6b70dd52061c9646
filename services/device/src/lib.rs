//! Matches on a player's own device, without a service: dealt, played against bots, told in words
//! and recorded by the service's own code. A host gives it the requests of the contract that a
//! table makes, and it answers as a service does.
//!
//! It reads no clock and no randomness (`clippy.toml`): the time and the chance of bots come with
//! each request, and the seed with each match.
//!
//! In reading order: refusals, a match in play, the matches of a device, their records, their bots,
//! lists of actions, the calls, and what a service is given. A device holds whole matches, so it is
//! no safer from its owner than a deck of cards; its answers tell what a seat sees.
//!
//! # Invariants
//!
//! - A person sees what the seat sees (`tests::a_person_sees_what_the_seat_sees`).
//! - The record of a match that has ended is proven by every verifier
//!   (`tests::a_match_against_bots_is_proven`).
//! - From the table that a service told a seat, the device lists what the service lists
//!   (`tests::a_list_from_a_told_table_is_the_services`).
//! - A service plays a match again from what it is given, to the same digest
//!   (`tests::a_match_that_is_given_is_played_again`).

mod refusal;

mod played;

mod device;

mod record;

mod thinking;

mod listing;

mod calls;

mod given;

#[cfg(test)]
mod tests;

pub use calls::Watched;
pub use device::{Call, Device, Thought};
pub use given::{Given, NotProven};
pub use listing::Listing;
pub use played::{New, NewSeat, Played};
pub use refusal::Refusal;
