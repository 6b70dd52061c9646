use super::*;

const TAKES: &str = "hand/0: give-me-that blowout";

/// §14.3, §14.4, §14.5
#[test]
fn wrong_address() {
    let scene = format!("{TAKES}; hand/1: wrong-address; hand/2: ruins");
    check(
        &scene,
        "0 play give-me-that 1, 1 play wrong-address",
        "hand/0: blowout; hand/1:; stage/0:; asked: 0 turn",
    );
    check(
        &scene,
        "0 play give-me-that 1, 1 play wrong-address 2, 2 pass, 0 pass, 2 pass",
        "hand/2:; hand/0: blowout ruins",
    );
    // Not to the seat that gains, and only by a seat that it affects.
    check(&scene, "0 play give-me-that 1, 1 play wrong-address 0", "refused: bad-aim");
    check(&scene, "0 play give-me-that 2, 1 play wrong-address", "refused: wrong-time");
    // On a plot: to another plot, even of the seat that played it.
    let plots = "hand/0: survey-error; hand/1: wrong-address; owned/1: plains-1; on/plains-1: 1-yield-survey-1; owned/0: plains-2; on/plains-2: 1-yield-survey-2";
    check(
        plots,
        "0 play survey-error plains-1, 1 play wrong-address plains-2, 2 pass, 0 pass",
        "on/plains-2:; on/plains-1: 1-yield-survey-1",
    );
    // On many: it spares only its player.
    check(
        "hand/0: i-want-that; hand/1: wrong-address; warehouse/1: 5 metal; warehouse/2: 5 metal",
        "0 play i-want-that metal, 1 play wrong-address @3, 2 pass @3, 0 pass @3",
        "warehouse/1: 5 metal; warehouse/2: 2 metal; warehouse/0: 3 metal",
    );
    // On many, it has no target.
    let many = "hand/0: i-want-that survey-typo; hand/1: wrong-address; warehouse/1: 1 metal; owned/1: plains-1; on/plains-1: 1-yield-survey-1; owned/2: plains-2; on/plains-2: 1-yield-survey-2";
    check(many, "0 play i-want-that metal, 1 play wrong-address 2", "refused: bad-aim");
    check(
        many,
        "0 play survey-typo plains-1 plains-2, 1 play wrong-address plains-2",
        "refused: bad-aim",
    );
}

/// §14.13
#[test]
fn wrong_address_redirects_a_survey_typo() {
    let scene = "hand/0: survey-typo; hand/1: wrong-address; owned/0: ridge-1 ridge-2; on/ridge-1: 3-yield-survey-1; on/ridge-2: 3-yield-survey-2; \
                 owned/1: plains-1 plains-3; on/plains-1: 1-yield-survey-1; on/plains-3: 1-yield-survey-3; owned/2: plains-2; on/plains-2: 2-yield-survey-1";
    // The plot of another seat takes the place of its own.
    check(
        scene,
        "0 play survey-typo plains-1 plains-2, 1 play wrong-address ridge-1, 2 pass, 0 pass",
        "on/plains-1: 1-yield-survey-1; on/plains-2: 3-yield-survey-1; on/ridge-1: 2-yield-survey-1",
    );
    check(
        scene,
        "0 play survey-typo plains-2 plains-3, 1 play wrong-address ridge-1, 2 pass, 0 pass",
        "on/plains-3: 1-yield-survey-3; on/plains-2: 3-yield-survey-1; on/ridge-1: 2-yield-survey-1",
    );
    // Both plots are its own: two of one seat take their place.
    let both = "0 play survey-typo plains-1 plains-3";
    check(
        scene,
        &format!("{both}, 1 play wrong-address ridge-1 ridge-2, 2 pass, 0 pass"),
        "on/ridge-1: 3-yield-survey-2; on/ridge-2: 3-yield-survey-1; on/plains-1: 1-yield-survey-1",
    );
    check(scene, &format!("{both}, 1 play wrong-address ridge-1"), "refused: bad-aim");
    check(scene, &format!("{both}, 1 play wrong-address plains-2 ridge-1"), "refused: bad-aim");
    // A seat with a plot in it is affected.
    check(
        scene,
        "0 play survey-typo plains-1 ridge-1, 1 play wrong-address ridge-2",
        "refused: bad-aim",
    );
    // Turned back and redirected again, it still swaps surveys.
    check(
        &format!("{scene}; hand/0: wrong-address; hand/1: right-back-at-you"),
        "0 play survey-typo plains-1 plains-2, 1 play right-back-at-you ridge-1 ridge-2, 2 pass, 0 play wrong-address plains-1 plains-3, 1 pass, 2 pass",
        "on/plains-1: 1-yield-survey-3; on/plains-3: 1-yield-survey-1; on/ridge-1: 3-yield-survey-1",
    );
}

/// §14.11, §17.1
#[test]
fn rigs_alarm_system() {
    check("hand/1: rigs-alarm-system", "1 play rigs-alarm-system", "in-play/1: rigs-alarm-system");
    let scene = format!("{TAKES}; hand/1: ruins; in-play/1: rigs-alarm-system");
    let played = |dice: &str| format!("0 play give-me-that 1 @{dice}");
    check(&scene, &played("4"), "hand/1: ruins; in-play/1: rigs-alarm-system; asked: 0 turn");
    check(&scene, &played("1"), "asked: 1 react; in-play/1:");
    check(&scene, &played("3"), "asked: 1 react; in-play/1: rigs-alarm-system");
}

/// §14.11, §17.4
#[test]
fn ive_got_a_donk() {
    let scene = format!("{TAKES}; hand/1: ruins; in-play/1: ive-got-a-donk");
    let played = |dice: &str| format!("0 play give-me-that 1 @{dice}");
    check("hand/1: ive-got-a-donk", "1 play ive-got-a-donk", "in-play/1: ive-got-a-donk");
    check(&scene, &played("3"), "hand/1: ruins; in-play/1: ive-got-a-donk");
    check(&scene, &played("1"), "asked: 1 react; in-play/1:");
    check(&scene, &played("6"), "asked: 1 react; in-play/1:");
    // With both, the Alarm rolls first.
    check(
        &format!("{scene} rigs-alarm-system"),
        &played("36"),
        "asked: 1 react; in-play/1: rigs-alarm-system",
    );
    check(&format!("{scene} rigs-alarm-system"), &played("32"), "asked: 0 turn");
    // It rolls once against a Sabotage, and again if that is used anew.
    check(&scene, &format!("{}, 1 pass, 2 pass @3", played("1")), "asked: 1 give-decoy");
    let agent = "hand/0: give-me-that blowout; hand/1: ruins; hand/2: double-agent; in-play/1: rigs-alarm-system";
    check(
        agent,
        "0 play give-me-that 1 @3, 1 pass, 2 play double-agent 1 @5",
        "asked: 0 react, 1 react",
    );
    check(
        agent,
        "0 play give-me-that 1 @3, 1 pass, 2 play double-agent 1 @6",
        "asked: 0 turn; stage/1:",
    );
}

/// §14.11
#[test]
fn an_alarm_protects_only_its_owner_against_a_sabotage_on_many() {
    check(
        "hand/0: i-want-that; in-play/1: rigs-alarm-system; warehouse/1: 5 metal; warehouse/2: 5 metal",
        "0 play i-want-that metal @23, 1 pass, 2 pass",
        "warehouse/1: 5 metal; warehouse/2: 2 metal",
    );
    check(
        "hand/0: i-want-that; in-play/1: rigs-alarm-system; warehouse/1: 5 metal",
        "0 play i-want-that metal @2",
        "warehouse/1: 5 metal; asked: 0 turn; guarded/1: 0",
    );
    // Survey Typo needs both plots.
    check(
        "hand/0: survey-typo; in-play/1: rigs-alarm-system; owned/1: plains-1; on/plains-1: 1-yield-survey-1; owned/2: plains-2; on/plains-2: 2-yield-survey-1",
        "0 play survey-typo plains-1 plains-2 @2",
        "on/plains-1: 1-yield-survey-1",
    );
}

/// §17.2
#[test]
fn push_pull_or_drag() {
    let scene = "hand/0: blowout; in-play/1: push-pull-or-drag; owned/1: valley-1; spots/valley-1/metal: 2 rig";
    check("hand/1: push-pull-or-drag", "1 play push-pull-or-drag", "in-play/1: push-pull-or-drag");
    check(scene, "0 play blowout valley-1", "asked: 1 trade-in; warehouse/1:; works: 75 rig");
    check(
        scene,
        "0 play blowout valley-1, 1 claim",
        "warehouse/1: 1 rig; works: 74 rig; karma-discard: blowout push-pull-or-drag",
    );
    check(
        scene,
        "0 play blowout valley-1, 1 pass",
        "warehouse/1:; in-play/1: push-pull-or-drag; asked: 0 turn",
    );
    // It acts on the same loss as Recycling.
    check(
        &scene.replace("push-pull-or-drag;", "push-pull-or-drag recycling;"),
        "0 play blowout valley-1, 1 claim",
        "recycled: 2 rig; warehouse/1: 1 rig",
    );
    check(
        &scene.replace("push-pull-or-drag;", "push-pull-or-drag recycling parts-shop;"),
        "0 play blowout valley-1, 1 salvage recycling, 1 salvage parts-shop, 1 claim",
        "recycled: 1 rig; parts: 1 rig; warehouse/1: 1 rig; asked: 0 turn",
    );
    // Where several are lost one by one, it decides once all are.
    check(
        "hand/0: bad-os-revision; in-play/1: push-pull-or-drag; warehouse/1: 3 rig; owned/1: ridge-1; spots/ridge-1/metal: 1 rig",
        "0 play bad-os-revision 1, 1 lose warehouse/1, 1 lose warehouse/1, 1 claim",
        "warehouse/1: 2 rig; asked: 0 turn",
    );
    // Without a RIGS in the works there is nothing to decide.
    check(
        &format!(
            "{}; warehouse/2: 73 rig",
            scene.replace("push-pull-or-drag;", "push-pull-or-drag recycling;")
        ),
        "0 play blowout valley-1",
        "in-play/1: recycling push-pull-or-drag; asked: 0 turn",
    );
}

/// §14.3, §14.6
#[test]
fn calling_in_a_favor() {
    let scene = format!("{TAKES}; hand/1: ruins; hand/2: calling-in-a-favor");
    check(
        &scene,
        "0 play give-me-that 1, 1 pass, 2 play calling-in-a-favor",
        "hand/1: ruins; hand/2:; karma-discard: give-me-that calling-in-a-favor; asked: 0 turn",
    );
    check(&scene, "2 play calling-in-a-favor", "refused: wrong-time");
    // The owner of the Sabotage may play it once it is asked.
    check(
        "hand/0: brownout calling-in-a-favor decoy; phase: last-call; hand/1: wrong-address",
        "0 play brownout 1, 1 play wrong-address 0, 2 pass, 0 play calling-in-a-favor",
        "front/0:; asked: 0 final",
    );
}

/// §14.3, §14.7
#[test]
fn right_back_at_you() {
    let scene = format!("{TAKES}; hand/1: right-back-at-you ruins");
    check(
        &scene,
        "0 play give-me-that 1, 1 play right-back-at-you, 2 pass, 0 pass, 0 pass",
        "hand/0:; hand/1: blowout ruins; karma-discard: give-me-that right-back-at-you",
    );
    check(
        &format!("{TAKES} right-back-at-you; hand/1: wrong-address"),
        "0 play give-me-that 1, 1 play wrong-address, 0 play ruins",
        "refused: not-in-hand",
    );
    // On a plot: its player chooses among the owner's, and the original victim gains.
    check(
        "phase: last-call; hand/0: you-sent-it-where; hand/2: right-back-at-you; owned/0: ridge-1; spots/ridge-1/metal: 3 rig; powered/ridge-1: 1; warehouse/0: 1 energy; owned/1: forest-1; spots/forest-1/supply: 1 rig",
        "0 play you-sent-it-where forest-1, 1 pass, 2 play right-back-at-you ridge-1, 0 pass, 1 pass, 0 ready, 0 pass, 1 pass, 2 pass",
        "warehouse/1: 3 metal; warehouse/0:",
    );
    // Without a suitable plot the Sabotage comes to nothing.
    check(
        "hand/0: survey-error; hand/1: right-back-at-you; owned/1: plains-1; on/plains-1: 1-yield-survey-1",
        "0 play survey-error plains-1, 1 play right-back-at-you, 2 pass, 0 pass",
        "on/plains-1: 1-yield-survey-1; asked: 0 turn",
    );
    // Survey Typo: a plot of its owner and one of a victim.
    check(
        "hand/0: survey-typo; hand/1: right-back-at-you; owned/0: ridge-1; on/ridge-1: 3-yield-survey-1; owned/1: plains-1; on/plains-1: 1-yield-survey-1; owned/2: plains-2; on/plains-2: 2-yield-survey-1",
        "0 play survey-typo plains-1 plains-2, 1 play right-back-at-you plains-1 ridge-1, 2 pass, 0 pass",
        "on/plains-1: 3-yield-survey-1; on/ridge-1: 1-yield-survey-1; on/plains-2: 2-yield-survey-1",
    );
    // Not while the owner is the victim.
    check(
        "phase: last-call; hand/0: brownout; hand/1: wrong-address; hand/2: right-back-at-you",
        "0 play brownout 1, 1 play wrong-address 0, 2 play right-back-at-you",
        "refused: wrong-time",
    );
    // Not by the owner.
    check(
        "phase: last-call; hand/0: brownout right-back-at-you; hand/1: wrong-address",
        "0 play brownout 1, 1 play wrong-address 2, 2 pass, 0 play right-back-at-you",
        "refused: wrong-time",
    );
}

/// §14.8
#[test]
fn i_want_that_is_turned_back_and_its_units_are_shared_out() {
    let scene = "seats: 4; hand/0: i-want-that; warehouse/0: 5 metal; warehouse/1: 1 metal; warehouse/2: 1 metal; hand/3: right-back-at-you";
    let back = "0 play i-want-that metal, 1 pass, 2 pass, 3 play right-back-at-you @3, 0 pass @3, 1 pass @3, 2 pass @3";
    check(scene, back, "warehouse/0: 2 metal; stage/0: i-want-that 3 metal; asked: 3 share");
    check(
        scene,
        &format!("{back}, 3 name 1, 3 name 2, 3 name 1"),
        "warehouse/1: 3 metal; warehouse/2: 2 metal; asked: 0 turn",
    );
    check(scene, &format!("{back}, 3 name 3"), "refused: cannot-name");
    let one = scene.replace("warehouse/2: 1 metal; ", "");
    check(&one, back, "warehouse/1: 4 metal; asked: 0 turn");
    // It was meant for no other seat.
    check(
        "hand/0: i-want-that; warehouse/0: 5 metal; warehouse/1: 1 metal; hand/1: wrong-address; hand/2: right-back-at-you",
        "0 play i-want-that metal, 1 play wrong-address, 2 play right-back-at-you @3, 0 pass @3, 1 pass @3",
        "warehouse/0: 2 metal; warehouse/1: 1 metal; warehouse/2: 3 metal",
    );
}

/// §12.8, §17.3
#[test]
fn warehouse_insurance() {
    let scene =
        "hand/1: warehouse-insurance; hand/0: da-roof-is-on-fire; warehouse/1: 2 energy 3 luxury";
    check(
        scene,
        "0 play da-roof-is-on-fire 1, 1 play warehouse-insurance",
        "warehouse/1: 2 energy 3 luxury; lost/1/luxury: 0",
    );
    check(scene, "1 play warehouse-insurance", "refused: bad-aim");
    check(
        "phase: disaster; disaster-deck: raid-1; hand/1: warehouse-insurance; warehouse/1: 3 luxury",
        "0 name 1, 1 play warehouse-insurance",
        "warehouse/1: 3 luxury",
    );
    check(
        "hand/0: i-want-that; hand/1: warehouse-insurance; warehouse/1: 5 metal",
        "0 play i-want-that metal @3, 1 pass @3, 2 pass @3, 1 play warehouse-insurance",
        "warehouse/0: 3 metal; warehouse/1: 5 metal",
    );
}

/// §14.12
#[test]
fn decoy() {
    let scene = format!("{TAKES}; hand/1: decoy ruins");
    check(
        &scene,
        "0 play give-me-that 1, 1 pass, 2 pass, 1 play decoy",
        "hand/0: blowout decoy; hand/1: ruins; asked: 0 turn",
    );
    let look = "hand/0: ill-take-that; hand/1: decoy ruins";
    check(
        look,
        "0 play ill-take-that 1, 1 pass, 2 pass, 1 play decoy",
        "hand/0: decoy; asked: 0 turn",
    );
    check(&scene, "0 play give-me-that 1, 1 pass, 2 pass, 1 play ruins", "refused: wrong-time");
    check(&scene, "1 play decoy", "refused: wrong-time");
}

/// §14.3, §14.9, §14.10
#[test]
fn double_agent() {
    let scene = format!("{TAKES}; hand/1: ruins; hand/2: double-agent");
    check(
        &scene,
        "0 play give-me-that 1, 1 pass, 2 play double-agent 0, 0 pass, 1 pass, 0 pass",
        "hand/0:; hand/1: ruins; hand/2: blowout; karma-discard: give-me-that double-agent",
    );
    // Or it is discarded.
    check(
        &scene,
        "0 play give-me-that 1, 1 pass, 2 play double-agent",
        "hand/1: ruins; stage/0:; asked: 0 turn",
    );
    // The Sabotage is the agent's now, and returns to the agent's hand.
    check(
        &format!("{scene}; hand/0: aint-working-for-you"),
        "0 play give-me-that 1, 1 pass, 2 play double-agent 1, 0 play aint-working-for-you",
        "hand/2: give-me-that; front/2: aint-working-for-you",
    );
}

/// §14.9, §14.10
#[test]
fn a_seat_that_plays_no_more_sabotage_uses_none_as_a_double_agent() {
    let scene =
        format!("{TAKES}; hand/1: ruins; hand/2: double-agent; front/2: aint-working-for-you");
    let passed = "0 play give-me-that 1, 1 pass";
    check(&scene, &format!("{passed}, 2 play double-agent 0"), "refused: no-more-sabotage");
    check(&scene, &format!("{passed}, 2 play double-agent"), "hand/1: ruins; stage/0:");
}

/// §11.4, §14.3, §14.10
#[test]
fn aint_working_for_you() {
    let scene = "hand/0: give-me-that i-want-that; hand/1: aint-working-for-you ruins; warehouse/1: 1 metal";
    let back = "0 play give-me-that 1, 1 play aint-working-for-you";
    check(
        scene,
        back,
        "hand/0: give-me-that i-want-that; front/0: aint-working-for-you; asked: 0 turn",
    );
    check(scene, &format!("{back}, 0 play i-want-that metal"), "refused: no-more-sabotage");
    // Until the round ends.
    check(
        "phase: selling; price: market-low-4-1; front/0: aint-working-for-you; plot-deck:",
        "0 ready, 1 ready, 2 ready",
        "front/0:; karma-discard: aint-working-for-you",
    );
    // Not by the owner of the Sabotage.
    check(
        "hand/0: give-me-that aint-working-for-you; hand/1: ruins wrong-address; hand/2: decoy",
        "0 play give-me-that 1, 1 play wrong-address 2, 2 pass, 0 play aint-working-for-you",
        "refused: wrong-time",
    );
}

/// §17.5
#[test]
fn a_little_information() {
    let table = act(
        "hand/0: a-little-information; hand/1: ruins; purse/1: 42 credit",
        "0 play a-little-information",
    );
    let seen = table.seen_by(Viewer::Seat(seat_of("0")));
    assert!(seen.pieces(Hand(seat_of("1"))).has(Karma::Ruins));
    assert_eq!(seen.coins(Counted, Notes(seat_of("0"), seat_of("1"))), 42);
    let other = table.seen_by(Viewer::Seat(seat_of("2")));
    assert!(other.pieces::<Karma>(Hand(seat_of("1"))).is_empty());
    assert_eq!(other.coins(Counted, Notes(seat_of("0"), seat_of("1"))), 0);
}

/// §14.5, §14.11
#[test]
fn a_sabotage_redirected_to_its_owner_affects_it() {
    check(
        "phase: last-call; hand/0: brownout; in-play/0: rigs-alarm-system; hand/1: wrong-address decoy",
        "0 play brownout 1, 1 play wrong-address 0 @4",
        "front/0:; asked: 1 final; karma-discard: brownout wrong-address",
    );
}
