//! Serves a folder of files as web pages, with types, entity tags, compression, caching, and
//! headers that isolate pages from other origins.
//!
//! [`Pages`] reads the files once, and [`Site`] has a route for each, so the path of a request
//! never reaches the file system: a test asks for paths that try to.

// The files.
mod folder;

// Their responses.
mod headers;

mod file;

// Their routes.
mod site;

pub use folder::Pages;
pub use headers::Options;
pub use site::Site;

#[cfg(test)]
mod tests;
