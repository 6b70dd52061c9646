//! The files of a folder, read once.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use bytes::Bytes;
use rust_embed::RustEmbed;

/// The pages that were built into this program. A development build reads them when it starts.
#[derive(RustEmbed)]
#[folder = "../../clients/web/dist"]
#[allow_missing = true]
struct Embedded;

/// Files, by their paths below the folder, such as `docs/index.html`.
#[derive(Clone, Debug, Default)]
pub struct Pages(pub(crate) Arc<BTreeMap<String, Bytes>>);

impl Pages {
    /// The pages built into this program; empty if it was built without them.
    pub fn embedded() -> Pages {
        let files = Embedded::iter().filter_map(|path| {
            let bytes = Bytes::from(Embedded::get(&path)?.data.into_owned());
            Some((path.into_owned(), bytes))
        });
        Pages(Arc::new(files.collect()))
    }

    /// The files of a folder and its subfolders.
    pub fn of_folder(folder: &Path) -> io::Result<Pages> {
        let mut files = BTreeMap::new();
        read(folder, "", &mut files)?;
        Ok(Pages(Arc::new(files)))
    }
}

/// Adds the files of a folder and its subfolders. `path` is the prefix of their paths: empty, or
/// ending with a slash.
fn read(folder: &Path, path: &str, files: &mut BTreeMap<String, Bytes>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{path}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            read(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.insert(path, fs::read(entry.path())?.into());
        }
    }
    Ok(())
}
