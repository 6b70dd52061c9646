//! What is on the table: its components by name, who sees each place, and how it is drawn.

use std::{marker::PhantomData, sync::LazyLock};

use croupier_game::table::{
    Arrangement, Catalogue, Display, Layout, Origin, Plan, Purse, Role, Seat, Sight, components,
    small, vocabulary,
};

use Place::*;

components! {
    /// §1.1
    pub Card: 0..24
}
small! {
    /// §1.2
    pub enum Place { Deck, Discard, Row(Seat), Kept(Seat) }
}
small! {
    pub enum Coin {}
}
small! {
    pub enum Mark {}
}
small! {
    pub enum Decision { Turn }
}
small! {
    pub enum Announcement { Bust, PointsKept }
}
small! {
    pub enum Back { Card }
}
vocabulary!(
    Place => PlaceId, Coin => CoinId, Mark => MarkId, Decision => DecisionId,
    Announcement => AnnouncementId, Back => BackId
);

/// §1.1
const VALUES: [&str; 6] = ["one", "two", "three", "four", "five", "six"];
const COPIES: usize = 4;

pub static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    Layout::of(Plan {
        catalogue: catalogue(),
        sight: |place| match place {
            Deck => Sight::Nobody,
            Kept(seat) => Sight::Only(seat),
            Discard | Row(_) => Sight::All,
        },
        purse: |_, coin: Coin| -> Purse { match coin {} },
        display: |place| match place {
            Deck => Display::of(Role::Deck, Arrangement::Pile, 0),
            Discard => Display::of(Role::Discard, Arrangement::Pile, 0),
            Row(_) => Display::of(Role::Area, Arrangement::Row, 0),
            Kept(_) => Display::of(Role::Hand, Arrangement::Pile, 1),
        },
        mark: |mark: Mark| match mark {},
        discloses: &[],
        score: |it| match it {
            Announcement::PointsKept => 1,
            Announcement::Bust => 0,
        },
        verbs: &["draw", "drop", "keep"],
        phases: &[],
        palette: &[],
        terms: PhantomData::<fn() -> (Decision, Back)>,
    })
});

fn catalogue() -> Catalogue {
    let mut cards = Catalogue::default();
    for (nth, name) in VALUES.iter().enumerate() {
        for copy in 1..=COPIES {
            let card = cards.add(format!("{name}/{copy}"), Deck, Back::Card, Origin::Design);
            card.facet("value", nth + 1);
        }
    }
    cards
}

impl Card {
    pub fn value(self) -> i32 {
        (usize::from(self.0) / COPIES) as i32 + 1
    }

    pub fn name(self) -> &'static str {
        LAYOUT.piece_name(self)
    }
}
