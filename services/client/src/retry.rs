//! Retrying calls while the service is unavailable.

use std::time::{Duration, Instant};

use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::error::is_local;

/// How long a call is retried: long enough for the service to be restarted.
const RETRY_MAX: Duration = Duration::from_secs(60);
const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// The pauses between attempts, longer each time, until [`RETRY_MAX`] has passed.
#[derive(Default)]
pub struct Retry {
    since: Option<Instant>,
    pause: Duration,
}

impl Retry {
    /// Waits until the next attempt is due, or returns the status if another attempt is useless.
    pub async fn after(&mut self, status: Status) -> Result<(), Status> {
        let advised = status.get_details_retry_info().and_then(|info| info.retry_delay);
        if !is_temporary(&status) && advised.is_none() {
            return Err(status);
        }
        if self.since.is_none() {
            eprintln!("croupier: {}; retrying", reason(&status));
        }
        if self.since.get_or_insert_with(Instant::now).elapsed() > RETRY_MAX {
            return Err(status);
        }
        self.pause = (self.pause * 2).clamp(PAUSE_MIN, PAUSE_MAX);
        tokio::time::sleep(advised.unwrap_or(self.pause).min(RETRY_MAX)).await;
        Ok(())
    }

    /// Starts over, after an attempt that succeeded.
    pub fn reset(&mut self) {
        if self.since.is_some() {
            eprintln!("croupier: connected again");
        }
        *self = Retry::default();
    }
}

/// Whether the same call may yet succeed.
fn is_temporary(status: &Status) -> bool {
    matches!(status.code(), Code::Unavailable | Code::DeadlineExceeded) || is_local(status)
}

fn reason(status: &Status) -> &str {
    if is_local(status) { "the connection to the service is lost" } else { status.message() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_temporary_failures_are_retried() {
        let mut retry = Retry::default();
        assert!(retry.after(Status::unavailable("the service is stopping")).await.is_ok());
        assert!(retry.after(Status::not_found("there is no such match")).await.is_err());
    }
}
