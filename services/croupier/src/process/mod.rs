//! Parts of long-running commands, and parts that they share with the others.
//!
//! In reading order: `logging` and `signals`; `vital`, tasks whose end ends the process;
//! `threads`; `listen`, opening ports; `readiness`; `metering`, metrics for Prometheus, and
//! `totals`, those that operators see without one; `installation`, the handles on a database;
//! `keys`, its own; `acts`, the log of what operators do; `built_in`, the modules of its games;
//! `patience`, waiting for one, and `opening`, for every command that works on the record.

pub mod acts;
pub mod alerts;
pub mod built_in;
pub mod installation;
pub mod keys;
pub mod listen;
pub mod logging;
pub mod metering;
pub mod opening;
pub mod patience;
pub mod readiness;
pub mod signals;
pub mod threads;
pub mod told;
pub mod totals;
pub mod vital;
