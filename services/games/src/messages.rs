//! The descriptors of the action messages of all games, for reading actions without knowing a game.

use std::sync::LazyLock;

use prost_reflect::DescriptorPool;

/// The descriptors of each game's actions, and of those that every game has.
pub fn messages() -> &'static DescriptorPool {
    static MESSAGES: LazyLock<DescriptorPool> = LazyLock::new(|| {
        let descriptors = include_bytes!(concat!(env!("OUT_DIR"), "/actions.binpb"));
        DescriptorPool::decode(descriptors.as_slice()).expect("the protos compiled")
    });
    &MESSAGES
}
