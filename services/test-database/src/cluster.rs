//! Clusters that are created once for all tests of a build.

use std::env;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use postgres_server::{Options, Postgres};
use tempfile::TempDir;

/// Copies an empty cluster to where a Postgres on `data` expects it.
pub async fn copy_cluster(data: &Path) {
    copy_prepared("empty-cluster", data, async |_| ()).await;
}

/// Copies the cluster of this name, which is created and prepared when the first test needs it:
/// that takes seconds.
pub async fn copy_prepared(name: &str, data: &Path, prepare: impl AsyncFnOnce(&Postgres)) {
    let made = shared_folder().join(name);
    let lock = File::create(made.with_extension("lock")).expect("a lock");
    lock.lock().expect("the lock");
    if !made.exists() {
        let folder = open_folder(&shared_folder());
        let postgres = Postgres::start(folder.path(), Options::new("croupier")).await;
        let postgres = postgres.unwrap_or_else(|error| panic!("{error}"));
        prepare(&postgres).await;
        postgres.stop().await;
        fs::rename(folder.path().join("cluster"), &made).expect("it is moved whole");
    }
    drop(lock);
    fs::create_dir_all(data).expect("a folder");
    let copy = Command::new("cp")
        .args(["--archive", "--reflink=auto"])
        .args([&made, &data.join("cluster")])
        .status();
    assert!(copy.expect("cp runs").success());
}

/// A folder for one test, removed at its end. Every user may traverse it, as a Postgres that root
/// starts requires.
pub fn new_folder() -> TempDir {
    open_folder(&env::temp_dir())
}

fn open_folder(parent: &Path) -> TempDir {
    let mut folder = tempfile::Builder::new();
    folder.prefix("test-").permissions(Permissions::from_mode(0o755));
    folder.tempdir_in(parent).expect("a folder")
}

/// Beside the tests' programs, in the folder that Cargo has for files of tests.
fn shared_folder() -> PathBuf {
    let program = env::current_exe().expect("a test has a program");
    let target = program.ancestors().nth(3).expect("a folder of the build");
    let folder = target.join("tmp");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}
