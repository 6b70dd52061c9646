//! One match among bots, in this process.

use std::time::{Duration, Instant};

use bots::{Asked, Budget, Iterations, Level};
use games::Game;
use table::{ChaCha, Entry, MatchChance, Observation, Options, Seat, Small, Table};

/// How long a bot may think about each decision.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    Iterations(u32),
    Time(Duration),
}

/// A match to be played. Its outcome is reproducible, unless a clock limits its bots.
pub(super) struct Setting<'a> {
    pub(super) game: &'static dyn Game,
    pub(super) options: &'a Options,
    /// The deal.
    pub(super) chance: MatchChance,
    /// By seat.
    pub(super) bots: Vec<Bot>,
    pub(super) limit: Limit,
    pub(super) actions_max: usize,
}

pub(super) struct Bot {
    pub(super) level: Level,
    pub(super) chance: ChaCha,
}

/// The end of a match.
pub(super) struct Played {
    /// Entries after the opening.
    pub(super) actions: usize,
    /// Absent if the match was given up after `actions_max` actions.
    pub(super) result: Option<Result>,
    /// By seat.
    pub(super) thinking: Vec<Thinking>,
}

/// By seat.
pub(super) struct Result {
    pub(super) points: Vec<i32>,
    pub(super) won: Vec<bool>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Thinking {
    /// How often the bot was asked.
    pub(super) decisions: u64,
    pub(super) time: Duration,
    /// Actions that the rules refused, and for which the house answered.
    pub(super) refused: u64,
}

/// Plays a match to its end.
///
/// After each entry, the seats that need not act are asked once each, in their order; if all of
/// them wait, the first seat that must act is asked. Each action restarts this.
pub(super) fn play(setting: Setting) -> Played {
    let mut playing = Playing::open(setting);
    while !playing.table.ended() && playing.actions < playing.setting.actions_max {
        playing.advance();
    }
    let Playing { table, actions, thinking, .. } = playing;
    let result = table.winners().map(|winners| Result {
        points: table.scores().to_vec(),
        won: table.seats().map(|seat| winners.has(seat)).collect(),
    });
    Played { actions, result, thinking }
}

struct Playing<'a> {
    setting: Setting<'a>,
    table: Table,
    /// By seat.
    observations: Vec<Observation>,
    actions: usize,
    thinking: Vec<Thinking>,
}

impl<'a> Playing<'a> {
    fn open(setting: Setting<'a>) -> Playing<'a> {
        let seats = setting.bots.len() as u8;
        let mut chance = setting.chance.after(0);
        let opened = setting.game.open(seats, setting.options, &[], &mut chance);
        let (table, entry) = opened.expect("honest rules open every match");
        let observations = Observation::each(setting.game.layout(), seats);
        let thinking = vec![Thinking::default(); seats.into()];
        let mut playing = Playing { setting, table, observations, actions: 0, thinking };
        playing.tell(&entry);
        playing
    }

    fn tell(&mut self, entry: &Entry) {
        self.observations.iter_mut().for_each(|it| it.hear(entry));
    }

    /// Makes one entry.
    fn advance(&mut self) {
        let asked = Asked::of(&self.table, |_| true);
        for seat in asked.may {
            if self.ask(seat) {
                return;
            }
        }
        let seat = asked.must.expect("a match that goes on waits for a seat");
        if !self.ask(seat) {
            let chance = &mut self.setting.chance.after(self.table.choices().into());
            let answered = self.setting.game.time_out(&self.table, seat, false, chance);
            self.apply(answered.expect("the house answers for a seat that must act"));
        }
    }

    /// Whether the seat acted.
    fn ask(&mut self, seat: Seat) -> bool {
        let Playing { setting, observations, thinking, .. } = self;
        let (bot, thinking) = (&mut setting.bots[seat.index()], &mut thinking[seat.index()]);
        let began = Instant::now();
        let (mut iterations, time) = match setting.limit {
            Limit::Iterations(count) => (Iterations(count), None),
            Limit::Time(time) => (Iterations(u32::MAX), Some(time)),
        };
        let budget =
            &mut || iterations.allows_another() && time.is_none_or(|time| began.elapsed() < time);
        let observation = &observations[seat.index()];
        let action = bot.level.choose(setting.game, observation, budget, &mut bot.chance);
        thinking.decisions += 1;
        thinking.time += began.elapsed();
        let action = match action {
            Ok(Some(action)) => action,
            Ok(None) => return false,
            Err(_) => {
                thinking.refused += 1;
                return false;
            }
        };
        let mut chance = setting.chance.after(self.table.choices().into());
        match setting.game.play(&self.table, seat, &action, &mut chance) {
            Ok(played) => {
                self.apply(played);
                true
            }
            Err(_) => {
                thinking.refused += 1;
                false
            }
        }
    }

    fn apply(&mut self, (table, entry): (Table, Entry)) {
        self.table = table;
        self.actions += 1;
        self.tell(&entry);
    }
}
