//! `croupier simulate`: random matches in this process, each held to every law.

use std::any::Any;
use std::cell::RefCell;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use games::Game;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use table::invariants::{Broken, Played};

use super::check_seats;
use crate::client::{Failure, unknown_game};
use crate::print;

/// Play random matches in this process and hold each of them to every law; needs no service and no
/// database
///
/// The laws are what every game promises, such as that nobody is told more than they may see, that
/// nothing is lost, and that whoever must act can. Each match has a seed of its own, counted up
/// from the first; a law that is broken is printed with the seed that breaks it again, and the
/// command fails.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as `mountebank`
    game: String,
    /// How many seats; the fewest the game is played with if not said
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// How many matches
    #[arg(long, value_name = "M", default_value_t = 1000)]
    matches: u64,
    /// The seed of the first match
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// How many matches at a time; one per processor if not said
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Print the outcome as an object of JSON
    #[arg(long)]
    json: bool,
}

/// What was played, and how it ended.
#[derive(Serialize)]
struct Outcome {
    game: &'static str,
    seats: u8,
    seed: u64,
    matches: u64,
    actions: u64,
    events: u64,
    actions_per_second: u64,
    invariants: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<Breach>,
}

/// A law that did not hold, and the seed of the match in which it did not.
#[derive(Clone, Serialize)]
struct Breach {
    seed: u64,
    invariant: String,
    detail: String,
}

pub fn run(args: Args) -> Result<(), Failure> {
    let game = find(&args.game)?;
    let seats = args.seats.unwrap_or(*game.seats().start());
    let (min, max) = game.seats().into_inner();
    check_seats(game.title(), min.into()..=max.into(), seats.into())?;
    let threads =
        args.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let simulation = Simulation::new(game, seats, args.seed, args.matches);
    let outcome = simulation.run(threads);
    if args.json {
        print::line(&serde_json::to_string(&outcome).expect("an outcome has a JSON form"))?;
    } else {
        print::line(&vocabulary(&outcome))?;
    }
    match outcome.broken {
        None => Ok(()),
        Some(_) => Err(Failure::Missing(format!("{} does not hold its invariants", game.title()))),
    }
}

fn find(name: &str) -> Result<&'static dyn Game, Failure> {
    let names = || games::GAMES.iter().map(|game| game.name()).collect::<Vec<_>>();
    games::find(name.trim_start_matches("games/")).ok_or_else(|| unknown_game(name, &names()))
}

fn vocabulary(outcome: &Outcome) -> String {
    let Outcome { game, seats, matches, actions, events, actions_per_second, .. } = outcome;
    let of_them = if *matches == 1 { "match" } else { "matches" };
    let played = format!(
        "{matches} {of_them} of {game} with {seats} seats: {actions} actions, {events} events, \
         {actions_per_second} actions a second"
    );
    match &outcome.broken {
        None => format!("{played}.\nEvery invariant held."),
        Some(Breach { seed, invariant, detail }) => format!(
            "{played}.\nThe invariant that {invariant} was violated: {detail}\n\
             See it again: croupier simulate {game} --seats {seats} --matches 1 --seed {seed}"
        ),
    }
}

/// Matches shared out among threads.
struct Simulation {
    game: &'static dyn Game,
    seats: u8,
    seed: u64,
    matches: u64,
    /// How many matches have been begun; no more are once a law was broken.
    begun: AtomicU64,
    played: AtomicU64,
    actions: AtomicU64,
    events: AtomicU64,
    /// The breach with the lowest seed so far.
    broken: Mutex<Option<Breach>>,
    bar: ProgressBar,
}

impl Simulation {
    fn new(game: &'static dyn Game, seats: u8, seed: u64, matches: u64) -> Simulation {
        let style = ProgressStyle::with_template(
            "{bar:40} {human_pos} of {human_len} matches, {eta} to go",
        );
        // Draws on standard error, and on a terminal alone.
        let bar = ProgressBar::new(matches).with_style(style.expect("the template is sound"));
        let (begun, played, actions, events) = Default::default();
        Simulation {
            game,
            seats,
            seed,
            matches,
            begun,
            played,
            actions,
            events,
            broken: Mutex::default(),
            bar,
        }
    }

    fn run(&self, threads: usize) -> Outcome {
        let began = Instant::now();
        let hook = panic::take_hook();
        panic::set_hook(Box::new(remember_panic));
        thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(|| self.work()))));
        panic::set_hook(hook);
        self.bar.finish_and_clear();
        let actions = self.actions.load(Ordering::Relaxed);
        let broken = self.broken.lock().expect("no thread panics while it holds the lock").take();
        Outcome {
            game: self.game.name(),
            seats: self.seats,
            seed: self.seed,
            matches: self.played.load(Ordering::Relaxed),
            actions,
            events: self.events.load(Ordering::Relaxed),
            actions_per_second: (actions as f64 / began.elapsed().as_secs_f64()) as u64,
            invariants: if broken.is_some() { "broken" } else { "held" },
            broken,
        }
    }

    fn work(&self) {
        loop {
            let nth = self.begun.fetch_add(1, Ordering::Relaxed);
            if nth >= self.matches {
                return;
            }
            if let Err(breach) = self.play(self.seed.wrapping_add(nth)) {
                self.begun.store(self.matches, Ordering::Relaxed);
                let mut broken =
                    self.broken.lock().expect("no thread panics while it holds the lock");
                if broken.as_ref().is_none_or(|first| breach.seed < first.seed) {
                    *broken = Some(breach);
                }
            }
            self.played.fetch_add(1, Ordering::Relaxed);
            self.bar.inc(1);
        }
    }

    fn play(&self, seed: u64) -> Result<(), Breach> {
        let played = hold(seed, || self.game.check_invariants(self.seats, seed))?;
        self.actions.fetch_add(played.actions as u64, Ordering::Relaxed);
        self.events.fetch_add(played.events as u64, Ordering::Relaxed);
        Ok(())
    }
}

/// Plays a match; a panic inside the game breaks a law like any other.
fn hold(seed: u64, play: impl FnOnce() -> Result<Played, Broken>) -> Result<Played, Breach> {
    match panic::catch_unwind(AssertUnwindSafe(play)) {
        Ok(Ok(played)) => Ok(played),
        Ok(Err(broken)) => {
            Err(Breach { seed, invariant: broken.invariant.into(), detail: broken.detail })
        }
        Err(panic) => Err(Breach {
            seed,
            invariant: "no action makes a game panic".into(),
            detail: last_words(&*panic),
        }),
    }
}

thread_local! {
    /// What a panic on this thread said, and where.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn remember_panic(info: &panic::PanicHookInfo) {
    PANIC.set(Some(info.to_string()));
}

fn last_words(panic: &(dyn Any + Send)) -> String {
    let plain =
        || panic.downcast_ref::<&str>().map_or_else(|| "a panic".into(), |text| (*text).to_owned());
    PANIC.take().map_or_else(plain, |text| text.replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simulated(threads: usize) -> Outcome {
        Simulation::new(find("mountebank").expect("it is a game"), 2, 7, 4).run(threads)
    }

    #[test]
    fn the_same_seed_plays_the_same_matches_on_any_number_of_threads() {
        let (one, two) = (simulated(1), simulated(2));
        assert_eq!((one.matches, one.invariants), (4, "held"));
        assert_eq!((one.actions, one.events), (two.actions, two.events));
    }

    #[test]
    fn a_panic_breaks_a_law_under_its_seed() {
        let breach = hold(7, || panic!("no such card")).expect_err("it panics");
        assert_eq!(breach.seed, 7);
        assert!(breach.detail.contains("no such card"));
    }

    #[test]
    fn an_unknown_game_is_answered_with_those_there_are() {
        let Err(failure) = find("tiddlywinks") else { panic!("it is no game") };
        assert!(
            failure
                .to_string()
                .starts_with("there is no game `tiddlywinks`; there are: mountebank")
        );
    }
}
