//! The foundation of every test: a real Postgres and the real program ([`installation`]), the
//! protocols as bytes ([`wire`]), a client that speaks any of them ([`client`]), one of WebSockets
//! ([`socket`]), players ([`player`]), endpoints of webhooks ([`receiver`]), a NATS server
//! ([`nats`]), ports where nobody listens ([`port`]), the complete truth about a match ([`truth`])
//! and what each viewer may know of it ([`knowledge`]).

mod client;
mod clock;
mod installation;
mod knowledge;
mod nats;
mod player;
mod port;
mod receiver;
mod socket;
mod truth;
mod wire;

pub use client::*;
pub use clock::*;
pub use installation::*;
pub use knowledge::*;
pub use nats::*;
pub use player::*;
pub use port::*;
pub use receiver::*;
pub use socket::*;
pub use test_database::{copy_cluster, new_folder, now};
pub use truth::*;
pub use wire::*;
