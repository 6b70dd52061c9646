//! Tests of read models on a real Postgres.

#![allow(clippy::disallowed_methods, reason = "tasks end with their test")]

mod installation;
mod lists;

mod play;
mod standings;
