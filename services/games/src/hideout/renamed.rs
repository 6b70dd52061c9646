//! The engine's identifiers under the names that each of its two games publishes.

use std::marker::PhantomData;

use table::{AnnouncementId, Argument, BackId, CoinId, DecisionId, MarkId, PlaceId, Small};

use super::ruleset::Ruleset;

/// An identifier of the engine that is published under game `G`'s name. Its number does not depend
/// on the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renamed<G, T> {
    pub id: T,
    game: PhantomData<G>,
}

impl<G, T> Renamed<G, T> {
    pub(super) fn of(id: T) -> Renamed<G, T> {
        Renamed { id, game: PhantomData }
    }
}

impl<G: Ruleset, T: Small> Small for Renamed<G, T> {
    const COUNT: usize = T::COUNT;

    fn index(self) -> usize {
        self.id.index()
    }
    fn nth(index: usize) -> Option<Self> {
        T::nth(index).map(Renamed::of)
    }
    fn code(self) -> u16 {
        self.id.code()
    }
    fn decode(code: u16) -> Option<Self> {
        T::decode(code).map(Renamed::of)
    }
    fn spell(self, pieces: &[String]) -> String {
        let name = self.id.spell(pieces);
        let parts: Vec<&str> = name.split('/').map(rename::<G>).collect();
        parts.join("/")
    }
    fn seat(self) -> Option<table::Seat> {
        self.id.seat()
    }
    fn arguments(self, pieces: &[String]) -> Vec<Argument> {
        let renamed = |argument| match argument {
            Argument::Value(name) => Argument::Value(rename::<G>(&name).to_owned()),
            other => other,
        };
        self.id.arguments(pieces).into_iter().map(renamed).collect()
    }
}

/// Game `G`'s name for the engine's `name`.
pub(super) fn rename<G: Ruleset>(name: &str) -> &str {
    G::RENAMES.iter().find(|(engine, _)| *engine == name).map_or(name, |(_, own)| own)
}

macro_rules! numbered {
    ($($Id:ident),*) => {$(
        impl<G, T: Into<$Id>> From<Renamed<G, T>> for $Id {
            fn from(renamed: Renamed<G, T>) -> $Id {
                renamed.id.into()
            }
        }
    )*};
}
numbered!(PlaceId, CoinId, MarkId, DecisionId, AnnouncementId, BackId);
