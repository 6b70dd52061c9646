use super::*;

const OTHERS_TURN: &str = "hand/1: thief/2";

// === The turn ===

/// §3.1
#[test]
fn a_turn_advances_time_then_plays_then_refreshes_and_passes_clockwise() {
    let scene =
        "seats: 3; hand/0: thief/1; hand/1: thief/2; hand/2: thief/3; third-night/1: hacker/1";
    both(scene, "caper thief/1", "turn: 1; refresh-area/1: hacker/1; hand/1: thief/2");
    both(
        scene,
        "caper thief/1, caper thief/2",
        "turn: 2; refresh-area/1:; hand/1: hacker/1; first-night/1: thief/2",
    );
    both(scene, "caper thief/1, caper thief/2, caper thief/3", "turn: 0");
}

// === Advance time ===

/// §3.2
#[test]
fn time_moves_every_card_forward_a_night() {
    both(
        &format!(
            "{OTHERS_TURN}; hand/0: thief/1; first-night/1: hacker/1; second-night/1: thug/1 thug/2; \
             third-night/1: burglar/1"
        ),
        "caper thief/1",
        "turn: 1; first-night/1:; second-night/1: hacker/1; third-night/1: thug/1 thug/2; \
         refresh-area/1: burglar/1; hand/1: thief/2",
    );
}

/// §3.3
#[test]
fn on_a_first_turn_there_is_nothing_to_move() {
    fn holds<G: Ruleset>() {
        let (_, entry) = opened::<G>(4, &[], 1).expect("the defaults fit");
        let nights = |place: table::PlaceId| {
            matches!(place.to(), Some(FirstNight(_) | SecondNight(_) | ThirdNight(_)))
        };
        assert!(entry.events.iter().all(|event| match *event {
            Event::Moved { from, .. } | Event::Gathered { from, .. } => !nights(from),
            _ => true,
        }));
    }
    holds::<Grifters>();
    holds::<YouDirtyRat>();
}

// === Play specialists ===

/// §3.4, §4.1
#[test]
fn one_card_is_played_into_the_first_night() {
    both(
        "hand/0: thief/1 hacker/1",
        "caper thief/1",
        "first-night/0: thief/1; hand/0: hacker/1; stash/0: 2; coffers: 18; turn: 1; announced: caper",
    );
}

/// §4.1
#[test]
fn ringleaders_perform_capers_like_specialists() {
    both("hand/0: pickpocket/1; stash/1: 5", "caper pickpocket/1", "stash/0: 2; stash/1: 3");
}

/// §4.2
#[test]
fn a_card_outside_the_hand_is_refused() {
    both("hand/0: thief/1", "caper hacker/1", "refused: not-in-hand");
    both("hand/0: thief/1; hand/1: hacker/1", "caper hacker/1", "refused: not-in-hand");
    both("hand/0: thief/1; first-night/0: hacker/1", "caper hacker/1", "refused: not-in-hand");
    let team = "job green-1 thief/1 hacker/1 burglar/1";
    both("hand/0: thief/1 hacker/1", team, "refused: not-in-hand");
}

/// §3.4
#[test]
fn a_seat_that_can_play_must_play() {
    both("hand/0: thief/1; stash/0: 3", "pass", "refused: must-play");
    both("hand/0: fall-guy/1", "pass", "refused: must-play");
}

/// §3.5
#[test]
fn a_seat_without_a_card_puts_a_coin_into_the_first_night() {
    both("stash/0: 3", "pass", "stash/0: 2; first-night/0: 1; turn: 1; announced: cannot-play");
}

/// §3.6
#[test]
fn the_coin_advances_like_a_card_and_returns_to_the_coffers() {
    let scene = "stash/0: 1; refresh-area/0: thief/1; hand/1: thief/2 mastermind/2";
    both(scene, "pass", "hand/0: thief/1; first-night/0: 1");
    let one = "pass, caper thief/2";
    both(scene, one, "turn: 0; first-night/0: 0; second-night/0: 1");
    let scene = "stash/0: 1; hand/1: burglar/1 burglar/2 burglar/3 hacker/1";
    let three = "pass, caper burglar/1, pass, caper burglar/2, pass, caper burglar/3";
    both(scene, three, "second-night/0: 0; third-night/0: 0; coffers: 12; stash/0: 0");
    let two = "pass, caper burglar/1, pass, caper burglar/2";
    both(scene, two, "third-night/0: 1; coffers: 14");
}

/// §3.5
#[test]
fn a_seat_with_neither_card_nor_coin_places_nothing() {
    both(
        "stash/0: 0; refresh-area/0: thief/1",
        "pass",
        "first-night/0: 0; hand/0: thief/1; turn: 1",
    );
}

/// §3.7
#[test]
fn coins_in_a_night_cannot_be_stolen_and_are_nobodys_points() {
    both(
        "seats: 2; hand/0: pickpocket/1; first-night/1: 2; stash/1: 1",
        "caper pickpocket/1",
        "stash/0: 1; stash/1: 0; first-night/1: 0; second-night/1: 2",
    );
    both(
        "coffers: 2; hand/0: thief/1; first-night/1: 2; stash/1: 1",
        "caper thief/1",
        "scores: 2 1; winners: 0",
    );
}

/// §4.2
#[test]
fn cards_in_the_refresh_area_are_not_playable() {
    both("hand/0: thief/1; refresh-area/0: hacker/1", "caper hacker/1", "refused: not-in-hand");
}

/// §1.5
#[test]
fn the_refresh_area_is_not_part_of_the_hideout() {
    both("hand/0: con-man/1; refresh-area/0: mastermind/1 thug/1", "caper con-man/1", "stash/0: 1");
    both(
        "seats: 2; hand/0: kidnapper/1; refresh-area/1: hacker/1",
        "caper kidnapper/1",
        "announced: caper nothing-comes-of-it; hand/1:",
    );
}

/// §6.2
#[test]
fn there_is_no_hand_limit() {
    both(
        "hand/0: recruiter/1 thief/1 hacker/1 hacker/2 hacker/3 burglar/1 burglar/2 burglar/3 \
         con-man/1 con-man/2 con-man/3; deck: analyst/1 analyst/2 thug/1",
        "caper recruiter/1",
        "turn: 1; announced: caper",
    );
}

// === Refresh ===

/// §3.1, §6.1
#[test]
fn the_refresh_area_returns_to_the_hand_at_the_end_of_a_turn() {
    both(
        "hand/0: thief/1; refresh-area/0: hacker/1 thug/1",
        "caper thief/1",
        "hand/0: hacker/1 thug/1; refresh-area/0:; turn: 1",
    );
}

/// §3.2, §6.1
#[test]
fn a_card_returns_after_three_nights() {
    let scene = "hand/0: thief/1 hacker/1 hacker/2 hacker/3; \
                 hand/1: thief/2 burglar/1 burglar/2 burglar/3; coffers: 40";
    let two = "caper thief/1, caper thief/2, caper hacker/1, caper burglar/1";
    both(scene, two, "turn: 0; third-night/0: thief/1; second-night/0: hacker/1");
    let three = format!("{two}, caper hacker/2, caper burglar/2");
    both(scene, &three, "turn: 0; refresh-area/0: thief/1; hand/0: hacker/3");
    both(scene, &format!("{three}, caper thief/1"), "refused: not-in-hand");
    both(scene, &format!("{three}, caper hacker/3"), "turn: 1; hand/0: thief/1; refresh-area/0:");
}
