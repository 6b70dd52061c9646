//! The messages of `croupier.v1`, with the feature `server` its servers, and with `clients` the
//! clients that tonic generates.

#![allow(
    clippy::all,
    clippy::too_many_lines,
    clippy::allow_attributes_without_reason,
    missing_docs,
    reason = "written by the build from the contract, whose comments are the ones to read"
)]

tonic::include_proto!("croupier.v1");
