//! A database of its own for a test, on a server that concurrent tests of one program share.

mod clock;
mod server;

pub use clock::now;
pub use server::{Server, TestDatabase};
