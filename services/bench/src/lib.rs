//! Measurements of the service, and the data to run them on.
//!
//! Each measurement is a module with its options, `Args`, and a function `run`:
//!
//! - [`actions`]: the rate, latency and CPU cost of actions, and that each is recorded once
//! - [`reads`]: the rate and latency of views
//! - [`watchers`]: how soon watchers receive entries, and the memory of idle streams
//! - [`neighbours`]: the latency of one platform's calls while another one does its worst
//! - [`queries`]: the latency of lists, standings and searches
//! - [`timeouts`]: how soon after their deadlines the timeouts of many matches are recorded
//! - [`idle`]: the CPU and memory of a service that nobody calls
//! - [`push`]: how soon browsers are told of turns
//! - [`export`]: import, export, streaming and views of past positions, on an empty store
//! - [`arena`]: how well and how fast bots play, without any service
//! - [`load`]: fills a store with random matches, for the others
//!
//! # Contract
//!
//! The caller gives the address of the service ([`Service`]) and opens the store on the
//! same database ([`store::Store`]), which it also closes. `run` returns a [`Report`] for the
//! caller to print; a lint of this crate forbids printing here.
//!
//! # What keeps the figures honest
//!
//! Clients on the same processors compete with the service. So everything they send is computed and
//! encoded before the clock starts (`plan`), and they decode only what they check (`connection`).
//! [`actions`] looks up every acknowledged action in the store and measures the store alone beside
//! the service (`record`); [`reads`] and [`watchers`] check the positions they receive.
//!
//! Read in this order: `report`, `service`, `playout`, `usage`, `connection`, `plan`, `drive`,
//! `record`, `parts`, `behind`, `attack`, then one per measurement. `.ci/layers` checks that
//! modules import in one direction.

#![deny(clippy::print_stdout)]

pub mod actions;
pub mod arena;
mod attack;
mod behind;
mod clock;
mod connection;
mod drive;
pub mod export;
pub mod idle;
pub mod load;
pub mod neighbours;
mod parts;
mod plan;
mod playout;
pub mod push;
pub mod queries;
pub mod reads;
mod record;
mod report;
mod service;
pub mod timeouts;
pub mod transparency;
mod usage;
pub mod watchers;

pub use report::{Error, Report};
pub use service::Service;
