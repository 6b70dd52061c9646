use std::time::Duration;

use games::find;
use modules::{
    Limits, Module,
    admission::{Admission, Report},
};

use crate::built;

/// More than any trial takes, however busy the machine is.
const ENOUGH: Duration = Duration::from_secs(3_600);

fn admitted(module: &Module, matches: u64) -> Report {
    let time = ENOUGH;
    Admission { matches, seats: None, seed: 0, time }.run(module, &mut |_| {})
}

/// `tests/pebbles/cheats.c` with one of its cheats.
pub(crate) fn cheating(cheat: u8) -> Module {
    let mut wasm = built::read("pebbles/cheats.wasm");
    let marker = b"cheat: 00";
    let at = wasm.windows(marker.len()).position(|it| it == marker).expect("it has the constant");
    wasm[at + marker.len() - 2..at + marker.len()]
        .copy_from_slice(format!("{cheat:02}").as_bytes());
    let compiled = built::compiler().compile(&wasm).expect("it is WebAssembly");
    Module::load(&compiled, Limits::default()).expect("it is a module")
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn honest_modules_are_admitted() {
    for module in [built::pebbles(Limits::default()), cheating(0)] {
        let report = admitted(&module, 20);
        assert!(report.failure.is_none(), "{:#?}", report.failure);
        assert_eq!(report.matches.get(&2), Some(&20));
        assert!(report.actions > 100 && report.refused > 100, "{report:?}");
    }
    let report = admitted(&cheating(0), 20);
    assert!(report.compared > 100, "nothing hidden was changed: {report:?}");
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn every_built_in_game_is_admitted() {
    for name in ["mountebank", "grifters", "you-dirty-rat", "among-thieves", "rigs"] {
        let report = admitted(&built::module(name, Limits::default()), 2);
        println!("{name}: {:?}, {} actions in {:?}", report.matches, report.actions, report.took);
        assert!(report.failure.is_none(), "{name}: {:#?}", report.failure);
        let seats = find(name).expect("a built-in game").seats();
        assert!(report.matches.keys().copied().eq(seats), "{:?}", report.matches);
    }
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn each_cheat_is_refused_for_its_own_reason() {
    let cheats = [
        (1, "LEAKS_BY_EVENT"),
        (2, "LEAKS_BY_COUNT"),
        (3, "LEAKS_BY_PROMPT"),
        (4, "LEAKS_BY_LEGALITY"),
        (5, "LEAKS_BY_LIST"),
        (6, "TOO_LONG"),
        (7, "TOO_MUCH_MEMORY"),
        (8, "TRAPPED"),
        (9, "CHANGES_PAST"),
        (10, "NOT_DETERMINISTIC"),
        (11, "LISTED_REFUSED"),
        (12, "IMPOSSIBLE_ENTRY"),
        (13, "ENDLESS"),
        (14, "HOUSE_ANSWER"),
        (15, "NOT_CANONICAL"),
        (16, "WORDS"),
        (17, "UNLISTED_ACCEPTED"),
        (18, "LEAKS_BY_REFUSAL"),
        (19, "LEAKS_BY_EVENT"),
        (20, "LEAKS_BY_EVENT"),
        (21, "BOT_CHOICE"),
        (22, "TOO_LONG"),
        (24, "BOT_CHOICE"),
        (25, "LEAKS_BY_PROMPT"),
        (26, "UNLISTED_ACCEPTED"),
        (27, "UNLISTED_ACCEPTED"),
    ];
    let mut wrong = Vec::new();
    for (cheat, reason) in cheats {
        let module = cheating(cheat);
        let report = admitted(&module, 50);
        let Some(failure) = report.failure else {
            wrong.push(format!("{cheat} is admitted, and not refused for {reason}"));
            continue;
        };
        if failure.reason.name() != reason {
            wrong.push(format!("{cheat}: {failure:?}, not {reason}"));
        }
        // The same seed shows it again, unless it is not about a match.
        if failure.position > 0 && reason != "NOT_DETERMINISTIC" {
            let time = ENOUGH;
            let (seats, seed) = (Some(failure.seats), failure.seed);
            let again = Admission { matches: 1, seats, seed, time };
            let again = again.run(&module, &mut |_| {}).failure;
            let again = again.map(|it| (it.reason, it.position));
            if again != Some((failure.reason, failure.position)) {
                wrong.push(format!("{cheat}: {again:?} after {failure:?}"));
            }
            assert!(!failure.story.is_empty() && failure.story.len() <= 30);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn a_trial_ends_with_its_time() {
    let module = built::module("rigs", Limits::default());
    let time = Duration::from_millis(100);
    let report = Admission { matches: 1_000, seats: None, seed: 0, time }.run(&module, &mut |_| {});
    assert!(report.took < Duration::from_secs(30), "{:?}", report.took);
    let reason = report.failure.map(|it| it.reason.name());
    assert!(matches!(reason, None | Some("TOO_SLOW")), "{reason:?}");
}
