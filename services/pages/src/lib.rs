//! Serves a folder of files as web pages, with types, entity tags, compression, caching, and
//! headers that isolate pages from other origins.
//!
//! [`Pages`] reads the files once, and [`Site`] has a route for each, so the path of a request
//! never reaches the file system: a test asks for paths that try to.
//!
//! # Invariants
//!
//! - No page has the path of a call: `pages::no_page_hides_a_path_of_the_api`.
//! - A page loads and calls only its own origin, and only the operator's list may frame it:
//!   `pages::a_page_may_do_little_and_is_framed_by_whom_the_operator_names`.

// The files.
mod folder;

// Their responses.
mod headers;

mod file;

// Their routes.
mod site;

pub use folder::Pages;
pub use headers::{Options, framed_by};
pub use site::Site;

#[cfg(test)]
mod tests;
