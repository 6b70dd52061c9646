//! Read models on a real Postgres: what follows from the rows that the projector reads and writes.

#![allow(clippy::disallowed_methods, reason = "tasks end with their test")]

mod installation;
mod lists;

mod play;
mod standings;
