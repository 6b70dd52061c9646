use super::*;

#[test]
fn a_refusal_names_its_subject() {
    let facts = |scene: &str, acts: &str| {
        let refusal = refusal(scene, acts);
        (refusal.to_string(), table::Reason::facts(&refusal))
    };
    let (sentence, named) = facts("warehouse/0: 1 metal", "0 build");
    assert_eq!(sentence, "that costs 2 metal, and you have 1");
    let fact = |name, value: &str| (name, value.to_string());
    assert_eq!(named, [fact("resource", "metal"), fact("needed", "2"), fact("there", "1")]);
    let (sentence, named) = facts("hand/0: ruins rigs-tdm", "0 play rigs-tdm valley-1");
    assert_eq!(sentence, "rigs-tdm cannot be played now");
    assert_eq!(named, [fact("card", "rigs-tdm")]);
}

/// §19.3
#[test]
fn a_message_without_an_action_is_malformed() {
    let malformed = |message: &[u8]| Rigs::parse(message).expect_err("it is malformed").0;
    assert_eq!(malformed(&[]), "the kind of action is missing");
    // Survey without a plot; borrow without a resource; move without a location; name of seat 9.
    assert_eq!(malformed(&[42, 0]), "a plot is missing");
    assert_eq!(malformed(&[50, 0]), "the resource is missing");
    assert_eq!(malformed(&[34, 0]), "the location of the RIGS is missing");
    assert_eq!(malformed(&[18, 2, 8, 9]), "there is no seat 9");
    let survey =
        |name: &str| [&[42, name.len() as u8 + 2, 10, name.len() as u8], name.as_bytes()].concat();
    assert_eq!(malformed(&survey("decoy")), "there is no plot \"decoy\"");
    assert_eq!(Rigs::parse(&survey("valley-1")), Ok(action("survey valley-1")));
    // `power` with valley-1 twice; an offer that gives a script of Luxury.
    let power = [&[194, 1, 20][..], b"\x0a\x08valley-1", b"\x0a\x08valley-1"].concat();
    assert_eq!(malformed(&power), "valley-1 is named twice");
    assert_eq!(malformed(b"\x42\x06\x12\x04\x2a\x02\x20\x01"), "there is no script of Luxury");
}

#[test]
fn every_kind_of_action_is_read_as_it_is_printed() {
    let texts = "grant valley-1, name 2, build, move warehouse/0 valley-1/metal, survey ridge-1, borrow energy, \
                 repay supply, offer 1 2 energy 5 credit valley-1 for 1 rig 1 script-metal, withdraw, accept 1, refuse 1, \
                 play ruins, play blowout valley-1, play brownout 1, play survey-typo plains-1 plains-2, play i-want-that metal, \
                 play below-the-surface valley-1 metal, play swap-meet swap 1 energy for 1 metal, play poker-night stake 2 metal, \
                 play i-aint-going-alone loss 1 2 metal decoy, cash, tinker, discard decoy, take decoy, salvage recycling, \
                 lose valley-1/metal, throw 1 energy, gain 2 luxury, send warehouse/1, draw-three, receive, power valley-1, \
                 last-call, sell 3, ready, unready, pass, raise 2 metal, claim, show decoy credits to 1 2, show credits, grant valley-1 2 0, series name 1 + name 0";
    let mut verbs = std::collections::BTreeSet::new();
    for text in texts.split(", ") {
        let action = action(text.trim());
        assert_eq!(Rigs::parse(&Rigs::print(&action)), Ok(action.clone()), "{text}");
        verbs.insert(Rigs::verb(&action));
    }
    let common = table::COMMON_VERBS.len();
    assert_eq!(verbs.len() + common, LAYOUT.verbs().len(), "all but those of every game");
}

/// §3.4
#[test]
fn hands_credits_and_grants_are_private_and_decks_are_hidden() {
    let scene = "phase: round; plot-deck: plains-1 valley-1 forest-1 ridge-1; hand/0: decoy; purse/0: 7 credit";
    let table = act(scene, "");
    let sees = |viewer: Viewer| {
        let seen = table.seen_by(viewer);
        let own = (
            seen.pieces::<Karma>(Hand(Seat::default())).len(),
            seen.coins(Credit, Purse(Seat::default())),
        );
        (
            own,
            seen.pieces::<Plot>(Grant(Seat::default())).len(),
            seen.pieces::<Plot>(PlotDeck).len(),
        )
    };
    assert_eq!(sees(Viewer::Seat(seat_of("0"))), ((1, 7), 3, 0));
    assert_eq!(sees(Viewer::Seat(seat_of("1"))), ((0, 0), 0, 0));
    let is_public = |place: Place| matches!((layout::plan().sight)(place), table::Sight::All);
    let seat = Seat::default();
    let public = [
        Warehouse(seat),
        Owned(seat),
        Debts(seat),
        Front(seat),
        InPlay(seat),
        Awaited(seat),
        DisasterDiscard,
        KarmaDiscard,
        MarketDiscard,
        Works,
        Vinnie,
        Place::Price,
    ];
    assert!(public.into_iter().all(is_public));
    let decks = [PlotDeck, SurveyDeck, DisasterDeck, KarmaDeck, MarketDeck, EndMarketDeck];
    assert!(
        decks.into_iter().all(|deck| matches!((layout::plan().sight)(deck), table::Sight::Nobody))
    );
}

/// §3.4
#[test]
fn starting_credits_and_the_proceeds_of_sales_are_public() {
    let amounts = |entry: &table::Entry| {
        let seen = entry.seen_by(Viewer::Seat(seat_of("2")), &LAYOUT);
        let paid = seen.events.into_iter().filter_map(|event| match event {
            table::Event::Paid { coin, amount, .. } if coin == Credit.into() => Some(amount),
            _ => None,
        });
        paid.collect::<Vec<_>>()
    };
    let options = Options::of::<Rigs>(&Default::default(), 2).expect("the defaults fit");
    let (_, opening) = table::open::<Rigs>(2, &options, &[], &mut Dice::of(""));
    assert_eq!(amounts(&opening), [Some(100); 2]);
    let selling = "phase: selling; price: market-high-18-1; warehouse/1: 3 luxury";
    assert_eq!(amounts(&scene::run::<Rigs>(selling, "1 sell 2").last), [Some(36)]);
    let gift = "purse/0: 5 credit";
    let given = scene::run::<Rigs>(gift, "0 offer 1 5 credit for, 1 accept 0").last;
    assert_eq!(amounts(&given), [None]);
}

/// §15.5
#[test]
fn only_the_two_seats_learn_which_card_is_taken() {
    let taken = act(
        "hand/0: ill-take-that; hand/1: ruins blowout",
        "0 play ill-take-that 1, 1 pass, 2 pass, 1 pass, 0 take ruins",
    );
    let cards = |seat: &str| {
        let seen = taken.seen_by(Viewer::Seat(seat_of(seat)));
        seen.pieces::<Karma>(Hand(seat_of("0"))).len()
    };
    assert_eq!((cards("0"), cards("2")), (1, 0));
    assert!(Rigs::in_secret(&action("take ruins")));
}

/// §3.5
#[test]
fn cards_are_shown_to_some_seats_or_to_everyone() {
    let scene = "hand/0: ruins decoy; hand/1: blowout";
    let known = |table: &Table, viewer| table.seen_by(viewer).pieces::<Karma>(Hand(seat_of("0")));
    let (one, two) = (Viewer::Seat(seat_of("1")), Viewer::Seat(seat_of("2")));
    let some = act(scene, "0 show ruins to 1");
    assert_eq!(known(&some, one), Set::one(Karma::Ruins));
    assert!(known(&some, two).is_empty() && known(&some, Viewer::Spectator).is_empty());
    let all = act(scene, "0 show ruins");
    assert!([one, two, Viewer::Spectator].map(|it| known(&all, it).len()) == [1; 3]);
    // It answers no question, and a seat that only may act shows too.
    check(scene, "0 show ruins, 1 show blowout to 0", "asked: 0 turn");
    check(
        "hand/0: give-me-that; hand/1: ruins",
        "0 play give-me-that 1, 1 show ruins, 1 pass, 2 pass",
        "asked: 1 give-decoy",
    );
    check(scene, "0 show blowout", "refused: not-in-hand");
    check(scene, "0 show ruins to 0", "refused: cannot-name");
    check(scene, "0 show ruins to 3", "refused: cannot-name");
    let five = ["0 show ruins to 1"; 5].join(", ");
    check(scene, &format!("{five}, 0 show ruins"), "refused: too-many-shows");
    check(scene, &format!("{five}, 0 ready, 0 show ruins"), "shows/0: 1");
}

/// §3.5
#[test]
fn credits_are_shown_to_some_seats_or_to_everyone() {
    let noted = |table: &Table, seat: &str| {
        let (reader, shower) = (seat_of(seat), seat_of("0"));
        table.seen_by(Viewer::Seat(reader)).coins(Counted, Notes(reader, shower))
    };
    let scene = "purse/0: 42 credit; purse/1: 5 credit; warehouse/0: 1 energy";
    let table = act(scene, "0 show credits to 1");
    assert_eq!((noted(&table, "1"), noted(&table, "2")), (42, 0));
    // A later amount replaces the earlier one.
    let given = "0 show credits to 1, 0 offer 1 2 credit for, 1 accept 0, 0 show credits to 1 2";
    let table = act(scene, given);
    assert_eq!((noted(&table, "1"), noted(&table, "2")), (40, 40));
    check(scene, "0 show credits", "announced: shows-credits");
    let table = act(scene, "0 show credits");
    assert_eq!((noted(&table, "1"), noted(&table, "2")), (42, 42));
}

/// §3.5, §17.5
#[test]
fn nobody_else_learns_whether_the_seat_has_credits() {
    let seen = |credits: &str, act: &str| {
        let scene = format!("hand/1: a-little-information; {credits}");
        let entry = scene::run::<Rigs>(&scene, act).last;
        entry.seen_by(Viewer::Seat(seat_of("2")), &LAYOUT)
    };
    for act in ["0 show credits to 1", "1 play a-little-information"] {
        assert_eq!(seen("", act), seen("purse/0: 7 credit", act));
    }
}

/// §3.5, §19.3
#[test]
fn showing_nothing_is_malformed() {
    let nothing = Action::Show { cards: Set::EMPTY, credits: false, to: Vec::new() };
    assert!(Rigs::parse(&Rigs::print(&nothing)).is_err());
    let twice = Action::Show { cards: Set::EMPTY, credits: true, to: vec![seat_of("1"); 2] };
    assert!(Rigs::parse(&Rigs::print(&twice)).is_err());
}
