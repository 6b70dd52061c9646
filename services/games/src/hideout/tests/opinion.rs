//! How a player who does not look ahead values actions and positions.

use super::*;

/// Whether the action appeals most to seat 0 in both games.
#[track_caller]
fn likes(scene: &str, wanted: &str) {
    let wanted = action(wanted);
    assert_eq!(scene::favourite::<Hideout<Grifters>>(scene, ""), wanted, "{scene}");
    assert_eq!(scene::favourite::<Hideout<YouDirtyRat>>(scene, ""), wanted, "{scene}");
}

/// §7.2, §7.3
#[test]
fn a_player_robs_the_richest_and_otherwise_takes_most_from_the_coffers() {
    likes("hand/0: thief/1 burglar/1; stash/1: 9", "caper burglar/1");
    likes("hand/0: pickpocket/1 burglar/1; stash/1: 9", "caper pickpocket/1");
    likes("hand/0: pickpocket/1 burglar/1; stash/1: 0", "caper burglar/1");
    // A lead of two would be robbed back.
    likes("hand/0: pickpocket/1 burglar/1; stash/0: 8; stash/1: 9", "caper burglar/1");
}

/// §9.1
#[test]
fn a_player_takes_the_last_token_only_if_it_is_the_richest() {
    let scene = "coffers: 2; hand/0: thief/1 fixer/1";
    likes(&format!("{scene}; stash/0: 5; stash/1: 6"), "caper thief/1");
    likes(&format!("{scene}; stash/0: 3; stash/1: 6"), "caper fixer/1");
}

/// §5.5, §10.2
#[test]
fn a_player_completes_a_job_for_its_reward_and_for_the_bonus() {
    let hand = "hand/0: thief/1 burglar/1 hacker/1; stash/1: 0";
    likes(hand, "job green-1 thief/1 burglar/1 hacker/1");
    // The bonus for the second blue job is more than any person of the hand steals.
    let brains = "mastermind/1 recruiter/1 analyst/1 thief/1";
    let blue = "completed-jobs/0: blue-1; jobs/blue: blue-2";
    likes(&format!("hand/0: {brains}; {blue}"), &format!("job blue-2 {brains}"));
}

/// §10.1, §10.2
#[test]
fn a_position_is_worth_its_tokens_its_bonuses_and_something_for_its_people() {
    fn worth<G: Ruleset>(scene: &str) -> i32 {
        let (table, _) = scene::lay_out::<Hideout<G>>(scene);
        Hideout::<G>::worth(&table, Seat::default())
    }
    let rich = "stash/0: 4; completed-jobs/0: red-1 red-2";
    assert_eq!([worth::<Grifters>(rich), worth::<YouDirtyRat>(rich)], [6, 6]);
    let people = format!("{rich}; coffers: 40; hand/0: thief/1 burglar/1 hacker/1 thug/1");
    assert_eq!([worth::<Grifters>(&people), worth::<YouDirtyRat>(&people)], [8, 8]);
}
