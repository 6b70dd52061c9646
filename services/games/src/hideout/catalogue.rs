//! The catalogue of either game: the rows of pieces, and their published form.

use table::{Catalogue, Component, Look, Small};

use super::{
    cards::{Effect, JobRow, PersonRow, RINGLEADERS, SPECIALISTS, Stack},
    renamed::{Renamed, rename},
    ruleset::Ruleset,
    vocabulary::{Back, Card, Colour, Job, Person, Place, Skill},
};

const SETS: usize = 4;
const COPIES: usize = 3;

impl Person {
    /// §2.4 The set of ringleaders that a seat takes.
    pub(super) fn ringleaders(seat: usize) -> impl Iterator<Item = Person> {
        (0..RINGLEADERS).filter_map(move |n| Person::nth(seat * RINGLEADERS + n))
    }
    pub(super) fn is_ringleader(self) -> bool {
        self.index() < SETS * RINGLEADERS
    }
    /// One copy of each specialist.
    pub(crate) fn of_each_type() -> impl Iterator<Item = Person> {
        (0..SPECIALISTS).filter_map(|n| Person::nth(SETS * RINGLEADERS + n * COPIES))
    }
    pub(super) fn row<G: Ruleset>(self) -> &'static PersonRow {
        match self.index().checked_sub(SETS * RINGLEADERS) {
            None => &G::CARDS.ringleaders[self.index() % RINGLEADERS],
            Some(n) => &G::CARDS.specialists[n / COPIES],
        }
    }
    pub(super) fn skill<G: Ruleset>(self) -> Option<Skill> {
        self.row::<G>().skill
    }
    /// Whether its text has this effect.
    pub(super) fn does<G: Ruleset>(self, effect: Effect) -> bool {
        self.row::<G>().text.contains(&effect)
    }
}

impl Job {
    pub(super) fn colour(self) -> Colour {
        Colour::nth(self.index() / 4).expect("five stacks of four")
    }
    pub(super) fn row<G: Ruleset>(self) -> &'static JobRow {
        &G::CARDS.stacks[self.index() / 4].jobs[self.index() % 4]
    }
}

/// A person's text, or a job's reward.
pub(super) fn text<G: Ruleset>(card: Card) -> &'static [Effect] {
    match Job::of(card.piece()) {
        Some(job) => job.row::<G>().reward,
        None => Person::of(card.piece()).expect("a card is a person or a job").row::<G>().text,
    }
}

// === The published catalogue ===

/// Skills, and the archetypes that stand for them, have the colors of their icons.
pub(super) const PALETTE: &[(&str, Look)] = &[
    ("brain", Look::of("#2d6cc0", "◆")),
    ("speed", Look::of("#2f9e44", "➤")),
    ("brawn", Look::of("#c92a2a", "▲")),
    ("blue", Look::of("#2d6cc0", "")),
    ("green", Look::of("#2f9e44", "")),
    ("red", Look::of("#c92a2a", "")),
    ("yellow", Look::of("#e0a800", "")),
    ("purple", Look::of("#7b3fa0", "")),
];

pub(super) fn catalogue<G: Ruleset>() -> Catalogue {
    let mut catalogue = Catalogue::default();
    for set in 1..=SETS {
        let rows = G::CARDS.ringleaders.iter();
        rows.for_each(|row| add_person::<G>(&mut catalogue, row, set, Place::Box, "ringleader"));
    }
    for row in &G::CARDS.specialists {
        let copies = 1..=COPIES;
        copies.for_each(|n| add_person::<G>(&mut catalogue, row, n, Place::Deck, "specialist"));
    }
    for (stack, colour) in G::CARDS.stacks.iter().zip(Colour::all()) {
        for (tier, row) in stack.jobs.iter().enumerate() {
            add_job::<G>(&mut catalogue, row, stack, colour, tier as u8);
        }
    }
    catalogue
}

/// The row's origin is that of its text, because the rules act on the text.
fn add_person<G: Ruleset>(
    catalogue: &mut Catalogue,
    row: &PersonRow,
    copy: usize,
    start: Place,
    kind: &str,
) {
    let [name, skill, text] = row.origins;
    let shown = row.skill.map_or("any", |skill| rename::<G>(skill.into()));
    catalogue
        .add(
            format!("{}/{copy}", row.name),
            Renamed::<G, _>::of(start),
            Renamed::<G, _>::of(Back::Specialist),
            text,
        )
        .title_from(name)
        .facet("kind", kind)
        .facet_from(skill, rename::<G>("skill"), shown);
}

fn add_job<G: Ruleset>(
    catalogue: &mut Catalogue,
    row: &JobRow,
    stack: &Stack,
    colour: Colour,
    tier: u8,
) {
    let [name, team, reward] = row.origins;
    let [of_colour, of_number, of_players] = row.stack_origins;
    let start = Renamed::<G, _>::of(Place::Jobs(colour));
    catalogue
        .add(row.name, start, Renamed::<G, _>::of(Back::Job), reward)
        .layer(tier)
        .title_from(name)
        .facet("kind", rename::<G>("job"))
        .facet_from(of_colour, "colour", <&str>::from(colour))
        .facet_from(of_number, "number", tier + 1)
        .facet_from(of_players, "players", stack.players)
        .facet_from(team, "team", skills::<G>(row.team));
}

/// The skills by name, such as `speed`, `speed` and `brawn`.
pub(super) fn skills<G: Ruleset>(counts: [u8; Skill::COUNT]) -> Vec<&'static str> {
    let each = Skill::all().zip(counts);
    let names = each.flat_map(|(skill, count)| {
        std::iter::repeat_n(rename::<G>(skill.into()), usize::from(count))
    });
    names.collect()
}
