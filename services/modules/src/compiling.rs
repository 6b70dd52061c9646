//! Runs the compiler of modules: a program of its own, because it reads what a stranger wrote. It
//! limits itself (`compiler/src/main.rs`); here its time and its output are bounded, and it gets no
//! environment.

use std::{
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use table::contract::MODULE_BYTES_MAX;

use crate::trusted::Compiled;

/// The bytes of compiled code at most. That of the built-in games has three times the bytes of
/// their modules.
const CODE_BYTES_MAX: u64 = 64 << 20;

/// Of what the compiler says, so much is repeated.
const SENTENCE_BYTES_MAX: u64 = 2_000;

/// How often a running compiler is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The name of the program.
const PROGRAM: &str = "croupier-module-compiler";

/// The time that compiling a module may take. The program limits its own CPU time to the same.
const PATIENCE: Duration = Duration::from_secs(60);

/// The compiler as a program.
#[derive(Clone, Debug)]
pub struct Compiler {
    pub program: PathBuf,
    /// The time that a module may take.
    pub patience: Duration,
}

/// Why a module was not compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    #[error("a module has {MODULE_BYTES_MAX} bytes at most, not {0}")]
    TooLarge(usize),
    #[error("{0}")]
    Refused(String),
    #[error("compiling it takes longer than {0:?}")]
    TooLong(Duration),
    #[error("its compiled code has more than {CODE_BYTES_MAX} bytes")]
    CodeTooLarge,
    #[error(
        "{PROGRAM} is not installed beside this program, nor in `lib/croupier` or `modules` of the \
         folder above, where packages and `make modules` have it"
    )]
    NoCompiler,
    #[error("the compiler of modules cannot be run")]
    Run(#[from] std::io::Error),
}

impl Compiler {
    /// The given program, or the one beside the running program, or in `modules` or `lib/croupier`
    /// of the folder above.
    pub fn find(given: Option<&Path>) -> Result<Compiler, CompileError> {
        let found = |program: PathBuf| Compiler { program, patience: PATIENCE };
        if let Some(program) = given {
            return Ok(found(program.to_owned()));
        }
        let running = std::env::current_exe()?;
        let folder = running.parent().unwrap_or(Path::new("/"));
        let places = [".", "../modules", "../lib/croupier"].map(|it| folder.join(it).join(PROGRAM));
        places.into_iter().find(|it| it.is_file()).map(found).ok_or(CompileError::NoCompiler)
    }

    /// Compiles a module. Blocks until it is done.
    pub fn compile(&self, module: &[u8]) -> Result<Compiled, CompileError> {
        if module.len() > MODULE_BYTES_MAX {
            return Err(CompileError::TooLarge(module.len()));
        }
        let mut command = Command::new(&self.program);
        command.env_clear().current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let mut stdin = child.stdin.take().expect("it is piped");
        let stdout = child.stdout.take().expect("it is piped");
        let stderr = child.stderr.take().expect("it is piped");
        thread::scope(|scope| {
            // A compiler that ends early closes its end: what it says is the reason.
            scope.spawn(move || drop(stdin.write_all(module)));
            let code = scope.spawn(|| read(stdout, CODE_BYTES_MAX + 1));
            let said = scope.spawn(|| read(stderr, SENTENCE_BYTES_MAX));
            let begun = Instant::now();
            let ended = loop {
                match child.try_wait()? {
                    Some(status) => break Some(status),
                    None if begun.elapsed() > self.patience => {
                        child.kill()?;
                        child.wait()?;
                        break None;
                    }
                    None => thread::sleep(LOOK_EVERY),
                }
            };
            let status = ended.ok_or(CompileError::TooLong(self.patience))?;
            let code = code.join().expect("it does not panic");
            let said = said.join().expect("it does not panic");
            match status.success() {
                true if code.len() as u64 > CODE_BYTES_MAX => Err(CompileError::CodeTooLarge),
                true => Ok(Compiled::trust(code)),
                false => {
                    let said = String::from_utf8_lossy(&said).trim().to_owned();
                    let ended = || format!("compiling it ended with {status}");
                    Err(CompileError::Refused(if said.is_empty() { ended() } else { said }))
                }
            }
        })
    }
}

/// All bytes, of which only so many are kept: the writer is never blocked.
fn read(mut from: impl Read, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    drop((&mut from).take(most).read_to_end(&mut bytes));
    drop(std::io::copy(&mut from, &mut std::io::sink()));
    bytes
}
