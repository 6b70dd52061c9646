//! Options of the bots that the service plays for.

use std::num::NonZero;
use std::time::Duration;

use matches::BotOptions;

#[derive(Debug, clap::Args)]
pub struct Bots {
    /// How many bots think at once, each on a thread of its own [default: half of the processors]
    #[arg(long, env = "CROUPIER_BOT_THREADS", value_name = "N")]
    bot_threads: Option<NonZero<usize>>,

    /// How long a bot may think about a decision, in milliseconds
    #[arg(long, env = "CROUPIER_BOT_THINK_MS", value_name = "MS", default_value_t = 200,
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    bot_think_ms: u32,

    /// The shortest time between an action and a bot's next one, in milliseconds, so that people
    /// can follow
    #[arg(long, env = "CROUPIER_BOT_PACE_MS", value_name = "MS", default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=60_000))]
    bot_pace_ms: u32,
}

impl Bots {
    /// For a process that serves. It takes the turns in its own matches at once, and those in other
    /// processes' matches after a delay.
    pub fn of_server(&self) -> BotOptions {
        let usual = BotOptions::default();
        BotOptions {
            threads: self.bot_threads.unwrap_or(usual.threads),
            think: Duration::from_millis(self.bot_think_ms.into()),
            pace: Duration::from_millis(self.bot_pace_ms.into()),
            patience: usual.patience,
        }
    }

    /// For a process without matches of its own. It takes every turn at once.
    pub fn of_agents(&self) -> BotOptions {
        BotOptions { patience: Duration::ZERO, ..self.of_server() }
    }
}
