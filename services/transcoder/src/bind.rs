//! Fields of a request that are sent as text: in the path, the query string or a header.

use std::borrow::Cow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage, Value,
};

use crate::json;
use crate::refusal::{Reason, Refusal};

/// A field of a message, or of a message within it: `options.seed`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldPath(Vec<FieldDescriptor>);

impl FieldPath {
    /// The field at a dotted path of names; only the last may be a list.
    pub fn find(descriptor: &MessageDescriptor, dotted: &str) -> Option<Self> {
        let mut fields: Vec<FieldDescriptor> = Vec::new();
        for (depth, name) in dotted.split('.').enumerate() {
            if depth == DEPTH_MAX {
                return None;
            }
            let within = match fields.last() {
                None => descriptor.clone(),
                Some(field) if field.is_list() || field.is_map() => return None,
                Some(field) => field.kind().as_message()?.clone(),
            };
            fields.push(json::field_named(&within, name)?);
        }
        Some(Self(fields))
    }

    /// A field of the message itself.
    pub fn of(field: &FieldDescriptor) -> Self {
        Self(vec![field.clone()])
    }

    /// The outermost field.
    pub fn first(&self) -> &FieldDescriptor {
        &self.0[0]
    }

    /// The field itself.
    pub fn last(&self) -> &FieldDescriptor {
        self.0.last().expect("a path has at least one field")
    }

    /// The dotted path, spelled as in JSON.
    pub fn dotted(&self) -> String {
        self.0.iter().map(FieldDescriptor::json_name).collect::<Vec<_>>().join(".")
    }

    /// The dotted path, spelled as in the contract.
    fn declared(&self) -> String {
        self.0.iter().map(FieldDescriptor::name).collect::<Vec<_>>().join(".")
    }

    /// Reads `text` into the field; appends to it if it is a list.
    pub fn set(&self, message: &mut DynamicMessage, text: &str) -> Result<(), Refusal> {
        let field = self.last();
        let value = read(field, text)
            .ok_or_else(|| json::wrong_type(&self.declared(), &json::expected(&field.kind())))?;
        let holder = self.holder(message);
        match holder.get_field_mut(field) {
            Value::List(values) => values.push(value),
            slot => *slot = value,
        }
        Ok(())
    }

    /// The field's value as text, if it is set and is a number, a string or bytes, in base64.
    pub fn text(&self, message: &DynamicMessage) -> Option<String> {
        text(&self.0, message)
    }

    fn holder<'m>(&self, message: &'m mut DynamicMessage) -> &'m mut DynamicMessage {
        self.0[..self.0.len() - 1].iter().fold(message, |message, field| {
            message
                .get_field_mut(field)
                .as_message_mut()
                .expect("every field of a path but the last is a message")
        })
    }
}

/// The deepest path: a message may contain itself, and binding recurses.
const DEPTH_MAX: usize = 32;

/// Binds `a=1&b.c=x` to a request. Fields in `bound` are already set and are refused as
/// duplicates.
pub fn query<'p>(
    message: &mut DynamicMessage,
    pairs: impl Iterator<Item = (Cow<'p, str>, Cow<'p, str>)>,
    bound: &[FieldPath],
) -> Result<(), Refusal> {
    let descriptor = message.descriptor();
    let mut seen: Vec<FieldPath> = Vec::new();
    for (name, text) in pairs {
        let path = FieldPath::find(&descriptor, &name).ok_or_else(|| json::unknown_field(&name))?;
        if seen.contains(&path) || bound.iter().any(|other| path.0.starts_with(&other.0)) {
            let field = path.declared();
            let message = format!("field \"{field}\" is given twice");
            return Err(Reason::DuplicateField.refusal(message, [("field", field)]));
        }
        path.set(message, &text)?;
        if !path.last().is_list() {
            seen.push(path);
        }
    }
    Ok(())
}

fn text(path: &[FieldDescriptor], message: &DynamicMessage) -> Option<String> {
    let (field, rest) = path.split_first()?;
    if !message.has_field(field) {
        return None;
    }
    match message.get_field(field).as_ref() {
        Value::Message(inner) => text(rest, inner),
        Value::String(text) => Some(text.clone()),
        Value::I64(number) => Some(number.to_string()),
        Value::I32(number) => Some(number.to_string()),
        Value::U64(number) => Some(number.to_string()),
        Value::U32(number) => Some(number.to_string()),
        Value::Bytes(bytes) => Some(BASE64_STANDARD.encode(bytes)),
        _ => None,
    }
}

/// One value of the field's type, or of its elements' type if it is a list.
fn read(field: &FieldDescriptor, text: &str) -> Option<Value> {
    match field.kind() {
        Kind::String => Some(Value::String(text.to_owned())),
        Kind::Bool => text.parse().ok().map(Value::Bool),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => text.parse().ok().map(Value::I32),
        Kind::Uint32 | Kind::Fixed32 => text.parse().ok().map(Value::U32),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => text.parse().ok().map(Value::I64),
        Kind::Uint64 | Kind::Fixed64 => text.parse().ok().map(Value::U64),
        // A value that JSON writes as a string is sent without quotes; enum numbers and wrapped
        // booleans are JSON literals.
        _ => read_json(field, text.into())
            .or_else(|| read_json(field, serde_json::from_str(text).ok()?)),
    }
}

fn read_json(field: &FieldDescriptor, value: serde_json::Value) -> Option<Value> {
    if value.is_object() || value.is_array() || value.is_null() {
        return None;
    }
    if field.is_list() {
        return match json::parsed(field, vec![value].into())? {
            Value::List(mut values) => values.pop(),
            _ => None,
        };
    }
    json::parsed(field, value)
}
