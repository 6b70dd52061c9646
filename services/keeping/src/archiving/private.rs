//! The modes of an archive in a folder. Its objects contain hidden information, so only its owner
//! may read them, whatever the umask says.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown};
use std::path::Path;

const FOLDER: u32 = 0o700;
const FILE: u32 = 0o600;

/// Creates the folder of an archive, and those above it, unless it exists. `like` is a folder of
/// the service: an archive that root creates belongs to the same user, who could not read it
/// otherwise.
pub fn make_folder(path: &Path, like: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(FOLDER).create(path)?;
    own(path, like)
}

/// Creates the folders of an object in the archive.
pub(crate) fn make_parent(archive: &Path, object: &Path) -> io::Result<()> {
    let Some(parent) = object.parent().filter(|it| *it != archive) else { return Ok(()) };
    make_parent(archive, parent)?;
    match DirBuilder::new().mode(FOLDER).create(parent) {
        Ok(()) => own(parent, archive),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Lets nobody else read an object.
pub(crate) fn make_private(archive: &Path, object: &Path) -> io::Result<()> {
    fs::set_permissions(object, Permissions::from_mode(FILE))?;
    own(object, archive)
}

/// Closes the folders of an installation that others may enter, and the files in them. Returns how
/// many were open. A folder is closed last, so an interrupted run is continued; but the one above
/// all of them is closed first, since it protects them.
pub(crate) fn mend(archive: &Path, installation: &Path) -> io::Result<u64> {
    let mut open = 0;
    let folders = match fs::read_dir(installation) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    open += close(archive, installation, FOLDER)?;
    for entry in folders {
        let path = entry?.path();
        if !path.is_dir() {
            open += close(archive, &path, FILE)?;
        } else if is_open(&path)? {
            for file in fs::read_dir(&path)? {
                open += close(archive, &file?.path(), FILE)?;
            }
            open += close(archive, &path, FOLDER)?;
        }
    }
    Ok(open)
}

fn close(archive: &Path, path: &Path, mode: u32) -> io::Result<u64> {
    if !is_open(path)? {
        return Ok(0);
    }
    fs::set_permissions(path, Permissions::from_mode(mode))?;
    own(path, archive)?;
    Ok(1)
}

fn is_open(path: &Path) -> io::Result<bool> {
    Ok(fs::metadata(path)?.mode() & 0o077 != 0)
}

/// Gives a file of root to the owner of a folder.
fn own(path: &Path, like: &Path) -> io::Result<()> {
    let (owner, found) = (fs::metadata(like)?, fs::metadata(path)?);
    if found.uid() == owner.uid() || found.uid() != 0 {
        return Ok(());
    }
    chown(path, Some(owner.uid()), Some(owner.gid()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modes(folder: &Path) -> Vec<u32> {
        let mut found = vec![fs::metadata(folder).unwrap().mode() & 0o777];
        if folder.is_dir() {
            let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap()).collect();
            entries.sort_by_key(fs::DirEntry::path);
            entries.iter().for_each(|it| found.extend(modes(&it.path())));
        }
        found
    }

    #[test]
    fn what_others_could_read_is_closed_once() {
        let archive = tempfile::tempdir().unwrap();
        let installation = archive.path().join("installation");
        let object = installation.join("07/object");
        make_parent(archive.path(), &object).unwrap();
        fs::write(&object, "").unwrap();
        make_private(archive.path(), &object).unwrap();
        assert_eq!(modes(&installation), [0o700, 0o700, 0o600]);
        assert_eq!(mend(archive.path(), &installation).unwrap(), 0);

        // As a release wrote them that left the modes to the umask.
        let earlier = installation.join("08");
        fs::create_dir(&earlier).unwrap();
        for file in [earlier.join("object"), installation.join("archive")] {
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        }
        for folder in [&earlier, &installation] {
            fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
        }
        assert_eq!(mend(archive.path(), &installation).unwrap(), 4);
        assert_eq!(modes(&installation), [0o700, 0o700, 0o600, 0o700, 0o600, 0o600]);
        assert_eq!(mend(archive.path(), &installation).unwrap(), 0);
        assert_eq!(mend(archive.path(), &archive.path().join("nowhere")).unwrap(), 0);
    }
}
