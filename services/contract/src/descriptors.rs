//! The contract as data: the descriptors of all files, with options and comments.

use std::sync::LazyLock;

use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, FileDescriptor, SerializeOptions};

/// Every file of the contract as compiled, with options and comments.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("the build wrote a valid descriptor set")
});

/// A reader sees every field: zeros, empty texts and lists too.
const WRITTEN: SerializeOptions = SerializeOptions::new().skip_default_fields(false);

/// The descriptors of the contract.
pub fn descriptors() -> &'static DescriptorPool {
    &POOL
}

/// A message of `croupier.v1`, by its name there, as the JSON text with which REST answers.
pub fn json_of<M: Message>(name: &str, message: &M) -> String {
    let descriptor = POOL.get_message_by_name(&format!("croupier.v1.{name}"));
    let descriptor = descriptor.expect("the contract describes the messages it generates");
    let bytes = message.encode_to_vec();
    let message = DynamicMessage::decode(descriptor, &bytes[..]);
    let message = message.expect("a message is decoded by its descriptor");
    let mut text = Vec::new();
    message
        .serialize_with_options(&mut serde_json::Serializer::new(&mut text), &WRITTEN)
        .expect("a message of the contract has a JSON form");
    String::from_utf8(text).expect("JSON is UTF-8")
}

/// The comment in a file before the element at a path of its descriptor, in one line.
pub fn comment_of(file: &FileDescriptor, path: &[i32]) -> String {
    let locations = file.file_descriptor_proto().source_code_info.as_ref();
    let found = locations.and_then(|it| it.location.iter().find(|it| it.path == path));
    let comment = found.map(|it| it.leading_comments()).unwrap_or_default();
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use prost_reflect::Kind;

    use super::descriptors;

    /// So that clients can name the players without knowing the names of fields.
    #[test]
    fn every_field_that_holds_seats_says_so() {
        const SEATS: [&str; 10] = [
            "seat",
            "seen_by",
            "turn",
            "turns",
            "turn_began",
            "offer_closed",
            "timed_out",
            "resigned",
            "winners",
            "waiting_for",
        ];
        let holds = descriptors().get_extension_by_name("croupier.table.v1.holds");
        let holds = holds.expect("an option");
        let mut found = 0;
        for message in descriptors().all_messages() {
            let is_ours = message.full_name().starts_with("croupier.");
            for field in message.fields().filter(|it| is_ours && matches!(it.kind(), Kind::Uint32))
            {
                let options = field.options();
                let held = options.get_extension(&holds);
                let is_seat = held.as_str() == Some("seat");
                // A seek has numbers of seats that matches have.
                let is_list = field.is_list() && !message.name().contains("Seek");
                let list_of_seats = is_list && field.name() == "seats";
                if SEATS.contains(&field.name()) || list_of_seats {
                    assert!(
                        is_seat || held.as_str() == Some("turns-begun"),
                        "{} does not say that it holds seats",
                        field.full_name()
                    );
                    found += 1;
                }
            }
        }
        assert!(found > 60, "{found}");
    }
}
