//! The descriptors of action messages, for reading actions without knowing a game.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use prost_reflect::{DescriptorError, DescriptorPool, DynamicMessage, FieldDescriptor};

/// Descriptors of messages, with their options about what fields hold and what messages name.
#[derive(Debug)]
pub struct Messages {
    pool: DescriptorPool,
    /// By the full name of a field: its option `holds`.
    holds: BTreeMap<String, String>,
    /// By the full name of a message: its option `place`.
    places: BTreeMap<String, String>,
}

impl Messages {
    /// Reads an encoded `FileDescriptorSet`.
    pub fn decode(descriptors: &[u8]) -> Result<Messages, DescriptorError> {
        let pool = DescriptorPool::decode(descriptors)?;
        let fields = pool.all_messages().flat_map(|it| it.fields().collect::<Vec<_>>());
        let holds = fields.filter_map(|field: FieldDescriptor| {
            let held = option(&pool, &field.options(), "croupier.table.v1.holds")?;
            Some((field.full_name().to_owned(), held))
        });
        let places = pool.all_messages().filter_map(|message| {
            let place = option(&pool, &message.options(), "croupier.table.v1.place")?;
            Some((message.full_name().to_owned(), place))
        });
        Ok(Messages { holds: holds.collect(), places: places.collect(), pool: pool.clone() })
    }

    pub fn pool(&self) -> &DescriptorPool {
        &self.pool
    }

    /// What a number of this field is, such as a seat or an amount of coins.
    pub(crate) fn held_by(&self, field: &str) -> Option<&str> {
        self.holds.get(field).map(String::as_str)
    }

    /// The place that a message names by its parts, as a pattern.
    pub(crate) fn place_of(&self, message: &str) -> Option<&str> {
        self.places.get(message).map(String::as_str)
    }
}

fn option(pool: &DescriptorPool, options: &DynamicMessage, name: &str) -> Option<String> {
    let extension = pool.get_extension_by_name(name)?;
    let is_set = options.has_extension(&extension);
    is_set.then(|| options.get_extension(&extension).as_str().map(str::to_owned))?
}

/// The descriptors of each compiled-in game's actions, and of those that every game has.
pub fn messages() -> &'static Messages {
    static MESSAGES: LazyLock<Messages> = LazyLock::new(|| {
        let descriptors = include_bytes!(concat!(env!("OUT_DIR"), "/actions.binpb"));
        Messages::decode(descriptors).expect("the protos compiled")
    });
    &MESSAGES
}
