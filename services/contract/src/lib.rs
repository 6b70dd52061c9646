//! The contract of the service: the messages of clients, generated from `proto/`.
//!
//! It stands alone, so that a client needs no part of the service.
//!
//! Read in this order: the messages, services and clients ([`v1`]), an action of any game
//! ([`Action`]), the descriptors ([`descriptors()`]), resource names ([`names`]), the catalogue of
//! reasons why calls fail ([`reasons`]), and the requests that ask for texts ([`InWords`]).

mod action;
mod descriptors;
pub mod names;
pub mod reasons;
pub mod v1;
mod words;

pub use action::Action;
pub use descriptors::{FILE_DESCRIPTOR_SET, comment_of, descriptors, json_of};
pub use words::InWords;
