//! Teams: which cards complete a job together.

use table::{Set, Small};

use super::{
    Ruleset,
    cards::{Job, Person, Skill},
};

/// Skills that a team lacks, and those it has too many of.
pub(super) struct Gap {
    pub missing: [u8; Skill::COUNT],
    pub spare: [u8; Skill::COUNT],
    /// Cards of any skill that find nothing to be.
    pub wild: u8,
}

impl Gap {
    /// The skills of a team are exactly those of the job: none missing, none to spare. A card of
    /// any skill is one that the others lack.
    pub(super) fn of<G: Ruleset>(team: Set<Person>, job: Job) -> Gap {
        let mut gap = Gap { missing: job.row::<G>().team, spare: [0; Skill::COUNT], wild: 0 };
        for card in team.iter() {
            match card.skill::<G>().map(Skill::index) {
                None => gap.wild += 1,
                Some(skill) if gap.missing[skill] > 0 => gap.missing[skill] -= 1,
                Some(skill) => gap.spare[skill] += 1,
            }
        }
        for missing in &mut gap.missing {
            let filled = gap.wild.min(*missing);
            *missing -= filled;
            gap.wild -= filled;
        }
        gap
    }

    pub(super) fn is_none(&self) -> bool {
        (self.missing, self.spare, self.wild) == Default::default()
    }
}

/// A team for each choice of types that completes the job. Which copy of a type plays makes no
/// difference, so only the first ones do: otherwise a large hand would have teams by the thousand.
pub(super) fn list<G: Ruleset>(hand: Set<Person>, job: Job, found: &mut dyn FnMut(Set<Person>)) {
    let team = job.row::<G>().team;
    let mut types: Vec<Vec<Person>> = Vec::new();
    for card in hand.iter() {
        let alike = |it: &&mut Vec<Person>| std::ptr::eq(it[0].row::<G>(), card.row::<G>());
        match types.iter_mut().find(alike) {
            Some(copies) => copies.push(card),
            None => types.push(vec![card]),
        }
    }
    extend::<G>(&types, team, team.iter().sum(), Set::EMPTY, found);
}

/// Adds cards of the `types` to `team` until none is `wanted`; `left` are the skills it may still
/// take.
fn extend<G: Ruleset>(
    types: &[Vec<Person>],
    mut left: [u8; Skill::COUNT],
    mut wanted: u8,
    mut team: Set<Person>,
    found: &mut dyn FnMut(Set<Person>),
) {
    if wanted == 0 {
        return found(team);
    }
    let Some((copies, types)) = types.split_first() else { return };
    extend::<G>(types, left, wanted, team, found);
    for &card in copies {
        match card.skill::<G>().map(Skill::index) {
            // What is missing in the end is what the cards of any skill are.
            None => {}
            Some(skill) if left[skill] > 0 => left[skill] -= 1,
            Some(_) => return,
        }
        let Some(fewer) = wanted.checked_sub(1) else { return };
        wanted = fewer;
        team.add(card);
        extend::<G>(types, left, wanted, team, found);
    }
}
