use super::*;

/// §12.6, §15.4, §15.11, §15.13
#[test]
fn sabotage_on_any_plot_may_be_played_on_ones_own() {
    let own = "owned/0: valley-1; spots/valley-1/metal: 2 rig; powered/valley-1: 1";
    check(
        &format!("{own}; phase: last-call; hand/0: incorrect-drivers; warehouse/0: 1 energy"),
        "0 play incorrect-drivers valley-1, 1 pass, 2 pass, 0 power, 0 ready, 0 pass, 1 pass, 2 pass",
        "warehouse/0: 1 energy",
    );
    check(
        &format!("{own}; hand/0: record-not-found; karma-deck: ruins"),
        "0 play record-not-found valley-1, 1 pass, 2 pass, 0 name 2",
        "owned/2: valley-1; spots/valley-1/metal: 2 rig; hand/0: ruins",
    );
    check(
        &format!("{own}; hand/0: triangulation-drift; karma-deck: ruins"),
        "0 play triangulation-drift valley-1, 1 pass, 2 pass, 0 send warehouse/0, 0 send warehouse/0",
        "warehouse/0: 2 rig; hand/0: ruins",
    );
    // Those on a victim are not.
    check(
        &format!("{own}; phase: last-call; hand/0: you-sent-it-where; warehouse/0: 1 energy"),
        "0 play you-sent-it-where valley-1",
        "refused: bad-aim",
    );
}

/// §12.7
#[test]
fn a_ready_seat_that_anothers_sabotage_takes_from_or_brings_to_is_not_ready_any_more() {
    let ready = "ready/1: 1; ready/2: 1";
    let passed = "1 pass, 2 pass";
    check(
        &format!("{ready}; hand/0: i-want-that; warehouse/1: 5 metal; warehouse/2: 5 energy"),
        &format!("0 play i-want-that metal, {passed} @3"),
        "ready/1: 0; ready/2: 1",
    );
    check(
        &format!(
            "{ready}; hand/0: survey-typo; owned/1: plains-1; on/plains-1: 1-yield-survey-1; owned/2: plains-2; on/plains-2: 1-yield-survey-2"
        ),
        &format!("0 play survey-typo plains-1 plains-2, {passed}"),
        "ready/1: 0; ready/2: 0",
    );
    check(
        &format!("{ready}; hand/0: record-not-found; owned/1: plains-1 plains-2"),
        &format!("0 play record-not-found plains-1, {passed}, 0 name 2"),
        "ready/1: 0; ready/2: 0",
    );
    check(
        &format!(
            "{ready}; hand/0: triangulation-drift; owned/1: valley-1; spots/valley-1/metal: 1 rig"
        ),
        &format!("0 play triangulation-drift valley-1, {passed}, 0 send warehouse/2"),
        "ready/1: 0; ready/2: 0",
    );
    // Turned back, it brings something to the seats that it was meant for.
    check(
        &format!(
            "{ready}; seats: 4; ready/3: 1; hand/0: i-want-that; warehouse/0: 5 metal; warehouse/1: 1 metal; hand/3: right-back-at-you"
        ),
        "0 play i-want-that metal, 1 pass, 2 pass, 3 play right-back-at-you @3, 0 pass, 1 pass, 2 pass",
        "ready/1: 0; ready/2: 1; warehouse/1: 4 metal",
    );
}

const ALL_PASS: &str = "1 pass, 2 pass";

/// Seat 0 plays `card`, and no seat answers.
#[track_caller]
fn takes_effect(scene: &str, card: &str, acts: &str, then: &str) {
    let acts = if acts.is_empty() { String::new() } else { format!(", {acts}") };
    let name = card.split(' ').next().expect("a card");
    check(&format!("hand/0: {name}; {scene}"), &format!("0 play {card}, {ALL_PASS}{acts}"), then);
}

// === Effects ===

/// §14.12, §15.1
#[test]
fn give_me_that() {
    takes_effect("hand/1: ruins", "give-me-that 1", "", "asked: 1 give-decoy");
    takes_effect(
        "hand/1: ruins",
        "give-me-that 1",
        "1 pass",
        "hand/0: ruins; hand/1:; karma-discard: give-me-that",
    );
    check("hand/0: give-me-that", "0 play give-me-that 1", "refused: bad-aim");
}

/// §15.2, §15.3
#[test]
fn identity_theft() {
    let scene = "purse/0: 3 credit; purse/1: 50 credit";
    takes_effect(
        scene,
        "identity-theft 1",
        "",
        "purse/0: 50 credit; purse/1: 3 credit; asked: 1 robbed",
    );
    takes_effect(
        scene,
        "identity-theft 1",
        "1 draw-three",
        "cards hand/1: 3; karma-discard: identity-theft",
    );
    takes_effect(
        scene,
        "identity-theft 1",
        "1 receive",
        "awaited/1: identity-theft; cards hand/1: 0; asked: 0 turn",
    );
    // No credits count as an amount.
    takes_effect("purse/0: 8 credit", "identity-theft 1", "", "purse/0:; purse/1: 8 credit");
    // Offers of the two are closed.
    check(
        "hand/0: identity-theft; purse/1: 9 credit",
        "1 offer 0 9 credit for, 0 play identity-theft 1, 1 pass, 2 pass",
        "offers: 0",
    );
}

const LAST: &str = "phase: last-call; owned/1: ridge-1; spots/ridge-1/metal: 3 rig; powered/ridge-1: 1; warehouse/1: 2 energy";
const PASS: &str = "0 pass, 1 pass, 2 pass";

/// §10.9, §15.4
#[test]
fn incorrect_drivers() {
    takes_effect(
        LAST,
        "incorrect-drivers ridge-1",
        "",
        "on/ridge-1: incorrect-drivers; asked: 1 readjust",
    );
    takes_effect(
        LAST,
        "incorrect-drivers ridge-1",
        &format!("1 ready, {PASS}"),
        "warehouse/1: 1 energy; on/ridge-1:",
    );
    takes_effect(
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
    let readjusting = format!("{LAST}; hand/1: recycling");
    takes_effect(&readjusting, "incorrect-drivers ridge-1", "1 play recycling", "refused: not-now");
    takes_effect(LAST, "incorrect-drivers ridge-1", "1 offer 0 1 energy for", "refused: not-now");
}

/// §7.2, §10.9, §15.4
#[test]
fn when_a_plot_on_energy_stops_its_owner_readjusts() {
    let scene = "phase: last-call; owned/1: desert-1 ridge-1; spots/desert-1/energy: 2 rig; spots/ridge-1/metal: 3 rig; powered/ridge-1: 1";
    takes_effect(scene, "incorrect-drivers desert-1", "1 ready", "refused: not-enough-energy");
    takes_effect(
        scene,
        "incorrect-drivers desert-1",
        &format!("1 borrow energy, 1 ready, {PASS}"),
        "warehouse/1: 3 metal; debts/1: 1 script-energy",
    );
    takes_effect(
        scene,
        "incorrect-drivers desert-1",
        &format!("1 power, 1 ready, {PASS}"),
        "warehouse/1:",
    );
}

/// §15.5
#[test]
fn ill_take_that() {
    let scene = "hand/1: ruins blowout";
    takes_effect(scene, "ill-take-that 1", "1 pass", "asked: 0 take-card");
    takes_effect(
        scene,
        "ill-take-that 1",
        "1 pass, 0 take ruins",
        "hand/0: ruins; hand/1: blowout; lost-karma/1: 1",
    );
    takes_effect(scene, "ill-take-that 1", "1 pass, 0 take decoy", "refused: no-such-card");
}

/// §15.6
#[test]
fn i_want_that() {
    let scene = "warehouse/0: 1 metal; warehouse/1: 2 metal; warehouse/2: 9 metal";
    check(
        &format!("hand/0: i-want-that; {scene}"),
        "0 play i-want-that metal @45, 1 pass @45, 2 pass @45",
        "warehouse/0: 8 metal; warehouse/1:; warehouse/2: 4 metal; lost/2/metal: 5",
    );
    check(
        &format!("hand/0: i-want-that; {scene}"),
        "0 play i-want-that energy",
        "refused: bad-aim",
    );
}

/// §15.7
#[test]
fn you_sent_it_where() {
    takes_effect(
        LAST,
        "you-sent-it-where ridge-1",
        &format!("1 ready, {PASS}"),
        "warehouse/0: 3 metal; warehouse/1: 1 energy; sent-to: nothing",
    );
    // The owner may leave the plot without power.
    takes_effect(
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
    let desert = "phase: last-call; owned/1: desert-1 ridge-1; spots/desert-1/energy: 3 rig; spots/ridge-1/metal: 1 rig; powered/ridge-1: 1";
    takes_effect(desert, "you-sent-it-where desert-1", "1 ready", "refused: not-enough-energy");
    takes_effect(
        &format!("{desert}; front/1: battery-charger-failure-1"),
        "you-sent-it-where desert-1",
        &format!("1 power, 1 ready, {PASS}"),
        "warehouse/0: 3 energy; warehouse/1:",
    );
}

/// §9.7, §15.7
#[test]
fn diverted_energy_is_lost_if_the_receivers_charger_failed() {
    let scene = "phase: last-call; hand/0: you-sent-it-where; owned/1: desert-1; spots/desert-1/energy: 2 rig";
    let acts = "0 play you-sent-it-where desert-1, 1 pass, 2 pass, 1 ready, 0 pass, 1 pass, 2 pass";
    check(scene, acts, "warehouse/0: 2 energy; warehouse/1:");
    let failed = |seat| format!("{scene}; front/{seat}: battery-charger-failure-1");
    check(
        &failed(0),
        acts,
        "warehouse/0:; warehouse/1:; announced: wasted begins/market price begins/player",
    );
    check(&failed(1), acts, "warehouse/0: 2 energy; warehouse/1:");
}

/// §15.8
#[test]
fn brownout() {
    takes_effect(LAST, "brownout 1", &format!("1 ready, {PASS}"), "warehouse/1: 3 metal");
    takes_effect(
        &LAST.replace("2 energy", "1 energy"),
        "brownout 1",
        "1 ready",
        "refused: not-enough-energy",
    );
    // Before the Last Call the victim is no longer ready.
    let early = LAST.replace("last-call", "production").replace("2 energy", "1 energy");
    takes_effect(
        &early,
        "brownout 1",
        "",
        "front/1: brownout; asked: 0 produce, 1 produce, 2 produce",
    );
    // Plots on Energy cost nothing.
    let own = "phase: last-call; owned/1: desert-1; spots/desert-1/energy: 3 rig";
    takes_effect(own, "brownout 1", &format!("1 ready, {PASS}"), "warehouse/1: 3 energy");
}

/// §12.6, §15.9
#[test]
fn survey_error() {
    let scene = "owned/1: plains-1; on/plains-1: 2-yield-survey-1; spots/plains-1/luxury: 2 rig; owned/2: ridge-1";
    takes_effect(
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
    // One's own plots are allowed too.
    takes_effect(
        "owned/0: plains-1; on/plains-1: 0-yield-survey-1",
        "survey-error plains-1",
        "",
        "on/plains-1:",
    );
}

/// §15.10
#[test]
fn survey_typo() {
    let scene = "owned/0: plains-1; on/plains-1: 0-yield-survey-1; owned/1: plains-2 ridge-1; on/plains-2: 3-yield-survey-1; spots/plains-2/luxury: 3 rig";
    takes_effect(
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

/// §15.11
#[test]
fn record_not_found() {
    let scene =
        "leader: 2; owned/1: valley-1; on/valley-1: 1-yield-survey-1; spots/valley-1/metal: 2 rig";
    takes_effect(scene, "record-not-found valley-1", "", "asked: 2 new-owner");
    takes_effect(
        scene,
        "record-not-found valley-1",
        "2 name 0",
        "owned/0: valley-1; spots/valley-1/metal: 2 rig; cards hand/1: 1; land-moved: 1",
    );
    takes_effect(scene, "record-not-found valley-1", "2 name 1", "refused: cannot-name");
}

/// §15.12
#[test]
fn carrier_lost() {
    let scene = "phase: last-call; owned/1: desert-1 ridge-1; spots/desert-1/energy: 2 rig; spots/ridge-1/metal: 3 rig; powered/ridge-1: 1; warehouse/1: 1 energy";
    takes_effect(
        scene,
        "carrier-lost 1",
        "",
        "front/1: carrier-lost; cards hand/1: 1; asked: 1 readjust",
    );
    takes_effect(
        scene,
        "carrier-lost 1",
        &format!("1 power, 1 ready, {PASS}"),
        "warehouse/1: 1 energy; front/1:",
    );
}

/// §15.13
#[test]
fn triangulation_drift() {
    let scene = "owned/1: valley-1 plains-1; spots/valley-1/metal: 2 rig; owned/0: ridge-1; owned/2: forest-1; spots/forest-1/supply: 1 rig";
    takes_effect(scene, "triangulation-drift valley-1", "", "asked: 0 send");
    takes_effect(
        scene,
        "triangulation-drift valley-1",
        "0 send ridge-1/metal, 0 send warehouse/2",
        "spots/ridge-1/metal: 1 rig; warehouse/2: 1 rig; spots/valley-1/metal:; cards hand/1: 1; asked: 0 turn",
    );
    // Only where there is room, and not on the plot itself.
    takes_effect(
        scene,
        "triangulation-drift valley-1",
        "0 send forest-1/metal",
        "refused: no-room",
    );
    takes_effect(
        scene,
        "triangulation-drift valley-1",
        "0 send forest-1/supply",
        "spots/forest-1/supply: 2 rig",
    );
    takes_effect(
        scene,
        "triangulation-drift valley-1",
        "0 send valley-1/metal",
        "refused: no-room",
    );
    takes_effect(
        scene,
        "triangulation-drift valley-1",
        "0 send plains-2/metal",
        "refused: no-room",
    );
}

// === Answers ===

/// §14.1, §20.2
#[test]
fn the_other_seats_with_cards_are_asked_at_once_whatever_they_hold() {
    let scene = "seats: 4; turn: 1; hand/1: give-me-that; hand/2: decoy; hand/3: ruins";
    check(
        scene,
        "1 play give-me-that 3",
        "asked: 2 react, 3 react; stage/0: give-me-that; by/0: 1; victim/0: 3",
    );
    check(scene, "1 play give-me-that 3, 3 pass", "asked: 2 react");
    check(scene, "1 play give-me-that 3, 3 pass, 2 pass, 3 pass", "asked: 1 turn; hand/1: ruins");
    check(scene, "1 play give-me-that 3, 0 ready", "refused: not-asked");
    check(scene, "1 play give-me-that 3, 1 ready", "refused: not-asked");
    // Everyone sees that no card that answers it can be in a hand.
    let spent = "karma-discard: wrong-address calling-in-a-favor aint-working-for-you right-back-at-you double-agent";
    check(&format!("{scene}; {spent}"), "1 play give-me-that 3", "asked: 3 give-decoy");
    check(
        &format!("{scene}; {spent} decoy").replace("hand/2: decoy; ", ""),
        "1 play give-me-that 3",
        "asked: 1 turn; hand/1: ruins",
    );
}

/// §20.2
#[test]
fn the_first_card_answers_and_the_other_seats_are_not_asked_any_more() {
    let scene = "seats: 4; hand/0: give-me-that; hand/1: wrong-address ruins; hand/2: calling-in-a-favor; hand/3: decoy";
    check(
        scene,
        "0 play give-me-that 1, 2 play calling-in-a-favor",
        "asked: 0 turn; hand/1: ruins wrong-address",
    );
    check(
        scene,
        "0 play give-me-that 1, 2 play calling-in-a-favor, 1 play wrong-address",
        "refused: wrong-time",
    );
}

/// §14.2
#[test]
fn after_a_sabotage_is_redirected_all_are_asked_again() {
    let scene =
        "seats: 4; hand/0: give-me-that; hand/1: ruins; hand/2: right-back-at-you; hand/3: blowout";
    check(
        scene,
        "0 play give-me-that 1, 1 pass, 2 play right-back-at-you",
        "asked: 3 react, 1 react; stage/0: give-me-that; stage/1: right-back-at-you; by/1: 2",
    );
    check(
        scene,
        "0 play give-me-that 1, 1 pass, 2 play right-back-at-you, 3 pass, 0 pass",
        "asked: 1 react",
    );
}

/// §14.2, §14.3
#[test]
fn the_last_of_several_answers_decides() {
    // Brownout on 1, redirected to 2, taken over by 3 and aimed at 0, turned back at 3 by 0,
    // and not answered again.
    let scene = "seats: 4; phase: last-call; hand/0: brownout right-back-at-you; hand/1: wrong-address ruins; hand/3: double-agent";
    let taken = "0 play brownout 1, 1 play wrong-address 2, 2 pass, 3 play double-agent 0";
    check(
        scene,
        taken,
        "stage/0: brownout; stage/1: wrong-address; stage/2: double-agent; victim/2: 0; asked: 0 react, 1 react",
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
        "karma-discard: wrong-address right-back-at-you double-agent; stage/0:; by/0: nothing; asked: 1 final",
    );
}
