//! Fields by their names and paths in JSON.

use prost_reflect::{FieldDescriptor, MessageDescriptor};

/// The field of this name, in either spelling: as in JSON or as in the contract.
pub fn field_named(descriptor: &MessageDescriptor, name: &str) -> Option<FieldDescriptor> {
    descriptor.get_field_by_json_name(name).or_else(|| descriptor.get_field_by_name(name))
}

/// Whether JSON writes it in a form of its own, such as a time as text.
pub fn is_well_known(descriptor: &MessageDescriptor) -> bool {
    descriptor.package_name() == "google.protobuf"
}

/// The path of a member of the object at `path`.
pub fn within(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
