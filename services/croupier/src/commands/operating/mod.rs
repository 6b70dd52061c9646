//! Commands for operators: processes of the service, its platforms, and its database.

pub mod agents;
pub mod archive;
mod by_age;
pub mod completions;
pub mod migrate;
pub mod modules;
pub mod operator;
pub mod platform;
pub mod project;
mod publishing;
pub mod retention;
pub mod term;
pub mod transparency;
