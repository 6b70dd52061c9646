//! Among Thieves: share what a heist pays, or take it all, and do not be the least honorable in
//! the end.
//!
//! The code follows the rulebook: vocabulary and set-up here, the steps of a turn in `heist`, its
//! deals in `deals` and its events in `events`, the end in `ending`. `§4.2` is a paragraph of
//! `docs/games/among_thieves.md`.

mod actions;
mod cards;
mod deals;
mod ending;
mod events;
mod heist;
mod opinion;
#[cfg(test)]
mod tests;

use std::{marker::PhantomData, ops::RangeInclusive, sync::LazyLock};

use bytes::Bytes;
use table::{
    Arrangement, BadOption, Chance, Dealer, Discloses, Display, Fact, Layout, Malformed, Meaning,
    OptionSpec, Options, Plan, Purse, Role, Rules, Seat, Seats, Sight, Small, Table, any_kind,
    any_of, components, refusals, small, vocabulary,
};

pub use cards::Corporation;
pub use deals::Terms;

use crate::first_seat;

pub struct AmongThieves;

// === Vocabulary ===

components! {
    /// §1.1: one side of a seat's honor disc.
    pub Disc: 0..16,
    /// A card of a corporation.
    pub Card: 16..82,
    pub EventCard: 82..111,
}
small! {
    pub enum Place {
        /// Where ISK and honor come from and return to.
        Reserve,
        /// Cards that are not used with six or fewer players.
        Box,
        Deck(Corporation),
        /// ISK on a deck.
        Pot(Corporation),
        EventDeck,
        /// The events of the heist under way.
        Events,
        EventDiscard,
        Payout,
        Discard,
        /// ISK and cards behind a screen.
        Stash(Seat),
        Track(Seat),
        /// §1.1: the sides of a disc that are not chosen.
        Pocket(Seat),
        /// The chosen side of a disc, hidden under a hand.
        Palm(Seat),
        Revealed(Seat),
    }
}
small! {
    pub enum Coin { Million, Honor }
}
small! {
    pub enum Mark { Member(Seat), Target, EventsDue, Eliminated(Seat), TurnsBegun, OffersMade(Seat) }
}
small! {
    pub enum Decision { Assemble, Deal, Blackmail, Choose, Reconsider, Favor }
}
small! {
    pub enum Announcement {
        Assembles, Joins, Blackmails(Corporation), PayoutIs, StashHolds,
        GameEnd(Corporation), DeckEmpty(Corporation), IsEliminated,
    }
}
small! {
    pub enum Back {
        Disc, TierOneCard(Corporation), TierTwoCard(Corporation), TierThreeCard(Corporation), Event,
    }
}
vocabulary!(
    Place => PlaceId, Coin => CoinId, Mark => MarkId, Decision => DecisionId, Announcement => AnnouncementId, Back => BackId
);

use {Coin::*, Mark::*, Place::*};

#[derive(Clone, Debug, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Action {
    Pay {
        to: Seat,
        millions: u32,
        turn: u32,
    },
    Assemble {
        team: Seats,
    },
    Blackmail {
        corporation: Corporation,
    },
    Choose {
        honorable: bool,
    },
    Favor {
        seat: Seat,
    },
    Offer {
        to: Seat,
        terms: Terms,
        turn: u32,
    },
    Withdraw,
    /// The terms are those that the seat accepts, not another offer made meanwhile.
    Accept {
        by: Seat,
        terms: Terms,
        turn: u32,
    },
    Refuse {
        by: Seat,
    },
}

refusals! {
    pub enum Refusal {
        #[error("this action does not answer the current decision")]
        NotNow { asked: Decision },
        #[error("there is no seat {seat} in a match of {seats} seats")]
        NoSuchSeat { seat: Seat, seats: usize },
        #[error("a seat makes no deals with itself")]
        Yourself,
        #[error("seat {seat} has resigned and makes no deals")]
        HasResigned { seat: Seat },
        #[error("a payment is at least 1 million")]
        NothingPaid,
        #[error("you have {held} millions, not {millions}")]
        NotInStash { millions: u32, held: u32 },
        #[error("{size} seats go on the heist, not {chosen}")]
        TeamSize { size: usize, chosen: usize },
        #[error("seat {seat} is on the heist")]
        OnHeist { seat: Seat },
        #[error("this was meant for turn {meant}, and it is turn {now}")]
        AnotherTurn { meant: u32, now: u32 },
        #[error("an offer gives or asks for 1 million at least")]
        EmptyOffer,
        #[error("a seat makes {most} offers in a turn at most")]
        TooManyOffers { most: i16 },
        #[error("there is no such offer")]
        NoSuchOffer,
        #[error("the offer now gives {give} millions for {take}")]
        OtherTerms { give: u32, take: u32 },
    }
}

impl Fact for Decision {
    fn fact(&self) -> String {
        LAYOUT.decision_name((*self).into()).into()
    }
}

// === The table ===

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout::of(plan()));

fn plan() -> Plan<Place, Coin, Mark, Decision, Announcement, Back> {
    Plan {
        catalogue: cards::catalogue(),
        // §1.6, §1.7
        sight: |place| match place {
            Deck(_) | EventDeck => Sight::Nobody,
            Stash(seat) => Sight::Screened(seat),
            Pocket(seat) | Palm(seat) => Sight::Only(seat),
            Reserve | Box | Pot(_) | Events | EventDiscard | Payout | Discard | Track(_)
            | Revealed(_) => Sight::All,
        },
        // §1.5: a bank never runs out.
        purse: |place, coin| match (place, coin) {
            (Reserve, Million | Honor) => Purse::Bank,
            (Pot(_) | Stash(_), Million) | (Track(_), Honor) => Purse::Held,
            (Pot(_) | Stash(_), Honor) | (Track(_), Million) => Purse::None,
            (
                Box | Deck(_) | EventDeck | Events | EventDiscard | Payout | Discard | Pocket(_)
                | Palm(_) | Revealed(_),
                Million | Honor,
            ) => Purse::None,
        },
        display: |place| match place {
            Reserve => Display::of(Role::Bank, Arrangement::Pile, 0),
            // A pot lies on its deck.
            Deck(it) => Display::of(Role::Deck, Arrangement::Pile, 1 + it.index() as u8),
            Pot(it) => Display::of(Role::Purse, Arrangement::Pile, 1 + it.index() as u8),
            Payout => Display::of(Role::Row, Arrangement::Row, 4),
            Discard => Display::of(Role::Discard, Arrangement::Pile, 5),
            EventDeck => Display::of(Role::Deck, Arrangement::Pile, 6),
            Events => Display::of(Role::Row, Arrangement::Row, 6),
            EventDiscard => Display::of(Role::Discard, Arrangement::Pile, 6),
            Track(_) => Display::of(Role::Purse, Arrangement::Row, 0),
            Stash(_) => Display::of(Role::Hand, Arrangement::Fan, 1),
            Palm(_) => Display::of(Role::Area, Arrangement::Row, 2),
            Revealed(_) => Display::of(Role::Area, Arrangement::Row, 2),
            // The sides that are not chosen tell nothing.
            Pocket(_) => Display::of(Role::Box, Arrangement::Pile, 9),
            Box => Display::of(Role::Box, Arrangement::Pile, 9),
        },
        mark: |mark| match mark {
            Member(_) => Meaning::FLAG,
            Target => Meaning::one_of::<Corporation>(),
            EventsDue => Meaning::COUNTER,
            Eliminated(_) => Meaning::FLAG,
            TurnsBegun => Meaning::HIDDEN,
            OffersMade(_) => Meaning::HIDDEN,
        },
        // §7.18
        discloses: &[Discloses::Announcement(Announcement::StashHolds)],
        verbs: &[
            "pay",
            "assemble",
            "blackmail",
            "choose",
            "favor",
            "offer",
            "withdraw",
            "accept",
            "refuse",
        ],
        phases: &[],
        palette: cards::PALETTE,
        terms: PhantomData,
    }
}

/// §10.2: the table resigns seats, in every game, and lets the last one win.
impl Rules for AmongThieves {
    const NAME: &'static str = "among-thieves";
    const SEATS: RangeInclusive<u8> = 3..=8;
    const VERSION: u32 = 2;
    /// §2.4
    const OPTIONS: &'static [OptionSpec] = &[OptionSpec {
        name: first_seat::NAME,
        values: &[first_seat::RANDOM, "0", "1", "2", "3", "4", "5", "6", "7"],
        default: first_seat::RANDOM,
    }];
    /// §3.2, §10.1
    const TALK: bool = true;
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

    /// §2.1, §2.3, §2.4, §2.5
    fn set_up(d: &mut Dealer, options: &Options) {
        if d.seat_count() >= SEVEN {
            let cards = Card::all().filter(|card| card.is_for_seven());
            cards.for_each(|card| d.put(card, Deck(card.corporation())));
            let events = EventCard::all().filter(|event| event.is_for_seven());
            events.for_each(|event| d.put(event, EventDeck));
        }
        let first = first_seat::pick(options, d);
        for (nth, seat) in d.from(first).enumerate() {
            gain(d, [seat], *ISK_AT_START.get(nth).unwrap_or(&ISK_ELSE));
            d.pay(Honor, Reserve, Track(seat), HONOR_AT_START);
        }
        heist::begin_turn(d, first);
    }

    /// §10.4: the house picks among these for a seat that resigned.
    fn legal(table: &Table, seat: Seat) -> Vec<Action> {
        match table.decision(seat) {
            Some(Decision::Assemble) => {
                let mut actions = heist::teams(table);
                deals::list(table, seat, &mut actions);
                actions
            }
            Some(Decision::Deal) => {
                let mut actions = Vec::new();
                deals::list(table, seat, &mut actions);
                actions
            }
            Some(Decision::Blackmail) => {
                Corporation::all().map(|corporation| Action::Blackmail { corporation }).collect()
            }
            Some(Decision::Choose) => {
                [true, false].map(|honorable| Action::Choose { honorable }).into()
            }
            Some(Decision::Favor) => {
                bystanders(table).into_iter().map(|seat| Action::Favor { seat }).collect()
            }
            Some(Decision::Reconsider) | None => Vec::new(),
        }
    }

    fn any(table: &Table, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
        match table.decision(seat) {
            Some(Decision::Assemble) => {
                any_kind(1 + deals::KINDS, chance, |kind, chance| match kind.checked_sub(1) {
                    None => Some(heist::any_team(table, chance)),
                    Some(kind) => deals::any(table, seat, kind, chance),
                })
            }
            Some(Decision::Deal) => {
                any_kind(deals::KINDS, chance, |kind, chance| deals::any(table, seat, kind, chance))
            }
            _ => any_of(Self::legal(table, seat), chance),
        }
    }

    fn act(d: &mut Dealer, seat: Seat, action: &Action) -> Result<(), Refusal> {
        match *action {
            Action::Pay { to, millions, turn } => heist::pay(d, seat, to, millions, turn),
            Action::Assemble { team } => heist::assemble(d, seat, team),
            Action::Blackmail { corporation } => heist::blackmail(d, seat, corporation),
            Action::Choose { honorable } => heist::choose(d, seat, honorable),
            Action::Favor { seat: other } => events::favor(d, seat, other),
            Action::Offer { to, terms, turn } => deals::offer(d, seat, to, terms, turn),
            Action::Withdraw => deals::withdraw(d, seat),
            Action::Accept { by, terms, turn } => deals::accept(d, seat, by, terms, turn),
            Action::Refuse { by } => deals::refuse(d, seat, by),
        }
    }

    /// §10.4: an honorable member takes nothing from anyone. Any team, corporation or favor helps
    /// somebody, so chance picks it.
    fn passive(table: &Table, seat: Seat) -> Option<Action> {
        match table.decision(seat)? {
            Decision::Choose => Some(Action::Choose { honorable: true }),
            Decision::Assemble | Decision::Blackmail | Decision::Favor => None,
            // These need no answer.
            Decision::Deal | Decision::Reconsider => None,
        }
    }

    /// §10.4
    fn answers(action: &Action) -> bool {
        match action {
            Action::Assemble { .. }
            | Action::Blackmail { .. }
            | Action::Choose { .. }
            | Action::Favor { .. } => true,
            Action::Pay { .. }
            | Action::Offer { .. }
            | Action::Withdraw
            | Action::Accept { .. }
            | Action::Refuse { .. } => false,
        }
    }

    /// One million and all of them are listed. An offer may ask for any amount.
    fn open_ended(table: &Table, seat: Seat, action: &Action) -> bool {
        match action {
            Action::Pay { .. } => held(table, seat) > 2,
            Action::Offer { .. } => true,
            _ => false,
        }
    }

    /// §5.1
    fn in_secret(action: &Action) -> bool {
        matches!(action, Action::Choose { .. })
    }

    fn appeal(table: &Table, seat: Seat, action: &Action) -> i32 {
        opinion::appeal(table, seat, action)
    }

    fn worth(table: &Table, seat: Seat) -> i32 {
        opinion::worth(table, seat)
    }

    fn check(table: &Table) -> Result<(), String> {
        let wrong = table.seats().find_map(|seat| {
            let places = [Pocket(seat), Palm(seat), Revealed(seat)];
            let discs: usize = places.iter().map(|&place| table.count(place)).sum();
            match () {
                () if discs != 2 => Some(format!("seat {seat} has {discs} sides of its disc")),
                () if table.count(Palm(seat)) > 1 => Some(format!("seat {seat} chose twice")),
                () if !HONOR.contains(&honor(table, seat)) => {
                    Some(format!("seat {seat} has {} honor", honor(table, seat)))
                }
                () => None,
            }
        });
        wrong.map_or(Ok(()), Err)
    }
}

// === Set-up ===

/// §2.1: with so many players all cards are used.
const SEVEN: usize = 7;

/// §2.5: the millions of the Heistmaster and of the left neighbor.
const ISK_AT_START: [u32; 2] = [4, 3];
const ISK_ELSE: u32 = 2;

/// §2.3
const HONOR_AT_START: u32 = 7;

// === Terms of the rules ===

/// §8.5
const HONOR: RangeInclusive<i32> = 1..=13;

fn honor(table: &Table, seat: Seat) -> i32 {
    table.coins(Honor, Track(seat))
}

/// §8.5
fn move_honor(d: &mut Dealer, seats: impl IntoIterator<Item = Seat>, steps: i32) {
    for seat in seats {
        let now = honor(d, seat);
        let steps = (now + steps).clamp(*HONOR.start(), *HONOR.end()) - now;
        let (from, to) = if steps < 0 { (Track(seat), Reserve) } else { (Reserve, Track(seat)) };
        d.pay(Honor, from, to, steps.unsigned_abs());
    }
}

/// The millions in a stash.
fn held(table: &Table, seat: Seat) -> u32 {
    table.coins(Million, Stash(seat)).max(0) as u32
}

/// §1.6: pays each seat an amount that is announced to all, although stashes are private.
fn gain(d: &mut Dealer, seats: impl IntoIterator<Item = Seat>, millions: u32) {
    for seat in seats {
        d.pay_aloud(Million, Reserve, Stash(seat), millions);
    }
}

/// The team, clockwise from the Heistmaster.
fn members(table: &Table) -> Vec<Seat> {
    table.from(table.turn()).filter(|&seat| table.is_marked(Member(seat))).collect()
}

/// §5.4: the honorable members and the dishonorable ones, clockwise from the Heistmaster.
fn sides(table: &Table) -> (Vec<Seat>, Vec<Seat>) {
    members(table)
        .into_iter()
        .partition(|&seat| table.lies(cards::disc(seat, true), Revealed(seat)))
}

fn bystanders(table: &Table) -> Vec<Seat> {
    table.seats().filter(|&seat| !table.is_marked(Member(seat))).collect()
}

fn target(table: &Table) -> Corporation {
    table.get(Target).expect("a heist is under way")
}

/// Refuses an action that answers another decision than the seat's.
fn answers(table: &Table, seat: Seat, decisions: &[Decision]) -> Result<(), Refusal> {
    let asked = table.decision(seat).expect("a seat acts only when it has a prompt");
    if decisions.contains(&asked) { Ok(()) } else { Err(Refusal::NotNow { asked }) }
}

fn has_seat(table: &Table, seat: Seat) -> Result<(), Refusal> {
    let seats = table.seat_count();
    if table.has_seat(seat) { Ok(()) } else { Err(Refusal::NoSuchSeat { seat, seats }) }
}
