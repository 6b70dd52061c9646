use super::{bless, folder, read, write};
use crate::GAMES;

#[test]
fn published_numbers_names_and_sights_never_change() {
    for game in GAMES {
        let path = folder(*game).join("layout.txt");
        let (frozen, current) = (read(&path).unwrap_or_default(), game.layout().to_string());
        extends(&frozen, &current).unwrap_or_else(|wrong| panic!("{}: {wrong}", path.display()));
        if frozen != current {
            assert!(
                bless(),
                "{} lacks what the layout of {} has: read every new line, above all who sees a place, then \
                 let CROUPIER_BLESS=1 write it",
                path.display(),
                game.name()
            );
            write(&path, &current);
        }
    }
}

/// Whether a layout has every line that was frozen. Old logs hold these numbers and were redacted
/// by these sights, so lines may be added and never changed or removed.
pub(crate) fn extends(frozen: &str, current: &str) -> Result<(), String> {
    match frozen.lines().find(|line| !current.lines().any(|it| it == *line)) {
        Some(line) => {
            Err(format!("the line {line:?} was changed or removed; lines may only be added"))
        }
        None => Ok(()),
    }
}

#[test]
fn lines_may_be_added_and_never_changed_or_removed() {
    let frozen = "place 0 deck: seen by nobody\nplace 1 hand/0: seen by seat 0\n";
    assert_eq!(extends(frozen, &format!("{frozen}place 65 hand/1: seen by seat 1\n")), Ok(()));
    assert!(extends(frozen, "place 0 deck: seen by nobody\n").is_err());
    assert!(extends(frozen, &frozen.replace("seat 0", "all")).is_err());
    assert!(extends(frozen, &frozen.replace("place 1", "place 2")).is_err());
}
