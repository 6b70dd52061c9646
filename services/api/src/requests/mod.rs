//! Requests in: turns the fields of messages into values of the domain, and refuses a field by its
//! name.
//!
//! Read in this order: resource names ([`names`]), other values ([`values`]), filters of lists
//! ([`filters`]) and their pages ([`pages`]), cursors of streams ([`cursors`]), and the language of
//! a call ([`language`]).

pub(crate) mod cursors;
pub(crate) mod filters;
#[cfg(test)]
pub(crate) mod fuzz;
pub(crate) mod language;
pub(crate) mod names;
pub(crate) mod pages;
pub(crate) mod values;
