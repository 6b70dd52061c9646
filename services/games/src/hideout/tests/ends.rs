use super::*;

// === The Coffers ===

/// §9.1
#[test]
fn the_game_ends_when_the_last_coin_leaves_the_coffers() {
    both(
        "coffers: 2; hand/0: thief/1; refresh-area/0: hacker/1; stash/1: 1",
        "caper thief/1",
        "winners: 0; scores: 2 1; asked:; announced: caper coffers-empty stash-holds stash-holds",
    );
}

/// §7.2, §9.3
#[test]
fn a_theft_takes_what_the_coffers_hold_and_nothing_follows() {
    both(
        "coffers: 1; hand/0: thief/1; refresh-area/0: hacker/1",
        "caper thief/1",
        "scores: 1 0; refresh-area/0: hacker/1; turn: 0",
    );
}

/// §9.1, §9.3
#[test]
fn the_game_ends_in_the_middle_of_a_text() {
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

/// §9.3
#[test]
fn no_second_caper_follows_the_end() {
    both(
        "coffers: 3; hand/0: femme-fatale/1 burglar/1 thief/1",
        "caper femme-fatale/1, caper burglar/1",
        "winners: 0; asked:; second-night/0: femme-fatale/1",
    );
}

/// §5.6
#[test]
fn a_job_whose_reward_empties_the_coffers_is_completed() {
    both(
        "coffers: 2; hand/0: thief/1 hacker/1 burglar/1; completed-jobs/0: green-2",
        "job green-1 thief/1 hacker/1 burglar/1",
        "completed-jobs/0: green-1 green-2; winners: 0; scores: 4 0; \
         announced: job coffers-empty stash-holds bonus/green stash-holds",
    );
}

// === The jobs ===

/// §9.2
#[test]
fn the_game_ends_when_all_jobs_have_been_completed() {
    both(
        "hand/0: thief/1 hacker/1 burglar/1; jobs/green: green-1; stash/1: 1",
        "job green-1 thief/1 hacker/1 burglar/1",
        "winners: 0; scores: 3 1; announced: job jobs-completed stash-holds stash-holds",
    );
    both(
        "seats: 3; hand/0: thief/1 hacker/1 thug/1; jobs/yellow: yellow-1; stash/1: 5",
        "job yellow-1 thief/1 hacker/1 thug/1",
        "asked: rob; winners:",
    );
}

// === The deck ===

/// §7.1
#[test]
fn the_discard_pile_becomes_the_deck_when_a_card_must_be_drawn() {
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

/// §10.1, §10.2
#[test]
fn each_colour_gives_one_bonus() {
    let green = "completed-jobs/0: green-1 green-2 blue-1 blue-2 blue-3 red-1";
    both(
        &format!("coffers: 2; hand/0: thief/1; stash/0: 1; {green}"),
        "caper thief/1",
        "scores: 9 0; announced: caper coffers-empty stash-holds bonus/blue bonus/green stash-holds",
    );
}

// === Ties ===

const TIED: &str = "coffers: 2; hand/0: thief/1; stash/1: 2";

/// §10.3
#[test]
fn a_tie_is_broken_by_the_most_jobs() {
    both(
        &format!("{TIED}; completed-jobs/1: blue-1"),
        "caper thief/1",
        "winners: 1; scores: 2 2; announced: caper coffers-empty stash-holds stash-holds tie-on-jobs \
         tie-on-jobs",
    );
    both(
        &format!("{TIED}; completed-jobs/0: blue-1 green-1; completed-jobs/1: red-1"),
        "caper thief/1",
        "winners: 0",
    );
}

/// §10.4
#[test]
fn a_second_tie_is_broken_by_the_fewest_people_in_hand_hideout_and_refresh_area() {
    let one = "caper thief/1";
    both(&format!("{TIED}; hand/1: hacker/1 thug/1"), one, "winners: 0");
    both(&format!("{TIED}; first-night/1: hacker/1 thug/1"), one, "winners: 0");
    both(&format!("{TIED}; refresh-area/1: hacker/1 thug/1"), one, "winners: 0");
    both(&format!("{TIED}; hand/0: thief/1 hacker/1; hand/1: thug/1"), one, "winners: 1");
    both(&format!("{TIED}; refresh-area/0: hacker/1; hand/1: thug/1"), one, "winners: 1");
}

/// §10.4
#[test]
fn drawn_cards_do_not_count_in_a_tie() {
    // The deck ends the game before one of the three is kept. With them seat 1 would win alone.
    both(
        "deck-end: deck-empty; hand/0: mastermind/1; deck: hacker/1 thug/1 thug/2; hand/1: thief/2",
        "caper mastermind/1",
        "drawn-cards/0: hacker/1 thug/1 thug/2; winners: 0 1",
    );
}

/// §10.5
#[test]
fn seats_that_are_still_tied_share_the_win() {
    both(&format!("{TIED}; hand/1: thug/1"), "caper thief/1", "winners: 0 1; scores: 2 2");
}

/// §3.7, §10.4
#[test]
fn coins_in_a_night_do_not_count_as_people() {
    both(&format!("{TIED}; first-night/0: 1; hand/1: thug/1"), "caper thief/1", "winners: 0 1");
}
