//! `croupier agents`: the service's own work, such as timeouts, in a separate process.

use std::time::Duration;

use projector::Reader;
use tokio_util::sync::CancellationToken;

use crate::client::Service;
use crate::deciding::agents::{end_agents, start_agents};
use crate::deciding::bots::Bots;
use crate::deciding::engine::{Engine, Prepared};
use crate::deciding::hints::Hints;
use crate::deciding::peers::Peers;
use crate::deciding::webhooks::Webhooks;
use crate::failure::Failure;
use crate::process::logging::{LogFormat, write_log};
use crate::process::metering::{self, Metering, Sources};
use crate::process::opening::{DatabaseArgs, Migration};
use crate::process::patience::Patience;
use crate::process::readiness::Telling;
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
    let drain = CancellationToken::new();
    let vital = Vital::new(drain.clone());
    let telling = Telling::start();
    let source = Metering::serve_early(&args.metering, &telling, &vital, &drain).await?;
    let (hints, patience) = (args.hints.options()?, args.patience);
    let opening = args.database.open_patiently(&service.data, patience, args.migration, hints);
    let installation = opening.await?;
    let reader = Reader::new(&installation.store, projector::Handle::default());
    let (following, options) = (args.hints.following(), matches::Options::default());
    let prepare = async || Prepared::read(&installation, following, &options).await;
    let prepared = patience.retry(prepare).await?;
    let thread = StoreThread::of_caller();
    let engine = Engine::start(
        &installation,
        prepared,
        reader.clone(),
        Peers::PassOn,
        &thread,
        &vital,
        drain.clone(),
    );
    if let Some(source) = source {
        let (writer, matches) = (Some(engine.writer.clone()), Some(engine.sink.clone()));
        source.set(Sources { disk: None, projector: reader, writer, matches });
    }
    let nodes = installation.store.database().watch_nodes();
    telling.follow(
        engine.condition.clone(),
        nodes,
        CancellationToken::new(),
        drain.clone(),
        &vital,
    );
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
