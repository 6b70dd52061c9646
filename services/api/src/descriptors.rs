//! The contract as data: the descriptors of all services, and the games' fields in it.

use std::sync::LazyLock;

use prost::Message;
use prost_reflect::{DescriptorPool, MessageDescriptor};

/// Every file of the contract as compiled, with options and comments.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("the build wrote a valid descriptor set")
});

/// The field of `croupier.v1.Action` that holds the actions of every game.
pub(crate) const TABLE: u32 = 100;

/// The fields of `croupier.v1.Action`, with the game whose action each holds.
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

/// The descriptors of the contract.
pub fn descriptors() -> &'static DescriptorPool {
    &POOL
}

/// A message of `croupier.v1`, by its name there, as JSON text.
pub fn json_of<M: Message>(name: &str, message: &M) -> String {
    let descriptor = POOL.get_message_by_name(&format!("croupier.v1.{name}"));
    let descriptor = descriptor.expect("the contract describes the messages it generates");
    transcoder::json_text(&descriptor, message).expect("a message is decoded by its descriptor")
}

/// The field of `croupier.v1.Action` that holds a game's actions.
pub(crate) fn action_field(game: &str) -> u32 {
    let found = GAMES.iter().find(|(_, name)| *name == game);
    found.expect("every game of the registry has a field").0
}

/// The game whose actions a field of `croupier.v1.Action` holds.
pub(crate) fn game_of_field(field: u32) -> Option<&'static str> {
    GAMES.iter().find(|(number, _)| *number == field).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_field_for_its_action() {
        let action =
            POOL.get_message_by_name("croupier.v1.Action").expect("the contract has actions");
        for game in games::GAMES {
            let field = action.get_field(action_field(game.name())).expect("found by its name");
            let kind = field.kind();
            let message = kind.as_message().map(|message| message.full_name().to_owned());
            assert_eq!(message, Some(game.action_message()), "in croupier.v1.Action");
            assert_eq!(game_of_field(field.number()), Some(game.name()));
        }
        assert!(action.get_field(TABLE).is_some_and(|field| field.name() == "table"));
        assert_eq!(
            action.fields().len(),
            games::GAMES.len() + 1,
            "a field of croupier.v1.Action has no game"
        );
    }
}
