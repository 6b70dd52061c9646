//! Forged records whose digests, checks and commitment are right: what somebody can make who has a
//! seed and chooses everything else. Verifying them takes bounded time and memory, whatever the
//! rules are led to. `make fuzz` runs this for longer.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test measures the time and the memory of verification, which itself knows neither"
)]

use std::fs;
use std::io::Cursor;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use bolero::check;
use games::GAMES;
use table::{
    Chance, Choice, Contribution, Entry, Event, MatchChance, Motion, Offer, OfferItem, Seat, Small,
    Viewers,
};

use crate::common::{Played, text_of};
use crate::{Answer, Blocks, Known, Line, read_block, verify_block};

/// Entries of the matches that are forged.
const ENTRIES: usize = 30;

/// How often a change repeats what it adds, at most.
const REPEATS_MAX: usize = 3_000;

/// CPU time that any input may take, and what it may take for each of its bytes: some hundred times
/// what honest records need in a build for tests. An input is at most some megabytes.
const CPU_MAX: Duration = Duration::from_secs(10);
const CPU_PER_BYTE_MAX: Duration = Duration::from_micros(20);

/// Memory that an input may take.
const MEMORY_MAX: usize = 512 << 20;

/// Time after which verification counts as endless, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(300);

/// A change: of which kind, where, and two numbers for it.
type Change = (u8, u16, u16, u32);

/// Matches of every game, of which some have ended.
static ORIGINALS: LazyLock<Vec<Played>> = LazyLock::new(|| {
    let originals = GAMES.iter().flat_map(|&game| {
        [*game.seats().start(), *game.seats().end()].into_iter().flat_map(move |seats| {
            [(1, ENTRIES), (2, ENTRIES), (4, 2000)].map(|(number, entries_max)| {
                let mut played = Played::new(game, seats, number, entries_max);
                let count = played.entries.len();
                if count > 4 * ENTRIES {
                    // Of a long match, the rules see the beginning only.
                    played.entries.truncate(4 * ENTRIES);
                }
                played.step_s = 1;
                played.record();
                played
            })
        })
    });
    originals.collect()
});

#[test]
fn fuzz_a_forged_record_takes_bounded_work() {
    let counts: Mutex<Counts> = Mutex::default();
    check!().with_type::<(u16, u8, Vec<Change>)>().for_each(|(of, how, changes)| {
        let originals = &*ORIGINALS;
        let mut forged = originals[usize::from(*of) % originals.len()].clone();
        for change in changes.iter().take(8) {
            apply(&mut forged, *change);
        }
        if how & 1 > 0 {
            choose_again(&mut forged);
        }
        forged.record();
        let mut lines = forged.lines();
        if how & 2 > 0
            && let Line::Match(head) = &mut lines[0]
        {
            (head.seed, head.secret_seed) = (None, None);
        }
        let text = text_of(&lines);
        let took = bounded(text);
        counts.lock().expect("no input failed").add(&took);
    });
    // Shown with `--no-capture`.
    println!("{:?}", counts.into_inner().expect("no input failed"));
}

/// How many inputs led to each answer, and the most that one took.
#[derive(Debug, Default)]
struct Counts {
    proven: u64,
    not_proven: u64,
    wrong: u64,
    entries: u64,
    most_cpu: Duration,
    most_bytes: usize,
}

struct Took {
    answer: Answer,
    entries: u64,
    cpu: Duration,
    bytes: usize,
}

impl Counts {
    fn add(&mut self, took: &Took) {
        *match took.answer {
            Answer::Proven => &mut self.proven,
            Answer::NotProven => &mut self.not_proven,
            Answer::Wrong => &mut self.wrong,
        } += 1;
        self.entries += took.entries;
        self.most_cpu = self.most_cpu.max(took.cpu);
        self.most_bytes = self.most_bytes.max(took.bytes);
    }
}

/// Verifies and reads a file of one match. Fails if that takes more than it may.
fn bounded(text: String) -> Took {
    let (done, result) = channel();
    let (bytes, before, begun) = (text.len(), memory(), Instant::now());
    let verify = thread::spawn(move || {
        let before = cpu();
        let mut blocks = Blocks::new(Cursor::new(&text)).expect("it has a header");
        let block = blocks.read().expect("it is read").expect("it has a match");
        let outcome = verify_block(&block, &Known::default());
        let read = read_block(&block).map(drop);
        assert!(read.is_ok() || outcome.answer() != Answer::Proven, "{read:?}");
        let entries = outcome.verified.entries.unsigned_abs();
        let took = Took { answer: outcome.answer(), entries, cpu: cpu() - before, bytes };
        // Whoever waited may have given up.
        let _ = done.send(took);
    });
    let took = loop {
        match result.recv_timeout(Duration::from_millis(50)) {
            Ok(took) => break took,
            Err(RecvTimeoutError::Disconnected) => {
                verify.join().expect("verification does not panic");
                unreachable!("it sends its result");
            }
            Err(RecvTimeoutError::Timeout) => {
                let grown = memory().saturating_sub(before);
                assert!(grown < MEMORY_MAX, "{bytes} bytes took {grown} bytes of memory");
                assert!(begun.elapsed() < PATIENCE, "{bytes} bytes are verified without end");
            }
        }
    };
    verify.join().expect("it has sent its result");
    let most = CPU_MAX + CPU_PER_BYTE_MAX * u32::try_from(bytes).expect("an input is small");
    assert!(took.cpu < most, "{bytes} bytes took {:?}", took.cpu);
    took
}

/// The CPU time of this thread so far.
fn cpu() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells it");
    let nanos = text.split(' ').next().and_then(|it| it.parse().ok());
    Duration::from_nanos(nanos.expect("a number"))
}

/// The memory of this process.
fn memory() -> usize {
    let text = fs::read_to_string("/proc/self/statm").expect("Linux tells it");
    let pages: Option<usize> = text.split(' ').nth(1).and_then(|it| it.parse().ok());
    pages.expect("a number") * 4096
}

/// Computes the values of all choices anew, so that they follow from the seed.
fn choose_again(forged: &mut Played) {
    let contributed = forged.entries.iter().take(1).flat_map(|it| &it.events);
    let contributed = contributed.map_while(|event| match event {
        Event::Contributed(it) => Some((**it).clone()),
        _ => None,
    });
    let contributions: Vec<Contribution> = contributed.collect();
    let id = forged.row.match_id.0.as_bytes();
    let chance = MatchChance::new(id, &forged.seed, &contributions);
    let mut made = 0;
    for entry in &mut forged.entries {
        let mut stream = chance.after(made);
        for choice in &mut entry.choices {
            choice.value = stream.below(choice.bound as usize) as u32;
        }
        made += entry.choices.len() as u64;
    }
}

fn apply(forged: &mut Played, change: Change) {
    if forged.entries.is_empty() {
        return;
    }
    match change.0 % 32 {
        0..8 => change_choices(forged, change),
        8..16 => change_events(forged, change),
        16..24 => change_entry(forged, change),
        _ => change_match(forged, change),
    }
}

fn repeats(other: u16) -> usize {
    1 + usize::from(other) % REPEATS_MAX
}

/// The entry to change, and another one.
fn two(forged: &mut Played, at: u16, other: u16) -> (&mut Entry, Entry) {
    let count = forged.entries.len();
    let from = forged.entries[usize::from(other) % count].clone();
    (&mut forged.entries[usize::from(at) % count], from)
}

/// Other values, bounds and numbers of choices.
fn change_choices(forged: &mut Played, (kind, at, other, number): Change) {
    let (entry, from) = two(forged, at, other);
    let (count, choices) = (entry.choices.len(), &mut entry.choices);
    let nth = number as usize % count.max(1);
    match kind % 8 {
        0 | 1 if count > 0 => choices[nth].value = u32::from(other) % choices[nth].bound,
        2 if count > 0 => {
            let bound = 1 + u32::from(other);
            choices[nth] = Choice { bound, value: choices[nth].value % bound };
        }
        3 | 4 => choices.truncate(nth),
        5 => choices.extend(vec![Choice { bound: 6, value: number % 6 }; repeats(other)]),
        // What the rules chose once, again and again: ties are rolled again, for example.
        6 if count > 0 => _ = choices.splice(nth..nth, vec![choices[nth]; repeats(other)]),
        _ => *choices = from.choices,
    }
}

fn change_events(forged: &mut Played, (kind, at, other, number): Change) {
    let item = offered(forged.row.game.as_str(), number);
    let (entry, from) = two(forged, at, other);
    let seat = Seat::nth(usize::from(at) % 8).expect("a table has eight seats");
    let (count, events) = (entry.events.len(), &mut entry.events);
    let nth = number as usize % count.max(1);
    match kind % 8 {
        0 | 1 if count > 0 => drop(events.remove(nth)),
        2 if count > 0 => events.extend(vec![events[nth].clone(); repeats(other)]),
        3 => events.extend(from.events),
        4 => events.push(Event::Ended { winners: [seat].into_iter().collect() }),
        5 => {
            let all = [
                Event::Resigned { seat },
                Event::TimedOut { seat },
                Event::TimeAdded { seat, ms: number },
                Event::TookBack { age: number },
                Event::Replaced { seat },
                Event::TurnBegan(seat),
                Event::RoundBegan(number as u8),
                Event::PhaseBegan(number as u8),
                Event::OfferClosed { by: seat },
                Event::Voted { seat, motion: Motion::Pause, on: true },
                Event::Scored { seat, points: number as i32 },
                Event::Abandoned,
            ];
            events.push(all[usize::from(other) % all.len()].clone());
        }
        6 => {
            let give = vec![item; repeats(other)];
            let offer = Offer { by: seat, to: seat, give, take: Vec::new() };
            events.push(Event::Offered(Box::new(offer)));
        }
        _ => {
            let shown = from.events.iter().find_map(|it| match *it {
                Event::Moved { what, to: at, .. } => {
                    Some(Event::Shown { what, at, to: Viewers::only(seat) })
                }
                _ => None,
            });
            events.extend(shown);
        }
    }
}

/// The rest of an entry.
fn change_entry(forged: &mut Played, (kind, at, other, number): Change) {
    let (entry, from) = two(forged, at, other);
    let nth = number as usize;
    match kind % 8 {
        0 if !entry.prompts.is_empty() => {
            let prompt = entry.prompts[nth % entry.prompts.len()];
            entry.prompts.extend(vec![prompt; repeats(other) % 900]);
        }
        1 => entry.prompts.clear(),
        2 => entry.prompts = from.prompts,
        3 => entry.rules = [0, 1, 2, 99][nth % 4],
        4 => entry.seat = Seat::nth(nth % 9),
        5 => (entry.verb, entry.action) = (from.verb, from.action),
        6 => {
            let mut action = entry.action.take().unwrap_or_default().to_vec();
            action.push(0);
            let length = action.len();
            action[nth % length] ^= 1 + (other % 255) as u8;
            entry.action = Some(action.into());
        }
        _ => entry.action = entry.action.take().map(|it| it.repeat(repeats(other)).into()),
    }
}

fn change_match(forged: &mut Played, (kind, at, other, number): Change) {
    let (nth, count) = (number as usize, forged.entries.len());
    let at = usize::from(at) % count;
    match kind % 8 {
        0 => {
            forged.seed[nth % 32] ^= 1 + (other % 255) as u8;
            forged.row.terms.seed_commitment = *blake3::hash(&forged.seed).as_bytes();
        }
        1 => {
            let options = [
                ("time-control", "0 0 1 0 answer"),
                ("time-control", "4294967295 4294967295 4294967295 1 resign"),
                ("talk", "on"),
                ("first-seat", "0"),
                ("first-seat", "7"),
            ];
            let (name, value) = options[nth % options.len()];
            forged.row.terms.options.insert(name.to_owned(), value.to_owned());
        }
        // Up to a few hundred years for all entries together.
        2 => forged.step_s = number % 10_000_000,
        3 => forged.row.seats = (1 + nth % 8) as i16,
        4 => drop(forged.entries.remove(at)),
        5 => forged.entries.insert(at, forged.entries[usize::from(other) % count].clone()),
        6 => {
            let entry = forged.entries[at].clone();
            let again = repeats(other).min(2_000_000 / (1_000 + entry.bytes()));
            forged.entries.extend(vec![entry; again]);
        }
        _ => {
            let given = |seat: usize| Contribution {
                seat: Seat::nth(seat).expect("a low seat"),
                bytes: vec![number as u8; 16 + nth % 17].into(),
                after_commitment: other % 2 == 0,
            };
            let seats = usize::from(forged.row.seats.unsigned_abs()).min(8);
            let opening = &mut forged.entries[0];
            opening.events.retain(|it| !matches!(it, Event::Contributed(_)));
            let given = (0..seats).map(|seat| Event::Contributed(Box::new(given(seat))));
            opening.events.splice(0..0, given);
        }
    }
}

/// An item that a deal of this game could name.
fn offered(game: &str, number: u32) -> OfferItem {
    let pieces = games::find(game).expect("a game").layout().pieces();
    let row = &pieces[number as usize % pieces.len()];
    OfferItem::Piece { piece: row.piece, to: row.start }
}

/// The rules once rolled for ever, where the recorded choices ended.
#[test]
fn an_opening_without_its_choices_is_refused_at_once() {
    for original in &*ORIGINALS {
        let mut forged = original.clone();
        forged.entries.truncate(1);
        let all = std::mem::take(&mut forged.entries[0].choices);
        for kept in [0, all.len() / 2, all.len() - 1] {
            forged.entries[0].choices = all[..kept].to_vec();
            forged.record();
            assert_eq!(bounded(text_of(&forged.lines())).answer, Answer::Wrong);
        }
    }
}

/// Entries of a later version are folded, and what they leave on the table is bounded.
#[test]
fn entries_that_only_add_to_the_table_take_linear_time() {
    let original = ORIGINALS.iter().find(|it| it.row.game == "rigs").expect("a game with deals");
    let mut forged = original.clone();
    forged.entries.truncate(1);
    forged.entries[0].rules = 99;
    let seat = Seat::default();
    let give = vec![offered("rigs", 0); 500];
    let offer = Offer { by: seat, to: seat, give, take: Vec::new() };
    let offers = Entry {
        verb: table::SAY,
        seat: Some(seat),
        events: vec![Event::Offered(Box::new(offer))],
        choices: Vec::new(),
        ..forged.entries[0].clone()
    };
    forged.entries.extend(vec![offers; 2_000]);
    forged.record();
    let took = bounded(text_of(&forged.lines()));
    assert_eq!((took.answer, took.entries), (Answer::Wrong, 2));
}
