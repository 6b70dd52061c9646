//! The decisions of recorded matches, each as its seat saw it.

use std::collections::HashMap;
use std::io::BufRead;

use clocks::Clocks;
use games::{WithRules, with_rules};
use records::{Reader, WholeMatch, read_match};
use rows::SeatRow;
use table::{Rules, Seat, Table, Viewer, can_act};

use crate::error::Fault;
use crate::many::write_features;
use crate::played::{Shown, Terms};
use crate::reward::Reward;
use crate::single::Setting;

/// The decisions of one match, in columns.
pub struct Decided {
    pub name: String,
    pub setting: Setting,
    pub positions: Vec<i64>,
    pub seats: Vec<i8>,
    /// A row of cells for each decision.
    pub observations: Vec<i32>,
    /// How many actions there were to choose from.
    pub counts: Vec<i32>,
    /// The index of the one that was chosen; -1 if the list has only examples of its kind.
    pub choices: Vec<i32>,
    pub verbs: Vec<&'static str>,
    /// The messages of the actions.
    pub actions: Vec<bytes::Bytes>,
    /// The features of all choices of all decisions, if they were asked for.
    pub features: Vec<i16>,
    /// Since the entry before.
    pub elapsed_ms: Vec<i64>,
    /// What the seat's bank held when its clock last stopped; -1 without a time control.
    pub clock_ms: Vec<i64>,
    /// What the match was worth to the seat at its end; 0 for one that has not ended.
    pub rewards: Vec<f32>,
    pub scores: Vec<i32>,
}

/// Reads the decisions of a file of records, match by match.
pub struct Decisions<R> {
    reader: Reader<R>,
    settings: HashMap<(String, i16), Setting>,
    reward: Reward,
    with_features: bool,
}

impl<R: BufRead> Decisions<R> {
    pub fn new(input: R, reward: Reward, with_features: bool) -> Result<Decisions<R>, Fault> {
        let reader = Reader::new(input).map_err(bad)?;
        Ok(Decisions { reader, settings: HashMap::new(), reward, with_features })
    }

    /// The next match; `None` at the end of the file. The record of a match is verified while it is
    /// read: its digests, its chance, and that the rules decide as they did.
    pub fn next(&mut self) -> Result<Option<Decided>, Fault> {
        let Some(whole) = read_match(&mut self.reader).map_err(bad)? else { return Ok(None) };
        let WholeMatch { row, game, .. } = &whole;
        if row.terms.module().is_some() {
            let reason = format!("{} has rules that are a module", rows::match_name(row.match_id));
            return Err(Fault::BadRecord(reason));
        }
        let setting = self.settings.entry((row.game.clone(), row.seats)).or_insert_with(|| {
            let seats = row.seats.try_into().unwrap_or_default();
            let options = game.check_options(&Default::default(), seats);
            let options = options.expect("the seats of a verified match fit");
            let given = Default::default();
            let (actions_max, steps_max) = (usize::MAX, u32::MAX);
            Setting::of(
                *game,
                Terms { seats, options, given, asks_optional: true, actions_max, steps_max },
            )
        });
        let reading = Reading {
            setting: setting.clone(),
            whole: &whole,
            reward: self.reward,
            with_features: self.with_features,
        };
        Ok(with_rules(*game, reading))
    }
}

fn bad(error: impl std::fmt::Display) -> Fault {
    Fault::BadRecord(error.to_string())
}

struct Reading<'a> {
    setting: Setting,
    whole: &'a WholeMatch,
    reward: Reward,
    with_features: bool,
}

impl WithRules for Reading<'_> {
    type Output = Decided;

    fn run<G: Rules<Action: Send + Sync>>(self) -> Decided {
        let Reading { setting, whole, reward, with_features } = self;
        let WholeMatch { row, entries, decoded, .. } = whole;
        let Setting { encoder, features, terms } = &setting;
        let count = decoded.len();
        let cells = encoder.planes.cells;
        let mut out = Decided {
            name: rows::match_name(row.match_id),
            positions: Vec::with_capacity(count),
            seats: Vec::with_capacity(count),
            observations: Vec::with_capacity(count * cells),
            counts: Vec::with_capacity(count),
            choices: Vec::with_capacity(count),
            verbs: Vec::with_capacity(count),
            actions: Vec::with_capacity(count),
            features: Vec::new(),
            elapsed_ms: Vec::with_capacity(count),
            clock_ms: Vec::with_capacity(count),
            rewards: Vec::new(),
            scores: Vec::new(),
            setting: setting.clone(),
        };
        let mut table = Table::new(G::layout(), terms.seats, Viewer::House);
        let mut shown = Shown::new::<G>(terms.seats);
        let mut clocks = Clocks::of(&row.terms.options, terms.seats);
        let mut before = row.create_time;
        for (recorded, entry) in entries.iter().zip(decoded) {
            let position = recorded.position.0;
            let own = entry.action.as_ref().filter(|it| !games::is_common(it));
            if let (Some(seat), Some(message)) = (entry.seat, own)
                && can_act(&table, seat)
                && !was_erased(&row.seated, seat, position)
                && let Ok(action) = G::parse(message)
            {
                let must = table.prompt(seat).is_some_and(|it| it.must);
                let may_wait = !must && table.live().any(|it| it.must);
                let seen = shown.of(&table, seat);
                let legal = G::legal(seen, seat);
                let begin = out.observations.len();
                out.observations.resize(begin + cells, 0);
                encoder.encode(seen, &mut out.observations[begin..]);
                let choices = legal.len() + usize::from(may_wait);
                let nth = legal.iter().position(|it| *it == action);
                let chosen = nth.map_or(-1, |nth| (nth + usize::from(may_wait)) as i32);
                if with_features {
                    let begin = out.features.len();
                    out.features.resize(begin + choices * features.planes.cells, 0);
                    let rows = &mut out.features[begin..];
                    write_features::<G>((may_wait, &legal), encoder, features, seat, rows);
                }
                let clock = clocks.as_ref().and_then(|it| it.seats().get(seat_index(seat)));
                let bank = clock.map_or(-1, |it| it.bank.as_millis() as i64);
                out.positions.push(position);
                out.seats.push(u8::from(seat) as i8);
                out.counts.push(choices as i32);
                out.choices.push(chosen);
                out.verbs.push(G::verb(&action));
                out.actions.push(message.clone());
                out.elapsed_ms.push((recorded.create_time - before).whole_milliseconds() as i64);
                out.clock_ms.push(bank);
            }
            table.apply(entry);
            if let Some(clocks) = &mut clocks {
                clocks.apply(entry, recorded.create_time, &table);
            }
            before = recorded.create_time;
        }
        let mut rewards = vec![0.0; terms.seats.into()];
        // Of the whole match: from no points at its beginning.
        reward.write(&vec![0; terms.seats.into()], &table, &mut rewards);
        out.rewards = out.seats.iter().map(|it| rewards[*it as usize]).collect();
        out.scores = out.seats.iter().map(|it| table.scores()[*it as usize]).collect();
        out
    }
}

fn seat_index(seat: Seat) -> usize {
    usize::from(u8::from(seat))
}

/// Whether the player who had a seat at a position was erased since.
fn was_erased(seated: &[SeatRow], seat: Seat, position: i64) -> bool {
    let row = seated.iter().find(|it| it.seat == i16::from(u8::from(seat)));
    row.is_some_and(|row| {
        let former = row.before.iter().find(|it| position < it.until.0);
        former.map_or(row.is_erased, |it| it.is_erased)
    })
}
