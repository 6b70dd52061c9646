//! Actions to try, made from the descriptors of a game's messages: a piece that a player points at,
//! or pieces that the seat sees, in the fields that could hold them.

use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value};
use table::{Piece, Role, Seat, Set, Table};

use crate::{Game, Messages};

/// How many messages are made of one descriptor, and how deep they go.
const MADE_MAX: usize = 48;
const DEPTH_MAX: usize = 4;

/// How many kinds of action are tried, and how many actions of each.
const KINDS_MAX: usize = 64;
const OF_KIND_MAX: usize = 12;

/// How many pieces of each place are tried, and how many in all, where no piece is asked about.
const OF_PLACE_MAX: usize = 2;
const PIECES_MAX: usize = 8;

/// Encoded actions to try for a seat, from what it sees: those that name all of `asked`, if it is
/// not empty. Some may be malformed. The kinds whose fields `is_known` is true for are left out.
pub fn attempts(
    game: &dyn Game,
    seen: &Table,
    seat: Seat,
    asked: &Set,
    is_known: impl Fn(&str) -> bool,
) -> Vec<Vec<u8>> {
    let Some(action) = game.messages().pool().get_message_by_name(&game.action_message()) else {
        return Vec::new();
    };
    let making = Making::new(game, seen, seat, asked);
    let kinds = action.fields().filter(|it| it.containing_oneof().is_some()).take(KINDS_MAX);
    let attempts = kinds.filter(|it| !is_known(it.name())).flat_map(|kind| {
        let Kind::Message(of_kind) = kind.kind() else { return Vec::new() };
        let made = making.messages(&of_kind, DEPTH_MAX).into_iter();
        let made: Vec<_> =
            made.filter(|it| making.asked.iter().all(|one| names(it, one))).collect();
        let step = made.len().div_ceil(OF_KIND_MAX).max(1);
        let actions = made.into_iter().step_by(step).map(|it| {
            let mut message = DynamicMessage::new(action.clone());
            message.set_field(&kind, Value::Message(it));
            message.encode_to_vec()
        });
        actions.collect::<Vec<_>>()
    });
    attempts.collect()
}

/// Whether a text in a message, or in a message inside it, is exactly `name`.
fn names(message: &DynamicMessage, name: &str) -> bool {
    fn is(value: &Value, name: &str) -> bool {
        match value {
            Value::String(it) => it == name,
            Value::Message(it) => names(it, name),
            Value::List(items) => items.iter().any(|it| is(it, name)),
            _ => false,
        }
    }
    message.fields().any(|(_, value)| is(value, name))
}

/// What can stand in the fields of a message.
struct Making {
    messages: &'static Messages,
    /// The full name of the action message.
    action: String,
    seats: Vec<u32>,
    /// The pieces that are asked about.
    asked: Vec<String>,
    /// Other pieces, of several places.
    others: Vec<String>,
    /// All pieces in the seat's hand.
    hand: Vec<String>,
}

impl Making {
    fn new(game: &dyn Game, seen: &Table, seat: Seat, asked: &Set) -> Making {
        let layout = game.layout();
        let named = |pieces: &[Piece]| {
            pieces.iter().map(|&it| layout.piece_name(it).to_owned()).collect::<Vec<String>>()
        };
        let (mut others, mut hand) = (Vec::new(), Vec::new());
        for place in layout.places_of(seen.seat_count() as u8) {
            let pieces: Vec<Piece> = seen.pieces(place.id).iter().collect();
            others.extend(pieces.iter().take(OF_PLACE_MAX));
            if place.seat == Some(seat) && place.display.role == Role::Hand {
                hand.extend(pieces);
            }
        }
        // Pieces at hand first; the rest from all over the table.
        others.sort_by_key(|it| !hand.contains(it));
        let step = others.len().div_ceil(PIECES_MAX).max(1);
        let others: Vec<Piece> = others.into_iter().step_by(step).collect();
        Making {
            messages: game.messages(),
            action: game.action_message(),
            seats: seen.others(seat).chain([seat]).map(|it| u8::from(it).into()).collect(),
            asked: named(&asked.iter().collect::<Vec<Piece>>()),
            others: named(&others),
            hand: named(&hand),
        }
    }

    /// Messages with different fields, never more than [`MADE_MAX`].
    fn messages(&self, descriptor: &MessageDescriptor, depth: usize) -> Vec<DynamicMessage> {
        let mut made = vec![DynamicMessage::new(descriptor.clone())];
        if depth == 0 {
            return made;
        }
        let is_one_of =
            |it: &FieldDescriptor| it.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic());
        for field in descriptor.fields().filter(|it| !is_one_of(it)) {
            let values = self.values(&field, depth).into_iter();
            made = combined(&made, values.map(|it| (field.clone(), it)).map(Some));
        }
        for oneof in descriptor.oneofs().filter(|it| !it.is_synthetic()) {
            let of_field = |field: FieldDescriptor| {
                let values = self.values(&field, depth).into_iter();
                values.map(|it| (field.clone(), it)).collect::<Vec<_>>()
            };
            // Some of each alternative, and none of them.
            let mut alternatives: Vec<Vec<_>> = oneof.fields().map(of_field).collect();
            let most = (MADE_MAX / alternatives.len().max(1)).max(1);
            alternatives.iter_mut().for_each(|it| it.truncate(most));
            let set = alternatives.into_iter().flatten().map(Some);
            made = combined(&made, [None].into_iter().chain(set));
        }
        made
    }

    /// What a field may hold, the pieces that are asked about first.
    fn values(&self, field: &FieldDescriptor, depth: usize) -> Vec<Value> {
        let list = field.is_list();
        let of_seat = self.messages.held_by(field.full_name()) == Some("seat");
        let numbers = |numbers: &[u32], value: fn(u32) -> Value| {
            numbers.iter().map(|&it| value(it)).collect::<Vec<Value>>()
        };
        let one: Vec<Value> = match field.kind() {
            Kind::String if list => return self.pieces(),
            Kind::String => {
                let names = self.asked.iter().chain(&self.others);
                names.map(|it| Value::String(it.clone())).collect()
            }
            Kind::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Kind::Enum(of) => {
                let named = of.values().map(|it| it.number()).filter(|it| *it != 0);
                named.map(Value::EnumNumber).collect()
            }
            Kind::Uint32 | Kind::Fixed32 if of_seat => numbers(&self.seats, Value::U32),
            // A number with presence need not be said.
            Kind::Uint32 | Kind::Fixed32 if !field.supports_presence() => {
                numbers(&[1, 0], Value::U32)
            }
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 if !field.supports_presence() => {
                vec![Value::I32(1), Value::I32(0)]
            }
            // An action in an action is a series of what is tried alone.
            Kind::Message(of) if !field.is_map() && of.full_name() != self.action => {
                self.messages(&of, depth - 1).into_iter().map(Value::Message).collect()
            }
            _ => Vec::new(),
        };
        match list {
            true => {
                let lists = one.into_iter().map(|it| Value::List(vec![it]));
                lists.chain([Value::List(Vec::new())]).collect()
            }
            false => one,
        }
    }

    /// Lists of pieces: those that are asked about, the whole hand, none, and single ones.
    fn pieces(&self) -> Vec<Value> {
        let list =
            |names: &[String]| Value::List(names.iter().cloned().map(Value::String).collect());
        let mut lists = Vec::new();
        if !self.asked.is_empty() {
            lists.push(list(&self.asked));
        }
        lists.push(list(&self.hand));
        lists.push(list(&[]));
        lists.extend(self.others.iter().map(std::slice::from_ref).map(list));
        lists
    }
}

/// Each message with each of the values set, as many as fit. Without values, the messages.
fn combined(
    made: &[DynamicMessage],
    values: impl Iterator<Item = Option<(FieldDescriptor, Value)>>,
) -> Vec<DynamicMessage> {
    let mut values = values.peekable();
    if values.peek().is_none() {
        return made.to_vec();
    }
    let mut all = Vec::new();
    for value in values {
        for message in made {
            if all.len() == MADE_MAX {
                return all;
            }
            let mut message = message.clone();
            if let Some((field, value)) = &value {
                message.set_field(field, value.clone());
            }
            all.push(message);
        }
    }
    all
}
