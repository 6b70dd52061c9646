//! The parts of a catalogue: people with a skill and a text, jobs with a team and a reward.

use table::{Catalogue, Component, Origin, Small, components, small};

use super::{Back, Place, Renamed, Ruleset, rename};

components! {
    /// A card with a text to resolve: a person or a job.
    pub Card: 0..80,
    /// §1.1 Four sets of ringleaders, then three copies of each specialist.
    pub Person: 0..60,
    /// §1.3 Five stacks of four.
    pub Job: 60..80
}
small! {
    /// §1.2
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Skill { Brain, Speed, Brawn }
}
small! {
    /// The colour of a job's stack.
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Colour { Blue, Green, Red, Yellow, Purple }
}

/// The people and the jobs of one game, with each row's origin.
pub struct Cards {
    pub ringleaders: [PersonRow; RINGLEADERS],
    pub specialists: [PersonRow; SPECIALISTS],
    pub stacks: [Stack; Colour::COUNT],
}

pub const RINGLEADERS: usize = 3;
pub const SPECIALISTS: usize = 16;
const SETS: usize = 4;
const COPIES: usize = 3;

pub struct PersonRow {
    pub name: &'static str,
    /// None for a person who shows any one skill.
    pub skill: Option<Skill>,
    pub text: &'static [Effect],
    /// The origins of its name, its skill and its text.
    pub origins: [Origin; 3],
}

/// The jobs of one colour, from the lowest number to the highest.
pub struct Stack {
    /// §2.2 The least number of seats that plays with this stack.
    pub players: usize,
    pub jobs: [JobRow; 4],
}

pub struct JobRow {
    pub name: &'static str,
    /// How many of each skill, in the order of [`Skill`].
    pub team: [u8; Skill::COUNT],
    pub reward: &'static [Effect],
    /// The origins of its name, its team and its reward.
    pub origins: [Origin; 3],
    /// The origins of its colour, of its number in the stack, and of its least number of players.
    pub stack_origins: [Origin; 3],
}

/// One part of a text. An effect that resolves another card's text or allows another play comes
/// last in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Draws this many cards and keeps one.
    DrawAndKeep(u8),
    Draw(u8),
    /// Steals from the Coffers.
    Steal(u8),
    /// Steals from the Coffers; the amount depends on whether the seat has completed any job.
    StealByJobs {
        without: u8,
        with: u8,
    },
    /// Steals from the Coffers for each skill shown in the hideout.
    StealBySkills,
    /// Steals from one opponent.
    Rob(u8),
    RobRichest(u8),
    /// Steals from each opponent, or another amount from the only one.
    RobEach {
        each: u8,
        only: u8,
    },
    AdvanceTime,
    SecondCaper,
    TeamUp,
    Duplicate,
    TakeBack,
    Abduct,
    Exchange,
    SwapJobs,
}

pub const fn rob_each(amount: u8) -> Effect {
    Effect::RobEach { each: amount, only: amount }
}

pub const fn person(
    name: &'static str,
    skill: Option<Skill>,
    text: &'static [Effect],
    origins: [Origin; 3],
) -> PersonRow {
    PersonRow { name, skill, text, origins }
}

/// A job whose colour, number and least number of players are inferred.
pub const fn job(
    name: &'static str,
    team: [u8; Skill::COUNT],
    reward: &'static [Effect],
    origins: [Origin; 3],
) -> JobRow {
    JobRow { name, team, reward, origins, stack_origins: [Origin::Design; 3] }
}

impl JobRow {
    pub const fn with_stack_origins(self, stack_origins: [Origin; 3]) -> JobRow {
        JobRow { stack_origins, ..self }
    }
}

// === From a piece to its row ===

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
        .facet("kind", kind)
        .facet(rename::<G>("skill"), shown)
        .facet("text", sentence::<G>(row.text))
        .facet("name-origin", name.name())
        .facet(rename::<G>("skill-origin"), skill.name())
        .facet("text-origin", text.name());
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
        .facet("kind", rename::<G>("job"))
        .facet("colour", <&str>::from(colour))
        .facet("number", tier + 1)
        .facet("players", format!("{}+", stack.players))
        .facet("team", skills::<G>(row.team))
        .facet("reward", sentence::<G>(row.reward))
        .facet("name-origin", name.name())
        .facet("team-origin", team.name())
        .facet("reward-origin", reward.name())
        .facet("colour-origin", of_colour.name())
        .facet("number-origin", of_number.name())
        .facet("players-origin", of_players.name());
}

/// The skills by name, such as `speed speed brawn`.
pub(super) fn skills<G: Ruleset>(counts: [u8; Skill::COUNT]) -> String {
    let each = Skill::all().zip(counts);
    let words = each.flat_map(|(skill, count)| {
        std::iter::repeat_n(rename::<G>(skill.into()), usize::from(count))
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A text in English, generated from its effects.
fn sentence<G: Ruleset>(text: &[Effect]) -> String {
    let phrases: Vec<String> = text.iter().map(|&effect| phrase::<G>(effect)).collect();
    phrases.join("; then ")
}

fn phrase<G: Ruleset>(effect: Effect) -> String {
    let word = |name| rename::<G>(name).replace('-', " ");
    let coins = |amount: u8| {
        format!("{amount} {}{}", word("isk-token"), if amount == 1 { "" } else { "s" })
    };
    let (coffers, skill, jobs) = (word("coffers"), word("skill"), word("completed-jobs"));
    match effect {
        Effect::DrawAndKeep(cards) => {
            format!("draws {cards} cards, keeps one and discards the rest")
        }
        Effect::Draw(1) => "draws a card".into(),
        Effect::Draw(cards) => format!("draws {cards} cards"),
        Effect::Steal(amount) => format!("steals {} from the {coffers}", coins(amount)),
        Effect::StealByJobs { without, with } => {
            format!("steals {} from the {coffers}, or {with} with any {jobs}", coins(without))
        }
        Effect::StealBySkills => format!(
            "steals {} from the {coffers} for each different {skill} in the seat's hideout",
            coins(1)
        ),
        Effect::Rob(amount) => format!("steals {} from one opponent", coins(amount)),
        Effect::RobRichest(amount) => format!("steals {} from the richest opponent", coins(amount)),
        Effect::RobEach { each, only } if each == only => {
            format!("steals {} from each opponent", coins(each))
        }
        Effect::RobEach { each, only } => {
            format!("steals {} from each opponent, or {only} from the only opponent", coins(each))
        }
        Effect::AdvanceTime => "advances time once more in the seat's hideout".into(),
        Effect::SecondCaper => {
            "allows a second card this turn; time advances before it is played".into()
        }
        Effect::TeamUp => format!(
            "plays another card from the hand beside this one; steals {} from each opponent for \
             each card of that {skill} that is alone in a night of their hideout",
            coins(1)
        ),
        Effect::Duplicate => "performs the action of another card in the hand, which stays there; \
             not of a card that duplicates or exchanges"
            .into(),
        Effect::TakeBack => "returns another card from the seat's hideout to the hand".into(),
        Effect::Abduct => "takes into the hand a card that is alone in a night of an opponent's \
             hideout and is no ringleader"
            .into(),
        Effect::Exchange => "trades places with a card in an opponent's hideout, neither a \
             ringleader nor a card with this text, and performs that card's action"
            .into(),
        Effect::SwapJobs => format!("swaps one of the seat's {jobs} for one of an opponent's"),
    }
}
