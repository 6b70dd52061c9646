//! `croupier retention`: deletes and reduces matches by age.

use api::match_name;
use client::Service;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use store::Store;
use time::Duration;

use crate::database::Database;
use crate::failure::Failure;
use crate::print;
use crate::retention::{Outcome, Rules, Run};

/// Delete open matches that nobody joined, and reduce ended ones to their results, by age
///
/// Of a reduced match players, winners, scores, length and times stay readable, and so do
/// standings; what was played, what was said and the seed are gone for good. Needs the role that
/// owns the tables. Services may run meanwhile. A run that was interrupted is continued by the
/// next one.
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("rules").required(true).multiple(true).args(["open", "ended", "idle"])))]
pub struct Args {
    /// Delete matches that have waited for players for this long, such as 30d; units are s, m, h
    /// and d
    #[arg(long, value_name = "AGE", value_parser = age)]
    open: Option<Duration>,
    /// Keep only the results of matches that ended this long ago. A match whose reveal is still to
    /// come is left until then
    #[arg(long, value_name = "AGE", value_parser = age)]
    ended: Option<Duration>,
    /// Name the matches under way that have had no action for this long; nothing is done to them
    #[arg(long, value_name = "AGE", value_parser = age)]
    idle: Option<Duration>,
    /// Only matches of this platform [default: of every platform]
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Change nothing, and tell what would be done
    #[arg(long)]
    dry_run: bool,
    /// Print the outcome as a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

/// A hundred years.
const AGE_MAX_S: i64 = 100 * 366 * 24 * 60 * 60;

pub(super) fn age(text: &str) -> Result<Duration, String> {
    let (number, unit_s) = match text.char_indices().next_back() {
        Some((at, 's')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 'h')) => (&text[..at], 60 * 60),
        Some((at, 'd')) => (&text[..at], 24 * 60 * 60),
        _ => ("", 1),
    };
    let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
    let number = number.parse::<i64>().ok().filter(|_| is_number);
    let number = number.ok_or("write a number and a unit, such as 90s, 15m, 12h or 30d")?;
    let seconds = number.checked_mul(unit_s).filter(|seconds| (1..=AGE_MAX_S).contains(seconds));
    let seconds = seconds.ok_or("an age is from 1s to 36600d")?;
    Ok(Duration::seconds(seconds))
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let open = args.database.open_as_it_is(&service.data).await?;
    let done = retain(&args, &open.store).await;
    open.close().await;
    done
}

async fn retain(args: &Args, store: &Store) -> Result<(), Failure> {
    let pending = store.pending_migrations().await?;
    if !pending.is_empty() {
        return Err(crate::database::Error::Pending(pending).into());
    }
    let mut platforms = store.platforms().await?;
    if let Some(only) = &args.platform {
        platforms.retain(|platform| platform == only);
        if platforms.is_empty() {
            return Err(archive::Error::UnknownPlatform(only.clone()).into());
        }
    }
    let mut retention = store.retention().await?;
    if !args.dry_run && !retention.is_permitted().await? {
        let problem = "this role may not remove what is recorded: run it as the role that owns the \
                       tables, not as the one that serves";
        return Err(Failure::Negative(problem.to_owned()));
    }
    let rules = Rules { open: args.open, ended: args.ended, idle: args.idle };
    let style = "{spinner} {human_pos} matches looked at, {msg}, {elapsed}";
    let style = ProgressStyle::with_template(style).expect("the template is valid");
    // On standard error, and only if that is a terminal.
    let bar = ProgressBar::new_spinner().with_style(style);
    let mut run = Run::new(store, retention, rules, args.dry_run);
    let done = run.all(&platforms, |outcome| {
        bar.set_position(outcome.seen);
        bar.set_message(format!("{} deleted, {} reduced", outcome.deleted, outcome.reduced));
    });
    let done = done.await;
    bar.finish_and_clear();
    // What was done is done, also if the rest failed.
    print_outcome(args, &run.outcome)?;
    let unsound = run.outcome.unsound.len();
    run.close().await;
    done?;
    match unsound {
        0 => Ok(()),
        _ => Err(Failure::Negative(format!(
            "{unsound} matches are left alone: what is recorded of them is not sound"
        ))),
    }
}

fn print_outcome(args: &Args, it: &Outcome) -> Result<(), Failure> {
    let names = |ids: &[store::MatchId]| ids.iter().map(|&id| match_name(id)).collect::<Vec<_>>();
    if args.json {
        let unsound = it
            .unsound
            .iter()
            .map(|(id, reason)| json!({"match": match_name(*id), "reason": reason}));
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
            "unsound": unsound.collect::<Vec<_>>(),
        });
        return Ok(print::line(&outcome.to_string())?);
    }
    let would = if args.dry_run { "would be " } else { "" };
    let Outcome { deleted, reduced, entries, bytes, unrevealed, .. } = it;
    if args.open.is_some() {
        print::line(&format!("{deleted} open matches {would}deleted"))?;
    }
    if args.ended.is_some() {
        print::line(&format!(
            "{reduced} ended matches {would}reduced to their results: {entries} entries, {bytes} bytes"
        ))?;
    }
    if it.objects > 0 {
        print::line(&format!("{} objects of the archive removed", it.objects))?;
    }
    if *unrevealed > 0 {
        print::line(&format!("{unrevealed} ended matches are left until they are revealed"))?;
    }
    for name in names(&it.idle) {
        print::line(&format!("{name} is under way and idle"))?;
    }
    for (id, reason) in &it.unsound {
        print::line(&format!("{} is left alone: {reason}", match_name(*id)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_units() {
        assert_eq!(age("30d"), Ok(Duration::days(30)));
        assert_eq!(age("12h"), Ok(Duration::hours(12)));
        assert_eq!(age("15m"), Ok(Duration::minutes(15)));
        assert_eq!(age("90s"), Ok(Duration::seconds(90)));
        for wrong in ["", "d", "30", "30 d", "-1d", "+1d", "0d", "1.5d", "3w", "99999999999d", "é"]
        {
            assert!(age(wrong).is_err(), "{wrong}");
        }
    }
}
