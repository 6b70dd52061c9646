//! The service over gRPC: credentials become a caller, messages of the contract become calls of use
//! cases, and their results become messages again. Other protocols become gRPC in the crate
//! [`transcoder`].
//!
//! Read in this order:
//!
//! - `requests`: names and values in, page tokens and cursors
//! - `answers`: matches, tables, entries, games out, and their texts
//! - [`auth`]: callers and credentials
//! - `services`: one file per gRPC service
//! - `edge`: the server, and the first page
//! - `error`: statuses of failures; [`meter`]: the metrics of calls and refusals

mod answers;
pub mod auth;
mod edge;
mod error;
pub mod meter;
mod requests;
mod services;
mod version;

pub use answers::bodies;
pub use answers::entries::entry_of;
pub use answers::receipts::{MakeKeyError, NoRandomness, make_receipt_key, new_receipt_key};
pub use answers::tables::view_of;
pub use auth::{ApiKey, Auth, NoCode, NoKey, OperatorKey, SIGN_IN_LIFETIME, SignInCode};
pub use edge::{Options, Protocol, ServeError, Within, openapi, serve};
pub use error::chain as error_chain;
pub use services::MetricsSource;
pub use transcoder::{ClientHeader, Connection, Network, Proxies, health, read_proxy_header};
pub use version::VERSION;
