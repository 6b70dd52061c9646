//! Many matches of one game, each of which takes an action with every step. What their seats see is
//! written into memory of the caller.

use games::{WithRules, with_rules};
use table::{Rules, Seat};

use crate::encoder::Encoder;
use crate::error::Fault;
use crate::features::Features;
use crate::played::{Played, Secret, Shown};
use crate::reward::Reward;
use crate::single::Setting;

/// The caller's memory: a row for each match.
pub struct Rows<'a> {
    pub observations: &'a mut [i32],
    pub masks: &'a mut [i8],
    pub counts: &'a mut [i32],
    pub seats: &'a mut [i8],
    pub rewards: &'a mut [f32],
    pub terminations: &'a mut [bool],
    pub truncations: &'a mut [bool],
    /// `actions_max` rows for each match, if they are wanted.
    pub features: Option<&'a mut [i16]>,
}

/// Many matches of any game.
pub trait AnyMany: Send + Sync {
    /// Begins every match anew.
    fn begin(&mut self, seed: u64, rows: &mut Rows<'_>);

    /// Carries out an action in each match, or in none if one of them is illegal. A match that ends
    /// is followed by the next one at once.
    fn step(&mut self, actions: &[i64], rows: &mut Rows<'_>) -> Result<(), Fault>;
}

struct Many<G: Rules> {
    setting: Setting,
    reward: Reward,
    seed: u64,
    shown: Shown,
    matches: Vec<(Played<G>, u64)>,
    scores: Vec<i32>,
}

struct Make(Setting, Reward, usize);

impl WithRules for Make {
    type Output = Box<dyn AnyMany>;

    fn run<G: Rules<Action: Send + Sync>>(self) -> Box<dyn AnyMany> {
        let Make(setting, reward, count) = self;
        let mut shown = Shown::new::<G>(setting.terms.seats);
        let begin = |nth| {
            let secret = Secret::of(0, nth, 0);
            (Played::<G>::new(&setting.terms, &secret, &mut shown), 0)
        };
        let matches = (0..count as u64).map(begin).collect();
        Box::new(Many { setting, reward, seed: 0, shown, matches, scores: Vec::new() })
    }
}

/// This many matches.
pub fn many(setting: Setting, reward: Reward, count: usize) -> Box<dyn AnyMany> {
    let game = setting.encoder.game;
    with_rules(game, Make(setting, reward, count)).expect("the game is compiled in")
}

impl<G: Rules<Action: Send + Sync>> AnyMany for Many<G> {
    fn begin(&mut self, seed: u64, rows: &mut Rows<'_>) {
        self.seed = seed;
        rows.rewards.fill(0.0);
        rows.terminations.fill(false);
        rows.truncations.fill(false);
        for nth in 0..self.matches.len() {
            self.begin_one(nth, 0);
            self.write(nth, rows);
        }
    }

    fn step(&mut self, actions: &[i64], rows: &mut Rows<'_>) -> Result<(), Fault> {
        for (nth, ((played, _), action)) in self.matches.iter().zip(actions).enumerate() {
            let checked = played.check(*action);
            checked.map_err(|it| Fault::OfVector { nth, fault: Box::new(it) })?;
        }
        let seats = usize::from(self.setting.terms.seats);
        for nth in 0..self.matches.len() {
            let (played, episode) = &mut self.matches[nth];
            self.scores.clear();
            self.scores.extend_from_slice(played.table.scores());
            let acted = played.act(actions[nth], &self.setting.terms, &mut self.shown);
            acted.map_err(|it| Fault::OfVector { nth, fault: Box::new(it) })?;
            let rewards = &mut rows.rewards[nth * seats..][..seats];
            self.reward.write(&self.scores, &played.table, rewards);
            let has_ended = played.asked.is_none();
            let is_over = played.is_over(&self.setting.terms);
            rows.terminations[nth] = has_ended;
            rows.truncations[nth] = is_over && !has_ended;
            if is_over {
                let next = *episode + 1;
                self.begin_one(nth, next);
            }
            self.write(nth, rows);
        }
        Ok(())
    }
}

impl<G: Rules> Many<G> {
    fn begin_one(&mut self, nth: usize, episode: u64) {
        let secret = Secret::of(self.seed, nth as u64, episode);
        let played = Played::new(&self.setting.terms, &secret, &mut self.shown);
        self.matches[nth] = (played, episode);
    }

    /// Writes the row of a match. The table of its seat was shown just before.
    fn write(&mut self, nth: usize, rows: &mut Rows<'_>) {
        let Setting { encoder, features, terms } = &self.setting;
        let (played, _) = &self.matches[nth];
        let seat = played.asked.expect("a new match asks somebody");
        let seen = self.shown.last(seat);
        let cells = encoder.planes.cells;
        encoder.encode(seen, &mut rows.observations[nth * cells..][..cells]);
        let count = played.count();
        let mask = &mut rows.masks[nth * terms.actions_max..][..terms.actions_max];
        let before = usize::try_from(rows.counts[nth]).unwrap_or_default().min(mask.len());
        mask[..count].fill(1);
        if before > count {
            mask[count..before].fill(0);
        }
        rows.counts[nth] = count as i32;
        rows.seats[nth] = u8::from(seat) as i8;
        if let Some(out) = &mut rows.features {
            let width = features.planes.cells * terms.actions_max;
            let legal = (played.may_wait, &played.legal[..]);
            let out = &mut out[nth * width..][..width];
            write_features::<G>(legal, encoder, features, seat, out);
        }
    }
}

/// A row for each action that the seat can choose; the rest is 0.
pub fn write_features<G: Rules>(
    (may_wait, legal): (bool, &[G::Action]),
    encoder: &Encoder,
    features: &Features,
    seat: Seat,
    out: &mut [i16],
) {
    let mut rows = out.chunks_exact_mut(features.planes.cells);
    if may_wait && let Some(row) = rows.next() {
        features.write_wait(row);
    }
    for (action, row) in legal.iter().zip(&mut rows) {
        let by = (seat, encoder.view(seat));
        features.write(G::verb(action), &G::print(action), by, row);
    }
    rows.for_each(|row| row.fill(0));
}
