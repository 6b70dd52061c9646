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
