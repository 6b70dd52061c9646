//! The action messages of all games as data, for those who read actions without knowing any game.

use std::sync::LazyLock;

use prost_reflect::DescriptorPool;

/// The descriptors of every game's actions, and of those of every game.
pub fn messages() -> &'static DescriptorPool {
    static MESSAGES: LazyLock<DescriptorPool> = LazyLock::new(|| {
        let descriptors = include_bytes!(concat!(env!("OUT_DIR"), "/actions.binpb"));
        DescriptorPool::decode(descriptors.as_slice()).expect("the protos compiled")
    });
    &MESSAGES
}
