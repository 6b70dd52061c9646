//! Commands about whole matches in files: export, import, replay and verification.

pub mod export;
pub mod import;
pub mod replay;
pub mod verify;
