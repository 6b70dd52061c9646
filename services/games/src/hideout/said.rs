//! The engine's words as one of its games says them.

use table::{AnnouncementId, BackId, CoinId, DecisionId, MarkId, PlaceId, Small};

use super::Ruleset;

/// A word of the engine under the name that game `G` has for it; its number is the engine's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said<G, W> {
    pub word: W,
    by: std::marker::PhantomData<G>,
}

impl<G, W> Said<G, W> {
    pub(super) fn of(word: W) -> Said<G, W> {
        Said { word, by: std::marker::PhantomData }
    }
}

impl<G: Ruleset, W: Small> Small for Said<G, W> {
    const COUNT: usize = W::COUNT;

    fn index(self) -> usize {
        self.word.index()
    }
    fn nth(index: usize) -> Option<Self> {
        W::nth(index).map(Said::of)
    }
    fn code(self) -> u16 {
        self.word.code()
    }
    fn decode(code: u16) -> Option<Self> {
        W::decode(code).map(Said::of)
    }
    fn spell(self, pieces: &[String]) -> String {
        let name = self.word.spell(pieces);
        let parts: Vec<&str> = name.split('/').map(say::<G>).collect();
        parts.join("/")
    }
    fn seat(self) -> Option<table::Seat> {
        self.word.seat()
    }
}

/// What game `G` calls what the engine calls `name`.
pub(super) fn say<G: Ruleset>(name: &str) -> &str {
    G::WORDS.iter().find(|(engine, _)| *engine == name).map_or(name, |(_, own)| own)
}

macro_rules! numbered {
    ($($Id:ident),*) => {$(
        impl<G, W: Into<$Id>> From<Said<G, W>> for $Id {
            fn from(said: Said<G, W>) -> $Id {
                said.word.into()
            }
        }
    )*};
}
numbered!(PlaceId, CoinId, MarkId, DecisionId, AnnouncementId, BackId);
