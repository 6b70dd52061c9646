//! Callers, and how much of the shared capacity each may use.

mod budgets;
mod caller;
mod counts;
mod fair;
mod gate;
mod holder;
mod limits;
mod turns;
mod workers;

pub use budgets::Budgets;
pub(crate) use budgets::{Lane, OpenStream, StreamKind};
pub use caller::{Caller, CheckedRight, Grant, RequestedViewer};
pub(crate) use fair::Slot;
pub use gate::Gate;
pub use limits::{Limits, NamedLimit};
