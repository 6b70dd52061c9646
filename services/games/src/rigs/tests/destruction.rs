use super::*;

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

#[test]
fn eye_for_an_eye() {
    check(
        "hand/0: eye-for-an-eye; hand/1: decoy ruins",
        "0 play eye-for-an-eye 1",
        "cards hand/1: 1; cards karma-discard: 2; lost-karma/1: 1",
    );
    check("hand/0: eye-for-an-eye", "0 play eye-for-an-eye 1", "refused: bad-aim");
}

#[test]
fn not_that_one() {
    let scene = "hand/0: not-that-one; hand/1: decoy ruins";
    // A Decoy helps against taking, not against discarding.
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

#[test]
fn i_aint_going_alone() {
    let lost = "hand/0: i-aint-going-alone; hand/1: decoy ruins; warehouse/1: 1 energy 5 metal; lost/0/energy: 3; lost/0/metal: 2";
    // The most recent loss, kind by kind, as far as the victim has it.
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
    // Or a loss made for it.
    let made = "hand/0: i-aint-going-alone brownout; warehouse/0: 2 metal; hand/1: decoy; warehouse/1: 5 metal";
    check(
        made,
        "0 play i-aint-going-alone loss 1 2 metal brownout, 1 discard decoy",
        "warehouse/0:; hand/0:; warehouse/1: 3 metal; hand/1:; lost/0/metal: 0; lost/1/metal: 2",
    );
    check(made, "0 play i-aint-going-alone loss 1", "refused: bad-aim");
    check(made, "0 play i-aint-going-alone loss 1 3 metal", "refused: bad-aim");
    check(made, "0 play i-aint-going-alone loss 0 1 metal", "refused: bad-aim");
    // It is played at any time.
    check(
        "phase: production; hand/0: i-aint-going-alone; lost/0/metal: 1; warehouse/1: 1 metal",
        "0 play i-aint-going-alone loss 1",
        "warehouse/1:",
    );
}

#[test]
fn accidental_dumping() {
    check(
        "hand/0: accidental-dumping; warehouse/1: 3 luxury 1 metal",
        "0 play accidental-dumping 1",
        "warehouse/1: 1 metal; lost/1/luxury: 3",
    );
}

#[test]
fn left_the_light_on() {
    check(
        "hand/0: left-the-light-on; warehouse/1: 5 energy",
        "0 play left-the-light-on 1",
        "warehouse/1: 2 energy",
    );
}

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
    // Both choose at once.
    check(
        scene,
        "0 play rough-storm @613",
        "asked: 1 throw; warehouse/2: 9 metal"
            .replace("asked: 1 throw; warehouse/2: 9 metal", "asked: 1 throw, 2 throw")
            .as_str(),
    );
    check("hand/0: rough-storm", "0 play rough-storm @111", "cards hand/0: 0; asked: 0 turn");
}

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

#[test]
fn nothing_stops_a_destruction() {
    let scene = "hand/0: left-the-light-on; warehouse/1: 4 energy; hand/1: calling-in-a-favor wrong-address; in-play/1: rigs-alarm-system";
    check(
        scene,
        "0 play left-the-light-on 1",
        "warehouse/1: 2 energy; asked: 0 turn; in-play/1: rigs-alarm-system",
    );
}

#[test]
fn cards_are_played_in_their_phases_and_by_anybody() {
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
}
