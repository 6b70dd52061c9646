//! The rules that only You Dirty Rat has.

use std::sync::LazyLock;

use bytes::Bytes;
use table::{Layout, Malformed, OptionSpec, Options};

use super::{actions, cards::CARDS};
use crate::{
    first_seat,
    hideout::{self, Action, Cards, Ruleset, Variant, vocabulary::DeckEnd},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YouDirtyRat;

pub(super) static LAYOUT: LazyLock<Layout> = LazyLock::new(hideout::layout::<YouDirtyRat>);

pub(super) const DECK_END: &str = "deck-end";
const SECOND_PLAY: &str = "second-play";

impl Ruleset for YouDirtyRat {
    const NAME: &'static str = "you-dirty-rat";
    const VERSION: u32 = 2;
    const OPTIONS: &'static [OptionSpec] = &[
        // §2.6
        OptionSpec {
            name: first_seat::NAME,
            values: &[first_seat::RANDOM, "0", "1", "2", "3"],
            default: first_seat::RANDOM,
        },
        // §9.5, §9.6
        OptionSpec {
            name: DECK_END,
            values: &["nothing-to-draw", "deck-empty"],
            default: "nothing-to-draw",
        },
        // §8.26
        OptionSpec {
            name: SECOND_PLAY,
            values: &["specialist", "specialist-or-heist"],
            default: "specialist",
        },
    ];
    const CARDS: &'static Cards = &CARDS;

    /// §10.2, §10.7
    const BONUS: [i32; 5] = [0, 0, 2, 4, 7];
    /// §3.9
    const THUG_ALONE: bool = false;

    fn variant(options: &Options, seats: usize) -> Variant {
        Variant {
            // §2.8
            thins_deck: seats == 2,
            // §9.5, §9.6
            deck_end: match options.get(DECK_END) {
                "deck-empty" => DeckEnd::DeckEmpty,
                _ => DeckEnd::NothingToDraw,
            },
            // §8.26
            second_job: options.get(SECOND_PLAY) == "specialist-or-heist",
        }
    }

    const RENAMES: &'static [(&'static str, &'static str)] = &[
        ("coffers", "town-stash"),
        ("coffers-empty", "town-stash-empty"),
        ("isk-token", "hundred"),
        ("job", "heist"),
        ("jobs", "heists"),
        ("completed-jobs", "committed-heists"),
        ("jobs-completed", "heists-committed"),
        ("tie-on-jobs", "tie-on-heists"),
        ("second-job", "second-heist"),
        ("caper", "play"),
        ("second-caper", "second-play"),
        ("skill", "archetype"),
        ("skill-origin", "archetype-origin"),
        ("brain", "blue"),
        ("speed", "green"),
        ("brawn", "red"),
        ("perform-caper", "play-specialist"),
        ("complete-job", "commit-heist"),
        ("name-skill", "name-archetype"),
        ("swap-jobs", "swap-heists"),
    ];
    const VERBS: &'static [&'static str] = &[
        "play-specialist",
        "commit-heist",
        "keep",
        "team-up",
        "duplicate",
        "take-back",
        "abduct",
        "exchange",
        "rob",
        "name-archetype",
        "swap-heists",
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
