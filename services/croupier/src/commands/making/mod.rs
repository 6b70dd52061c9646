//! Commands for whoever makes a game: they work on its module, a file, and need no service.

pub mod check;
pub mod module_file;
pub mod play;
pub mod simulate;
