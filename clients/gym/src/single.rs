//! One match, whose game is known only at run time, and everything that can be asked about it.

use std::collections::BTreeMap;
use std::sync::Arc;

use games::{Game, Legal, WithRules, with_rules};
use narration::{Language, Narrator};
use table::{ChaCha, Entry, MatchChance, Observation, Rules, Seat, Table, Viewer};

use crate::encoder::{Encoder, Parts};
use crate::error::Fault;
use crate::features::Features;
use crate::many::write_features;
use crate::played::{Did, Played, Secret, Shown, Terms, recorded};
use crate::reward::Reward;

/// What matches of one kind share.
#[derive(Clone)]
pub struct Setting {
    pub encoder: Arc<Encoder>,
    pub features: Arc<Features>,
    pub terms: Terms,
}

/// How many seats are asked and how long a match may be.
#[derive(Clone, Copy)]
pub struct Limits {
    pub asks_optional: bool,
    pub actions_max: usize,
    pub steps_max: u32,
}

impl Setting {
    pub fn new(
        game: &str,
        seats: u8,
        given: BTreeMap<String, String>,
        limits: Limits,
    ) -> Result<Setting, Fault> {
        let game = find(game)?;
        let options = game.check_options(&given, seats);
        let options = options.map_err(|it| Fault::BadOptions(it.to_string()))?;
        let Limits { asks_optional, actions_max, steps_max } = limits;
        if actions_max < 2 {
            return Err(Fault::BadOptions(format!("{actions_max} is too few actions: at least 2")));
        }
        Ok(Setting::of(
            game,
            Terms { seats, options, given, asks_optional, actions_max, steps_max },
        ))
    }

    pub fn of(game: &'static dyn Game, terms: Terms) -> Setting {
        let parts = Parts::of(game.layout(), terms.seats);
        let features = Features::new(game, terms.seats, &parts);
        let mut described = String::new();
        features.planes.describe(&mut described);
        let encoder = Encoder::new(game, terms.seats, &parts, &described);
        Setting { encoder: Arc::new(encoder), features: Arc::new(features), terms }
    }
}

/// The game of a name, which may be written with `_` too.
pub fn find(name: &str) -> Result<&'static dyn Game, Fault> {
    games::find(&name.replace('_', "-")).ok_or_else(|| {
        let known: Vec<&str> = games::GAMES.iter().map(|it| it.name()).collect();
        Fault::UnknownGame { name: name.to_owned(), known: known.join(", ") }
    })
}

/// A seat that may act now, and its choices.
#[derive(Clone)]
pub struct Choices {
    pub seat: Seat,
    pub may_wait: bool,
    pub count: usize,
}

/// What became of an action that was taken together with others.
pub struct Together {
    pub seat: Seat,
    /// Why it had no effect, if it had none.
    pub refused: Option<String>,
}

/// A match of any game.
pub trait AnyMatch: Send + Sync {
    fn setting(&self) -> &Setting;
    fn table(&self) -> &Table;
    fn copy(&self) -> Box<dyn AnyMatch>;
    fn reset(&mut self, secret: Secret);

    fn asked(&self) -> Option<Seat>;
    fn may_wait(&self) -> bool;
    /// How many actions the seat that is asked can choose from.
    fn count(&self) -> usize;
    fn steps(&self) -> u32;
    fn is_truncated(&self) -> bool;
    /// The seat that is asked chooses.
    fn step(&mut self, index: i64) -> Result<(), Fault>;
    /// What the last step gave each seat.
    fn rewards(&self, reward: Reward, out: &mut [f32]);

    /// The seats that may act now, each with its choices.
    fn together(&mut self) -> Vec<Choices>;
    /// Some of them act at once: each on the table that it saw, one after another.
    fn step_together(&mut self, chosen: &[(Seat, i64)]) -> Result<Vec<Together>, Fault>;

    fn observe(&mut self, seat: Seat, out: &mut [i32]);
    /// What the house sees: the whole table, hidden information included.
    fn state(&self, out: &mut [i32]);
    /// How many actions a seat can choose from; 0 if it is not asked.
    fn count_of(&mut self, seat: Seat) -> usize;
    /// A row for each of them.
    fn features(&mut self, seat: Seat) -> Vec<i16>;
    /// Each of them: its verb, and its message in bytes. Waiting has neither.
    fn actions(&mut self, seat: Seat) -> Vec<Legal>;
    /// The table in words as a seat sees it, and what it can choose. Without a seat, as a spectator
    /// sees it.
    fn text(&mut self, seat: Option<Seat>, language: Language, names: &[String]) -> String;

    /// A match that goes on from a table that this seat cannot tell from the real one.
    fn imagine(&self, seat: Seat, seed: u64) -> Result<Box<dyn AnyMatch>, Fault>;
    /// The entries of the match so far, and its secret.
    fn entries(&self) -> Result<(Vec<Entry>, Secret), Fault>;
}

struct Single<G: Rules> {
    setting: Setting,
    secret: Secret,
    shown: Shown,
    played: Played<G>,
    /// The scores before the last step.
    scores: Vec<i32>,
    /// The actions so far; `None` if the match did not begin with an opening.
    log: Option<Vec<(Seat, G::Action)>>,
}

struct Make(Setting, Secret);

impl WithRules for Make {
    type Output = Box<dyn AnyMatch>;

    fn run<G: Rules<Action: Send + Sync>>(self) -> Box<dyn AnyMatch> {
        let Make(setting, secret) = self;
        let mut shown = Shown::new::<G>(setting.terms.seats);
        let played = Played::<G>::new(&setting.terms, &secret, &mut shown);
        let scores = played.table.scores().to_vec();
        Box::new(Single { setting, secret, shown, played, scores, log: Some(Vec::new()) })
    }
}

/// A new match.
pub fn single(setting: Setting, secret: Secret) -> Box<dyn AnyMatch> {
    let game = setting.encoder.game;
    with_rules(game, Make(setting, secret)).expect("the game is compiled in")
}

impl<G: Rules<Action: Send + Sync>> Single<G> {
    /// What a seat sees.
    fn seen(&mut self, seat: Seat) -> &Table {
        // The seat that is asked was shown the table when its actions were listed.
        match self.played.asked == Some(seat) {
            true => self.shown.last(seat),
            false => self.shown.of(&self.played.table, seat),
        }
    }

    /// The choices of a seat: whether it may wait, and its legal actions.
    fn choices(&mut self, seat: Seat) -> (bool, Vec<G::Action>) {
        if self.played.asked == Some(seat) {
            return (self.played.may_wait, self.played.legal.clone());
        }
        let table = &self.played.table;
        let asks_optional = self.setting.terms.asks_optional;
        let has_must = table.live().any(|it| it.must);
        let may_wait = match table.prompt(seat).filter(|_| table::can_act(table, seat)) {
            Some(prompt) if prompt.must => false,
            Some(_) if asks_optional || !has_must => has_must,
            _ => return (false, Vec::new()),
        };
        let mut legal = G::legal(self.seen(seat), seat);
        legal.truncate(self.setting.terms.actions_max - usize::from(may_wait));
        (may_wait && !legal.is_empty(), legal)
    }
}

impl<G: Rules<Action: Send + Sync>> AnyMatch for Single<G> {
    fn setting(&self) -> &Setting {
        &self.setting
    }

    fn table(&self) -> &Table {
        &self.played.table
    }

    fn copy(&self) -> Box<dyn AnyMatch> {
        Box::new(Single {
            setting: self.setting.clone(),
            secret: self.secret,
            shown: self.shown.clone(),
            played: self.played.clone(),
            scores: self.scores.clone(),
            log: self.log.clone(),
        })
    }

    fn reset(&mut self, secret: Secret) {
        self.secret = secret;
        self.played = Played::new(&self.setting.terms, &secret, &mut self.shown);
        self.scores.clear();
        self.scores.extend_from_slice(self.played.table.scores());
        self.log = Some(Vec::new());
    }

    fn asked(&self) -> Option<Seat> {
        self.played.asked.filter(|_| !self.is_truncated())
    }

    fn may_wait(&self) -> bool {
        self.played.may_wait
    }

    fn count(&self) -> usize {
        if self.is_truncated() { 0 } else { self.played.count() }
    }

    fn steps(&self) -> u32 {
        self.played.steps
    }

    fn is_truncated(&self) -> bool {
        !self.played.table.ended() && self.played.steps >= self.setting.terms.steps_max
    }

    fn step(&mut self, index: i64) -> Result<(), Fault> {
        let asked = self.asked().ok_or(Fault::Ended)?;
        self.scores.clear();
        self.scores.extend_from_slice(self.played.table.scores());
        let did = self.played.act(index, &self.setting.terms, &mut self.shown)?;
        if let (Did::Acted(action), Some(log)) = (did, &mut self.log) {
            log.push((asked, action));
        }
        Ok(())
    }

    fn rewards(&self, reward: Reward, out: &mut [f32]) {
        reward.write(&self.scores, &self.played.table, out);
    }

    fn together(&mut self) -> Vec<Choices> {
        if self.asked().is_none() {
            return Vec::new();
        }
        let seats: Vec<Seat> = self.played.table.from(self.played.table.turn()).collect();
        let choices = seats.into_iter().map(|seat| {
            let (may_wait, legal) = self.choices(seat);
            Choices { seat, may_wait, count: legal.len() + usize::from(may_wait) }
        });
        choices.filter(|it| it.count > 0).collect()
    }

    fn step_together(&mut self, chosen: &[(Seat, i64)]) -> Result<Vec<Together>, Fault> {
        if self.asked().is_none() {
            return Err(Fault::Ended);
        }
        let mut actions = Vec::new();
        for &(seat, index) in chosen {
            let (may_wait, mut legal) = self.choices(seat);
            let count = legal.len() + usize::from(may_wait);
            let known = usize::try_from(index).ok().filter(|it| *it < count);
            let known = known.ok_or(Fault::IllegalAction { index, seat, count })?;
            if let Some(nth) = known.checked_sub(usize::from(may_wait)) {
                actions.push((seat, legal.swap_remove(nth)));
            }
        }
        self.scores.clear();
        self.scores.extend_from_slice(self.played.table.scores());
        let mut all = Vec::new();
        for (seat, action) in actions {
            let refused = match self.played.carry_out(seat, &action) {
                Ok(()) => {
                    if let Some(log) = &mut self.log {
                        log.push((seat, action));
                    }
                    None
                }
                Err(fault) => Some(fault.to_string()),
            };
            all.push(Together { seat, refused });
        }
        self.played.steps += 1;
        self.played.ask(&self.setting.terms, &mut self.shown);
        Ok(all)
    }

    fn observe(&mut self, seat: Seat, out: &mut [i32]) {
        let encoder = self.setting.encoder.clone();
        encoder.encode(self.seen(seat), out);
    }

    fn state(&self, out: &mut [i32]) {
        self.setting.encoder.encode(&self.played.table, out);
    }

    fn count_of(&mut self, seat: Seat) -> usize {
        let (may_wait, legal) = self.choices(seat);
        legal.len() + usize::from(may_wait)
    }

    fn features(&mut self, seat: Seat) -> Vec<i16> {
        let (may_wait, legal) = self.choices(seat);
        let Setting { encoder, features, .. } = &self.setting;
        let count = legal.len() + usize::from(may_wait);
        let mut rows = vec![0; count * features.planes.cells];
        write_features::<G>((may_wait, &legal), encoder, features, seat, &mut rows);
        rows
    }

    fn actions(&mut self, seat: Seat) -> Vec<Legal> {
        let (may_wait, legal) = self.choices(seat);
        let wait =
            may_wait.then(|| Legal { verb: "", action: Vec::new().into(), open_ended: false });
        let of = |action: &G::Action| Legal {
            verb: G::verb(action),
            action: G::print(action),
            open_ended: false,
        };
        wait.into_iter().chain(legal.iter().map(of)).collect()
    }

    fn text(&mut self, seat: Option<Seat>, language: Language, names: &[String]) -> String {
        let game = self.setting.encoder.game;
        let names: Vec<Option<&str>> = names.iter().map(|it| Some(&it[..])).collect();
        let narrator = Narrator::new(game, language, &names, seat);
        let Some(seat) = seat else {
            return narrator.table(&self.played.table.seen_by(Viewer::Spectator));
        };
        let legal = self.actions(seat);
        let seen = self.seen(seat);
        let mut text = narrator.table(seen);
        let own: Vec<Legal> = legal.iter().filter(|it| !it.verb.is_empty()).cloned().collect();
        let mut labels = narrator.labels(seen, &own).into_iter();
        for (nth, action) in legal.iter().enumerate() {
            let label = match action.verb.is_empty() {
                true => "—".to_owned(),
                false => labels.next().map(|it| it.long).unwrap_or_default(),
            };
            let gap = if nth == 0 { "\n\n" } else { "\n" };
            text += &format!("{gap}{nth}: {label}");
        }
        text
    }

    fn imagine(&self, seat: Seat, seed: u64) -> Result<Box<dyn AnyMatch>, Fault> {
        let (entries, _) = self.entries()?;
        let terms = &self.setting.terms;
        let mut known = Observation::new(G::layout(), terms.seats, seat);
        entries.iter().for_each(|it| known.hear(it));
        let secret = Secret::of(seed, self.played.steps.into(), u64::MAX);
        let table = known.imagine::<G>(&mut ChaCha::of(secret.seed, u64::MAX));
        let chance: MatchChance = secret.chance();
        let mut shown = Shown::new::<G>(terms.seats);
        let mut played = Played::<G>::at(table, chance, terms, &mut shown);
        played.go_on_as(&self.played, terms, &mut shown);
        Ok(Box::new(Single {
            setting: self.setting.clone(),
            secret,
            shown,
            played,
            scores: self.scores.clone(),
            log: None,
        }))
    }

    fn entries(&self) -> Result<(Vec<Entry>, Secret), Fault> {
        let log = self.log.as_ref().ok_or_else(|| {
            let reason = "the match goes on from an imagined table, so it has no record";
            Fault::NoRecord(reason.to_owned())
        })?;
        let (entries, _) = recorded::<G>(&self.setting.terms, &self.secret, log)?;
        Ok((entries, self.secret))
    }
}
