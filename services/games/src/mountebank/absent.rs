//! The house's answers for a seat that is away.

use table::{Seat, Small, Table};

use super::{
    actions::Action,
    cards::FACES,
    cons::worth,
    legal::{self, has_room},
    vocabulary::{Coin::*, Decision, Decision::*, Place::*, Suit},
};

/// §7.4
pub(super) fn passive(table: &Table, seat: Seat) -> Option<Action> {
    match table.decision::<Decision>(seat)? {
        Turn => draw_blindly(table, seat).or_else(|| run_smallest_con(table, seat)),
        SecondCard => draw_blindly(table, seat),
    }
}

/// §7.4 Drawing from the deck takes no card that others saw.
fn draw_blindly(table: &Table, seat: Seat) -> Option<Action> {
    (has_room(table, seat) && !table.is_bare(Deck)).then_some(Action::Draw)
}

/// §7.4 If the seat cannot draw: the con that moves the fewest tokens, or the pass if that is its
/// only action.
fn run_smallest_con(table: &Table, seat: Seat) -> Option<Action> {
    let moved = |action: &Action| match *action {
        Action::Con { cards, primary } => {
            let (worth, secondary) = worth(cards, primary);
            let orphans = Suit::all().filter(|&it| cards.and(FACES.showing(it)).len() == 1).count();
            let crown = table.coins(Token, Crown(primary)).unsigned_abs();
            Some(worth + secondary * orphans as u32 + crown)
        }
        Action::Pass => Some(0),
        Action::Draw | Action::Take { .. } => None,
    };
    let cons = legal::all(table, seat).into_iter().filter_map(|it| Some((moved(&it)?, it)));
    cons.min_by_key(|con| con.0).map(|con| con.1)
}
