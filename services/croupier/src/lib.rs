//! One binary: it serves, and it is a client of what it serves.

pub mod cli;
pub mod client;
pub mod commands;
pub mod data;
pub mod database;
pub mod file;
pub mod metering;
pub mod narration;
pub mod postgres;
pub mod print;
pub mod serve;
mod threads;
