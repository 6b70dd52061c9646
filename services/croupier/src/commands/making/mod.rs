//! Commands for whoever makes a game: they work on its folder or its module, a file, and need no
//! service.

pub mod arena;
pub mod build;
pub mod check;
pub mod module_file;
pub mod new;
pub mod play;
pub mod simulate;
