//! Options of hints, by which processes learn of each other's entries at once.

use std::time::Duration;

use event_log::{follow, hints};

use crate::process::opening::Error;

#[derive(Clone, Debug, clap::Args)]
pub struct Hints {
    /// How processes notify each other of new entries: `notify`, through the database; the servers
    /// of a NATS cluster, each as nats://user:password@host:4222 or tls://host; or both, separated
    /// by commas
    ///
    /// Hints only reduce latency: without them, or while a server is unavailable, processes poll
    /// every second.
    #[arg(
        long,
        value_name = "WAYS",
        env = "CROUPIER_HINTS",
        hide_env_values = true,
        default_value = "notify"
    )]
    hints: String,

    /// Neither send nor receive hints; processes then poll for new entries every second
    #[arg(long, env = "CROUPIER_WITHOUT_HINTS", conflicts_with = "hints")]
    without_hints: bool,

    /// Poll at this interval in seconds, to test hints
    #[arg(long, value_name = "SECONDS", hide = true)]
    poll_s: Option<u64>,
}

impl Hints {
    pub fn options(&self) -> Result<hints::Options, Error> {
        if self.without_hints { Ok(hints::Options::none()) } else { Ok(self.hints.parse()?) }
    }

    pub fn following(&self) -> follow::Options {
        let standard = follow::Options::default();
        let poll_wait = self.poll_s.map_or(standard.poll_wait, Duration::from_secs);
        follow::Options { poll_wait }
    }
}
