//! Tests of layouts as messages.

use table::{BadLayout, ChaCha, Chance, Layout, contract};

use super::LAYOUT;

fn intern(name: &str) -> &'static str {
    String::leak(name.to_owned())
}

fn described(change: impl FnOnce(&mut contract::Layout)) -> Result<Layout, BadLayout> {
    let mut message = LAYOUT.describe();
    change(&mut message);
    Layout::described(message, &intern)
}

#[test]
fn a_described_layout_is_the_same_layout() {
    let same = described(|_| ()).unwrap_or_else(|bad| panic!("{bad}"));
    assert_eq!(same.to_string(), LAYOUT.to_string());
    assert_eq!(same.describe(), LAYOUT.describe());
}

#[test]
fn a_layout_from_a_stranger_is_checked() {
    let unknown = |what, number| BadLayout::Unknown { what, number };
    let bad = |change: fn(&mut contract::Layout)| described(change).err().expect("it is bad");
    assert_eq!(bad(|it| it.places.swap(0, 1)), BadLayout::Number { what: "place", number: 1 },);
    assert_eq!(
        bad(|it| it.places[1].name = it.places[0].name.clone()),
        BadLayout::NamedTwice { what: "place", name: LAYOUT.places()[0].name.clone() },
    );
    assert_eq!(bad(|it| it.pieces[0].start = 63), unknown("place", 63));
    assert_eq!(bad(|it| it.pieces[0].back = 63), unknown("back", 63));
    assert_eq!(bad(|it| it.purses[0].coin = 63), unknown("coin", 63));
    assert_eq!(bad(|it| it.places[0].sight = 0), BadLayout::Missing("sight of a place"));
    assert_eq!(bad(|it| it.announcements[0].score = 2), BadLayout::Score(2));
    assert_eq!(
        bad(|it| it.verbs.push("resign".into())),
        BadLayout::NamedTwice { what: "verb", name: "resign".into() },
    );
    assert_eq!(
        bad(|it| it.pieces = vec![it.pieces[0].clone(); 257]),
        BadLayout::TooMany { what: "piece", count: 257, most: 256 },
    );
    let name = "<b>".to_owned();
    assert_eq!(bad(|it| it.pieces[0].name = "<b>".into()), BadLayout::Name { what: "piece", name },);
}

/// Whatever a stranger sends is refused or is a layout, and never a panic.
#[test]
fn garbled_descriptions_never_panic() {
    use prost::Message;
    let bytes = LAYOUT.describe().encode_to_vec();
    let (mut random, mut read) = (ChaCha::of([9; 32], 1), 0);
    for _ in 0..20_000 {
        let mut garbled = bytes.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(garbled.len());
            garbled[at] = random.below(256) as u8;
        }
        let Ok(message) = contract::Layout::decode(&garbled[..]) else { continue };
        if let Ok(layout) = Layout::described(message, &intern) {
            drop(layout.to_string());
            read += 1;
        }
    }
    assert!(read > 100, "{read} were still layouts");
}
