//! Teams: the cards that complete a job together.

use table::{Chance, Set, Small, any_weighted};

use super::{
    cards::PersonRow,
    ruleset::Ruleset,
    vocabulary::{Job, Person, Skill},
};

/// How the skills of a team differ from those of a job.
pub(super) struct Gap {
    pub missing: [u8; Skill::COUNT],
    pub spare: [u8; Skill::COUNT],
    /// Cards of any skill for which no missing skill is left.
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

/// §11.3 The maximum number of teams listed for a job without a filter. A large hand has thousands.
pub(super) const LISTED_MAX: usize = 100;

/// The number of groups of cards: one per skill, and last the cards of any skill.
const GROUPS: usize = Skill::COUNT + 1;

fn group<G: Ruleset>(card: Person) -> usize {
    card.skill::<G>().map_or(Skill::COUNT, Skill::index)
}

fn groups<G: Ruleset>(cards: Set<Person>) -> [Set<Person>; GROUPS] {
    let mut groups = [Set::EMPTY; GROUPS];
    cards.iter().for_each(|card| groups[group::<G>(card)].add(card));
    groups
}

/// How many cards of each group a team may have: each skill at most as often as the job, and cards
/// of any skill for the rest, §5.3.
fn splits(skills: [u8; Skill::COUNT]) -> impl Iterator<Item = [usize; GROUPS]> {
    let [a, b, c] = skills.map(usize::from);
    let pairs = (0..=a).rev().flat_map(move |i| (0..=b).rev().map(move |j| (i, j)));
    let all = pairs.flat_map(move |(i, j)| (0..=c).rev().map(move |k| [i, j, k]));
    all.map(move |[i, j, k]| [i, j, k, a + b + c - i - j - k])
}

/// How many teams of this hand complete the job and hold all of `required`.
pub(super) fn count<G: Ruleset>(hand: Set<Person>, required: Set<Person>, job: Job) -> usize {
    if !required.within(&hand) {
        return 0;
    }
    let held = groups::<G>(hand).map(|cards| cards.len());
    let fixed = groups::<G>(required).map(|cards| cards.len());
    splits(job.row::<G>().team).map(|split| ways(split, held, fixed)).sum()
}

/// How many teams have this many cards of each group, chosen from those held and including the
/// fixed ones.
fn ways(split: [usize; GROUPS], held: [usize; GROUPS], fixed: [usize; GROUPS]) -> usize {
    let of_group = |n: usize| match split[n].checked_sub(fixed[n]) {
        Some(chosen) => binomial(held[n] - fixed[n], chosen),
        None => 0,
    };
    (0..GROUPS).map(of_group).product()
}

fn binomial(n: usize, k: usize) -> usize {
    if k > n { 0 } else { (0..k).fold(1, |ways, nth| ways * (n - nth) / (nth + 1)) }
}

/// One of the teams of a hand that complete a job, each equally likely.
pub(super) fn any<G: Ruleset>(
    hand: Set<Person>,
    job: Job,
    chance: &mut dyn Chance,
) -> Option<Set<Person>> {
    let groups = groups::<G>(hand);
    let held = groups.map(|cards| cards.len());
    let splits: Vec<_> =
        splits(job.row::<G>().team).map(|split| (split, ways(split, held, [0; GROUPS]))).collect();
    let (split, _) = any_weighted(&splits, |it| it.1, chance)?;
    let chosen = groups.iter().zip(split).map(|(cards, &size)| cards.any_subset(size, chance));
    Some(chosen.fold(Set::EMPTY, |team, cards| team.or(&cards)))
}

/// Up to `most` of the teams of a hand that complete a job, and whether these are all.
///
/// If there are more, the listed teams are spread over the choices of types, since copies of a type
/// are interchangeable.
pub(super) fn list<G: Ruleset>(
    hand: Set<Person>,
    required: Set<Person>,
    job: Job,
    most: usize,
) -> (Vec<Set<Person>>, bool) {
    let count = count::<G>(hand, required, job);
    if count == 0 {
        return (Vec::new(), true);
    }
    let skills = job.row::<G>().team;
    if count <= most {
        let teams = Teams::of::<G>(hand, required, skills, subsets);
        return ((0..teams.count()).map(|nth| teams.nth(nth)).collect(), true);
    }
    let teams = Teams::of::<G>(hand, required, skills, choices_of_types::<G>);
    (spread(teams.count(), most).map(|nth| teams.nth(nth)).collect(), false)
}

/// At most `most` of the numbers below `count`, in order. Consecutive multiples of about 0.618 ×
/// `count`, modulo `count`, lie far apart for any factors of `count`.
fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let mut step = (count * 618 / 1_000).max(1);
    while greatest_common_divisor(step, count) > 1 {
        step += 1;
    }
    let mut chosen: Vec<usize> = (0..most.min(count)).map(|nth| nth * step % count).collect();
    chosen.sort_unstable();
    chosen.into_iter()
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Teams, numbered from 0: for each split, every combination of one choice a group.
struct Teams {
    required: Set<Person>,
    /// By group and number of cards added to the required ones.
    choices: [Vec<Vec<Set<Person>>>; GROUPS],
    /// By split: the cards added by group, and how many teams there are.
    splits: Vec<([usize; GROUPS], usize)>,
}

impl Teams {
    fn of<G: Ruleset>(
        hand: Set<Person>,
        required: Set<Person>,
        skills: [u8; Skill::COUNT],
        choose: fn(Set<Person>, usize) -> Vec<Set<Person>>,
    ) -> Teams {
        let free = groups::<G>(hand.without(&required));
        let fixed = groups::<G>(required).map(|cards| cards.len());
        let added = |split: [usize; GROUPS]| -> Option<[usize; GROUPS]> {
            let mut added = [0; GROUPS];
            for n in 0..GROUPS {
                added[n] = split[n].checked_sub(fixed[n]).filter(|&it| it <= free[n].len())?;
            }
            Some(added)
        };
        let splits: Vec<[usize; GROUPS]> = splits(skills).filter_map(added).collect();
        let choices: [Vec<Vec<Set<Person>>>; GROUPS] = std::array::from_fn(|n| {
            let most = splits.iter().map(|split| split[n]).max().unwrap_or(0);
            (0..=most).map(|size| choose(free[n], size)).collect()
        });
        let count = |split: [usize; GROUPS]| -> usize {
            choices.iter().zip(split).map(|(choices, size)| choices[size].len()).product()
        };
        let splits = splits.iter().map(|&split| (split, count(split))).collect();
        Teams { required, choices, splits }
    }

    fn count(&self) -> usize {
        self.splits.iter().map(|split| split.1).sum()
    }

    fn nth(&self, mut nth: usize) -> Set<Person> {
        let mut splits = self.splits.iter();
        let (split, _) = splits
            .find(|(_, count)| {
                let found = nth < *count;
                if !found {
                    nth -= count;
                }
                found
            })
            .expect("teams are numbered below their count");
        let mut team = self.required;
        for (choices, &size) in self.choices.iter().zip(split) {
            let choices = &choices[size];
            team = team.or(&choices[nth % choices.len()]);
            nth /= choices.len();
        }
        team
    }
}

/// Every way to choose `size` of the cards.
fn subsets(cards: Set<Person>, size: usize) -> Vec<Set<Person>> {
    let each = cards.iter().map(Set::one).collect::<Vec<_>>();
    combine(&each, size)
}

/// One set for each choice of `size` cards by type. A type is chosen at most as often as it has
/// copies.
fn choices_of_types<G: Ruleset>(cards: Set<Person>, size: usize) -> Vec<Set<Person>> {
    let mut types: Vec<(&PersonRow, Set<Person>)> = Vec::new();
    for card in cards.iter() {
        let row = card.row::<G>();
        match types.last_mut().filter(|it| std::ptr::eq(it.0, row)) {
            Some((_, copies)) => copies.add(card),
            None => types.push((row, Set::one(card))),
        }
    }
    let types: Vec<Set<Person>> = types.into_iter().map(|it| it.1).collect();
    combine(&types, size)
}

/// Every way to take `size` cards from the tops of the piles.
fn combine(piles: &[Set<Person>], size: usize) -> Vec<Set<Person>> {
    let mut found = Vec::new();
    take(piles, size, Set::EMPTY, &mut found);
    found
}

fn take(piles: &[Set<Person>], left: usize, taken: Set<Person>, found: &mut Vec<Set<Person>>) {
    if left == 0 {
        return found.push(taken);
    }
    let Some((pile, others)) = piles.split_first() else { return };
    for count in (0..=pile.len().min(left)).rev() {
        let first: Set<Person> = pile.iter().take(count).collect();
        take(others, left - count, taken.or(&first), found);
    }
}
