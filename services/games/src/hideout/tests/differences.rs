//! Each test puts one scene or one question to both games.

use super::*;

/// Compares the answers of both games to the same question.
#[track_caller]
fn answers<T: PartialEq + Debug>(grifters: T, rat: T, then: (T, T)) {
    assert_eq!((grifters, rat), then);
}

/// §1.4
#[test]
fn the_names_for_money() {
    let words = |layout: &Layout| {
        (layout.coins()[0].name.clone(), layout.place_name(Coffers.into()).to_string())
    };
    answers(
        words(Grifters::layout()),
        words(YouDirtyRat::layout()),
        (("isk-token".into(), "coffers".into()), ("hundred".into(), "town-stash".into())),
    );
}

#[test]
fn the_names_for_jobs_skills_and_capers() {
    fn words<G: Ruleset>() -> [String; 4] {
        let layout = G::layout();
        let skill = layout.pieces()[0].facets[1].value.to_string();
        [
            layout.place_name(Jobs(Colour::Blue).into()).into(),
            layout.pieces()[0].facets[1].name.into(),
            skill,
            Hideout::<G>::verb(&action("caper thief/1")).into(),
        ]
    }
    answers(
        words::<Grifters>(),
        words::<YouDirtyRat>(),
        (
            ["jobs/blue", "skill", "brain", "perform-caper"].map(String::from),
            ["heists/blue", "archetype", "blue", "play-specialist"].map(String::from),
        ),
    );
}

/// §10.2, §10.6, §10.7
#[test]
fn the_bonus_for_four_of_a_colour() {
    let with = |jobs: &str| format!("coffers: 2; hand/0: thief/1; completed-jobs/0: {jobs}");
    for (jobs, grifters, rat) in [
        ("red-1", "scores: 2 0", "scores: 2 0"),
        ("red-1 red-2", "scores: 4 0", "scores: 4 0"),
        ("red-1 red-2 red-3", "scores: 6 0", "scores: 6 0"),
        ("red-1 red-2 red-3 red-4", "scores: 10 0", "scores: 9 0"),
    ] {
        check::<Grifters>(&with(jobs), "caper thief/1", grifters);
        check::<YouDirtyRat>(&with(jobs), "caper thief/1", rat);
    }
}

/// §2.7, §2.8
#[test]
fn the_deck_of_a_match_of_two_seats() {
    fn deck<G: Ruleset>() -> (usize, usize) {
        let (table, _) = opened::<G>(2, &[], 1).expect("the defaults fit");
        let specialists = Person::all().filter(|card| !card.is_ringleader());
        (table.count(Deck), specialists.filter(|&card| table.lies(card, Box)).count())
    }
    answers(deck::<Grifters>(), deck::<YouDirtyRat>(), ((42, 0), (26, 16)));
}

/// §9.4, §9.5
#[test]
fn the_end_by_an_exhausted_deck() {
    // The draw empties both piles. Grifters ends; You Dirty Rat ends at the next draw.
    let scene = "hand/0: recruiter/1; deck: hacker/1 thug/1; hand/1: recruiter/2";
    check::<Grifters>(
        scene,
        "caper recruiter/1",
        "announced: caper deck-out stash-holds stash-holds tie-on-jobs tie-on-jobs tie-on-people \
         tie-on-people; winners: 1",
    );
    check::<YouDirtyRat>(scene, "caper recruiter/1", "turn: 1; winners:");
    check::<YouDirtyRat>(
        &format!("{scene}; stash/0: 1"),
        "caper recruiter/1, caper recruiter/2",
        "announced: caper deck-out stash-holds stash-holds; winners: 0",
    );
}

/// §7.4, §9.5
#[test]
fn a_draw_of_more_cards_than_are_left() {
    let ends = "asked:; winners: 1; announced: caper deck-out stash-holds stash-holds; \
                cards drawn-cards/0: 2";
    both("hand/0: mastermind/1; deck: hacker/1 thug/1; stash/1: 1", "caper mastermind/1", ends);
    // Three cards for three: Grifters ends with the last one, You Dirty Rat has drawn them all.
    let three = "hand/0: mastermind/1; deck: hacker/1 thug/1 burglar/1; stash/1: 1";
    check::<Grifters>(three, "caper mastermind/1", "asked:; winners: 1; discard:");
    check::<YouDirtyRat>(three, "caper mastermind/1", "asked: choose/keep; winners:");
}

/// §5.6
#[test]
fn a_job_that_draws_the_last_card_is_completed_in_both() {
    let scene = "hand/0: mastermind/1 fixer/1 forger/1 thief/1; jobs/blue: blue-2; jobs/red: red-1; deck: hacker/1";
    let act = "job blue-2 mastermind/1 fixer/1 forger/1 thief/1";
    // The draw ends the game before the coin of the reward.
    both(scene, act, "completed-jobs/0: blue-2; stash/0: 0; winners: 0");
}

/// §3.8, §3.9
#[test]
fn whether_a_lone_thug_can_be_played() {
    // A lone Thug can be played in Grifters, for no effect, but not in You Dirty Rat.
    let scene = "hand/0: thug/1; stash/0: 3; stash/1: 3; first-night/1: hacker/1";
    check::<Grifters>(scene, "pass", "refused: must-play");
    check::<Grifters>(
        scene,
        "caper thug/1",
        "first-night/0: thug/1; announced: caper nothing-comes-of-it; stash/0: 3",
    );
    check::<YouDirtyRat>(scene, "caper thug/1", "refused: no-partner");
    check::<YouDirtyRat>(
        scene,
        "pass",
        "first-night/0: 1; stash/0: 2; hand/0: thug/1; announced: cannot-play",
    );
    // Two of them are a team in both.
    both("hand/0: thug/1 thug/2", "caper thug/1", "first-night/0: thug/1 thug/2");
}

/// §3.5, §6.1
#[test]
fn a_coin_is_placed_after_time_has_advanced_in_both() {
    both(
        "hand/0: thief/1; hand/1:; stash/1: 1; third-night/1: hacker/1; second-night/1: 1",
        "caper thief/1",
        "turn: 1; asked: turn; refresh-area/1: hacker/1; third-night/1: 1",
    );
    both(
        "hand/0: thief/1; hand/1:; stash/1: 1; third-night/1: hacker/1",
        "caper thief/1, pass",
        "first-night/1: 1; hand/1: hacker/1",
    );
}

/// §3.3
#[test]
fn the_first_turn_advances_nothing_in_either() {
    fn moved<G: Ruleset>() -> usize {
        let (table, _) = opened::<G>(3, &[], 1).expect("the defaults fit");
        table.seats().flat_map(hideout).map(|night| table.count(night)).sum()
    }
    answers(moved::<Grifters>(), moved::<YouDirtyRat>(), (0, 0));
}

/// §1.7, §1.8
#[test]
fn the_reward_of_the_first_blue_job() {
    let scene = "hand/0: mastermind/1 fixer/1 forger/1; deck: hacker/1 thug/1; discard: thug/2";
    let act = "job blue-1 mastermind/1 fixer/1 forger/1";
    check::<Grifters>(scene, act, "deck:; hand/0: hacker/1 thug/1");
    let left = |deck: &str| scene.replace("deck: hacker/1 thug/1", deck);
    check::<YouDirtyRat>(&left("deck: hacker/1"), act, "hand/0: hacker/1; discard: thug/2; deck:");
}

/// §8.25, §8.26
#[test]
fn what_may_follow_a_femme_fatale() {
    let scene = "hand/0: femme-fatale/1 thief/1 hacker/1 burglar/1";
    let act = "caper femme-fatale/1, job green-1 thief/1 hacker/1 burglar/1";
    both(scene, act, "refused: decide-first");
    // An option of You Dirty Rat allows a heist there as well.
    let allowed = [("second-play", "specialist-or-heist")];
    let (table, _) = opened::<YouDirtyRat>(2, &allowed, 1).expect("it is allowed");
    assert!(table.is_marked(Mark::SecondJob));
    assert!(opened::<Grifters>(2, &allowed, 1).is_err());
    check::<YouDirtyRat>(
        &format!("{scene}; second-job: 1"),
        act,
        "completed-jobs/0: green-1; second-night/0: femme-fatale/1; stash/0: 3; turn: 1",
    );
}

/// §8.23
#[test]
fn ringleaders_are_not_exchanged_in_both() {
    let scene = "hand/0: inside-man/1; first-night/1: thief/2; second-night/1: hacker/1 burglar/1";
    both(scene, "caper inside-man/1, exchange thief/2", "refused: loyal");
    both(scene, "caper inside-man/1, exchange hacker/1", "stash/0: 2");
}

/// §4.5, §8.19
#[test]
fn a_team_is_two_or_more_cards_in_one_night_in_both() {
    let scene = "hand/0: kidnapper/1; first-night/1: hacker/1; second-night/1: burglar/1 thug/1";
    both(scene, "caper kidnapper/1", "hand/0: hacker/1; third-night/1: burglar/1 thug/1");
}

/// §4.1, §8.5
#[test]
fn a_card_is_placed_before_its_text_is_resolved_in_both() {
    both("hand/0: con-man/1", "caper con-man/1", "stash/0: 1; first-night/0: con-man/1");
}

/// §3.4
#[test]
fn a_seat_that_can_play_must_play_in_both() {
    both("hand/0: thief/1", "pass", "refused: must-play");
}
