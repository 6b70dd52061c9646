use std::collections::BTreeMap;

use prost_reflect::FieldDescriptor;

use super::{folder, folders, games, list, none, read, root, shown, sources};
use crate::{GAMES, Game, find, messages};

#[test]
fn every_game_brings_its_folder_its_tests_and_its_actions() {
    let mut problems = Vec::new();
    for game in games() {
        let (name, folder) = (game.name(), folder(game));
        let file = name.replace('-', "_");
        if !folder.join("tests.rs").exists() {
            problems.push(format!(
                "{name} has no {}/tests.rs: test every paragraph of its page",
                shown(&folder)
            ));
        }
        let message = game.action_message();
        if messages().pool().get_message_by_name(&message).is_none() {
            problems.push(format!(
                "{name} has no message {message}: write proto/croupier/games/{file}/v1/actions.proto"
            ));
        }
        // The API's message of all games is compiled without this crate, so it is read as text.
        let actions = root().join("proto/croupier/v1/actions.proto");
        let text = read(&actions).expect("the actions of all games");
        for line in [
            format!("import \"croupier/games/{file}/v1/actions.proto\";"),
            format!("{message} {file} = "),
        ] {
            if !text.contains(&line) {
                problems.push(format!("{} lacks `{line}` for {name}", shown(&actions)));
            }
        }
        let own = messages().pool().get_message_by_name(&message);
        let numbers = own.iter().flat_map(|own| own.fields().map(|field| field.number()));
        if numbers.max() >= Some(crate::common::FIRST) {
            problems.push(format!("{message} has a number of the actions of every game"));
        }
        if crate::find(name).is_some_and(|first| !std::ptr::addr_eq(first, game)) {
            problems.push(format!("two games are called {name}"));
        }
    }
    none(problems);
}

/// The modules that every game has, in its own folder or in its engine's: `docs/add-a-game.md`.
const SHAPE: [&str; 10] = [
    "vocabulary",
    "cards",
    "layout",
    "actions",
    "refusals",
    "set_up",
    "legal",
    "absent",
    "opinion",
    "rules",
];

#[test]
fn every_game_has_the_same_shape() {
    let mut problems = Vec::new();
    for game in games() {
        let folders = folders(game);
        let has = |module: &str| {
            let files = [format!("{module}.rs"), format!("{module}/mod.rs")];
            folders.iter().any(|folder| files.iter().any(|file| folder.join(file).exists()))
        };
        let missing = SHAPE.into_iter().filter(|module| !has(module));
        problems.extend(missing.map(|module| format!("{} has no {module}.rs", game.name())));
    }
    none(problems);
}

#[test]
fn every_folder_with_rules_is_in_the_registry() {
    for folder in list(&sources()) {
        let code = read(&folder.join("rules.rs")).unwrap_or_default();
        let is_game = code.contains("impl Rules for") || code.contains("impl Ruleset for");
        let name = folder.file_name().expect("it has a name").to_string_lossy().replace('_', "-");
        assert!(
            !is_game || find(&name).is_some(),
            "{}/rules.rs has rules, and services/games/src/registry.rs has no game {name}",
            shown(&folder)
        );
    }
}

#[test]
fn every_actions_proto_belongs_to_a_game() {
    let messages = messages().pool();
    for file in messages.files() {
        let package = file.package_name();
        let action = format!("{package}.Action");
        let known = GAMES.iter().any(|game| game.action_message() == action);
        assert!(
            !package.starts_with("croupier.games.") || known,
            "{package} has no game in the registry"
        );
    }
}

/// The package of a game's actions.
fn package_of(game: &dyn Game) -> String {
    game.action_message().replace(".Action", "")
}

/// The fields in these packages that have an option of `croupier.table.v1`, each with its text.
fn with_option(option: &str, packages: &[&str]) -> Vec<(FieldDescriptor, String)> {
    let option = format!("croupier.table.v1.{option}");
    let option = messages().pool().get_extension_by_name(&option).expect("an option");
    let all = messages().pool().all_messages();
    let fields = all
        .filter(|it| packages.contains(&it.package_name()))
        .flat_map(|it| it.fields().collect::<Vec<_>>());
    let with = fields.filter(|it| it.options().has_extension(&option));
    let text = |field: FieldDescriptor| {
        let text = field.options().get_extension(&option).as_str().expect("a text").to_owned();
        (field, text)
    };
    with.map(text).collect()
}

/// `marked` tells the earlier choice that an action replaces: `croupier/table/v1/options.proto`.
#[test]
fn an_earlier_choice_is_marked_by_marks_of_the_layout() {
    let mut found = 0;
    for game in games() {
        for (field, kind) in with_option("marked", &[&package_of(game)]) {
            found += 1;
            let kind = format!("{kind}/");
            let is_marked = game.layout().marks().iter().any(|it| it.name.starts_with(&*kind));
            assert!(is_marked && field.is_list(), "{}: {kind}", field.full_name());
        }
    }
    assert_eq!(found, 1);
}

/// `holds` tells programs that play any game what to offer: `croupier/table/v1/options.proto`.
#[test]
fn what_fields_hold_is_in_the_layout() {
    let (mut problems, mut found) = (Vec::new(), 0);
    for game in games() {
        let layout = game.layout();
        let coins = layout.coins().iter().map(|it| &*it.name);
        let backs = layout.backs().iter().map(|it| &*it.name);
        let marks = layout.marks().iter().map(|it| &*it.name);
        let known: Vec<&str> = coins.chain(backs).chain(marks).chain(["seat"]).collect();
        for (field, held) in with_option("holds", &[&package_of(game), "croupier.table.v1"]) {
            found += 1;
            if !known.contains(&&*held) {
                problems.push(format!("{}: {held:?} is not in the layout", field.full_name()));
            }
            // Without it, prost would write a different form than the log holds.
            let is_packed = field
                .options()
                .get_field_by_name("packed")
                .is_some_and(|it| it.as_bool() == Some(true));
            if field.is_list() && field.kind().default_value().as_str().is_none() && !is_packed {
                problems
                    .push(format!("{} has options, and must say packed = true", field.full_name()));
            }
        }
    }
    assert!(found > 40, "{found}");
    none(problems);
}

#[test]
fn names_are_fit_for_the_wire() {
    for game in games() {
        let layout = game.layout();
        let places = layout.places().iter().map(|it| &*it.name);
        let pieces = layout.pieces().iter().map(|it| &*it.name);
        let coins = layout.coins().iter().map(|it| &*it.name);
        let marks = layout.marks().iter().map(|it| &*it.name);
        let decisions = layout.decisions().iter().map(|it| &*it.name);
        let verbs = layout.verbs().iter().copied();
        let options = game.options().into_iter().map(|it| it.name);
        let words = coins.chain(marks).chain(decisions).chain(verbs).chain(options);
        for name in places.chain(pieces).chain(words).chain([game.name()]) {
            let kebab =
                |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "-/".contains(it);
            let fit = !name.is_empty() && name.chars().all(kebab);
            assert!(fit, "{}: {name:?} is not in kebab-case", game.name());
        }
    }
}

#[test]
fn seats_and_options_are_what_a_match_can_have() {
    for game in games() {
        assert!(usize::from(*game.seats().end()) <= table::SEATS_MAX, "{}", game.name());
        for option in game.options() {
            let (name, default) = (option.name, option.default);
            assert!(option.values.contains(&default), "{}: {name} is not {default}", game.name());
        }
        for seats in game.seats() {
            let defaults = game.check_options(&BTreeMap::new(), seats);
            assert!(defaults.is_ok(), "{}, {seats} seats: {defaults:?}", game.name());
        }
    }
}

#[test]
fn every_refusal_has_a_reason_of_its_own_and_a_sentence_about_its_facts() {
    let mut problems = Vec::new();
    for game in games() {
        let refusals = game.refusals();
        for (nth, refusal) in refusals.iter().enumerate() {
            let (name, reason) = (game.name(), refusal.reason);
            if refusals[..nth].iter().any(|it| it.reason == reason) {
                problems.push(format!("{name} has two reasons {reason}"));
            }
            let pattern = refusal.pattern();
            let named = pattern.split('{').skip(1).filter_map(|it| Some(it.split_once('}')?.0));
            for fact in named.filter(|it| !refusal.facts.contains(it)) {
                problems.push(format!("{name}: {reason} has no fact {fact:?}: {pattern}"));
            }
        }
    }
    none(problems);
}
