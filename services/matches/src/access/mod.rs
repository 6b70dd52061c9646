//! Callers, and how much of the shared capacity each may use.

mod budgets;
mod caller;
mod company;
mod counts;
mod fair;
mod holder;
mod limits;
mod turns;
mod workers;

pub use budgets::Budgets;
pub(crate) use budgets::{Lane, OpenStream, StreamKind};
pub use caller::{Caller, CheckedRight, Grant, Invitation, RequestedViewer};
pub use fair::Slot;
pub use limits::{Limits, NamedLimit};
