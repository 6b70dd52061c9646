//! What a command needs that runs until it is stopped, and what it shares with the others.
//!
//! In reading order: `logging` and `signals`; `vital`, tasks whose end is the end of the process;
//! `threads`; `listen`, opening ports; `metering`, metrics for Prometheus; `installation`, what
//! is opened on a database, and `opening`, which every command uses that works on the record.

pub mod installation;
pub mod listen;
pub mod logging;
pub mod metering;
pub mod opening;
pub mod signals;
pub mod threads;
pub mod vital;
