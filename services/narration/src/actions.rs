//! Labels of actions, from their messages alone: each kind of action has a Fluent message, whose
//! arguments are the fields of the action. A short label is made of the same fields.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use games::{By, Group, Legal};
use heck::ToKebabCase;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage, Value,
};
use table::{Seat, Small, Table};

use crate::Narrator;
use crate::kept::Kept;
use crate::narrator::Voice;
use crate::people::Forms;
use crate::things::value_title;
use crate::words::{Args, capitalized};

impl Narrator {
    /// The label of an action, such as `Take the Ace of Suns`. Its message is one of the game's own
    /// or one that every game has.
    pub fn label(&self, verb: &str, action: &[u8]) -> String {
        self.label_in(self.voice(), verb, action)
    }

    /// The labels of the legal actions of the reader's seat. No two actions of the list have the
    /// same long or the same short label, except copies ([`games::copies`]), which share those of
    /// the action that they are copies of. `table` is what the seat sees.
    pub fn labels(&self, table: &Table, legal: &[Legal]) -> Vec<Label> {
        let copies = games::copies(self.game, table, legal);
        let listed = legal.iter().zip(&copies).filter(|(_, copy)| copy.is_none());
        let listed: Vec<&Legal> = listed.map(|(legal, _)| legal).collect();
        let said = |voice: Voice| {
            let say = |it: &&Legal| self.label_in(voice, it.verb, &it.action);
            listed.iter().map(say).collect::<Vec<String>>()
        };
        let brief = Voice { is_brief: true, ..self.voice() };
        let long = distinct(apart(table, self.voice(), said));
        let short = shortened(apart(table, brief, said));
        let mut labels = long.into_iter().zip(short).map(|(long, short)| Label { long, short });
        let mut all: Vec<Label> = Vec::with_capacity(legal.len());
        for copy in copies {
            let label = match copy {
                Some(first) => all[first].clone(),
                None => labels.next().expect("each action that is no copy has a label"),
            };
            all.push(label);
        }
        all
    }

    /// The titles of groups beside each other: short, and no two alike.
    pub fn group_titles(&self, table: &Table, groups: &[Group]) -> Vec<String> {
        let brief = Voice { is_brief: true, ..self.voice() };
        let said =
            |voice: Voice| groups.iter().map(|it| group_title(voice, it.by)).collect::<Vec<_>>();
        shortened(apart(table, brief, said))
    }

    fn label_in(&self, voice: Voice, verb: &str, action: &[u8]) -> String {
        let args =
            games::decode(self.game, action).and_then(|action| Some(kind_of(voice, &action)?.1));
        self.label_with(voice, verb, args.unwrap_or_default())
    }

    fn label_with(&self, voice: Voice, verb: &str, args: Args) -> String {
        let key = format!("verb-{verb}");
        let brief = voice.is_brief.then(|| self.words.attribute(&key, "short", &args)).flatten();
        let label = brief.or_else(|| self.words.attribute(&key, "label", &args));
        capitalized(&label.unwrap_or_else(|| self.words.say(&key, &args)))
    }

    /// The help of a kind of action, in a sentence.
    pub fn help(&self, verb: &str) -> String {
        let key = format!("verb-{verb}");
        self.words.attribute(&key, "help", &Args::new()).unwrap_or_default()
    }
}

/// The labels of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub long: String,
    /// At most [`SHORT_MAX`] characters.
    pub short: String,
}

/// The longest short label, in characters: what buttons of chat programs show.
pub const SHORT_MAX: usize = 40;

/// Texts in which copies of a card are told apart by their places, where they would be the same
/// otherwise.
fn apart<'a>(
    table: &'a Table,
    voice: Voice<'a>,
    said: impl Fn(Voice<'a>) -> Vec<String>,
) -> Vec<String> {
    let plain = said(voice);
    let mut counts: HashMap<&str, usize> = HashMap::new();
    plain.iter().for_each(|text| *counts.entry(text).or_default() += 1);
    if counts.values().all(|&count| count == 1) {
        return plain;
    }
    let placed = said(Voice { apart_on: Some(table), ..voice });
    let pairs = plain.iter().zip(placed);
    pairs.map(|(text, placed)| if counts[&**text] > 1 { placed } else { text.clone() }).collect()
}

/// Numbers texts that are the same.
fn distinct(texts: Vec<String>) -> Vec<String> {
    let mut taken = HashSet::new();
    let text = |text: String| free(&mut taken, |nth| numbered(&text, nth));
    texts.into_iter().map(text).collect()
}

/// Texts of at most [`SHORT_MAX`] characters, no two alike: the beginning of a longer one or, if
/// another begins like it, its beginning and its end.
fn shortened(texts: Vec<String>) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    // Those that need no change keep their texts.
    let mut beginnings: HashMap<String, usize> = HashMap::new();
    let cuts: Vec<String> = texts.iter().map(|text| cut(text, SHORT_MAX)).collect();
    cuts.iter().for_each(|cut| *beginnings.entry(cut.clone()).or_default() += 1);
    let short = |(text, cut_off): (String, String)| {
        free(&mut taken, |nth| match nth {
            1 if beginnings[&cut_off] == 1 || cut_off == text => cut_off.clone(),
            1 | 2 => ends(&text),
            nth => {
                let suffix = numbered("", nth - 1).chars().count();
                numbered(&cut(&text, SHORT_MAX - suffix), nth - 1)
            }
        })
    };
    texts.into_iter().zip(cuts).map(short).collect()
}

/// The first of numbered texts that is not taken yet.
fn free(taken: &mut HashSet<String>, text: impl Fn(usize) -> String) -> String {
    let text = (1..).map(text).find(|text| !taken.contains(text)).expect("there are endless texts");
    taken.insert(text.clone());
    text
}

fn numbered(text: &str, nth: usize) -> String {
    if nth == 1 { text.to_owned() } else { format!("{text} ({nth})") }
}

/// The beginning of a text, up to the end of a word if that leaves most of it.
fn cut(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let first: String = text.chars().take(max - 1).collect();
    let word = first.rfind(' ').filter(|&at| first[..at].chars().count() > max * 2 / 3);
    first[..word.unwrap_or(first.len())].trim_end_matches(is_between).to_owned() + "…"
}

/// Whether it separates words, as no end of a text does.
fn is_between(it: char) -> bool {
    it.is_whitespace() || matches!(it, ',' | ':' | ';')
}

/// The beginning and the end of a text.
fn ends(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= SHORT_MAX {
        return text.to_owned();
    }
    let half = (SHORT_MAX - 1) / 2;
    let first: String = chars[..half].iter().collect();
    let last: String = chars[chars.len() - half..].iter().collect();
    format!("{}…{}", first.trim_end(), last.trim_start())
}

fn group_title(voice: Voice, by: By) -> String {
    let words = voice.words();
    let title = match by {
        By::Verb(verb) => words.say(&format!("verb-{verb}"), &Args::new()),
        By::Piece(piece) => voice.picked(piece),
        By::Place(place) => voice.place(place, "at", None),
        By::Seat(seat) => voice.person(seat).name().to_owned(),
        By::Value(value) => value_title(words, value),
        By::Others => words.say("others", &Args::new()),
    };
    capitalized(&title)
}

/// The names of the arguments of a field.
struct FieldNames {
    name: String,
    count: String,
    key: String,
    seat: Forms<'static>,
}

impl FieldNames {
    /// A long list of actions would otherwise spend most of its time on making them. The names
    /// follow from that of the field, whichever game has it.
    fn of(field: &FieldDescriptor) -> &'static FieldNames {
        static COMPILED_IN: LazyLock<HashMap<String, FieldNames>> = LazyLock::new(|| {
            let messages = games::messages().pool().all_messages();
            let fields = messages.flat_map(|message| message.fields().collect::<Vec<_>>());
            fields.map(|field| (field.full_name().to_owned(), FieldNames::new(&field))).collect()
        });
        static OF_MODULES: Kept<String, FieldNames> = Kept::new();
        let name = field.full_name();
        COMPILED_IN
            .get(name)
            .unwrap_or_else(|| OF_MODULES.get_or_keep(name, || FieldNames::new(field)))
    }

    fn new(field: &FieldDescriptor) -> FieldNames {
        let name = field.name().to_kebab_case();
        FieldNames {
            count: format!("{name}-count"),
            key: format!("{name}-key"),
            seat: Forms::of(&format!("{name}-seat")),
            name,
        }
    }
}

/// The kind of an action, which is the set field of its oneof, and the arguments in it.
fn kind_of<'a>(voice: Voice<'a>, action: &DynamicMessage) -> Option<(&'static str, Args<'a>)> {
    let (field, value) = action.fields().next()?;
    let args = value.as_message().map(|message| fields(voice, message)).unwrap_or_default();
    Some((&FieldNames::of(&field).name, args))
}

/// The fields of a message as arguments. A field `f` gives `f`, in words, and
///
/// - for a list, `f-count`;
/// - for a number, `f-seat` and its forms, if it is the number of a seat;
/// - for an enum, `f-key`;
/// - for a oneof `o`, `o` with the name of the field that is set, or `none`.
fn fields<'a>(voice: Voice<'a>, message: &DynamicMessage) -> Args<'a> {
    let descriptor = message.descriptor();
    let oneofs = descriptor.oneofs().filter(|it| !it.is_synthetic());
    let args = oneofs.fold(Args::new(), |args, oneof| {
        let set = oneof.fields().find(|field| message.has_field(field));
        let set = set.map_or("none", |field| &FieldNames::of(&field).name);
        args.text(oneof.name().to_kebab_case(), set)
    });
    descriptor.fields().fold(args, |args, field| {
        let value = message.get_field(&field);
        argument(voice, args, &field, &value)
    })
}

fn argument<'a>(
    voice: Voice<'a>,
    args: Args<'a>,
    field: &FieldDescriptor,
    value: &Value,
) -> Args<'a> {
    let FieldNames { name, count, key, seat } = FieldNames::of(field);
    match value {
        Value::List(values) => {
            let parts = values.iter().filter_map(|value| text_of(voice, field, value));
            args.text(name, voice.list(parts)).number(count, values.len() as i64)
        }
        Value::U32(number) => {
            let args = args.number(name, i64::from(*number));
            match voice.numbered(i64::from(*number)) {
                Some(person) => args.person(seat.borrowed(), person),
                None => args,
            }
        }
        Value::EnumNumber(_) => {
            let value = enum_key(field, value).unwrap_or_default();
            args.text(name, value_title(voice.words(), &value)).text(key, value)
        }
        Value::Bool(it) => args.text(name, if *it { "yes" } else { "no" }),
        value => args.text(name, text_of(voice, field, value).unwrap_or_default()),
    }
}

/// A value in words; `None` if there is nothing to say.
fn text_of(voice: Voice, field: &FieldDescriptor, value: &Value) -> Option<String> {
    match value {
        Value::String(name) => Some(voice.named(name).unwrap_or_else(|| name.clone())),
        Value::U32(number) => {
            let seat = usize::try_from(*number).ok().and_then(Seat::nth)?;
            Some(voice.person(seat).name().to_owned())
        }
        Value::EnumNumber(_) => Some(value_title(voice.words(), &enum_key(field, value)?)),
        Value::Message(message) => part(voice, message),
        _ => None,
    }
}

fn enum_key(field: &FieldDescriptor, value: &Value) -> Option<String> {
    let Kind::Enum(descriptor) = field.kind() else { return None };
    let name = descriptor.get_value(value.as_enum_number()?)?.name().to_kebab_case();
    let prefix = descriptor.name().to_kebab_case() + "-";
    Some(name.strip_prefix(&prefix).unwrap_or(&name).to_owned())
}

/// A message inside an action, as its own Fluent message or, if that has only attributes, as a list
/// of those whose fields are set. An action inside an action is its label.
fn part(voice: Voice, message: &DynamicMessage) -> Option<String> {
    let descriptor = message.descriptor();
    if descriptor.full_name() == voice.game().action_message() {
        let (verb, args) = kind_of(voice, message)?;
        return Some(voice.narrator.label_with(voice, verb, args));
    }
    let key = format!("part-{}", descriptor.name().to_kebab_case());
    let args = fields(voice, message);
    if let Some(text) = voice.words().find(&key, &args) {
        return Some(text);
    }
    let set = descriptor.fields().filter(|field| message.has_field(field));
    let parts =
        set.filter_map(|field| voice.words().attribute(&key, &FieldNames::of(&field).name, &args));
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    Some(voice.list(parts))
}

/// The messages inside the actions of a game, for each of which its words need a text.
pub(crate) fn parts_of(action: &MessageDescriptor) -> Vec<MessageDescriptor> {
    let mut found: Vec<MessageDescriptor> = Vec::new();
    let mut left: Vec<MessageDescriptor> = action
        .fields()
        .filter_map(|kind| kind.kind().as_message().cloned())
        .flat_map(|kind| kind.fields().collect::<Vec<_>>())
        .filter_map(|field| field.kind().as_message().cloned())
        .collect();
    while let Some(next) = left.pop() {
        if next != *action && !found.contains(&next) {
            left.extend(next.fields().filter_map(|field| field.kind().as_message().cloned()));
            found.push(next);
        }
    }
    found
}
