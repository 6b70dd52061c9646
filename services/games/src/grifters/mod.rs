//! Grifters: money is power in the Dystopian Universe, and somebody else has it.
//!
//! The engine is [`crate::hideout`], which You Dirty Rat shares; this folder holds what is
//! Grifters' own.

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
pub struct Grifters;

static LAYOUT: LazyLock<Layout> = LazyLock::new(hideout::layout::<Grifters>);

const TWO_SEAT_DECK: &str = "two-seat-deck";

impl Ruleset for Grifters {
    const NAME: &'static str = "grifters";
    const TITLE: &'static str = "Grifters";
    const DESCRIPTION: &'static str = "Recruit specialists and send them out, alone on capers or in teams on jobs, to steal from \
         corporations and from each other.";
    const OPTIONS: &'static [OptionSpec] = &[
        // §2.6
        OptionSpec {
            name: first_seat::NAME,
            description: "Who goes first. The rulebook names the player who most recently broke the law.",
            values: &[first_seat::RANDOM, "0", "1", "2", "3"],
            default: first_seat::RANDOM,
        },
        // §2.7
        OptionSpec {
            name: TWO_SEAT_DECK,
            description: "Whether a match of two seats is played with all specialists, as in the rulebook, \
                 or with one of each type removed.",
            values: &["all", "one-of-each-removed"],
            default: "all",
        },
    ];
    const CARDS: &'static Cards = &cards::CARDS;

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
    const VERBS: &'static [(&'static str, &'static str)] = &[
        ("perform-caper", "Plays a card and resolves its text."),
        ("complete-job", "Plays a team with exactly the skills of a job, for its reward."),
        ("keep", "Keeps one of the drawn cards and discards the others."),
        ("team-up", "Plays a card beside the Thug, as a team of two."),
        ("duplicate", "Performs the action of a card in the hand, which stays there."),
        ("take-back", "Returns a card from the hideout to the hand."),
        ("abduct", "Takes a card from an opponent's hideout into the hand."),
        ("exchange", "Exchanges the Inside Man for an opponent's card and performs its action."),
        ("rob", "Steals from an opponent's stash."),
        ("name-skill", "Names the skill that the Inside Man shows beside the Thug."),
        ("swap-jobs", "Swaps a completed job for one of an opponent's."),
        ("decline", "Performs no second caper, swap or exchange."),
        ("pass", "Puts a coin into the first night because no card can be played."),
    ];
    const COIN: &'static str = "One million ISK.";

    fn mark(mark: Mark) -> &'static str {
        match mark {
            Mark::DeckEnd => "When an exhausted deck ends this match.",
            Mark::SecondJob => "Always 0: no job may be completed after a Femme Fatale.",
            Mark::Acting => "The card whose text, or the job whose reward, is being resolved.",
            Mark::Clause => "How many parts of that text have been resolved.",
        }
    }

    fn decision(decision: Decision) -> &'static str {
        match decision {
            Decision::Turn => "Perform a caper or complete a job.",
            Decision::SecondCaper => "Perform a second caper, or decline.",
            Decision::Rob => "Choose an opponent to steal from.",
            Decision::NameSkill => "Name the skill that the Inside Man shows beside the Thug.",
            Decision::SwapJobs => {
                "Swap one of your completed jobs for one of an opponent's, or decline."
            }
            Decision::Choose(what) => what.description(),
        }
    }

    fn announcement(announcement: Announcement) -> &'static str {
        match announcement {
            Announcement::Caper => "{seat} performs a caper",
            Announcement::Job => "{seat} completes a job",
            Announcement::NothingComesOfIt => "nothing comes of it",
            Announcement::TimeAdvances => "{seat} has time advance once more",
            Announcement::Targets(_) => "{seat} goes after lone cards of {argument}",
            Announcement::NewDeck => "the discards make a new deck",
            Announcement::CannotPlay => "{seat} has no card to play",
            Announcement::CoffersEmpty => "the coffers are empty: the game is over",
            Announcement::JobsCompleted => "all jobs have been completed: the game is over",
            Announcement::DeckOut => "neither deck nor discards are left: the game is over",
            Announcement::Bonus(_) => "{seat} gets a bonus of {value} for {argument} jobs",
            Announcement::TieOnJobs => {
                "{seat} is tied for the most money, with {value} jobs completed"
            }
            Announcement::TieOnPeople => "{seat} is still tied, with {value} people",
        }
    }

    fn back(back: Back) -> &'static str {
        match back {
            Back::Specialist => "The back of ringleaders and specialists.",
            Back::Job => "The back of jobs.",
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
