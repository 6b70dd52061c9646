//! The rules that only Grifters has.

use std::sync::LazyLock;

use bytes::Bytes;
use table::{Layout, Malformed, OptionSpec, Options};

use super::{actions, cards::CARDS};
use crate::{
    first_seat,
    hideout::{self, Action, Cards, Ruleset, Variant, vocabulary::DeckEnd},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grifters;

pub(super) static LAYOUT: LazyLock<Layout> = LazyLock::new(hideout::layout::<Grifters>);

pub(super) const TWO_SEAT_DECK: &str = "two-seat-deck";

impl Ruleset for Grifters {
    const NAME: &'static str = "grifters";
    const VERSION: u32 = 2;
    const OPTIONS: &'static [OptionSpec] = &[
        // §2.6
        OptionSpec {
            name: first_seat::NAME,
            values: &[first_seat::RANDOM, "0", "1", "2", "3"],
            default: first_seat::RANDOM,
        },
        // §2.7
        OptionSpec { name: TWO_SEAT_DECK, values: &["all", "one-of-each-removed"], default: "all" },
    ];
    const CARDS: &'static Cards = &CARDS;

    /// §10.2, §10.6
    const BONUS: [i32; 5] = [0, 0, 2, 4, 8];
    /// §3.8
    const THUG_ALONE: bool = true;

    fn variant(options: &Options, seats: usize) -> Variant {
        Variant {
            // §2.7
            thins_deck: seats == 2 && options.get(TWO_SEAT_DECK) == "one-of-each-removed",
            // §9.4
            deck_end: DeckEnd::BothPilesEmpty,
            // §8.25
            second_job: false,
        }
    }

    const RENAMES: &'static [(&'static str, &'static str)] = &[];
    const VERBS: &'static [&'static str] = &[
        "perform-caper",
        "complete-job",
        "keep",
        "team-up",
        "duplicate",
        "take-back",
        "abduct",
        "exchange",
        "rob",
        "name-skill",
        "swap-jobs",
        "decline",
        "pass",
    ];
    fn layout() -> &'static Layout {
        &LAYOUT
    }

    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        actions::parse(message, &LAYOUT)
    }

    fn print(action: &Action) -> Bytes {
        actions::print(action, &LAYOUT)
    }
}
