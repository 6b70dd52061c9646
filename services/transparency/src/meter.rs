//! The names of metrics.

/// The leaves that were due when a process last looked, by process.
pub const LEAVES_DUE: &str = "croupier_log_leaves_due";

/// For how long the oldest of them had been due.
pub const LEAVES_LATE: &str = "croupier_log_leaves_late_seconds";

/// Whether a witness cosigned the last checkpoint for which it was asked, by witness.
pub const WITNESS_UP: &str = "croupier_log_witness_up";
