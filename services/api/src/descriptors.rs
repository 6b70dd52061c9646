//! The contract as data: what the wire is described by, and what depends on it but on no single
//! game.

use std::sync::LazyLock;

use prost_reflect::{DescriptorPool, MessageDescriptor};

/// Every file of the contract, options and comments included, as it was compiled.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("the build wrote a valid descriptor set")
});

/// By field of `croupier.v1.Action`: the game whose action it holds.
static GAMES: LazyLock<Vec<(u32, &'static str)>> = LazyLock::new(|| {
    let action: MessageDescriptor =
        POOL.get_message_by_name("croupier.v1.Action").expect("the contract has actions");
    let fields = games::GAMES.iter().map(|game| {
        let field = action.get_field_by_name(&game.name().replace('-', "_"));
        let field = field.unwrap_or_else(|| {
            panic!("croupier.v1.Action has no field for {}: add it to actions.proto", game.name())
        });
        (field.number(), game.name())
    });
    fields.collect()
});

pub fn descriptors() -> &'static DescriptorPool {
    &POOL
}

/// The field of `croupier.v1.Action` that holds a game's actions.
pub(crate) fn action_field(game: &str) -> u32 {
    let found = GAMES.iter().find(|(_, name)| *name == game);
    found.expect("every game of the registry has a field").0
}

/// The game whose actions are in a field of `croupier.v1.Action`.
pub(crate) fn game_of_field(field: u32) -> Option<&'static str> {
    GAMES.iter().find(|(number, _)| *number == field).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_field_of_its_own_action() {
        let action =
            POOL.get_message_by_name("croupier.v1.Action").expect("the contract has actions");
        for game in games::GAMES {
            let field = action.get_field(action_field(game.name())).expect("found by its name");
            let kind = field.kind();
            let message = kind.as_message().map(|message| message.full_name().to_owned());
            assert_eq!(message, Some(game.action_message()), "in croupier.v1.Action");
            assert_eq!(game_of_field(field.number()), Some(game.name()));
        }
        assert_eq!(
            action.fields().len(),
            games::GAMES.len(),
            "a field of croupier.v1.Action has no game"
        );
    }
}
