//! `croupier arena`: matches among bots in this process.

use bench::arena::{Args, LevelResult, LevelSpeed, LineupResult, Outcome, Wins, run as play};

use crate::failure::Failure;
use crate::print;

pub fn run(args: &Args) -> Result<(), Failure> {
    tell(&play(args)?, args.setting.json)
}

/// Prints what came of an arena.
pub fn tell(outcome: &Outcome, json: bool) -> Result<(), Failure> {
    if json {
        print::line(&serde_json::to_string(outcome).expect("an outcome has a JSON form"))?;
    } else {
        lines(outcome).iter().try_for_each(|line| print::line(line))?;
    }
    match outcome.result.failed {
        0 => Ok(()),
        failed => Err(Failure::Negative(format!("{failed} matches were broken off"))),
    }
}

fn lines(outcome: &Outcome) -> Vec<String> {
    let Outcome { result, speed } = outcome;
    let budget = match (result.budget_ms, result.iterations) {
        (_, Some(iterations)) => format!("{iterations} iterations"),
        (ms, None) => format!("{} ms", ms.unwrap_or_default()),
    };
    let mut lines = vec![format!(
        "{} matches of {} with {} seats, {budget} a decision, in {} s: {} actions per second.",
        result.matches, result.game, result.seats, speed.seconds, speed.actions_per_second
    )];
    if let Some(actions) = &result.actions {
        lines.push(format!(
            "Actions per match: {} to {}, median {}, mean {}.",
            actions.min, actions.max, actions.median, actions.mean
        ));
    }
    if result.given_up > 0 {
        lines.push(format!(
            "{} more were given up after {} actions, and are not counted.",
            result.given_up, result.actions_max
        ));
    }
    let head = ["LEVEL", "SEATS", "WINS", "FIRST", "ELO", "POINTS", "DECISIONS/S", "THINKING"];
    let rows = result.levels.iter().zip(&speed.levels).map(level_row);
    lines.extend(table(&head, rows));
    let refused = result.levels.iter().filter(|level| level.refused > 0);
    lines.extend(
        refused.map(|level| format!("{} actions of {} were refused.", level.refused, level.level)),
    );
    if result.lineups.len() > 1 || result.lineups.iter().any(|it| it.levels.len() > 2) {
        lines.push(String::new());
        let rows = result.lineups.iter().flat_map(lineup_rows);
        lines.extend(table(&["LINEUP", "MATCHES", "LEVEL", "WINS", "FIRST"], rows));
    }
    lines.extend(result.failures.iter().map(|failure| format!("Broken off: {failure}")));
    lines
}

fn table<const N: usize>(head: &[&str; N], rows: impl Iterator<Item = [String; N]>) -> Vec<String> {
    let head = head.map(str::to_owned);
    print::table(&std::iter::once(head).chain(rows).map(Vec::from).collect::<Vec<_>>())
}

fn level_row((level, speed): (&LevelResult, &LevelSpeed)) -> [String; 8] {
    [
        level.level.to_owned(),
        level.wins.seats.to_string(),
        level.wins.wins.to_string(),
        share(&level.wins),
        format!("{:+.0} ± {:.0}", level.elo, level.elo_margin),
        format!("{:.1}", level.mean_points),
        format!("{:.0}", speed.decisions_per_second),
        format!("{} ms", speed.mean_thinking_ms),
    ]
}

fn lineup_rows(lineup: &LineupResult) -> Vec<[String; 5]> {
    let row = |(nth, level): (usize, &bench::arena::LineupLevel)| {
        let (levels, matches) = match nth {
            0 => (lineup.levels.join(","), lineup.matches.to_string()),
            _ => Default::default(),
        };
        let Wins { wins, .. } = level.wins;
        [levels, matches, level.level.to_owned(), wins.to_string(), share(&level.wins)]
    };
    lineup.results.iter().enumerate().map(row).collect()
}

/// A share with its 95 % interval.
fn share(wins: &Wins) -> String {
    let (low, high) = wins.first_percent_interval;
    format!("{:.1} % ({low:.0} to {high:.0})", wins.first_percent)
}
