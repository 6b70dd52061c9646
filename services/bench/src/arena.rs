//! Matches among bots in this process: which level plays better, and how fast.
//!
//! A lineup is a choice of levels, and a seating is an order of them at the table. Each deal of a
//! lineup is played once in every seating, and all lineups get the same deals, so that neither a
//! better seat nor a better hand favours a level. What happens in a match depends only on the game,
//! its options, the seed of its deal and its seating (`a_match_is_the_same_beside_other_lineups`).

mod counts;
mod error;
mod lineups;
mod outcome;
mod playing;
mod ratings;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bots::Level;
use games::Game;
use indicatif::ProgressBar;
use table::{ChaCha, Options, invariants};

use self::counts::{Counts, compare, count, total};
use self::lineups::{Lineup, lineups};
use self::playing::{Bot, Limit, Played, Setting, play};
use self::ratings::{Pairwise, Rating};
use crate::report::{Error, progress, rounded};

pub use self::error::ArenaError;
pub use self::outcome::{
    Lengths, LevelResult, LevelSpeed, LineupLevel, LineupResult, Outcome, Outplayed, Speed, Wins,
};

/// Let bots play each other in this process, and compare their levels; needs no service and no
/// database
///
/// With two seats, each pair of levels plays the given number of matches. With more seats, each
/// lineup does: every choice of levels for the seats, unless all are the same. Each deal of a
/// lineup is played once in every seating. Naming a level several times selects a single lineup:
/// `--seats 3 --levels search,random,random`. The ratings follow from which of two seats ranks
/// first, as winner or otherwise by points. With `--iterations`, the same seed gives the same
/// result on every machine.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as `mountebank`
    pub game: String,
    #[command(flatten)]
    pub setting: Lineups,
}

/// Which bots play which matches.
#[derive(clap::Args)]
pub struct Lineups {
    /// The number of seats [default: the game's minimum]
    #[arg(long, value_name = "N")]
    pub seats: Option<u8>,
    /// The levels of the bots, such as `search,random`
    #[arg(long, value_name = "LEVELS", value_delimiter = ',', required = true)]
    pub levels: Vec<String>,
    /// The number of matches of each lineup, rounded up to whole deals
    #[arg(long, value_name = "M", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub matches: u32,
    /// The seed of the first deal; the next ones count up from it
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// How long a bot may think about a decision, in milliseconds [default: 200]
    #[arg(long, value_name = "MS", conflicts_with = "iterations")]
    pub budget_ms: Option<u32>,
    /// How many iterations a bot may search for a decision
    #[arg(long, value_name = "N")]
    pub iterations: Option<u32>,
    /// An option of the game, as NAME=VALUE; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    pub options: Vec<(String, String)>,
    /// The number of actions after which a match is given up
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    pub actions_max: usize,
    /// The number of matches to play concurrently [default: one per processor]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Print the outcome as a JSON object
    #[arg(long)]
    pub json: bool,
}

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

const BUDGET: Duration = Duration::from_millis(200);

/// How many failed matches are described. Most have the same few causes.
const FAILURES_MAX: usize = 5;

pub fn run(args: &Args) -> Result<Outcome, Error> {
    let name = args.game.trim_start_matches("games/");
    let game = games::find(name).ok_or_else(|| Error::unknown_game(name))?;
    run_in(game, &args.setting)
}

/// Like [`run`], for any game.
pub fn run_in(game: &'static dyn Game, lineups: &Lineups) -> Result<Outcome, Error> {
    let arena = Arena::new(game, lineups)?;
    let bar =
        progress("{bar:40} {human_pos} of {human_len} matches, {eta} left", arena.len() as u64);
    let outcome = arena.run(&bar);
    bar.finish_and_clear();
    Ok(outcome)
}

/// All matches to be played.
struct Arena {
    game: &'static dyn Game,
    seats: u8,
    options: Options,
    levels: Vec<Level>,
    lineups: Vec<Lineup>,
    seed: u64,
    limit: Limit,
    actions_max: usize,
    threads: usize,
}

impl Arena {
    fn new(game: &'static dyn Game, args: &Lineups) -> Result<Arena, Error> {
        let (least, most) = game.seats().into_inner();
        let seats = args.seats.unwrap_or(least);
        if !game.seats().contains(&seats) {
            return Err(ArenaError::Seats { title: game.name(), least, most, seats }.into());
        }
        let options: BTreeMap<String, String> = args.options.iter().cloned().collect();
        let options = game.check_options(&options, seats).map_err(ArenaError::from)?;
        let named = args.levels.iter().map(|level| find(game, level));
        let named = named.collect::<Result<Vec<_>, _>>()?;
        let mut levels: Vec<Level> = Vec::new();
        for level in &named {
            if !levels.contains(level) {
                levels.push(*level);
            }
        }
        let lineups = if levels.len() < named.len() {
            if named.len() != usize::from(seats) {
                return Err(ArenaError::Lineup { seats, named: named.len() }.into());
            }
            let place = |level| levels.iter().position(|it| it == level).expect("it is added");
            let mut lineup: Vec<usize> = named.iter().map(place).collect();
            lineup.sort_unstable();
            vec![lineup]
        } else {
            lineups(levels.len(), seats.into())
        };
        let time = args.budget_ms.map_or(BUDGET, |ms| Duration::from_millis(ms.into()));
        let threads =
            args.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
        let matches = args.matches as usize;
        Ok(Arena {
            game,
            seats,
            options,
            levels,
            lineups: lineups.into_iter().map(|it| Lineup::new(it, matches)).collect(),
            seed: args.seed,
            limit: args.iterations.map_or(Limit::Time(time), Limit::Iterations),
            actions_max: args.actions_max,
            threads,
        })
    }

    fn len(&self) -> usize {
        self.lineups.iter().map(Lineup::len).sum()
    }

    fn run(&self, bar: &ProgressBar) -> Outcome {
        let began = Instant::now();
        let next = AtomicUsize::new(0);
        let played = Mutex::new(Vec::new());
        let work = || {
            while let Some(seated) = self.nth(next.fetch_add(1, Ordering::Relaxed)) {
                let outcome = self.play(&seated);
                played.lock().unwrap_or_else(PoisonError::into_inner).push((seated, outcome));
                bar.inc(1);
            }
        };
        thread::scope(|scope| (0..self.threads).for_each(|_| drop(scope.spawn(work))));
        let mut played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
        played.sort_unstable_by_key(|(seated, _)| seated.nth);
        self.outcome(&played, began.elapsed())
    }

    /// The deals of a lineup follow each other, and all seatings of a deal.
    fn nth(&self, nth: usize) -> Option<Seated<'_>> {
        let mut left = nth;
        for (lineup, it) in self.lineups.iter().enumerate() {
            if left < it.len() {
                let deal = self.seed.wrapping_add((left / it.seatings.len()) as u64);
                let levels = &it.seatings[left % it.seatings.len()];
                return Some(Seated { nth, lineup, deal, levels });
            }
            left -= it.len();
        }
        None
    }

    fn play(&self, seated: &Seated) -> Result<Played, String> {
        let bot = |(seat, &level): (usize, &usize)| {
            let level = self.levels[level];
            Bot { level, chance: ChaCha::of(self.key(seated), seat as u64) }
        };
        let setting = Setting {
            game: self.game,
            options: &self.options,
            chance: invariants::chance(seated.deal),
            bots: seated.levels.iter().enumerate().map(bot).collect(),
            limit: self.limit,
            actions_max: self.actions_max,
        };
        panic::catch_unwind(AssertUnwindSafe(|| play(setting))).map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            let levels = self.names(seated.levels).join(",");
            format!("seed {}, seats {levels}: {}", seated.deal, text.unwrap_or("a panic"))
        })
    }

    /// The key of the randomness of a match's bots. It is independent of the deal, of the other
    /// matches and of their order.
    fn key(&self, seated: &Seated) -> table::Seed {
        let mut key = blake3::Hasher::new_derive_key("croupier 2026-11 bots of an arena");
        key.update(&seated.deal.to_le_bytes());
        for name in self.names(seated.levels) {
            key.update(name.as_bytes()).update(&[0]);
        }
        *key.finalize().as_bytes()
    }

    fn names(&self, levels: &[usize]) -> Vec<&'static str> {
        levels.iter().map(|&level| self.levels[level].name).collect()
    }
}

/// A match: a deal and a seating.
struct Seated<'a> {
    nth: usize,
    lineup: usize,
    deal: u64,
    /// By seat.
    levels: &'a [usize],
}

fn find(game: &dyn Game, level: &str) -> Result<Level, ArenaError> {
    bots::find(game, level).ok_or_else(|| {
        let (level, levels) = (level.to_owned(), bots::names(game));
        ArenaError::Level { level, levels }
    })
}

type Match<'a> = (Seated<'a>, Result<Played, String>);

impl Arena {
    fn outcome(&self, matches: &[Match], time: Duration) -> Outcome {
        let mut of_lineups = vec![vec![Counts::default(); self.levels.len()]; self.lineups.len()];
        let mut given_up = vec![0; self.lineups.len()];
        let mut ended = vec![0; self.lineups.len()];
        let mut pairwise = Pairwise::new(self.levels.len());
        let (mut lengths, mut failures, mut actions) = (Vec::new(), Vec::new(), 0);
        for (seated, outcome) in matches {
            let played = match outcome {
                Ok(played) => played,
                Err(failure) => {
                    failures.push(failure.clone());
                    continue;
                }
            };
            let counts = &mut of_lineups[seated.lineup];
            actions += played.actions;
            for (&level, thinking) in seated.levels.iter().zip(&played.thinking) {
                let sum = &mut counts[level].thinking;
                sum.decisions += thinking.decisions;
                sum.time += thinking.time;
                sum.refused += thinking.refused;
            }
            let Some(result) = &played.result else {
                given_up[seated.lineup] += 1;
                continue;
            };
            ended[seated.lineup] += 1;
            lengths.push(played.actions);
            count(seated.levels, result, counts);
            compare(seated.levels, result, &mut pairwise);
        }
        let failed = failures.len();
        failures.truncate(FAILURES_MAX);
        let totals: Vec<Counts> = (0..self.levels.len())
            .map(|level| total(of_lineups.iter().map(|counts| counts[level])))
            .collect();
        let lineup = |nth: usize| LineupResult {
            levels: self.names(&self.lineups[nth].levels),
            matches: ended[nth],
            given_up: given_up[nth],
            results: self.lineup_levels(nth, &of_lineups[nth]),
        };
        let (budget_ms, iterations) = match self.limit {
            Limit::Time(time) => (Some(time.as_millis() as u64), None),
            Limit::Iterations(count) => (None, Some(count)),
        };
        let result = Outplayed {
            game: self.game.name(),
            seats: self.seats,
            seed: self.seed,
            budget_ms,
            iterations,
            matches: lengths.len(),
            given_up: given_up.iter().sum(),
            actions_max: self.actions_max,
            failed,
            failures,
            actions: Lengths::of(lengths),
            levels: self.level_results(&totals, &pairwise.ratings()),
            lineups: (0..self.lineups.len()).map(lineup).collect(),
        };
        let seconds = time.as_secs_f64();
        let speed = Speed {
            seconds: rounded(seconds),
            threads: self.threads,
            actions_per_second: rounded(actions as f64 / seconds),
            levels: self.levels.iter().zip(&totals).map(LevelSpeed::of).collect(),
        };
        Outcome { result, speed }
    }

    fn lineup_levels(&self, nth: usize, counts: &[Counts]) -> Vec<LineupLevel> {
        let mut levels = self.lineups[nth].levels.clone();
        levels.dedup();
        let level =
            |it: usize| LineupLevel { level: self.levels[it].name, wins: Wins::of(&counts[it]) };
        levels.into_iter().map(level).collect()
    }

    fn level_results(&self, totals: &[Counts], ratings: &[Rating]) -> Vec<LevelResult> {
        let result = |((level, counts), rating): ((&Level, &Counts), &Rating)| LevelResult {
            level: level.name,
            wins: Wins::of(counts),
            // Not minus zero.
            elo: rounded(rating.elo) + 0.0,
            elo_margin: rounded(rating.margin),
            mean_points: rounded(counts.points as f64 / counts.seats.max(1) as f64),
            decisions: counts.thinking.decisions,
            refused: counts.thinking.refused,
        };
        self.levels.iter().zip(totals).zip(ratings).map(result).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(game: &str, seats: u8, levels: &[&str], matches: u32) -> Args {
        let setting = Lineups {
            seats: Some(seats),
            levels: levels.iter().map(|&level| level.to_owned()).collect(),
            matches,
            seed: 7,
            budget_ms: None,
            iterations: Some(10),
            options: Vec::new(),
            actions_max: 5_000,
            threads: NonZero::new(1),
            json: false,
        };
        Args { game: game.to_owned(), setting }
    }

    fn played(args: &Args) -> Outplayed {
        run(args).expect("the arguments are valid").result
    }

    #[test]
    fn the_same_seed_gives_the_same_result_on_any_number_of_threads() {
        let mut args = args("mountebank", 2, &["heuristic", "random"], 8);
        let one = played(&args);
        args.setting.threads = NonZero::new(3);
        assert_eq!(played(&args), one);
        args.setting.seed = 8;
        assert_ne!(played(&args), one);
    }

    #[test]
    fn a_match_is_the_same_beside_other_lineups() {
        let among = played(&args("mountebank", 3, &["heuristic", "random"], 3));
        let alone = played(&args("mountebank", 3, &["random", "heuristic", "random"], 3));
        assert_eq!(among.lineups[0].levels, ["heuristic", "heuristic", "random"]);
        assert_eq!(among.lineups[1].levels, ["heuristic", "random", "random"]);
        let of = |lineup: &LineupResult, level: &str| {
            lineup.results.iter().find(|it| it.level == level).map(|it| it.wins)
        };
        for level in ["heuristic", "random"] {
            assert_eq!(of(&among.lineups[1], level), of(&alone.lineups[0], level), "{level}");
        }
    }

    #[test]
    fn every_level_sits_in_every_seat_as_often() {
        let outcome = played(&args("mountebank", 3, &["heuristic", "random"], 4));
        assert_eq!(
            outcome.matches, 12,
            "four matches are rounded up to two deals of three seatings"
        );
    }

    #[test]
    fn every_match_has_a_winner_and_is_counted_once() {
        let outcome = played(&args("mountebank", 2, &["heuristic", "random"], 10));
        assert_eq!((outcome.matches, outcome.failed, outcome.given_up), (10, 0, 0));
        let wins: f64 = outcome.levels.iter().map(|it| it.wins.wins).sum();
        assert_eq!(wins, 10.0);
        assert!(outcome.levels.iter().all(|it| it.wins.seats == 10 && it.refused == 0));
        assert!(outcome.levels.iter().map(|it| it.elo).sum::<f64>().abs() < 0.2);
    }

    #[test]
    fn a_match_that_does_not_end_is_given_up_and_not_counted() {
        let mut args = args("mountebank", 2, &["random"], 2);
        args.setting.actions_max = 3;
        let outcome = played(&args);
        assert_eq!((outcome.matches, outcome.given_up), (0, 2));
        assert_eq!((outcome.actions, outcome.levels[0].wins.seats), (None, 0));
    }

    #[test]
    fn bad_arguments_name_what_is_allowed() {
        let text = |args: Args| match run(&args) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("the arguments are refused"),
        };
        assert_eq!(
            text(args("mountebank", 2, &["genius"], 1)),
            "there is no level `genius`; the levels are: random, heuristic, search"
        );
        assert_eq!(
            text(args("mountebank", 9, &["random"], 1)),
            "mountebank is played with 2 to 4 seats, not 9"
        );
        assert!(text(args("tiddlywinks", 2, &["random"], 1)).contains("no game `tiddlywinks`"));
        let named = ["random", "random", "search"];
        assert!(
            text(args("mountebank", 2, &named, 1)).contains("each of the 2 seats needs one: 3")
        );
    }
}
