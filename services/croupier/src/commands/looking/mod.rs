//! Commands that show what a service has. Only `croupier player --erase` changes anything.

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
