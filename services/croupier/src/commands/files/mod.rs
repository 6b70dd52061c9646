//! Commands about whole matches in files: out of a database, into one, printed and verified.

pub mod export;
pub mod import;
pub mod replay;
pub mod verify;
