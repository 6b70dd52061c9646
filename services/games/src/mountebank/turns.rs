//! A turn: a scheme or a con, and the end of the game.

use table::{Dealer, Seat, Set, Small};

use super::{
    actions::Action,
    cards::FACES,
    cons,
    layout::LAYOUT,
    legal::{self, HAND_MAX, has_room},
    refusals::Refusal,
    vocabulary::{Announcement, Card, Coin::*, Decision::*, Mark::*, Place::*, Suit},
};

/// §3.1
pub(super) fn begin_turn(d: &mut Dealer, seat: Seat) {
    d.begin_turn(seat);
    d.ask(seat, Turn);
}

// === Scheme ===

/// §4.2, §4.4
pub(super) fn draw(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    if !has_room(d, seat) {
        return Err(Refusal::HandFull { cards_max: HAND_MAX });
    }
    if d.is_bare(Deck) {
        return Err(Refusal::DeckEmpty);
    }
    d.draw(Deck, Hand(seat));
    react_to_empty_deck(d, seat);
    continue_scheme(d, seat);
    Ok(())
}

/// §4.3, §4.4
pub(super) fn take(d: &mut Dealer, seat: Seat, card: Card) -> Result<(), Refusal> {
    if !has_room(d, seat) {
        return Err(Refusal::HandFull { cards_max: HAND_MAX });
    }
    if !d.lies(card, Draft) {
        return Err(Refusal::NotInDraft { card });
    }
    d.put(card, Hand(seat));
    d.draw(Deck, Draft);
    react_to_empty_deck(d, seat);
    continue_scheme(d, seat);
    Ok(())
}

/// §4.1, §4.4, §4.5
fn continue_scheme(d: &mut Dealer, seat: Seat) {
    let nothing_left = d.is_bare(Deck) && d.is_bare(Draft);
    if d.decision(seat) == Some(SecondCard) || !has_room(d, seat) || nothing_left {
        end_turn(d, seat);
    } else {
        d.answer(seat);
        d.ask(seat, SecondCard);
    }
}

// === Run a con ===

/// §5.1
pub(super) fn con(
    d: &mut Dealer,
    seat: Seat,
    cards: Set<Card>,
    primary: Suit,
) -> Result<(), Refusal> {
    if d.decision(seat) != Some(Turn) {
        // §3.2
        return Err(Refusal::Scheming);
    }
    let missing = cards.without(&d.pieces(Hand(seat)));
    if !missing.is_empty() {
        return Err(Refusal::NotInHand { cards: missing.names(&LAYOUT) });
    }
    if !cons::share(cards, primary) {
        let without = cards.without(FACES.showing(primary)).without(&FACES.aces);
        return Err(Refusal::NoCommonSuit { primary, without: without.names(&LAYOUT) });
    }
    let count = |suit: Suit| cards.and(FACES.showing(suit)).len() as u32;
    let (worth, secondary) = cons::worth(cards, primary);

    cards.iter().for_each(|card| d.put(card, Discard));
    d.announce(Announcement::Con(primary), seat, worth as i16);
    d.pay(Token, Supply, Winnings(seat), worth);
    // §5.7
    d.pay_all(Token, Crown(primary), Winnings(seat));
    // §5.8
    for orphan in Suit::all().filter(|&suit| count(suit) == 1) {
        d.pay(Token, Supply, Crown(orphan), secondary);
    }
    end_turn(d, seat);
    Ok(())
}

/// §3.3
pub(super) fn pass(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    if legal::all(d, seat) != [Action::Pass] {
        return Err(Refusal::MustPlay);
    }
    end_turn(d, seat);
    Ok(())
}

// === Game end ===

/// §6.1, §6.2, §6.3
fn react_to_empty_deck(d: &mut Dealer, seat: Seat) {
    if !d.is_bare(Deck) || d.is_marked(TurnsLeft) {
        return;
    }
    if d.seat_count() > 2 && !d.is_marked(Reshuffled) && !d.is_bare(Discard) {
        d.mark(Reshuffled, 1);
        d.announce(Announcement::NewDeck, seat, 0);
        d.gather(Discard, Deck);
    } else {
        // §6.4: the turn that empties the deck is counted, too.
        d.mark(TurnsLeft, d.seat_count() as i16 + 1);
        d.announce(Announcement::LastTurns, seat, 0);
    }
}

/// §3.1, §6.4
fn end_turn(d: &mut Dealer, seat: Seat) {
    d.answer(seat);
    if d.is_marked(TurnsLeft) {
        d.mark(TurnsLeft, d.marked(TurnsLeft) - 1);
        if !d.is_marked(TurnsLeft) {
            return score(d);
        }
    }
    let next = d.after(seat);
    begin_turn(d, next);
}

/// §6.5, §6.6. §7.3: only seats that did not resign can win.
fn score(d: &mut Dealer) {
    for seat in d.seats() {
        let tokens = d.coins(Token, Winnings(seat));
        d.announce(Announcement::TokensWon, seat, tokens as i16);
        d.score(seat, tokens);
    }
    d.end_by_score();
}
