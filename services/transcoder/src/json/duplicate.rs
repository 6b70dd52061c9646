//! Fields that are given twice. The parser would keep the last value, while a proxy in front of the
//! service might have checked the first, and thus another request.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::fields::{field_named, is_well_known, within};
use crate::refusal::{Reason, Refusal};

/// How to read a value.
pub enum Shape {
    Message(MessageDescriptor),
    Field(FieldDescriptor),
    /// Names are only names: a map, or JSON of any form.
    Any,
}

/// Refuses valid JSON in which an object has a field twice, in either spelling.
pub fn check(shape: Shape, text: &[u8]) -> Result<(), Refusal> {
    let found = RefCell::new(None);
    let walk = Walk { shape, path: String::new(), found: &found };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    // Other faults were refused before this.
    let _ = walk.deserialize(&mut deserializer);
    match found.into_inner() {
        None => Ok(()),
        Some(path) => Err(Reason::DuplicateField
            .refusal(format!("field \"{path}\" is given twice"), [("field", path)])),
    }
}

struct Walk<'f> {
    shape: Shape,
    path: String,
    /// The path of the first field that is given twice.
    found: &'f RefCell<Option<String>>,
}

impl Walk<'_> {
    /// The walk of a member of this object.
    fn member(&self, name: &str) -> Self {
        let field = match &self.shape {
            Shape::Message(descriptor) => field_named(descriptor, name),
            Shape::Field(_) | Shape::Any => None,
        };
        let path = within(&self.path, field.as_ref().map_or(name, FieldDescriptor::name));
        let shape = match &self.shape {
            Shape::Message(_) => field.map_or(Shape::Any, Shape::Field),
            // The values of a map.
            Shape::Field(field) => match field.kind() {
                Kind::Message(entry) if field.is_map() => {
                    shape_of(&entry.map_entry_value_field().kind())
                }
                _ => Shape::Any,
            },
            Shape::Any => Shape::Any,
        };
        Walk { shape, path, found: self.found }
    }

    /// The walk of an element of this list.
    fn element(&self, index: usize) -> Self {
        let shape = match &self.shape {
            Shape::Field(field) => shape_of(&field.kind()),
            Shape::Message(_) | Shape::Any => Shape::Any,
        };
        Walk { shape, path: format!("{}[{index}]", self.path), found: self.found }
    }

    /// Names of one field in two spellings have the same identity.
    fn identity(&self, name: String) -> Name {
        match &self.shape {
            Shape::Message(descriptor) => match field_named(descriptor, &name) {
                Some(field) => Name::Field(field.number()),
                None => Name::Other(name),
            },
            Shape::Field(_) | Shape::Any => Name::Other(name),
        }
    }
}

fn shape_of(kind: &Kind) -> Shape {
    match kind {
        Kind::Message(descriptor) if !is_well_known(descriptor) => {
            Shape::Message(descriptor.clone())
        }
        _ => Shape::Any,
    }
}

#[derive(PartialEq, Eq, Hash)]
enum Name {
    Field(u32),
    Other(String),
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<(), D::Error> {
        if let Shape::Field(field) = &self.shape
            && !field.is_list()
            && !field.is_map()
        {
            self.shape = shape_of(&field.kind());
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let mut index = 0;
        while values.next_element_seed(self.element(index))?.is_some() {
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some(name) = members.next_key::<String>()? {
            let member = self.member(&name);
            if !seen.insert(self.identity(name)) {
                self.found.replace(Some(member.path));
                return Err(A::Error::custom("a field is given twice"));
            }
            members.next_value_seed(member)?;
        }
        Ok(())
    }
}
