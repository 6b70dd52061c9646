//! The edge: the server on one port, the routing of calls to their services, and the first page.

mod index;
mod routes;
mod server;
mod within;

pub use server::{Options, ServeError, openapi, serve};
pub use within::{Protocol, Within};
