//! A database of its own for a test, on a server that concurrent tests of one program share.

mod citus;
mod clock;
mod cluster;
mod server;

pub use citus::{Citus, CitusNode};
pub use clock::now;
pub use cluster::{copy_cluster, copy_prepared, new_folder};
pub use server::{Server, TestDatabase};
