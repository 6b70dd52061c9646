//! The commands besides `serve`, one module each.

mod arguments;
pub mod auditing;
mod duration;
pub mod files;
pub mod looking;
pub mod making;
pub mod measuring;
pub mod operating;
pub mod playing;
