//! Tests of the table with a toy game.
//!
//! *Random handling* calls every dealer method on every kind of place, in any order. Fold,
//! redaction and stored form are the same for all games, so these results hold for every game. *A
//! toy game* has secret simultaneous choices, interrupts and cards shown to one seat, for two to
//! eight seats, some of which resign. The same game with a planted mistake must violate an
//! invariant. **One rule a test* covers the audit and cases that random play reaches too rarely.

use std::{marker::PhantomData, sync::LazyLock};

use bytes::Bytes;

use table::{
    Arrangement, ChaCha, Chance, Choice, Common, Component, Dealer, Display, Entry, Event, Face,
    Layout, Meaning, Offer, OfferItem, Options, Origin, Piece, PlaceId, Plan, PlayerCommitment,
    Prompt, Purse, Reason, Role, Rules, Seat, Sight, Small, Speech, SpeechKeys, TEXT_CHARS_MAX,
    Table, Text, Upto, Viewer, Viewers, components, hidden, invariants, invariants::Broken, small,
    vocabulary,
};

mod audit;
mod described;
mod game;
mod matches;
mod names;
mod speech;

components! { pub Disc: 0..10, pub Card: 10..26 }
small! {
    pub enum Place {
        Box, Deck, Pile, Board, Hand(Seat), Purse(Seat), Chosen(Seat), Spot(Upto<3>, Seat),
        Screen(Seat), Den(Seat)
    }
}
small! { pub enum Coin { Gold, Silver } }
small! { pub enum Mark { Flag(Seat), Victim, Count } }
small! { pub enum Decision { Choose, Peek, Chat } }
small! { pub enum Announcement { Won } }
small! { pub enum Back { Red, Blue, Card } }
vocabulary!(
    Place => PlaceId, Coin => CoinId, Mark => MarkId, Decision => DecisionId, Announcement => AnnouncementId, Back => BackId
);

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let mut catalogue = table::Catalogue::default();
    for disc in Disc::all() {
        let back = if disc.index() % 2 == 0 { Back::Red } else { Back::Blue };
        let row =
            catalogue.add(format!("disc-{}", disc.index()), Place::Pile, back, Origin::Design);
        row.layer(disc.index() as u8 / 5);
    }
    for card in Card::all() {
        catalogue.add(format!("card-{}", card.index()), Place::Deck, Back::Card, Origin::Design);
    }
    Layout::of(Plan::<_, _, _, Decision, Announcement, Back> {
        catalogue,
        sight: |place| match place {
            Place::Deck | Place::Pile => Sight::Nobody,
            Place::Box | Place::Board => Sight::All,
            Place::Hand(seat) | Place::Purse(seat) | Place::Chosen(seat) | Place::Spot(_, seat) => {
                Sight::Only(seat)
            }
            Place::Screen(seat) | Place::Den(seat) => Sight::Screened(seat),
        },
        purse: |place, _: Coin| match place {
            Place::Box => Purse::Bank,
            Place::Deck | Place::Chosen(_) | Place::Spot(..) | Place::Den(_) => Purse::None,
            Place::Pile | Place::Board | Place::Hand(_) | Place::Purse(_) | Place::Screen(_) => {
                Purse::Held
            }
        },
        mark: |mark| match mark {
            Mark::Flag(_) | Mark::Count => Meaning::COUNTER,
            Mark::Victim => Meaning::one_of::<Seat>(),
        },
        display: |_| Display::of(Role::Area, Arrangement::Row, 0),
        discloses: &[],
        score: |_| 0,
        verbs: &["choose", "peek", "handle"],
        phases: &[],
        palette: &[],
        terms: PhantomData,
    })
});

fn any<T: Copy>(of: &[T], whim: &mut ChaCha) -> T {
    of[whim.below(of.len())]
}

#[test]
fn redacted_entries_fold_to_the_redacted_table() {
    for seed in 0..300 {
        let mut whim = ChaCha::of([4; 32], seed);
        let mut table = Table::new(&LAYOUT, 3, Viewer::House);
        let mut refolded = table.clone();
        let guests: Vec<Viewer> = Viewer::guests(3).collect();
        let mut seen: Vec<Table> = guests.iter().map(|&it| Table::new(&LAYOUT, 3, it)).collect();
        for _ in 0..80 {
            let mut chance = ChaCha::of([5; 32], whim.below(1 << 30) as u64);
            let mut d = Dealer::new(&mut table, &mut chance);
            handle(&mut d, &mut whim);
            let entry = d.finish(1, None, "handle", None);
            let kept = Entry::decode(&entry.encode(), &LAYOUT);
            assert_eq!(
                kept.as_ref(),
                Ok(&entry),
                "an entry that is stored and read stays the same"
            );
            refolded.apply(&entry);
            assert!(refolded == table, "{seed} {entry:?}");
            for (&guest, seen) in guests.iter().zip(&mut seen) {
                seen.apply(&entry.seen_by(guest, &LAYOUT));
                let redacted = table.seen_by(guest);
                assert!(*seen == redacted, "{seed} {entry:?}\n{seen:?}\n{redacted:?}");
                let counted = |place| LAYOUT.counters(place).has(guest);
                for place in LAYOUT.places_of(3).map(|place| place.id) {
                    let known = seen.pieces::<Piece>(place).len();
                    let count = if counted(place) { table.count(place) } else { known };
                    assert_eq!(seen.count(place), count, "every viewer counts what it can count");
                }
            }
        }
    }
}

/// Calls one of the dealer's methods at random.
fn handle(d: &mut Dealer, whim: &mut ChaCha) {
    let here = |place: &Place| place.seat().is_none_or(|seat| d.has_seat(seat));
    let places: Vec<Place> = Place::all().filter(here).collect();
    let has_purse = |place: &&Place| {
        let id = PlaceId::from(**place);
        LAYOUT.purses().iter().any(|purse| purse.place == id)
    };
    let purses: Vec<Place> = places.iter().filter(has_purse).copied().collect();
    let (from, to) = (any(&places, whim), any(&places, whim));
    let (payer, payee) = (any(&purses, whim), any(&purses, whim));
    let piece = Piece::nth(whim.below(LAYOUT.pieces().len())).expect("below their count");
    let seats: Vec<Seat> = d.seats().collect();
    let (seat, other) = (any(&seats, whim), any(&seats, whim));
    let amount = whim.below(9) as u32;
    match whim.below(30) {
        0..=3 => d.put(piece, to),
        4 | 5 => drop(d.draw(from, to)),
        6 => d.gather(from, to),
        7 | 8 => d.show(piece, Viewers::only(seat)),
        9 => d.reveal(piece),
        10 => d.pay(Coin::Gold, payer, payee, amount),
        11 => d.pay_aloud(Coin::Silver, payer, payee, amount),
        12 => drop(d.pay_up_to(Coin::Gold, payer, payee, amount)),
        13 => drop(d.pay_all(Coin::Silver, payer, payee)),
        14 => d.mark(Mark::Flag(seat), amount as i16),
        15 => {
            let victim = (amount > 3).then_some(other);
            d.set(Mark::Victim, victim);
            assert_eq!(d.get::<Seat>(Mark::Victim), victim, "a mark holds the value it was set to");
        }
        16 => drop(d.roll(seat)),
        17 => {
            let picked = d.pick_seat();
            assert!(d.pick(6) < 6 && d.has_seat(picked));
        }
        18 => d.announce(Announcement::Won, seat, -3),
        19 => d.begin_round(amount as u8),
        20 => d.begin_phase(amount as u8),
        21 => d.begin_turn(seat),
        22 => d.ask(seat, Decision::Choose),
        23 => d.allow(seat, Decision::Chat),
        24 if d.prompts().len() < 20 => d.interrupt(seat, Decision::Peek),
        25 if d.prompt(seat).is_some() => d.answer(seat),
        26 => d.close_optional(),
        27 => d.score(seat, amount as i32 - 4),
        28 => d.say(seat, any(&[Viewers::ALL, Viewers::only(other)], whim), text("I owe you one.")),
        _ => deal(d, seat, other, piece, amount),
    }
}

fn text(text: &str) -> Text {
    Text::of(text).expect("the text is plain and short")
}

/// Makes an offer, withdraws one or carries one out.
fn deal(d: &mut Dealer, by: Seat, to: Seat, piece: Piece, amount: u32) {
    let coins = OfferItem::Coins {
        coin: Coin::Gold.into(),
        from: Place::Purse(by).into(),
        to: Place::Purse(to).into(),
        amount,
    };
    let piece = OfferItem::Piece { piece, to: Place::Hand(by).into() };
    match d.offers().first().cloned() {
        Some(offer) if amount > 5 => d.settle(&offer),
        Some(offer) if amount > 2 => d.close_offer(offer.by),
        _ => d.offer(Offer { by, to, give: vec![coins], take: vec![piece] }),
    }
}

#[test]
fn decoding_any_bytes_gives_an_entry_or_an_error() {
    let mut whim = ChaCha::of([7; 32], 0);
    let mut chance = ChaCha::of([8; 32], 0);
    let mut table = Table::new(&LAYOUT, 8, Viewer::House);
    let mut d = Dealer::new(&mut table, &mut chance);
    (0..60).for_each(|_| handle(&mut d, &mut whim));
    let entry = d.finish(1, Seat::nth(1), "handle", Some(vec![1, 2, 3].into()));
    let bytes = entry.encode();
    let (mut read, mut refused) = (0, 0);
    for _ in 0..200_000 {
        let mut garbled = bytes.to_vec();
        for _ in 0..=whim.below(3) {
            let n = whim.below(garbled.len());
            garbled[n] = whim.below(256) as u8;
        }
        match Entry::decode(&garbled, &LAYOUT) {
            Ok(entry) => {
                table.apply(&entry);
                table::with_names(&LAYOUT, || drop(format!("{entry:?}")));
                read += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(read > 1_000 && refused > 1_000, "{read} read, {refused} refused");
}

#[test]
fn a_redacted_entry_does_not_decode() {
    let owner = Place::Hand(seat(0));
    let (_, entry) = handled(|d| {
        let card = d.draw(Place::Deck, owner).expect("the deck has cards");
        d.show(card, Viewers::only(seat(1)));
        d.pay(Coin::Gold, owner, Place::Purse(seat(1)), 1);
        d.say(seat(0), Viewers::only(seat(1)), text("Hush."));
    });
    assert_eq!(entry.events.len(), 4);
    for event in entry.events {
        let whole = Entry { events: vec![event], ..opening() };
        assert_eq!(Entry::decode(&whole.encode(), &LAYOUT).as_ref(), Ok(&whole));
        let redacted = whole.seen_by(Viewer::Spectator, &LAYOUT);
        assert!(Entry::decode(&redacted.encode(), &LAYOUT).is_err(), "{redacted:?}");
    }
}

#[test]
fn only_its_author_and_the_house_see_an_action() {
    let entry = Entry {
        rules: 1,
        choices: Vec::new(),
        players: Vec::new(),
        seat: Seat::nth(1),
        verb: "handle",
        action: Some(vec![7].into()),
        events: vec![Event::RoundBegan(1)],
        prompts: Vec::new(),
    };
    for (viewer, knows) in [
        (Viewer::House, true),
        (Viewer::Seat(Seat::nth(0).expect("a seat")), false),
        (Viewer::Seat(Seat::nth(1).expect("a seat")), true),
        (Viewer::Spectator, false),
    ] {
        assert_eq!(entry.seen_by(viewer, &LAYOUT).action.is_some(), knows, "{viewer:?}");
    }
}

#[test]
fn only_the_house_sees_commitments_to_players() {
    let of = |at: usize| PlayerCommitment::new(&[1; 16], seat(at), &[2; 32], "ann");
    let entry = Entry { players: vec![of(0), of(2)], ..opening() };
    assert_eq!(Entry::decode(&entry.encode(), &LAYOUT).as_ref(), Ok(&entry));
    for viewer in Viewer::guests(3) {
        assert_eq!(entry.seen_by(viewer, &LAYOUT), opening(), "{viewer:?}");
    }
    assert_eq!(entry.seen_by(Viewer::House, &LAYOUT), entry);
}

fn words_of(speech: &Speech) -> &str {
    speech.text.as_ref().expect("it is not erased").as_str()
}

#[test]
fn only_recipients_see_what_was_said() {
    let seats: Vec<Seat> = Seat::all().take(3).collect();
    let said = |to: Viewers, words: &str| {
        let mut chance = ChaCha::of([8; 32], 0);
        let mut table = Table::new(&LAYOUT, 3, Viewer::House);
        let mut d = Dealer::new(&mut table, &mut chance);
        d.say(seats[0], to, text(words));
        d.finish(1, Some(seats[0]), "handle", None)
    };
    let received = |entry: &Entry, viewer| match &entry.seen_by(viewer, &LAYOUT).events[..] {
        [Event::Said { speech, .. }] => speech.as_deref().map(|it| words_of(it).to_string()),
        other => panic!("{other:?}"),
    };
    let everyone = || Viewer::guests(3).chain([Viewer::House]);
    let aloud = said(Viewers::ALL, "I share.");
    assert!(everyone().all(|viewer| received(&aloud, viewer).as_deref() == Some("I share.")));
    let aside = said(Viewers::only(seats[1]), "I share.");
    let knows = everyone().map(|viewer| received(&aside, viewer).is_some());
    assert_eq!(knows.collect::<Vec<_>>(), [true, true, false, false, true]);

    // Other viewers do not learn its length or its recipients either.
    let longer = said(Viewers::only(seats[2]), &"I grab. ".repeat(60));
    let redacted = |entry: &Entry| entry.seen_by(Viewer::Spectator, &LAYOUT);
    assert_eq!(redacted(&aside), redacted(&longer));
    assert!(Entry::decode(&redacted(&aside).encode(), &LAYOUT).is_err());
}

fn keys(of: &[(usize, u8)]) -> SpeechKeys {
    let mut keys = SpeechKeys::default();
    of.iter().for_each(|&(at, byte)| keys.insert(seat(at), [byte; 32]));
    keys
}

/// An entry in which seat 0 says the same as in its action, as it was typed.
fn saying(typed: &str) -> Entry {
    let action = games_say(typed);
    let (_, entry) = handled(|d| d.say(seat(0), Viewers::only(seat(1)), text(typed)));
    Entry { seat: Seat::nth(0), verb: table::SAY, action: Some(action), ..entry }
}

/// The message `croupier.table.v1.Action` that says something to seat 1.
fn games_say(typed: &str) -> Bytes {
    let text = [&[0x12, typed.len() as u8][..], typed.as_bytes()].concat();
    let say = [&[0x0A, 1, 1][..], if typed.is_empty() { &[] } else { &text }].concat();
    Bytes::from([&[0xAA, 0x06, say.len() as u8][..], &say].concat())
}

#[test]
fn sealed_speech_is_stored_without_its_words_and_opened_with_its_key() {
    let said = saying("My hidden words,\r\nof two lines.");
    let mut sealed = said.clone();
    sealed.seal(7, &keys(&[(0, 1), (1, 2)]));
    assert_eq!((&sealed.action, sealed.is_sealed()), (&said.action, false), "it is still known");
    let body = sealed.encode();
    assert!(!body.windows(6).any(|it| it == b"hidden"));
    let decode = || Entry::decode(&body, &LAYOUT).expect("it is an entry");

    let mut opened = decode();
    assert!(opened.is_sealed());
    opened.open(7, &keys(&[(0, 1)])).expect("it is the key");
    assert_eq!(opened, sealed);
    assert_eq!((opened.unsealed().into_owned(), opened.encode()), (said.clone(), body.clone()));

    // Another key, another place: this is not what was recorded.
    assert!(decode().open(7, &keys(&[(0, 2)])).is_err());
    assert!(decode().open(8, &keys(&[(0, 1)])).is_err());
    // Seats without a key keep plain text.
    let mut plain = said.clone();
    plain.seal(7, &keys(&[(1, 2)]));
    assert_eq!(plain, said);
}

/// Records keep sealed speech for good, so no release may seal or open it differently.
#[test]
fn speech_is_sealed_in_bytes_that_never_change() {
    let long = "Two coins for the moon, and I keep my word until the next round. Agreed? Good.";
    for (position, words, hex) in [
        (7, "Hush.", "1b26ff84866a639f180f9ab4dac4a9e5e5915422a0"),
        (
            1,
            "Ein Wort, zwei Zeilen:\r\n„so“ 🂡",
            "388d4aaefb5a2ab140c7e7a345723bd10a10a17479f98b22a75c59aea6d49ed0\
             f5d966670b2315c4c3470641174559d460728fbe",
        ),
        (
            i64::MAX,
            long,
            "21d0bd11eb8c424569e97b8cc068556b9043a57a28729ec12f7b09377f0e9079\
             f299f8e045401721e93dc007b6d47d9d0075d276b8b13df67d8ec6bd36c0ded8\
             32c9d05ddf5f22f1463e84897953b1b175191febc4d10138e5b7480b1227",
        ),
    ] {
        let (_, mut entry) = handled(|d| {
            d.mark(Mark::Count, 1);
            d.say(seat(0), Viewers::only(seat(1)), text(words));
        });
        let keys = keys(&[(0, 0xC5)]);
        entry.seal(position, &keys);
        let Some(Event::Said { speech: Some(speech), .. }) = entry.events.last() else {
            panic!("something was said")
        };
        let sealed = speech.sealed.as_deref().expect("its seat has a key");
        let sealed: String = sealed.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sealed, hex, "{words}");
    }
}

#[test]
fn without_its_key_speech_is_erased_for_good() {
    let keys = keys(&[(0, 1)]);
    let (mut short, mut long) = (saying("Hush."), saying(&"Hush. ".repeat(18)));
    for entry in [&mut short, &mut long] {
        entry.seal(7, &keys);
    }
    let read = |entry: &Entry| {
        let mut read = Entry::decode(&entry.encode(), &LAYOUT).expect("it is an entry");
        read.open(7, &SpeechKeys::default()).expect("nothing is opened");
        assert_eq!(read.encode(), entry.encode(), "its digest holds");
        read
    };
    let (erased, other) = (read(&short), read(&long));
    assert!(erased.is_sealed());
    // Nobody learns its length, and only recipients learn that it was erased.
    for viewer in Viewer::guests(3).chain([Viewer::House]) {
        assert_eq!(erased.seen_by(viewer, &LAYOUT), other.seen_by(viewer, &LAYOUT));
    }
    let unheard = |it: &Entry| it.seen_by(Viewer::Spectator, &LAYOUT);
    assert_eq!(unheard(&erased), unheard(&short));
    let [Event::Said { speech: Some(speech), .. }] =
        &erased.seen_by(Viewer::Seat(seat(1)), &LAYOUT).events[..]
    else {
        panic!("a recipient knows that something was said")
    };
    assert_eq!((&speech.text, &speech.sealed), (&None, &None));

    // A retry cannot be distinguished from equal words.
    let action = |words: &str| games_say(words);
    assert!(short.records(&action("Hush.")) && !short.records(&action("Hash.")));
    assert!(erased.records(&action("Hush.")) && erased.records(&action("Hash.")));
    assert!(!erased.records(&Bytes::from_static(&[1, 2])));

    // Erasing clears the text in memory, and leaves the messages of other seats.
    let mut forgotten = short.clone();
    forgotten.erase(seat(1));
    assert_eq!(forgotten, short);
    forgotten.erase(seat(0));
    assert_eq!(forgotten, erased);
    assert!(!erased.unsealed().is_sealed());
}

#[test]
fn a_text_is_plain_and_short_and_otherwise_unchanged() {
    let kept = |typed: &str| Text::of(typed).map(|it| it.as_str().to_string());
    let as_typed = "  Deal?\n\t<b>Ja, natürlich! 👩\u{200d}🚀</b>  ";
    assert_eq!(kept(as_typed), Ok(as_typed.to_string()));
    assert_eq!(kept("one\r\ntwo\rthree"), Ok("one\ntwo\nthree".to_string()));
    let reason = |text: &str| {
        let refused = Text::of(text).expect_err("the text is refused");
        let refused = table::CommonRefusal::from(refused);
        let facts = refused.facts().into_iter().map(|(name, value)| format!("{name}={value}"));
        format!("{} {}", refused.reason(), facts.collect::<Vec<_>>().join(" "))
    };
    assert_eq!(reason(" \n "), "TEXT_BLANK ");
    for blank in ["\r\n", "\u{200d}", "\u{fe0f}", "\u{3164}", "\u{2800} \u{115f}", "\u{34f}"] {
        assert_eq!(reason(blank), "TEXT_BLANK ", "{blank:?}");
    }
    assert_eq!(reason("hum\u{7}"), "TEXT_NOT_PLAIN character=3");
    assert_eq!(reason("hüm\u{7}"), "TEXT_NOT_PLAIN character=3");
    for control in ["\u{9b}2J", "\u{202e}Deal", "\u{2066}", "\u{200b}a", "\u{feff}", "\u{2028}"] {
        assert_eq!(reason(control), "TEXT_NOT_PLAIN character=0", "{control:?}");
    }
    assert!(Text::of(&"ü".repeat(TEXT_CHARS_MAX)).is_ok());
    let long = format!("TEXT_TOO_LONG characters={} characters_max=500", TEXT_CHARS_MAX + 1);
    assert_eq!(reason(&"ü".repeat(TEXT_CHARS_MAX + 1)), long);
}

#[test]
fn numbers_round_trip_and_unknown_ones_are_refused() {
    for place in Place::all() {
        assert_eq!(Place::decode(place.code()), Some(place));
        assert_eq!(Place::nth(place.index()), Some(place));
        assert_eq!(LAYOUT.place_named(LAYOUT.place_name(place.into())), Some(place.into()));
    }
    let known = (0..=u16::MAX).filter(|&code| Place::decode(code).is_some()).count();
    assert_eq!(known, Place::COUNT, "no number stands for two places");
    assert_eq!(Seat::nth(8), None);
    assert_eq!(Upto::<3>::nth(3), None);
    assert_eq!(Card::of(Disc::all().next().expect("a disc").piece()), None, "a disc is no card");
    assert_eq!(LAYOUT.named::<Card>("disc-0"), None);
}

#[test]
fn the_values_of_a_mark_have_names() {
    let [victim, count] = [Mark::Victim, Mark::Count].map(Into::into);
    let named = [0, 1, 8, 9, -1].map(|value| LAYOUT.mark_value(victim, value));
    let named = named.map(|value| value.map(|it| (it.name.as_str(), it.argument.seat())));
    let all: Vec<Seat> = Seat::all().collect();
    assert_eq!(named, [None, Some(("0", Some(all[0]))), Some(("7", Some(all[7]))), None, None]);
    assert!(LAYOUT.mark_value(count, 3).is_none(), "a number names nothing");
}

#[test]
fn sets_list_their_subsets() {
    let hand: table::Set<Card> = Card::all().skip(2).step_by(5).collect();
    let subsets: Vec<_> = hand.subsets().collect();
    assert_eq!(subsets.len(), 1 << hand.len());
    assert!(subsets.iter().all(|it| it.within(&hand)));
    assert!((1..subsets.len()).all(|n| !subsets[..n].contains(&subsets[n])));
}

#[test]
fn sets_give_one_or_some_of_their_pieces_at_random() {
    let hand: table::Set<Card> = Card::all().skip(2).step_by(5).collect();
    let all: Vec<Card> = hand.iter().collect();
    assert_eq!((0..hand.len()).filter_map(|nth| hand.nth(nth)).collect::<Vec<_>>(), all);
    assert_eq!(hand.nth(hand.len()), None);
    let numbered: Vec<_> = (0..1 << hand.len()).map(|number| hand.subset(number)).collect();
    assert_eq!(numbered, hand.subsets().collect::<Vec<_>>());
    assert_eq!(table::Set::<Card>::EMPTY.any(&mut chance()), None);

    let (mut chance, mut ones, mut pairs) = (chance(), vec![0; all.len()], vec![0; numbered.len()]);
    for _ in 0..3_000 {
        let one = hand.any(&mut chance).expect("it is not empty");
        ones[all.iter().position(|it| *it == one).expect("one of the hand")] += 1;
        let pair = hand.any_subset(2, &mut chance);
        pairs[numbered.iter().position(|it| *it == pair).expect("some of the hand")] += 1;
    }
    assert_eq!((all.len(), pairs.iter().filter(|&&times| times > 0).count()), (3, 3));
    assert!(ones.iter().chain(&pairs).all(|&times| times == 0 || (850..1_150).contains(&times)));
    assert_eq!(hand.any_subset(9, &mut chance), hand);
}

#[test]
fn the_toy_game_keeps_the_invariants() {
    for seats in 2..=8 {
        let (mut resigned, mut swaps, mut amounts, mut counts) = (0, 0, 0, 0);
        for seed in 0..40 {
            let played = invariants::check::<game::Toy<{ game::SOUND }>>(seats, seed);
            let played = played.unwrap_or_else(|broken| panic!("{broken}"));
            resigned += played.resigned;
            swaps += played.swaps;
            amounts += played.amounts;
            counts += played.counts;
        }
        let checked = [swaps, amounts, counts];
        // With two seats, the acting one always sees one of the two purses.
        let enough = if seats == 2 { &checked[..1] } else { &checked };
        let enough = resigned >= 3 && enough.iter().all(|&times| times > 50);
        assert!(enough, "{seats} seats: {resigned} resigned, {checked:?}");
    }
}

#[test]
fn the_invariants_find_planted_mistakes() {
    fn invariant<const MISTAKE: u8>() -> &'static str {
        violation::<MISTAKE>().invariant
    }
    assert_eq!(invariant::<{ game::SECRET_IN_A_MARK }>(), "secret actions look alike");
    assert_eq!(
        invariant::<{ game::LEGAL_PEEKS }>(),
        "a seat can list its legal actions from its own view"
    );
    assert_eq!(invariant::<{ game::ACT_PEEKS }>(), "nobody learns what they cannot see");
    assert_eq!(invariant::<{ game::AMOUNT_IN_A_MARK }>(), "nobody learns what they cannot see");
    assert_eq!(invariant::<{ game::COUNT_IN_A_MARK }>(), "nobody learns what they cannot see");
    assert_eq!(invariant::<{ game::PAYS_ALL }>(), "nobody learns what they cannot see");
    assert_eq!(invariant::<{ game::OVERDRAWS }>(), "no purse but a bank is negative");
    assert_eq!(
        invariant::<{ game::ACCEPTS_ANYTHING }>(),
        "an action that is not listed as legal is refused"
    );
    assert_eq!(invariant::<{ game::ASKS_TOO_LITTLE }>(), "some contender can act until the end");
    let passive = "a passive answer follows from what the seat sees";
    assert_eq!(invariant::<{ game::PASSIVE_PEEKS }>(), passive);
    assert_eq!(invariant::<{ game::PASSIVE_CHEATS }>(), "a passive answer is legal");
    assert_eq!(invariant::<{ game::CONCERNS_PEEKS }>(), "nobody learns what they cannot see");
    assert_eq!(invariant::<{ game::DRAWS_ANYTHING }>(), "what is drawn at random is legal");
    let drawn = "a seat can draw an action from its own view";
    assert_eq!(invariant::<{ game::DRAW_PEEKS }>(), drawn);
    let all = "every listed action is drawn at times";
    assert_eq!(invariant::<{ game::DRAWS_THE_FIRST }>(), all);
    assert_eq!(invariant::<{ game::REFUSES_LATE }>(), "a refusal changes nothing");
}

/// The violation that the invariants report for a planted mistake.
fn violation<const MISTAKE: u8>() -> Broken {
    let violation =
        (0..1_000).find_map(|seed| invariants::check::<game::Toy<MISTAKE>>(4, seed).err());
    violation.expect("the mistake violates an invariant")
}

#[test]
fn reports_of_violations_use_names_instead_of_numbers() {
    for (report, names) in [
        (violation::<{ game::SECRET_IN_A_MARK }>(), ["Choose(card-", "mark: count"]),
        (violation::<{ game::LEGAL_PEEKS }>(), ["Choose(card-", "hand/0: [card-"]),
        (violation::<{ game::ACT_PEEKS }>(), ["Swapped(card-", "mark: flag/"]),
        (violation::<{ game::PAYS_ALL }>(), ["coin: silver, from: screen/", "to: board"]),
        (violation::<{ game::COUNT_IN_A_MARK }>(), ["piece: disc-", "mark: count"]),
        (violation::<{ game::OVERDRAWS }>(), ["gold in purse/", "(gold, -1)"]),
        (violation::<{ game::ACCEPTS_ANYTHING }>(), ["decision: choose", "unseen []"]),
        (violation::<{ game::ASKS_TOO_LITTLE }>(), ["decision: chat", "board: [card-"]),
    ] {
        for name in names {
            assert!(report.detail.contains(name), "{name} is in {report}");
        }
        for number in ["Piece(", "PlaceId(", "CoinId(", "MarkId(", "DecisionId(", "BackId("] {
            assert!(!report.detail.contains(number), "{number} is not in {report}");
        }
    }
    let hand = PlaceId::from(Place::Hand(Seat::nth(2).expect("a seat")));
    assert_eq!(format!("{hand:?}"), format!("PlaceId({})", hand.number()));
}

// === One rule a test: redaction, drawing, prompts, offers and decoding ===

fn seat(number: usize) -> Seat {
    Seat::nth(number).expect("a seat")
}

/// A table after some handling, and its entry.
fn handled(handle: impl FnOnce(&mut Dealer)) -> (Table, Entry) {
    let mut chance = ChaCha::of([8; 32], 0);
    let mut table = Table::new(&LAYOUT, 3, Viewer::House);
    let mut d = Dealer::new(&mut table, &mut chance);
    handle(&mut d);
    let entry = d.finish(1, None, "handle", None);
    (table, entry)
}

fn opening() -> Entry {
    Entry {
        rules: 1,
        choices: Vec::new(),
        players: Vec::new(),
        seat: None,
        verb: table::OPEN,
        action: None,
        events: Vec::new(),
        prompts: Vec::new(),
    }
}

/// The memory of a service is limited by these estimates, so nothing that a seat can make long may
/// count for less.
#[test]
fn an_entry_is_estimated_by_all_that_it_holds() {
    let of = |event| Entry { events: vec![event], ..opening() }.bytes();
    let said = |chars, sealed| {
        let (text, sealed) = (text(&"a".repeat(chars)), Bytes::from(vec![0; sealed]));
        let speech = Speech { to: Viewers::ALL, text: Some(text), sealed: Some(sealed) };
        of(Event::Said { seat: seat(0), speech: Some(Box::new(speech)) })
    };
    assert_eq!([said(70, 50), said(20, 90)].map(|it| it - said(20, 50)), [50, 40]);
    let (from, to) = (Place::Board.into(), Place::Box.into());
    let item = OfferItem::Coins { coin: Coin::Gold.into(), from, to, amount: 1 };
    let offered = |give, take| {
        let (give, take) = (vec![item; give], vec![item; take]);
        of(Event::Offered(Box::new(Offer { by: seat(0), to: seat(1), give, take })))
    };
    let items = [offered(4, 1), offered(1, 6)].map(|it| it - offered(1, 1));
    assert_eq!(items, [3, 5].map(|it| it * size_of::<OfferItem>()));
    assert!(offered(0, 0) >= size_of::<Event>() + size_of::<Offer>());

    assert_eq!(opening().bytes(), 0);
    let action = Some(Bytes::from(vec![0; 90]));
    assert_eq!(Entry { action: action.clone(), ..opening() }.bytes(), 90);
    let prompts = toy(|_| {}).prompts().to_vec();
    let events = vec![Event::RoundBegan(1); 3];
    let choices = vec![Choice { bound: 3, value: 1 }; 7];
    let parts = [
        Entry { action: action.clone(), ..opening() },
        Entry { prompts: prompts.clone(), ..opening() },
        Entry { events: events.clone(), ..opening() },
        Entry { choices: choices.clone(), ..opening() },
    ];
    let whole = Entry { action, prompts, events, choices, ..opening() };
    assert!(parts.iter().all(|it| it.bytes() > 0));
    assert_eq!(whole.bytes(), parts.iter().map(Entry::bytes).sum::<usize>());
}

/// Records of earlier releases are compared with what the rules give without it.
#[test]
fn without_when_seats_were_asked_a_prompt_was_asked_when_it_was_opened() {
    let prompt = Prompt { age: 3, asked: None, ..toy(|_| {}).prompts()[0] };
    let entry = Entry { prompts: vec![prompt, Prompt { asked: Some(1), ..prompt }], ..opening() };
    assert!(entry.counts_asked());
    let earlier = entry.clone().without_asked();
    assert_eq!(earlier.prompts, vec![Prompt { asked: Some(3), ..prompt }; 2]);
    assert!(!earlier.counts_asked());
}

#[test]
fn an_amount_is_public_if_it_is_paid_aloud_and_else_known_to_both_purses() {
    let (payer, payee) = (Place::Purse(seat(0)), Place::Purse(seat(1)));
    let (_, entry) = handled(|d| {
        d.pay(Coin::Gold, payer, payee, 2);
        d.pay_aloud(Coin::Gold, payer, payee, 3);
        d.pay(Coin::Gold, payer, Place::Board, 4);
    });
    let amounts = |viewer| {
        let events = entry.seen_by(viewer, &LAYOUT).events;
        let amount = |event: &Event| match event {
            Event::Paid { amount, .. } => *amount,
            other => panic!("{other:?}"),
        };
        events.iter().map(amount).collect::<Vec<_>>()
    };
    assert_eq!(amounts(Viewer::Seat(seat(0))), [Some(2), Some(3), Some(4)]);
    assert_eq!(amounts(Viewer::Seat(seat(1))), [Some(2), Some(3), Some(4)]);
    assert_eq!(amounts(Viewer::Seat(seat(2))), [None, Some(3), Some(4)]);
    assert_eq!(amounts(Viewer::Spectator), [None, Some(3), Some(4)]);
}

#[test]
fn a_screen_hides_how_many_pieces_are_behind_it_and_how_many_move_there() {
    let (screen, den) = (Place::Screen(seat(0)), Place::Den(seat(0)));
    let received = |cards: usize| {
        let (table, entry) = handled(|d| {
            for _ in 0..5 {
                d.draw(Place::Deck, screen);
            }
            let own: Vec<Card> = d.pieces(screen).iter().collect();
            own[..cards].iter().for_each(|&card| d.put(card, den));
            own[..cards].iter().for_each(|&card| d.show(card, Viewers::only(seat(1))));
        });
        [Viewer::Seat(seat(0)), Viewer::Seat(seat(1)), Viewer::Spectator].map(|viewer| {
            let (entry, table) = (entry.seen_by(viewer, &LAYOUT), table.seen_by(viewer));
            let drawn = entry.events[..5].iter().map(|event| match event {
                Event::Moved { what, .. } => matches!(what, Face::Down(_)),
                other => panic!("{other:?}"),
            });
            let drawn: Vec<bool> = drawn.collect();
            let counts = [Place::Deck, screen, den].map(|place| table.count(place));
            (drawn, entry.events[5..].to_vec(), counts)
        })
    };
    let [own, shown, public] = received(2);
    assert_eq!((own.0, own.1.len(), own.2), (vec![false; 5], 4, [11, 3, 2]));
    let moved = Event::Moved { what: Face::Uncounted, from: screen.into(), to: den.into() };
    assert_eq!(shown.0, vec![true; 5], "whoever counts the deck sees each draw");
    assert_eq!((shown.1.len(), &shown.1[0], shown.2), (3, &moved, [11, 0, 2]));
    let to = Viewers::only(seat(1));
    let seen = Event::Shown { what: Face::Uncounted, at: den.into(), to };
    assert_eq!((&public.1[..], public.2), (&[moved, seen][..], [11, 0, 0]));
    assert_eq!(received(4)[2], public, "one card or four, the public is told the same");
    assert!(LAYOUT.to_string().contains("screen/0: seen by seat 0, count hidden\n"));
}

#[test]
fn what_leaves_a_screen_for_a_place_that_all_can_count_is_counted() {
    let screen = Place::Screen(seat(0));
    let (table, entry) = handled(|d| {
        for _ in 0..3 {
            d.draw(Place::Deck, screen);
        }
        d.gather(screen, Place::Pile);
    });
    let seen = entry.seen_by(Viewer::Spectator, &LAYOUT);
    assert_eq!(seen.events.len(), 6, "three cards come, three go");
    assert_eq!(table.seen_by(Viewer::Spectator).count(Place::Pile), 10 + 3);
    let (_, entry) = handled(|d| d.gather(Place::Deck, screen));
    assert_eq!(entry.events.len(), 16, "the seat sees more than before");
}

#[test]
fn paying_from_a_place_to_itself_is_no_event() {
    let (_, entry) = handled(|d| d.pay(Coin::Gold, Place::Box, Place::Box, 2));
    assert_eq!(entry.events, []);
}

#[test]
fn paying_nothing_is_an_event_only_if_the_amount_is_hidden() {
    let (payer, payee) = (Place::Purse(seat(0)), Place::Purse(seat(1)));
    let pay = |amount, aloud: bool, to: Place| {
        let (_, entry) = handled(|d| match aloud {
            true => d.pay_aloud(Coin::Gold, payer, to, amount),
            false => d.pay(Coin::Gold, payer, to, amount),
        });
        entry.seen_by(Viewer::Spectator, &LAYOUT).events
    };
    assert_eq!(pay(0, false, payee), pay(3, false, payee), "whether a purse is empty is hidden");
    assert_eq!(pay(0, false, payee).len(), 1);
    assert_eq!([pay(0, true, payee), pay(0, false, Place::Board)], [vec![], vec![]]);
}

#[test]
fn showing_a_piece_to_viewers_who_see_it_is_no_event() {
    let card = Card::nth(0).expect("a card");
    let (table, entry) = handled(|d| {
        d.put(card, Place::Hand(seat(1)));
        d.show(card, Viewers::only(seat(1)));
    });
    assert_eq!(entry.events.len(), 1, "{entry:?} {table:?}");
}

#[test]
fn pieces_of_a_lower_layer_are_drawn_and_found_first() {
    let (table, _) = handled(|d| {
        let first: Option<Disc> = d.first(Place::Pile);
        assert!(first.is_some_and(|disc| disc.index() < 5));
        (0..5).for_each(|_| assert!(d.draw(Place::Pile, Place::Board).is_some()));
    });
    let drawn: Vec<usize> = table.pieces::<Disc>(Place::Board).iter().map(Disc::index).collect();
    assert_eq!(drawn, [0, 1, 2, 3, 4]);
    assert!(table.first::<Disc>(Place::Pile).is_some_and(|disc| disc.index() >= 5));
}

#[test]
fn an_interrupt_is_answered_before_open_prompts_and_the_last_prompt_of_a_seat_first() {
    let decisions =
        |table: &Table| [0, 1, 2].map(|number| table.decision::<Decision>(seat(number)));
    handled(|d| {
        d.ask(seat(0), Decision::Choose);
        d.allow(seat(0), Decision::Chat);
        d.ask(seat(1), Decision::Choose);
        assert_eq!(decisions(d), [Some(Decision::Chat), Some(Decision::Choose), None]);
        d.interrupt(seat(2), Decision::Peek);
        assert_eq!(decisions(d), [None, None, Some(Decision::Peek)]);
        d.answer(seat(2));
        assert_eq!(decisions(d), [Some(Decision::Chat), Some(Decision::Choose), None]);
        d.answer(seat(0));
        assert_eq!(decisions(d), [Some(Decision::Choose), Some(Decision::Choose), None]);
        d.interrupt(seat(2), Decision::Peek);
        d.close_layer();
        assert_eq!(decisions(d), [Some(Decision::Choose), Some(Decision::Choose), None]);
        d.allow(seat(2), Decision::Chat);
        d.close_optional();
        assert_eq!(decisions(d), [Some(Decision::Choose), Some(Decision::Choose), None]);
    });
}

#[test]
fn asking_exactly_some_seats_renews_no_question_that_is_open() {
    let chance = &mut chance();
    let mut table = Table::new(&LAYOUT, 4, Viewer::House);
    let mut d = Dealer::new(&mut table, chance);
    d.ask(seat(0), Decision::Peek);
    d.interrupt(seat(0), Decision::Choose);
    d.ask(seat(1), Decision::Choose);
    d.ask(seat(2), Decision::Choose);
    let mut d = Dealer::new(&mut table, chance);
    d.ask_exactly([
        (seat(3), Decision::Choose, true),
        (seat(2), Decision::Choose, false),
        (seat(1), Decision::Choose, true),
    ]);
    let prompts = d.prompts().iter();
    let is: Vec<_> = prompts.map(|it| (it.seat.index(), it.must, it.layer, it.age)).collect();
    let below = (0, true, 0, 1);
    assert_eq!(is, [below, (3, true, 1, 0), (2, false, 1, 0), (1, true, 1, 1)]);
}

/// The match of the toy, after its opening and these actions and declarations of seats.
fn toy(steps: impl FnOnce(&mut Steps)) -> Table {
    let options = Options::of::<Sound>(&Default::default(), 3).expect("the defaults fit");
    let (table, _) = table::open::<Sound>(3, &options, &[], &mut ChaCha::of([8; 32], 1));
    let mut its = Steps(table);
    steps(&mut its);
    its.0
}

type Sound = game::Toy<{ game::SOUND }>;

struct Steps(Table);

impl Steps {
    fn choose(&mut self, number: usize) {
        let legal = <Sound as Rules>::legal(&self.0, seat(number));
        let played = table::play::<Sound>(&self.0, seat(number), &legal[0], &mut chance());
        self.0 = played.expect("it is legal").0;
    }
    fn try_aside(&mut self, number: usize, aside: Common) -> Result<Entry, &'static str> {
        let played = aside.play::<Sound>(&self.0, seat(number), Bytes::new(), &mut chance());
        let (table, entry) = played.map_err(|refused| refused.reason())?;
        self.0 = table;
        Ok(entry)
    }
    fn stand(&mut self, number: usize, on: bool) -> Result<Entry, &'static str> {
        self.try_aside(number, Common::Stand { decision: Decision::Peek.into(), on })
    }
    fn say(&mut self, number: usize, to: &[usize]) -> Result<Entry, &'static str> {
        let to = to.iter().map(|&it| seat(it)).collect();
        self.try_aside(number, Common::Say { to, text: "Hello".into() })
    }
    fn asked(&self) -> Vec<(usize, Decision, u32)> {
        let asked = |prompt: &Prompt| {
            (prompt.seat.index(), prompt.decision.to().expect("its own"), prompt.age)
        };
        self.0.live().map(asked).collect()
    }
}

fn chance() -> ChaCha {
    ChaCha::of([8; 32], 2)
}

#[test]
fn a_prompt_keeps_its_age_whatever_others_do() {
    toy(|it| {
        it.choose(1);
        assert_eq!(it.asked(), [(0, Decision::Choose, 1), (2, Decision::Choose, 1)]);
        it.say(1, &[]).expect("anyone may talk at any time");
        it.say(0, &[1, 2]).expect("to some in private");
        assert_eq!(it.asked(), [(0, Decision::Choose, 3), (2, Decision::Choose, 3)]);
        it.choose(0);
        it.choose(2);
        assert!(matches!(it.asked()[..], [(_, Decision::Peek, 0)]), "{:?}", it.asked());
        assert_eq!(it.say(0, &[0]).expect_err("alone"), "YOURSELF");
        assert_eq!(it.say(0, &[3]).expect_err("nobody"), "NO_SUCH_SEAT");
    });
}

#[test]
fn the_house_answers_for_a_seat_that_stands_unless_it_concerns_the_seat() {
    toy(|it| {
        (0..3).for_each(|number| _ = it.stand(number, true).expect("it may stand"));
        assert_eq!(it.stand(0, true).expect_err("it stands already"), "NOTHING_CHANGES");
        (0..3).for_each(|number| it.choose(number));
        let choosing = |number| (number, Decision::Choose, 0);
        assert_eq!(it.asked(), [choosing(0), choosing(1), choosing(2)], "nobody peeked by hand");
        assert_eq!(it.0.round(), 2);
        // Even rounds concern the seat.
        (0..3).for_each(|number| it.choose(number));
        assert!(matches!(it.asked()[..], [(_, Decision::Peek, 0)]), "{:?}", it.asked());
    });
}

#[test]
fn a_standing_answer_is_given_at_once_and_can_be_taken_back() {
    toy(|it| {
        (0..3).for_each(|number| it.choose(number));
        let asked = it.asked()[0].0;
        let entry = it.stand(asked, true).expect("it may stand");
        assert_eq!(entry.verb, table::STAND);
        assert_eq!(it.0.round(), 2, "its question is answered in the same entry");
        let entry = it.stand(asked, false).expect("it may think again");
        let taken_back =
            Event::Stood { seat: seat(asked), decision: Decision::Peek.into(), on: false };
        assert_eq!(entry.events, [taken_back]);
        assert_eq!(it.0.standing(), []);
        let other = Common::Stand { decision: Decision::Choose.into(), on: true };
        assert_eq!(it.try_aside(0, other).expect_err("not this"), "NO_STANDING_ANSWER");
    });
}

#[test]
fn asides_are_counted_until_a_round_begins() {
    let table = toy(|it| {
        (0..3).for_each(|_| _ = it.say(1, &[]).expect("it is said"));
        it.stand(1, true).expect("it may stand");
    });
    assert_eq!([0, 1].map(|number| table.asides(seat(number))), [0, 4]);
    let table = toy(|it| {
        it.say(1, &[]).expect("it is said");
        (0..3).for_each(|number| _ = it.stand(number, true).expect("it may stand"));
        (0..3).for_each(|number| it.choose(number));
    });
    assert_eq!(table.asides(seat(1)), 0);
}

#[test]
fn a_seat_that_resigned_does_not_win() {
    let resigned = Event::Resigned { seat: seat(0) };
    let mut table = Table::new(&LAYOUT, 3, Viewer::House);
    table.apply(&Entry { events: vec![resigned], ..opening() });
    let mut chance = ChaCha::of([8; 32], 0);
    let mut d = Dealer::new(&mut table, &mut chance);
    d.end([seat(0), seat(1)]);
    let winners = d.winners().expect("the match has ended");
    assert_eq!(winners.iter().collect::<Vec<_>>(), [seat(1)]);
}

#[test]
fn an_offer_is_withdrawn_by_its_seat_or_by_the_end() {
    let offer = |by, to| Offer { by: seat(by), to: seat(to), give: vec![], take: vec![] };
    let offers = |table: &Table| table.offers().iter().map(|it| it.by).collect::<Vec<_>>();
    handled(|d| {
        d.offer(offer(0, 1));
        d.offer(offer(1, 0));
        d.close_offer(seat(0));
        assert_eq!(offers(d), [seat(1)]);
        d.end([seat(2)]);
        assert_eq!(offers(d), []);
    });
}

#[test]
fn a_deal_can_be_settled_while_every_purse_holds_what_it_gives() {
    let gives = |coin: Coin, from: usize, amount| OfferItem::Coins {
        coin: coin.into(),
        from: Place::Purse(seat(from)).into(),
        to: Place::Board.into(),
        amount,
    };
    let (table, _) = handled(|d| {
        d.pay(Coin::Gold, Place::Box, Place::Purse(seat(0)), 3);
        d.pay(Coin::Silver, Place::Box, Place::Purse(seat(0)), 1);
        d.pay(Coin::Gold, Place::Box, Place::Purse(seat(1)), 1);
    });
    let all = [gives(Coin::Gold, 0, 2), gives(Coin::Gold, 1, 1), gives(Coin::Gold, 0, 1)];
    assert!(table.can_settle(&all));
    assert!(table.can_settle(&[gives(Coin::Gold, 0, 3), gives(Coin::Silver, 0, 1)]));
    assert!(!table.can_settle(&[gives(Coin::Gold, 0, 2), gives(Coin::Gold, 0, 2)]));
    assert!(!table.can_settle(&[gives(Coin::Silver, 0, 2)]));
}

#[test]
fn coins_in_a_place_without_a_purse_do_not_decode() {
    let paid = |from: Place| Event::Paid {
        coin: Coin::Gold.into(),
        from: from.into(),
        to: Place::Board.into(),
        amount: Some(1),
        aloud: false,
    };
    let decode = |from| {
        let entry = Entry { events: vec![paid(from)], ..opening() };
        Entry::decode(&entry.encode(), &LAYOUT)
    };
    assert!(decode(Place::Purse(seat(0))).is_ok());
    assert!(decode(Place::Deck).is_err());
}

#[test]
fn the_invariants_notice_what_an_unredacted_event_discloses() {
    let (own, other) = (Place::Hand(seat(0)), Place::Hand(seat(1)));
    let what = Face::Up(Card::nth(0).expect("a card").piece());
    let paid = |aloud| Event::Paid {
        coin: Coin::Gold.into(),
        from: own.into(),
        to: own.into(),
        amount: Some(1),
        aloud,
    };
    let text = Some(text("Hush."));
    let speech = Some(Box::new(Speech { to: Viewers::only(seat(0)), text, sealed: None }));
    for secret in [
        Event::Moved { what, from: own.into(), to: Place::Deck.into() },
        Event::Shown { what, at: Place::Deck.into(), to: Viewers::only(seat(0)) },
        paid(false),
        Event::Said { seat: seat(0), speech },
        Event::Moved { what, from: Place::Screen(seat(0)).into(), to: own.into() },
    ] {
        let discloses =
            |viewer| !hidden::names_nothing_hidden(&secret, Viewer::Seat(viewer), &LAYOUT);
        assert!(!discloses(seat(0)) && discloses(seat(1)), "{secret:?}");
        let redacted = secret.seen_by(Viewer::Seat(seat(1)), &LAYOUT);
        assert!(hidden::names_nothing_hidden(&redacted, Viewer::Seat(seat(1)), &LAYOUT));
    }
    // The dealer never records this: it would have to say how many pieces came from the screen.
    let (from, to) = (Place::Screen(seat(0)).into(), Place::Board.into());
    let gathered = Event::Gathered { from, to };
    assert!(!hidden::names_nothing_hidden(&gathered, Viewer::Spectator, &LAYOUT));
    let moved = Event::Moved { what, from: own.into(), to: other.into() };
    for public in [moved, paid(true)] {
        assert!(hidden::names_nothing_hidden(&public, Viewer::Seat(seat(1)), &LAYOUT));
    }
}
