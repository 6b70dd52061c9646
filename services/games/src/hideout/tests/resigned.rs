use super::*;

/// §11.1
#[test]
fn the_last_contender_wins_and_no_scores_are_recorded() {
    both("hand/0: thief/1; stash/1: 9", "0 resign", "winners: 1; scores: 0 0; asked:");
    both("hand/0: thief/1; stash/1: 9", "1 resign", "winners: 0; scores: 0 0; asked:");
    both("seats: 3; hand/0: thief/1", "2 resign", "winners:; asked: turn; turn: 0");
}

/// §11.2
#[test]
fn the_house_plays_for_a_seat_that_resigned() {
    let scene = "seats: 3; hand/0: thief/1; hand/1: burglar/1; hand/2: thief/3";
    both(scene, "1 resign, caper thief/1", "turn: 2; first-night/1: burglar/1; stash/1: 3");
    both(scene, "0 resign", "turn: 1; first-night/0: thief/1; stash/0: 2");
    let chooses = "seats: 3; hand/0: pickpocket/1; stash/1: 5; stash/2: 5; hand/1: thief/2";
    both(chooses, "caper pickpocket/1, 0 resign", "turn: 1; asked: turn; stash/0: 2");
}

/// §8.8, §11.2
#[test]
fn a_seat_that_resigned_is_still_an_opponent() {
    both(
        "seats: 3; hand/0: extortionist/1; stash/1: 5; stash/2: 5; hand/1: thief/2",
        "2 resign, caper extortionist/1",
        "stash/0: 2; stash/1: 4; stash/2: 4; turn: 1",
    );
    both(
        "seats: 3; hand/0: enforcer/1; stash/1: 5; stash/2: 9; hand/1: thief/2",
        "2 resign, caper enforcer/1",
        "stash/0: 3; stash/1: 5; stash/2: 6",
    );
}

/// §11.2
#[test]
fn a_seat_that_resigned_cannot_win() {
    both(
        "seats: 3; coffers: 2; hand/0: thief/1; stash/1: 1; stash/2: 9",
        "2 resign, caper thief/1",
        "winners: 0; scores: 2 1 9",
    );
    // Nor does it take part in a tie.
    both(
        "seats: 3; coffers: 2; hand/0: thief/1; stash/2: 2; completed-jobs/2: blue-1",
        "2 resign, caper thief/1",
        "winners: 0; announced: caper coffers-empty stash-holds stash-holds stash-holds",
    );
}
