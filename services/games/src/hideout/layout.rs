//! The layout: who sees each place, which coins it holds, and how it is drawn.

use std::marker::PhantomData;

use table::{Arrangement, Component, Display, Layout, Meaning, Plan, Purse, Role, Sight};

use super::{
    catalogue::{PALETTE, catalogue},
    renamed::Renamed,
    ruleset::Ruleset,
    vocabulary::{
        Announcement, Back, Card, Coin, Coin::*, Decision, DeckEnd, Mark, Place, Place::*,
    },
};

/// The layout of either game: names, descriptions and catalogue differ.
pub fn layout<G: Ruleset>() -> Layout {
    Layout::of(Plan::<_, _, _, Renamed<G, Decision>, Renamed<G, Announcement>, Renamed<G, Back>> {
        catalogue: catalogue::<G>(),
        // §1.6
        sight: |place: Renamed<G, Place>| match place.id {
            Deck => Sight::Nobody,
            Hand(seat) | DrawnCards(seat) => Sight::Only(seat),
            Box | Coffers | Discard | Jobs(_) | Stash(_) | FirstNight(_) | SecondNight(_)
            | ThirdNight(_) | RefreshArea(_) | CompletedJobs(_) => Sight::All,
        },
        purse: |place, coin: Renamed<G, Coin>| match (place.id, coin.id) {
            (Box, IskToken) => Purse::Bank,
            // §3.7 A token in a night.
            (Coffers | Stash(_) | FirstNight(_) | SecondNight(_) | ThirdNight(_), IskToken) => {
                Purse::Held
            }
            (
                Deck | Discard | Jobs(_) | Hand(_) | DrawnCards(_) | RefreshArea(_)
                | CompletedJobs(_),
                IskToken,
            ) => Purse::None,
        },
        display: |place| match place.id {
            Box => Display::of(Role::Box, Arrangement::Pile, 9),
            Coffers => Display::of(Role::Purse, Arrangement::Pile, 0),
            Deck => Display::of(Role::Deck, Arrangement::Pile, 1),
            Discard => Display::of(Role::Discard, Arrangement::Pile, 1),
            Jobs(_) => Display::of(Role::Row, Arrangement::Pile, 2),
            Stash(_) => Display::of(Role::Purse, Arrangement::Pile, 0),
            Hand(_) => Display::of(Role::Hand, Arrangement::Fan, 1),
            DrawnCards(_) => Display::of(Role::Hand, Arrangement::Fan, 2),
            FirstNight(_) => Display::of(Role::Area, Arrangement::Row, 3),
            SecondNight(_) => Display::of(Role::Area, Arrangement::Row, 4),
            ThirdNight(_) => Display::of(Role::Area, Arrangement::Row, 5),
            RefreshArea(_) => Display::of(Role::Area, Arrangement::Row, 6),
            CompletedJobs(_) => Display::of(Role::Area, Arrangement::Row, 7),
        },
        mark: |mark: Renamed<G, Mark>| match mark.id {
            Mark::DeckEnd => Meaning::one_of::<DeckEnd>().hidden(),
            Mark::Acting => Meaning::one_of::<Card>().hidden(),
            Mark::SecondJob | Mark::Clause => Meaning::HIDDEN,
        },
        discloses: &[],
        // §10.1, §10.2
        score: |it: Renamed<G, Announcement>| match it.id {
            Announcement::StashHolds | Announcement::Bonus(_) => 1,
            Announcement::Caper
            | Announcement::Job
            | Announcement::NothingComesOfIt
            | Announcement::TimeAdvances
            | Announcement::Targets(_)
            | Announcement::NewDeck
            | Announcement::CannotPlay
            | Announcement::CoffersEmpty
            | Announcement::JobsCompleted
            | Announcement::DeckOut
            | Announcement::TieOnJobs
            | Announcement::TieOnPeople => 0,
        },
        verbs: G::VERBS,
        phases: &[],
        palette: PALETTE,
        terms: PhantomData,
    })
}

pub(super) fn name<G: Ruleset>(card: impl Component) -> &'static str {
    G::layout().piece_name(card)
}
