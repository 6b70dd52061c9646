//! What a player thinks of a hand and of a con, without looking further ahead.

use table::{Seat, Set, Small, Table};

use super::{Action, Card, Coin::*, FACES, Mark::*, Place::*, Suit, worth};

/// A turn spent, in tenths of a point. A con has to pay for its own.
pub fn k(n: usize, default: i32) -> i32 {
    static K: std::sync::LazyLock<Vec<i32>> = std::sync::LazyLock::new(|| {
        std::env::var("OPINION").map_or(Vec::new(), |it| it.split(',').map(|it| it.parse().unwrap_or(i32::MIN)).collect())
    });
    K.get(n).copied().filter(|&it| it != i32::MIN).unwrap_or(default)
}

pub(super) fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
    let hand: Set<Card> = table.pieces(Hand(seat));
    match *action {
        Action::Pass => 0,
        Action::Draw => {
            if is_last_turn(table) { return -1000 }
            k(0, 10) + value(table, seat, hand) 
        }
        Action::Take { card } => {
            if is_last_turn(table) { return -1000 }
            value(table, seat, hand.or(&Set::one(card)))
        }
        Action::Con { cards, primary } => con(table, seat, hand, cards, primary),
    }
}

fn con(table: &Table, seat: Seat, hand: Set<Card>, cards: Set<Card>, primary: Suit) -> i32 {
    let (worth, secondary) = worth(cards, primary);
    let crown = table.coins(Token, Crown(primary));
    let orphans = Suit::all().filter(|&it| cards.and(FACES.showing(it)).len() == 1).count();
    let gain = 10 * (worth as i32 + crown) - k(1, 5) * (secondary as i32) * orphans as i32;
    if is_last_turn(table) {
        return gain;
    }
    gain + value(table, seat, hand.without(&cards)) - k(2, 20)
}

/// tenths
fn value(table: &Table, _seat: Seat, hand: Set<Card>) -> i32 {
    k(3, 8) * best_con(table, hand) + k(4, 10) * hand.len() as i32
}

fn best_con(table: &Table, hand: Set<Card>) -> i32 {
    let con = |primary: Suit| {
        let cards = hand.and(FACES.showing(primary));
        let shown = cards.len();
        if shown == 0 { return 0 }
        let secondary = Suit::all().filter(|&it| it != primary).map(|it| cards.and(FACES.showing(it)).len() + hand.and(&FACES.aces).and(FACES.showing(it)).len()).max();
        (shown * secondary.unwrap_or(0)) as i32 + table.coins(Token, Crown(primary))
    };
    Suit::all().map(con).max().unwrap_or(0)
}

fn is_last_turn(table: &Table) -> bool {
    let left = table.marked(TurnsLeft);
    left > 0 && left <= table.seat_count() as i16
}

pub(super) fn worth_of(table: &Table, seat: Seat) -> i32 {
    let hand = table.pieces(Hand(seat));
    table.coins(Token, Winnings(seat)) + best_con(table, hand)
}
