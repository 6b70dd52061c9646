//! What every test stands on: a real Postgres and the real program ([`house`]), the protocols as bytes ([`wire`]), a client that
//! speaks any of them ([`client`]), players ([`player`]), and what really happened ([`truth`]).

mod client;
mod house;
mod player;
mod truth;
mod wire;

pub use client::*;
pub use house::*;
pub use player::*;
pub use truth::*;
pub use wire::*;
