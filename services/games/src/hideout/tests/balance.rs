//! How often every job is completed.

use super::*;
use table::Chance;

/// Plays a match whose seats aim for jobs: each completes a job if it can, otherwise gathers cards,
/// otherwise leaves the Coffers alone.
fn play_for_jobs<G: Ruleset>(seats: u8, seed: u64) -> Table {
    let mut random = ChaCha::of(invariants::key(seed), u64::MAX);
    let (mut table, _) = opened::<G>(seats, &[], seed).expect("the defaults fit");
    for position in 2.. {
        if table.ended() {
            break;
        }
        let seat = table.live().next().expect("a seat is asked").seat;
        let legal = Hideout::<G>::legal(&table, seat);
        let most = legal.iter().map(preference::<G>).max();
        let wanted: Vec<_> = legal.iter().filter(|it| Some(preference::<G>(it)) == most).collect();
        let chosen = wanted[random.below(wanted.len())];
        let mut chance = ChaCha::of(invariants::key(seed), position);
        table = play::<Hideout<G>>(&table, seat, chosen, &mut chance).expect("it is legal").0;
    }
    table
}

fn preference<G: Ruleset>(action: &Action) -> u8 {
    let Action::PerformCaper { card } = action else {
        return if matches!(action, Action::CompleteJob { .. }) { 4 } else { 1 };
    };
    match card.row::<G>().text[0] {
        Effect::Draw(_) => 3,
        Effect::DrawAndKeep(_) => 2,
        Effect::Steal(_) | Effect::StealByJobs { .. } | Effect::StealBySkills => 0,
        _ => 1,
    }
}

fn play_at_random<G: Ruleset>(seats: u8, seed: u64) -> Table {
    let options = Options::of::<Hideout<G>>(&Default::default(), seats).expect("the defaults fit");
    let played = invariants::playout::<Hideout<G>>(seats, &options, &invariants::chance(seed));
    played.steps.last().expect("a match has actions").after.clone()
}

/// How many of `matches` end with every job completed.
fn completed(matches: u64, end: impl Fn(u64) -> Table) -> usize {
    let all_done = |table: &Table| Colour::all().all(|it| table.is_bare(Jobs(it)));
    (0..matches).map(end).filter(all_done).count()
}

/// §1.10
#[test]
fn seats_that_play_for_jobs_complete_them_all_in_most_matches_of_two() {
    fn holds<G: Ruleset>() {
        let of_100 = |seats| completed(100, |seed| play_for_jobs::<G>(seats, seed));
        let [two, three, four] = [2, 3, 4].map(of_100);
        println!("{}: {two}, {three} and {four} of 100 with 2, 3 and 4 seats", G::NAME);
        assert!(two > 60, "{}: {two} of 100", G::NAME);
        assert!(three > 80 && four > 30, "{}: {three} and {four} of 100", G::NAME);
    }
    holds::<Grifters>();
    holds::<YouDirtyRat>();
}

/// §1.10, §9.2
#[test]
fn random_play_completes_every_job_in_some_matches_of_any_number_of_seats() {
    fn holds<G: Ruleset>() {
        for seats in 2..=4 {
            let completed = completed(300, |seed| play_at_random::<G>(seats, seed));
            println!("{}, {seats} seats: {completed} of 300", G::NAME);
            assert!(completed > 4, "{}, {seats} seats: {completed} of 300", G::NAME);
        }
    }
    holds::<Grifters>();
    holds::<YouDirtyRat>();
}
