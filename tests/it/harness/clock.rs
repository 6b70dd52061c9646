//! Clocks that are wrong.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A clock of libfaketime, the Debian package `faketime`, that a test sets for its processes.
pub struct FakeClock {
    library: PathBuf,
    file: PathBuf,
    /// Whether it also moves the monotonic clock.
    pub suspends: bool,
}

impl FakeClock {
    /// A clock that shows the right time; `None` where libfaketime is not installed.
    pub fn right(folder: &Path, name: &str) -> Option<FakeClock> {
        let libraries = fs::read_dir("/usr/lib").ok()?.filter_map(Result::ok);
        let libraries = libraries.map(|it| it.path().join("faketime/libfaketimeMT.so.1"));
        let library = libraries.into_iter().find(|it| it.exists())?;
        let clock = FakeClock { library, file: folder.join(name), suspends: false };
        clock.set("+0");
        Some(clock)
    }

    /// Sets it, as libfaketime writes offsets: `+60`, `-1h`, or `+0 x1.1` for one that is fast.
    pub fn set(&self, offset: &str) {
        let new = self.file.with_extension("new");
        fs::write(&new, format!("{offset}\n")).expect("a file");
        fs::set_permissions(&new, fs::Permissions::from_mode(0o644)).expect("it is readable");
        fs::rename(new, &self.file).expect("it is replaced whole");
    }

    /// The variables of a process that has this clock.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let path = |it: &Path| it.to_str().expect("a plain path").to_owned();
        let monotonic = if self.suspends { "0" } else { "1" };
        vec![
            ("LD_PRELOAD", path(&self.library)),
            ("FAKETIME_TIMESTAMP_FILE", path(&self.file)),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", monotonic.to_owned()),
            ("DONT_FAKE_MONOTONIC", monotonic.to_owned()),
        ]
    }
}
