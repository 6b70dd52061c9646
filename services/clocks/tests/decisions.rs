//! Random matches with clocks: with any take-backs and pauses, a seat has exactly the time of its
//! time control for each decision.

use std::time::Duration;

use clocks::{Clocks, OnTimeout, TimeControl};
use games::{GAMES, Game};
use table::{ChaCha, Chance, Entry, LastAction, MatchChance, Motion, Seat, Small, Table, Viewer};
use time::OffsetDateTime;

/// Matches of each game.
const MATCHES: u64 = 12;

/// Entries of a match.
const ENTRIES: usize = 400;

const CONTROL: TimeControl = TimeControl {
    bank_s: 600,
    increment_s: 5,
    per_decision_s: 30,
    on_timeout: OnTimeout::Answer,
    resign_after: 0,
};

/// A seat's limit, computed independently from deadlines only.
#[derive(Clone, Copy, Default)]
struct Limit {
    /// `None` while it has nothing to decide.
    deadline: Option<OffsetDateTime>,
    /// The maximum that its bank may hold.
    bank: Duration,
}

/// How often things happened, over all matches.
#[derive(Debug, Default)]
struct Tally {
    taken_back: usize,
    resumed: usize,
}

struct Playing {
    game: &'static dyn Game,
    whims: ChaCha,
    chance: MatchChance,
    choices: u64,
    table: Table,
    last: Option<LastAction>,
    now: OffsetDateTime,
    clocks: Clocks,
    /// The clocks as a spectator is told.
    told: Clocks,
    limits: Vec<Limit>,
    /// The limits before the last action, and when it was.
    before: (Vec<Limit>, OffsetDateTime),
}

impl Playing {
    fn new(game: &'static dyn Game, seed: u64) -> Playing {
        let mut whims = ChaCha::of([7; 32], seed);
        let counts = game.seats();
        let seats =
            counts.start() + whims.below(usize::from(counts.end() - counts.start()) + 1) as u8;
        let options = game.check_options(&Default::default(), seats).expect("defaults");
        let chance = MatchChance::new(&[3; 16], &[seed as u8; 32], &[]);
        let opened = game.open(seats, &options, &[], &mut chance.after(0));
        let (table, opening) = opened.expect("native rules open every match");
        let now = OffsetDateTime::UNIX_EPOCH + Duration::from_secs(1);
        let bank = Duration::from_secs(CONTROL.bank_s.into());
        let limits = vec![Limit { deadline: None, bank }; seats.into()];
        let mut playing = Playing {
            game,
            whims,
            chance,
            choices: opening.choices.len() as u64,
            before: (limits.clone(), now),
            limits,
            clocks: Clocks::new(CONTROL, seats),
            told: Clocks::new(CONTROL, seats),
            table: Table::new(game.layout(), seats, Viewer::House),
            last: None,
            now,
        };
        playing.record(table, opening);
        playing
    }

    /// Applies an entry, and checks every clock.
    fn record(&mut self, after: Table, entry: Entry) {
        self.clocks.apply(&entry, self.now, &after);
        let seen = entry.seen_by(Viewer::Spectator, self.game.layout());
        self.told.apply(&seen, self.now, &after);
        assert_eq!(self.told, self.clocks, "{}", entry.verb);

        let undone = (entry.verb == table::TAKE_BACK).then(|| self.before.clone());
        if !entry.is_aside() {
            self.before = (self.limits.clone(), self.now);
        }
        for seat in after.seats() {
            self.check(seat, &after, &entry, undone.as_ref());
        }
        let stored = Clocks::decode(&self.clocks.encode(), CONTROL, self.limits.len() as u8);
        assert_eq!(stored.as_ref(), Some(&self.clocks));
        self.choices += entry.choices.len() as u64;
        let before = std::mem::replace(&mut self.table, after);
        match &mut self.last {
            Some(last) if entry.is_aside() => last.age += 1,
            last => *last = Some(LastAction { before, entry, age: 1 }),
        }
    }

    fn check(
        &mut self,
        seat: Seat,
        after: &Table,
        entry: &Entry,
        undone: Option<&(Vec<Limit>, OffsetDateTime)>,
    ) {
        let clock = self.clocks.seats()[seat.index()];
        let limit = &mut self.limits[seat.index()];
        let must = |table: &Table| {
            let open = table.prompts().iter().rev().find(|it| it.must && it.seat == seat).copied();
            let live = table.live().find(|it| it.must && it.seat == seat).copied();
            let is_over = table.ended() || table.resigned().has(seat);
            live.or(open)
                .filter(|_| !is_over)
                .map(|it| (it.age, live.is_some() && !table.is_paused()))
        };
        let asked = must(after);
        let goes_on = asked.is_some_and(|(age, _)| age > 0);
        let deadline = self.clocks.deadline(seat);
        assert_eq!(deadline.is_some(), asked.is_some_and(|(_, is_live)| is_live));
        match undone {
            Some((before, acted)) if entry.seat == Some(seat) || !goes_on => {
                *limit = before[seat.index()];
                if entry.seat != Some(seat)
                    && let Some(deadline) = &mut limit.deadline
                {
                    *deadline += self.now - *acted;
                }
            }
            _ if goes_on => {}
            _ => {
                let has_decided = limit.deadline.is_some() && entry.seat == Some(seat);
                limit.bank +=
                    Duration::from_secs(if has_decided { CONTROL.increment_s.into() } else { 0 });
                limit.deadline = asked.map(|_| {
                    assert!(clock.bank <= limit.bank, "{}: {:?}", entry.verb, clock.bank);
                    limit.bank = clock.bank;
                    self.now + Duration::from_secs(CONTROL.per_decision_s.into()) + clock.bank
                });
            }
        }
        // After a pause, a late seat is late at once; the excess is forgotten.
        let due = |deadline: OffsetDateTime| deadline.max(self.now);
        if deadline.is_some() {
            assert_eq!(deadline.map(due), limit.deadline.map(due), "{} of {seat}", entry.verb);
        }
    }

    /// Lets some time pass without a timeout; a seat that took back late is late at once.
    fn wait(&mut self) {
        let most =
            self.clocks.next().map_or(100_000, |(at, _)| (at - self.now).whole_milliseconds());
        let most = usize::try_from(most).unwrap_or(0).clamp(1, 60_000);
        let wait = Duration::from_millis(self.whims.below(most) as u64);
        self.now += wait;
        for (nth, limit) in self.limits.iter_mut().enumerate() {
            let stands_still = self.clocks.seats()[nth].running_since.is_none();
            if let Some(deadline) = limit.deadline.as_mut().filter(|_| stands_still) {
                *deadline += wait;
            }
        }
    }

    /// One entry, if there can be another.
    fn step(&mut self, tally: &mut Tally) -> bool {
        if self.table.ended() {
            return false;
        }
        self.wait();
        let mut chance = self.chance.after(self.choices);
        if self.table.is_paused() || self.whims.below(12) == 0 {
            let motion = if self.table.is_paused() { Motion::Resume } else { Motion::Pause };
            let (table, entry) = self.game.order(&self.table, motion).expect("it can be ordered");
            tally.resumed += usize::from(motion == Motion::Resume);
            self.record(table, entry);
            return true;
        }
        if self.whims.below(3) > 0
            && let Some(seat) = self.last.as_ref().and_then(|it| it.entry.seat)
            && let Ok((table, entry)) = self.game.take_back(&self.table, self.last.as_ref(), seat)
        {
            tally.taken_back += 1;
            self.record(table, entry);
            return true;
        }
        let seats: Vec<Seat> = self.table.seats().collect();
        let legal = seats.iter().flat_map(|&seat| {
            let legal = self.game.legal(&self.table, seat).expect("native rules list");
            legal.into_iter().map(move |it| (seat, it.action))
        });
        let legal: Vec<_> = legal.collect();
        let (seat, action) = &legal[self.whims.below(legal.len())];
        let played = self.game.play(&self.table, *seat, action, &mut chance);
        let (table, entry) = played.expect("it is legal");
        self.record(table, entry);
        true
    }
}

#[test]
fn a_decision_has_its_time_once_whatever_is_taken_back_and_paused() {
    let mut tally = Tally::default();
    for game in GAMES {
        for seed in 0..MATCHES {
            let mut playing = Playing::new(*game, seed);
            for _ in 0..ENTRIES {
                if !playing.step(&mut tally) {
                    break;
                }
            }
        }
    }
    let Tally { taken_back, resumed } = tally;
    assert!(taken_back > 100 && resumed > 100, "{tally:?}");
}
