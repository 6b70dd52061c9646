use super::*;

fn opens<G: Ruleset>(seats: u8, coffers: i32, stacks: usize, deck: usize) {
    let (table, _) = opened::<G>(seats, &[], 1).expect("the defaults fit");
    assert_eq!(table.coins(IskToken, Coffers), coffers);
    assert_eq!(-table.coins(IskToken, Box), coffers + 3 * i32::from(seats));
    let in_play: Vec<usize> = Colour::all().map(|colour| table.count(Jobs(colour))).collect();
    assert_eq!(in_play.iter().filter(|&&count| count == 4).count(), stacks);
    assert_eq!(in_play.iter().sum::<usize>(), 4 * stacks);
    assert_eq!((table.count(Deck), table.count(Discard)), (deck, 0));
    for (n, seat) in table.seats().enumerate() {
        assert_eq!((table.count(Hand(seat)), table.coins(IskToken, Stash(seat))), (6, 3));
        let ringleaders: Vec<&str> =
            Person::ringleaders(n).map(|card| card.row::<G>().name).collect();
        assert_eq!(ringleaders, ["mastermind", "thief", "pickpocket"]);
        assert!(Person::ringleaders(n).all(|card| table.lies(card, Hand(seat))));
    }
    assert_eq!(table.decision(table.turn()), Some(Decision::Turn));
}

/// §2.1, §2.2, §2.4, §2.5, §2.8
#[test]
fn the_opening_at_two_three_and_four_seats() {
    opens::<Grifters>(2, 44, 3, 42);
    opens::<Grifters>(3, 56, 4, 39);
    opens::<Grifters>(4, 63, 5, 36);
    opens::<YouDirtyRat>(2, 44, 3, 26);
    opens::<YouDirtyRat>(3, 56, 4, 39);
    opens::<YouDirtyRat>(4, 63, 5, 36);
}

/// §2.3, §5.1
#[test]
fn only_the_lowest_job_of_a_stack_is_available() {
    both(
        "",
        "",
        "jobs/blue: blue-1 blue-2 blue-3 blue-4; jobs/purple: purple-1 purple-2 purple-3 purple-4",
    );
    let team = "mastermind/1 recruiter/1 fixer/1";
    let scene = format!("hand/0: {team} burglar/1; deck: hacker/1 thug/1 thug/2");
    both(&scene, &format!("job blue-2 {team} burglar/1"), "refused: not-on-top");
    both(&scene, &format!("job blue-1 {team}"), "jobs/blue: blue-2 blue-3 blue-4; turn: 1");
}

/// §2.1, §2.6
#[test]
fn the_first_seat_is_random_or_chosen() {
    fn holds<G: Ruleset>() {
        let first = |given: &[(&str, &str)], seats, seed| {
            opened::<G>(seats, given, seed).map(|(table, _)| u8::from(table.turn()))
        };
        assert!((0..20).all(|seed| first(&[(first_seat::NAME, "1")], 3, seed) == Ok(1)));
        let random: std::collections::BTreeSet<u8> =
            (0..40).map(|seed| first(&[], 4, seed).expect("the defaults fit")).collect();
        assert_eq!(random.len(), 4);
        let beyond = BadOption::NotWithSeats { name: first_seat::NAME, value: "3", seats: 3 };
        assert_eq!(first(&[(first_seat::NAME, "3")], 3, 0), Err(beyond));
        assert_eq!(first(&[], 5, 0), Err(BadOption::Seats { seats: 5, least: 2, most: 4 }));
    }
    holds::<Grifters>();
    holds::<YouDirtyRat>();
}

/// §1.1, §1.2
#[test]
fn the_catalogue_has_three_copies_of_sixteen_types_and_every_row_has_origins() {
    fn holds<G: Ruleset>(hack: &str) {
        let rows = G::layout().pieces();
        let with = |name: &'static str, value: &str| {
            rows.iter().filter(|row| row.shows(name, value)).count()
        };
        assert_eq!((with("kind", "ringleader"), with("kind", "specialist")), (12, 48));
        assert_eq!(rows.len(), 80);
        let skill = rename::<G>("skill");
        for (shown, count) in [("brain", 19), ("speed", 19), ("brawn", 19), ("any", 3)] {
            assert_eq!(with(skill, rename::<G>(shown)), count);
        }
        for row in rows {
            let origins = row.facets.iter().filter(|facet| facet.origin.is_some());
            let is_person = Person::of(row.piece).is_some();
            assert_eq!(origins.count(), if is_person { 1 } else { 4 }, "{}", row.name);
        }
        let row = &rows[G::layout().piece_named(hack).expect("it is there").index()];
        assert_eq!(row.origin, table::Origin::Printed);
        let [speed, brawn] = [rename::<G>("speed"), rename::<G>("brawn")];
        assert!(row.shows("team", vec![speed, speed, brawn]), "{:?}", row.facets);
    }
    holds::<Grifters>("hack-credit-system");
    holds::<YouDirtyRat>("bank-teller-stick-up");
}

/// §1.3, §4.3
#[test]
fn teams_grow_from_three_to_six_and_effects_that_act_last_come_last() {
    fn holds<G: Ruleset>() {
        for stack in &G::CARDS.stacks {
            let sizes: Vec<u8> = stack.jobs.iter().map(|row| row.team.iter().sum()).collect();
            assert_eq!(sizes, [3, 4, 5, 6]);
        }
        let acts_last = [Effect::Duplicate, Effect::Exchange, Effect::SecondCaper];
        for row in G::CARDS.ringleaders.iter().chain(&G::CARDS.specialists) {
            let before = &row.text[..row.text.len() - 1];
            assert!(before.iter().all(|effect| !acts_last.contains(effect)), "{}", row.name);
        }
        for row in G::CARDS.stacks.iter().flat_map(|stack| &stack.jobs) {
            assert!(row.reward.iter().all(|effect| !acts_last.contains(effect)), "{}", row.name);
        }
    }
    holds::<Grifters>();
    holds::<YouDirtyRat>();
}

/// §1.4
#[test]
fn the_number_of_coins_in_play_never_changes() {
    fn holds<G: Ruleset>() {
        assert_eq!(G::layout().coins().len(), 1);
        for (seats, in_play) in [(2, 50), (3, 65), (4, 75)] {
            let (mut table, _) = opened::<G>(seats, &[], 1).expect("the defaults fit");
            assert_eq!(Hideout::<G>::check(&table), Ok(()));
            let mut chance = ChaCha::of(invariants::key(1), 2);
            let mut d = Dealer::new(&mut table, &mut chance);
            d.pay(IskToken, Box, Coffers, 1);
            let broken = format!("{} coins are in play instead of {in_play}", in_play + 1);
            assert_eq!(Hideout::<G>::check(&d), Err(broken));
        }
    }
    holds::<Grifters>();
    holds::<YouDirtyRat>();
}

// === The tables of the rules pages ===

/// The rows of the tables on a rules page, cell by cell.
fn rows(page: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        line.trim_matches('|').split('|').map(|it| it.trim().trim_matches('`')).collect()
    })
}

/// §1.1, §1.2
#[test]
fn every_person_is_in_the_table_of_people() {
    fn holds<G: Ruleset>(page: &str) {
        let listed: Vec<[&str; 3]> =
            rows(page).filter(|row| row.len() == 4).map(|row| [row[0], row[1], row[2]]).collect();
        let kinds =
            [(&G::CARDS.ringleaders[..], "ringleader"), (&G::CARDS.specialists, "specialist")];
        let people = kinds.iter().flat_map(|&(rows, kind)| rows.iter().map(move |row| (row, kind)));
        let people: Vec<[&str; 3]> = people
            .map(|(row, kind)| {
                let skill = row.skill.map_or("any", |skill| rename::<G>(skill.into()));
                [row.name, kind, skill]
            })
            .collect();
        assert_eq!(people, listed);
    }
    holds::<Grifters>(include_str!("../../../../../docs/games/grifters.md"));
    holds::<YouDirtyRat>(include_str!("../../../../../docs/games/you_dirty_rat.md"));
}

/// §1.3
#[test]
fn every_job_is_in_the_table_of_jobs() {
    fn reward(effects: &[Effect]) -> String {
        let parts = effects.iter().map(|effect| match *effect {
            Effect::Draw(cards) => format!("draw {cards}"),
            Effect::Steal(amount) => format!("steal {amount}"),
            Effect::Rob(amount) => format!("rob one {amount}"),
            Effect::RobEach { each, only } if each == only => format!("rob each {each}"),
            other => panic!("{other:?} is no reward"),
        });
        parts.collect::<Vec<_>>().join(", ")
    }
    fn holds<G: Ruleset>(page: &str) {
        let listed = rows(page).filter(|row| row.len() == 7);
        let mut count = 0;
        for (job, row) in Job::all().zip(listed) {
            let JobRow { name, team, reward: effects, .. } = job.row::<G>();
            let number = (job.index() % 4 + 1).to_string();
            let shown = [name, <&str>::from(job.colour()), &number];
            assert_eq!(row[..3], shown);
            assert_eq!(row[3..6], team.map(|it| it.to_string()), "{name}");
            // Some rewards have a paragraph, and a test, of their own.
            assert!(row[6].starts_with("see ") || row[6] == reward(effects), "{name}");
            count += 1;
        }
        assert_eq!(count, 20);
    }
    holds::<Grifters>(include_str!("../../../../../docs/games/grifters.md"));
    holds::<YouDirtyRat>(include_str!("../../../../../docs/games/you_dirty_rat.md"));
}
