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
        let module = read(&self.path)?;
        let compiled = Compiler::find(self.compiler.as_deref())?.compile(&module)?;
        Ok(Module::load(&compiled, Limits { instances: 1, ..Limits::default() })?)
    }
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

/// Lets this program know the rules of a module, for matches that name it by its hash, and for
/// matches of a game that is compiled in which this version of its rules decided.
pub fn install(path: &Path, compiler: Option<&Path>) -> Result<(), Failure> {
    let file = read(path)?;
    let compiled = Compiler::find(compiler)?.compile(&file)?;
    let module = Module::load(&compiled, Limits::default())?;
    let hash = module_hash(&file);
    games::keep(module.name(), module.rules_version(), &hash);
    games::install(&hash, Box::leak(Box::new(module)));
    Ok(())
}
