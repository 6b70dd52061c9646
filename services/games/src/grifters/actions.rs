//! The messages of Grifters.

crate::hideout::actions::messages!(
    "/croupier.games.grifters.v1.rs",
    PerformCaper,
    CompleteJob { job },
    NameSkill { skill: Skill { Brain, Speed, Brawn } },
    SwapJobs
);
