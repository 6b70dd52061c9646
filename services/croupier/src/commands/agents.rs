//! `croupier agents`: what the service does by itself, in a process of its own.

use std::time::Duration;

use client::Service;
use projector::Reader;
use tokio_util::sync::CancellationToken;

use crate::bots::Bots;
use crate::core::{self, Core, end_agents, start_agents};
use crate::database::{Database, Migration, Patience};
use crate::failure::Failure;
use crate::hinting::Hints;
use crate::metering::{self, Metering, Sources};
use crate::peering::Peers;
use crate::process::{LogFormat, stop_on_signal, write_log};
use crate::pushing::Webhooks;
use crate::threads::StoreThread;
use crate::vital::Vital;

/// Do what the service does by itself, such as timeouts, besides any number of processes that do so
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    patience: Patience,
    #[command(flatten)]
    hints: Hints,
    #[command(flatten)]
    migration: Migration,
    #[command(flatten)]
    webhooks: Webhooks,
    #[command(flatten)]
    bots: Bots,
    #[command(flatten)]
    metering: metering::Listen,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    write_log(LogFormat::Text);
    let metering = Metering::begin(&args.metering).await?;
    let hints = args.hints.options()?;
    let store = args.database.open_patiently(&service.data, args.patience, hints).await?;
    args.migration.apply(&store).await?;
    let drain = CancellationToken::new();
    let vital = Vital::new(drain.clone());
    let reader = Reader::new(&store, projector::Handle::default());
    let options = core::Options {
        follow: args.hints.following(),
        peers: Peers::PassOn,
        matches: matches::Options::default(),
    };
    let thread = StoreThread::of_caller();
    let core = Core::start(&store, reader.clone(), options, &thread, &vital, drain.clone()).await?;
    if let Some(metering) = metering {
        tracing::info!(metrics.address = %metering.address(), "serving metrics");
        let (writer, matches) = (Some(core.writer.clone()), Some(core.sink.clone()));
        let sources = Sources { projector: reader, writer, matches };
        let serving = metering.serve(sources, core.up.clone());
        tokio::spawn(vital.clone().run("metrics", core.stop.clone(), serving));
    }
    let budgets = core.matches.budgets().clone();
    tokio::spawn(budgets.run(store.clone(), drain.clone()));
    let agents = start_agents(&core.matches, &args.webhooks, args.bots.of_agents(), &vital, &drain);
    tokio::spawn(stop_on_signal(CancellationToken::new(), Duration::ZERO, drain.clone()));
    tracing::info!("the agents are at work");
    drain.cancelled().await;
    end_agents(agents).await;
    core.stop().await;
    store.close().await;
    Ok(vital.check()?)
}
