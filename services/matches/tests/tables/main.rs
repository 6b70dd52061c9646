//! Tests of the statements of every crate, on the tables of an installation: they survive callers
//! that give up, and fit a database of several nodes; what a process knows of the time.

#![allow(
    clippy::disallowed_methods,
    reason = "tasks end with their test, and a test operates on the database as it likes"
)]

mod cancellation;
mod installation;
#[path = "../../../projector/tests/models/play.rs"]
mod play;
mod sharding;
mod watching;
