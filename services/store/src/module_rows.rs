//! The games that are modules, in the database by hash, and the modules that releases kept of the
//! games that are compiled in.
//!
//! No row of a match leaves this crate to be read before its module was looked for, so callers know
//! rules by [`rows::game_of`] alone, without waiting, and of a match that is to be played by
//! [`rows::deciding_game_of`]. A module that cannot be loaded makes its own matches unreadable, and
//! no others.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use database::{Error, Query};
use games::{Current, Game, Platforms};
use modules::Compiled;
use modules::compiling::{CompileError, Compiler};
use rows::{MatchRow, version_of};
use time::OffsetDateTime;
use tokio::time::{interval, timeout};

use crate::Store;
use crate::catalogue::{ModuleError, chain};

/// How often a process asks which modules there are.
const ASK_EVERY: Duration = Duration::from_secs(5);

/// How long a call waits for a module. Its loading goes on, so a later call finds it.
const WAIT: Duration = Duration::from_secs(20);

/// A module, without its file.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ModuleRow {
    /// By BLAKE3, in hexadecimal.
    pub hash: String,
    pub game: String,
    /// The version of its rules.
    pub rules: i32,
    pub bytes: i32,
    pub install_time: OffsetDateTime,
    /// Since when it gets no new matches.
    pub retire_time: Option<OffsetDateTime>,
    /// The platforms that its game is for; `None` for all.
    pub platforms: Option<Vec<String>>,
    /// Whether no module of the game was added later.
    pub is_newest: bool,
}

/// What a module is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleState {
    /// New matches of the game get it.
    Offered,
    /// New matches get a later one.
    Replaced,
    /// Its game gets no new matches.
    Retired,
    /// It was kept of a game that is compiled in: [`Store::keep_module`].
    Kept,
}

impl ModuleRow {
    pub fn state(&self) -> ModuleState {
        match self.retire_time {
            Some(time) if time == self.install_time => ModuleState::Kept,
            Some(_) => ModuleState::Retired,
            None if self.is_newest => ModuleState::Offered,
            None => ModuleState::Replaced,
        }
    }
}

// === In the database ===

impl Store {
    /// Adds a module, or offers it again, to these platforms or to all. Its game gets new matches
    /// of this module from then on.
    pub async fn install_module(
        &self,
        game: &str,
        rules: u32,
        file: &[u8],
        platforms: Option<&[String]>,
    ) -> Result<(), Error> {
        let adding = sqlx::query(
            "insert into modules (hash, game, rules, file, platforms)
             values ($1, $2, $3, $4, $5)
             on conflict (bucket, hash) do update
                 set install_time = excluded.install_time,
                     retire_time = null,
                     platforms = excluded.platforms",
        );
        let platforms = platforms.map(<[String]>::to_vec);
        let adding = of_module(adding, game, rules, file).bind(platforms);
        self.database().write(adding).await?;
        Ok(())
    }

    /// Like [`Store::install_module`], as the role that serves, for an operator whose key this
    /// proves. Returns false without one.
    pub async fn install_module_by(
        &self,
        proof: &[u8; 32],
        game: &str,
        rules: u32,
        file: Vec<u8>,
        platforms: Option<Vec<String>>,
    ) -> Result<bool, Error> {
        let hash = *blake3::hash(&file).as_bytes();
        let adding = sqlx::query_as("select install_module($1, $2, $3, $4, $5, $6)")
            .bind(proof.to_vec())
            .bind(hash.to_vec())
            .bind(game.to_owned())
            .bind(i32::try_from(rules).unwrap_or(i32::MAX))
            .bind(file)
            .bind(platforms);
        let (is_added,): (bool,) = self.database().write_returning(adding).await?;
        Ok(is_added)
    }

    /// Keeps a module of the rules of a game that is compiled in, for the matches that these rules
    /// decide, unless one of the same version is kept. No new match ever gets it: it is retired as
    /// it is added. Returns whether it was added.
    pub async fn keep_module(&self, game: &str, rules: u32, file: &[u8]) -> Result<bool, Error> {
        let keeping = sqlx::query(
            "insert into modules (hash, game, rules, file, retire_time)
             select $1, $2, $3, $4, now()
             where not exists (
                 select 1
                 from modules
                 where game = $2 and rules = $3 and retire_time = install_time
             )
             on conflict do nothing",
        );
        let keeping = of_module(keeping, game, rules, file);
        Ok(self.database().write(keeping).await?.rows_affected() == 1)
    }

    /// Whether this role may add modules. The role that serves may not.
    pub async fn may_keep_modules(&self) -> Result<bool, Error> {
        let asking = sqlx::query_scalar("select has_table_privilege('modules', 'insert')");
        Ok(asking.fetch_one(self.pool()).await?)
    }

    /// Brings a module of which matches are imported, unless it is there. It gets no new matches,
    /// and its game stays offered, or not, as it was: it counts as installed before all others.
    pub async fn bring_module(&self, game: &str, rules: u32, file: &[u8]) -> Result<bool, Error> {
        let bringing = sqlx::query(
            "insert into modules (hash, game, rules, file, install_time, retire_time)
             select $1, $2, $3, $4, coalesce(min(install_time), now()) - interval '1 second', now()
             from modules
             where game = $2
             on conflict do nothing",
        );
        let bringing = of_module(bringing, game, rules, file);
        Ok(self.database().write(bringing).await?.rows_affected() == 1)
    }

    /// The modules that are kept of games that are compiled in: hashes by game and version.
    pub async fn kept_modules(&self) -> Result<BTreeMap<(String, u32), String>, Error> {
        let rows: Vec<(String, i32, String)> = sqlx::query_as(
            "select game, rules, encode(hash, 'hex')
             from modules
             where retire_time = install_time
             order by install_time desc, hash desc",
        )
        .fetch_all(self.pool())
        .await?;
        let kept = |(game, rules, hash)| ((game, u32::try_from(rules).unwrap_or(0)), hash);
        Ok(rows.into_iter().map(kept).collect())
    }

    /// Ends new matches of a game. Returns how many of its modules got some.
    pub async fn retire_game(&self, game: &str) -> Result<u64, Error> {
        let retiring = sqlx::query(
            "update modules set retire_time = now() where game = $1 and retire_time is null",
        );
        Ok(self.database().write(retiring.bind(game.to_owned())).await?.rows_affected())
    }

    /// Like [`Store::retire_game`], as the role that serves, for an operator whose key this proves.
    /// Returns `None` without one.
    pub async fn retire_game_by(&self, proof: &[u8; 32], game: &str) -> Result<Option<i64>, Error> {
        let retiring =
            sqlx::query_as("select retire_game($1, $2)").bind(proof.to_vec()).bind(game.to_owned());
        let (retired,): (Option<i64>,) = self.database().write_returning(retiring).await?;
        Ok(retired)
    }

    /// All modules, those added last first.
    pub async fn modules(&self) -> Result<Vec<ModuleRow>, Error> {
        let rows = sqlx::query_as(
            "select encode(hash, 'hex') as hash, game, rules, octet_length(file) as bytes,
                 install_time, retire_time, platforms,
                 row_number() over (partition by game order by install_time desc, hash) = 1
                     as is_newest
             from modules
             order by install_time desc, hash",
        );
        Ok(rows.fetch_all(self.pool()).await?)
    }

    /// The module that new matches of a game get on a platform; `None` if the game gets none there.
    pub async fn offered_module(
        &self,
        game: &str,
        platform: Option<&str>,
    ) -> Result<Option<String>, Error> {
        let found: Option<(String, bool, Option<Vec<String>>)> = sqlx::query_as(
            "select encode(hash, 'hex'), retire_time is not null, platforms
             from modules
             where game = $1
             order by install_time desc, hash
             limit 1",
        )
        .bind(game)
        .fetch_optional(self.pool())
        .await?;
        let Some((module, is_retired, platforms)) = found else { return Ok(None) };
        let platforms = platforms_of(platforms);
        let is_offered = !is_retired && platforms.include(platform);
        note(game, module.clone(), is_retired, platforms);
        Ok(is_offered.then_some(module))
    }

    /// Whether a module is there, and for a platform.
    pub async fn is_module_for(&self, module: &str, platform: Option<&str>) -> Result<bool, Error> {
        if let Some(known) = games::is_for(module, platform) {
            return Ok(known);
        }
        let hash = hex::decode(module).unwrap_or_default();
        let found: Option<(Option<Vec<String>>,)> =
            sqlx::query_as("select platforms from modules where hash = $1")
                .bind(hash)
                .fetch_optional(self.pool())
                .await?;
        let Some((platforms,)) = found else { return Ok(false) };
        let platforms = platforms_of(platforms);
        let is_for = platforms.include(platform);
        games::set_platforms(module, platforms);
        Ok(is_for)
    }

    /// The file of a module; `None` if there is no such module.
    pub async fn module_file(&self, module: &str) -> Result<Option<Vec<u8>>, Error> {
        let hash = hex::decode(module).unwrap_or_default();
        let file = sqlx::query_scalar("select file from modules where hash = $1").bind(hash);
        Ok(file.fetch_optional(self.pool()).await?)
    }
}

/// A statement with the hash of a module, its game, the version of its rules, and its file.
fn of_module<'q>(query: Query<'q>, game: &str, rules: u32, file: &[u8]) -> Query<'q> {
    let hash = *blake3::hash(file).as_bytes();
    query
        .bind(hash.to_vec())
        .bind(game.to_owned())
        .bind(i32::try_from(rules).unwrap_or(i32::MAX))
        .bind(file.to_vec())
}

fn note(game: &str, module: String, is_retired: bool, platforms: Platforms) {
    games::set_platforms(&module, platforms);
    games::set_current(game, Current { module, is_retired });
}

fn platforms_of(named: Option<Vec<String>>) -> Platforms {
    named.map_or(Platforms::All, Platforms::Only)
}

// === In this process ===

/// The modules that this process has not loaded.
pub struct Unknown(Vec<String>);

impl Unknown {
    pub fn among<'m>(modules: impl Iterator<Item = Option<&'m str>>) -> Unknown {
        let modules = modules.flatten().filter(|it| games::installed(it).is_none());
        Unknown(modules.map(str::to_owned).collect())
    }
}

impl Store {
    /// Follows the modules that operators add and retire, and loads those that are offered. Never
    /// returns.
    pub async fn follow_modules(&self) {
        let mut ticks = interval(ASK_EVERY);
        loop {
            ticks.tick().await;
            let rows = match self.modules().await {
                Ok(rows) => rows,
                Err(error) => {
                    tracing::debug!(
                        error = &error as &dyn std::error::Error,
                        "modules are unknown"
                    );
                    continue;
                }
            };
            for row in rows {
                let is_retired = row.retire_time.is_some();
                let platforms = platforms_of(row.platforms);
                games::set_platforms(&row.hash, platforms.clone());
                // An earlier module of the game is loaded when a match needs it.
                if !row.is_newest {
                    continue;
                }
                if is_retired || self.learn(&row.hash).await.is_ok() {
                    note(&row.game, row.hash, is_retired, platforms);
                }
            }
        }
    }

    /// The game of a module, which is compiled and loaded if it is not yet.
    pub async fn learn(&self, module: &str) -> Result<&'static dyn Game, ModuleError> {
        if let Some(game) = games::installed(module) {
            return Ok(game);
        }
        let failed = |reason: String| ModuleError { module: module.to_owned(), reason };
        let find = async {
            let file = self.module_file(module).await.map_err(|error| chain(&error))?;
            file.ok_or_else(|| "it is not installed".to_owned())
        };
        match timeout(WAIT, self.catalogue().load(module, find)).await {
            Ok(loaded) => loaded.map_err(failed),
            Err(_) => Err(failed("it is still being loaded".to_owned())),
        }
    }

    /// The compiler of modules.
    pub fn module_compiler(&self) -> Result<Compiler, CompileError> {
        Compiler::find(self.catalogue().compiler())
    }

    /// Keeps the code of a module in the cache, so that it is not compiled once more.
    pub fn keep_code(&self, module: &str, code: &Compiled) {
        self.catalogue().keep(module, code);
    }

    /// Learns the modules that were kept of these versions of games, unless they are compiled in.
    /// Fails if the database does not tell, so that nothing is decided by other rules then.
    pub async fn learn_versions<'g>(
        &self,
        versions: impl Iterator<Item = (&'g str, u32)>,
    ) -> Result<(), Error> {
        let others: BTreeSet<(&str, u32)> =
            versions.filter(|(game, rules)| games::is_other(game, *rules)).collect();
        if others.iter().any(|(game, rules)| games::kept(game, *rules).is_none()) {
            for ((game, rules), module) in self.kept_modules().await? {
                games::keep(&game, rules, &module);
            }
        }
        for module in others.iter().filter_map(|(game, rules)| games::kept(game, *rules)) {
            let _ = self.learn(&module).await;
        }
        Ok(())
    }

    /// The same of a match that is about to be played.
    pub(crate) async fn learn_version_of(&self, row: &MatchRow) -> Result<(), Error> {
        let last = row.last.as_ref().filter(|_| row.terms.module().is_none());
        self.learn_versions(last.map(|last| (&*row.game, version_of(last))).into_iter()).await
    }

    /// Learns the modules of matches that are about to be read. What cannot be loaded is left out.
    pub async fn learn_all(&self, Unknown(modules): Unknown) {
        for module in modules {
            let _ = self.learn(&module).await;
        }
    }
}
