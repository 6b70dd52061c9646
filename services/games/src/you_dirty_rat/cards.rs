//! The twelve ringleaders, 48 specialists and 20 heists of You Dirty Rat: §1.1, §1.2 and §1.3.
//!
//! Each row ends with the origins of its name, its archetype or team, and its text or reward.
//! Unknown values are taken from Grifters and marked as design. To replace a value by the printed
//! one, change its row here.

use table::Origin::{Design, Printed};

use crate::hideout::{
    cards::{Cards, Effect::*, Stack, job, person, rob_each},
    vocabulary::Skill::*,
};

pub(super) static CARDS: Cards = Cards {
    ringleaders: [
        person("mastermind", Some(Brain), &[DrawAndKeep(3)], [Printed, Design, Design]),
        person("thief", Some(Speed), &[Steal(2)], [Printed, Design, Design]),
        person("pickpocket", Some(Brawn), &[Rob(2)], [Printed, Design, Design]),
    ],
    specialists: [
        person("fall-guy", Some(Brain), &[Duplicate], [Design, Design, Design]),
        person("recruiter", Some(Brain), &[Draw(2)], [Design, Design, Design]),
        person("forger", Some(Brain), &[SwapJobs], [Design, Design, Design]),
        person("fixer", Some(Brain), &[TakeBack], [Design, Design, Design]),
        person("analyst", Some(Brain), &[DrawAndKeep(2), Steal(1)], [Design, Design, Design]),
        person("con-man", Some(Speed), &[StealBySkills], [Design, Design, Design]),
        person("wheelman", Some(Speed), &[AdvanceTime], [Design, Design, Design]),
        person("femme-fatale", Some(Speed), &[SecondCaper], [Printed, Design, Printed]),
        person("burglar", Some(Speed), &[Steal(3)], [Design, Design, Design]),
        person(
            "hacker",
            Some(Speed),
            &[StealByJobs { without: 2, with: 3 }],
            [Design, Design, Design],
        ),
        person("middle-man", Some(Brawn), &[Rob(1), Steal(1)], [Design, Design, Design]),
        person("thug", Some(Brawn), &[TeamUp], [Printed, Design, Printed]),
        person("enforcer", Some(Brawn), &[RobRichest(3)], [Design, Design, Design]),
        person(
            "extortionist",
            Some(Brawn),
            &[RobEach { each: 1, only: 2 }],
            [Design, Design, Design],
        ),
        person("kidnapper", Some(Brawn), &[Abduct], [Design, Design, Design]),
        person("inside-man", None, &[Exchange], [Printed, Printed, Design]),
    ],
    // A team counts blue, green and red.
    // §1.10 Rewards of numbers 2 to 4 leave coins in the Town Stash until the last heist.
    stacks: [
        // Blue.
        Stack {
            players: 2,
            jobs: [
                // §1.8
                job("weapon-unveiled", [3, 0, 0], &[Draw(1)], [Printed, Printed, Printed]),
                job("archive-ransacked", [3, 1, 0], &[Draw(2)], [Design, Design, Design]),
                job("inventor-missing", [3, 1, 1], &[Draw(2), Steal(1)], [Design, Design, Design]),
                job(
                    "mayor-in-the-pocket",
                    [4, 1, 1],
                    &[Draw(3), Steal(2)],
                    [Design, Design, Design],
                ),
            ],
        },
        // Green.
        Stack {
            players: 2,
            jobs: [
                job("art-display-stolen", [0, 3, 0], &[Steal(3)], [Printed, Printed, Printed]),
                job("mail-train-stopped", [0, 3, 1], &[Steal(3)], [Design, Design, Design]),
                job("jeweller-cleaned-out", [1, 3, 1], &[Steal(4)], [Design, Design, Design]),
                job("museum-emptied", [1, 4, 1], &[Steal(5)], [Design, Design, Design]),
            ],
        },
        // Red.
        Stack {
            players: 2,
            jobs: [
                job("supermarket-robbery", [0, 0, 3], &[Steal(3)], [Printed, Printed, Printed]),
                job("payroll-truck-ambushed", [0, 0, 4], &[Steal(3)], [Design, Design, Design]),
                job("docks-on-fire", [1, 1, 3], &[Steal(4)], [Design, Design, Design]),
                job("city-bank-blown-open", [1, 1, 4], &[Steal(5)], [Design, Design, Design]),
            ],
        },
        // Yellow.
        Stack {
            players: 3,
            jobs: [
                // §1.9
                job("bank-teller-stick-up", [0, 2, 1], &[Rob(2)], [Printed, Printed, Printed]),
                job("bookmaker-held-up", [0, 2, 2], &[Rob(3)], [Design, Design, Design]),
                job("casino-count-short", [1, 2, 2], &[Rob(5)], [Design, Design, Design]),
                job("rival-vault-cracked", [1, 3, 2], &[Rob(7)], [Design, Design, Design]),
            ],
        },
        // Purple.
        Stack {
            players: 4,
            jobs: [
                job("muggings-begin", [2, 0, 1], &[rob_each(1)], [Printed, Printed, Printed]),
                job("rackets-spread", [2, 0, 2], &[rob_each(1), Draw(1)], [Design, Design, Design]),
                job("turf-war-declared", [2, 1, 2], &[rob_each(2)], [Design, Design, Design]),
                job("whole-town-squeezed", [3, 1, 2], &[rob_each(3)], [Design, Design, Design]),
            ],
        },
    ],
};
