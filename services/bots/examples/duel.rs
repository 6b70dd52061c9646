//! Plays matches between levels of bots and counts what happens.
//!
//! `cargo run -p bots --example duel -- mountebank heuristic,random 400`

use std::{collections::BTreeMap, env, time::Instant};

use bots::{Iterations, Level};
use games::Game;
use table::{ChaCha, Event, MatchChance, Observation, Seat, Small};

fn main() {
    let args: Vec<String> = env::args().collect();
    let game = games::find(&args[1]).expect("a game");
    let levels: Vec<Level> = args[2].split(',').map(|it| bots::find(it).expect("a level")).collect();
    let matches: u64 = args[3].parse().expect("a number");
    let may_first = env::var("MAY_FIRST").is_ok();
    let iterations: u32 = env::var("ITER").map_or(200, |it| it.parse().unwrap());
    let trace: bool = env::var("TRACE").is_ok();
    let mut totals: BTreeMap<&str, (f64, f64, u32, i64)> = BTreeMap::new();
    let (mut most, mut all) = (0, 0);
    let mut lengths: Vec<usize> = Vec::new();
    let mut verbs: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    let start = Instant::now();
    for number in 0..matches {
        let seated: Vec<Level> =
            (0..levels.len()).map(|n| levels[(n + number as usize) % levels.len()]).collect();
        let done = play(game, &seated, number, may_first, iterations, trace);
        most = most.max(done.actions);
        lengths.push(done.actions);
        all += done.actions;
        for (verb, count) in done.verbs {
            *verbs.entry(verb).or_default() += count;
        }
        for (announcement, count) in done.announced {
            *told.entry(announcement).or_default() += count;
        }
        let Some(winners) = done.winners else {
            println!("match {number} did not end after {} actions", done.actions);
            continue;
        };
        for (n, level) in seated.iter().enumerate() {
            let total = totals.entry(level.name).or_default();
            let seat = Seat::nth(n).unwrap();
            total.0 += if winners.has(seat) { 1.0 / winners.len() as f64 } else { 0.0 };
            total.1 += 1.0;
            total.2 += u32::from(winners.has(seat));
            total.3 += i64::from(done.scores[n]);
        }
    }
    for (level, (won, played, _, points)) in &totals {
        println!(
            "{} {level}: {:.1} % of {played} seats won, {:.1} points",
            args[1],
            100.0 * won / played,
            *points as f64 / played
        );
    }
    lengths.sort_unstable();
    println!(
        "actions: most {most}, median {}, mean {:.0}; {:.0} actions/s",
        lengths[lengths.len() / 2],
        all as f64 / matches as f64,
        all as f64 / start.elapsed().as_secs_f64()
    );
    println!("verbs: {}", verbs.iter().map(|it| format!("{} {} {}", it.0.0, it.0.1, it.1)).collect::<Vec<_>>().join(", "));
    println!("announced: {told:?}");
}

struct Done {
    actions: usize,
    winners: Option<table::Seats>,
    scores: Vec<i32>,
    verbs: BTreeMap<(&'static str, String), usize>,
    announced: BTreeMap<String, usize>,
}

const ACTIONS_MAX: usize = 20_000;

fn play(game: &dyn Game, seated: &[Level], number: u64, may_first: bool, iterations: u32, trace: bool) -> Done {
    let seats = seated.len() as u8;
    let options = game.check_options(&Default::default(), seats).expect("the defaults fit");
    let chance = MatchChance::new(&[1; 16], &key(number), &[]);
    let (mut table, opening) = game.open(seats, &options, &[], &mut chance.after(0));
    let mut choices = ChaCha::of(key(number), 7);
    let mut observations: Vec<Observation> = (0..seated.len())
        .map(|n| Observation::new(game.layout(), seats, Seat::nth(n).unwrap()))
        .collect();
    observations.iter_mut().for_each(|it| it.hear(&opening));
    let mut done = Done { actions: 0, winners: None, scores: Vec::new(), verbs: BTreeMap::new(), announced: BTreeMap::new() };
    while !table.ended() && done.actions < ACTIONS_MAX {
        let mut asked: Vec<(bool, Seat)> = table.live().map(|it| (it.must != may_first, it.seat)).collect();
        asked.sort_by_key(|it| (!it.0, it.1));
        let mut chosen = None;
        for (_, seat) in asked {
            let n = seat.index();
            let mut budget = Iterations(iterations);
            if let Some(action) = seated[n].choose(game, &observations[n], &mut budget, &mut choices) {
                chosen = Some((seat, action));
                break;
            }
        }
        let (seat, action) = chosen.expect("somebody acts");
        let (after, entry) = game
            .play(&table, seat, &action, &mut chance.after(table.choices().into()))
            .unwrap_or_else(|refused| panic!("{} {seat} {}: {refused}\n{table:?}", seated[seat.index()].name, entry_text(game, &table, seat, &action)));
        if trace {
            println!("{number}.{} {seat} {}", done.actions, entry_text(game, &table, seat, &action));
        }
        for event in &entry.events {
            if let Event::Announced { announcement, .. } = event {
                *done.announced.entry(game.layout().announcement_name(*announcement).to_string()).or_default() += 1;
            }
        }
        *done.verbs.entry((seated[seat.index()].name, entry.verb.to_string())).or_default() += 1;
        observations.iter_mut().for_each(|it| it.hear(&entry));
        table = after;
        done.actions += 1;
    }
    done.winners = table.winners();
    done.scores = table.scores().to_vec();
    if trace {
        println!("{number} ends: {:?} {:?}", done.scores, done.winners);
    }
    done
}

fn entry_text(game: &dyn Game, _: &table::Table, _: Seat, action: &[u8]) -> String {
    let _ = game;
    // Names are text in the message.
    action.iter().map(|&it| if it.is_ascii_graphic() { it as char } else { ' ' }).collect()
}

fn key(number: u64) -> [u8; 32] {
    let mut key = [5; 32];
    key[..8].copy_from_slice(&number.to_be_bytes());
    key
}
