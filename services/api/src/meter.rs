//! The metrics of calls and refusals, by name.
//!
//! Labels are methods, codes, domains and reasons, never a value that a caller chose
//! (`metrics_count_everything_and_reveal_no_secret` in `tests/it/metering.rs`). An action sent over
//! a stream is not a call of its own: it is counted as an entry, or as a refusal.

use metrics::counter;
use transcoder::meter::Names;

/// Calls that ended, by `method` and `code`.
pub const REQUESTS: &str = "croupier_requests_total";
/// Durations of unary calls, by `method`.
pub const REQUEST_DURATION: &str = "croupier_request_duration_seconds";
/// Open streams, by `method`.
pub const STREAMS_OPEN: &str = "croupier_streams_open";
/// Open connections of clients.
pub const CONNECTIONS_OPEN: &str = "croupier_connections_open";
/// Refusals, by `domain` (the service, or a game) and `reason`.
pub const REFUSALS: &str = "croupier_refusals_total";

/// The metrics of calls.
pub(crate) const NAMES: Names =
    Names { requests: REQUESTS, request_duration: REQUEST_DURATION, streams_open: STREAMS_OPEN };

/// Counts a refusal as it is made.
pub(crate) fn refused(domain: &str, reason: &'static str) {
    counter!(REFUSALS, "domain" => domain.to_owned(), "reason" => reason).increment(1);
}
