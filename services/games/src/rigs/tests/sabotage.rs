use super::*;

const LET: &str = "1 pass, 2 pass";

/// Seat 0 plays `card`, and nobody answers.
#[track_caller]
fn strikes(scene: &str, card: &str, acts: &str, then: &str) {
    let acts = if acts.is_empty() { String::new() } else { format!(", {acts}") };
    let name = card.split(' ').next().expect("a card");
    check(&format!("hand/0: {name}; {scene}"), &format!("0 play {card}, {LET}{acts}"), then);
}

// === What each does ===

#[test]
fn give_me_that() {
    strikes("hand/1: ruins", "give-me-that 1", "", "asked: 1 give-decoy");
    strikes(
        "hand/1: ruins",
        "give-me-that 1",
        "1 pass",
        "hand/0: ruins; hand/1:; karma-discard: give-me-that",
    );
    check("hand/0: give-me-that", "0 play give-me-that 1", "refused: bad-aim");
}

#[test]
fn identity_theft() {
    let scene = "purse/0: 3 credit; purse/1: 50 credit";
    strikes(
        scene,
        "identity-theft 1",
        "",
        "purse/0: 50 credit; purse/1: 3 credit; asked: 1 robbed",
    );
    strikes(
        scene,
        "identity-theft 1",
        "1 draw-three",
        "cards hand/1: 3; karma-discard: identity-theft",
    );
    strikes(
        scene,
        "identity-theft 1",
        "1 receive",
        "awaited/1: identity-theft; cards hand/1: 0; asked: 0 turn",
    );
    // An amount of nothing is one too.
    strikes("purse/0: 8 credit", "identity-theft 1", "", "purse/0:; purse/1: 8 credit");
    // Offers that would show what is left are closed.
    check(
        "hand/0: identity-theft; purse/1: 9 credit",
        "1 offer 0 9 credit for, 0 play identity-theft 1, 1 pass, 2 pass",
        "offers: 0",
    );
}

const LAST: &str = "phase: last-call; owned/1: ridge-1; spots/ridge-1/metal: 3 rig; powered/ridge-1: 1; warehouse/1: 2 energy";
const PASS: &str = "0 pass, 1 pass, 2 pass";

#[test]
fn incorrect_drivers() {
    strikes(
        LAST,
        "incorrect-drivers ridge-1",
        "",
        "on/ridge-1: incorrect-drivers; asked: 1 readjust",
    );
    strikes(
        LAST,
        "incorrect-drivers ridge-1",
        &format!("1 ready, {PASS}"),
        "warehouse/1: 1 energy; on/ridge-1:",
    );
    strikes(
        LAST,
        "incorrect-drivers ridge-1",
        &format!("1 power, 1 ready, {PASS}"),
        "warehouse/1: 2 energy",
    );
    check(
        "phase: production; hand/0: incorrect-drivers; owned/1: ridge-1; spots/ridge-1/metal: 1 rig",
        "0 play incorrect-drivers ridge-1",
        "refused: wrong-time",
    );
}

#[test]
fn an_energy_plot_that_stops_leaves_others_to_be_readjusted() {
    let scene = "phase: last-call; owned/1: desert-1 ridge-1; spots/desert-1/energy: 2 rig; spots/ridge-1/metal: 3 rig; powered/ridge-1: 1";
    strikes(scene, "incorrect-drivers desert-1", "1 ready", "refused: not-enough-energy");
    strikes(
        scene,
        "incorrect-drivers desert-1",
        &format!("1 borrow energy, 1 ready, {PASS}"),
        "warehouse/1: 3 metal; debts/1: 1 script-energy",
    );
    strikes(
        scene,
        "incorrect-drivers desert-1",
        &format!("1 power, 1 ready, {PASS}"),
        "warehouse/1:",
    );
}

#[test]
fn ill_take_that() {
    let scene = "hand/1: ruins blowout";
    strikes(scene, "ill-take-that 1", "1 pass", "asked: 0 take-card");
    strikes(
        scene,
        "ill-take-that 1",
        "1 pass, 0 take ruins",
        "hand/0: ruins; hand/1: blowout; lost-karma/1: 1",
    );
    strikes(scene, "ill-take-that 1", "1 pass, 0 take decoy", "refused: no-such-card");
}

#[test]
fn i_want_that() {
    let scene = "warehouse/0: 1 metal; warehouse/1: 2 metal; warehouse/2: 9 metal";
    check(
        &format!("hand/0: i-want-that; {scene}"),
        "0 play i-want-that metal, 1 pass, 2 pass @45",
        "warehouse/0: 8 metal; warehouse/1:; warehouse/2: 4 metal; lost/2/metal: 5",
    );
    check(
        &format!("hand/0: i-want-that; {scene}"),
        "0 play i-want-that energy",
        "refused: bad-aim",
    );
}

#[test]
fn you_sent_it_where() {
    strikes(
        LAST,
        "you-sent-it-where ridge-1",
        &format!("1 ready, {PASS}"),
        "warehouse/0: 3 metal; warehouse/1: 1 energy; sent-to: nothing",
    );
    // Whoever is robbed may leave the plot without power.
    strikes(
        LAST,
        "you-sent-it-where ridge-1",
        &format!("1 power, 1 ready, {PASS}"),
        "warehouse/0:; warehouse/1: 2 energy",
    );
    check(
        &format!("hand/0: you-sent-it-where; {}", LAST.replace("last-call", "production")),
        "0 play you-sent-it-where ridge-1",
        "refused: wrong-time",
    );
}

#[test]
fn brownout() {
    strikes(LAST, "brownout 1", &format!("1 ready, {PASS}"), "warehouse/1: 3 metal");
    strikes(
        &LAST.replace("2 energy", "1 energy"),
        "brownout 1",
        "1 ready",
        "refused: not-enough-energy",
    );
    // Before the Last Call the victim is not ready any more.
    let early = LAST.replace("last-call", "production").replace("2 energy", "1 energy");
    strikes(&early, "brownout 1", "", "front/1: brownout; asked: 0 produce, 1 produce, 2 produce");
    // A plot on Energy powers itself all the same.
    let own = "phase: last-call; owned/1: desert-1; spots/desert-1/energy: 3 rig";
    strikes(own, "brownout 1", &format!("1 ready, {PASS}"), "warehouse/1: 3 energy");
}

#[test]
fn survey_error() {
    let scene = "owned/1: plains-1; on/plains-1: 2-yield-survey-1; spots/plains-1/luxury: 2 rig; owned/2: ridge-1";
    strikes(
        scene,
        "survey-error plains-1",
        "",
        "on/plains-1:; warehouse/1: 2 rig; cards survey-deck: 27",
    );
    check(
        &format!("hand/0: survey-error; {scene}"),
        "0 play survey-error ridge-1",
        "refused: bad-aim",
    );
    // Any plot with a survey: the own ones too.
    strikes(
        "owned/0: plains-1; on/plains-1: 0-yield-survey-1",
        "survey-error plains-1",
        "",
        "on/plains-1:",
    );
}

#[test]
fn survey_typo() {
    let scene = "owned/0: plains-1; on/plains-1: 0-yield-survey-1; owned/1: plains-2 ridge-1; on/plains-2: 3-yield-survey-1; spots/plains-2/luxury: 3 rig";
    strikes(
        scene,
        "survey-typo plains-1 plains-2",
        "",
        "on/plains-1: 3-yield-survey-1; on/plains-2: 0-yield-survey-1; warehouse/1: 3 rig",
    );
    check(
        &format!("hand/0: survey-typo; {scene}"),
        "0 play survey-typo plains-1 ridge-1",
        "refused: bad-aim",
    );
}

#[test]
fn record_not_found() {
    let scene =
        "leader: 2; owned/1: valley-1; on/valley-1: 1-yield-survey-1; spots/valley-1/metal: 2 rig";
    strikes(scene, "record-not-found valley-1", "", "asked: 2 new-owner");
    strikes(
        scene,
        "record-not-found valley-1",
        "2 name 0",
        "owned/0: valley-1; spots/valley-1/metal: 2 rig; cards hand/1: 1; land-moved: 1",
    );
    strikes(scene, "record-not-found valley-1", "2 name 1", "refused: cannot-name");
}

#[test]
fn carrier_lost() {
    let scene = "phase: last-call; owned/1: desert-1 ridge-1; spots/desert-1/energy: 2 rig; spots/ridge-1/metal: 3 rig; powered/ridge-1: 1; warehouse/1: 1 energy";
    strikes(
        scene,
        "carrier-lost 1",
        "",
        "front/1: carrier-lost; cards hand/1: 1; asked: 1 readjust",
    );
    strikes(
        scene,
        "carrier-lost 1",
        &format!("1 power, 1 ready, {PASS}"),
        "warehouse/1: 1 energy; front/1:",
    );
}

#[test]
fn triangulation_drift() {
    let scene = "owned/1: valley-1 plains-1; spots/valley-1/metal: 2 rig; owned/0: ridge-1; owned/2: forest-1; spots/forest-1/supply: 1 rig";
    strikes(scene, "triangulation-drift valley-1", "", "asked: 0 send");
    strikes(
        scene,
        "triangulation-drift valley-1",
        "0 send ridge-1/metal, 0 send warehouse/2",
        "spots/ridge-1/metal: 1 rig; warehouse/2: 1 rig; spots/valley-1/metal:; cards hand/1: 1; asked: 0 turn",
    );
    // Only where there is room, and not on the plot itself.
    strikes(scene, "triangulation-drift valley-1", "0 send forest-1/metal", "refused: no-room");
    strikes(
        scene,
        "triangulation-drift valley-1",
        "0 send forest-1/supply",
        "spots/forest-1/supply: 2 rig",
    );
    strikes(scene, "triangulation-drift valley-1", "0 send valley-1/metal", "refused: no-room");
    strikes(scene, "triangulation-drift valley-1", "0 send plains-2/metal", "refused: no-room");
}

// === Who is asked ===

#[test]
fn everybody_else_is_asked_clockwise_whatever_it_holds() {
    let scene = "seats: 4; turn: 1; hand/1: give-me-that; hand/3: ruins";
    check(
        scene,
        "1 play give-me-that 3",
        "asked: 2 react; stage/0: give-me-that; by/0: 1; victim/0: 3",
    );
    check(scene, "1 play give-me-that 3, 2 pass", "asked: 3 react");
    check(scene, "1 play give-me-that 3, 2 pass, 3 pass", "asked: 0 react");
    check(scene, "1 play give-me-that 3, 3 pass", "refused: not-asked");
    check(scene, "1 play give-me-that 3, 1 ready", "refused: not-asked");
}

#[test]
fn after_a_sabotage_is_turned_everybody_is_asked_again() {
    let scene =
        "seats: 4; hand/0: give-me-that; hand/1: ruins; hand/2: right-back-at-you; hand/3: blowout";
    check(
        scene,
        "0 play give-me-that 1, 1 pass, 2 play right-back-at-you",
        "asked: 3 react; stage/0: give-me-that; stage/1: right-back-at-you; by/1: 2",
    );
    check(
        scene,
        "0 play give-me-that 1, 1 pass, 2 play right-back-at-you, 3 pass, 0 pass",
        "asked: 1 react",
    );
}

#[test]
fn interrupts_nest_last_in_first_out() {
    // Brownout on 1, redirected to 2, taken over by 3 and aimed at 0, turned back at 3 by 0,
    // stopped by nobody.
    let scene = "seats: 4; phase: last-call; hand/0: brownout right-back-at-you; hand/1: wrong-address; hand/3: double-agent";
    let taken = "0 play brownout 1, 1 play wrong-address 2, 2 pass, 3 play double-agent 0";
    check(
        scene,
        taken,
        "stage/0: brownout; stage/1: wrong-address; stage/2: double-agent; victim/2: 0; asked: 0 react",
    );
    let back = format!("{taken}, 0 play right-back-at-you");
    check(scene, &back, "stage/3: right-back-at-you; asked: 1 react");
    check(
        scene,
        &format!("{back}, 1 pass, 2 pass, 3 pass"),
        "front/3: brownout; asked: 3 readjust; karma-discard:; stage/1: wrong-address",
    );
    check(
        scene,
        &format!("{back}, 1 pass, 2 pass, 3 pass, 3 ready"),
        "karma-discard: wrong-address right-back-at-you double-agent; stage/0:; by/0: nothing; asked: 0 final",
    );
}
