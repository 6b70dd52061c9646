//! You Dirty Rat: money is power in this town, and the town still has some.
//!
//! The engine is [`crate::hideout`], which Grifters shares; this folder holds what is You Dirty
//! Rat's own.

mod actions;
mod cards;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use bytes::Bytes;
use table::{Layout, Malformed, OptionSpec, Options};

use crate::{
    first_seat,
    hideout::{
        self, Action, Announcement, Back, Decision, DeckEnd, Mark, Ruleset, Variant, cards::Cards,
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YouDirtyRat;

static LAYOUT: LazyLock<Layout> = LazyLock::new(hideout::layout::<YouDirtyRat>);

const DECK_END: &str = "deck-end";
const SECOND_PLAY: &str = "second-play";

impl Ruleset for YouDirtyRat {
    const NAME: &'static str = "you-dirty-rat";
    const TITLE: &'static str = "You Dirty Rat";
    const DESCRIPTION: &'static str = "Recruit criminals and send them out, alone or in teams on heists, to steal from the town and \
         from the other crime lords.";
    const OPTIONS: &'static [OptionSpec] = &[
        // §2.6
        OptionSpec {
            name: first_seat::NAME,
            description: "Who goes first. The rulebook leaves the method to the players.",
            values: &[first_seat::RANDOM, "0", "1", "2", "3"],
            default: first_seat::RANDOM,
        },
        // §9.5, §9.6
        OptionSpec {
            name: DECK_END,
            description: "When an exhausted deck ends the game: once a card must be drawn and the discard \
                 pile is empty too, as in the rulebook's answers, or once the deck is empty, as in \
                 its summary.",
            values: &["nothing-to-draw", "deck-empty"],
            default: "nothing-to-draw",
        },
        // §8.26
        OptionSpec {
            name: SECOND_PLAY,
            description: "What may be played after a Femme Fatale: only a specialist, or also a heist.",
            values: &["specialist", "specialist-or-heist"],
            default: "specialist",
        },
    ];
    const CARDS: &'static Cards = &cards::CARDS;

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
    const VERBS: &'static [(&'static str, &'static str)] = &[
        ("play-specialist", "Plays a card and resolves its text."),
        ("commit-heist", "Plays a team with exactly the archetypes of a heist, for its reward."),
        ("keep", "Keeps one of the drawn cards and discards the others."),
        ("team-up", "Plays a card beside the Thug, as a team of two."),
        ("duplicate", "Performs the action of a card in the hand, which stays there."),
        ("take-back", "Returns a card from the hideout to the hand."),
        ("abduct", "Takes a card from an opponent's hideout into the hand."),
        ("exchange", "Exchanges the Inside Man for an opponent's card and performs its action."),
        ("rob", "Steals from an opponent's stash."),
        ("name-archetype", "Names the archetype that the Inside Man shows beside the Thug."),
        ("swap-heists", "Swaps a committed heist for one of an opponent's."),
        ("decline", "Plays no second card, and makes no swap or exchange."),
        ("pass", "Puts a coin into the first night because no card can be played."),
    ];
    const COIN: &'static str = "A hundred dollars.";

    fn mark(mark: Mark) -> &'static str {
        match mark {
            Mark::DeckEnd => "When an exhausted deck ends this match.",
            Mark::SecondJob => "1 if a heist may be committed after a Femme Fatale, otherwise 0.",
            Mark::Acting => "The card whose text, or the heist whose reward, is being resolved.",
            Mark::Clause => "How many parts of that text have been resolved.",
        }
    }

    fn decision(decision: Decision) -> &'static str {
        match decision {
            Decision::Turn => "Play a specialist or commit a heist.",
            Decision::SecondCaper => "Play a second card, or decline.",
            Decision::Rob => "Choose an opponent to steal from.",
            Decision::NameSkill => "Name the archetype that the Inside Man shows beside the Thug.",
            Decision::SwapJobs => {
                "Swap one of your committed heists for one of an opponent's, or decline."
            }
            Decision::Choose(what) => what.description(),
        }
    }

    fn announcement(announcement: Announcement) -> &'static str {
        match announcement {
            Announcement::Caper => "{seat} plays a specialist",
            Announcement::Job => "{seat} commits a heist",
            Announcement::NothingComesOfIt => "nothing comes of it",
            Announcement::TimeAdvances => "{seat} has time advance once more",
            Announcement::Targets(_) => "{seat} goes after lone cards of {argument}",
            Announcement::NewDeck => "the discards make a new deck",
            Announcement::CannotPlay => "{seat} cannot play a card",
            Announcement::CoffersEmpty => "the town stash is empty: the game is over",
            Announcement::JobsCompleted => "all heists have been committed: the game is over",
            Announcement::DeckOut => "the specialist deck has run out: the game is over",
            Announcement::Bonus(_) => "{seat} gets a bonus of {value} for the {argument} chain",
            Announcement::TieOnJobs => {
                "{seat} is tied for the most money, with {value} heists committed"
            }
            Announcement::TieOnPeople => "{seat} is still tied, with {value} people",
        }
    }

    fn back(back: Back) -> &'static str {
        match back {
            Back::Specialist => "The back of ringleaders and specialists.",
            Back::Job => "The back of heists.",
        }
    }

    fn layout() -> &'static Layout {
        &LAYOUT
    }

    fn parse(message: &[u8]) -> Result<Action, Malformed> {
        actions::parse(message)
    }

    fn print(action: &Action) -> Bytes {
        actions::print(action)
    }
}
