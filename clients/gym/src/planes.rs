//! The names and shapes of what an observation consists of.

use std::fmt::Write;

/// What the numbers of a plane are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0 for none, or n for the nth of the plane's `values`, counted from 1.
    Category,
    /// How many, from 0.
    Count,
    /// Any number, also below 0.
    Number,
    /// 1 for true, 0 for false.
    Flag,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Category => "category",
            Kind::Count => "count",
            Kind::Number => "number",
            Kind::Flag => "flag",
        }
    }
}

/// A named part of an observation, or of the features of an action: `labels.len()` numbers from
/// `offset` on.
#[derive(Clone, Debug)]
pub struct Plane {
    pub name: &'static str,
    pub kind: Kind,
    pub offset: usize,
    /// The name of each number.
    pub labels: Vec<String>,
    /// The names of the categories.
    pub values: Vec<String>,
}

/// Planes one after another.
#[derive(Clone, Debug, Default)]
pub struct Planes {
    pub rows: Vec<Plane>,
    pub cells: usize,
}

impl Planes {
    /// Adds a plane. Returns its offset.
    pub fn add(
        &mut self,
        name: &'static str,
        kind: Kind,
        labels: Vec<String>,
        values: &[String],
    ) -> usize {
        let offset = self.cells;
        self.cells += labels.len();
        self.rows.push(Plane { name, kind, offset, labels, values: values.to_vec() });
        offset
    }

    /// Everything that a reader of the numbers depends on, as text for the version.
    pub fn describe(&self, text: &mut String) {
        for Plane { name, kind, offset, labels, values } in &self.rows {
            let kind = kind.name();
            let (labels, values) = (labels.join(","), values.join(","));
            writeln!(text, "{name} {kind} at {offset}: {labels}; {values}").expect("it is a text");
        }
    }
}
