//! The messages of Grifters.

crate::hideout::actions::messages!(
    super::Grifters,
    "/croupier.games.grifters.v1.rs",
    PerformCaper,
    CompleteJob { job },
    NameSkill { skill: Skill { Brain, Speed, Brawn } },
    SwapJobs
);
