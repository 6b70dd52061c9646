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

#[test]
fn the_opening_at_two_three_and_four_seats() {
    opens::<Grifters>(2, 44, 3, 42);
    opens::<Grifters>(3, 56, 4, 39);
    opens::<Grifters>(4, 63, 5, 36);
    opens::<YouDirtyRat>(2, 44, 3, 26);
    opens::<YouDirtyRat>(3, 56, 4, 39);
    opens::<YouDirtyRat>(4, 63, 5, 36);
}

#[test]
fn jobs_lie_in_the_order_of_their_numbers_and_the_lowest_is_available() {
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

#[test]
fn who_goes_first_is_random_or_chosen() {
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

#[test]
fn the_catalogue_has_sixteen_types_three_times_and_says_where_each_row_is_from() {
    fn holds<G: Ruleset>(hack: &str) {
        let rows = G::layout().pieces();
        let with = |name: &'static str, value: &str| {
            let facet = (name, value.to_string());
            rows.iter().filter(|row| row.facets.contains(&facet)).count()
        };
        assert_eq!((with("kind", "ringleader"), with("kind", "specialist")), (12, 48));
        assert_eq!(rows.len(), 80);
        let skill = rename::<G>("skill");
        for (shown, count) in [("brain", 19), ("speed", 19), ("brawn", 19), ("any", 3)] {
            assert_eq!(with(skill, rename::<G>(shown)), count);
        }
        for row in rows {
            let origins = row.facets.iter().filter(|facet| facet.0.ends_with("-origin"));
            assert_eq!(origins.count(), 3, "{}", row.name);
        }
        let row = &rows[G::layout().piece_named(hack).expect("it is there").index()];
        assert_eq!(row.origin, table::Origin::Printed);
        let team = format!("{0} {0} {1}", rename::<G>("speed"), rename::<G>("brawn"));
        assert!(row.facets.contains(&("team", team)), "{:?}", row.facets);
    }
    holds::<Grifters>("hack-credit-system");
    holds::<YouDirtyRat>("bank-teller-stick-up");
}

#[test]
fn teams_grow_from_three_to_six_and_what_acts_last_stands_last() {
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

#[test]
fn texts_are_told_in_the_words_of_the_game() {
    fn text<G: Ruleset>(name: &str) -> String {
        let row = &G::layout().pieces()[G::layout().piece_named(name).expect("a card").index()];
        row.facets.iter().find(|facet| facet.0 == "text").expect("it has a text").1.clone()
    }
    assert_eq!(text::<Grifters>("thief/1"), "steals 2 isk tokens from the coffers");
    assert_eq!(text::<YouDirtyRat>("thief/1"), "steals 2 hundreds from the town stash");
    assert_eq!(
        text::<Grifters>("middle-man/1"),
        "steals 1 isk token from one opponent; then steals 1 isk token from the coffers"
    );
    assert_eq!(text::<Grifters>("mastermind/1"), "draws 3 cards, keeps one and discards the rest");
}
