//! Shared code of the commands that process matches by age.

use database::Database;
use indicatif::{ProgressBar, ProgressStyle};
use matches::operators::Act;
use rows::{MatchId, match_name};
use serde_json::{Value, json};
use time::Duration;

use crate::commands::duration::seconds;
use crate::failure::Failure;
use crate::print;
use crate::process::acts;

/// The maximum age: a hundred years.
const AGE_MAX_S: i64 = 100 * 366 * 24 * 60 * 60;

pub fn age(text: &str) -> Result<Duration, String> {
    let seconds = seconds(text).ok_or("write a number and a unit, such as 90s, 15m, 12h or 30d")?;
    let seconds = i64::try_from(seconds).ok().filter(|seconds| (1..=AGE_MAX_S).contains(seconds));
    let seconds = seconds.ok_or("an age is from 1s to 36600d")?;
    Ok(Duration::seconds(seconds))
}

/// Carries out the act that `work` does; a dry run changes nothing and is not an act.
pub async fn carry_out<T, E: Into<Failure>>(
    database: &Database,
    dry_run: bool,
    act: Act<'_>,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, Failure> {
    match dry_run {
        true => work.await.map_err(Into::into),
        false => acts::carry_out(database, act, work).await,
    }
}

/// The failure of a role that does not own the tables, given the action that this forbids.
pub fn not_permitted(what: &str) -> Failure {
    Failure::Negative(format!(
        "this role may not {what} what is recorded: run it as the role that owns the tables, not as \
         the one that serves"
    ))
}

/// Shows how many matches were examined, and a message; on standard error, and only if that is a
/// terminal.
pub fn spinner() -> ProgressBar {
    let style = "{spinner} {human_pos} matches looked at, {msg}, {elapsed}";
    let style = ProgressStyle::with_template(style).expect("the template is valid");
    ProgressBar::new_spinner().with_style(style)
}

/// Matches that were left alone, each with the reason.
pub fn unsound_json(unsound: &[(MatchId, String)]) -> Vec<Value> {
    let each = unsound.iter();
    each.map(|(id, reason)| json!({"match": match_name(*id), "reason": reason})).collect()
}

pub fn print_unsound(unsound: &[(MatchId, String)]) -> Result<(), Failure> {
    for (id, reason) in unsound {
        print::line(&format!("{} is left alone: {reason}", match_name(*id)))?;
    }
    Ok(())
}

/// Fails if any match was left alone.
pub fn all_sound(unsound: &[(MatchId, String)]) -> Result<(), Failure> {
    match unsound.len() {
        0 => Ok(()),
        number => {
            let matches = print::count(number as u64, "match", "matches");
            Err(Failure::Negative(format!("{matches} left alone: the record is not sound")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_units() {
        assert_eq!(age("3w"), Ok(Duration::days(21)));
        assert_eq!(age("30d"), Ok(Duration::days(30)));
        assert_eq!(age("12h"), Ok(Duration::hours(12)));
        assert_eq!(age("15m"), Ok(Duration::minutes(15)));
        assert_eq!(age("90s"), Ok(Duration::seconds(90)));
        for wrong in ["", "d", "30", "-1d", "0d", "0", "0.5s", "36601d", "99999999999d", "é"] {
            assert!(age(wrong).is_err(), "{wrong}");
        }
    }
}
