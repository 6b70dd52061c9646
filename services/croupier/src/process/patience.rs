//! Waiting, when a long-running command starts, for what others must do first: an operator, or a
//! database that is starting.

use std::time::{Duration, Instant};

/// How long a long-running command waits for its database.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Patience {
    /// How long to wait at startup, in seconds, for a database that does not answer, accepts no
    /// connections or no writes, or has no room on its disk [default: as long as it takes]
    #[arg(long, value_name = "SECONDS", env = "CROUPIER_CONNECT_WAIT_S")]
    connect_wait_s: Option<u64>,
}

/// A failure that may pass.
pub trait Passing: std::error::Error + 'static {
    /// What another attempt waits for; `None` if it would fail alike until somebody changes the
    /// configuration.
    fn waits_for(&self) -> Option<String>;
}

/// The pause between attempts.
const ATTEMPT_PAUSE: Duration = Duration::from_millis(250);
/// How often the wait is logged.
const NOTICE_PAUSE: Duration = Duration::from_secs(30);

impl Patience {
    /// A wait that is bounded by itself too.
    pub fn at_most(self, longest: Duration) -> Duration {
        self.connect_wait_s.map_or(longest, |wait_s| longest.min(Duration::from_secs(wait_s)))
    }

    /// Repeats an attempt until it succeeds, as long as its failures may pass.
    pub async fn retry<T, E: Passing>(
        self,
        mut attempt: impl AsyncFnMut() -> Result<T, E>,
    ) -> Result<T, E> {
        let began = Instant::now();
        let wait = self.connect_wait_s.map(Duration::from_secs);
        let mut noticed: Option<(Instant, String)> = None;
        loop {
            let (error, what) = match attempt().await {
                Ok(done) => {
                    if noticed.is_some() {
                        tracing::info!("waited for {} s, and go on", began.elapsed().as_secs());
                    }
                    return Ok(done);
                }
                Err(error) => match error.waits_for() {
                    Some(what) => (error, what),
                    None => return Err(error),
                },
            };
            let left = wait.map(|wait| wait.saturating_sub(began.elapsed()));
            if left.is_some_and(|left| left.is_zero()) {
                tracing::error!("waited for {what} for {} s, in vain", began.elapsed().as_secs());
                return Err(error);
            }
            let is_known = |(time, before): &(Instant, String)| {
                time.elapsed() < NOTICE_PAUSE && *before == what
            };
            if !noticed.as_ref().is_some_and(is_known) {
                let most = left.map(|left| format!(", for {} s at most", left.as_secs()));
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "waiting for {what}{}",
                    most.unwrap_or_default(),
                );
                noticed = Some((Instant::now(), what));
            }
            tokio::time::sleep(ATTEMPT_PAUSE).await;
        }
    }
}
