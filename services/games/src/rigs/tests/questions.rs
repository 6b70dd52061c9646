use std::collections::BTreeMap;

use table::{ChaCha, Common, Options, invariants::key, open};

use super::{sensible, *};
use crate::rigs::{absent, cards::Window};

/// Actions of a match of four in which nobody declares anything. It took 449 while every seat was
/// asked for its production and for the order of disasters.
const ASKED_MEDIAN: usize = 385;

/// The same with standing answers. It took 595 while every seat was asked each question by itself.
const ACTIONS_MEDIAN: usize = 290;

/// The same without the declarations of standing answers.
const ANSWERS_MEDIAN: usize = 255;

/// Standing answers may cost this part of what the same players do without them, in percent.
const COST_MAX: f64 = 15.0;

/// Matches that are measured. With 200, chance moves what is sold by a tenth.
const MATCHES: u64 = 800;

/// One match of seats that play well.
struct Match {
    verbs: BTreeMap<&'static str, usize>,
    /// Units of Luxury sold.
    sold: u32,
    best: i32,
}

impl Match {
    fn play(seats: u8, seed: u64, stands: bool) -> Match {
        let seed = key(seed);
        let options = Options::of::<Rigs>(&BTreeMap::new(), seats).expect("there are no options");
        let (mut table, _) = open::<Rigs>(seats, &options, &[], &mut ChaCha::of(seed, 1));
        let mut played = Match { verbs: BTreeMap::new(), sold: 0, best: 0 };
        for position in 2.. {
            if table.ended() {
                break;
            }
            let mut chance = ChaCha::of(seed, position);
            if let Some((seat, stand)) = next_stand(&table).filter(|_| stands) {
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

/// Means of what the players did.
fn achieved(matches: &[Match]) -> [(&'static str, f64); 5] {
    let mean =
        |of: &dyn Fn(&Match) -> f64| matches.iter().map(of).sum::<f64>() / matches.len() as f64;
    let count = |verb| mean(&|it| it.verbs.get(verb).copied().unwrap_or(0) as f64);
    [
        ("built", count("build")),
        ("accepted", count("accept")),
        ("played", count("play")),
        ("sold", mean(&|it| it.sold.into())),
        ("best score", mean(&|it| it.best.into())),
    ]
}

/// A question costs a player a visit, so a match should ask few, and none that the players miss.
/// §20.1, §20.2, §20.3, §20.7, §20.9
#[test]
fn a_match_of_four_asks_few_questions_and_is_played_as_well() {
    let play = |stands| (0..MATCHES).map(move |seed| Match::play(4, seed, stands)).collect();
    let (asked, standing): (Vec<Match>, Vec<Match>) = (play(false), play(true));
    for ((what, usual), (_, is)) in achieved(&asked).into_iter().zip(achieved(&standing)) {
        println!("{what}: {usual:.1}, with standing answers {is:.1}");
        assert!(is >= usual * (1.0 - COST_MAX / 100.0), "{what}: {is} instead of {usual}");
    }
    let actions = |of: &[Match]| median(of.iter().map(Match::actions).collect());
    let declared = |it: &Match| it.verbs.get("stand").copied().unwrap_or(0);
    let answers = median(standing.iter().map(|it| it.actions() - declared(it)).collect());
    println!("actions: {}, then {} ({answers} answers)", actions(&asked), actions(&standing));
    assert!(actions(&asked) <= ASKED_MEDIAN, "{} actions", actions(&asked));
    assert!(actions(&standing) <= ACTIONS_MEDIAN, "{} actions", actions(&standing));
    assert!(answers <= ANSWERS_MEDIAN, "{answers} answers");
}

/// How often each decision was made in a match of four in which nobody declares anything, and
/// whether the house laid out each production that concerned nobody.
fn decisions_of(seed: u64, asks_in_vain: bool) -> BTreeMap<String, usize> {
    let seed = key(seed);
    let options = Options::of::<Rigs>(&BTreeMap::new(), 4).expect("there are no options");
    let (mut table, _) = open::<Rigs>(4, &options, &[], &mut ChaCha::of(seed, 1));
    let mut made = BTreeMap::new();
    if asks_in_vain {
        for seat in table.seats().collect::<Vec<_>>() {
            for decision in [Decision::Deal, Decision::Produce] {
                let stand = Common::Stand { decision: decision.into(), on: false };
                let played = stand.play::<Rigs>(&table, seat, Bytes::new(), &mut Dice::of(""));
                table = played.expect("it begins with a standing answer").0;
            }
        }
    }
    for position in 2.. {
        if table.ended() {
            break;
        }
        let (seat, action) = next(&table);
        let prompt = *table.prompt(seat).expect("it acts because it is asked");
        if prompt.must && prompt.decision == Decision::Produce.into() && !asks_in_vain {
            assert!(absent::concerns(&table, seat), "{seat} has nothing to lay out: {table:?}");
        }
        *made.entry(LAYOUT.decision_name(prompt.decision).to_owned()).or_default() += 1;
        let mut chance = ChaCha::of(seed, position);
        table = play::<Rigs>(&table, seat, &action, &mut chance).expect("it is legal").0;
    }
    made
}

/// §20.12
#[test]
fn nobody_is_asked_in_vain_who_does_not_say_so() {
    let times = |made: &BTreeMap<String, usize>, name| made.get(name).copied().unwrap_or(0);
    let rounds = usize::from(ROUNDS);
    for seed in 0..5 {
        let (told, asked) = (decisions_of(seed, false), decisions_of(seed, true));
        assert_eq!(times(&told, "deal"), 0, "{told:?}");
        assert!(times(&asked, "deal") >= rounds, "{asked:?}");
        assert!(times(&told, "produce") <= 2 * rounds, "{told:?}");
        assert!(times(&asked, "produce") >= 4 * rounds, "{asked:?}");
    }
}

/// §20.12: being ready early loses no card.
#[test]
fn what_may_be_played_in_production_may_be_played_after_the_last_call() {
    let all = Karma::all().map(Karma::windows).filter(|it| it.contains(&Window::Production));
    let all: Vec<_> = all.collect();
    assert!(!all.is_empty() && all.iter().all(|it| it.contains(&Window::LastCall)), "{all:?}");
}

/// §20.11
#[test]
fn what_other_seats_do_leaves_a_question_the_same() {
    let ages = |table: &Table| -> Vec<(Seat, bool, u32)> {
        table.live().map(|it| (it.seat, it.must, it.age)).collect()
    };
    let asked = |seat, age| (seat_of(seat), true, age);
    let play = |table: &Table, seat: &str, text: &str| {
        let played = play::<Rigs>(table, seat_of(seat), &action(text), &mut Dice::of(""));
        played.expect("it is legal").0
    };
    let selling = "seats: 3; phase: selling; price: market-low-4-1";
    let luxury = "warehouse/0: 2 luxury; warehouse/1: 1 luxury; warehouse/2: 1 luxury";
    let table = act(&format!("{selling}; {luxury}"), "");
    let before = table.live().find(|it| it.seat == seat_of("1")).expect("it may sell").age;
    let table = play(&table, "0", "sell 1");
    assert_eq!(ages(&table)[1], asked("1", before + 1), "{:?}", ages(&table));
    let table = play(&table, "2", "ready");
    assert_eq!(ages(&table)[1], asked("1", before + 2), "{:?}", ages(&table));
    assert_eq!(ages(&table)[2], (seat_of("2"), false, 0), "a ready seat need not answer");
}

/// §20.8: the house neither attacks nor borrows for a seat that resigned.
#[test]
fn a_resigned_seat_harms_and_helps_nobody() {
    for seed in 0..RANDOM_MATCHES {
        let seed = key(seed);
        let options = Options::of::<Rigs>(&BTreeMap::new(), 4).expect("there are no options");
        let (table, _) = open::<Rigs>(4, &options, &[], &mut ChaCha::of(seed, 1));
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
        let played =
            table::invariants::playout::<Rigs>(4, &options, &table::invariants::chance(seed));
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
