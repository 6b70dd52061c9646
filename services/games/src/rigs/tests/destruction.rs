use table::Origin;

use super::*;

/// §12.3, §12.10
#[test]
fn windows_and_targets_that_are_not_printed_are_marked_as_designed() {
    let row = |card: Karma| &LAYOUT.pieces()[table::Component::piece(card).index()];
    let printed = |facet| {
        let is_printed = move |&card: &Karma| row(card).origin_of(facet) == Some(Origin::Printed);
        Karma::all().filter(is_printed)
    };
    assert!(Karma::all().all(|card| row(card).text_origin == Origin::Printed));
    assert_eq!(printed("target").count(), 0);
    let windows: Vec<Karma> = printed("played-in").collect();
    assert_eq!(
        windows,
        [
            Karma::YouSentItWhere,
            Karma::OtherMarkets,
            Karma::WrongAddress,
            Karma::CallingInAFavor,
            Karma::RightBackAtYou,
            Karma::Decoy,
            Karma::DoubleAgent,
            Karma::AintWorkingForYou,
        ]
    );
    assert_eq!(row(Karma::Ruins).origin_of("played-in"), Some(Origin::Design));
}

/// §13.2
#[test]
fn missing_support() {
    let scene = "hand/0: missing-support; warehouse/1: 1 rig; owned/1: valley-1; spots/valley-1/metal: 2 rig; owned/2: ridge-1";
    check(
        scene,
        "0 play missing-support 1",
        "warehouse/1:; works: 73 rig; karma-discard: missing-support",
    );
    check(
        scene,
        "0 play missing-support valley-1",
        "spots/valley-1/metal: 1 rig; warehouse/1: 1 rig",
    );
    check(scene, "0 play missing-support ridge-1", "refused: bad-aim");
    check(scene, "0 play missing-support 2", "refused: bad-aim");
}

/// §13.3
#[test]
fn bad_os_revision() {
    let scene = "hand/0: bad-os-revision; warehouse/1: 2 rig; owned/1: valley-1; spots/valley-1/metal: 1 rig";
    check(scene, "0 play bad-os-revision 1", "asked: 1 lose-rigs; due/1: 2; cards hand/1: 0");
    check(
        scene,
        "0 play bad-os-revision 1, 1 lose warehouse/1, 1 lose valley-1/metal",
        "warehouse/1: 1 rig; spots/valley-1/metal:; cards hand/1: 2; asked: 0 turn",
    );
}

/// §13.4
#[test]
fn wrong_manual() {
    let scene =
        "hand/0: wrong-manual; warehouse/1: 1 rig; owned/1: valley-1; spots/valley-1/metal: 1 rig";
    check(
        scene,
        "0 play wrong-manual 1, 1 lose valley-1/metal",
        "warehouse/1: 1 rig; works: 74 rig; asked: 0 turn",
    );
    check(scene, "0 play wrong-manual 1, 1 lose valley-1/energy", "refused: no-rigs-there");
    check(scene, "0 play wrong-manual 2", "refused: bad-aim");
}

/// §13.5
#[test]
fn eye_for_an_eye() {
    check(
        "hand/0: eye-for-an-eye; hand/1: decoy ruins",
        "0 play eye-for-an-eye 1",
        "cards hand/1: 1; cards karma-discard: 2; lost-karma/1: 1",
    );
    check("hand/0: eye-for-an-eye", "0 play eye-for-an-eye 1", "refused: bad-aim");
}

/// §13.6, §14.12
#[test]
fn not_that_one() {
    let scene = "hand/0: not-that-one; hand/1: decoy ruins";
    // The Decoy works against taking, not against discarding.
    check(scene, "0 play not-that-one 1", "asked: 0 discard-theirs");
    check(
        scene,
        "0 play not-that-one 1, 0 discard ruins",
        "hand/1: decoy; karma-discard: not-that-one ruins",
    );
    check(scene, "0 play not-that-one 1, 0 discard blowout", "refused: no-such-card");
    let table = act(scene, "0 play not-that-one 1");
    let seen = table.seen_by(Viewer::Seat(seat_of("0")));
    assert_eq!(seen.pieces::<Karma>(Hand(seat_of("1"))).len(), 2);
    assert!(
        table.seen_by(Viewer::Seat(seat_of("2"))).pieces::<Karma>(Hand(seat_of("1"))).is_empty()
    );
}

/// §12.8, §13.7, §13.8
#[test]
fn i_aint_going_alone() {
    let lost = "hand/0: i-aint-going-alone; hand/1: decoy ruins; warehouse/1: 1 energy 5 metal; lost/0/energy: 3; lost/0/metal: 2";
    // The same resources as in the most recent loss, as far as the victim has them.
    check(lost, "0 play i-aint-going-alone loss 1", "warehouse/1: 3 metal; hand/1: ruins decoy");
    let karma = format!("{lost}; lost-karma/0: 1");
    check(
        &karma,
        "0 play i-aint-going-alone loss 1",
        "warehouse/1: 1 energy 5 metal; asked: 1 match",
    );
    check(
        &karma,
        "0 play i-aint-going-alone loss 1, 1 discard ruins",
        "hand/1: decoy; asked: 0 turn",
    );
    // Or what the player discards now.
    let made = "hand/0: i-aint-going-alone brownout; warehouse/0: 2 metal; hand/1: decoy; warehouse/1: 5 metal";
    check(
        made,
        "0 play i-aint-going-alone loss 1 2 metal brownout, 1 discard decoy",
        "warehouse/0:; hand/0:; warehouse/1: 3 metal; hand/1:; lost/0/metal: 0; lost/1/metal: 2",
    );
    check(made, "0 play i-aint-going-alone loss 1", "refused: bad-aim");
    check(made, "0 play i-aint-going-alone loss 1 3 metal", "refused: bad-aim");
    check(made, "0 play i-aint-going-alone loss 0 1 metal", "refused: bad-aim");
    // It is played in any window.
    check(
        "phase: production; hand/0: i-aint-going-alone; lost/0/metal: 1; warehouse/1: 1 metal",
        "0 play i-aint-going-alone loss 1",
        "warehouse/1:",
    );
}

/// §12.6, §13.9
#[test]
fn accidental_dumping() {
    check(
        "hand/0: accidental-dumping; warehouse/1: 3 luxury 1 metal",
        "0 play accidental-dumping 1",
        "warehouse/1: 1 metal; lost/1/luxury: 3",
    );
}

/// §13.10
#[test]
fn left_the_light_on() {
    check(
        "hand/0: left-the-light-on; warehouse/1: 5 energy",
        "0 play left-the-light-on 1",
        "warehouse/1: 2 energy",
    );
    check(
        "hand/0: left-the-light-on; warehouse/0: 5 energy",
        "0 play left-the-light-on 0",
        "refused: bad-aim",
    );
}

/// §12.6, §13.11
#[test]
fn da_roof_is_on_fire() {
    let scene = "hand/0: da-roof-is-on-fire; warehouse/1: 4 energy 4 supply 2 metal 1 luxury 3 rig";
    check(scene, "0 play da-roof-is-on-fire 1", "warehouse/1: 3 rig; cards hand/1: 2");
    check(
        "hand/0: da-roof-is-on-fire; warehouse/1: 9 metal",
        "0 play da-roof-is-on-fire 1",
        "cards hand/1: 1",
    );
    check("hand/0: da-roof-is-on-fire", "0 play da-roof-is-on-fire 1", "refused: bad-aim");
}

/// §13.12
#[test]
fn rough_storm() {
    let scene = "hand/0: rough-storm; warehouse/0: 2 energy; warehouse/1: 3 metal 2 supply; warehouse/2: 9 metal";
    check(
        scene,
        "0 play rough-storm @446",
        "warehouse/0:; cards hand/0: 1; asked: 1 throw; due/1: 4; warehouse/2: 9 metal; cards hand/2: 0",
    );
    check(
        scene,
        "0 play rough-storm @446, 1 throw 3 metal 1 supply",
        "warehouse/1: 1 supply; cards hand/1: 1; asked: 0 turn",
    );
    check(scene, "0 play rough-storm @446, 1 throw 3 metal", "refused: wrong-amount");
    check(scene, "0 play rough-storm @446, 1 throw 4 metal", "refused: wrong-amount");
    // Both choose at once; §20.4: a seat with units of one kind has no choice.
    check(
        &scene.replace("9 metal", "8 metal 1 supply"),
        "0 play rough-storm @613",
        "asked: 1 throw, 2 throw",
    );
    check(
        scene,
        "0 play rough-storm @613",
        "asked: 1 throw; warehouse/0: 2 energy; warehouse/2: 6 metal",
    );
    check("hand/0: rough-storm", "0 play rough-storm @111", "cards hand/0: 0; asked: 0 turn");
}

/// §12.8, §13.7
#[test]
fn a_loss_of_both_kinds_is_matched_in_both() {
    // As I Ain't Going Alone leaves it: resources and a card lost at the same time.
    let lost = "hand/0: i-aint-going-alone decoy; hand/1: ruins blowout; warehouse/0: 2 metal; warehouse/1: 2 metal";
    check(
        lost,
        "0 play i-aint-going-alone loss 1 1 metal decoy, 1 discard ruins",
        "lost/1/metal: 1; lost-karma/1: 1; lost-both/1: 1; hand/0:; warehouse/0: 1 metal",
    );
    let match_it = "hand/1: i-aint-going-alone; hand/2: ruins blowout; warehouse/2: 5 metal; lost/1/metal: 3; lost-karma/1: 1";
    check(
        &format!("{match_it}; lost-both/1: 1"),
        "1 play i-aint-going-alone loss 2, 2 discard ruins",
        "warehouse/2: 2 metal; hand/2: blowout; lost-both/2: 1",
    );
    // Of two losses, one after the other, the later one counts.
    check(
        match_it,
        "1 play i-aint-going-alone loss 2, 2 discard ruins",
        "warehouse/2: 5 metal; hand/2: blowout; lost-both/2: 0",
    );
    check(
        "hand/0: eye-for-an-eye; hand/1: ruins; lost/1/metal: 3; lost-karma/1: 1; lost-both/1: 1",
        "0 play eye-for-an-eye 1",
        "lost-karma/1: 1; lost-both/1: 0",
    );
}

/// §12.7, §13.12
#[test]
fn a_ready_seat_that_a_storm_hits_gets_another_turn() {
    let scene = "turn: 1; ready/0: 1; ready/2: 1; hand/1: rough-storm; warehouse/0: 2 metal; warehouse/2: 2 metal";
    // Seat 0 loses both, seat 2 is safe.
    check(scene, "1 play rough-storm @236", "ready/0: 1; ready/2: 0; warehouse/0: 2 metal");
    check(scene, "1 play rough-storm @263, 1 ready", "turn: 0; asked: 0 turn");
    check(scene, "1 play rough-storm @266, 1 ready", "phase: disaster");
}

/// §13.13
#[test]
fn blowout() {
    let scene = "hand/0: blowout; owned/0: ridge-1; spots/ridge-1/metal: 1 rig; owned/1: valley-1; spots/valley-1/metal: 2 rig";
    check(
        scene,
        "0 play blowout valley-1",
        "spots/valley-1/metal:; works: 74 rig; cards hand/1: 1",
    );
    check(scene, "0 play blowout ridge-1", "refused: bad-aim");
}

/// §13.1
#[test]
fn nothing_prevents_a_destruction() {
    let scene = "hand/0: left-the-light-on; warehouse/1: 4 energy; hand/1: calling-in-a-favor wrong-address; in-play/1: rigs-alarm-system";
    check(
        scene,
        "0 play left-the-light-on 1",
        "warehouse/1: 2 energy; asked: 0 turn; in-play/1: rigs-alarm-system",
    );
}

/// §12.3, §12.4, §13.1
#[test]
fn cards_are_played_in_their_windows_by_any_seat() {
    check(
        "hand/1: left-the-light-on; warehouse/0: 4 energy",
        "1 play left-the-light-on 0",
        "warehouse/0: 2 energy; turn: 0",
    );
    check(
        "phase: production; hand/1: left-the-light-on; warehouse/0: 4 energy",
        "1 play left-the-light-on 0",
        "refused: wrong-time",
    );
    check(
        "phase: disaster; hand/1: left-the-light-on; warehouse/0: 4 energy",
        "1 play left-the-light-on 0",
        "warehouse/0: 2 energy; asked: 0 deal",
    );
    check(
        "phase: selling; price: market-low-4-1; hand/1: left-the-light-on; warehouse/0: 4 energy",
        "1 play left-the-light-on 0",
        "warehouse/0: 2 energy",
    );
    check("hand/1: left-the-light-on", "0 play left-the-light-on 1", "refused: not-in-hand");
    check(
        "phase: drawing; hand/1: winning-raffle-ticket; hand/0: winning-raffle-ticket",
        "0 play winning-raffle-ticket @2",
        "warehouse/0: 2 luxury; asked: 0 draw",
    );
}

/// §12.1
#[test]
fn a_card_is_resolved_before_anything_else_goes_on() {
    let scene = "hand/0: wrong-manual recycling; warehouse/0: 2 metal; warehouse/1: 1 rig; owned/1: ridge-1; spots/ridge-1/metal: 1 rig";
    let played = "0 play wrong-manual 1";
    check(scene, played, "asked: 1 lose-rigs; stage/0: wrong-manual; karma-discard:");
    check(scene, &format!("{played}, 0 build"), "refused: not-asked");
    check(scene, &format!("{played}, 0 play recycling"), "refused: not-asked");
    check(
        scene,
        &format!("{played}, 1 lose warehouse/1, 0 build"),
        "karma-discard: wrong-manual; warehouse/0: 1 rig",
    );
}

/// §12.2
#[test]
fn an_empty_karma_deck_is_reshuffled_and_may_stay_empty() {
    let scene = "karma-deck:; hand/0: blowout; owned/1: ridge-1; spots/ridge-1/metal: 1 rig";
    check(
        scene,
        "0 play blowout ridge-1",
        "cards hand/1: 1; cards karma-deck: 43; karma-discard: blowout",
    );
    let held = Karma::all().filter(|&card| card != Karma::Blowout);
    let held: Vec<&str> = held.map(|card| LAYOUT.piece_name(card)).collect();
    check(
        &format!("{scene}; hand/2: {}", held.join(" ")),
        "0 play blowout ridge-1",
        "cards hand/1: 0; karma-discard: blowout",
    );
}

/// §12.3, §13.1, §15.1, §15.8, §15.9, §16.2, §16.4, §16.10, §17.1
#[test]
fn every_card_has_its_windows() {
    use cards::Window::{self, *};
    let windows = |name: &str| piece::<Karma>(name).windows();
    let all = |names: &str, expected: &[Window]| {
        names.split(' ').for_each(|name| assert_eq!(windows(name), expected, "{name}"));
    };
    let outside_production = "missing-support bad-os-revision wrong-manual eye-for-an-eye not-that-one \
         accidental-dumping left-the-light-on da-roof-is-on-fire rough-storm blowout \
         give-me-that ill-take-that i-want-that";
    all(outside_production, &[Player, Disaster, Market]);
    all("identity-theft winning-raffle-ticket", &[Player, Market]);
    all("survey-error survey-typo record-not-found triangulation-drift", &[Player]);
    all("swap-meet poker-night below-the-surface ruins", &[Player]);
    all("incorrect-drivers you-sent-it-where carrier-lost", &[LastCall]);
    all("ridiculous-efficiency rigs-tdm", &[LastCall]);
    all("brownout", &[Production, LastCall]);
    all("other-markets naive-profits", &[Market]);
    let any = "i-aint-going-alone recycling parts-shop rigs-alarm-system push-pull-or-drag \
               ive-got-a-donk warehouse-insurance a-little-information";
    all(any, &[Player, Disaster, Production, LastCall, Market]);
    let answers = "wrong-address calling-in-a-favor right-back-at-you decoy double-agent \
                   aint-working-for-you";
    all(answers, &[]);
}

/// §12.5
#[test]
fn no_card_is_played_while_another_decision_is_open() {
    let grant = "phase: round; plot-deck: plains-1 valley-1 forest-1; hand/0: recycling";
    check(grant, "0 play recycling", "refused: not-now");
    check(&format!("{grant}; hand/1: parts-shop"), "1 play parts-shop", "refused: not-asked");
    let discard = "hand/1: decoy recycling ruins parts-shop brownout swap-meet";
    check(discard, "0 ready, 1 ready, 2 ready, 1 play recycling", "refused: not-now");
    check(
        "phase: disaster; disaster-deck: safe-1; hand/1: recycling",
        "0 name 1, 1 play recycling",
        "refused: not-now",
    );
    check(
        "hand/0: wrong-manual; warehouse/1: 1 rig; owned/1: ridge-1; spots/ridge-1/metal: 1 rig; hand/1: recycling",
        "0 play wrong-manual 1, 1 play recycling",
        "refused: not-now",
    );
}

/// §12.8
#[test]
fn only_losses_to_a_disaster_destruction_or_sabotage_are_remembered() {
    let insured = "hand/0: poker-night warehouse-insurance; warehouse/0: 2 metal";
    check(
        insured,
        "0 play poker-night stake 1 metal @1, 0 pass, 0 play warehouse-insurance",
        "refused: bad-aim",
    );
    check(insured, "0 build, 0 play warehouse-insurance", "refused: bad-aim");
    check(
        "hand/1: decoy recycling ruins parts-shop brownout swap-meet",
        "0 ready, 1 ready, 2 ready, 1 discard ruins",
        "lost-karma/1: 0",
    );
    // A later loss replaces the earlier one.
    let twice = "hand/0: left-the-light-on accidental-dumping eye-for-an-eye; hand/1: ruins; \
                 warehouse/1: 2 energy 3 luxury";
    check(
        twice,
        "0 play left-the-light-on 1, 0 play eye-for-an-eye 1, 0 play accidental-dumping 1",
        "lost/1/energy: 0; lost/1/luxury: 3; lost-karma/1: 0",
    );
}
