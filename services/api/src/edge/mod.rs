//! The edge: the server on one port, the routing of calls to their services, the first page, and
//! links that unfurl.

mod html;
mod index;
mod routes;
mod server;
mod unfurl;
mod within;

pub use server::{Options, ServeError, openapi, serve};
pub use within::{Protocol, Within};
