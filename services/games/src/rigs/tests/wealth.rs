use super::*;

/// §12.9, §16.1
#[test]
fn recycling() {
    check("hand/1: recycling", "1 play recycling", "in-play/1: recycling; hand/1:");
    let scene = "in-play/1: recycling; warehouse/1: 2 rig; hand/0: wrong-manual blowout; owned/1: valley-1; spots/valley-1/metal: 2 rig";
    check(
        scene,
        "0 play wrong-manual 1, 1 lose warehouse/1, 0 play blowout valley-1",
        "recycled: 3 rig; works: 71 rig",
    );
    check(
        &format!("turn: 1; {scene}"),
        "0 play blowout valley-1, 1 cash",
        "warehouse/1: 2 metal 2 rig; works: 73 rig; recycled:; in-play/1:; karma-discard: blowout recycling",
    );
    check("", "0 cash", "refused: not-in-play");
    // At any time in the Player phase, and in no other.
    let other = "in-play/1: recycling; recycled: 2 rig";
    check(other, "1 cash", "warehouse/1: 2 metal; in-play/1:");
    check(&format!("{other}; phase: disaster"), "1 cash", "refused: not-now");
    check(
        &format!("{other}; phase: selling; price: market-low-4-1; hand/1: ruins"),
        "1 cash",
        "refused: not-now",
    );
}

/// §16.2
#[test]
fn ridiculous_efficiency() {
    let scene = "phase: last-call; hand/0: ridiculous-efficiency; owned/0: desert-1 ridge-1; spots/desert-1/energy: 2 rig; \
                 spots/ridge-1/metal: 3 rig; powered/ridge-1: 1";
    check(
        scene,
        "0 play ridiculous-efficiency, 0 pass, 1 pass, 2 pass",
        "warehouse/0: 3 energy 6 metal",
    );
    check("hand/0: ridiculous-efficiency", "0 play ridiculous-efficiency", "refused: wrong-time");
}

/// §16.3
#[test]
fn parts_shop() {
    let scene = "in-play/0: parts-shop; parts: 3 rig";
    check("hand/0: parts-shop", "0 play parts-shop", "in-play/0: parts-shop");
    check(scene, "0 tinker @3", "parts: 3 rig; asked: 0 retrieve; tinkered: 1");
    check(scene, "0 tinker @3, 0 claim", "parts: 2 rig; warehouse/0: 1 rig; asked: 0 turn");
    check(scene, "0 tinker @3, 0 pass", "parts: 3 rig; warehouse/0:; asked: 0 turn");
    let other = "in-play/1: parts-shop; parts: 3 rig";
    check(other, "1 tinker @3, 1 claim", "warehouse/1: 1 rig; asked: 0 turn");
    check(&format!("{other}; phase: disaster"), "1 tinker", "refused: not-now");
    check(scene, "0 tinker @4", "parts: 3 rig; warehouse/0:; in-play/0: parts-shop");
    check(scene, "0 tinker @1", "parts:; works: 75 rig; karma-discard: parts-shop; in-play/0:");
    check(scene, "0 tinker @3, 0 claim, 0 tinker @2", "refused: tinkered-already");
    check("", "0 tinker", "refused: not-in-play");
    check(
        "in-play/1: parts-shop; hand/0: blowout; owned/1: valley-1; spots/valley-1/metal: 2 rig",
        "0 play blowout valley-1",
        "parts: 2 rig; works: 73 rig",
    );
}

/// §12.9
#[test]
fn with_both_in_play_their_owner_chooses_where_each_lost_rigs_goes() {
    let scene = "hand/0: blowout; in-play/1: recycling parts-shop; owned/1: valley-1; spots/valley-1/metal: 2 rig";
    check(scene, "0 play blowout valley-1", "asked: 1 salvage; wreck/1: 2 rig");
    check(
        scene,
        "0 play blowout valley-1, 1 salvage recycling, 1 salvage parts-shop",
        "recycled: 1 rig; parts: 1 rig; asked: 0 turn",
    );
    check(scene, "0 play blowout valley-1, 1 salvage decoy", "refused: no-such-card");
}

/// §16.4
#[test]
fn swap_meet() {
    let scene = "hand/0: swap-meet; warehouse/0: 5 energy 2 metal";
    check(
        scene,
        "0 play swap-meet swap 4 energy 2 metal for 6 luxury",
        "warehouse/0: 1 energy 6 luxury",
    );
    check(scene, "0 play swap-meet swap 1 energy for 1 metal", "warehouse/0: 4 energy 3 metal");
    check(scene, "0 play swap-meet swap 5 energy 2 metal for 7 luxury", "refused: bad-aim");
    check(scene, "0 play swap-meet swap 1 energy for 2 luxury", "refused: bad-aim");
    check(scene, "0 play swap-meet swap 3 metal for 3 luxury", "refused: bad-aim");
}

/// §16.5
#[test]
fn poker_night() {
    let scene = "hand/0: poker-night; warehouse/0: 4 energy 2 metal";
    check(
        scene,
        "0 play poker-night stake 4 energy 1 metal @12456",
        "warehouse/0: 5 energy 4 metal; asked: 0 raise",
    );
    check(scene, "0 play poker-night stake 4 energy 2 metal @222222", "asked: 0 turn");
    // More is staked once the first rolls are known, one unit or several at a time.
    let first = "0 play poker-night stake 1 metal @6";
    check(scene, first, "warehouse/0: 4 energy 4 metal; asked: 0 raise; unrolled/metal: 1");
    check(
        scene,
        &format!("{first}, 0 raise 1 metal 2 energy @126, 0 pass"),
        "warehouse/0: 3 energy 6 metal; asked: 0 turn; unrolled/energy: 0; karma-discard: poker-night",
    );
    check(scene, &format!("{first}, 0 raise 1 metal 4 energy @22222"), "asked: 0 turn");
    // What was won is not staked again.
    check(scene, &format!("{first}, 0 raise 2 metal"), "refused: cannot-stake");
    check(scene, &format!("{first}, 0 raise"), "refused: cannot-stake");
    check(scene, "0 play poker-night stake 3 metal", "refused: bad-aim");
}

/// §16.6
#[test]
fn below_the_surface() {
    let scene = "hand/0: below-the-surface; owned/0: forest-1; on/forest-1: 2-yield-survey-1; owned/1: ridge-1";
    check(scene, "0 play below-the-surface forest-1 supply", "warehouse/0: 3 supply");
    check(scene, "0 play below-the-surface forest-1 luxury", "warehouse/0: 2 luxury");
    check(scene, "0 play below-the-surface ridge-1 metal", "refused: bad-aim");
}

/// §16.7
#[test]
fn winning_raffle_ticket() {
    check(
        "hand/0: winning-raffle-ticket",
        "0 play winning-raffle-ticket @5",
        "warehouse/0: 5 luxury",
    );
    check(
        "phase: selling; price: market-low-4-1; hand/0: winning-raffle-ticket",
        "0 play winning-raffle-ticket @5, 0 sell 5",
        "purse/0: 20 credit",
    );
}

/// §16.8
#[test]
fn ruins() {
    check("hand/0: ruins", "0 play ruins @4", "asked: 0 gain; due/0: 4");
    check(
        "hand/0: ruins",
        "0 play ruins @4, 0 gain 3 metal 1 luxury",
        "warehouse/0: 3 metal 1 luxury; karma-discard: ruins",
    );
    check("hand/0: ruins", "0 play ruins @4, 0 gain 5 metal", "refused: wrong-amount");
}

/// §16.9
#[test]
fn rigs_tdm() {
    let scene = "phase: last-call; hand/0: rigs-tdm ridiculous-efficiency; owned/0: ridge-1; spots/ridge-1/metal: 2 rig; powered/ridge-1: 1; warehouse/0: 1 energy";
    check(
        scene,
        "0 play rigs-tdm ridge-1, 0 pass, 1 pass, 2 pass",
        "warehouse/0: 6 metal; on/ridge-1:",
    );
    // Doubled and tripled is six times.
    check(
        scene,
        "0 play rigs-tdm ridge-1, 0 play ridiculous-efficiency, 0 pass, 1 pass, 2 pass",
        "warehouse/0: 12 metal",
    );
}

const SELLING: &str = "phase: selling; price: market-normal-8-1; market-discard: market-high-20-1 market-low-5-1; warehouse/0: 2 luxury; warehouse/1: 2 luxury";

/// §11.4, §16.10
#[test]
fn other_markets() {
    let scene = format!("{SELLING}; hand/0: other-markets");
    check(
        &scene,
        "0 play other-markets, 0 sell 1, 1 sell 1",
        "purse/0: 20 credit; purse/1: 20 credit",
    );
    check(
        &format!("{scene}; plot-deck:"),
        "0 play other-markets, 0 ready, 1 ready, 2 ready",
        "karma-discard: other-markets; price: market-normal-8-1",
    );
    check("phase: drawing; hand/0: other-markets", "0 play other-markets", "refused: bad-aim");
}

/// §11.4, §16.11
#[test]
fn naive_profits() {
    let scene = format!("{SELLING}; hand/0: naive-profits");
    check(
        &scene,
        "0 play naive-profits, 0 sell 1, 1 sell 1",
        "purse/0: 13 credit; purse/1: 8 credit",
    );
    check(
        &format!("{scene}; plot-deck:"),
        "0 play naive-profits, 0 ready, 1 ready, 2 ready",
        "front/0:; karma-discard: naive-profits",
    );
}
