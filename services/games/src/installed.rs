//! The games that are modules, once they are loaded: one catalogue for the process.

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use crate::{GAMES, Game, find};

static INSTALLED: RwLock<Installed> = RwLock::new(Installed {
    modules: BTreeMap::new(),
    names: BTreeMap::new(),
    kept: BTreeMap::new(),
    platforms: BTreeMap::new(),
});

struct Installed {
    /// By the hash of the module.
    modules: BTreeMap<String, &'static dyn Game>,
    names: BTreeMap<String, Current>,
    /// The modules of other versions of games that are compiled in, by game and version.
    kept: BTreeMap<(String, u32), String>,
    /// Whom each module is for, by its hash.
    platforms: BTreeMap<String, Platforms>,
}

/// The platforms that a game is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Platforms {
    #[default]
    All,
    Only(Vec<String>),
}

impl Platforms {
    /// Whether the game is for a platform; `None` for callers of whom no platform is known.
    pub fn include(&self, platform: Option<&str>) -> bool {
        match self {
            Platforms::All => true,
            Platforms::Only(named) => platform.is_some_and(|it| named.iter().any(|n| n == it)),
        }
    }
}

/// The module that has a name now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Current {
    /// Its hash.
    pub module: String,
    /// Whether it gets no new matches.
    pub is_retired: bool,
}

fn read() -> RwLockReadGuard<'static, Installed> {
    INSTALLED.read().unwrap_or_else(PoisonError::into_inner)
}

fn write() -> RwLockWriteGuard<'static, Installed> {
    INSTALLED.write().unwrap_or_else(PoisonError::into_inner)
}

/// Adds the game of a module, for as long as the program runs. If the module is there already, that
/// game stays.
pub fn install(module: &str, game: &'static dyn Game) -> &'static dyn Game {
    *write().modules.entry(module.to_owned()).or_insert(game)
}

/// Says which module has a name from now on. Names that are compiled in stay so.
pub fn set_current(name: &str, current: Current) {
    write().names.insert(name.to_owned(), current);
}

/// Says whom a module is for.
pub fn set_platforms(module: &str, platforms: Platforms) {
    write().platforms.insert(module.to_owned(), platforms);
}

/// Whether a module is for a platform; `None` if that is not known.
pub fn is_for(module: &str, platform: Option<&str>) -> Option<bool> {
    read().platforms.get(module).map(|it| it.include(platform))
}

/// The game of a module that was added, by the module's hash.
pub fn installed(module: &str) -> Option<&'static dyn Game> {
    read().modules.get(module).copied()
}

/// Says which module has a version of the rules of a game that is compiled in.
pub fn keep(name: &str, rules: u32, module: &str) {
    write().kept.insert((name.to_owned(), rules), module.to_owned());
}

/// The module that was kept of this version of a game's rules, by its hash; `None` if the version
/// is compiled in, or if it is not known to be kept. Version 0 is that of entries without one.
pub fn kept(name: &str, rules: u32) -> Option<String> {
    if !is_other(name, rules) {
        return None;
    }
    read().kept.get(&(name.to_owned(), rules)).cloned()
}

/// Whether this is a version of a game's rules that is not compiled in.
pub fn is_other(name: &str, rules: u32) -> bool {
    rules != 0 && find(name).is_none_or(|it| it.rules_version() != rules)
}

/// The rules of a match: of a game that is compiled in, or of the module that the match names.
pub fn rules_of(game: &str, module: Option<&str>) -> Option<&'static dyn Game> {
    match module {
        None => find(game),
        Some(module) => installed(module).filter(|it| it.name() == game),
    }
}

/// A game, with the hash of its module if it is not compiled in.
pub type Named = (&'static dyn Game, Option<String>);

/// The game that has a name now for a platform: compiled in or a module, also one that is retired.
pub fn named(name: &str, platform: Option<&str>) -> Option<Named> {
    if let Some(game) = find(name) {
        return Some((game, None));
    }
    let installed = read();
    let module = &installed.names.get(name)?.module;
    if !installed.is_for(module, platform) {
        return None;
    }
    Some((*installed.modules.get(module)?, Some(module.clone())))
}

/// The games that a platform can create matches of, by name.
pub fn offered(platform: Option<&str>) -> BTreeMap<String, Named> {
    let mut games: BTreeMap<String, Named> = BTreeMap::new();
    let installed = read();
    for (name, current) in installed.names.iter().filter(|it| !it.1.is_retired) {
        let game = installed.modules.get(&current.module);
        if let Some(game) = game.filter(|_| installed.is_for(&current.module, platform)) {
            games.insert(name.clone(), (*game, Some(current.module.clone())));
        }
    }
    games.extend(GAMES.iter().map(|game| (game.name().to_owned(), (*game, None))));
    games
}

impl Installed {
    /// A module of which nothing is known is for nobody.
    fn is_for(&self, module: &str, platform: Option<&str>) -> bool {
        self.platforms.get(module).is_some_and(|it| it.include(platform))
    }
}
