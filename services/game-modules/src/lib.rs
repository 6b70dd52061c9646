//! The built-in games as modules, an example each, so that one command compiles them all.

mod about;
mod earlier;

pub use earlier::Earlier;
