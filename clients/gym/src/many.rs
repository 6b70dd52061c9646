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

impl<'a> Rows<'a> {
    fn reborrow(&mut self) -> Rows<'_> {
        Rows {
            observations: self.observations,
            masks: self.masks,
            counts: self.counts,
            seats: self.seats,
            rewards: self.rewards,
            terminations: self.terminations,
            truncations: self.truncations,
            features: self.features.as_deref_mut(),
        }
    }

    /// The rows of the first matches, and those of the others.
    fn split_at(self, setting: &Setting, count: usize) -> (Rows<'a>, Rows<'a>) {
        let Setting { encoder, features, terms } = setting;
        let (observations, observations_of_others) =
            self.observations.split_at_mut(count * encoder.planes.cells);
        let (masks, masks_of_others) = self.masks.split_at_mut(count * terms.actions_max);
        let (counts, counts_of_others) = self.counts.split_at_mut(count);
        let (seats, seats_of_others) = self.seats.split_at_mut(count);
        let (rewards, rewards_of_others) =
            self.rewards.split_at_mut(count * usize::from(terms.seats));
        let (terminations, terminations_of_others) = self.terminations.split_at_mut(count);
        let (truncations, truncations_of_others) = self.truncations.split_at_mut(count);
        let width = features.planes.cells * terms.actions_max;
        let (features, features_of_others) =
            self.features.map(|it| it.split_at_mut(count * width)).unzip();
        let own = Rows {
            observations,
            masks,
            counts,
            seats,
            rewards,
            terminations,
            truncations,
            features,
        };
        let others = Rows {
            observations: observations_of_others,
            masks: masks_of_others,
            counts: counts_of_others,
            seats: seats_of_others,
            rewards: rewards_of_others,
            terminations: terminations_of_others,
            truncations: truncations_of_others,
            features: features_of_others,
        };
        (own, others)
    }
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
    seed: u64,
    /// One for each thread.
    shards: Vec<Shard<G>>,
}

/// Matches that one thread plays.
struct Shard<G: Rules> {
    setting: Setting,
    reward: Reward,
    /// The number of its first match among all.
    first: usize,
    shown: Shown,
    /// Each with the number of matches that ended before it.
    matches: Vec<(Played<G>, u64)>,
    scores: Vec<i32>,
}

struct Make(Setting, Reward, usize, usize);

impl WithRules for Make {
    type Output = Box<dyn AnyMany>;

    fn run<G: Rules<Action: Send + Sync>>(self) -> Box<dyn AnyMany> {
        let Make(setting, reward, count, threads) = self;
        let each = count.div_ceil(threads);
        let shard = |first: usize| {
            let mut shown = Shown::new::<G>(setting.terms.seats);
            let begin = |nth| {
                let secret = Secret::of(0, nth as u64, 0);
                (Played::<G>::new(&setting.terms, &secret, &mut shown), 0)
            };
            let matches = (first..count.min(first + each)).map(begin).collect();
            let setting = setting.clone();
            Shard { setting, reward, first, shown, matches, scores: Vec::new() }
        };
        Box::new(Many { seed: 0, shards: (0..count).step_by(each).map(shard).collect() })
    }
}

/// This many matches, played by so many threads.
pub fn many(setting: Setting, reward: Reward, count: usize, threads: usize) -> Box<dyn AnyMany> {
    let game = setting.encoder.game;
    with_rules(game, Make(setting, reward, count, threads)).expect("the game is compiled in")
}

impl<G: Rules<Action: Send + Sync>> AnyMany for Many<G> {
    fn begin(&mut self, seed: u64, rows: &mut Rows<'_>) {
        self.seed = seed;
        rows.rewards.fill(0.0);
        rows.terminations.fill(false);
        rows.truncations.fill(false);
        let mut rest = rows.reborrow();
        for shard in &mut self.shards {
            let (mut own, others) = rest.split_at(&shard.setting, shard.matches.len());
            rest = others;
            for nth in 0..shard.matches.len() {
                shard.begin_one(nth, (seed, 0));
                shard.write(nth, &mut own);
            }
        }
    }

    fn step(&mut self, actions: &[i64], rows: &mut Rows<'_>) -> Result<(), Fault> {
        let all = self.shards.iter().flat_map(|it| &it.matches);
        for (nth, ((played, _), action)) in all.zip(actions).enumerate() {
            let checked = played.check(*action);
            checked.map_err(|it| Fault::OfVector { nth, fault: Box::new(it) })?;
        }
        let seed = self.seed;
        if let [shard] = &mut self.shards[..] {
            return shard.step(seed, actions, rows);
        }
        let mut rest = rows.reborrow();
        let mut work = Vec::new();
        for shard in &mut self.shards {
            let (own, others) = rest.split_at(&shard.setting, shard.matches.len());
            rest = others;
            let actions = &actions[shard.first..][..shard.matches.len()];
            work.push((shard, actions, own));
        }
        std::thread::scope(|scope| {
            let run = |(shard, actions, mut rows): (&mut Shard<G>, &[i64], Rows<'_>)| {
                shard.step(seed, actions, &mut rows)
            };
            let last = work.pop();
            let others: Vec<_> = work.into_iter().map(|it| scope.spawn(move || run(it))).collect();
            let own = last.map_or(Ok(()), run);
            let joined = others
                .into_iter()
                .map(|it| it.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            joined.fold(own, Result::and)
        })
    }
}

impl<G: Rules> Shard<G> {
    fn step(&mut self, seed: u64, actions: &[i64], rows: &mut Rows<'_>) -> Result<(), Fault> {
        let seats = usize::from(self.setting.terms.seats);
        for (nth, action) in actions.iter().enumerate() {
            let (played, episode) = &mut self.matches[nth];
            self.scores.clear();
            self.scores.extend_from_slice(played.table.scores());
            let acted = played.act(*action, &self.setting.terms, &mut self.shown);
            let of_vector =
                |fault| Fault::OfVector { nth: self.first + nth, fault: Box::new(fault) };
            acted.map_err(of_vector)?;
            let rewards = &mut rows.rewards[nth * seats..][..seats];
            self.reward.write(&self.scores, &played.table, rewards);
            let has_ended = played.asked.is_none();
            let is_over = played.is_over(&self.setting.terms);
            rows.terminations[nth] = has_ended;
            rows.truncations[nth] = is_over && !has_ended;
            if is_over {
                let next = *episode + 1;
                self.begin_one(nth, (seed, next));
            }
            self.write(nth, rows);
        }
        Ok(())
    }

    fn begin_one(&mut self, nth: usize, (seed, episode): (u64, u64)) {
        let secret = Secret::of(seed, (self.first + nth) as u64, episode);
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
            // Rows beyond those of the last time are 0.
            let used = before.max(count) * features.planes.cells;
            write_features::<G>(legal, encoder, features, seat, &mut out[..used]);
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
