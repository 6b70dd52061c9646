use std::collections::BTreeMap;

use table::{ChaCha, Common, Options, invariants::key, open};

use super::{sensible, *};

/// Actions of a match of four. It took 595 while every seat was asked each question by itself.
const ACTIONS_MEDIAN: usize = 250;

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
            let mut chance = ChaCha::of(seed, position);
            if let Some((seat, stand)) = next_stand(&table) {
                table = stand
                    .play::<Rigs>(&table, seat, Bytes::from_static(b"any"), &mut chance)
                    .expect("a seat may stand at any time")
                    .0;
                *played.verbs.entry("stand").or_default() += 1;
                continue;
            }
            let (seat, action) = next(&table);
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

/// What a seat declares or takes back before anything else goes on.
fn next_stand(table: &Table) -> Option<(Seat, Common)> {
    table.seats().find_map(|seat| {
        let seen = table.seen_by(Viewer::Seat(seat));
        let (decision, on) = sensible::stand(&seen, seat)?;
        Some((seat, Common::Stand { decision: decision.into(), on }))
    })
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

/// A question costs a player a visit, so a match should ask few. §20.1, §20.2, §20.3, §20.7, §20.9
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
    let asked = median(matches.iter().map(Match::actions).collect());
    println!("median: {asked}");
    assert!(asked <= ACTIONS_MEDIAN, "{asked} actions: {verbs:?}");
}

/// §20.8: the house neither attacks nor borrows for a seat that resigned.
#[test]
fn a_resigned_seat_harms_and_helps_nobody() {
    for seed in 0..MATCHES {
        let seed = key(seed);
        let options = Options::of::<Rigs>(&BTreeMap::new(), 4).expect("there are no options");
        let (table, _) = open::<Rigs>(4, &options, &mut ChaCha::of(seed, 1));
        let away = Seat::nth(3).expect("a seat of four");
        let left = table::resign::<Rigs>(&table, away, &mut ChaCha::of(seed, 2));
        let (mut table, _) = left.expect("any seat may resign");
        for position in 3..400 {
            if table.ended() {
                break;
            }
            let (seat, action) = next(&table);
            let mut chance = ChaCha::of(seed, position);
            table = play::<Rigs>(&table, seat, &action, &mut chance).expect("it is legal").0;
            assert_eq!(table.coins(Script(Resource::Energy), Debts(away)), 0);
            assert_eq!(table.marked(Borrowed(away)), 0);
            assert_ne!(table.get(By(Depth::new(0))), Some(away));
        }
    }
}

/// §20.7
#[test]
fn a_standing_answer_holds_until_something_concerns_its_seat() {
    let stands = |scene: &str, decision: Decision| {
        let stand = Common::Stand { decision: decision.into(), on: true };
        let seat = seat_of("1");
        let table = act(scene, "");
        let played = stand.play::<Rigs>(&table, seat, Bytes::new(), &mut Dice::of(""));
        played.expect("the decision may have a standing answer").0
    };
    let asked = |table: &Table, seat: &str| table.prompt(seat_of(seat)).is_some_and(|it| it.must);
    let after = |table: &Table, seat: &str, text: &str| {
        let played = play::<Rigs>(table, seat_of(seat), &action(text), &mut Dice::of(""));
        played.expect("it is legal").0
    };
    let idle = stands("turn: 0", Decision::Turn);
    assert!(asked(&after(&idle, "0", "ready"), "2"), "the seat has nothing to do on its turn");
    let busy = stands("turn: 0; warehouse/1: 2 metal", Decision::Turn);
    assert!(asked(&after(&busy, "0", "ready"), "1"), "the seat can build");
    let rich = "phase: selling; price: market-low-4-1; hand/0: decoy; hand/1: ruins";
    assert!(!asked(&stands(rich, Decision::Sell), "1"));
    let rich = format!("{rich}; warehouse/1: 1 luxury");
    assert!(asked(&stands(&rich, Decision::Sell), "1"), "the seat has Luxury to sell");
    let attacked = "hand/0: give-me-that; hand/1: ruins; hand/2: decoy";
    let on_other = after(&stands(attacked, Decision::React), "0", "play give-me-that 2");
    assert!(!asked(&on_other, "1") && asked(&on_other, "2"));
    let on_it = after(&stands(attacked, Decision::React), "0", "play give-me-that 1");
    assert!(asked(&on_it, "1"), "the Sabotage affects the seat");
    let touched =
        stands("phase: last-call; hand/0: decoy; hand/1: ruins; touched/1: 1", Decision::Final);
    assert!(asked(&touched, "1"));
    let untouched = stands("phase: last-call; hand/0: decoy; hand/1: ruins", Decision::Final);
    assert!(!asked(&untouched, "1") && asked(&untouched, "0"));
}

/// Random play proves something only about what it reaches.
#[test]
fn random_play_reaches_luxury_the_market_and_the_last_round() {
    let options = Options::of::<Rigs>(&BTreeMap::new(), 4).expect("there are no options");
    let (mut sold, mut ended, mut verbs) = (0, 0, BTreeMap::<&str, usize>::new());
    for seed in 0..RANDOM_MATCHES {
        let played = table::invariants::playout::<Rigs>(4, &options, key(seed));
        for step in &played.steps {
            *verbs.entry(Rigs::verb(&step.action)).or_default() += 1;
            if let Action::Sell { amount } = step.action {
                sold += amount;
            }
        }
        ended += usize::from(played.steps.last().is_some_and(|it| it.after.round() == ROUNDS));
    }
    println!("sold {sold}, ended {ended}, {verbs:?}");
    let sold_a_match = u64::from(sold) / RANDOM_MATCHES;
    assert!(sold_a_match >= 3, "{sold_a_match} Luxury sold in a match");
    assert_eq!(ended as u64, RANDOM_MATCHES, "every match is played to its last round");
    let usual = ["build", "move", "survey", "sell", "accept", "play", "series", "power", "lose"];
    let rare: Vec<&str> = usual.into_iter().filter(|verb| !verbs.contains_key(verb)).collect();
    assert!(rare.is_empty(), "{rare:?} never happens");
}

/// Matches played at random.
const RANDOM_MATCHES: u64 = 20;
