//! Actions as JSON, and as forms with the fields of the contract.

use contract::Action;
use prost::Message;
use prost_reflect::{Cardinality, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::Value;

use super::error::Error;
use super::names::short_game_name;

/// An action with its path in the contract: `croupier.v1.Action`, a game, a kind.
struct Parts {
    game: FieldDescriptor,
    kind: FieldDescriptor,
    /// The message of the kind.
    body: Value,
}

impl Parts {
    fn of(action: &Action) -> Option<Parts> {
        let mut whole = serde_json::from_str(&contract::json_of("Action", action)).ok()?;
        let game = set_field(&descriptor(), &whole)?;
        let mut inner = take(&mut whole, game.json_name());
        let kind = set_field(game.kind().as_message()?, &inner)?;
        let body = take(&mut inner, kind.json_name());
        Some(Parts { game, kind, body })
    }
}

fn descriptor() -> MessageDescriptor {
    let descriptor = contract::descriptors().get_message_by_name("croupier.v1.Action");
    descriptor.expect("the contract has actions")
}

/// The first field that has a value.
fn set_field(message: &MessageDescriptor, value: &Value) -> Option<FieldDescriptor> {
    message.fields().find(|field| value.get(field.json_name()).is_some_and(|it| !it.is_null()))
}

fn take(value: &mut Value, key: &str) -> Value {
    value.get_mut(key).map(Value::take).unwrap_or_default()
}

/// The message of an action's kind as compact JSON, such as `{"card":"ace-of-suns"}`.
pub fn json(action: &Action) -> String {
    Parts::of(action).map(|parts| parts.body.to_string()).unwrap_or_default()
}

/// Parses an action from JSON: `croupier.v1.Action` such as `{"mountebank": {"draw": {}}}`, or the
/// game's part of it, such as `{"draw": {}}`.
pub fn of_json(game: &str, text: &str) -> Result<Action, Error> {
    let value = serde_json::from_str(text).map_err(|error| Error::Action(error.to_string()))?;
    of_value(game, &value)
}

fn of_value(game: &str, value: &Value) -> Result<Action, Error> {
    let game = short_game_name(game).replace('-', "_");
    let keys: Vec<&String> = value.as_object().into_iter().flat_map(|it| it.keys()).collect();
    let field =
        |key: &str| descriptor().fields().find(|it| it.name() == key || it.json_name() == key);
    let parsed = match keys[..] {
        [key] if field(key).is_some() => DynamicMessage::deserialize(descriptor(), value.clone()),
        _ => {
            // A game without a field of its own is a module.
            let game = if field(&game).is_some() { &game } else { "module" };
            let whole = serde_json::json!({ game: value });
            DynamicMessage::deserialize(descriptor(), whole)
        }
    };
    let message = parsed.map_err(|error| Error::Action(error.to_string()))?;
    let action = Action::decode(&message.encode_to_vec()[..]);
    action.map_err(|error| Error::Action(error.to_string()))
}

/// A message to these seats, or to everyone if none are named.
pub fn say(text: &str, to: &[u32]) -> Result<Action, Error> {
    of_value("", &serde_json::json!({"table": {"say": {"text": text, "to": to}}}))
}

/// A standing answer, declared or taken back.
pub fn stand(decision: &str, on: bool) -> Result<Action, Error> {
    of_value("", &serde_json::json!({"table": {"stand": {"decision": decision, "on": on}}}))
}

/// An action as fields to change one by one.
pub struct Form(Parts);

/// A field of a form.
pub struct Field {
    /// The names of the messages around it and its own, such as `give`, `units`, `metal`.
    path: Vec<FieldDescriptor>,
    /// The value, as people write it.
    pub text: String,
}

impl Form {
    pub fn of(action: &Action) -> Option<Form> {
        Parts::of(action).map(Form)
    }

    /// The fields that can be changed. Of a oneof, the one that is set.
    pub fn fields(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        if let Kind::Message(message) = self.0.kind.kind() {
            collect(&message, &self.0.body, &mut Vec::new(), &mut fields);
        }
        fields
    }

    /// Fails with a sentence if the text is not a value of the field.
    pub fn set(&mut self, field: &Field, text: &str) -> Result<(), String> {
        let mut place = &mut self.0.body;
        for step in &field.path {
            if !place.is_object() {
                *place = serde_json::json!({});
            }
            place = &mut place[step.json_name()];
        }
        *place = value_of(field.leaf(), text.trim())?;
        Ok(())
    }

    pub fn action(&self) -> Result<Action, Error> {
        let Parts { game, kind, body } = &self.0;
        of_value("", &serde_json::json!({ game.json_name(): { kind.json_name(): body } }))
    }
}

impl Field {
    fn leaf(&self) -> &FieldDescriptor {
        self.path.last().expect("a field has a name")
    }

    /// The name, such as `give units metal`.
    pub fn name(&self) -> String {
        let names: Vec<String> = self.path.iter().map(|it| it.name().replace('_', " ")).collect();
        names.join(" ")
    }

    /// The contract's comment on it, in one line.
    pub fn help(&self) -> String {
        contract::comment_of(&self.leaf().parent_file(), self.leaf().path())
    }

    /// The values to choose from; empty if there are too many to list.
    pub fn choices(&self) -> Vec<String> {
        match self.leaf().kind() {
            Kind::Enum(kind) if !self.leaf().is_list() => {
                let values = kind.values().filter(|value| value.number() != 0);
                values.map(|value| short(self.leaf(), value.name())).collect()
            }
            Kind::Bool if !self.leaf().is_list() => vec!["yes".to_owned(), "no".to_owned()],
            _ => Vec::new(),
        }
    }
}

fn collect(
    message: &MessageDescriptor,
    value: &Value,
    path: &mut Vec<FieldDescriptor>,
    fields: &mut Vec<Field>,
) {
    for field in message.fields() {
        let set = value.get(field.json_name()).filter(|it| !it.is_null());
        let is_choice = field.containing_oneof().is_some_and(|it| !it.is_synthetic());
        let is_deprecated =
            field.field_descriptor_proto().options.as_ref().is_some_and(|it| it.deprecated());
        if set.is_none() && (is_choice || is_deprecated) {
            continue;
        }
        let kind = field.kind();
        path.push(field.clone());
        match kind {
            Kind::Message(message) if field.cardinality() != Cardinality::Repeated => {
                collect(&message, set.unwrap_or(&Value::Null), path, fields);
            }
            _ => {
                let text = set.map(|it| text_of(&field, it)).unwrap_or_default();
                fields.push(Field { path: path.clone(), text });
            }
        }
        path.pop();
    }
}

/// A value as people write it: lists with commas, enum values without their prefix.
fn text_of(field: &FieldDescriptor, value: &Value) -> String {
    match value {
        Value::String(text) => short(field, text),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Array(items) if !matches!(field.kind(), Kind::Message(_)) => {
            items.iter().map(|item| text_of(field, item)).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// `SUIT_MOONS` as `moons`; other texts as they are.
fn short(field: &FieldDescriptor, text: &str) -> String {
    match field.kind() {
        Kind::Enum(kind) => {
            let prefix = prefix(&kind);
            text.strip_prefix(&prefix).unwrap_or(text).to_lowercase().replace('_', "-")
        }
        _ => text.to_owned(),
    }
}

/// `SUIT_` of the enum whose zero is `SUIT_UNSPECIFIED`.
fn prefix(kind: &prost_reflect::EnumDescriptor) -> String {
    kind.default_value().name().trim_end_matches("UNSPECIFIED").to_owned()
}

fn value_of(field: &FieldDescriptor, text: &str) -> Result<Value, String> {
    if !field.is_list() {
        return one_of(field, text);
    }
    if let Kind::Message(_) = field.kind() {
        return serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"));
    }
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    items.map(|item| one_of(field, item)).collect()
}

fn one_of(field: &FieldDescriptor, text: &str) -> Result<Value, String> {
    match field.kind() {
        Kind::String => Ok(text.into()),
        Kind::Bool => match text {
            "yes" | "true" => Ok(true.into()),
            "no" | "false" | "" => Ok(false.into()),
            _ => Err("write yes or no".to_owned()),
        },
        Kind::Enum(kind) => {
            let name = prefix(&kind) + &text.to_uppercase().replace('-', "_");
            match kind.get_value_by_name(&name) {
                Some(value) => Ok(value.name().into()),
                None => Err(format!("{text} is none of its values")),
            }
        }
        Kind::Message(_) => {
            serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))
        }
        _ if text.is_empty() => Ok(Value::Null),
        _ => text.parse::<i64>().map(Value::from).map_err(|_| format!("{text} is not a number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(game: &str, text: &str) -> Action {
        of_json(game, text).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn the_name_of_the_game_may_be_left_out() {
        let whole = parsed("games/rigs", r#"{"mountebank": {"take": {"card": "journey"}}}"#);
        assert_eq!(whole, parsed("mountebank", r#"{"take": {"card": "journey"}}"#));
        assert_eq!(json(&whole), r#"{"card":"journey"}"#);
        let said = say("Deal?", &[1]).expect("an action");
        assert_eq!(said, parsed("rigs", r#"{"table": {"say": {"text": "Deal?", "to": [1]}}}"#));
    }

    #[test]
    fn what_is_no_action_is_refused_with_the_place() {
        for wrong in ["{", "[]", "7", r#"{"steal": {}}"#, r#"{"take": {"card": 7}}"#] {
            let error = of_json("mountebank", wrong).expect_err(wrong);
            assert!(error.to_string().starts_with("this is not an action: "), "{error}");
        }
    }

    #[test]
    fn a_form_has_the_fields_of_the_message() {
        let deal =
            r#"{"offer": {"to": 1, "give": {"credits": 2}, "take": {"units": {"metal": 1}}}}"#;
        let mut form = Form::of(&parsed("rigs", deal)).expect("a form");
        let shown = |form: &Form| -> Vec<String> {
            let fields = form.fields();
            let fields = fields.iter().filter(|it| !["", "0"].contains(&it.text.as_str()));
            fields.map(|it| format!("{}: {}", it.name(), it.text)).collect()
        };
        assert_eq!(shown(&form), ["to: 1", "give credits: 2", "take units metal: 1"]);
        for (name, text) in [("give units energy", "3"), ("take plots", "plot-1, plot-2")] {
            let field = form.fields().into_iter().find(|it| it.name() == name).expect(name);
            form.set(&field, text).expect("a value");
        }
        let changed = ["to: 1", "give units energy: 3", "give credits: 2", "take units metal: 1"];
        let changed = [&changed[..], &["take plots: plot-1, plot-2"]].concat();
        assert_eq!(shown(&form), changed);
        assert_eq!(shown(&Form::of(&form.action().expect("an action")).expect("a form")), changed);
    }

    #[test]
    fn a_field_offers_its_values_and_refuses_others() {
        let con = r#"{"con": {"cards": ["journey"], "primary": "SUIT_MOONS"}}"#;
        let mut form = Form::of(&parsed("mountebank", con)).expect("a form");
        let suit = form.fields().pop().expect("a field");
        assert_eq!((suit.name(), suit.text.as_str()), ("primary".to_owned(), "moons"));
        assert_eq!(suit.choices()[..2], ["moons", "suns"]);
        assert!(suit.help().starts_with("The suit"), "{}", suit.help());
        assert!(form.set(&suit, "diamonds").is_err());
        form.set(&suit, "suns").expect("a suit");
        assert!(json(&form.action().expect("an action")).contains("SUIT_SUNS"));
    }
}
