//! Options of hints: how processes learn at once of each other's entries.

use std::time::Duration;

use event_log::{follow, hints};

use crate::process::opening::Error;

#[derive(Clone, Debug, clap::Args)]
pub struct Hints {
    /// How processes tell each other at once of new entries: `notify`, by the database; the servers
    /// of a NATS cluster, each as nats://user:password@host:4222 or tls://host; or both, separated
    /// by commas
    ///
    /// Hints save a wait and are needed for nothing else: without them, or while a server is away,
    /// processes poll every second.
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

    /// Poll this often, to try what hints do
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
