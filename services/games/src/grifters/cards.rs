//! The twelve ringleaders, 48 specialists and 20 jobs of Grifters: §1.1, §1.2 and §1.3.
//!
//! Each row ends with the origins of its name, its skill or team, and its text or reward. To
//! replace a designed value by the printed one, change its row here.

use table::Origin::{Design, Printed, PublicFact};

use crate::hideout::{
    cards::{Cards, Effect::*, Stack, job, person, rob_each},
    vocabulary::Skill::*,
};

pub(super) static CARDS: Cards = Cards {
    ringleaders: [
        person("mastermind", Some(Brain), &[DrawAndKeep(3)], [Printed, PublicFact, PublicFact]),
        person("thief", Some(Speed), &[Steal(2)], [Printed, Printed, PublicFact]),
        person("pickpocket", Some(Brawn), &[Rob(2)], [Printed, PublicFact, PublicFact]),
    ],
    specialists: [
        person("fall-guy", Some(Brain), &[Duplicate], [PublicFact, Design, PublicFact]),
        person("recruiter", Some(Brain), &[Draw(2)], [Design, Design, Design]),
        person("forger", Some(Brain), &[SwapJobs], [Design, Design, PublicFact]),
        person("fixer", Some(Brain), &[TakeBack], [Design, Design, Design]),
        person("analyst", Some(Brain), &[DrawAndKeep(2), Steal(1)], [Design, Design, Design]),
        person("con-man", Some(Speed), &[StealBySkills], [Printed, Printed, PublicFact]),
        person("wheelman", Some(Speed), &[AdvanceTime], [PublicFact, Design, Design]),
        person("femme-fatale", Some(Speed), &[SecondCaper], [PublicFact, Design, PublicFact]),
        person("burglar", Some(Speed), &[Steal(3)], [Design, Design, Design]),
        person(
            "hacker",
            Some(Speed),
            &[StealByJobs { without: 2, with: 3 }],
            [Design, Design, Design],
        ),
        person("middle-man", Some(Brawn), &[Rob(1), Steal(1)], [Printed, Printed, PublicFact]),
        person("thug", Some(Brawn), &[TeamUp], [PublicFact, Design, PublicFact]),
        person("enforcer", Some(Brawn), &[RobRichest(3)], [Design, Design, Design]),
        person(
            "extortionist",
            Some(Brawn),
            &[RobEach { each: 1, only: 2 }],
            [Design, Design, Design],
        ),
        person("kidnapper", Some(Brawn), &[Abduct], [Design, Design, Design]),
        person("inside-man", None, &[Exchange], [PublicFact, Design, PublicFact]),
    ],
    // A team counts brain, speed and brawn.
    // §1.10 Rewards of numbers 2 to 4 leave coins in the Coffers until the last job.
    stacks: [
        // Blue: Blackwatch Defence Corporation.
        Stack {
            players: 2,
            jobs: [
                // §1.7
                job(
                    "kidnap-weapon-experts",
                    [3, 0, 0],
                    &[Draw(2)],
                    [PublicFact, Design, PublicFact],
                )
                .with_stack_origins([Design, Design, PublicFact]),
                job("bribe-the-auditors", [3, 1, 0], &[Draw(2)], [Design, Design, Design]),
                job("poach-the-labs", [3, 1, 1], &[Draw(2), Steal(1)], [Design, Design, Design]),
                job("turn-the-board", [4, 1, 1], &[Draw(3), Steal(2)], [Design, Design, Design]),
            ],
        },
        // Green.
        Stack {
            players: 2,
            jobs: [
                job("skim-the-tolls", [0, 3, 0], &[Steal(3)], [Design, Design, Design]),
                job("reroute-the-convoy", [0, 3, 1], &[Steal(3)], [Design, Design, Design]),
                job("crack-the-exchange", [1, 3, 1], &[Steal(4)], [Design, Design, Design]),
                job("drain-the-reserve", [1, 4, 1], &[Steal(5)], [Design, Design, Design]),
            ],
        },
        // Red.
        Stack {
            players: 2,
            jobs: [
                job("hold-up-the-depot", [0, 0, 3], &[Steal(3)], [Design, Design, Design]),
                job("storm-the-checkpoint", [0, 0, 4], &[Steal(3)], [Design, Design, Design]),
                job("raid-the-armoury", [1, 1, 3], &[Steal(4)], [Design, Design, Design]),
                job("break-into-the-mint", [1, 1, 4], &[Steal(5)], [Design, Design, Design]),
            ],
        },
        // Yellow.
        Stack {
            players: 3,
            jobs: [
                job("hack-credit-system", [0, 2, 1], &[Rob(2)], [Printed, Printed, Printed]),
                job("clone-the-ledgers", [0, 2, 2], &[Rob(3)], [Design, Design, Design]),
                job("hijack-the-payroll", [1, 2, 2], &[Rob(5)], [Design, Design, Design]),
                job("empty-the-vault", [1, 3, 2], &[Rob(7)], [Design, Design, Design]),
            ],
        },
        // Purple.
        Stack {
            players: 4,
            jobs: [
                job("sell-false-papers", [2, 0, 1], &[rob_each(1)], [Design, Design, Design]),
                job(
                    "run-the-protection",
                    [2, 0, 2],
                    &[rob_each(1), Draw(1)],
                    [Design, Design, Design],
                ),
                job("rig-the-tribunal", [2, 1, 2], &[rob_each(2)], [Design, Design, Design]),
                job("own-the-precinct", [3, 1, 2], &[rob_each(3)], [Design, Design, Design]),
            ],
        },
    ],
};
