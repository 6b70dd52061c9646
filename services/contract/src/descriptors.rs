//! The contract as data: the descriptors of all files, with options and comments.

use std::sync::LazyLock;

use prost::Message;
use prost_reflect::{DescriptorPool, FileDescriptor};

/// Every file of the contract as compiled, with options and comments.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(FILE_DESCRIPTOR_SET).expect("the build wrote a valid descriptor set")
});

/// The descriptors of the contract.
pub fn descriptors() -> &'static DescriptorPool {
    &POOL
}

/// A message of `croupier.v1`, by its name there, as the JSON text with which REST answers.
pub fn json_of<M: Message>(name: &str, message: &M) -> String {
    let descriptor = POOL.get_message_by_name(&format!("croupier.v1.{name}"));
    let descriptor = descriptor.expect("the contract describes the messages it generates");
    transcoder::json_text(&descriptor, message).expect("a message is decoded by its descriptor")
}

/// The comment in a file before the element at a path of its descriptor, in one line.
pub fn comment_of(file: &FileDescriptor, path: &[i32]) -> String {
    let locations = file.file_descriptor_proto().source_code_info.as_ref();
    let found = locations.and_then(|it| it.location.iter().find(|it| it.path == path));
    let comment = found.map(|it| it.leading_comments()).unwrap_or_default();
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}
