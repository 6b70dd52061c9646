//! `croupier project`: keeps the projections current, or rebuilds one.

use std::time::Duration;

use event_log::hints;
use indicatif::{ProgressBar, ProgressStyle};
use matches::operators::Act;
use projector::{Model, Rebuilt};
use rows::match_name;
use serde_json::json;
use store::Store;
use time::format_description::well_known::Rfc3339;
use tokio_util::sync::CancellationToken;

use crate::client::Service;
use crate::failure::Failure;
use crate::print;
use crate::process::acts;
use crate::process::logging::{LogFormat, write_log};
use crate::process::metering::{self, Metering, Sources};
use crate::process::opening::{DatabaseArgs, Migration, batched_reads};
use crate::process::patience::Patience;
use crate::process::readiness::Telling;
use crate::process::signals::stop_on_signal;
use crate::process::vital::Vital;

/// Keep the projections current, beside any number of processes that serve or project
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    patience: Patience,
    #[command(flatten)]
    migration: Migration,
    #[command(flatten)]
    metering: metering::Listen,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(clap::Subcommand)]
enum What {
    Rebuild(Rebuild),
    Unreadable(Unreadable),
}

/// List the matches that projections skip because a release could not read one of their entries
///
/// A newer release recorded the entry, or it is damaged. Every process that projects tries these
/// matches again when it starts and once a minute, so those of a newer release disappear from this
/// list after an upgrade.
#[derive(clap::Args)]
struct Unreadable {
    /// Print each match as a line of JSON
    #[arg(long)]
    json: bool,
}

/// Rebuild a projection from the first entry, and switch to it when it is complete
///
/// Until then queries use the old one, which stays current. A new rebuild replaces an unfinished
/// rebuild of the same projection.
#[derive(clap::Args)]
struct Rebuild {
    /// The projection
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(Model::ALL.map(Model::name)))]
    name: String,
    /// Print the outcome as a JSON object
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let Some(what) = args.what else { return project(args, service).await };
    let installation = args.database.open(&service.data).await?;
    args.migration.apply(installation.database()).await?;
    let store = &installation.store;
    let done = match what {
        What::Rebuild(args) => rebuild(store, &args).await,
        What::Unreadable(args) => unreadable(store, &args).await,
    };
    installation.close().await;
    done
}

async fn project(args: Args, service: &Service) -> Result<(), Failure> {
    write_log(LogFormat::Text);
    let drain = CancellationToken::new();
    let vital = Vital::new(drain.clone());
    let telling = Telling::start();
    let source = Metering::serve_early(&args.metering, &telling, &vital, &drain).await?;
    let hints = hints::Options::none();
    let opening = args.database.open_patiently(&service.data, args.patience, args.migration, hints);
    let installation = opening.await?;
    let store = &installation.store;
    let probe = database::probe::Service::new(store.database());
    let handle = projector::Handle::default();
    let projector = projector::Service::new(store, projector::Options::default(), handle.clone());
    if let Some(source) = source {
        let projector = projector::Reader::new(store, handle);
        source.set(Sources { disk: None, projector, writer: None, matches: None });
    }
    let nodes = store.database().watch_nodes();
    telling.follow(probe.condition(), nodes, CancellationToken::new(), drain.clone(), &vital);
    vital.spawn("probe", &drain, probe.run(drain.clone()));
    vital.spawn("batched reads", &drain, batched_reads(store.clone(), drain.clone()));
    let stopping = stop_on_signal(CancellationToken::new(), Duration::ZERO, drain.clone());
    vital.spawn("signals", &drain, stopping);
    tracing::info!("projecting");
    vital.clone().run("projector", drain.clone(), projector.run(drain)).await;
    installation.close().await;
    Ok(vital.check()?)
}

async fn unreadable(store: &Store, args: &Unreadable) -> Result<(), Failure> {
    let reader = projector::Reader::new(store, projector::Handle::default());
    let matches = reader.unreadable().await?;
    if matches.is_empty() && !args.json {
        return Ok(print::line("every match can be read")?);
    }
    for it in matches {
        let name = match_name(it.match_id);
        let found = it.find_time.format(&Rfc3339).expect("times are of this era");
        if args.json {
            let line = json!({
                "match": name,
                "platform": it.platform,
                "game": it.game,
                "position": it.position.0,
                "reason": it.reason,
                "find_time": found,
                "projections": it.models,
            });
            print::line(&line.to_string())?;
        } else {
            print::line(&format!(
                "{name} of platform {} ({}): entry {}, {}; found {found}; skipped by {}",
                it.platform,
                it.game,
                it.position.0,
                it.reason,
                it.models.join(", "),
            ))?;
        }
    }
    Ok(())
}

async fn rebuild(store: &Store, args: &Rebuild) -> Result<(), Failure> {
    let model = Model::from_name(&args.name).expect("the parser accepts only these names");
    let style = "{bar:40} {human_pos} of {human_len} entries, {per_sec}, {eta} left";
    let style = ProgressStyle::with_template(style).expect("the template is valid");
    // On standard error, and only if that is a terminal.
    let bar = ProgressBar::new(0).with_style(style);
    let rebuilding = projector::rebuild(store, model, |taken, total| {
        bar.set_length(total);
        bar.set_position(taken);
    });
    let act = Act::RebuildProjection { projection: &args.name };
    let rebuilt = acts::carry_out(store.database(), act, rebuilding).await?;
    bar.finish_and_clear();
    let Rebuilt { generation, entries, took } = rebuilt;
    let entries_per_second = (entries as f64 / took.as_secs_f64()) as u64;
    if args.json {
        let outcome = json!({
            "projection": args.name,
            "generation": generation,
            "entries": entries,
            "took_ms": took.as_millis() as u64,
            "entries_per_second": entries_per_second,
        });
        return Ok(print::line(&outcome.to_string())?);
    }
    Ok(print::line(&format!(
        "{}: now reading generation {generation}; {entries} entries projected, {entries_per_second} per second",
        args.name
    ))?)
}
