use std::collections::BTreeMap;

use table::{ChaCha, Options, invariants::key, open};

use super::{sensible, *};

/// Matches that are measured.
const MATCHES: u64 = 40;

/// One match of seats that play well.
struct Match {
    verbs: BTreeMap<&'static str, usize>,
    /// Units of Luxury sold.
    sold: u32,
    best: i32,
}

impl Match {
    fn play(seats: u8, seed: u64) -> Match {
        let seed = key(seed);
        let options = Options::of::<Rigs>(&BTreeMap::new(), seats).expect("there are no options");
        let (mut table, _) = open::<Rigs>(seats, &options, &mut ChaCha::of(seed, 1));
        let mut played = Match { verbs: BTreeMap::new(), sold: 0, best: 0 };
        for position in 2.. {
            if table.ended() {
                break;
            }
            let (seat, action) = next(&table);
            let mut chance = ChaCha::of(seed, position);
            let after = play::<Rigs>(&table, seat, &action, &mut chance);
            table = after.unwrap_or_else(|why| panic!("{seat} {action:?}: {why}\n{table:?}")).0;
            *played.verbs.entry(Rigs::verb(&action)).or_default() += 1;
            if let Action::Sell { amount } = action {
                played.sold += amount;
            }
            assert!(position < 3_000, "the players go on forever: {:?}", played.verbs);
        }
        played.best = table.scores().iter().copied().max().unwrap_or(0);
        played
    }

    fn actions(&self) -> usize {
        self.verbs.values().sum()
    }
}

/// Seats that may answer an offer come first, then those that must act.
fn next(table: &Table) -> (Seat, Action) {
    let prompts: Vec<Prompt> = table.live().copied().collect();
    let answers = |must| {
        let asked = prompts.iter().filter(move |prompt| prompt.must == must);
        asked.filter_map(move |prompt| {
            let seen = table.seen_by(Viewer::Seat(prompt.seat));
            Some((prompt.seat, sensible::answer(&seen, prompt.seat, must)?))
        })
    };
    answers(false).next().or_else(|| answers(true).next()).expect("somebody acts")
}

fn median(mut of: Vec<usize>) -> usize {
    of.sort_unstable();
    of[of.len() / 2]
}

/// A question costs a player a visit, so a match should ask few.
#[test]
fn a_match_of_four_asks_few_questions() {
    let matches: Vec<Match> = (0..MATCHES).map(|seed| Match::play(4, seed)).collect();
    let mut verbs = BTreeMap::<&str, usize>::new();
    for (verb, count) in matches.iter().flat_map(|it| &it.verbs) {
        *verbs.entry(verb).or_default() += count;
    }
    let mean = |sum: usize| sum as f64 / MATCHES as f64;
    for (verb, count) in &verbs {
        println!("{verb}: {:.1}", mean(*count));
    }
    println!("sold: {:.1}", mean(matches.iter().map(|it| it.sold as usize).sum()));
    println!("best score: {:.0}", mean(matches.iter().map(|it| it.best as usize).sum()));
    println!("median: {}", median(matches.iter().map(Match::actions).collect()));
}
