//! What an action is about: the things of the layout that its fields name. It is read from the
//! action's message and its options, so no game has code for it.

use std::collections::BTreeMap;
use std::fmt::Write;

use heck::ToKebabCase;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage, Value,
};
use table::{CoinId, Layout, Piece, PlaceId, Seat, Small, Table};

use crate::{Game, Legal, Messages, is_common, messages};

/// The things that an action names, each kind in the order of the action's fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    pub pieces: Vec<Piece>,
    pub places: Vec<PlaceId>,
    pub seats: Vec<Seat>,
    /// Values of the layout, such as suits.
    pub values: Vec<&'static str>,
    pub amounts: Vec<(CoinId, u32)>,
}

impl About {
    /// Reads an encoded action of the game, or one of every game; nothing if it is neither.
    pub fn of(game: &dyn Game, action: &[u8]) -> About {
        let mut about = About::default();
        if let Some(message) = decode(game, action) {
            let things = Things { layout: game.layout(), messages: messages_of(game, action) };
            about.read(things, &message);
        }
        about
    }

    fn read(&mut self, things: Things, message: &DynamicMessage) {
        let descriptor = message.descriptor();
        for field in set_fields(message, &descriptor) {
            let holds = things.messages.held_by(field.full_name());
            for value in each(&message.get_field(&field)) {
                self.read_value(things, &field, holds, value);
            }
        }
        if let Some(place) = place_of(things, message, &descriptor) {
            add(&mut self.places, place);
        }
    }

    fn read_value(
        &mut self,
        things: Things,
        field: &FieldDescriptor,
        holds: Option<&str>,
        value: &Value,
    ) {
        let layout = things.layout;
        match (value, holds) {
            (Value::String(name), _) => {
                if let Some(piece) = layout.piece_named(name) {
                    add(&mut self.pieces, piece);
                } else if let Some(place) = layout.place_named(name) {
                    add(&mut self.places, place);
                }
            }
            (Value::U32(number), Some("seat")) => {
                if let Some(seat) = usize::try_from(*number).ok().and_then(Seat::nth) {
                    add(&mut self.seats, seat);
                }
            }
            (Value::U32(number), Some(holds)) if *number > 0 => {
                let coin = layout.coins().iter().find(|coin| coin.name == holds);
                self.amounts.extend(coin.map(|coin| (coin.id, *number)));
            }
            (Value::EnumNumber(_), _) => {
                let name = enum_name(field, value).unwrap_or_default();
                if let Some(value) = layout.value_named(&name) {
                    add(&mut self.values, value);
                }
            }
            (Value::Message(message), _) => self.read(things, message),
            _ => {}
        }
    }
}

/// What an action can name.
#[derive(Clone, Copy)]
struct Things {
    layout: &'static Layout,
    messages: &'static Messages,
}

fn add<T: PartialEq>(all: &mut Vec<T>, it: T) {
    if !all.contains(&it) {
        all.push(it);
    }
}

/// By action of a list: the first one that differs from it only in which copies of a card, lying in
/// the same place, it names; `None` for that first one. `table` is what the acting seat sees.
pub fn copies(game: &dyn Game, table: &Table, legal: &[Legal]) -> Vec<Option<usize>> {
    if !game.layout().has_copies() {
        return vec![None; legal.len()];
    }
    let mut firsts: BTreeMap<String, usize> = BTreeMap::new();
    let first = |(nth, legal): (usize, &Legal)| {
        let message = decode(game, &legal.action)?;
        let mut spelled = String::new();
        spell(table, &message, &mut spelled);
        let first = *firsts.entry(spelled).or_insert(nth);
        (first != nth).then_some(first)
    };
    legal.iter().enumerate().map(first).collect()
}

/// Spells a message so that copies in the same place are spelled alike. Pieces in a list have no
/// order.
fn spell(table: &Table, message: &DynamicMessage, spelled: &mut String) {
    let descriptor = message.descriptor();
    for field in set_fields(message, &descriptor) {
        let value = message.get_field(&field);
        let mut parts: Vec<String> = each(&value).map(|it| spell_value(table, it)).collect();
        if matches!(field.kind(), Kind::String) {
            parts.sort_unstable();
        }
        let _ = write!(spelled, "{}:{} ", field.number(), parts.join(","));
    }
}

fn spell_value(table: &Table, value: &Value) -> String {
    match value {
        Value::String(name) => match table.layout().piece_named(name) {
            Some(piece) => {
                let first = table.layout().first_copy(piece).index();
                let place = table.at(piece).map(PlaceId::number);
                format!("{first}@{place:?}")
            }
            None => format!("{name:?}"),
        },
        Value::Message(message) => {
            let mut spelled = String::from("(");
            spell(table, message, &mut spelled);
            spelled + ")"
        }
        other => format!("{other:?}"),
    }
}

// === Messages ===

/// The descriptors of an action: those of its game, or of what every game has.
fn messages_of(game: &dyn Game, action: &[u8]) -> &'static Messages {
    if is_common(action) { messages() } else { game.messages() }
}

/// An encoded action of the game, or one of every game; `None` if it is neither.
pub fn decode(game: &dyn Game, action: &[u8]) -> Option<DynamicMessage> {
    let name = match is_common(action) {
        true => "croupier.table.v1.Action".to_owned(),
        false => game.action_message(),
    };
    let pool = messages_of(game, action).pool();
    DynamicMessage::decode(pool.get_message_by_name(&name)?, action).ok()
}

/// The fields of a message that are set. A number without presence is: 0 is a seat.
fn set_fields(
    message: &DynamicMessage,
    descriptor: &MessageDescriptor,
) -> impl Iterator<Item = FieldDescriptor> {
    let fields = descriptor.fields();
    let is_set = |it: &FieldDescriptor| !it.supports_presence() || message.has_field(it);
    fields.filter(is_set).collect::<Vec<_>>().into_iter()
}

/// The items of a list, or the value itself.
fn each(value: &Value) -> impl Iterator<Item = &Value> {
    match value {
        Value::List(items) => items.iter(),
        one => std::slice::from_ref(one).iter(),
    }
}

/// A value of an enum without the enum's prefix: `moons` for `SUIT_MOONS`; `None` for 0.
fn enum_name(field: &FieldDescriptor, value: &Value) -> Option<String> {
    let Kind::Enum(descriptor) = field.kind() else { return None };
    let number = value.as_enum_number().filter(|number| *number != 0)?;
    let name = descriptor.get_value(number)?.name().to_kebab_case();
    let prefix = descriptor.name().to_kebab_case() + "-";
    Some(name.strip_prefix(&prefix).unwrap_or(&name).to_owned())
}

/// The place that a message names by its parts.
fn place_of(
    things: Things,
    message: &DynamicMessage,
    descriptor: &MessageDescriptor,
) -> Option<PlaceId> {
    let pattern = things.messages.place_of(descriptor.full_name())?;
    let mut name = String::new();
    for (nth, part) in pattern.split(['{', '}']).enumerate() {
        if nth % 2 == 0 {
            name.push_str(part);
            continue;
        }
        let field = descriptor.get_field_by_name(part)?;
        if field.supports_presence() && !message.has_field(&field) {
            return None;
        }
        match &*message.get_field(&field) {
            Value::String(it) => name.push_str(it),
            Value::U32(it) => name.push_str(&it.to_string()),
            value => name.push_str(&enum_name(&field, value)?),
        }
    }
    things.layout.place_named(&name)
}
