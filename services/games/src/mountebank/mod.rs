//! Mountebank: gather a hand, run a con, leave no loose ends.
//!
//! The code follows the rulebook: set-up, schemes, cons, the end. `§4.2` is a paragraph of
//! `docs/games/mountebank.md`.

mod actions;
mod cards;
mod opinion;
#[cfg(test)]
mod tests;

use std::{marker::PhantomData, ops::RangeInclusive, sync::LazyLock};

use bytes::Bytes;
use table::{
    Arrangement, BadOption, Chance, Dealer, Display, Fact, Layout, Malformed, Meaning, OptionSpec,
    Options, Plan, Purse, Role, Rules, Seat, Set, Sight, Small, Table, any_kind, components,
    refusals, small, vocabulary,
};

use cards::Faces;
pub use cards::Suit;

use crate::first_seat;

pub struct Mountebank;

// === Vocabulary ===

components! {
    /// A card of the draw deck. §1.3: Crowns are pieces too, but no rule moves them.
    pub Card: 0..38
}
small! {
    pub enum Place { Supply, Deck, Draft, Discard, Hand(Seat), Crown(Suit), Winnings(Seat) }
}
small! {
    pub enum Coin { Token }
}
small! {
    pub enum Mark { Reshuffled, TurnsLeft }
}
small! {
    pub enum Decision { Turn, SecondCard }
}
small! {
    pub enum Announcement { Con(Suit), NewDeck, LastTurns }
}
small! {
    pub enum Back { Card }
}
vocabulary!(
    Place => PlaceId, Coin => CoinId, Mark => MarkId, Decision => DecisionId, Announcement => AnnouncementId, Back => BackId
);

use {Coin::*, Decision::*, Mark::*, Place::*};

#[derive(Clone, Debug, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Action {
    Draw,
    Take { card: Card },
    Con { cards: Set<Card>, primary: Suit },
    Pass,
}

refusals! {
    pub enum Refusal {
        #[error("finish the scheme under way first")]
        Scheming,
        #[error("a hand holds at most {cards_max} cards")]
        HandFull { cards_max: usize },
        #[error("the deck is empty")]
        DeckEmpty,
        #[error("{} is not in the draft area", name(*.card))]
        NotInDraft { card: Card },
        #[error("not in your hand: {cards}")]
        NotInHand { cards: String },
        #[error("every card of a con except aces must show its primary suit, and at least one must")]
        NoCommonSuit { primary: Suit, without: String },
        #[error("a seat may pass only when it can do nothing else")]
        MustPlay,
    }
}

impl Fact for Card {
    fn fact(&self) -> String {
        name(*self).into()
    }
}

impl Fact for Suit {
    fn fact(&self) -> String {
        <&str>::from(self).into()
    }
}

// === The table ===

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout::of(plan()));

static FACES: LazyLock<Faces> = LazyLock::new(Faces::of_all_cards);

fn plan() -> Plan<Place, Coin, Mark, Decision, Announcement, Back> {
    Plan {
        catalogue: cards::catalogue(),
        // §1.5
        sight: |place| match place {
            Deck => Sight::Nobody,
            Hand(seat) => Sight::Only(seat),
            Supply | Draft | Discard | Crown(_) | Winnings(_) => Sight::All,
        },
        // §1.4: a bank never runs out.
        purse: |place, coin| match (place, coin) {
            (Supply, Token) => Purse::Bank,
            (Crown(_) | Winnings(_), Token) => Purse::Held,
            (Deck | Draft | Discard | Hand(_), Token) => Purse::None,
        },
        display: |place| match place {
            Supply => Display::of(Role::Bank, Arrangement::Pile, 0),
            Deck => Display::of(Role::Deck, Arrangement::Pile, 1),
            Draft => Display::of(Role::Row, Arrangement::Row, 1),
            Discard => Display::of(Role::Discard, Arrangement::Pile, 1),
            Crown(_) => Display::of(Role::Board, Arrangement::Pile, 2),
            Hand(_) => Display::of(Role::Hand, Arrangement::Fan, 1),
            Winnings(_) => Display::of(Role::Purse, Arrangement::Pile, 0),
        },
        mark: |mark| match mark {
            Reshuffled => Meaning::FLAG,
            // 0 until the deck has run out.
            TurnsLeft => Meaning::COUNTER,
        },
        discloses: &[],
        verbs: &["draw", "take", "con", "pass"],
        phases: &[],
        palette: cards::PALETTE,
        terms: PhantomData,
    }
}

/// §7.2, §7.3: the table resigns seats, in every game, and lets the last one win.
impl Rules for Mountebank {
    const NAME: &'static str = "mountebank";
    /// §2.1
    const SEATS: RangeInclusive<u8> = 2..=4;
    const VERSION: u32 = 1;
    /// §2.4
    const OPTIONS: &'static [OptionSpec] = &[OptionSpec {
        name: first_seat::NAME,
        values: &[first_seat::RANDOM, "0", "1", "2", "3"],
        default: first_seat::RANDOM,
    }];
    type Action = Action;
    type Refusal = Refusal;

    fn layout() -> &'static Layout {
        &LAYOUT
    }

    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        actions::parse(message)
    }

    fn print(action: &Action) -> Bytes {
        actions::print(action)
    }

    fn verb(action: &Action) -> &'static str {
        action.into()
    }

    fn fits(options: &Options, seats: u8) -> Result<(), BadOption> {
        first_seat::fits(options, seats)
    }

    /// §2.2, §2.3, §2.4
    fn set_up(d: &mut Dealer, options: &Options) {
        let mut tokens = CROWN_TOKENS.to_vec();
        for suit in Suit::all() {
            let amount = tokens.remove(d.pick(tokens.len()));
            d.pay(Token, Supply, Crown(suit), amount);
        }
        for seat in d.seats() {
            for _ in 0..HAND_AT_START {
                d.draw(Deck, Hand(seat));
            }
        }
        for _ in 0..DRAFT {
            d.draw(Deck, Draft);
        }
        let first = first_seat::pick(options, d);
        begin_turn(d, first);
    }

    /// §3.1. Where §7.4 leaves it to chance, the house picks among these.
    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        let mut actions = Vec::new();
        if has_room(table, seat) {
            if !table.is_bare(Deck) {
                actions.push(Action::Draw);
            }
            actions.extend(table.pieces(Draft).iter().map(|card| Action::Take { card }));
        }
        if table.decision(seat) == Some(Turn) {
            list_cons(table.pieces(Hand(seat)), &mut actions);
            if actions.is_empty() {
                actions.push(Action::Pass);
            }
        }
        actions
    }

    fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
        let (has_room, is_on_turn) = (has_room(table, seat), table.decision(seat) == Some(Turn));
        let action = any_kind(3, chance, |kind, chance| match kind {
            0 => (has_room && !table.is_bare(Deck)).then_some(Action::Draw),
            1 if has_room => table.pieces(Draft).any(chance).map(|card| Action::Take { card }),
            2 if is_on_turn => any_con(table.pieces(Hand(seat)), chance),
            _ => None,
        });
        action.or_else(|| is_on_turn.then_some(Action::Pass))
    }

    /// §7.4
    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        match table.decision::<Decision>(seat)? {
            Turn => draw_blindly(table, seat).or_else(|| run_smallest_con(table, seat)),
            SecondCard => draw_blindly(table, seat),
        }
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Draw => draw(d, seat),
            Action::Take { card } => take(d, seat, card),
            Action::Con { cards, primary } => con(d, seat, cards, primary),
            Action::Pass => pass(d, seat),
        }
    }

    /// §8.2
    fn best_of(seats: u8) -> Option<u8> {
        (seats == 2).then_some(3)
    }

    /// §8.1
    fn begins_next(ended: &Table) -> Option<Seat> {
        let winners = ended.winners()?;
        winners.iter().next().filter(|_| winners.len() == 1)
    }

    fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
        opinion::appeal(table, seat, action)
    }

    fn worth(table: &Table, seat: Seat) -> i32 {
        opinion::position(table, seat)
    }

    fn check(table: &Table) -> Result<(), String> {
        let full = table.seats().find(|&seat| table.count(Hand(seat)) > HAND_MAX);
        full.map_or(Ok(()), |seat| Err(format!("seat {seat} holds more than {HAND_MAX} cards")))
    }
}

// === Set-up ===

/// §2.2
const CROWN_TOKENS: [u32; Suit::COUNT] = [3, 3, 2, 2, 1, 1];
/// §2.3
const HAND_AT_START: usize = 5;
/// §2.3
const DRAFT: usize = 3;

/// §3.1
fn begin_turn(d: &mut Dealer, seat: Seat) {
    d.begin_turn(seat);
    d.ask(seat, Turn);
}

// === Scheme ===

/// §4.4
const HAND_MAX: usize = 7;

fn has_room(table: &Table, seat: Seat) -> bool {
    table.count(Hand(seat)) < HAND_MAX
}

/// §4.2, §4.4
fn draw(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
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
fn take(d: &mut Dealer, seat: Seat, card: Card) -> Result<(), Refusal> {
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
fn con(d: &mut Dealer, seat: Seat, cards: Set<Card>, primary: Suit) -> Result<(), Refusal> {
    if d.decision(seat) != Some(Turn) {
        // §3.2
        return Err(Refusal::Scheming);
    }
    let missing = cards.without(&d.pieces(Hand(seat)));
    if !missing.is_empty() {
        return Err(Refusal::NotInHand { cards: missing.names(&LAYOUT) });
    }
    if !share(cards, primary) {
        let without = cards.without(FACES.showing(primary)).without(&FACES.aces);
        return Err(Refusal::NoCommonSuit { primary, without: without.names(&LAYOUT) });
    }
    let count = |suit: Suit| cards.and(FACES.showing(suit)).len() as u32;
    let (worth, secondary) = worth(cards, primary);

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

/// §5.2, §5.3, §5.4: whether `cards` are a con of `primary`.
fn share(cards: Set<Card>, primary: Suit) -> bool {
    let showing = FACES.showing(primary);
    !cards.and(showing).is_empty() && cards.without(showing).within(&FACES.aces)
}

/// Adds every con that can be run with the cards of `hand`.
fn list_cons(hand: Set<Card>, actions: &mut Vec<Action>) {
    let aces = hand.and(&FACES.aces);
    for primary in Suit::all() {
        let showing = hand.and(FACES.showing(primary));
        if !showing.is_empty() {
            let sets = showing.or(&aces).subsets().filter(|cards| !cards.and(&showing).is_empty());
            sets.for_each(|cards| actions.push(Action::Con { cards, primary }));
        }
    }
}

/// One of those, each equally likely.
fn any_con(hand: Set<Card>, chance: &mut dyn Chance) -> Option<Action> {
    let aces = hand.and(&FACES.aces);
    // A con of a suit has one card or more that shows it, and any of the other aces.
    let parts = |primary: Suit| {
        let showing = hand.and(FACES.showing(primary));
        (showing, aces.without(&showing))
    };
    let ways = |primary: Suit| {
        let (showing, others) = parts(primary);
        ((1 << showing.len()) - 1) << others.len()
    };
    let all: usize = Suit::all().map(ways).sum();
    if all == 0 {
        return None;
    }
    let mut nth = chance.below(all);
    let primary = Suit::all().find(|&suit| {
        let is_it = nth < ways(suit);
        nth -= if is_it { 0 } else { ways(suit) };
        is_it
    })?;
    let (showing, others) = parts(primary);
    let cards = showing.subset((nth >> others.len()) + 1).or(&others.subset(nth));
    Some(Action::Con { cards, primary })
}

/// §3.3
fn pass(d: &mut Dealer, seat: Seat) -> Result<(), Refusal> {
    if Mountebank::legal(d, seat) != [Action::Pass] {
        return Err(Refusal::MustPlay);
    }
    end_turn(d, seat);
    Ok(())
}

/// What a con of these cards is worth, and what each orphaned suit pays to its Crown.
fn worth(cards: Set<Card>, primary: Suit) -> (u32, u32) {
    let count = |suit: Suit| cards.and(FACES.showing(suit)).len() as u32;
    // §5.5; without a secondary suit, §5.6.
    let secondary = Suit::all().filter(|&suit| suit != primary).map(count).max().unwrap_or(0);
    (count(primary) * secondary, secondary)
}

// === The house's answers for a seat that is away ===

/// §7.4 A card of the deck is no opportunity that others saw.
fn draw_blindly(table: &Table, seat: Seat) -> Option<Action> {
    (has_room(table, seat) && !table.is_bare(Deck)).then_some(Action::Draw)
}

/// §7.4 Where the seat cannot draw: the con that moves the fewest tokens, or the pass that is then
/// its only action.
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
    let cons = Mountebank::legal(table, seat).into_iter().filter_map(|it| Some((moved(&it)?, it)));
    cons.min_by_key(|con| con.0).map(|con| con.1)
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
        d.score(seat, d.coins(Token, Winnings(seat)));
    }
    d.end_by_score();
}

fn name(card: Card) -> &'static str {
    LAYOUT.piece_name(card)
}
