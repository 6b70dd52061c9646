//! Callers, and how much of the shared capacity each may use.

mod budgets;
mod caller;
mod counts;
mod fair;
mod holder;
mod limits;
mod pace;
mod turns;
mod workers;

pub use budgets::{Budgets, Payment};
pub(crate) use budgets::{Lane, OpenStream, StreamKind};
pub use caller::{Caller, CheckedRight, Grant, RequestedViewer};
pub(crate) use fair::Slot;
pub use limits::{Limits, NamedLimit};
pub use workers::cpu_time;
