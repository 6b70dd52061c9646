use super::*;

/// §5.2
#[test]
fn a_team_has_exactly_the_skills_of_the_job() {
    let scene = "hand/0: thief/1 hacker/1 burglar/1 thug/1 mastermind/1 inside-man/1 inside-man/2 inside-man/3";
    both(scene, "job green-1 thief/1 hacker/1", "refused: wrong-team");
    both(scene, "job green-1 thief/1 hacker/1 thug/1", "refused: wrong-team");
    both(scene, "job green-1 thief/1 hacker/1 burglar/1 thug/1", "refused: wrong-team");
    both(scene, "job green-1 thief/1 hacker/1 burglar/1 inside-man/1", "refused: wrong-team");
    both(scene, "job green-1 thief/1 hacker/1 burglar/1", "completed-jobs/0: green-1");
}

/// §5.3
#[test]
fn an_inside_man_in_a_team_counts_as_one_skill() {
    let scene = "hand/0: thief/1 hacker/1 thug/1 inside-man/1 inside-man/2 inside-man/3";
    both(scene, "job green-1 thief/1 hacker/1 inside-man/1", "completed-jobs/0: green-1");
    both(scene, "job yellow-1 thief/1 thug/1 inside-man/1", "completed-jobs/0: yellow-1");
    both(scene, "job red-1 inside-man/1 inside-man/2 inside-man/3", "completed-jobs/0: red-1");
    both(scene, "job green-1 thief/1 inside-man/1", "refused: wrong-team");
}

/// §5.4
#[test]
fn the_texts_of_a_team_are_ignored() {
    both(
        "hand/0: burglar/1 burglar/2 femme-fatale/1 thief/1",
        "job green-1 burglar/1 burglar/2 femme-fatale/1",
        "stash/0: 3; coffers: 17; turn: 1",
    );
}

/// §5.5
#[test]
fn rewards_are_taken_in_order() {
    both(
        "hand/0: mastermind/1 fixer/1 forger/1 thief/1 pickpocket/1; jobs/blue: blue-3; \
         jobs/red: red-4; deck: hacker/1 thug/1 thug/2",
        "job blue-3 mastermind/1 fixer/1 forger/1 thief/1 pickpocket/1",
        "stash/0: 1; coffers: 19; completed-jobs/0: blue-3",
    );
    both(
        "seats: 3; hand/0: mastermind/1 fixer/1 thug/1 thug/2; jobs/purple: purple-2; jobs/red: red-4; \
         stash/1: 3; deck: hacker/1; discard: burglar/1",
        "job purple-2 mastermind/1 fixer/1 thug/1 thug/2",
        "stash/0: 1; stash/1: 2; hand/0: hacker/1; completed-jobs/0: purple-2",
    );
}

/// §1.3, §5.2, §5.5
#[test]
fn every_job_is_completed_by_the_team_its_row_names() {
    fn holds<G: Ruleset>() {
        let by_skill = [
            "mastermind/1 fixer/1 forger/1 analyst/1",
            "thief/1 hacker/1 burglar/1 con-man/1",
            "pickpocket/1 thug/1 enforcer/1 kidnapper/1",
        ];
        for job in Job::all() {
            let row = job.row::<G>();
            let team: Vec<&str> = by_skill
                .iter()
                .zip(row.team)
                .flat_map(|(names, count)| names.split(' ').take(count.into()))
                .collect();
            let (name, team) = (alias(job), team.join(" "));
            let colour = <&str>::from(job.colour());
            let rob = row.reward.iter().any(|effect| matches!(effect, Effect::Rob(_)));
            let acts = format!("job {name} {team}{}", if rob { ", rob 1" } else { "" });
            let scene = format!(
                "seats: 3; hand/0: {team}; jobs/{colour}: {name}; jobs/box: ; stash/1: 9; stash/2: 9; \
                 deck: recruiter/1 recruiter/2 recruiter/3 hacker/2",
            )
            .replace("jobs/box: ; ", if colour == "red" { "jobs/blue: blue-4; " } else { "jobs/red: red-4; " });
            check::<G>(&scene, &acts, &format!("completed-jobs/0: {name}; turn: 1"));
        }
    }
    holds::<Grifters>();
    holds::<YouDirtyRat>();
}

/// The hand of the tests below, with copies and cards of any skill.
fn large_hand() -> Set<Person> {
    people(
        "mastermind/1 thief/1 pickpocket/1 con-man/1 con-man/2 hacker/1 thug/1 thug/2 recruiter/1 \
         forger/1 inside-man/1 inside-man/2",
    )
    .collect()
}

fn is_team(team: Set<Person>, job: Job) -> bool {
    teams::Gap::of::<Grifters>(team, job).is_none()
}

/// §11.3
#[test]
fn every_accepted_team_is_listed_unless_the_list_says_that_there_are_more() {
    let hand = large_hand();
    let (mut complete, mut truncated) = (0, 0);
    for job in Job::all() {
        let accepted: Vec<_> = hand.subsets().filter(|&team| is_team(team, job)).collect();
        assert_eq!(teams::count::<Grifters>(hand, Set::EMPTY, job), accepted.len());
        let (listed, all) = teams::list::<Grifters>(hand, Set::EMPTY, job, teams::LISTED_MAX);
        assert!(listed.iter().all(|team| accepted.contains(team)), "{}", alias(job));
        let distinct = (1..listed.len()).all(|n| !listed[..n].contains(&listed[n]));
        assert!(distinct, "{}", alias(job));
        if all {
            assert_eq!(listed.len(), accepted.len(), "{}", alias(job));
            complete += 1;
        } else {
            assert!(accepted.len() > teams::LISTED_MAX, "{}", alias(job));
            assert!(listed.len() <= teams::LISTED_MAX, "{}", alias(job));
            truncated += 1;
        }
    }
    assert!(complete > 5 && truncated > 2, "{complete} complete, {truncated} truncated");
}

/// §11.3
#[test]
fn a_truncated_list_is_spread_over_the_types_of_the_hand() {
    let hand: Set<Person> = Person::of_each_type().chain(Person::ringleaders(0)).collect();
    let job = job("green-4");
    let (listed, all) = teams::list::<Grifters>(hand, Set::EMPTY, job, teams::LISTED_MAX);
    assert_eq!((listed.len(), all), (teams::LISTED_MAX, false));
    // Each card fits as many teams as any other of its skill, so each has its share of the list.
    let skilled = hand.iter().filter(|card| card.skill::<Grifters>().is_some());
    for card in skilled {
        let of_hand = hand.iter().filter(|it| it.skill::<Grifters>() == card.skill::<Grifters>());
        let needed = job.row::<Grifters>().team[card.skill::<Grifters>().expect("any").index()];
        let fair = teams::LISTED_MAX * usize::from(needed) / of_hand.count();
        let times = listed.iter().filter(|team| team.has(card)).count();
        assert!(times * 3 > fair && times < fair * 3, "{card:?}: {times} of about {fair}");
    }
}

/// §11.4
#[test]
fn a_filter_lists_the_teams_that_the_list_left_out() {
    let names = "mastermind/1 thief/1 pickpocket/1 fall-guy/1 recruiter/1 forger/1 fixer/1 \
                 analyst/1 con-man/1 con-man/2 wheelman/1 burglar/1 hacker/1 thug/1 enforcer/1";
    let scene = format!("hand/0: {names}; jobs/green: green-3");
    let (table, _) = lay_out::<Grifters>(&scene);
    let hand: Set<Person> = people(names).collect();
    let list = |verb: Option<&str>, pieces: &str| {
        let pieces = pieces.split_whitespace().map(|name| {
            Job::all()
                .find(|&it| alias(it) == name)
                .map_or_else(|| person(name).into(), Piece::from)
        });
        let filter = ActionFilter { verb: verb.map(str::to_string), pieces: pieces.collect() };
        Hideout::<Grifters>::list(&table, seat("0"), &filter)
    };
    let of_job = |listed: &[Listed<Action>], wanted: Job| -> Vec<(Set<Person>, bool)> {
        let teams = listed.iter().filter_map(|it| match it.action {
            Action::CompleteJob { job, team } if job == wanted => Some((team, it.is_example)),
            _ => None,
        });
        teams.collect()
    };
    let green = job("green-3");
    let accepted: Vec<_> = hand.subsets().filter(|&team| is_team(team, green)).collect();
    // Unasked, the teams of this job are examples.
    let unasked = of_job(&list(None, ""), green);
    assert_eq!(unasked.len(), teams::LISTED_MAX);
    assert!(accepted.len() > 100 && unasked.iter().all(|it| it.1));
    // Asked for by the job, all of them are listed.
    let by_job = list(Some("complete-job"), "green-3");
    assert_eq!(by_job.len(), accepted.len());
    let by_job = of_job(&by_job, green);
    assert!(accepted.iter().all(|team| by_job.contains(&(*team, false))));
    // With a card as well, those with this card.
    let with_hacker = of_job(&list(None, "green-3 hacker/1"), green);
    let expected: Vec<_> = accepted.iter().filter(|team| team.has(person("hacker/1"))).collect();
    assert_eq!(with_hacker.len(), expected.len());
    assert!(expected.iter().all(|team| with_hacker.contains(&(**team, false))));
    // A card that is not held, another kind, and two jobs at once have no such action.
    assert_eq!(list(Some("complete-job"), "green-3 kidnapper/1"), []);
    assert_eq!(list(Some("keep"), ""), []);
    assert_eq!(list(None, "green-3 red-1"), []);
    assert_eq!(list(Some("perform-caper"), "hacker/1").len(), 1);
}
