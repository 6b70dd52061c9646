//! `croupier agents`: the service's own work, such as timeouts, in a separate process.

use std::time::Duration;

use client::Service;
use projector::Reader;
use tokio_util::sync::CancellationToken;

use crate::deciding::agents::{end_agents, start_agents};
use crate::deciding::bots::Bots;
use crate::deciding::engine::{self, Engine};
use crate::deciding::hints::Hints;
use crate::deciding::peers::Peers;
use crate::deciding::webhooks::Webhooks;
use crate::failure::Failure;
use crate::process::logging::{LogFormat, write_log};
use crate::process::metering::{self, Metering, Sources};
use crate::process::opening::{DatabaseArgs, Migration, Patience};
use crate::process::signals::stop_on_signal;
use crate::process::threads::StoreThread;
use crate::process::vital::Vital;

/// Do the service's own work, such as timeouts and bots' turns, beside any number of processes that
/// also do it
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    database: DatabaseArgs,
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
    let installation = args.database.open_patiently(&service.data, args.patience, hints).await?;
    args.migration.apply(installation.database()).await?;
    let drain = CancellationToken::new();
    let vital = Vital::new(drain.clone());
    let reader = Reader::new(&installation.store, projector::Handle::default());
    let options = engine::Options {
        follow: args.hints.following(),
        peers: Peers::PassOn,
        matches: matches::Options::default(),
    };
    let thread = StoreThread::of_caller();
    let engine =
        Engine::start(&installation, reader.clone(), options, &thread, &vital, drain.clone())
            .await?;
    if let Some(metering) = metering {
        tracing::info!(metrics.address = %metering.address(), "serving metrics");
        let (writer, matches) = (Some(engine.writer.clone()), Some(engine.sink.clone()));
        let sources = Sources { projector: reader, writer, matches };
        let serving = metering.serve(sources, engine.up.clone());
        vital.spawn("metrics", &engine.stop, serving);
    }
    let agents =
        start_agents(&engine.matches, &args.webhooks, args.bots.of_agents(), &vital, &drain);
    let stopping = stop_on_signal(CancellationToken::new(), Duration::ZERO, drain.clone());
    vital.spawn("signals", &drain, stopping);
    tracing::info!("the agents are at work");
    drain.cancelled().await;
    end_agents(agents).await;
    engine.stop().await;
    installation.close().await;
    Ok(vital.check()?)
}
