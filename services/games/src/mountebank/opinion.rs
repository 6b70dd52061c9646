//! How a player who does not look ahead values actions and positions. Values are in tenths of a
//! point.

use table::{Seat, Set, Small, Table};

use super::{
    actions::Action,
    cards::FACES,
    cons,
    vocabulary::{Card, Coin::*, Mark::*, Place::*, Suit},
};

const POINT: i32 = 10;

/// The cost of a turn that brings no card: a con must be worth more.
const TURN: i32 = 36;
/// The bonus of a hidden card over a draft card that fits no better than the others.
const SURPRISE: i32 = 8;
/// The value of any card in the hand.
const CARD: i32 = 4;
/// The value of a point of the best con in a hand. It has yet to be run.
const HOPE: i32 = 5;
/// The cost of a token that a con leaves on a Crown, where another seat may take it.
const LEFT_OVER: i32 = 3;

/// Gathers cards for the best con, and runs it once it is worth the turn.
pub(super) fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
    let hand: Set<Card> = table.pieces(Hand(seat));
    match *action {
        Action::Draw => SURPRISE + prospect(table, hand) - last_turn(table),
        Action::Take { card } => prospect(table, hand.or(&Set::one(card))) - last_turn(table),
        Action::Con { cards, primary } => {
            let left = prospect(table, hand.without(&cards));
            gain(table, cards, primary) + if is_last_turn(table) { 0 } else { left - TURN }
        }
        Action::Pass => 0,
    }
}

/// §5.5, §5.7, §5.8: the gain of a con, less what it leaves to others.
fn gain(table: &Table, cards: Set<Card>, primary: Suit) -> i32 {
    let (worth, secondary) = cons::worth(cards, primary);
    let orphans = Suit::all().filter(|&suit| showing(cards, suit) == 1).count() as i32;
    let brought = worth as i32 + table.coins(Token, Crown(primary));
    brought * POINT - orphans * secondary as i32 * LEFT_OVER
}

fn showing(cards: Set<Card>, suit: Suit) -> i32 {
    cards.and(FACES.showing(suit)).len() as i32
}

/// The value of a hand for later turns.
fn prospect(table: &Table, hand: Set<Card>) -> i32 {
    HOPE * best_con(table, hand) + CARD * hand.len() as i32
}

/// The approximate points of the best con of a hand: all cards that show a suit, with the aces of
/// another, §5.3.
fn best_con(table: &Table, hand: Set<Card>) -> i32 {
    let aces = hand.and(&FACES.aces);
    let con = |primary: Suit| {
        let cards = hand.and(FACES.showing(primary));
        let others = Suit::all().filter(|&suit| suit != primary);
        let secondary = others.map(|suit| showing(cards.or(&aces), suit)).max().unwrap_or(0);
        match cards.len() as i32 {
            0 => 0,
            shown => shown * secondary + table.coins(Token, Crown(primary)),
        }
    };
    Suit::all().map(con).max().unwrap_or(0)
}

/// §6.4: whether this is the last turn of the seat on turn.
fn is_last_turn(table: &Table) -> bool {
    (1..=table.seat_count() as i16).contains(&table.marked(TurnsLeft))
}

/// §6.5: cards left in hands count for nothing.
fn last_turn(table: &Table) -> i32 {
    if is_last_turn(table) { 1_000 } else { 0 }
}

/// The winnings, plus most of the best con of the hand.
pub(super) fn worth(table: &Table, seat: Seat) -> i32 {
    let won = table.coins(Token, Winnings(seat));
    let turns_left = i32::from(table.marked(TurnsLeft));
    let before = (table.turn().index() + table.seat_count() - seat.index()) as i32;
    let seats = table.seat_count() as i32;
    // The number of turns until this seat's next one, including the current turn.
    let until = (seats - before % seats) % seats + 1;
    let has_turn = !table.ended() && (turns_left == 0 || until <= turns_left);
    won + if has_turn { best_con(table, table.pieces(Hand(seat))) * 3 / 4 } else { 0 }
}
