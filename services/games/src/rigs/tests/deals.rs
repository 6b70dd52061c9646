use super::*;

/// §5.1, §5.2, §5.3, §3.3
#[test]
fn anything_but_karma_changes_hands_on_the_turn_of_one_of_the_two() {
    let scene = "owned/0: valley-1; on/valley-1: 1-yield-survey-1; spots/valley-1/metal: 2 rig; warehouse/0: 2 energy 1 rig; purse/1: 30 credit";
    check(
        scene,
        "0 offer 1 valley-1 2 energy 1 rig for 30 credit, 1 accept 0",
        "owned/1: valley-1; on/valley-1: 1-yield-survey-1; spots/valley-1/metal: 2 rig; \
         warehouse/1: 2 energy 1 rig; purse/0: 30 credit; purse/1:; land-moved: 1; offers: 0",
    );
    check(
        scene,
        "1 offer 0 30 credit for valley-1, 0 accept 1",
        "owned/1: valley-1; purse/0: 30 credit",
    );
    check(scene, "1 offer 2 5 credit for 0 energy", "refused: not-on-turn");
}

/// §5.5, §5.6, §5.7
#[test]
fn an_offer_is_checked_when_it_is_made() {
    let scene = "warehouse/0: 1 energy; purse/0: 4 credit";
    check(scene, "0 offer 1 2 energy for 1 credit", "refused: cannot-give");
    check(scene, "0 offer 1 5 credit for", "refused: cannot-give");
    check(scene, "0 offer 1 for 1 metal", "refused: cannot-take");
    check(scene, "0 offer 1 for valley-1", "refused: cannot-take");
    check(scene, "0 offer 1 for", "refused: empty-deal");
    check(scene, "0 offer 0 1 energy for", "refused: nobody-to-deal-with");
    check(scene, "0 offer 3 1 energy for", "refused: nobody-to-deal-with");
    check(scene, "0 offer 1 1 energy for, 1 accept 0", "warehouse/1: 1 energy; warehouse/0:");
}

/// §5.7
#[test]
fn an_offer_never_shows_how_many_credits_the_other_seat_has() {
    // Only accepting shows that the credits are missing.
    check("warehouse/0: 1 energy", "0 offer 1 1 energy for 900 credit", "offers: 1");
    check(
        "warehouse/0: 1 energy",
        "0 offer 1 1 energy for 900 credit, 1 accept 0",
        "refused: cannot-give",
    );
}

/// §5.8
#[test]
fn an_offer_is_withdrawn_refused_or_replaced() {
    let scene = "warehouse/0: 2 energy; purse/1: 9 credit";
    check(scene, "0 offer 1 1 energy for, 0 withdraw", "offers: 0");
    check(scene, "0 offer 1 1 energy for, 1 refuse 0", "offers: 0; warehouse/0: 2 energy");
    check(
        scene,
        "0 offer 1 1 energy for, 0 offer 2 1 energy for, 1 accept 0",
        "refused: no-such-offer",
    );
    check(scene, "0 offer 1 1 energy for, 2 accept 0", "refused: no-such-offer");
    check(scene, "0 withdraw", "refused: no-such-offer");
    check(scene, "1 refuse 0", "refused: no-such-offer");
    // A ready seat may accept, and is not ready any more (§5.9).
    check(
        "phase: production; warehouse/1: 1 energy",
        "2 ready, 1 offer 2 1 energy for, 2 accept 1",
        "warehouse/2: 1 energy; ready/2: 0",
    );
}

/// §5.12
#[test]
fn offers_are_limited_in_each_turn_and_phase() {
    let scene = "warehouse/0: 1 energy";
    let pair = "0 offer 1 1 energy for, 0 withdraw";
    let twenty = [pair; 20].join(", ");
    check(scene, &twenty, "offers/0: 20");
    check(scene, &format!("{twenty}, 0 offer 2 1 energy for"), "refused: too-many-offers");
    assert_eq!(
        table::Reason::facts(&refusal(scene, &format!("{twenty}, 0 offer 2 1 energy for"))),
        [("most", "20".into())]
    );
    check(scene, &format!("{twenty}, 1 offer 0 for 1 energy"), "offers/1: 1");
    check(scene, &format!("{twenty}, 0 ready, 0 offer 1 1 energy for"), "offers/0: 1");
    // A new offer in place of an old one counts too.
    let replaced = ["0 offer 1 1 energy for"; 21].join(", ");
    check(scene, &replaced, "refused: too-many-offers");
    check(&format!("{scene}; phase: production"), &replaced, "refused: too-many-offers");
    let table = act(scene, &twenty);
    let offers = |it: &Action| matches!(it, Action::Offer { .. });
    assert!(!Rigs::legal(&table, seat_of("0")).iter().any(offers));
}

/// §5.10
#[test]
fn an_offer_expires_with_the_turn_or_with_what_it_holds() {
    let scene = "warehouse/0: 1 energy 2 metal; owned/0: valley-1; purse/1: 50 credit";
    check(scene, "0 offer 1 1 energy for, 0 ready", "offers: 0");
    check(scene, "0 offer 1 2 metal for, 0 build", "offers: 0");
    check(
        "hand/0: accidental-dumping; warehouse/1: 1 luxury",
        "0 offer 1 for 1 luxury, 0 play accidental-dumping 1",
        "offers: 0",
    );
    check(
        scene,
        "0 offer 1 valley-1 for 5 credit, 2 offer 0 for valley-1, 0 accept 2",
        "offers: 0; owned/2: valley-1",
    );
}

/// §5.9
#[test]
fn accepting_closes_the_other_offers_of_the_two() {
    check(
        "warehouse/0: 2 energy; purse/1: 9 credit",
        "1 offer 0 9 credit for, 0 offer 1 1 energy for 3 credit, 1 accept 0",
        "offers: 0; purse/0: 3 credit",
    );
}

/// §5.4, §5.5, §5.10
#[test]
fn at_zero_hour_only_resources_and_credits_change_hands() {
    let scene =
        "phase: production; warehouse/1: 3 energy 1 rig; owned/1: valley-1; purse/2: 9 credit";
    check(
        scene,
        "1 offer 2 2 energy for 9 credit, 2 accept 1",
        "warehouse/1: 1 energy 1 rig; warehouse/2: 2 energy; purse/1: 9 credit",
    );
    check(scene, "1 offer 2 1 rig for", "refused: zero-hour");
    check(scene, "1 offer 2 valley-1 for", "refused: zero-hour");
    check(scene, "1 offer 2 1 energy for, 1 ready, 0 ready, 2 ready, 0 last-call", "offers: 0");
    check(scene, "1 ready, 1 offer 2 1 energy for", "refused: ready-already");
    check(&scene.replace("production", "last-call"), "0 offer 1 for 1 energy", "refused: not-now");
    check("phase: disaster", "1 offer 0 1 energy for", "refused: not-now");
    check("phase: market", "0 offer 1 1 energy for", "refused: not-now");
}

/// §5.11
#[test]
fn a_script_stays_with_its_borrower() {
    let scene = "debts/0: 2 script-metal; debts/1: 1 script-energy; warehouse/0: 3 metal; purse/0: 9 credit";
    check(scene, "0 offer 1 1 script-metal 1 metal for", "refused: scripts-stay");
    check(scene, "0 offer 1 9 credit for 1 script-energy", "refused: scripts-stay");
    check(scene, "1 offer 0 1 script-energy for 9 credit", "refused: scripts-stay");
    check(
        &format!("{scene}; phase: production"),
        "1 offer 2 1 script-energy for",
        "refused: scripts-stay",
    );
    // An offer that was made under other rules is not settled, and expires.
    let mut chance = Dice::of("");
    let mut table = act(scene, "");
    let mut d = Dealer::new(&mut table, &mut chance);
    let (zero, one) = (seat_of("0"), seat_of("1"));
    let item = table::OfferItem::Coins {
        coin: Script(Resource::Metal).into(),
        from: Debts(zero).into(),
        to: Debts(one).into(),
        amount: 1,
    };
    d.offer(table::Offer { by: zero, to: one, give: vec![item], take: Vec::new() });
    let refused = play::<Rigs>(&table, one, &action("accept 0"), &mut chance).expect_err("refused");
    assert_eq!(refused, Refused::Rules(Refusal::ScriptsStay));
    let built = play::<Rigs>(&table, zero, &action("build"), &mut chance).expect("two metal");
    assert!(built.0.offers().is_empty());
}

/// §5.5, §19.4
#[test]
fn no_deal_is_possible_with_a_seat_that_resigned() {
    let table = act("warehouse/0: 1 energy", "");
    let mut chance = Dice::of("");
    let (table, _) = table::resign::<Rigs>(&table, seat_of("2"), &mut chance).expect("it may");
    let offer = action("offer 2 1 energy for");
    let refused = play::<Rigs>(&table, Seat::default(), &offer, &mut chance).expect_err("refused");
    assert_eq!(refused, Refused::Rules(Refusal::NobodyToDealWith { seat: seat_of("2") }));
}

/// §3.2
#[test]
fn rigs_belong_to_the_owner_of_the_place_where_they_stand() {
    let scene =
        "owned/1: valley-1; spots/valley-1/metal: 1 rig; warehouse/0: 2 supply; warehouse/1: 1 rig";
    check(scene, "0 move valley-1/metal warehouse/0", "refused: no-rigs-there");
    check(scene, "0 move warehouse/1 warehouse/0", "refused: no-rigs-there");
    check(
        scene,
        "1 offer 0 valley-1 for, 0 accept 1, 0 move valley-1/metal warehouse/0",
        "warehouse/0: 1 supply 1 rig; owned/0: valley-1",
    );
}
