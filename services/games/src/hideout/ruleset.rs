//! The rules that differ between the two games.

use std::{fmt::Debug, marker::PhantomData};

use bytes::Bytes;
use table::{Layout, Malformed, OptionSpec, Options};

use super::{actions::Action, cards::Cards, vocabulary::DeckEnd};

/// The rules that differ between the two games.
pub trait Ruleset: Copy + Eq + Debug + 'static {
    const NAME: &'static str;
    /// See [`Rules::VERSION`].
    const VERSION: u32;
    const OPTIONS: &'static [OptionSpec];
    const CARDS: &'static Cards;

    /// The bonus for each number of jobs of one colour, from none to four.
    const BONUS: [i32; 5];
    /// Whether a Thug may be played without a card to team up with, for no effect.
    const THUG_ALONE: bool;

    /// The effect of a match's options.
    fn variant(options: &Options, seats: usize) -> Variant;

    /// The engine's names that this game publishes under others: `(engine's, game's)`.
    const RENAMES: &'static [(&'static str, &'static str)];
    /// The verbs, under the game's names.
    const VERBS: &'static [&'static str];

    /// The [`layout`](super::layout()) of this game, built once.
    fn layout() -> &'static Layout;

    fn parse(message: &[u8]) -> Result<Action, Malformed>;
    fn print(action: &Action) -> Bytes;
}

/// The effect of a match's options on the rules.
pub struct Variant {
    /// One copy of each specialist type goes to the box.
    pub thins_deck: bool,
    pub deck_end: DeckEnd,
    /// A job may be completed as the second play that a Femme Fatale allows.
    pub second_job: bool,
}

/// A game played by this engine.
pub struct Hideout<G>(PhantomData<fn() -> G>);
