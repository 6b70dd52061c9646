//! Commands that play: they create matches, seat players and act. `ask` asks the person.

pub mod act;
pub mod ask;
pub mod create;
pub mod delete;
pub mod invite;
pub mod join;
pub mod leave;
pub mod mcp;
pub mod order;
pub mod play;
pub mod replace;
pub mod seek;
pub mod sign_in;
pub mod token;
pub mod undo;
pub mod update;
pub mod vote;
