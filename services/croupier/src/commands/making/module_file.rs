//! The file of a module, compiled and loaded.

use std::fs;
use std::path::{Path, PathBuf};

use games::Game;
use modules::compiling::{CompileError, Compiler};
use modules::{Limits, Module};
use store::module_hash;
use table::contract::MODULE_BYTES_MAX;

use crate::failure::Failure;

/// A module in a file.
#[derive(clap::Args)]
pub struct ModuleFile {
    /// The module, a file of WebAssembly
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// The program that compiles modules [default: beside this program, or in `modules` or
    /// `lib/croupier` of the folder above]
    #[arg(long, value_name = "PATH", env = "CROUPIER_MODULE_COMPILER")]
    compiler: Option<PathBuf>,
}

impl ModuleFile {
    pub fn load(&self) -> Result<Module, Failure> {
        load(&self.path, self.compiler.as_deref())
    }
}

/// A module for one caller at a time.
pub fn load(path: &Path, compiler: Option<&Path>) -> Result<Module, Failure> {
    let compiled = Compiler::find(compiler)?.compile(&read(path)?)?;
    Ok(Module::load(&compiled, Limits { instances: 1, ..Limits::default() })?)
}

/// The bytes of a module. A stranger's file may be of any size.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |source| Failure::Path { path: path.to_owned(), source };
    let bytes = fs::metadata(path).map_err(failed)?.len();
    if bytes > MODULE_BYTES_MAX as u64 {
        return Err(CompileError::TooLarge(bytes as usize).into());
    }
    fs::read(path).map_err(failed)
}

/// A module that this program knows the rules of.
pub struct Installed {
    pub file: Vec<u8>,
    pub hash: String,
    pub game: &'static str,
    pub rules: u32,
}

/// Lets this program know the rules of a module, or of those in a folder that `croupier export
/// --modules` wrote: for matches that name a module by its hash, and for matches of a game that is
/// compiled in which this version of its rules decided.
pub fn install(path: &Path, compiler: Option<&Path>) -> Result<Vec<Installed>, Failure> {
    if !path.is_dir() {
        return Ok(vec![install_one(read(path)?, compiler)?]);
    }
    let failed = |source| Failure::Path { path: path.to_owned(), source };
    let mut installed = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        let Some(hash) = hash_in(&file) else { continue };
        let bytes = read(&file)?;
        if module_hash(&bytes) != hash {
            return Err(Failure::Negative(format!(
                "{} was altered: it is not the module of this hash",
                file.display()
            )));
        }
        installed.push(install_one(bytes, compiler)?);
    }
    Ok(installed)
}

/// The hash by which a file is named, as [`in_folder`] does.
fn hash_in(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.strip_suffix(".wasm")?;
    let is_hash = name.len() == 64 && name.bytes().all(|it| it.is_ascii_hexdigit());
    is_hash.then(|| name.to_owned())
}

/// Where a module is in a folder of modules.
pub fn in_folder(folder: &Path, hash: &str) -> PathBuf {
    folder.join(format!("{hash}.wasm"))
}

fn install_one(file: Vec<u8>, compiler: Option<&Path>) -> Result<Installed, Failure> {
    let compiled = Compiler::find(compiler)?.compile(&file)?;
    let module = Module::load(&compiled, Limits::default())?;
    let hash = module_hash(&file);
    let (game, rules) = (module.name(), module.rules_version());
    games::keep(game, rules, &hash);
    games::install(&hash, Box::leak(Box::new(module)));
    Ok(Installed { file, hash, game, rules })
}
