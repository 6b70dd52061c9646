//! `croupier retention`: deletes and reduces matches by age.

use keeping::retention::{Outcome, Retention, Rules, Run};
use matches::operators::Act;
use rows::match_name;
use serde_json::json;
use time::Duration;

use super::by_age::{
    age, all_sound, carry_out, not_permitted, print_unsound, spinner, unsound_json,
};
use crate::client::Service;
use crate::failure::Failure;
use crate::print;
use crate::process::installation::Installation;
use crate::process::opening::{DatabaseArgs, refuse_pending};

/// Delete matches that still wait for players, and reduce ended ones to their results, by age
///
/// The players, winners, scores, length and times of a reduced match stay readable, and so do
/// standings; its actions, its messages and its seed are deleted for good. Needs the role that owns
/// the tables. Services may keep running. The next run continues an interrupted one.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("rules").required(true).multiple(true).args(["open", "ended", "idle"])))]
pub struct Args {
    /// Delete matches that have waited for players for this long, such as 30d; units are s, m, h,
    /// d and w
    #[arg(long, value_name = "AGE", value_parser = age)]
    open: Option<Duration>,
    /// Keep only the results of matches that ended this long ago. A match is left alone until its
    /// reveal
    #[arg(long, value_name = "AGE", value_parser = age)]
    ended: Option<Duration>,
    /// List the running matches that have had no action for this long, without changing them
    #[arg(long, value_name = "AGE", value_parser = age)]
    idle: Option<Duration>,
    /// Only matches of this platform [default: of every platform]
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Change nothing, and print what would be done
    #[arg(long)]
    dry_run: bool,
    /// Print the outcome as a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let open = args.database.open_as_it_is(&service.data).await?;
    let done = retain(&args, &open.installation).await;
    open.close().await;
    done
}

async fn retain(args: &Args, installation: &Installation) -> Result<(), Failure> {
    let Installation { store, accounts, archive } = installation;
    refuse_pending(installation.database()).await?;
    let mut platforms = accounts.platforms().await?;
    if let Some(only) = &args.platform {
        platforms.retain(|platform| platform == only);
        if platforms.is_empty() {
            return Err(transfer::Error::UnknownPlatform(only.clone()).into());
        }
    }
    let mut retention = Retention::on(installation.database()).await?;
    if !args.dry_run && !retention.is_permitted().await? {
        return Err(not_permitted("remove"));
    }
    let rules = Rules { open: args.open, ended: args.ended, idle: args.idle };
    let bar = spinner();
    let objects = archive.objects().await?;
    let mut run = Run::new(store, retention, objects, rules, args.dry_run);
    let retaining = run.all(&platforms, |outcome| {
        bar.set_position(outcome.seen);
        bar.set_message(format!("{} deleted, {} reduced", outcome.deleted, outcome.reduced));
    });
    let platform = args.platform.as_deref();
    let act = Act::Retain { platform, open: args.open, ended: args.ended };
    let done = carry_out(installation.database(), args.dry_run, act, retaining).await;
    bar.finish_and_clear();
    // Prints the part that was done, even if the rest failed.
    print_outcome(args, &run.outcome)?;
    let sound = all_sound(&run.outcome.unsound);
    run.close().await;
    done?;
    sound
}

fn print_outcome(args: &Args, it: &Outcome) -> Result<(), Failure> {
    let names = |ids: &[rows::MatchId]| ids.iter().map(|&id| match_name(id)).collect::<Vec<_>>();
    if args.json {
        let outcome = json!({
            "dry_run": args.dry_run,
            "matches": it.seen,
            "deleted": it.deleted,
            "reduced": it.reduced,
            "entries": it.entries,
            "bytes": it.bytes,
            "objects": it.objects,
            "unrevealed": it.unrevealed,
            "idle": names(&it.idle),
            "unsound": unsound_json(&it.unsound),
        });
        return Ok(print::line(&outcome.to_string())?);
    }
    let would = if args.dry_run { "would be " } else { "" };
    let Outcome { deleted, reduced, entries, bytes, unrevealed, .. } = it;
    if args.open.is_some() {
        let deleted = print::count(*deleted, "open match", "open matches");
        print::line(&format!("{deleted} {would}deleted"))?;
    }
    if args.ended.is_some() {
        let reduced = print::count(*reduced, "ended match", "ended matches");
        print::line(&format!(
            "{reduced} {would}reduced to results: {entries} entries, {bytes} bytes"
        ))?;
    }
    if it.objects > 0 {
        print::line(&format!("{} objects of the archive removed", it.objects))?;
    }
    if *unrevealed > 0 {
        let unrevealed = print::count(*unrevealed, "ended match", "ended matches");
        print::line(&format!("{unrevealed} left until revealed"))?;
    }
    for name in names(&it.idle) {
        print::line(&format!("{name} is under way and idle"))?;
    }
    print_unsound(&it.unsound)
}
