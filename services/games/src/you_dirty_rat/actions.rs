//! The messages of You Dirty Rat.

crate::hideout::actions::messages!(
    "/croupier.games.you_dirty_rat.v1.rs",
    PlaySpecialist,
    CommitHeist { heist },
    NameArchetype { archetype: Archetype { Blue, Green, Red } },
    SwapHeists
);
