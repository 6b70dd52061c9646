use super::*;

/// The house's answer, after `acts`, for the seat that is asked, in both games.
#[track_caller]
fn answers(scene: &str, acts: &str, expected: &str) {
    fn answer<G: Ruleset>(scene: &str, acts: &str) -> Option<Action> {
        let table = scene::run::<Hideout<G>>(scene, acts).table;
        let seat = table.live().next().expect("a seat is asked").seat;
        Hideout::<G>::passive(&table, seat)
    }
    let expected = (expected != "chance").then(|| action(expected));
    assert_eq!(answer::<Grifters>(scene, acts), expected, "{scene} | {acts}");
    assert_eq!(answer::<YouDirtyRat>(scene, acts), expected, "{scene} | {acts}");
}

/// §11.5
#[test]
fn a_seat_that_is_away_plays_the_card_that_touches_the_least() {
    let rich = "stash/1: 5; first-night/1: hacker/3";
    let plays = |hand: &str, act: &str| answers(&format!("{rich}; hand/0: {hand}"), "", act);
    plays("thief/1 mastermind/1 wheelman/1 pickpocket/1", "caper wheelman/1");
    plays("thief/1 mastermind/1 inside-man/1 pickpocket/1", "caper inside-man/1");
    plays("thief/1 recruiter/1 pickpocket/1", "caper recruiter/1");
    plays("thief/1 pickpocket/1 kidnapper/1", "caper thief/1");
    // A job would score, and these cards could only harm.
    plays("hacker/1 burglar/1 thief/1", "caper thief/1");
    plays("pickpocket/1 kidnapper/1 extortionist/1 enforcer/1 middle-man/1", "chance");
    // Nobody loses anything to a robber of an empty stash.
    answers("stash/1: 0; hand/0: pickpocket/1 thief/1", "", "caper pickpocket/1");
    answers("hand/0:; stash/0: 1", "", "pass");
}

/// §11.5
#[test]
fn a_seat_that_is_away_declines_what_it_may_decline() {
    answers("hand/0: femme-fatale/1 thief/1", "caper femme-fatale/1", "decline");
    let swap = "hand/0: forger/1; completed-jobs/0: blue-1; completed-jobs/1: red-1";
    answers(swap, "caper forger/1", "decline");
    answers("hand/0: inside-man/1; first-night/1: hacker/1", "caper inside-man/1", "decline");
}

/// §11.5
#[test]
fn a_seat_that_is_away_harms_nobody_where_it_has_a_choice() {
    let rob = "seats: 3; hand/0: pickpocket/1; stash/1: 5";
    answers(&format!("{rob}; stash/2: 0"), "caper pickpocket/1", "rob 2");
    answers(&format!("{rob}; stash/2: 1"), "caper pickpocket/1", "chance");
    let thug = "hand/0: thug/1 hacker/1 mastermind/1 inside-man/1; stash/1: 5";
    answers(&format!("{thug}; first-night/1: burglar/1"), "caper thug/1", "team-up mastermind/1");
    answers(&format!("{thug}; first-night/1: inside-man/2"), "caper thug/1", "chance");
    let named = "caper thug/1, team-up inside-man/1";
    answers(&format!("{thug}; first-night/1: analyst/1"), named, "name speed");
    answers(&format!("{thug}; first-night/1: inside-man/2"), named, "chance");
    let guy = "hand/0: fall-guy/1 pickpocket/1 burglar/1; stash/1: 5";
    answers(guy, "caper fall-guy/1", "duplicate burglar/1");
    answers("hand/0: fall-guy/1 pickpocket/1; stash/1: 5", "caper fall-guy/1", "chance");
}

/// §11.5
#[test]
fn chance_answers_what_touches_no_seat_or_harms_one_in_any_case() {
    let keep = "hand/0: mastermind/1; deck: hacker/1 thug/1 burglar/1; discard: enforcer/3";
    answers(keep, "caper mastermind/1", "chance");
    let fix = "hand/0: fixer/1; second-night/0: thief/1 hacker/1";
    answers(fix, "caper fixer/1", "chance");
    let abduct = "hand/0: kidnapper/1; first-night/1: hacker/1; second-night/1: thug/1";
    answers(abduct, "caper kidnapper/1", "chance");
}
