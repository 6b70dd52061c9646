//! Numbers, names and everything else in a layout that clients and texts read.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use table::{
    Argument, Arrangement, Catalogue, Component, Display, Layout, Look, Meaning, Origin, PlaceId,
    Plan, Purse, Role, Seat, Seats, Sight, Small, Upto, Viewer, components, small, vocabulary,
};

use super::{Card, Coin, LAYOUT, Mark, Place, handled, seat};

components! { pub Gem: 0..4 }
small! { pub enum Suit { Moons, Stars } }
small! { pub enum Site { Mine, Shop(Suit), Setting(Gem, Seat), Shelf(Upto<2>) } }
small! { pub enum Money { Marks, Shares(Suit) } }
small! { pub enum Note { Leader, Choice } }
small! { pub enum Ask { Bid } }
small! { pub enum News { Sold } }
small! { pub enum Side { Plain(Suit) } }
vocabulary!(
    Site => PlaceId, Money => CoinId, Note => MarkId, Ask => DecisionId, News => AnnouncementId, Side => BackId
);

/// A layout that uses every feature of layouts.
fn jewels() -> Layout {
    let mut catalogue = Catalogue::default();
    for (gem, name) in Gem::all().zip(["ruby-1", "ruby-2", "pearl", "opal"]) {
        let row = catalogue.add(name, Site::Mine, Side::Plain(Suit::Moons), Origin::Printed);
        row.copy_of("ruby").facet("cut", "round");
        if gem.index() > 1 {
            row.facet_from(Origin::Design, "worth", 3);
        }
    }
    Layout::of(Plan::<_, _, _, Ask, News, Side> {
        catalogue,
        sight: |place| match place {
            Site::Setting(_, seat) => Sight::Only(seat),
            Site::Mine | Site::Shop(_) | Site::Shelf(_) => Sight::All,
        },
        purse: |place, _: Money| match place {
            Site::Mine => Purse::Bank,
            Site::Shop(_) | Site::Setting(..) | Site::Shelf(_) => Purse::None,
        },
        mark: |mark| match mark {
            Note::Leader => Meaning::one_of::<Seat>(),
            Note::Choice => Meaning::one_of::<Suit>(),
        },
        display: |_| Display::of(Role::Area, Arrangement::Row, 0),
        discloses: &[],
        score: |_| 0,
        verbs: &["bid"],
        phases: &["auction", "harvest"],
        palette: &[("moons", Look { color: "#112233", symbol: "☾" })],
        terms: PhantomData,
    })
}

#[test]
fn a_place_is_named_by_its_case_and_its_arguments() {
    let layout = jewels();
    let row = |name| layout.place(layout.place_named(name).expect("a place"));
    for (name, case, seat_of, piece, value, arguments) in [
        ("mine", "mine", None, None, None, vec![]),
        (
            "shop/stars",
            "shop",
            None,
            None,
            Some("stars"),
            vec![Argument::Value("stars".to_owned())],
        ),
        (
            "setting/pearl/2",
            "setting",
            Some(seat(2)),
            Gem::nth(2).map(|it| it.piece()),
            None,
            vec![Argument::Piece(Gem::nth(2).expect("a gem").piece()), Argument::Seat(seat(2))],
        ),
        ("shelf/1", "shelf", None, None, None, vec![Argument::Number(1)]),
    ] {
        let row = row(name);
        assert_eq!((row.case(), row.seat, row.piece()), (case, seat_of, piece), "{name}");
        assert_eq!((row.value(), &row.arguments), (value, &arguments), "{name}");
        assert_eq!(layout.place_name(row.id), name);
    }
    // Matches with fewer seats do not have the places of the others.
    let settings = |seats| layout.places_of(seats).filter(|it| it.case() == "setting").count();
    assert_eq!([1, 2, 8].map(settings), [4, 8, 32]);
}

#[test]
fn terms_are_named_like_places() {
    let layout = jewels();
    let shares = &layout.coins()[2];
    assert_eq!((shares.name.as_str(), shares.case()), ("shares/stars", "shares"));
    assert_eq!(shares.arguments, [Argument::Value("stars".to_owned())]);
    assert_eq!(shares.arguments[0].value(), Some("stars"));
    assert_eq!((shares.arguments[0].seat(), shares.arguments[0].piece()), (None, None));
    let names: Vec<_> = layout.backs().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["plain/moons", "plain/stars"]);
}

#[test]
fn a_layout_lists_its_phases_values_facets_and_looks() {
    let layout = jewels();
    assert_eq!(layout.phases(), ["auction", "harvest"]);
    // Of facets, places, coins, marks and backs.
    assert_eq!(layout.value_names(), BTreeSet::from(["moons", "round", "stars"]));
    assert_eq!(layout.facet_names(), BTreeSet::from(["cut", "worth"]));
    let look = layout.look("moons").expect("it is in the palette");
    assert_eq!((look.color, look.symbol), ("#112233", "☾"));
    assert!(layout.look("stars").is_none());
}

#[test]
fn copies_of_a_piece_share_its_words() {
    let layout = jewels();
    let copies = layout.pieces().iter().map(|row| row.copy());
    assert_eq!(copies.collect::<Vec<_>>(), ["1", "2", "", ""]);
    let pearl = &layout.pieces()[2];
    let origins = ["cut", "worth", "color"].map(|it| pearl.origin_of(it).map(Origin::name));
    assert_eq!(origins, [Some("printed"), Some("design"), None]);
    assert_eq!(Origin::PublicFact.name(), "public-fact");
}

#[test]
fn the_number_in_the_log_of_a_plain_value_is_its_index() {
    assert_eq!((seat(3).code(), Seat::decode(3), Seat::decode(8)), (3, Some(seat(3)), None));
    let ruby = Gem::nth(1).expect("a gem");
    assert_eq!((ruby.code(), Gem::decode(1), Gem::decode(4)), (1, Some(ruby), None));
    assert_eq!((ruby.seat(), ruby.arguments(&[])), (None, vec![]));
    assert_eq!(ruby.argument(&[]).piece(), Some(ruby.piece()));
    assert_eq!(Suit::Stars.argument(&[]).value(), Some("stars"));
}

#[test]
fn each_game_has_one_layout() {
    assert!(*LAYOUT == *LAYOUT && *LAYOUT != jewels());
}

#[test]
fn only_a_bank_gives_coins_that_it_does_not_have() {
    let is_bank = |place: Place| LAYOUT.is_bank(place.into(), Coin::Gold.into());
    assert!(is_bank(Place::Box));
    assert!(!is_bank(Place::Purse(seat(0))) && !is_bank(Place::Deck));
}

#[test]
fn coins_move_between_purses_only() {
    for (from, to) in [(Place::Box, Place::Deck), (Place::Deck, Place::Box)] {
        let paid = AssertUnwindSafe(|| handled(|d| d.pay(Coin::Gold, from, to, 1)));
        assert!(catch_unwind(paid).is_err(), "{from:?} to {to:?}");
    }
}

#[test]
fn removing_a_seat_from_a_set_keeps_the_others() {
    let mut seats: Seats = [0, 1, 5].map(seat).into_iter().collect();
    seats.remove(seat(1));
    seats.remove(seat(2));
    assert_eq!(seats.iter().collect::<Vec<_>>(), [0, 5].map(seat));
}

#[test]
fn a_table_lists_the_contents_of_a_place_as_its_viewer_knows_them() {
    let (whole, _) = handled(|d| {
        d.draw(Place::Deck, Place::Hand(seat(0)));
        d.draw(Place::Pile, Place::Screen(seat(1)));
        d.pay(Coin::Gold, Place::Box, Place::Purse(seat(0)), 3);
        d.pay(Coin::Silver, Place::Box, Place::Board, 2);
        d.mark(Mark::Count, 7);
    });
    let seen = |viewer, place: Place| {
        let table = whole.seen_by(viewer);
        let id = PlaceId::from(place);
        let found = table.places().find(|it| it.place.id == id).expect("a place of the match");
        let unseen: usize = found.unseen.iter().map(|it| it.1).sum();
        let purses = found.purses.iter().filter(|it| it.1 != 0).map(|it| it.1).collect::<Vec<_>>();
        assert_eq!(table.is_bare(place), found.pieces.is_empty() && unseen == 0);
        (found.pieces.len(), unseen, found.is_counted, purses)
    };
    let [own, other] = [0, 1].map(|it| Viewer::Seat(seat(it)));
    assert_eq!(seen(own, Place::Hand(seat(0))), (1, 0, true, vec![]));
    assert_eq!(seen(other, Place::Hand(seat(0))), (0, 1, true, vec![]));
    assert_eq!(seen(own, Place::Purse(seat(0))), (0, 0, true, vec![3]));
    assert_eq!(seen(other, Place::Purse(seat(0))), (0, 0, true, vec![]));
    assert_eq!(seen(Viewer::Spectator, Place::Board), (0, 0, true, vec![2]));
    assert_eq!(seen(other, Place::Screen(seat(1))), (1, 0, true, vec![]));
    assert_eq!(seen(own, Place::Screen(seat(1))), (0, 0, false, vec![]));
    assert_eq!(seen(Viewer::House, Place::Deck), (15, 0, true, vec![]));

    let card = whole.first::<Card>(Place::Hand(seat(0))).expect("it was drawn");
    assert_eq!(whole.place::<Place>(card), Some(Place::Hand(seat(0))));
    let spectator = whole.seen_by(Viewer::Spectator);
    assert_eq!((spectator.at(card), spectator.viewer()), (None, Viewer::Spectator));
    assert!(whole.lies(card, Place::Hand(seat(0))) && !whole.lies(card, Place::Deck));
    let marks: Vec<_> = whole.marks().filter(|it| it.1 != 0).collect();
    assert_eq!(marks, [(Mark::Count.into(), 7)]);
    assert!(whole.is_marked(Mark::Count) && !whole.is_marked(Mark::Victim));
}

#[test]
fn a_mark_names_what_it_is_set_to() {
    let (table, _) = handled(|d| d.set(Mark::Victim, Some(seat(2))));
    assert_eq!((table.get(Mark::Victim), table.marked(Mark::Victim)), (Some(seat(2)), 3));
    let (table, _) = handled(|d| {
        d.set(Mark::Victim, Some(seat(0)));
        assert_eq!(d.get(Mark::Victim), Some(seat(0)));
        d.set::<Seat>(Mark::Victim, None);
    });
    assert_eq!(table.get::<Seat>(Mark::Victim), None);
}
