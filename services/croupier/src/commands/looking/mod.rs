//! Commands that only read from a service, except for `croupier player --erase`.

pub mod entries;
pub mod game;
pub mod games;
pub mod lobby;
pub mod matches;
pub mod openapi;
pub mod player;
pub mod rules;
pub mod standings;
pub mod view;
pub mod watch;
