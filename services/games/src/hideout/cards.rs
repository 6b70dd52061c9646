//! What a catalogue is made of: people with a skill and a text, jobs with a team and a reward.

use table::{Catalogue, Component, Origin, Small, components, small};

use super::{Back, Place, Ruleset, Said, say};

components! {
    /// Whatever has a text to resolve: a person or a job.
    pub Card: 0..80,
    /// Four sets of ringleaders, then three copies of each specialist.
    pub Person: 0..60,
    /// Five stacks of four.
    pub Job: 60..80
}
small! {
    #[derive(strum::IntoStaticStr)]
    #[strum(serialize_all = "kebab-case")]
    pub enum Skill { Brain, Speed, Brawn }
}
small! {
    /// The target of a job, which is its stack.
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
    /// None shows any one skill.
    pub skill: Option<Skill>,
    pub text: &'static [Deed],
    /// Where its name, its skill and its text come from.
    pub known: [Origin; 3],
}

/// The jobs of one colour, from the lowest number to the highest.
pub struct Stack {
    /// Players it takes to have the stack in play.
    pub players: usize,
    pub jobs: [JobRow; 4],
}

pub struct JobRow {
    pub name: &'static str,
    /// How many of each skill, in the order of [`Skill`].
    pub team: [u8; Skill::COUNT],
    pub reward: &'static [Deed],
    /// Where its name, its team and its reward come from.
    pub known: [Origin; 3],
}

/// One thing that a text does. What hands over to another text stands last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Draws so many to keep one.
    Look(u8),
    Draw(u8),
    /// Steals from the Coffers.
    Steal(u8),
    /// Steals from the Coffers, more for who has completed a job.
    StealByJobs {
        without: u8,
        with: u8,
    },
    /// Steals from the Coffers for each skill shown in the hideout.
    StealBySkills,
    /// Steals from one opponent.
    Rob(u8),
    RobRichest(u8),
    /// Steals from each opponent; another amount from the only one.
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

pub const fn rob_each(amount: u8) -> Deed {
    Deed::RobEach { each: amount, only: amount }
}

pub const fn person(
    name: &'static str,
    skill: Option<Skill>,
    text: &'static [Deed],
    known: [Origin; 3],
) -> PersonRow {
    PersonRow { name, skill, text, known }
}

pub const fn job(
    name: &'static str,
    team: [u8; Skill::COUNT],
    reward: &'static [Deed],
    known: [Origin; 3],
) -> JobRow {
    JobRow { name, team, reward, known }
}

// === From a piece to its row ===

impl Person {
    /// The ringleaders of a seat.
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
    /// Whether his text does this.
    pub(super) fn does<G: Ruleset>(self, deed: Deed) -> bool {
        self.row::<G>().text.contains(&deed)
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

/// What a card does: a person's text, or a job's reward.
pub(super) fn text<G: Ruleset>(card: Card) -> &'static [Deed] {
    match Job::of(card.piece()) {
        Some(job) => job.row::<G>().reward,
        None => Person::of(card.piece()).expect("a card is a person or a job").row::<G>().text,
    }
}

// === For who reads the catalogue ===

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

/// A row is as certain as its text, for that is what the rules act on.
fn add_person<G: Ruleset>(
    catalogue: &mut Catalogue,
    row: &PersonRow,
    copy: usize,
    start: Place,
    kind: &str,
) {
    let [name, skill, text] = row.known;
    let shown = row.skill.map_or("any", |skill| say::<G>(skill.into()));
    catalogue
        .add(
            format!("{}-{copy}", row.name),
            Said::<G, _>::of(start),
            Said::<G, _>::of(Back::Specialist),
            text,
        )
        .facet("kind", kind)
        .facet(say::<G>("skill"), shown)
        .facet("text", sentence::<G>(row.text))
        .facet("name-origin", name.name())
        .facet(say::<G>("skill-origin"), skill.name())
        .facet("text-origin", text.name());
}

fn add_job<G: Ruleset>(
    catalogue: &mut Catalogue,
    row: &JobRow,
    stack: &Stack,
    colour: Colour,
    tier: u8,
) {
    let [name, team, reward] = row.known;
    let start = Said::<G, _>::of(Place::Jobs(colour));
    catalogue
        .add(row.name, start, Said::<G, _>::of(Back::Job), reward)
        .layer(tier)
        .facet("kind", say::<G>("job"))
        .facet("colour", <&str>::from(colour))
        .facet("number", tier + 1)
        .facet("players", format!("{}+", stack.players))
        .facet("team", skills::<G>(row.team))
        .facet("reward", sentence::<G>(row.reward))
        .facet("name-origin", name.name())
        .facet("team-origin", team.name())
        .facet("reward-origin", reward.name());
}

/// Skills in words: `speed speed brawn`.
pub(super) fn skills<G: Ruleset>(counts: [u8; Skill::COUNT]) -> String {
    let each = Skill::all().zip(counts);
    let words = each
        .flat_map(|(skill, count)| std::iter::repeat_n(say::<G>(skill.into()), usize::from(count)));
    words.collect::<Vec<_>>().join(" ")
}

/// A text in words, from what it does.
fn sentence<G: Ruleset>(text: &[Deed]) -> String {
    let deeds: Vec<String> = text.iter().map(|&deed| clause::<G>(deed)).collect();
    deeds.join("; then ")
}

fn clause<G: Ruleset>(deed: Deed) -> String {
    let word = |name| say::<G>(name).replace('-', " ");
    let coins = |amount: u8| {
        format!("{amount} {}{}", word("isk-token"), if amount == 1 { "" } else { "s" })
    };
    let (coffers, skill, job) = (word("coffers"), word("skill"), word("job"));
    match deed {
        Deed::Look(cards) => format!("draws {cards} cards, keeps one and discards the rest"),
        Deed::Draw(1) => "draws a card".into(),
        Deed::Draw(cards) => format!("draws {cards} cards"),
        Deed::Steal(amount) => format!("steals {} from the {coffers}", coins(amount)),
        Deed::StealByJobs { without, with } => format!(
            "steals {} from the {coffers}, {with} with a {job} of one's own",
            coins(without)
        ),
        Deed::StealBySkills => format!(
            "steals {} from the {coffers} for each different {skill} in one's hideout",
            coins(1)
        ),
        Deed::Rob(amount) => format!("steals {} from one opponent", coins(amount)),
        Deed::RobRichest(amount) => format!("steals {} from the richest opponent", coins(amount)),
        Deed::RobEach { each, only } if each == only => {
            format!("steals {} from each opponent", coins(each))
        }
        Deed::RobEach { each, only } => {
            format!("steals {} from each opponent, {only} from the only one", coins(each))
        }
        Deed::AdvanceTime => "time advances once more in one's hideout".into(),
        Deed::SecondCaper => {
            "a second card may be played this turn; time advances before it is".into()
        }
        Deed::TeamUp => format!(
            "plays another card of the hand beside this one; steals {} from each opponent for each \
             card of that {skill} that lies alone in a night of theirs",
            coins(1)
        ),
        Deed::Duplicate => "performs the action of another card in the hand, which stays there; \
             no card that duplicates or exchanges"
            .into(),
        Deed::TakeBack => "returns another card from one's hideout to the hand".into(),
        Deed::Abduct => {
            "takes a card that lies alone in a night of an opponent, no ringleader, into the hand"
                .into()
        }
        Deed::Exchange => {
            "trades places with a card in an opponent's hideout, neither a ringleader nor its like, \
             and performs that card's action"
                .into()
        }
        Deed::SwapJobs => format!("swaps a {job} of one's own for one of an opponent"),
    }
}
