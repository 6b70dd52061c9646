use super::*;

// === The Coffers ===

#[test]
fn the_game_ends_when_the_last_coin_leaves_the_coffers() {
    both(
        "coffers: 2; hand/0: thief/1; refresh-area/0: hacker/1; stash/1: 1",
        "caper thief/1",
        "winners: 0; scores: 2 1; asked:; announced: caper coffers-empty",
    );
}

#[test]
fn a_theft_takes_what_the_coffers_hold_and_nothing_follows() {
    both(
        "coffers: 1; hand/0: thief/1; refresh-area/0: hacker/1",
        "caper thief/1",
        "scores: 1 0; refresh-area/0: hacker/1; turn: 0",
    );
}

#[test]
fn the_game_ends_in_the_middle_of_an_effect() {
    both(
        "coffers: 1; hand/0: middle-man/1; stash/1: 3",
        "caper middle-man/1",
        "scores: 2 2; winners: 1; coffers: 0",
    );
    both(
        "coffers: 1; hand/0: analyst/1; deck: hacker/1 thug/1 thug/2",
        "caper analyst/1",
        "asked: choose/keep; winners:",
    );
    both(
        "coffers: 1; hand/0: analyst/1; deck: hacker/1 thug/1; discard: thug/2",
        "caper analyst/1, keep hacker/1",
        "winners: 0; scores: 1 0; hand/0: hacker/1; discard: thug/1 thug/2",
    );
}

#[test]
fn no_second_caper_follows_the_end() {
    both(
        "coffers: 3; hand/0: femme-fatale/1 burglar/1 thief/1",
        "caper femme-fatale/1, caper burglar/1",
        "winners: 0; asked:; second-night/0: femme-fatale/1",
    );
}

#[test]
fn a_job_whose_reward_empties_the_coffers_is_completed() {
    both(
        "coffers: 2; hand/0: thief/1 hacker/1 burglar/1; completed-jobs/0: green-2",
        "job green-1 thief/1 hacker/1 burglar/1",
        "completed-jobs/0: green-1 green-2; winners: 0; scores: 4 0; announced: job coffers-empty bonus/green",
    );
}

// === The jobs ===

#[test]
fn the_game_ends_when_all_jobs_have_been_completed() {
    both(
        "hand/0: thief/1 hacker/1 burglar/1; jobs/green: green-1; stash/1: 1",
        "job green-1 thief/1 hacker/1 burglar/1",
        "winners: 0; scores: 3 1; announced: job jobs-completed",
    );
    both(
        "seats: 3; hand/0: thief/1 hacker/1 thug/1; jobs/yellow: yellow-1; stash/1: 5",
        "job yellow-1 thief/1 hacker/1 thug/1",
        "asked: rob; winners:",
    );
}

// === The deck ===

#[test]
fn an_empty_deck_is_made_anew_from_the_discards() {
    both(
        "hand/0: recruiter/1; deck: hacker/1; discard: thug/1",
        "caper recruiter/1, ",
        "hand/0: hacker/1 thug/1; discard:",
    );
    both(
        "hand/0: mastermind/1; deck: hacker/1; discard: thug/1 burglar/1 burglar/2",
        "caper mastermind/1",
        "asked: choose/keep; announced: caper new-deck",
    );
    both(
        "hand/0: thief/1; deck:; discard: thug/1",
        "caper thief/1",
        "turn: 1; deck:; discard: thug/1",
    );
}

// === Scores ===

#[test]
fn bonuses_count_once_for_each_colour() {
    let green = "completed-jobs/0: green-1 green-2 blue-1 blue-2 blue-3 red-1";
    both(
        &format!("coffers: 2; hand/0: thief/1; stash/0: 1; {green}"),
        "caper thief/1",
        "scores: 9 0; announced: caper coffers-empty bonus/blue bonus/green",
    );
}

// === Ties ===

const TIED: &str = "coffers: 2; hand/0: thief/1; stash/1: 2";

#[test]
fn of_the_richest_who_has_completed_most_jobs_wins() {
    both(
        &format!("{TIED}; completed-jobs/1: blue-1"),
        "caper thief/1",
        "winners: 1; scores: 2 2; announced: caper coffers-empty tie-on-jobs tie-on-jobs",
    );
    both(
        &format!("{TIED}; completed-jobs/0: blue-1 green-1; completed-jobs/1: red-1"),
        "caper thief/1",
        "winners: 0",
    );
}

#[test]
fn then_who_has_fewest_people_in_hand_hideout_and_refresh_area() {
    let one = "caper thief/1";
    both(&format!("{TIED}; hand/1: hacker/1 thug/1"), one, "winners: 0");
    both(&format!("{TIED}; first-night/1: hacker/1 thug/1"), one, "winners: 0");
    both(&format!("{TIED}; refresh-area/1: hacker/1 thug/1"), one, "winners: 0");
    both(&format!("{TIED}; hand/0: thief/1 hacker/1; hand/1: thug/1"), one, "winners: 1");
    both(&format!("{TIED}; refresh-area/0: hacker/1; hand/1: thug/1"), one, "winners: 1");
}

#[test]
fn a_tie_that_remains_is_a_shared_win() {
    both(&format!("{TIED}; hand/1: thug/1"), "caper thief/1", "winners: 0 1; scores: 2 2");
}

#[test]
fn coins_in_a_night_are_no_people() {
    both(&format!("{TIED}; first-night/0: 1; hand/1: thug/1"), "caper thief/1", "winners: 0 1");
}
