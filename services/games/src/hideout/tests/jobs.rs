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
        "hand/0: mastermind/1 fixer/1 forger/1 thief/1; jobs/blue: blue-2; jobs/red: red-4; deck: hacker/1 thug/1 thug/2",
        "job blue-2 mastermind/1 fixer/1 forger/1 thief/1",
        "stash/0: 1; coffers: 19; completed-jobs/0: blue-2",
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

/// §11.3
#[test]
fn every_accepted_choice_of_types_is_listed_up_to_a_bound() {
    let hand: Set<Person> = people(
        "mastermind/1 thief/1 pickpocket/1 con-man/1 con-man/2 hacker/1 thug/1 thug/2 recruiter/1 \
         forger/1 inside-man/1 inside-man/2",
    )
    .collect();
    let types = |team: Set<Person>| {
        let mut names: Vec<&str> = team.iter().map(|it| it.row::<Grifters>().name).collect();
        names.sort_unstable();
        names
    };
    let is_team = |team: Set<Person>, job| teams::Gap::of::<Grifters>(team, job).is_none();
    let mut all_listed = 0;
    for job in Job::all() {
        let listed = teams::Types::of::<Grifters>(hand).teams(job.row::<Grifters>().team);
        assert!(listed.iter().all(|&team| is_team(team, job)), "{}", alias(job));
        let mut listed: Vec<_> = listed.into_iter().map(types).collect();
        let accepted = hand.subsets().filter(|&team| is_team(team, job)).map(types);
        let mut accepted: Vec<_> = accepted.collect();
        accepted.sort_unstable();
        accepted.dedup();
        if accepted.len() > teams::LISTED_MAX {
            assert_eq!(listed.len(), teams::LISTED_MAX);
        } else {
            listed.sort_unstable();
            assert_eq!(listed, accepted, "{}", alias(job));
            all_listed += 1;
        }
    }
    assert!(all_listed > 10, "{all_listed} jobs have few teams in this hand");
}
