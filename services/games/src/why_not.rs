//! Why actions of a seat are not legal, and what is certain about those that are.
//!
//! Both are found by trying actions on tables that are imagined from what the seat sees, with
//! chance that is always the same. So an answer depends on nothing but the seat's own table, and
//! cannot tell anything else. A reason holds on a table on which hidden purses are empty and on one
//! on which they are full, whatever other pieces, seats and values the action names.

use table::{
    ActionFilter, ChaCha, CoinId, Event, MarkId, MarkKind, Observation, PlaceId, Seat, Table,
    foreseeable, is_asked,
};

use crate::attempts::attempts;
use crate::{Game, Legal, ParsedAction, Refused, refused};

/// Why a kind of action is not legal now.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// The kind; `None` if nothing is legal, for this reason.
    pub verb: Option<&'static str>,
    pub refusal: Refused,
}

/// A change of a counter that everyone or the seat sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    pub of: Counter,
    pub change: i32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Counter {
    Coins(PlaceId, CoinId),
    Mark(MarkId),
}

/// What a list also tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub reasons: bool,
    pub effects: bool,
}

/// What is told beside a list, as far as it is wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beside {
    /// Why kinds of action are not in the list.
    pub obstacles: Vec<Obstacle>,
    /// By action of the list.
    pub effects: Vec<Vec<Effect>>,
}

impl Beside {
    /// What to tell beside `legal`, the list of a seat by a filter. `seen` is the table as the seat
    /// sees it. Rules that failed lately on an imagined table tell nothing.
    pub fn of(
        game: &dyn Game,
        seen: &Table,
        seat: Seat,
        filter: &ActionFilter,
        legal: &[Legal],
        wanted: Wanted,
    ) -> Beside {
        let mut beside = Beside::default();
        let elsewhere = game.for_imagined();
        let game = elsewhere.as_deref().unwrap_or(game);
        if game.is_suspect() {
            return beside;
        }
        if wanted.reasons {
            beside.obstacles = obstacles(game, seen, seat, filter, legal).unwrap_or_default();
        }
        if wanted.effects {
            beside.effects = effects(game, seen, seat, legal).unwrap_or_default();
        }
        beside
    }
}

/// The tables that look the same to the seat: what each hidden purse holds.
const PURSES: [i32; 2] = [0, 30];

/// Of how many actions of a list the effects are found.
const EFFECTS_MAX: usize = 256;

/// Why kinds of action are not legal that pass the filter: those of which `legal`, the list by that
/// filter, has none. With pieces, it is about actions that name all of them. Reasons that are
/// routine are left out unless a kind or pieces are asked about, and come last otherwise.
///
/// `seen` is the table as the seat sees it. Only faulty rules refuse.
fn obstacles(
    game: &dyn Game,
    seen: &Table,
    seat: Seat,
    filter: &ActionFilter,
    legal: &[Legal],
) -> Result<Vec<Obstacle>, Refused> {
    if let Err(refusal) = is_asked::<table::CommonRefusal>(seen, seat) {
        return Ok(vec![Obstacle { verb: None, refusal: refused(refusal) }]);
    }
    let is_listed = |verb: &str| legal.iter().any(|it| it.verb == verb);
    let is_known = |field: &str| {
        let verb = field.replace('_', "-");
        is_listed(&verb) || game.layout().verb(&verb).is_some() && !filter.asks_for_verb(&verb)
    };
    let wholes = wholes(game, seen);
    let mut found: Vec<(&'static str, Tried)> = Vec::new();
    for action in attempts(game, seen, seat, &filter.pieces, is_known) {
        let parsed = match game.parse(&action) {
            Ok(parsed) => parsed,
            Err(Refused::Malformed(_)) => continue,
            Err(faulty) => return Err(faulty),
        };
        let verb = parsed.verb();
        if is_listed(verb) || !filter.asks_for_verb(verb) {
            continue;
        }
        let nth = found.iter().position(|it| it.0 == verb).unwrap_or_else(|| {
            found.push((verb, Tried::Nothing));
            found.len() - 1
        });
        for whole in &wholes {
            if found[nth].1 == Tried::Differs {
                break;
            }
            found[nth].1.add(try_out(&*parsed, whole, seat)?, game, filter);
        }
    }
    let routine: Vec<&str> =
        game.refusals().iter().filter(|it| it.routine).map(|it| it.reason).collect();
    let reason = |it: &Obstacle| match it.refusal {
        Refused::Rules { reason, .. } => reason,
        _ => "",
    };
    let mut obstacles: Vec<Obstacle> = found
        .into_iter()
        .filter_map(|(verb, tried)| match tried {
            Tried::Refused(refusal) => Some(Obstacle { verb: Some(verb), refusal }),
            Tried::Nothing | Tried::Differs => None,
        })
        .collect();
    if filter.is_empty() {
        obstacles.retain(|it| !routine.contains(&reason(it)));
    }
    obstacles.sort_by_key(|it| routine.contains(&reason(it)));
    Ok(obstacles)
}

/// What attempts have in common.
#[derive(PartialEq)]
enum Tried {
    /// There were none.
    Nothing,
    Refused(Refused),
    Differs,
}

impl Tried {
    fn add(&mut self, outcome: Option<Refused>, game: &dyn Game, filter: &ActionFilter) {
        let Some(refusal) = outcome else {
            *self = Tried::Differs;
            return;
        };
        match self {
            Tried::Nothing => *self = Tried::Refused(refusal),
            Tried::Refused(first) if are_same(first, &refusal, game, filter) => {}
            Tried::Refused(_) | Tried::Differs => *self = Tried::Differs,
        }
    }
}

/// Whether two refusals are for the same reason: they say the same, or say something about a piece
/// that is asked about.
fn are_same(one: &Refused, other: &Refused, game: &dyn Game, filter: &ActionFilter) -> bool {
    let (Refused::Rules { reason, facts, .. }, Refused::Rules { reason: its, facts: theirs, .. }) =
        (one, other)
    else {
        return one == other;
    };
    let asked = |fact: &str| {
        filter.pieces.iter().any(|it: table::Piece| game.layout().piece_name(it) == fact)
    };
    let is_about = |facts: &[(&str, String)]| facts.iter().any(|(_, fact)| asked(fact));
    reason == its && (facts == theirs || is_about(facts) && is_about(theirs))
}

/// The refusal of an action on a whole table; `None` if it is carried out.
fn try_out(
    action: &dyn ParsedAction,
    whole: &Table,
    seat: Seat,
) -> Result<Option<Refused>, Refused> {
    match action.play(whole, seat, &mut chance(1)) {
        Ok(_) => Ok(None),
        Err(faulty @ Refused::Faulty { .. }) => Err(faulty),
        Err(refusal) => Ok(Some(refusal)),
    }
}

/// Whole tables that look like `seen` to its seat.
fn wholes(game: &dyn Game, seen: &Table) -> Vec<Table> {
    let imagine = |coins| game.imagine(&Observation::of_view(seen, coins), &mut chance(0));
    PURSES.map(imagine).into()
}

/// Chance that everyone knows: imagined tables need no other.
fn chance(stream: u64) -> ChaCha {
    ChaCha::of([0; 32], stream)
}

/// By action: the changes of counters that are certain, as far as the seat may know. Empty beyond
/// [`EFFECTS_MAX`] actions, and where nothing is certain.
///
/// `seen` is the table as the seat sees it. Only faulty rules refuse.
fn effects(
    game: &dyn Game,
    seen: &Table,
    seat: Seat,
    legal: &[Legal],
) -> Result<Vec<Vec<Effect>>, Refused> {
    let mut effects = vec![Vec::new(); legal.len()];
    if legal.is_empty() {
        return Ok(effects);
    }
    let wholes = wholes(game, seen);
    for (effects, legal) in effects.iter_mut().zip(legal).take(EFFECTS_MAX) {
        let parsed = game.parse(&legal.action)?;
        let mut found: Option<Vec<Effect>> = None;
        for whole in &wholes {
            let these = match parsed.play(whole, seat, &mut chance(1)) {
                Ok((_, entry)) => changes(&foreseeable(&entry, seen), seen),
                Err(faulty @ Refused::Faulty { .. }) => return Err(faulty),
                Err(_) => Vec::new(),
            };
            match &mut found {
                None => found = Some(these),
                Some(found) => found.retain(|it| these.contains(it)),
            }
        }
        *effects = found.unwrap_or_default();
        // What concerns the seat first.
        effects.sort_by_key(|it| match it.of {
            Counter::Coins(place, _) if game.layout().place(place).seat == Some(seat) => 0,
            Counter::Coins(..) => 1,
            Counter::Mark(_) => 2,
        });
    }
    Ok(effects)
}

/// How events change the purses that the viewer sees, without banks, and the marks that count.
pub(crate) fn changes(events: &[Event], seen: &Table) -> Vec<Effect> {
    let layout = seen.layout();
    let mut effects: Vec<Effect> = Vec::new();
    let mut add = |of: Counter, change: i32| match effects.iter_mut().find(|it| it.of == of) {
        Some(it) => it.change += change,
        None => effects.push(Effect { of, change }),
    };
    let counts = |place: PlaceId, coin: CoinId| {
        layout.viewers(place).has(seen.viewer()) && !layout.is_bank(place, coin)
    };
    let mut marked: Vec<(MarkId, i16)> = Vec::new();
    for event in events {
        match *event {
            Event::Paid { coin, from, to, amount: Some(amount), aloud: _ } => {
                let amount = i32::try_from(amount).unwrap_or(i32::MAX);
                for (place, change) in [(from, -amount), (to, amount)] {
                    if counts(place, coin) {
                        add(Counter::Coins(place, coin), change);
                    }
                }
            }
            Event::Marked { mark, value } => {
                let is_count =
                    matches!(layout.mark_kind(mark), MarkKind::Counter | MarkKind::Track);
                if is_count {
                    marked.retain(|it| it.0 != mark);
                    marked.push((mark, value));
                }
            }
            _ => {}
        }
    }
    for (mark, value) in marked {
        add(Counter::Mark(mark), i32::from(value) - i32::from(seen.marked(mark)));
    }
    effects.retain(|it| it.change != 0);
    effects
}
