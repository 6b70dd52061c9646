//! Callers, and how much of the shared capacity each may use.

mod budgets;
mod caller;
mod counts;
mod fair;
mod limits;

pub use budgets::Budgets;
pub(crate) use budgets::{Lane, OpenStream, StreamKind};
pub use caller::{Caller, Grant, RequestedViewer};
pub use limits::{Limits, NamedLimit};
