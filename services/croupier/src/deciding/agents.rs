//! The agents: work that the service does by itself.

use std::time::Duration;

use futures::future::BoxFuture;
use matches::{BotOptions, BotPlayers, Matches};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::webhooks::Webhooks;
use crate::process::vital::Vital;

/// Starts the agents, which run until `drain` is cancelled. Returns their tasks.
pub fn start_agents(
    matches: &Matches,
    webhooks: &Webhooks,
    bots: BotOptions,
    vital: &Vital,
    drain: &CancellationToken,
) -> Vec<JoinHandle<()>> {
    let run = |name, agent: BoxFuture<'static, ()>| vital.spawn(name, drain, agent);
    let clock = matches.database().clock();
    let timeouts = agents::Timeouts::new(matches.clone());
    let seatings = agents::Seatings::new(matches.clone());
    let appender = transparency::Appender::new(matches.database());
    let bots = agents::Bots::new(BotPlayers::new(matches.clone(), bots));
    vec![
        run("timeouts", Box::pin(agents::run(timeouts, clock.clone(), drain.clone()))),
        run("webhooks", Box::pin(webhooks.run(matches, drain.clone()))),
        run("push", Box::pin(webhooks.push(matches, drain.clone()))),
        run("seatings", Box::pin(agents::run(seatings, clock.clone(), drain.clone()))),
        run("transparency", Box::pin(appender.run(drain.clone()))),
        run("bots", Box::pin(agents::run(bots, clock.clone(), drain.clone()))),
    ]
}

/// Waits for agents to complete their work in progress, for a limited time.
pub async fn end_agents(agents: Vec<JoinHandle<()>>) {
    let ending = futures::future::join_all(agents);
    let _ = tokio::time::timeout(AGENTS_WAIT, ending).await;
}

/// How long to wait for agents: longer than an attempt takes while the database answers.
const AGENTS_WAIT: Duration = Duration::from_secs(5);
