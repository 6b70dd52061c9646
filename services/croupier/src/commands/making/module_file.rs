//! The file of a module, compiled and loaded.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use modules::compiling::Compiler;
use modules::{Limits, Module};
use table::contract::MODULE_BYTES_MAX;

use crate::failure::Failure;

/// The program that compiles modules.
const COMPILER: &str = "croupier-module-compiler";

/// The time that compiling a module may take. The program limits its own CPU time to the same.
const PATIENCE: Duration = Duration::from_secs(60);

/// A module in a file.
#[derive(clap::Args)]
pub struct ModuleFile {
    /// The module, a file of WebAssembly
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// The program that compiles modules [default: beside this program, or in `modules` of the
    /// folder above]
    #[arg(long, value_name = "PATH", env = "CROUPIER_MODULE_COMPILER")]
    compiler: Option<PathBuf>,
}

impl ModuleFile {
    pub fn load(&self) -> Result<Module, Failure> {
        let failed = |source| Failure::Path { path: self.path.clone(), source };
        // A stranger's file may be of any size.
        let bytes = fs::metadata(&self.path).map_err(failed)?.len();
        if bytes > MODULE_BYTES_MAX as u64 {
            return Err(Failure::Module(modules::compiling::CompileError::TooLarge(
                bytes as usize,
            )));
        }
        let module = fs::read(&self.path).map_err(failed)?;
        let compiler = Compiler { program: self.compiler()?, patience: PATIENCE };
        let compiled = compiler.compile(&module)?;
        Ok(Module::load(&compiled, Limits { instances: 1, ..Limits::default() })?)
    }

    fn compiler(&self) -> Result<PathBuf, Failure> {
        if let Some(program) = &self.compiler {
            return Ok(program.clone());
        }
        let failed = |source| Failure::Path { path: COMPILER.into(), source };
        let program = std::env::current_exe().map_err(failed)?;
        let folder = program.parent().unwrap_or(Path::new("/"));
        let places = [folder.join(COMPILER), folder.join("../modules").join(COMPILER)];
        places.into_iter().find(|it| it.is_file()).ok_or_else(|| {
            Failure::Usage(format!(
                "{COMPILER} is not beside this program; `make modules` makes it in \
                 target/modules: name it with --compiler"
            ))
        })
    }
}
