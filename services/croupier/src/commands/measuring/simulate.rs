//! `croupier simulate`: random matches in this process, checked against the invariants.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use games::Game;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use table::invariants::{Broken, Played};

use crate::commands::arguments::check_seats;
use crate::failure::Failure;
use crate::print;

/// Play random matches in this process and check every invariant; needs no service and no database
///
/// The invariants are the guarantees of every game: for example, that no viewer receives hidden
/// information, that no piece is lost, and that a seat that must act can act. In some matches seats
/// resign. Each match has a seed of its own, counted up from the first. A violation is printed with
/// the seed that reproduces it, and the command fails.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as `mountebank`
    game: String,
    #[command(flatten)]
    matches: Matches,
}

/// Which matches to play.
#[derive(clap::Args)]
pub struct Matches {
    /// The number of seats [default: the game's minimum]
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// The number of matches
    #[arg(long, value_name = "M", default_value_t = 1000)]
    matches: u64,
    /// The seed of the first match
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// The number of matches to play concurrently [default: one per processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Print the outcome as a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Outcome {
    game: &'static str,
    seats: u8,
    seed: u64,
    matches: u64,
    actions: u64,
    events: u64,
    actions_per_second: u64,
    /// The number of entries of a match, opening included; null if no match was played to its end.
    entries_per_match: Option<Spread>,
    /// Actions that their seats could take back.
    taken_back: u64,
    /// By reason: actions that their seats could not take back.
    final_actions: BTreeMap<String, u64>,
    /// One for each seat.
    results: Vec<SeatResults>,
    invariants: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<Violation>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Spread {
    min: i64,
    /// For an even number of values, the lower of the middle two.
    median: i64,
    max: i64,
}

/// The results of a seat in the matches that were played to their ends.
#[derive(Debug, PartialEq, Serialize)]
struct SeatResults {
    seat: usize,
    /// The matches that the seat won, alone or with others.
    wins: u64,
    scores: Option<Spread>,
    mean_score: Option<f64>,
}

/// A violated invariant, and the seed of the match.
#[derive(Clone, Serialize)]
struct Violation {
    seed: u64,
    invariant: String,
    detail: String,
}

pub fn run(args: Args) -> Result<(), Failure> {
    let game = find(&args.game)?;
    let check = |seats, seed| game.check_invariants(seats, seed);
    simulate(game, &check, &format!("croupier simulate {}", game.name()), &args.matches)
}

/// Plays the matches of a game by `check`, and prints the outcome. `command` names the game, to
/// reproduce a violation.
pub fn simulate(
    game: &dyn Game,
    check: Check,
    command: &str,
    args: &Matches,
) -> Result<(), Failure> {
    let seats = args.seats.unwrap_or(*game.seats().start());
    let (min, max) = game.seats().into_inner();
    check_seats(game.name(), min.into()..=max.into(), seats.into())?;
    let threads =
        args.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let simulation = Simulation::new(game.name(), check, seats, args.seed, args.matches);
    let outcome = simulation.run(threads);
    if args.json {
        print::line(&serde_json::to_string(&outcome).expect("an outcome has a JSON form"))?;
    } else {
        outcome.lines(command).iter().try_for_each(|line| print::line(line))?;
    }
    match outcome.broken {
        None => Ok(()),
        Some(_) => Err(Failure::Negative(format!("{} violates its invariants", game.name()))),
    }
}

fn find(name: &str) -> Result<&'static dyn Game, Failure> {
    let known = games::GAMES.iter().map(|game| game.name());
    let game = games::find(name.trim_start_matches("games/"));
    Ok(game.ok_or_else(|| crate::client::Error::unknown_game(name, known))?)
}

impl Spread {
    fn of(mut values: Vec<i64>) -> Option<Spread> {
        values.sort_unstable();
        let (&min, &max) = (values.first()?, values.last()?);
        Some(Spread { min, median: values[(values.len() - 1) / 2], max })
    }
}

impl SeatResults {
    fn of(seat: usize, ended: &[Ended]) -> SeatResults {
        let scores: Vec<i64> = ended.iter().map(|it| it.scores[seat].into()).collect();
        let mean = scores.iter().sum::<i64>() as f64 / scores.len() as f64;
        SeatResults {
            seat,
            wins: ended.iter().filter(|it| it.winners.contains(&seat)).count() as u64,
            mean_score: (!scores.is_empty()).then(|| (mean * 100.0).round() / 100.0),
            scores: Spread::of(scores),
        }
    }
}

impl Outcome {
    fn lines(&self, command: &str) -> Vec<String> {
        let Outcome { game, seats, matches, actions, events, actions_per_second, .. } = self;
        let noun = if *matches == 1 { "match" } else { "matches" };
        let mut lines = vec![format!(
            "{matches} {noun} of {game} with {seats} seats: {actions} actions, {events} events, \
             {actions_per_second} actions per second."
        )];
        if let Some(Spread { min, median, max }) = self.entries_per_match {
            lines.push(format!("Entries per match: {min} to {max}, median {median}."));
            let others: u64 = self.final_actions.values().sum();
            lines.push(format!(
                "Actions that could be taken back: {} of {}.",
                self.taken_back,
                self.taken_back + others
            ));
            let head = ["SEAT", "WINS", "MEAN SCORE", "MEDIAN", "LOWEST", "HIGHEST"];
            let rows = std::iter::once(head.map(str::to_owned).to_vec())
                .chain(self.results.iter().map(SeatResults::row))
                .collect::<Vec<_>>();
            lines.extend(print::table(&rows));
        }
        match &self.broken {
            None => lines.push("Every invariant held.".to_owned()),
            Some(Violation { seed, invariant, detail }) => {
                lines.push(format!("The invariant that {invariant} was violated: {detail}"));
                lines.push(format!(
                    "Reproduce it with: {command} --seats {seats} --matches 1 --seed {seed}"
                ));
            }
        }
        lines
    }
}

impl SeatResults {
    fn row(&self) -> Vec<String> {
        let score = |pick: fn(&Spread) -> i64| {
            self.scores.as_ref().map(|scores| pick(scores).to_string()).unwrap_or_default()
        };
        vec![
            self.seat.to_string(),
            self.wins.to_string(),
            self.mean_score.map(|mean| format!("{mean:.2}")).unwrap_or_default(),
            score(|scores| scores.median),
            score(|scores| scores.min),
            score(|scores| scores.max),
        ]
    }
}

/// Plays a match with a number of seats and a seed.
pub type Check<'a> = &'a (dyn Fn(u8, u64) -> Result<Played, Broken> + Sync);

/// Matches shared by several threads.
struct Simulation<'a> {
    game: &'static str,
    check: Check<'a>,
    seats: u8,
    seed: u64,
    matches: u64,
    state: Mutex<State>,
    bar: ProgressBar,
}

#[derive(Default)]
struct State {
    /// How many matches were started. No more are started after a violation.
    started: u64,
    played: u64,
    actions: u64,
    events: u64,
    taken_back: u64,
    final_actions: BTreeMap<String, u64>,
    /// The matches that were played to their ends, in any order.
    ended: Vec<Ended>,
    /// The violation with the lowest seed so far.
    broken: Option<Violation>,
}

struct Ended {
    entries: i64,
    scores: Vec<i32>,
    winners: Vec<usize>,
}

impl<'a> Simulation<'a> {
    fn new(
        game: &'static str,
        check: Check<'a>,
        seats: u8,
        seed: u64,
        matches: u64,
    ) -> Simulation<'a> {
        let style =
            ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} matches, {eta} left");
        // On standard error, and only if that is a terminal.
        let bar = ProgressBar::new(matches).with_style(style.expect("the template is valid"));
        Simulation { game, check, seats, seed, matches, state: Mutex::default(), bar }
    }

    fn run(&self, threads: usize) -> Outcome {
        let began = Instant::now();
        let hook = panic::take_hook();
        panic::set_hook(Box::new(remember_panic));
        thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(|| self.work()))));
        panic::set_hook(hook);
        self.bar.finish_and_clear();
        let State { played, actions, events, taken_back, final_actions, ended, broken, .. } =
            std::mem::take(&mut *self.state.lock().expect(LOCKED));
        Outcome {
            game: self.game,
            seats: self.seats,
            seed: self.seed,
            matches: played,
            actions,
            events,
            actions_per_second: (actions as f64 / began.elapsed().as_secs_f64()) as u64,
            taken_back,
            final_actions,
            entries_per_match: Spread::of(ended.iter().map(|it| it.entries).collect()),
            results: (0..self.seats.into()).map(|seat| SeatResults::of(seat, &ended)).collect(),
            invariants: if broken.is_some() { "broken" } else { "held" },
            broken,
        }
    }

    fn work(&self) {
        while let Some(seed) = self.next() {
            let outcome = check(seed, || (self.check)(self.seats, seed));
            self.state.lock().expect(LOCKED).add(self.matches, outcome);
            self.bar.inc(1);
        }
    }

    /// The seed of the next match; `None` after the last.
    fn next(&self) -> Option<u64> {
        let mut state = self.state.lock().expect(LOCKED);
        let nth = state.started;
        state.started += 1;
        (nth < self.matches).then(|| self.seed.wrapping_add(nth))
    }
}

const LOCKED: &str = "no thread panics while it holds the lock";

impl State {
    fn add(&mut self, matches: u64, outcome: Result<Played, Violation>) {
        self.played += 1;
        match outcome {
            Ok(Played { actions, events, taken_back, final_actions, scores, winners, .. }) => {
                self.taken_back += taken_back as u64;
                for (reason, count) in final_actions {
                    *self.final_actions.entry(reason).or_default() += count as u64;
                }
                self.actions += actions as u64;
                self.events += events as u64;
                let entries = 1 + actions as i64;
                let winners = winners.iter().map(|seat| u8::from(seat).into()).collect();
                self.ended.push(Ended { entries, scores, winners });
            }
            Err(violation) => {
                self.started = matches;
                if self.broken.as_ref().is_none_or(|first| violation.seed < first.seed) {
                    self.broken = Some(violation);
                }
            }
        }
    }
}

/// Plays a match. A panic inside the game is a violation too.
fn check(seed: u64, play: impl FnOnce() -> Result<Played, Broken>) -> Result<Played, Violation> {
    match panic::catch_unwind(AssertUnwindSafe(play)) {
        Ok(Ok(played)) => Ok(played),
        Ok(Err(broken)) => {
            Err(Violation { seed, invariant: broken.invariant.into(), detail: broken.detail })
        }
        Err(panic) => Err(Violation {
            seed,
            invariant: "no action makes a game panic".into(),
            detail: panic_message(&*panic),
        }),
    }
}

thread_local! {
    /// The message and place of the last panic on this thread.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn remember_panic(info: &panic::PanicHookInfo) {
    PANIC.set(Some(info.to_string()));
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let plain =
        || panic.downcast_ref::<&str>().map_or_else(|| "a panic".into(), |text| (*text).to_owned());
    PANIC.take().map_or_else(plain, |text| text.replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simulated(threads: usize) -> Outcome {
        let game = find("mountebank").expect("it is a game");
        let check = |seats, seed| game.check_invariants(seats, seed);
        Simulation::new(game.name(), &check, 2, 7, 4).run(threads)
    }

    #[test]
    fn the_same_seed_plays_the_same_matches_on_any_number_of_threads() {
        let (one, two) = (simulated(1), simulated(2));
        assert_eq!((one.matches, one.invariants), (4, "held"));
        assert_eq!((one.actions, one.events), (two.actions, two.events));
        assert_eq!(one.entries_per_match, two.entries_per_match);
        assert_eq!(one.results, two.results);
    }

    #[test]
    fn lengths_scores_and_wins_are_counted_per_seat() {
        let outcome = simulated(1);
        let Some(Spread { min, median, max }) = outcome.entries_per_match else {
            panic!("four matches were played")
        };
        assert!(1 < min && min <= median && median <= max);
        // Every match has one entry more than it has actions.
        assert!((4 * min..=4 * max).contains(&(outcome.actions as i64 + 4)));
        assert_eq!(outcome.results.len(), 2);
        assert!(outcome.results.iter().map(|seat| seat.wins).sum::<u64>() >= 4);
        assert!(outcome.results.iter().all(|seat| seat.scores.is_some()));
    }

    #[test]
    fn results_of_a_seat_are_its_wins_and_scores() {
        let ended = |scores: [i32; 2], winners: &[usize]| Ended {
            entries: 9,
            scores: scores.into(),
            winners: winners.into(),
        };
        let ended = [ended([5, 3], &[0]), ended([2, 2], &[0, 1]), ended([1, 4], &[1])];
        let results = SeatResults::of(1, &ended);
        assert_eq!((results.wins, results.mean_score), (2, Some(3.0)));
        assert_eq!(results.scores, Some(Spread { min: 2, median: 3, max: 4 }));
        assert_eq!(Spread::of(Vec::new()), None);
        assert_eq!(results.row(), ["1", "2", "3.00", "3", "2", "4"]);
    }

    #[test]
    fn a_panic_is_a_violation_with_its_seed() {
        let violation = check(7, || panic!("no such card")).expect_err("it panics");
        assert_eq!(violation.seed, 7);
        assert!(violation.detail.contains("no such card"));
    }

    #[test]
    fn the_error_for_an_unknown_game_lists_the_games() {
        let Err(failure) = find("tiddlywinks") else { panic!("there is no such game") };
        let text = failure.to_string();
        assert!(
            text.starts_with("there is no game `tiddlywinks`; the games are: mountebank"),
            "{text}"
        );
    }
}
