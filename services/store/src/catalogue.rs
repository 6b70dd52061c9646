//! Modules in a process: compiled and loaded when they are first needed.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use games::Game;
use modules::compiling::Compiler;
use modules::{Compiled, ENGINE, Limits, Module};
use tokio::sync::Mutex;

/// After a module could not be loaded, how long that answer holds.
const FAILED_FOR: Duration = Duration::from_secs(10);

/// How a process compiles modules, and where it keeps the code.
#[derive(Clone, Debug, Default)]
pub struct ModuleOptions {
    /// The compiler; `None` for the one beside the program.
    pub compiler: Option<PathBuf>,
    /// The folder of compiled code, which only this user may write; `None` to keep none. What is
    /// there is run.
    pub cache: Option<PathBuf>,
}

/// Why a module cannot be used by this process now.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the module {module} cannot be used: {reason}")]
pub struct ModuleError {
    pub module: String,
    pub reason: String,
}

/// What a process knows of modules, besides the loaded ones.
pub(crate) struct Catalogue {
    options: ModuleOptions,
    /// Modules are loaded one at a time, because that takes a processor and memory. When each
    /// failed, and why.
    failed: Arc<Mutex<HashMap<String, (Instant, String)>>>,
}

impl Catalogue {
    pub(crate) fn new(options: ModuleOptions) -> Catalogue {
        Catalogue { options, failed: Arc::default() }
    }

    pub(crate) fn compiler(&self) -> Option<&Path> {
        self.options.compiler.as_deref()
    }

    /// Where the code of a module is kept.
    fn cached(&self, module: &str) -> Option<PathBuf> {
        self.options.cache.as_ref().map(|it| it.join(format!("{module}-{ENGINE}.code")))
    }

    /// Keeps the code of a module.
    pub(crate) fn keep(&self, module: &str, code: &Compiled) {
        if let Some(path) = self.cached(module)
            && let Err(error) = keep(&path, code.bytes())
        {
            tracing::warn!(error = &error as &dyn std::error::Error, "code is not kept");
        }
    }

    /// The game of a module, loaded from its code in the cache, or from the file of `find`.
    /// Fails with the reason.
    pub(crate) async fn load(
        &self,
        module: &str,
        find: impl Future<Output = Result<Vec<u8>, String>>,
    ) -> Result<&'static dyn Game, String> {
        // It becomes a part of a path.
        if module.len() != 64 || !module.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f')) {
            return Err("it is not named by a hash".to_owned());
        }
        let cached = self.cached(module);
        let file = match cached.as_deref().is_some_and(is_ours) {
            true => None,
            false => Some(find.await?),
        };
        let mut failed = self.failed.clone().lock_owned().await;
        if let Some(game) = games::installed(module) {
            return Ok(game);
        }
        failed.retain(|_, it| it.0.elapsed() < FAILED_FOR);
        if let Some((_, reason)) = failed.get(module) {
            return Err(reason.clone());
        }
        let (module, options) = (module.to_owned(), self.options.clone());
        // It goes on if the caller gives up, and nobody else loads meanwhile.
        let loading = tokio::task::spawn_blocking(move || {
            match load(&module, file.as_deref(), cached.as_deref(), &options) {
                Ok(game) => {
                    tracing::info!(module, "loaded the module of the game {}", game.name());
                    Ok(games::install(&module, Box::leak(Box::new(game))))
                }
                Err(reason) => {
                    tracing::warn!(module, reason, "a module cannot be used");
                    failed.insert(module, (Instant::now(), reason.clone()));
                    Err(reason)
                }
            }
        });
        loading.await.map_err(|error| error.to_string())?
    }
}

/// The hash by which a module is named.
pub fn module_hash(file: &[u8]) -> String {
    blake3::hash(file).to_hex().to_string()
}

/// Loads a module from its code in the cache, or from its file.
fn load(
    module: &str,
    file: Option<&[u8]>,
    cached: Option<&Path>,
    options: &ModuleOptions,
) -> Result<Module, String> {
    let compiled = match (file, cached) {
        (Some(file), cached) => {
            if module_hash(file) != module {
                return Err("its file was altered".to_owned());
            }
            let compiler = Compiler::find(options.compiler.as_deref());
            let compiled = compiler.and_then(|it| it.compile(file)).map_err(|it| chain(&it))?;
            if let Some(path) = cached
                && let Err(error) = keep(path, compiled.bytes())
            {
                tracing::warn!(error = &error as &dyn std::error::Error, "code is not kept");
            }
            compiled
        }
        (None, Some(path)) => Compiled::trust(fs::read(path).map_err(|it| chain(&it))?),
        (None, None) => return Err("it has no file".to_owned()),
    };
    let loaded = Module::load(&compiled, Limits::default());
    // Code of another build of the engine, of which the name does not tell.
    if let (Err(_), None, Some(path)) = (&loaded, file, cached) {
        let _ = fs::remove_file(path);
    }
    loaded.map_err(|it| chain(&it))
}

/// Whether a file is there that nobody else can have written.
fn is_ours(path: &Path) -> bool {
    let own = rustix::process::geteuid().as_raw();
    let is_own = |it: &fs::Metadata| it.uid() == own && it.mode() & 0o022 == 0;
    let folder = path.parent().and_then(|it| fs::symlink_metadata(it).ok());
    let file = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file);
    folder.is_some_and(|it| is_own(&it)) && file.is_some_and(|it| is_own(&it))
}

/// Keeps code for the next start, whole or not at all. Commands without a data folder make none.
fn keep(path: &Path, code: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    if !folder.parent().is_some_and(Path::is_dir) {
        return Ok(());
    }
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let new = path.with_extension(format!("{}.new", std::process::id()));
    let file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new);
    let kept = file.and_then(|mut file| {
        file.write_all(code)?;
        file.sync_all()?;
        fs::rename(&new, path)
    });
    if kept.is_err() {
        let _ = fs::remove_file(&new);
    }
    kept
}

/// An error with its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |it| it.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
