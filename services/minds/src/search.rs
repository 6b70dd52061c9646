//! Search: information-set Monte Carlo tree search over any game.
//!
//! Each iteration samples the hidden state, which gives a whole table that the seat cannot tell
//! from the real one. It selects a path in one tree that all samples share, expands it by an
//! action, plays on for a few actions, and adds the result for each seat to the actions on the
//! path. An action is available only where it is legal, so the exploration bonus counts
//! availability instead of visits of the parent (Cowling, Powley and Whitehouse: Information Set
//! Monte Carlo Tree Search, 2012). Where many actions are legal, the tree widens progressively: the
//! most appealing are tried first, and more as visits grow.
//!
//! See `docs/decisions/0010-one-search-for-all-games.md`.

use std::cmp::Reverse;

use table::{Chance, Observation, Rules, SEATS_MAX, Seat, Small, Table, advance};

use crate::{
    Budget,
    choosing::{self, WAITING, most_appealing, must},
};

/// The weight of the exploration bonus.
const CURIOSITY: f32 = 0.3;

/// A position with `n` visits has `WIDTH * sqrt(n)` children at most.
const WIDTH: f32 = 1.0;

/// Actions played beyond the tree before the position is evaluated. A game's evaluation
/// (`Rules::worth`) is better than a long random playout.
const HORIZON: usize = 20;

/// Beyond the tree, one in this many actions is random; the others are the most appealing.
const WHIM: usize = 7;

/// By how many standard errors an action must beat the most appealing one.
const CLEARLY: f32 = 2.0;

/// The standard error up to which an estimate is told, and the visits from which it is known.
const CERTAIN: f32 = 0.05;
const ENOUGH: u32 = 16;

/// The weight of winning in the value of an ended match; the rest is the margin.
const WINNING: f32 = 0.8;

/// The best action, or the most appealing one if the budget allows no iteration.
pub(crate) fn choose<G: Rules>(
    observation: &Observation,
    budget: &mut dyn Budget,
    chance: &mut dyn Chance,
) -> Option<G::Action> {
    match opinions::<G>(observation, budget, chance).into_iter().next() {
        Some(best) => best.action,
        None => choosing::heuristic::<G>(observation, chance),
    }
}

/// What a search thinks of an action, or of waiting (`None`).
pub struct Opinion<A> {
    pub action: Option<A>,
    /// The estimated chance to win, from 0 to 1; `None` if it is too uncertain, or if nothing else
    /// was possible.
    pub estimate: Option<f32>,
}

/// The actions that the search tried, the best first; empty if its budget allows no iteration.
pub fn opinions<G: Rules>(
    observation: &Observation,
    budget: &mut dyn Budget,
    chance: &mut dyn Chance,
) -> Vec<Opinion<G::Action>> {
    let (table, seat) = (observation.table(), observation.seat());
    let legal = choosing::considered::<G>(observation);
    let must = must(table, seat);
    // Optional actions are searched only if some of them appeal.
    let waits = !must && !legal.iter().any(|it| G::appeal(table, seat, it) > WAITING);
    if waits || (must && legal.len() == 1) {
        let action = legal.into_iter().next().filter(|_| must);
        return vec![Opinion { action, estimate: None }];
    }
    let waiting = (!must).then_some(None);
    let options: Vec<Option<G::Action>> = legal.into_iter().map(Some).chain(waiting).collect();
    let mut tree = Tree::<G> { nodes: vec![Node::default()], spread: Spread::default() };
    while budget.allows_another() {
        let imagined = observation.imagine::<G>(chance);
        tree.iterate(imagined, seat, &options, chance);
    }
    tree.opinions()
}

struct Tree<G: Rules> {
    nodes: Vec<Node<G>>,
    spread: Spread,
}

/// The positions after the same actions, over all samples.
struct Node<G: Rules> {
    visits: u32,
    moves: Vec<Move<G>>,
}

impl<G: Rules> Default for Node<G> {
    fn default() -> Self {
        Node { visits: 0, moves: Vec::new() }
    }
}

/// An action that was tried, or waiting (`None`).
struct Move<G: Rules> {
    seat: Seat,
    action: Option<G::Action>,
    visits: u32,
    /// How often it was available.
    available: u32,
    /// For the seat that takes it: the sum of the values, each from 0 to 1, and of their squares.
    value: f32,
    squares: f32,
    node: usize,
}

impl<G: Rules> Move<G> {
    fn mean(&self) -> f32 {
        self.value / self.visits.max(1) as f32
    }

    /// The square of the standard error of the mean.
    fn error(&self) -> f32 {
        let visits = self.visits.max(1) as f32;
        (self.squares / visits - self.mean() * self.mean()).max(0.0) / visits
    }
}

impl<G: Rules> Tree<G> {
    /// The best is the most visited action if it is significantly better than the most appealing
    /// one, which was tried first; otherwise it is the most appealing one. In a game of many small
    /// decisions, such as R.I.G.S., noise in each estimate would otherwise add up to bad play. The
    /// others follow by visits.
    fn opinions(mut self) -> Vec<Opinion<G::Action>> {
        let mut moves = std::mem::take(&mut self.nodes[0].moves);
        let Some(first) = moves.first() else { return Vec::new() };
        let most = (0..moves.len()).max_by_key(|&nth| moves[nth].visits).unwrap_or_default();
        let error = (first.error() + moves[most].error()).sqrt();
        let is_clear = moves[most].mean() - first.mean() > CLEARLY * error;
        let best = moves.remove(if is_clear { most } else { 0 });
        moves.sort_by_key(|it| Reverse(it.visits));
        let is_certain = |it: &Move<G>| it.visits >= ENOUGH && it.error().sqrt() <= CERTAIN;
        let opinion = |it: Move<G>| Opinion {
            estimate: is_certain(&it).then(|| it.mean()),
            action: it.action,
        };
        [best].into_iter().chain(moves).map(opinion).collect()
    }

    /// `options` are the choices of the searching seat at the root.
    fn iterate(
        &mut self,
        mut table: Table,
        seat: Seat,
        options: &[Option<G::Action>],
        chance: &mut dyn Chance,
    ) {
        let mut path = Vec::new();
        let (mut at, mut to_move) = (0, Some(seat));
        while let Some(seat) = to_move {
            let legal = if at == 0 { options.to_vec() } else { legal::<G>(&table, seat) };
            if legal.is_empty() {
                break;
            }
            let (nth, is_new) = self.select(at, &table, seat, legal, chance);
            path.push((at, nth));
            let tried = &self.nodes[at].moves[nth];
            if let Some(action) = &tried.action {
                step::<G>(&mut table, seat, action, chance);
            }
            at = tried.node;
            if is_new {
                break;
            }
            to_move = next_to_move(&table);
        }
        for _ in 0..HORIZON {
            let Some(seat) = next_to_move(&table) else { break };
            let Some(action) = likely::<G>(&table, seat, chance) else { break };
            step::<G>(&mut table, seat, &action, chance);
        }
        let values = self.spread.values::<G>(&table);
        for (at, nth) in path {
            let node = &mut self.nodes[at];
            node.visits += 1;
            let tried = &mut node.moves[nth];
            tried.visits += 1;
            let value = values[tried.seat.index()];
            tried.value += value;
            tried.squares += value * value;
        }
    }

    /// The move to try in a position, and whether it is tried there for the first time.
    fn select(
        &mut self,
        at: usize,
        table: &Table,
        seat: Seat,
        legal: Vec<Option<G::Action>>,
        chance: &mut dyn Chance,
    ) -> (usize, bool) {
        let mut untried: Vec<Option<G::Action>> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let node = &mut self.nodes[at];
        for action in legal {
            match node.moves.iter().position(|it| it.seat == seat && it.action == action) {
                Some(nth) => {
                    node.moves[nth].available += 1;
                    open.push(nth);
                }
                None => untried.push(action),
            }
        }
        let width = WIDTH * (node.visits as f32 + 1.0).sqrt();
        if !untried.is_empty() && open.len() < width as usize {
            let actions = untried.iter().map(Option::as_ref);
            let best = most_appealing::<G>(table, seat, actions, chance);
            let action = untried.swap_remove(best.expect("one is untried").0);
            let nth = node.moves.len();
            let node = self.nodes.len();
            let tried =
                Move { seat, action, visits: 0, available: 1, value: 0.0, squares: 0.0, node };
            self.nodes[at].moves.push(tried);
            self.nodes.push(Node::default());
            return (nth, true);
        }
        let promise = |nth: &usize| {
            let tried = &node.moves[*nth];
            let bonus = libm::logf(tried.available as f32) / tried.visits.max(1) as f32;
            tried.mean() + CURIOSITY * bonus.sqrt()
        };
        let best = open.iter().copied().max_by(|a, b| promise(a).total_cmp(&promise(b)));
        (best.expect("whoever is to move has a legal action"), false)
    }
}

fn legal<G: Rules>(table: &Table, seat: Seat) -> Vec<Option<G::Action>> {
    G::legal(table, seat).into_iter().map(Some).collect()
}

/// The seat to move: the first in the top layer that must decide; `None` if the match has ended or
/// is paused.
fn next_to_move(table: &Table) -> Option<Seat> {
    if table.ended() || table.is_paused() {
        return None;
    }
    let must = table.live().find(|it| it.must && !table.resigned().has(it.seat));
    must.map(|it| it.seat)
}

fn step<G: Rules>(table: &mut Table, seat: Seat, action: &G::Action, chance: &mut dyn Chance) {
    let done = advance::<G>(table, seat, action, chance);
    debug_assert!(done.is_ok(), "what a game calls legal it accepts");
}

/// An action for the part of a playout beyond the tree.
fn likely<G: Rules>(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<G::Action> {
    if chance.below(WHIM) == 0 {
        return G::any(table, seat, chance);
    }
    let mut legal = G::legal(table, seat);
    let (nth, _) = most_appealing::<G>(table, seat, legal.iter().map(Some), chance)?;
    Some(legal.swap_remove(nth))
}

// === The value of a position ===

/// The average range between the best and the worst seat, in points of the game: the unit of
/// margins.
#[derive(Default)]
struct Spread {
    sum: f32,
    count: f32,
}

impl Spread {
    /// By seat: an estimate of the chance to win, from 0 to 1.
    fn values<G: Rules>(&mut self, table: &Table) -> [f32; SEATS_MAX] {
        let mut values = [0.0; SEATS_MAX];
        let contenders: Vec<Seat> = table.contenders().collect();
        let worth = |seat: &Seat| G::worth(table, *seat) as f32;
        let worths: Vec<f32> = contenders.iter().map(worth).collect();
        let most = worths.iter().copied().fold(f32::MIN, f32::max);
        let least = worths.iter().copied().fold(f32::MAX, f32::min);
        self.sum += most - least;
        self.count += 1.0;
        let unit = (self.sum / self.count).max(1.0) / 2.0;
        let weights: Vec<f32> = worths.iter().map(|it| libm::expf((it - most) / unit)).collect();
        let total: f32 = weights.iter().sum();
        for (&seat, weight) in contenders.iter().zip(weights) {
            values[seat.index()] = weight / total;
        }
        if let Some(winners) = table.winners() {
            let share = 1.0 / winners.len().max(1) as f32;
            for seat in table.seats() {
                let won = if winners.has(seat) { share } else { 0.0 };
                let value = &mut values[seat.index()];
                *value = WINNING * won + (1.0 - WINNING) * *value;
            }
        }
        values
    }
}
