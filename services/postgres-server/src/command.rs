//! Starting the programs of Postgres.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::error::{Error, failed};
use crate::user::User;

/// A program that the kernel stops when the thread that starts it ends. It has a process group of
/// its own, so that Ctrl-C in a terminal reaches only the application, and runs as `user` if there
/// is one.
pub(crate) fn command(program: &Path, user: Option<&User>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "QUIT", "--"]).arg(program);
    command.process_group(0).current_dir("/").env("LC_ALL", "C");
    if let Some(user) = user {
        command.gid(user.gid).uid(user.uid);
    }
    command
}

/// The error of a [`command`] that could not be started.
pub(crate) fn unstarted(program: &Path) -> impl Fn(io::Error) -> Error {
    move |source| match source.kind() {
        io::ErrorKind::NotFound => Error::NoSetpriv,
        _ => failed("run", program)(source),
    }
}
