//! proto3 JSON: lowerCamelCase names, 64-bit integers as strings, enum values by name, timestamps
//! as text.
//!
//! Written JSON includes default values (zeros, empty strings and lists), so that a reader sees
//! every field; fields with presence (messages, `optional`, members of a oneof) are omitted when
//! absent. When JSON is read, either spelling of a name is accepted and unknown names are refused.

use bytes::Bytes;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage, SerializeOptions,
};
use serde_json::Value;

mod duplicate;
mod fields;

use self::duplicate::Shape;
use self::fields::{is_well_known, within};
use crate::refusal::{Reason, Refusal};

pub use self::fields::field_named;

const WRITTEN: SerializeOptions = SerializeOptions::new().skip_default_fields(false);

/// Reads a whole message. An empty text is an empty message, for verbs that need no fields.
pub fn read(descriptor: &MessageDescriptor, text: &[u8]) -> Result<DynamicMessage, Refusal> {
    if text.is_empty() {
        return Ok(DynamicMessage::new(descriptor.clone()));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let message = DynamicMessage::deserialize(descriptor.clone(), &mut deserializer)
        .and_then(|message| deserializer.end().map(|()| message))
        .map_err(|error| diagnose(descriptor, text, &error))?;
    duplicate::check(Shape::Message(descriptor.clone()), text)?;
    Ok(message)
}

/// Reads the value of one field of any type.
pub fn read_field(field: &FieldDescriptor, text: &[u8]) -> Result<prost_reflect::Value, Refusal> {
    let value: Value = serde_json::from_slice(text).map_err(|error| malformed(&error))?;
    let parent = field.parent_message();
    match parsed(field, value.clone()) {
        Some(value) => duplicate::check(Shape::Field(field.clone()), text).map(|()| value),
        None => {
            let object = object(field, value);
            Err(find(parent, &object, "").unwrap_or_else(|| given_twice(field.name())))
        }
    }
}

/// Appends the message as one line of JSON text.
pub fn write(message: &DynamicMessage, out: &mut Vec<u8>) -> Result<(), Refusal> {
    debug_assert_eq!(absent(message), None, "the contract says that this field is always there");
    message
        .serialize_with_options(&mut serde_json::Serializer::new(out), &WRITTEN)
        .map_err(|error| inexpressible(&error))
}

/// Bytes of a message of this type, as JSON text.
pub fn write_encoded(
    descriptor: &MessageDescriptor,
    bytes: Bytes,
    out: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let message =
        DynamicMessage::decode(descriptor.clone(), bytes).map_err(|error| inexpressible(&error))?;
    write(&message, out)
}

/// A message as a JSON value.
pub fn to_value(message: &DynamicMessage) -> Result<Value, Refusal> {
    message
        .serialize_with_options(serde_json::value::Serializer, &WRITTEN)
        .map_err(|error| inexpressible(&error))
}

/// Whether the contract says that the field is never absent, by `google.api.field_behavior`.
pub fn is_required(field: &FieldDescriptor) -> bool {
    const REQUIRED: i32 = 2;
    let pool = field.parent_pool();
    let Some(behavior) = pool.get_extension_by_name("google.api.field_behavior") else {
        return false;
    };
    let options = field.options();
    let behavior = options.get_extension(&behavior);
    let mut listed = behavior.as_list().into_iter().flatten();
    listed.any(|it| it.as_enum_number() == Some(REQUIRED))
}

/// A field of the message, or of one within it, that is absent although it is required.
fn absent(message: &DynamicMessage) -> Option<String> {
    let within = |value: &prost_reflect::Value| match value {
        prost_reflect::Value::Message(message) => absent(message),
        prost_reflect::Value::List(values) => {
            values.iter().find_map(|value| absent(value.as_message()?))
        }
        _ => None,
    };
    message.descriptor().fields().find_map(|field| match message.has_field(&field) {
        true => within(&message.get_field(&field)),
        false => is_required(&field).then(|| field.full_name().to_owned()),
    })
}

/// The field's value, if this JSON value fits its type.
pub fn parsed(field: &FieldDescriptor, value: Value) -> Option<prost_reflect::Value> {
    let message =
        DynamicMessage::deserialize(field.parent_message().clone(), object(field, value)).ok()?;
    Some(message.get_field(field).into_owned())
}

/// A description of the values of a field, for people: "a 64-bit integer", "one of RED, BLACK".
pub fn expected(kind: &Kind) -> String {
    match kind {
        Kind::Bool => "true or false".to_owned(),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => "a 32-bit integer".to_owned(),
        Kind::Uint32 | Kind::Fixed32 => "a 32-bit integer, not negative".to_owned(),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => "a 64-bit integer".to_owned(),
        Kind::Uint64 | Kind::Fixed64 => "a 64-bit integer, not negative".to_owned(),
        Kind::Float | Kind::Double => "a number".to_owned(),
        Kind::String => "a string".to_owned(),
        Kind::Bytes => "bytes in base64".to_owned(),
        Kind::Enum(descriptor) => {
            let names: Vec<_> = descriptor.values().map(|value| value.name().to_owned()).collect();
            format!("one of {}", names.join(", "))
        }
        Kind::Message(descriptor) => match descriptor.full_name() {
            "google.protobuf.Timestamp" => "a time such as 2026-01-31T12:00:00Z".to_owned(),
            "google.protobuf.Duration" => "a duration such as 2.5s".to_owned(),
            "google.protobuf.FieldMask" => "field names, separated by commas".to_owned(),
            name if is_well_known(descriptor) => format!("a {name}"),
            _ => "an object".to_owned(),
        },
    }
}

/// The refusal of a value that does not fit the field at `path`.
pub fn wrong_type(path: &str, expected: &str) -> Refusal {
    let message = if path.is_empty() {
        format!("the body must be {expected}")
    } else {
        format!("field \"{path}\" must be {expected}")
    };
    Reason::WrongType
        .refusal(message, [("field", path.to_owned()), ("expected", expected.to_owned())])
}

/// The refusal of a name that no field has.
pub fn unknown_field(path: &str) -> Refusal {
    Reason::UnknownField
        .refusal(format!("no field \"{path}\" in this request"), [("field", path.to_owned())])
}

/// The error in a text that the parser refused, and its place. The text is parsed again, at the
/// cost of refused texts only.
fn diagnose(descriptor: &MessageDescriptor, text: &[u8], error: &serde_json::Error) -> Refusal {
    if !error.is_data() {
        return malformed(error);
    }
    match serde_json::from_slice(text) {
        Err(error) => malformed(&error),
        Ok(value) => fault(&Kind::Message(descriptor.clone()), &value, ""),
    }
}

/// The first fault in an object of this type.
fn find(descriptor: &MessageDescriptor, value: &Value, path: &str) -> Option<Refusal> {
    let Some(object) = value.as_object() else { return Some(wrong_type(path, "an object")) };
    object.iter().find_map(|(name, value)| {
        let path = |name: &str| within(path, name);
        match field_named(descriptor, name) {
            None => Some(unknown_field(&path(name))),
            Some(field) if parsed(&field, value.clone()).is_some() => None,
            Some(field) => Some(fault_in_field(&field, value, &path(field.name()))),
        }
    })
}

/// The fault in a value that does not fit its field.
fn fault_in_field(field: &FieldDescriptor, value: &Value, path: &str) -> Refusal {
    let kind = field.kind();
    match value {
        Value::Object(entries) if field.is_map() => {
            let kind = kind
                .as_message()
                .expect("a map's entries are messages")
                .map_entry_value_field()
                .kind();
            let misfit = entries.iter().find(|(key, value)| {
                parsed(
                    field,
                    Value::Object([((*key).clone(), (*value).clone())].into_iter().collect()),
                )
                .is_none()
            });
            misfit.map_or_else(
                || given_twice(path),
                |(key, value)| fault(&kind, value, &format!("{path}.{key}")),
            )
        }
        Value::Array(values) if field.is_list() => {
            let misfit =
                values.iter().position(|value| parsed(field, vec![value.clone()].into()).is_none());
            misfit.map_or_else(
                || given_twice(path),
                |index| fault(&kind, &values[index], &format!("{path}[{index}]")),
            )
        }
        _ if field.is_map() => wrong_type(path, "an object"),
        _ if field.is_list() => wrong_type(path, "a list"),
        _ => fault(&kind, value, path),
    }
}

/// The fault in a single value that does not fit its type.
fn fault(kind: &Kind, value: &Value, path: &str) -> Refusal {
    match kind {
        Kind::Message(descriptor) if !is_well_known(descriptor) => {
            find(descriptor, value, path).unwrap_or_else(|| rivals(descriptor, value, path))
        }
        _ => wrong_type(path, &expected(kind)),
    }
}

fn object(field: &FieldDescriptor, value: Value) -> Value {
    Value::Object([(field.json_name().to_owned(), value)].into_iter().collect())
}

fn malformed(error: &serde_json::Error) -> Refusal {
    let (line, column) = (error.line(), error.column());
    let metadata = [("line", line.to_string()), ("column", column.to_string())];
    Reason::MalformedJson.refusal(format!("the body is not valid JSON: {error}"), metadata)
}

/// The remaining cause, if every single value fits its field: a field in both spellings, or two
/// members of a oneof. The refusal names one of them.
fn rivals(descriptor: &MessageDescriptor, value: &Value, path: &str) -> Refusal {
    let names = value.as_object().into_iter().flat_map(serde_json::Map::keys);
    let fields: Vec<_> = names.filter_map(|name| field_named(descriptor, name)).collect();
    let is_rival = |one: &FieldDescriptor, other: &FieldDescriptor| {
        one == other
            || one.containing_oneof().is_some_and(|it| Some(it) == other.containing_oneof())
    };
    let second = fields.iter().enumerate().find_map(|(nth, field)| {
        fields[..nth].iter().any(|first| is_rival(first, field)).then(|| field.name())
    });
    given_twice(&second.map_or_else(|| path.to_owned(), |name| within(path, name)))
}

fn given_twice(path: &str) -> Refusal {
    let message =
        format!("field \"{path}\" is given a second value, or is one of a oneof that has one");
    Reason::DuplicateField.refusal(message, [("field", path.to_owned())])
}

/// The refusal of an answer that has no JSON form; a fault of the service.
pub fn inexpressible(error: &(dyn std::error::Error + 'static)) -> Refusal {
    tracing::error!(error, "a message could not be expressed as JSON");
    Reason::Internal.refusal("internal error", [])
}
