//! Answers out: turns values of the domain, redacted for the caller, into messages of the contract.
//!
//! Read in this order:
//!
//! - names and numbers ([`values`])
//! - matches, tables, entries, players and subscriptions, a file each ([`matches`], [`tables`],
//!   [`entries`], [`players`], [`subscriptions`]); what a device answers as well is in the crate
//!   `answers`
//! - derived values: the difference of two tables ([`diff`]), and notices ([`notices`])
//! - pictures ([`images`]), and texts in the caller's language ([`texts`])
//! - what is told when the record went back ([`went_back`])
//! - the bodies of webhooks ([`bodies`]), receipts ([`receipts`]) and the transparency log
//!   ([`transparency`]), which are not answers of rpcs

pub mod bodies;
pub(crate) mod diff;
pub(crate) mod entries;
pub(crate) mod images;
pub(crate) mod matches;
pub(crate) mod notices;
pub(crate) mod players;
pub(crate) mod receipts;
pub(crate) mod subscriptions;
pub(crate) mod tables;
pub(crate) mod texts;
pub(crate) mod transparency;
pub(crate) mod values;
pub(crate) mod went_back;
