use std::{path::Path, sync::LazyLock};

use prost_reflect::DescriptorPool;
use table::Small;

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
    let kebab = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || "-/".contains(it))
    };
    for game in GAMES {
        let layout = game.layout();
        let places = layout.places().iter().map(|it| &it.name);
        let pieces = layout.pieces().iter().map(|it| &it.name);
        let coins = layout.coins().iter().map(|it| &it.name);
        let asks = layout.asks().iter().map(|it| &it.name);
        let verbs = layout.verbs().iter().map(|it| &it.name);
        for name in places.chain(pieces).chain(coins).chain(asks).chain(verbs) {
            assert!(kebab(name), "{}: {name:?} is not in kebab-case", game.name());
        }
        assert!(kebab(game.name()));
        assert!(usize::from(*game.seats().end()) <= table::Seat::COUNT);
    }
}
