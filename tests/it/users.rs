//! Users of the system: a service user's data folder stays that user's, and root is given up.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;
use std::process::Stdio;

use rustix::process::{Signal, geteuid};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::harness::*;

/// The user `nobody`.
const SERVICE_USER: u32 = 65534;

/// Starts the service as this user and waits until it serves.
async fn serve_as(user: u32, folder: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--clear-groups"]);
    command.args([format!("--reuid={user}"), format!("--regid={user}")]);
    command.args(["--", env!("CARGO_BIN_EXE_croupier"), "serve", "--listen", "127.0.0.1:0"]);
    command.args(arguments).arg("--data").arg(folder);
    let log = fs::File::options().create(true).append(true).open(folder.with_extension("log"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log.expect("a file"));
    let mut child = command.kill_on_drop(true).spawn().expect("it runs");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let first = timeout(PATIENCE, lines.next_line()).await.expect("it starts in time");
    let first = first.expect("its output can be read").unwrap_or_else(|| {
        panic!("{}", fs::read_to_string(folder.with_extension("log")).unwrap_or_default())
    });
    assert!(first.contains("is serving on"), "{first:?}");
    // Its further output is not needed, but the pipe must stay open.
    tokio::spawn(async move { while lines.next_line().await.is_ok_and(|line| line.is_some()) {} });
    child
}

async fn stop(mut child: Child) {
    let process = rustix::process::Pid::from_raw(child.id().expect("it runs").cast_signed());
    rustix::process::kill_process(process.expect("a process"), Signal::TERM).expect("it runs");
    assert!(timeout(PATIENCE, child.wait()).await.expect("in time").expect("a child").success());
}

/// Every file of a folder that another user owns.
fn foreign(folder: &Path, user: u32) -> Vec<String> {
    let mut found = Vec::new();
    let metadata = fs::symlink_metadata(folder).expect("it is there");
    if metadata.uid() != user {
        found.push(folder.display().to_string());
    }
    if metadata.is_dir() {
        for entry in fs::read_dir(folder).expect("it can be read").flatten() {
            found.extend(foreign(&entry.path(), user));
        }
    }
    found
}

#[tokio::test]
async fn a_command_of_root_leaves_a_service_users_data_folder_usable() {
    if !geteuid().is_root() {
        return;
    }
    let above = new_folder();
    let folder = above.path().join("data");
    copy_cluster(&folder.join("postgres")).await;
    let mut own = std::process::Command::new("chown");
    own.arg("-R").arg(SERVICE_USER.to_string()).arg(&folder);
    assert!(own.status().expect("it runs").success());
    stop(serve_as(SERVICE_USER, &folder, &[]).await).await;
    assert_eq!(foreign(&folder, SERVICE_USER), [""; 0]);

    let mut export = Command::new(env!("CARGO_BIN_EXE_croupier"));
    export.args(["export", "--data"]).arg(&folder);
    let output = export.output().await.expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    stop(serve_as(0, &folder, &[]).await).await;
    assert_eq!(foreign(&folder, SERVICE_USER), [""; 0]);
    stop(serve_as(SERVICE_USER, &folder, &[]).await).await;

    // Also a folder that root begins.
    let folder = above.path().join("begun");
    fs::create_dir(&folder).expect("a folder");
    chown(&folder, Some(SERVICE_USER), Some(SERVICE_USER)).expect("root may");
    stop(serve_as(0, &folder, &[]).await).await;
    assert_eq!(foreign(&folder, SERVICE_USER), [""; 0]);
    stop(serve_as(SERVICE_USER, &folder, &[]).await).await;
}

/// The users of a process: real, effective, saved and of the file system.
fn users(process: u32) -> Vec<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:")).expect("it has users");
    line.split_whitespace().map(|user| user.parse().expect("a number")).collect()
}

#[tokio::test]
async fn a_service_gives_up_root_once_its_ports_are_open() {
    if !geteuid().is_root() {
        return;
    }
    let above = new_folder();
    let folder = above.path().join("data");
    let service = serve_as(0, &folder, &["--user", "nobody"]).await;
    assert_eq!(users(service.id().expect("it runs")), [SERVICE_USER; 4]);
    let postmaster = fs::read_to_string(folder.join("postgres/cluster/postmaster.pid"));
    let postmaster = postmaster.expect("it runs").lines().next().and_then(|it| it.parse().ok());
    assert_eq!(users(postmaster.expect("a process")), [SERVICE_USER; 4]);
    stop(service).await;
    assert_eq!(foreign(&folder, SERVICE_USER), [""; 0]);
    stop(serve_as(SERVICE_USER, &folder, &[]).await).await;
}
