//! A database of its own for a test, on a server that concurrent tests of one program share.

mod server;

pub use server::{Server, TestDatabase};
