//! Teams: the cards that complete a job together.

use table::{Set, Small};

use super::{
    Ruleset,
    cards::{Job, Person, PersonRow, Skill},
};

/// How the skills of a team differ from those of a job.
pub(super) struct Gap {
    pub missing: [u8; Skill::COUNT],
    pub spare: [u8; Skill::COUNT],
    /// Cards of any skill that no missing skill is left for.
    pub wild: u8,
}

impl Gap {
    /// §5.2, with a card of any skill counted as one skill that the others lack, §5.3.
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

/// §11.3 The most teams that are listed for a job. A large hand has thousands.
pub(super) const LISTED_MAX: usize = 100;

/// The cards of a hand by type: which copy of a type is played makes no difference.
pub(super) struct Types(Vec<(&'static PersonRow, Set<Person>)>);

impl Types {
    pub(super) fn of<G: Ruleset>(hand: Set<Person>) -> Types {
        let mut types: Vec<(&'static PersonRow, Set<Person>)> = Vec::new();
        for card in hand.iter() {
            let row = card.row::<G>();
            match types.iter_mut().find(|it| std::ptr::eq(it.0, row)) {
                Some((_, copies)) => copies.add(card),
                None => types.push((row, Set::one(card))),
            }
        }
        Types(types)
    }

    /// The first teams that show exactly these skills, one for each choice of types. Teams with
    /// fewer cards of any skill come first.
    pub(super) fn teams(&self, skills: [u8; Skill::COUNT]) -> Vec<Set<Person>> {
        let mut found = Vec::new();
        extend(&self.0, skills, skills.iter().sum(), Set::EMPTY, &mut found);
        found
    }
}

/// Adds to `found` every team that extends `team` by `wanted` cards of these `types`. `left` counts
/// the skills that the added cards may show.
fn extend(
    types: &[(&'static PersonRow, Set<Person>)],
    left: [u8; Skill::COUNT],
    wanted: u8,
    team: Set<Person>,
    found: &mut Vec<Set<Person>>,
) {
    if found.len() == LISTED_MAX || !is_within_reach(types, left, wanted) {
        return;
    }
    let Some(((row, copies), types)) = types.split_first() else { return found.push(team) };
    let fit = row.skill.map_or(wanted, |skill| left[skill.index()]);
    for count in (0..=copies.len().min(fit.into())).rev() {
        let mut left = left;
        // A card of any skill takes nothing from `left`: it fills what is missing at the end.
        if let Some(skill) = row.skill {
            left[skill.index()] -= count as u8;
        }
        let more: Set<Person> = copies.iter().take(count).collect();
        extend(types, left, wanted - count as u8, team.or(&more), found);
    }
}

/// Whether these `types` can still complete a team, where cards of any skill, including those on
/// the team already, fill what the others lack. Cuts off searches that would find nothing.
fn is_within_reach(
    types: &[(&'static PersonRow, Set<Person>)],
    left: [u8; Skill::COUNT],
    wanted: u8,
) -> bool {
    let mut lacking = left;
    let mut wild = usize::from(left.iter().sum::<u8>() - wanted);
    for (row, copies) in types {
        match row.skill.map(Skill::index) {
            Some(skill) => lacking[skill] = lacking[skill].saturating_sub(copies.len() as u8),
            None => wild += copies.len(),
        }
    }
    usize::from(lacking.iter().sum::<u8>()) <= wild
}
