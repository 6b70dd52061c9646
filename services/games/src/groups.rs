//! Long lists of legal actions in steps: first the kind of action, then a piece that it names, then
//! the rest.

use table::{Piece, PlaceId, Seat, Table};

use crate::{About, Legal};

/// The longest list without groups.
pub const UNGROUPED_MAX: usize = 60;

/// A group of this size is not divided further.
const UNDIVIDED_MAX: usize = 10;

/// Actions that have something in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub by: By,
    /// The next step; empty if one of `actions` is to be chosen.
    pub groups: Vec<Group>,
    /// By index in the list; empty if there are `groups`.
    pub actions: Vec<usize>,
}

/// What the actions of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum By {
    Verb(&'static str),
    /// A piece, or a copy of it in the same place.
    Piece(Piece),
    Place(PlaceId),
    Seat(Seat),
    Value(&'static str),
    /// Nothing that the groups beside this one have.
    Others,
}

/// The steps in which to choose among these actions; empty for a short list. Each action is in one
/// of the groups that have no further ones. `table` is what the acting seat sees, and `abouts` is
/// what each action is about.
pub fn groups(table: &Table, legal: &[Legal], abouts: &[About]) -> Vec<Group> {
    if legal.len() <= UNGROUPED_MAX {
        return Vec::new();
    }
    let steps: Vec<Vec<By>> =
        legal.iter().zip(abouts).map(|(it, about)| steps(it, about)).collect();
    divide(table, &steps, &(0..legal.len()).collect::<Vec<_>>(), 0)
}

/// What an action has in common with others, the first step first.
fn steps(legal: &Legal, about: &About) -> Vec<By> {
    let About { pieces, places, seats, values, amounts: _ } = about;
    std::iter::once(By::Verb(legal.verb))
        .chain(pieces.iter().copied().map(By::Piece))
        .chain(places.iter().copied().map(By::Place))
        .chain(seats.iter().copied().map(By::Seat))
        .chain(values.iter().copied().map(By::Value))
        .collect()
}

/// Divides actions by the step at this depth.
fn divide(table: &Table, steps: &[Vec<By>], actions: &[usize], depth: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for &action in actions {
        let by = steps[action].get(depth).copied().unwrap_or(By::Others);
        match groups.iter_mut().find(|group| alike(table, group.by, by)) {
            Some(group) => group.actions.push(action),
            None => groups.push(Group { by, groups: Vec::new(), actions: vec![action] }),
        }
    }
    for group in &mut groups {
        group.groups = subdivide(table, steps, &group.actions, depth + 1);
        if !group.groups.is_empty() {
            group.actions.clear();
        }
    }
    groups
}

/// The groups of a group, from the next step that divides it; empty if it need not be divided, or
/// cannot be.
fn subdivide(table: &Table, steps: &[Vec<By>], actions: &[usize], depth: usize) -> Vec<Group> {
    let last = actions.iter().map(|&it| steps[it].len()).max().unwrap_or_default();
    if actions.len() <= UNDIVIDED_MAX {
        return Vec::new();
    }
    for depth in depth..last {
        let groups = divide(table, steps, actions, depth);
        if groups.len() > 1 && groups.len() < actions.len() {
            return groups;
        }
    }
    Vec::new()
}

fn alike(table: &Table, one: By, other: By) -> bool {
    match (one, other) {
        (By::Piece(one), By::Piece(other)) => {
            let layout = table.layout();
            let copies = layout.first_copy(one) == layout.first_copy(other);
            one == other || copies && table.at(one) == table.at(other)
        }
        (one, other) => one == other,
    }
}
