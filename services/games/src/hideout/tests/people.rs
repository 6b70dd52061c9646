use super::*;

// === Ringleaders ===

const THREE_TO_DRAW: &str =
    "hand/0: mastermind/1; deck: hacker/1 thug/1 burglar/1; discard: enforcer/3";

/// §8.1
#[test]
fn the_mastermind_draws_three_keeps_one_and_discards_two() {
    both(
        THREE_TO_DRAW,
        "caper mastermind/1",
        "asked: choose/keep; choices: burglar/1 hacker/1 thug/1; drawn-cards/0: burglar/1 hacker/1 thug/1; deck:",
    );
    both(
        THREE_TO_DRAW,
        "caper mastermind/1, keep hacker/1",
        "hand/0: hacker/1; discard: burglar/1 thug/1 enforcer/3; drawn-cards/0:; turn: 1",
    );
    both(THREE_TO_DRAW, "caper mastermind/1, keep hacker/2", "refused: not-a-choice");
    both(THREE_TO_DRAW, "caper mastermind/1, keep mastermind/1", "refused: not-a-choice");
}

/// §4.3
#[test]
fn an_action_that_does_not_answer_the_decision_is_refused() {
    both(THREE_TO_DRAW, "caper mastermind/1, caper mastermind/1", "refused: decide-first");
    both(THREE_TO_DRAW, "caper mastermind/1, decline", "refused: decide-first");
    both(THREE_TO_DRAW, "caper mastermind/1, abduct hacker/1", "refused: decide-first");
    for act in ["keep hacker/1", "rob 1", "name brain", "swap blue-1 red-1", "decline"] {
        both(THREE_TO_DRAW, act, "refused: decide-first");
    }
}

/// §8.3
#[test]
fn the_thief_steals_two_from_the_coffers() {
    both("hand/0: thief/1", "caper thief/1", "stash/0: 2; coffers: 18");
}

/// §4.3, §7.3, §8.6
#[test]
fn the_pickpocket_steals_two_from_one_opponent() {
    let scene = "seats: 3; hand/0: pickpocket/1; stash/1: 5; stash/2: 4";
    both(scene, "caper pickpocket/1", "asked: rob; stash/0: 0");
    both(scene, "caper pickpocket/1, rob 2", "stash/0: 2; stash/2: 2; stash/1: 5; turn: 1");
    both(scene, "caper pickpocket/1, rob 0", "refused: not-a-choice");
    both(scene, "caper pickpocket/1, rob 3", "refused: not-a-choice");
}

/// §4.4, §7.3
#[test]
fn stealing_yields_no_more_than_a_stash_holds() {
    both("hand/0: pickpocket/1; stash/1: 1", "caper pickpocket/1", "stash/0: 1; stash/1: 0");
    both("hand/0: pickpocket/1; stash/1: 0", "caper pickpocket/1", "stash/0: 0; turn: 1");
}

// === Brain ===

/// §8.15
#[test]
fn the_fall_guy_duplicates_a_card_that_stays_in_hand() {
    let scene = "hand/0: fall-guy/1 burglar/1 recruiter/1";
    both(scene, "caper fall-guy/1", "asked: choose/duplicate; choices: recruiter/1 burglar/1");
    both(
        scene,
        "caper fall-guy/1, duplicate burglar/1",
        "stash/0: 3; hand/0: recruiter/1 burglar/1; first-night/0: fall-guy/1; turn: 1",
    );
    both(scene, "caper fall-guy/1, duplicate hacker/1", "refused: not-a-choice");
}

/// §4.4
#[test]
fn the_fall_guy_asks_even_for_a_single_choice() {
    both("hand/0: fall-guy/1 burglar/1", "caper fall-guy/1", "asked: choose/duplicate");
    both("hand/0: fall-guy/1", "caper fall-guy/1", "announced: caper nothing-comes-of-it; turn: 1");
}

/// §8.16
#[test]
fn a_fall_guy_duplicates_no_fall_guy() {
    let scene = "hand/0: fall-guy/1 fall-guy/2 burglar/1";
    both(scene, "caper fall-guy/1", "choices: burglar/1");
    both(scene, "caper fall-guy/1, duplicate fall-guy/2", "refused: not-duplicated");
    let endless = "hand/0: fall-guy/1 fall-guy/2 fall-guy/3";
    both(endless, "caper fall-guy/1", "announced: caper nothing-comes-of-it; turn: 1");
}

/// §8.16
#[test]
fn the_inside_man_is_not_duplicated() {
    let scene = "hand/0: fall-guy/1 inside-man/1 burglar/1; first-night/1: hacker/1";
    both(scene, "caper fall-guy/1", "choices: burglar/1");
    both(scene, "caper fall-guy/1, duplicate inside-man/1", "refused: not-duplicated");
}

/// §8.15
#[test]
fn a_duplicated_text_asks_for_its_decisions() {
    both(
        "hand/0: fall-guy/1 mastermind/1; deck: hacker/1 thug/1 burglar/1; discard: enforcer/3",
        "caper fall-guy/1, duplicate mastermind/1, keep thug/1",
        "hand/0: mastermind/1 thug/1; discard: burglar/1 hacker/1 enforcer/3; turn: 1",
    );
    both(
        "seats: 3; hand/0: fall-guy/1 middle-man/1; stash/1: 2; stash/2: 2",
        "caper fall-guy/1, duplicate middle-man/1, rob 2",
        "stash/0: 2; stash/2: 1; coffers: 19; hand/0: middle-man/1",
    );
}

/// §8.17
#[test]
fn a_duplicated_thug_stays_in_hand_and_cannot_be_his_own_partner() {
    let scene =
        "hand/0: fall-guy/1 thug/1 mastermind/1 hacker/1; first-night/1: burglar/1; stash/1: 3";
    both(scene, "caper fall-guy/1, duplicate thug/1", "choices: mastermind/1 hacker/1");
    both(
        scene,
        "caper fall-guy/1, duplicate thug/1, team-up hacker/1",
        "first-night/0: fall-guy/1 hacker/1; hand/0: mastermind/1 thug/1; stash/0: 1",
    );
    both(
        "hand/0: fall-guy/1 thug/1",
        "caper fall-guy/1, duplicate thug/1",
        "announced: nothing-comes-of-it; hand/0: thug/1; turn: 1",
    );
}

/// §8.17
#[test]
fn a_fall_guy_moves_himself_as_wheelman_and_as_femme_fatale() {
    both(
        "hand/0: fall-guy/1 wheelman/1; third-night/0: thief/1",
        "caper fall-guy/1, duplicate wheelman/1",
        "second-night/0: fall-guy/1; first-night/0:; hand/0: thief/1 wheelman/1",
    );
    both(
        "hand/0: fall-guy/1 femme-fatale/1 burglar/1",
        "caper fall-guy/1, duplicate femme-fatale/1, caper burglar/1",
        "second-night/0: fall-guy/1; first-night/0: burglar/1; hand/0: femme-fatale/1",
    );
}

/// §8.2
#[test]
fn the_recruiter_draws_two() {
    both(
        "hand/0: recruiter/1; deck: thug/1 hacker/1; discard: enforcer/3",
        "caper recruiter/1",
        "hand/0: hacker/1 thug/1",
    );
}

const SWAP: &str = "seats: 3; hand/0: forger/1; completed-jobs/0: blue-1 green-1; \
                    completed-jobs/1: red-1; completed-jobs/2: blue-2";

/// §8.20
#[test]
fn the_forger_swaps_a_completed_job_for_one_of_an_opponent() {
    both(SWAP, "caper forger/1", "asked: swap-jobs");
    both(
        SWAP,
        "caper forger/1, swap green-1 blue-2",
        "completed-jobs/0: blue-1 blue-2; completed-jobs/2: green-1; turn: 1",
    );
    both(SWAP, "caper forger/1, swap red-1 blue-2", "refused: not-a-choice");
    both(SWAP, "caper forger/1, swap green-1 blue-1", "refused: not-a-choice");
    both(SWAP, "caper forger/1, swap green-1 red-2", "refused: not-a-choice");
    both(
        "hand/0: forger/1; completed-jobs/0: blue-1",
        "caper forger/1",
        "announced: caper nothing-comes-of-it; turn: 1",
    );
}

/// §4.4, §8.27
#[test]
fn the_forger_may_decline_even_a_single_swap() {
    let scene = "hand/0: forger/1; completed-jobs/0: blue-1; completed-jobs/1: red-1";
    both(scene, "caper forger/1", "asked: swap-jobs; completed-jobs/0: blue-1");
    both(
        scene,
        "caper forger/1, swap blue-1 red-1",
        "completed-jobs/0: red-1; completed-jobs/1: blue-1; turn: 1",
    );
    both(
        scene,
        "caper forger/1, decline",
        "completed-jobs/0: blue-1; completed-jobs/1: red-1; first-night/0: forger/1; turn: 1",
    );
}

/// §8.18
#[test]
fn the_fixer_takes_back_another_card_even_from_a_team() {
    let scene = "hand/0: fixer/1; second-night/0: thief/1 hacker/1; third-night/0: thug/1";
    both(scene, "caper fixer/1", "choices: thief/1 hacker/1 thug/1");
    both(
        scene,
        "caper fixer/1, take-back hacker/1",
        "hand/0: hacker/1; second-night/0: thief/1; first-night/0: fixer/1",
    );
    both(scene, "caper fixer/1, take-back fixer/1", "refused: not-a-choice");
    both("hand/0: fixer/1", "caper fixer/1", "announced: caper nothing-comes-of-it");
}

/// §4.3, §8.1
#[test]
fn the_analyst_draws_two_keeps_one_then_steals_one() {
    let scene = "hand/0: analyst/1; deck: thug/1 hacker/1 burglar/1";
    both(scene, "caper analyst/1", "asked: choose/keep; coffers: 20");
    let scene = "hand/0: analyst/1; deck: thug/1 hacker/1; discard: enforcer/3";
    both(
        scene,
        "caper analyst/1, keep thug/1",
        "hand/0: thug/1; discard: hacker/1 enforcer/3; stash/0: 1; coffers: 19",
    );
}

// === Speed ===

/// §8.5
#[test]
fn the_con_man_steals_one_for_each_skill_in_his_hideout() {
    both("hand/0: con-man/1", "caper con-man/1", "stash/0: 1");
    both(
        "hand/0: con-man/1; second-night/0: hacker/1 thug/1 thug/2",
        "caper con-man/1",
        "stash/0: 2",
    );
    both("hand/0: con-man/1; second-night/0: inside-man/1", "caper con-man/1", "stash/0: 2");
    both(
        "hand/0: con-man/1; second-night/0: thug/1 inside-man/1; third-night/0: mastermind/1",
        "caper con-man/1",
        "stash/0: 3",
    );
}

/// §8.9
#[test]
fn the_wheelman_advances_time_once_more() {
    both(
        "hand/0: wheelman/1; second-night/0: thief/1; third-night/0: thug/1 hacker/1",
        "caper wheelman/1",
        "second-night/0: wheelman/1; third-night/0: thief/1; hand/0: hacker/1 thug/1; \
         announced: caper time-advances",
    );
    both(
        "hand/0: wheelman/1; third-night/0: 1",
        "caper wheelman/1",
        "coffers: 21; third-night/0: 0",
    );
}

/// §8.10, §8.11
#[test]
fn after_a_femme_fatale_a_second_card_may_be_played_and_time_advances_first() {
    let scene =
        "hand/0: femme-fatale/1 thief/1 thief/2; second-night/0: hacker/1; third-night/0: thug/1";
    both(scene, "caper femme-fatale/1", "asked: second-caper; first-night/0: femme-fatale/1");
    both(
        scene,
        "caper femme-fatale/1, caper thief/1",
        "first-night/0: thief/1; second-night/0: femme-fatale/1; third-night/0: hacker/1; \
         hand/0: thief/2 thug/1; stash/0: 2; turn: 1",
    );
    both(
        scene,
        "caper femme-fatale/1, decline",
        "first-night/0: femme-fatale/1; second-night/0: hacker/1; third-night/0: thug/1; turn: 1",
    );
}

/// §8.11
#[test]
fn the_example_of_the_rulebooks_on_the_femme_fatale() {
    // The card that began the turn in the first night ends it in the third; the others return.
    both(
        "hand/0: burglar/2; hand/1: femme-fatale/1 thief/2; first-night/1: hacker/1; \
         second-night/1: thug/1; third-night/1: burglar/1",
        "caper burglar/2, caper femme-fatale/1, caper thief/2",
        "first-night/1: thief/2; second-night/1: femme-fatale/1; third-night/1: hacker/1; \
         refresh-area/1:; hand/1: burglar/1 thug/1; turn: 0",
    );
}

/// §8.11
#[test]
fn a_card_that_a_second_play_pushes_out_cannot_be_that_play() {
    both(
        "hand/0: femme-fatale/1 thief/1; third-night/0: thug/1",
        "caper femme-fatale/1, caper thug/1",
        "refused: not-in-hand",
    );
}

/// §8.10
#[test]
fn femmes_fatales_chain_until_the_hand_is_empty() {
    let scene = "hand/0: femme-fatale/1 femme-fatale/2 thief/1";
    both(scene, "caper femme-fatale/1, caper femme-fatale/2", "asked: second-caper");
    both(
        scene,
        "caper femme-fatale/1, caper femme-fatale/2, caper thief/1",
        "first-night/0: thief/1; second-night/0: femme-fatale/2; third-night/0: femme-fatale/1; turn: 1",
    );
    both("hand/0: femme-fatale/1", "caper femme-fatale/1", "turn: 1");
}

/// §8.3
#[test]
fn the_burglar_steals_three() {
    both("hand/0: burglar/1", "caper burglar/1", "stash/0: 3; coffers: 17");
}

/// §8.4
#[test]
fn the_hacker_steals_two_or_three_with_a_job_completed() {
    both("hand/0: hacker/1", "caper hacker/1", "stash/0: 2");
    both("hand/0: hacker/1; completed-jobs/0: blue-1", "caper hacker/1", "stash/0: 3");
    both("hand/0: hacker/1; completed-jobs/1: blue-1", "caper hacker/1", "stash/0: 2");
}

// === Brawn ===

/// §4.3, §8.6
#[test]
fn the_middle_man_steals_from_an_opponent_then_from_the_coffers() {
    let scene = "seats: 3; hand/0: middle-man/1; stash/1: 2; stash/2: 2";
    both(scene, "caper middle-man/1", "asked: rob; coffers: 20");
    both(scene, "caper middle-man/1, rob 1", "stash/0: 2; stash/1: 1; coffers: 19");
}

const THUG: &str = "seats: 3; hand/0: thug/1 hacker/1 mastermind/1 inside-man/1; stash/1: 5; stash/2: 5; \
                    first-night/1: burglar/1; second-night/1: thief/2; third-night/1: con-man/1 thug/2; \
                    first-night/2: inside-man/2; second-night/2: recruiter/1";

/// §8.12, §8.13
#[test]
fn the_thug_steals_for_each_lone_card_of_his_partners_skill() {
    both(
        THUG,
        "caper thug/1",
        "asked: choose/team-up; choices: mastermind/1 hacker/1 inside-man/1",
    );
    both(
        THUG,
        "caper thug/1, team-up hacker/1",
        "stash/0: 3; stash/1: 3; stash/2: 4; first-night/0: hacker/1 thug/1; announced: targets/speed",
    );
}

/// §3.7, §8.13
#[test]
fn cards_in_teams_and_coins_do_not_count_for_the_thug() {
    both(
        "hand/0: thug/1 hacker/1; stash/1: 5; first-night/1: con-man/1 hacker/2; second-night/1: 1; \
         third-night/1: burglar/1",
        "caper thug/1",
        "stash/0: 1; stash/1: 4",
    );
}

/// §8.14
#[test]
fn a_targeted_inside_man_counts_as_every_skill() {
    both(THUG, "caper thug/1, team-up mastermind/1", "stash/0: 2; stash/1: 5; stash/2: 3");
}

/// §8.14
#[test]
fn an_inside_man_beside_the_thug_shows_the_named_skill() {
    both(THUG, "caper thug/1, team-up inside-man/1", "asked: name-skill; stash/0: 0");
    both(
        THUG,
        "caper thug/1, team-up inside-man/1, name brain",
        "stash/0: 2; announced: targets/brain",
    );
    both(THUG, "caper thug/1, team-up inside-man/1, name brawn", "stash/0: 1; stash/2: 4");
    both(THUG, "caper thug/1, team-up inside-man/1, rob 1", "refused: decide-first");
}

/// §8.12
#[test]
fn the_text_of_the_thugs_partner_is_ignored() {
    both("hand/0: thug/1 burglar/1", "caper thug/1", "stash/0: 0; coffers: 20; turn: 1");
}

/// §8.7
#[test]
fn the_enforcer_steals_three_from_the_richest() {
    let scene = "seats: 3; hand/0: enforcer/1; stash/0: 9";
    both(
        &format!("{scene}; stash/1: 5; stash/2: 4"),
        "caper enforcer/1",
        "stash/0: 12; stash/1: 2",
    );
    let tied = format!("{scene}; stash/1: 5; stash/2: 5");
    both(&tied, "caper enforcer/1", "asked: rob");
    both(&tied, "caper enforcer/1, rob 2", "stash/2: 2; stash/1: 5");
    let four = "seats: 4; hand/0: enforcer/1; stash/1: 5; stash/2: 4; stash/3: 5";
    both(four, "caper enforcer/1, rob 2", "refused: not-a-choice");
}

/// §8.8
#[test]
fn the_extortionist_steals_one_from_each_or_two_from_the_only_opponent() {
    both(
        "seats: 3; hand/0: extortionist/1; stash/1: 2; stash/2: 2",
        "caper extortionist/1",
        "stash/0: 2; stash/1: 1; stash/2: 1",
    );
    both("hand/0: extortionist/1; stash/1: 2", "caper extortionist/1", "stash/0: 2; stash/1: 0");
}

/// §8.19, §8.23
#[test]
fn the_kidnapper_abducts_a_lone_card_that_is_no_ringleader() {
    let scene = "seats: 3; hand/0: kidnapper/1; first-night/1: hacker/1; second-night/1: thug/1 thug/2; \
                 third-night/1: thief/2; third-night/2: inside-man/1";
    both(scene, "caper kidnapper/1", "choices: hacker/1 inside-man/1");
    both(scene, "caper kidnapper/1, abduct hacker/1", "hand/0: hacker/1; turn: 1");
    both(scene, "caper kidnapper/1, abduct thief/2", "refused: loyal");
    both(scene, "caper kidnapper/1, abduct thug/1", "refused: not-a-choice");
}

// === The Inside Man ===

const INSIDE: &str = "hand/0: inside-man/1; stash/1: 5; first-night/1: burglar/1; \
                      second-night/1: thug/1 hacker/1; third-night/1: thief/2";

/// §8.21, §8.22
#[test]
fn the_inside_man_takes_a_cards_place_and_its_action_is_performed() {
    both(INSIDE, "caper inside-man/1", "choices: burglar/1 hacker/1 thug/1");
    both(
        INSIDE,
        "caper inside-man/1, exchange burglar/1",
        "first-night/0: burglar/1; second-night/1: inside-man/1; stash/0: 3",
    );
}

/// §4.4, §8.28
#[test]
fn the_inside_man_may_decline_even_a_single_exchange() {
    let scene = "hand/0: inside-man/1; first-night/1: burglar/1";
    both(scene, "caper inside-man/1", "asked: choose/exchange; choices: burglar/1");
    both(
        scene,
        "caper inside-man/1, decline",
        "first-night/0: inside-man/1; second-night/1: burglar/1; stash/0: 0; turn: 1",
    );
}

/// §8.27, §8.28
#[test]
fn what_a_text_demands_cannot_be_declined() {
    let rob = "seats: 3; hand/0: pickpocket/1; stash/1: 5; stash/2: 4";
    both(rob, "caper pickpocket/1, decline", "refused: decide-first");
    both("hand/0: fall-guy/1 burglar/1", "caper fall-guy/1, decline", "refused: decide-first");
    both(THUG, "caper thug/1, decline", "refused: decide-first");
    let fix = "hand/0: fixer/1; second-night/0: thief/1 hacker/1";
    both(fix, "caper fixer/1, decline", "refused: decide-first");
    let abduct = "hand/0: kidnapper/1; first-night/1: hacker/1; second-night/1: thug/1";
    both(abduct, "caper kidnapper/1, decline", "refused: decide-first");
    both("hand/0: thief/1", "decline", "refused: decide-first");
}

/// §4.5, §8.21
#[test]
fn a_card_in_a_team_can_be_targeted_and_the_inside_man_joins_the_team() {
    both(
        INSIDE,
        "caper inside-man/1, exchange hacker/1",
        "first-night/0: hacker/1; third-night/1: thug/1 inside-man/1; stash/0: 2",
    );
}

/// §8.23
#[test]
fn ringleaders_are_not_exchanged() {
    both(INSIDE, "caper inside-man/1, exchange thief/2", "refused: loyal");
    both(
        "hand/0: inside-man/1; first-night/1: thief/2",
        "caper inside-man/1",
        "announced: caper nothing-comes-of-it; first-night/0: inside-man/1; turn: 1",
    );
}

/// §8.24
#[test]
fn an_inside_man_is_not_exchanged_for_an_inside_man() {
    let scene =
        "hand/0: inside-man/1; first-night/1: inside-man/2; second-night/1: burglar/1 hacker/1";
    both(scene, "caper inside-man/1", "choices: burglar/1 hacker/1");
    both(scene, "caper inside-man/1, exchange inside-man/2", "refused: not-exchanged");
    both(
        "hand/0: inside-man/1; first-night/1: inside-man/2; third-night/1: inside-man/3",
        "caper inside-man/1",
        "announced: caper nothing-comes-of-it; turn: 1",
    );
}

/// §8.22
#[test]
fn an_exchanged_femme_fatale_allows_a_second_card() {
    both(
        "hand/0: inside-man/1 burglar/1; first-night/1: femme-fatale/1",
        "caper inside-man/1, exchange femme-fatale/1, caper burglar/1",
        "first-night/0: burglar/1; second-night/0: femme-fatale/1; second-night/1: inside-man/1",
    );
}

/// §8.22
#[test]
fn an_exchanged_wheelman_advances_time() {
    both(
        "hand/0: inside-man/1 burglar/1; first-night/1: wheelman/1",
        "caper inside-man/1, exchange wheelman/1",
        "second-night/0: wheelman/1; first-night/0:; second-night/1: inside-man/1",
    );
}

/// §8.22
#[test]
fn an_exchanged_fall_guy_duplicates_and_an_exchanged_thug_teams_up() {
    both(
        "hand/0: inside-man/1 burglar/1; first-night/1: fall-guy/1",
        "caper inside-man/1, exchange fall-guy/1, duplicate burglar/1",
        "first-night/0: fall-guy/1; hand/0: burglar/1; stash/0: 3; turn: 1",
    );
    both(
        "hand/0: inside-man/1 burglar/1 recruiter/1; stash/1: 3; first-night/1: thug/1; \
         second-night/1: hacker/1",
        "caper inside-man/1, exchange thug/1, team-up burglar/1",
        "first-night/0: burglar/1 thug/1; stash/0: 2; stash/1: 1",
    );
}

/// §8.22
#[test]
fn an_exchanged_fixer_takes_back_another_card() {
    both(
        "hand/0: inside-man/1; first-night/1: fixer/1; second-night/0: thug/1; third-night/0: hacker/1",
        "caper inside-man/1, exchange fixer/1, take-back thug/1",
        "first-night/0: fixer/1; hand/0: thug/1; second-night/1: inside-man/1",
    );
}

/// §8.15
#[test]
fn a_duplicated_kidnapper_abducts() {
    both(
        "hand/0: fall-guy/1 kidnapper/1; first-night/1: hacker/1; second-night/1: burglar/1",
        "caper fall-guy/1, duplicate kidnapper/1, abduct burglar/1",
        "hand/0: burglar/1 kidnapper/1; turn: 1",
    );
}
