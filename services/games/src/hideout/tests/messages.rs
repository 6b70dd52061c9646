use super::*;

// === Secrets ===

/// The names of the cards that an entry moves or shows face up.
fn named(entry: &Entry, layout: &Layout) -> Vec<String> {
    let names = entry.events.iter().filter_map(|event| match event {
        Event::Moved { what: table::Face::Up(piece), .. }
        | Event::Shown { what: table::Face::Up(piece), .. } => {
            Some(layout.piece_name(*piece).to_string())
        }
        _ => None,
    });
    names.collect()
}

fn play_act<G: Ruleset>(table: &Table, act: &str) -> (Table, Entry) {
    let seat = table.live().next().expect("somebody is asked").seat;
    let played = play::<Hideout<G>>(table, seat, &action(act), &mut ChaCha::of([3; 32], 0));
    played.expect("it is legal")
}

/// §1.6, §8.1
#[test]
fn only_its_seat_sees_the_cards_a_mastermind_draws_and_keeps() {
    fn holds<G: Ruleset>() {
        let layout = G::layout();
        let (table, _) = lay_out::<G>(
            "seats: 3; hand/0: mastermind/1; deck: hacker/1 thug/1 burglar/1; discard: enforcer/3",
        );
        let (table, drawn) = play_act::<G>(&table, "caper mastermind/1");
        let (me, others) = (Viewer::Seat(seat("0")), [Viewer::Seat(seat("1")), Viewer::Spectator]);
        assert_eq!(named(&drawn.seen_by(me, layout), layout).len(), 4);
        for other in others {
            assert_eq!(named(&drawn.seen_by(other, layout), layout), ["mastermind/1"]);
            let seen = table.seen_by(other);
            assert_eq!(
                (seen.count(DrawnCards(seat("0"))), seen.pieces::<Person>(DrawnCards(seat("0")))),
                (3, Set::EMPTY)
            );
        }
        let (_, kept) = play_act::<G>(&table, "keep thug/1");
        for other in others {
            let redacted = kept.seen_by(other, layout);
            assert_eq!(named(&redacted, layout), ["burglar/1", "hacker/1"]);
            assert_eq!(redacted.action, None);
        }
    }
    holds::<Grifters>();
    holds::<YouDirtyRat>();
}

/// The names that an act shows to spectators.
fn shown<G: Ruleset>(scene: &str, acts: &str) -> Vec<String> {
    let done = scene::run::<Hideout<G>>(scene, acts);
    named(&done.last.seen_by(Viewer::Spectator, G::layout()), G::layout())
}

/// §8.15
#[test]
fn a_duplicated_card_is_shown_to_everyone() {
    let (scene, acts) =
        ("hand/0: fall-guy/1 burglar/1 hacker/1", "caper fall-guy/1, duplicate burglar/1");
    assert_eq!(shown::<Grifters>(scene, acts), ["burglar/1"]);
    assert_eq!(shown::<YouDirtyRat>(scene, acts), ["burglar/1"]);
}

/// §3.10
#[test]
fn a_seat_that_passes_with_a_card_in_hand_shows_it_to_everyone() {
    assert_eq!(shown::<YouDirtyRat>("hand/0: thug/1; stash/0: 1", "pass"), ["thug/1"]);
    assert_eq!(shown::<YouDirtyRat>("hand/0: thug/1", "pass"), ["thug/1"]);
    assert_eq!(shown::<YouDirtyRat>("stash/0: 1", "pass"), [""; 0]);
}

/// §1.6, §8.10
#[test]
fn the_decisions_asked_do_not_reveal_a_hand() {
    // Whether seat 1 holds a lone Thug is not revealed before seat 1 acts.
    let asked = |hand: &str| {
        let scene = format!("hand/0: thief/1; hand/1: {hand}");
        let (table, _) =
            play_act::<YouDirtyRat>(&lay_out::<YouDirtyRat>(&scene).0, "caper thief/1");
        (table.turn(), table.prompts().to_vec())
    };
    assert_eq!(asked("thug/1"), asked("hacker/1"));
    let follows = |hand: &str| {
        let scene = format!("hand/0: femme-fatale/1 {hand}");
        play_act::<YouDirtyRat>(&lay_out::<YouDirtyRat>(&scene).0, "caper femme-fatale/1")
            .0
            .prompts()
            .to_vec()
    };
    assert_eq!(follows("thug/1"), follows("hacker/1"));
}

/// §1.6
#[test]
fn only_the_deck_hands_and_drawn_cards_are_hidden() {
    fn hidden<G: Ruleset>() -> Vec<String> {
        let rows = G::layout().places().iter().filter(|row| row.sight != Sight::All);
        let names = rows.map(|row| row.name.split('/').next().expect("a name").to_string());
        let mut names: Vec<String> = names.collect();
        names.dedup();
        names
    }
    assert_eq!(hidden::<Grifters>(), ["deck", "hand", "drawn-cards"]);
    assert_eq!(hidden::<YouDirtyRat>(), hidden::<Grifters>());
}

// === Refusals ===

/// §4.2, §5.1
#[test]
fn a_refusal_names_its_cards() {
    let scene = "hand/0: thief/1 hacker/1 thug/1 inside-man/1 burglar/1";
    let (sentence, facts) = refusal::<Grifters>(scene, "caper fixer/1");
    assert_eq!(sentence, "not in your hand: fixer/1");
    assert_eq!(facts, [("cards", "fixer/1".to_string())]);
    let (_, facts) = refusal::<Grifters>(scene, "job green-1 thief/1 hacker/1 fixer/1");
    assert_eq!(facts, [("cards", "fixer/1".to_string())]);
    let (sentence, facts) = refusal::<YouDirtyRat>(scene, "job green-2 thief/1");
    assert_eq!(sentence, "mail-train-stopped is not on top of its stack");
    assert_eq!(facts, [("job", "mail-train-stopped".to_string())]);
    let (_, facts) = refusal::<Grifters>(scene, "rob 1");
    assert_eq!(facts, [("asked", "turn".to_string())]);
    let (_, facts) = refusal::<YouDirtyRat>("hand/0: thug/1", "caper thug/1");
    assert_eq!(facts, [("card", "thug/1".to_string())]);
}

/// §5.2
#[test]
fn a_wrong_team_is_refused_with_the_missing_and_the_extra_skills() {
    let scene = "hand/0: thief/1 hacker/1 thug/1 mastermind/1 inside-man/1 burglar/1";
    let facts = |act: &str| {
        let (_, facts) = refusal::<Grifters>(scene, act);
        (facts[1].1.clone(), facts[2].1.clone())
    };
    let facts_are = |missing: &str, spare: &str| (missing.to_string(), spare.to_string());
    assert_eq!(facts("job green-1 thief/1 thug/1"), facts_are("speed speed", "brawn"));
    assert_eq!(facts("job blue-1 mastermind/1 inside-man/1"), facts_are("brain", ""));
    assert_eq!(facts("job green-1 thief/1 hacker/1 burglar/1 inside-man/1"), facts_are("", "any"));
    let (_, facts) = refusal::<YouDirtyRat>(scene, "job yellow-1 thief/1 mastermind/1");
    let own = [("job", "bank-teller-stick-up"), ("missing", "green red"), ("spare", "blue")];
    assert_eq!(facts, own.map(|(name, value)| (name, value.to_string())));
}

/// §4.3
#[test]
fn a_wrong_choice_is_refused_with_the_choices() {
    let after = |scene: &str, act: &str, choice: &str| {
        let (table, _) = play_act::<Grifters>(&lay_out::<Grifters>(scene).0, act);
        let seat = seat("0");
        match play::<Hideout<Grifters>>(&table, seat, &action(choice), &mut ChaCha::of([3; 32], 0))
        {
            Err(Refused::Rules(refusal)) => refusal.facts(),
            other => panic!("{other:?}"),
        }
    };
    let facts_are = |choice: &str, choices: &str| {
        vec![("choice", choice.to_string()), ("choices", choices.to_string())]
    };
    assert_eq!(
        after("seats: 3; hand/0: pickpocket/1", "caper pickpocket/1", "rob 0"),
        facts_are("0", "1 2")
    );
    let fix = "hand/0: fixer/1; second-night/0: thief/1 hacker/1";
    assert_eq!(
        after(fix, "caper fixer/1", "take-back thug/1"),
        facts_are("thug/1", "thief/1 hacker/1")
    );
    let swap = "hand/0: forger/1; completed-jobs/0: blue-1; completed-jobs/1: red-1 red-2";
    assert_eq!(
        after(swap, "caper forger/1", "swap blue-1 red-3"),
        facts_are("raid-the-armoury", "hold-up-the-depot storm-the-checkpoint")
    );
    assert_eq!(
        after(swap, "caper forger/1", "swap red-1 red-2"),
        facts_are("hold-up-the-depot", "kidnap-weapon-experts")
    );
}

// === Messages ===

/// An encoded message whose field `kind` is a message of text fields and number fields.
fn message(kind: u32, texts: &[(u32, &str)], numbers: &[(u32, u64)]) -> Vec<u8> {
    use prost::encoding;
    let (mut inner, mut outer) = (Vec::new(), Vec::new());
    texts
        .iter()
        .for_each(|(tag, text)| encoding::string::encode(*tag, &text.to_string(), &mut inner));
    numbers.iter().for_each(|(tag, number)| encoding::uint64::encode(*tag, number, &mut inner));
    encoding::bytes::encode(kind, &inner, &mut outer);
    outer
}

#[test]
fn a_message_without_an_action_is_malformed() {
    fn holds<G: Ruleset>(job: &str, skill: &str) {
        let malformed = |message: &[u8]| G::parse(message).expect_err("it is malformed").0;
        assert_eq!(malformed(&[]), "an action has exactly one kind");
        assert_eq!(malformed(&message(1, &[], &[])), "a card is missing");
        assert_eq!(malformed(&message(1, &[(1, "jack")], &[])), "no such card is named \"jack\"");
        assert_eq!(
            malformed(&message(1, &[(1, job)], &[])),
            format!("no such card is named {job:?}")
        );
        let twice = [(1, job), (2, "inside-man/1"), (2, "thief/1"), (2, "inside-man/1")];
        assert_eq!(malformed(&message(2, &twice, &[])), "inside-man/1 is named twice");
        assert_eq!(malformed(&message(2, &[(1, job)], &[])), "a team is missing");
        assert_eq!(
            malformed(&message(2, &[(1, "thief/1"), (2, "thief/1")], &[])),
            "no such card is named \"thief/1\""
        );
        assert!(malformed(&message(4, &[], &[(1, 8)])).starts_with("there is no seat 8"));
        assert!(malformed(&message(4, &[], &[(1, 1 << 20)])).starts_with("there is no seat 255"));
        assert_eq!(malformed(&message(6, &[], &[])), skill);
        assert_eq!(malformed(&message(6, &[], &[(1, 9)])), skill);
        assert!(!malformed(&[255, 255]).is_empty());
    }
    holds::<Grifters>("hack-credit-system", "the skill is missing");
    holds::<YouDirtyRat>("bank-teller-stick-up", "the archetype is missing");
}

#[test]
fn every_printed_action_parses_to_the_same_action() {
    fn holds<G: Ruleset>() {
        let acts = "caper thief/1, job yellow-1 thief/1 hacker/1 thug/1, keep hacker/1, rob 3, \
                    team-up hacker/1, name brain, name speed, name brawn, duplicate hacker/1, \
                    take-back hacker/1, abduct hacker/1, exchange hacker/1, swap blue-1 red-2, \
                    decline, pass";
        for act in acts.split(", ").map(action) {
            assert_eq!(G::parse(&G::print(&act)), Ok(act));
            assert!(G::layout().verb(Hideout::<G>::verb(&act)).is_some(), "{act:?}");
        }
    }
    holds::<Grifters>();
    holds::<YouDirtyRat>();
}
