//! `croupier archive`: moves matches that ended a while ago to an object store.

use std::path::Path;

use keeping::archiving::{Archiving, Outcome, Rules, Run, make_folder};
use keeping::objects;
use matches::operators::Act;
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

/// Move the content of matches that ended a while ago to a folder or to S3
///
/// Every process that reaches the place serves such matches as before, also one that is running
/// already: the database names the place. Position, time and digest of each entry stay in the
/// database. Content is compressed, read back and verified, as by `croupier verify`, before it is
/// removed from the database. Needs the role that owns the tables. The next run continues an
/// interrupted one.
#[derive(clap::Args)]
pub struct Args {
    /// Archive matches that ended this long ago, such as 90d; units are s, m, h, d and w
    #[arg(long, value_name = "AGE", value_parser = age)]
    older_than: Duration,
    /// The destination, as file:///FOLDER or s3://BUCKET/PREFIX; the folder is created if it does
    /// not exist, and only its owner can read what is written there
    #[arg(long, value_name = "URL")]
    to: String,
    /// The objects of the previous destination were copied to this one
    #[arg(long)]
    moved: bool,
    /// Only matches of this platform [default: of every platform]
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Also list the archive and remove objects that no match needs, which a killed run may have
    /// left. Never use this on a copy of a database whose archive is in use elsewhere
    #[arg(long)]
    sweep: bool,
    /// Do not vacuum; the database's own vacuum later makes the space available to new entries
    #[arg(long)]
    without_vacuum: bool,
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
    if let Some(folder) = objects::folder(&args.to).filter(|_| !args.dry_run) {
        let failed = |source| Failure::Path { path: folder.to_owned(), source };
        let like = if service.data.is_dir() { &service.data } else { Path::new("/") };
        make_folder(folder, like).map_err(failed)?;
    }
    // Nothing is read from it before something has been written to it.
    let archive = Some(args.to.clone()).filter(|_| !args.dry_run);
    let open = args.database.with_archive(archive).open_as_it_is(&service.data).await?;
    let done = archive_matches(&args, &open.installation).await;
    open.close().await;
    done
}

async fn archive_matches(args: &Args, installation: &Installation) -> Result<(), Failure> {
    let Installation { store, accounts, archive } = installation;
    refuse_pending(installation.database()).await?;
    if let Some(only) = &args.platform
        && !accounts.platforms().await?.contains(only)
    {
        return Err(transfer::Error::UnknownPlatform(only.clone()).into());
    }
    let mut archiving = Archiving::on(installation.database()).await?;
    if !args.dry_run && !archiving.is_permitted().await? {
        return Err(not_permitted("change"));
    }
    let rules = Rules {
        older_than: args.older_than,
        platform: args.platform.clone(),
        vacuum: !args.without_vacuum,
        is_moved: args.moved,
        sweep: args.sweep,
    };
    let bar = spinner();
    // A dry run writes to no archive.
    let objects = if args.dry_run { None } else { archive.objects().await? };
    let mut run = Run::new(store, archiving, objects, rules).await?;
    let archiving = run.all(|outcome| {
        bar.set_position(outcome.seen);
        bar.set_message(format!("{} archived", outcome.archived));
    });
    let (platform, older_than) = (args.platform.as_deref(), args.older_than);
    let act = Act::Archive { platform, older_than, to: &args.to };
    let done = carry_out(installation.database(), args.dry_run, act, archiving).await;
    bar.finish_and_clear();
    // Prints the part that was done, even if the rest failed.
    print_outcome(args, &run.outcome)?;
    let sound = all_sound(&run.outcome.unsound);
    run.close().await;
    done?;
    sound
}

fn print_outcome(args: &Args, it: &Outcome) -> Result<(), Failure> {
    let Outcome { seen, archived, entries, bytes, object_bytes, .. } = it;
    let (before, after) = it.table_bytes;
    if args.json {
        let outcome = json!({
            "dry_run": args.dry_run,
            "matches": seen,
            "archived": archived,
            "entries": entries,
            "bytes": bytes,
            "object_bytes": object_bytes,
            "table_bytes_before": before,
            "table_bytes_after": after,
            "removed": it.removed,
            "mended": it.mended,
            "unsound": unsound_json(&it.unsound),
        });
        return Ok(print::line(&outcome.to_string())?);
    }
    let would = if args.dry_run { "would be " } else { "" };
    print::line(&format!(
        "{} {would}archived: {entries} entries, {bytes} bytes of the database, {object_bytes} bytes \
         in the archive",
        print::count(*archived, "match", "matches")
    ))?;
    if !args.dry_run {
        print::line(&format!("the table of entries had {before} bytes and has {after}"))?;
    }
    if it.mended > 0 {
        print::line(&format!(
            "{} files and folders of the archive could be read by other users, and cannot any more",
            it.mended
        ))?;
    }
    for object in &it.removed {
        print::line(&format!("{object} is removed: no match needs it"))?;
    }
    print_unsound(&it.unsound)
}
