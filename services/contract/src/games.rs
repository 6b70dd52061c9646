//! The actions of each game as messages: a module for each, with the name of its field in
//! `croupier.v1.Action`, and `table` for the actions of every game. All of them convert to an
//! [`Action`].

#![allow(
    clippy::all,
    clippy::too_many_lines,
    clippy::allow_attributes_without_reason,
    missing_docs,
    reason = "written by the build from the contract, whose comments are the ones to read"
)]

use crate::action::Action;

// For every field of `croupier.v1.Action`.
include!(concat!(env!("OUT_DIR"), "/games.rs"));
