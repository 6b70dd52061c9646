//! The house's answers for a seat that is away, §11.5.

// A wildcard arm would cover future decisions and effects.
#![deny(clippy::wildcard_enum_match_arm)]

use table::{Seat, Set, Small, Table};

use super::{
    actions::Action,
    cards::Effect,
    effects::{self, Part},
    legal,
    nights::hideout,
    ruleset::Ruleset,
    vocabulary::{Choice, Coin::IskToken, Decision, Person, Place::*, Skill},
};

pub(super) fn passive<G: Ruleset>(table: &Table, seat: Seat) -> Option<Action> {
    match table.decision::<Decision>(seat)? {
        Decision::Turn => turn::<G>(table, seat),
        Decision::SecondCaper | Decision::SwapJobs | Decision::Choose(Choice::Exchange) => {
            Some(Action::Decline)
        }
        Decision::Rob => {
            let victims = effects::victims(table, seat, Part::pending(table).effect::<G>());
            poor(table, victims).map(|victim| Action::Rob { victim })
        }
        Decision::NameSkill => {
            harmless_skill::<G>(table, seat).map(|skill| Action::NameSkill { skill })
        }
        Decision::Choose(Choice::TeamUp) => {
            let partners = effects::choices::<G>(table, seat, Choice::TeamUp, Part::pending(table));
            chosen(
                Choice::TeamUp,
                partners.iter().find(|&it| is_harmless_partner::<G>(table, seat, it)),
            )
        }
        Decision::Choose(Choice::Duplicate) => {
            let cards = effects::choices::<G>(table, seat, Choice::Duplicate, Part::pending(table));
            chosen(Choice::Duplicate, most_harmless::<G>(table, seat, cards))
        }
        // Keeping or taking back a card affects no other seat, and an abduction always harms one,
        // so the choice is random.
        Decision::Choose(Choice::Keep | Choice::TakeBack | Choice::Abduct) => None,
    }
}

fn chosen(what: Choice, card: Option<Person>) -> Option<Action> {
    card.map(|card| Action::Choose { what, card })
}

/// The most harmless caper, or a pass if the seat can play none.
fn turn<G: Ruleset>(table: &Table, seat: Seat) -> Option<Action> {
    if !legal::can_play::<G>(table, seat) {
        return Some(Action::Pass);
    }
    let hand: Set<Person> = table.pieces(Hand(seat));
    let playable = hand.iter().filter(|&card| legal::has_partner::<G>(table, seat, card)).collect();
    most_harmless::<G>(table, seat, playable).map(|card| Action::PerformCaper { card })
}

/// The card whose text affects the least, among those that take nothing from another seat; ties go
/// to the first in the catalogue.
fn most_harmless<G: Ruleset>(table: &Table, seat: Seat, cards: Set<Person>) -> Option<Person> {
    let reach = |card: Person| text_reach::<G>(table, seat, card);
    cards.iter().filter(|&card| reach(card) < Reach::OtherSeats).min_by_key(|&card| reach(card))
}

fn text_reach<G: Ruleset>(table: &Table, seat: Seat, card: Person) -> Reach {
    let effects = card.row::<G>().text.iter();
    effects.map(|&it| reach::<G>(table, seat, card, it)).max().unwrap_or(Reach::Own)
}

/// The range of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// The seat's own cards.
    Own,
    Deck,
    Coffers,
    OtherSeats,
}

fn reach<G: Ruleset>(table: &Table, seat: Seat, card: Person, effect: Effect) -> Reach {
    let robs = |harms: bool| if harms { Reach::OtherSeats } else { Reach::Own };
    let others: Set<Person> = table.pieces::<Person>(Hand(seat)).without(&Set::one(card));
    match effect {
        // The last two may be declined.
        Effect::AdvanceTime
        | Effect::TakeBack
        | Effect::SecondCaper
        | Effect::Exchange
        | Effect::SwapJobs => Reach::Own,
        Effect::DrawAndKeep(_) | Effect::Draw(_) => Reach::Deck,
        Effect::Steal(_) | Effect::StealByJobs { .. } | Effect::StealBySkills => Reach::Coffers,
        Effect::Rob(_) | Effect::RobRichest(_) => {
            robs(poor(table, effects::victims(table, seat, effect)).is_none())
        }
        Effect::RobEach { .. } => robs(table.others(seat).any(|it| !is_poor(table, it))),
        Effect::Abduct => {
            let mut nights = table.others(seat).flat_map(hideout);
            robs(nights.any(|night| !table.is_bare(night)))
        }
        Effect::TeamUp => {
            let harmless = |it| is_harmless_partner::<G>(table, seat, it);
            robs(!others.is_empty() && !others.iter().any(harmless))
        }
        Effect::Duplicate => {
            let copied = |card: &Person| !effects::acts_as_another::<G>(*card);
            // A duplicated Thug plays one more card, so its effect is not evaluated.
            let reach = |card: Person| match card.does::<G>(Effect::TeamUp) {
                true => Reach::OtherSeats,
                false => text_reach::<G>(table, seat, card),
            };
            others.iter().filter(copied).map(reach).min().unwrap_or(Reach::Own)
        }
    }
}

fn is_poor(table: &Table, seat: Seat) -> bool {
    table.coins(IskToken, Stash(seat)) == 0
}

/// A victim that would lose nothing.
fn poor(table: &Table, mut victims: impl Iterator<Item = Seat>) -> Option<Seat> {
    victims.find(|&it| is_poor(table, it))
}

/// Whether a Thug with this partner robs no seat.
fn is_harmless_partner<G: Ruleset>(table: &Table, seat: Seat, card: Person) -> bool {
    match card.skill::<G>() {
        Some(skill) => is_harmless::<G>(table, seat, skill),
        None => harmless_skill::<G>(table, seat).is_some(),
    }
}

fn harmless_skill<G: Ruleset>(table: &Table, seat: Seat) -> Option<Skill> {
    Skill::all().find(|&skill| is_harmless::<G>(table, seat, skill))
}

fn is_harmless<G: Ruleset>(table: &Table, seat: Seat, skill: Skill) -> bool {
    table
        .others(seat)
        .all(|rival| is_poor(table, rival) || effects::lone_of_skill::<G>(table, rival, skill) == 0)
}
