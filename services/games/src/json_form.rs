//! Actions in the JSON form of protobuf, as a `google.protobuf.Struct`.

use bytes::Bytes;
use prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor};
use prost_types::{ListValue, Struct, value::Kind};
use serde_json::{Map, Value};

use crate::Game;

/// The JSON form of an action of a game, as a `google.protobuf.Struct`. Empty if it has none.
pub fn action_as_struct(game: &dyn Game, message: &[u8]) -> Bytes {
    let json = message_of(game).and_then(|descriptor| {
        let message = DynamicMessage::decode(descriptor, message).ok()?;
        serde_json::to_value(message).ok()
    });
    let Some(Value::Object(fields)) = json else { return Bytes::new() };
    struct_of(fields).encode_to_vec().into()
}

/// The action of a game from such a form. Fails with the reason.
pub fn action_from_struct(game: &dyn Game, message: &[u8]) -> Result<Bytes, String> {
    let of_game = || format!("it is no action of {}", game.name());
    let form = Struct::decode(message).map_err(|_| of_game())?;
    let descriptor = message_of(game).ok_or_else(of_game)?;
    let message = DynamicMessage::deserialize(descriptor, fields_of(form));
    let message = message.map_err(|error| format!("{}: {error}", of_game()))?;
    Ok(message.encode_to_vec().into())
}

fn message_of(game: &dyn Game) -> Option<MessageDescriptor> {
    game.messages().pool().get_message_by_name(&game.action_message())
}

fn struct_of(fields: Map<String, Value>) -> Struct {
    Struct { fields: fields.into_iter().map(|(name, it)| (name, kind_of(it))).collect() }
}

fn kind_of(value: Value) -> prost_types::Value {
    let kind = match value {
        Value::Null => Kind::NullValue(0),
        Value::Bool(it) => Kind::BoolValue(it),
        Value::Number(it) => Kind::NumberValue(it.as_f64().unwrap_or_default()),
        Value::String(it) => Kind::StringValue(it),
        Value::Array(its) => {
            Kind::ListValue(ListValue { values: its.into_iter().map(kind_of).collect() })
        }
        Value::Object(fields) => Kind::StructValue(struct_of(fields)),
    };
    prost_types::Value { kind: Some(kind) }
}

fn fields_of(form: Struct) -> Value {
    Value::Object(form.fields.into_iter().map(|(name, it)| (name, value_of(it))).collect())
}

fn value_of(value: prost_types::Value) -> Value {
    match value.kind {
        None | Some(Kind::NullValue(_)) => Value::Null,
        Some(Kind::BoolValue(it)) => Value::Bool(it),
        // A Struct has no whole numbers, but most fields of actions are.
        Some(Kind::NumberValue(it)) if it.fract() == 0.0 && it.abs() <= WHOLE_MAX => {
            Value::from(it as i64)
        }
        Some(Kind::NumberValue(it)) => Value::from(it),
        Some(Kind::StringValue(it)) => Value::String(it),
        Some(Kind::ListValue(its)) => its.values.into_iter().map(value_of).collect(),
        Some(Kind::StructValue(its)) => fields_of(its),
    }
}

/// Up to here every whole number has a form of its own.
const WHOLE_MAX: f64 = 9_007_199_254_740_991.0;
