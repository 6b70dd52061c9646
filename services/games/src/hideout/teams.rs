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

/// Teams listed for a job; whoever wants another composes it. A large hand has them by the thousand.
pub(super) const LISTED_MAX: usize = 100;

/// Teams that complete the job, one for each choice of types, for which copy of a type plays makes
/// no difference; the first ones, with those of any skill kept back.
pub(super) fn list<G: Ruleset>(hand: Set<Person>, job: Job) -> Vec<Set<Person>> {
    let mut types: Vec<Vec<Person>> = Vec::new();
    for card in hand.iter() {
        let alike = |it: &&mut Vec<Person>| std::ptr::eq(it[0].row::<G>(), card.row::<G>());
        match types.iter_mut().find(alike) {
            Some(copies) => copies.push(card),
            None => types.push(vec![card]),
        }
    }
    let (skills, mut found) = (job.row::<G>().team, Vec::new());
    extend::<G>(&types, skills, skills.iter().sum(), Set::EMPTY, &mut found);
    found
}

/// Adds cards of the `types` to `team` until none is `wanted`; `left` are the skills it may still
/// take.
fn extend<G: Ruleset>(
    types: &[Vec<Person>],
    left: [u8; Skill::COUNT],
    wanted: u8,
    team: Set<Person>,
    found: &mut Vec<Set<Person>>,
) {
    if found.len() == LISTED_MAX {
        return;
    }
    if wanted == 0 {
        return found.push(team);
    }
    let Some((copies, types)) = types.split_first() else { return };
    let fit = match copies[0].skill::<G>() {
        Some(skill) => left[skill.index()],
        // What is missing in the end is what the cards of any skill are.
        None => wanted,
    };
    for count in (0..=copies.len().min(fit.into())).rev() {
        let mut left = left;
        if let Some(skill) = copies[0].skill::<G>() {
            left[skill.index()] -= count as u8;
        }
        let more: Set<Person> = copies[..count].iter().copied().collect();
        extend::<G>(types, left, wanted - count as u8, team.or(&more), found);
    }
}
