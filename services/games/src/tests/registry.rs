use std::{collections::BTreeMap, path::Path, sync::LazyLock};

use prost_reflect::DescriptorPool;

use super::{folder, list, read};
use crate::{GAMES, find};

/// The action messages of all games. Records ask for them with every action.
pub(super) fn messages() -> &'static DescriptorPool {
    static MESSAGES: LazyLock<DescriptorPool> = LazyLock::new(|| {
        let descriptors = include_bytes!(concat!(env!("OUT_DIR"), "/actions.binpb"));
        DescriptorPool::decode(descriptors.as_slice()).expect("the protos compiled")
    });
    &MESSAGES
}

#[test]
fn every_game_brings_its_folder_its_actions_and_its_golden_files() {
    for game in GAMES {
        let (name, folder) = (game.name(), folder(*game));
        assert!(folder.join("mod.rs").exists(), "{name} has no folder {}", folder.display());
        assert!(
            folder.join("tests.rs").exists(),
            "{name} has no tests.rs: write the rulebook's examples and rulings, a line each"
        );
        assert!(
            read(&folder.join("layout.txt")).is_some(),
            "{name} has no layout.txt: let CROUPIER_BLESS=1 write it, and read who sees each place"
        );
        for seats in game.seats() {
            let record = folder.join(format!("records/{seats}-seats.txt"));
            assert!(
                read(&record).is_some(),
                "{name} has no {}: let CROUPIER_BLESS=1 write it, and read it with the rulebook",
                record.display()
            );
        }
        let message = game.action_message();
        assert!(
            messages().get_message_by_name(&message).is_some(),
            "{name} has no message {message}: write proto/croupier/games/{}/v1/actions.proto",
            name.replace('-', "_")
        );
    }
}

#[test]
fn every_folder_with_rules_is_in_the_registry() {
    for folder in list(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let is_game =
            read(&folder.join("mod.rs")).is_some_and(|code| code.contains("impl Rules for"));
        let name = folder.file_name().expect("it has a name").to_string_lossy().replace('_', "-");
        assert!(!is_game || find(&name).is_some(), "{name} has no line in GAMES");
    }
}

#[test]
fn every_actions_proto_belongs_to_a_game() {
    let messages = messages();
    for file in messages.files() {
        let package = file.package_name();
        let action = format!("{package}.Action");
        let known = GAMES.iter().any(|game| game.action_message() == action);
        assert!(!package.starts_with("croupier.games.") || known, "{package} has no line in GAMES");
    }
}

#[test]
fn names_are_fit_for_the_wire() {
    for game in GAMES {
        let layout = game.layout();
        let places = layout.places().iter().map(|it| &*it.name);
        let pieces = layout.pieces().iter().map(|it| &*it.name);
        let coins = layout.coins().iter().map(|it| &*it.name);
        let marks = layout.marks().iter().map(|it| &*it.name);
        let decisions = layout.decisions().iter().map(|it| &*it.name);
        let verbs = layout.verbs().iter().map(|it| &*it.name);
        let options = game.options().iter().map(|it| it.name);
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
    for game in GAMES {
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
