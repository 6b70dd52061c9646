//! Display names: the names that texts show for the players of a match.

use rows::{SeatedPlayer, look_alike};
use table::Text;

use crate::error::Error;

/// The maximum length: enough for a name in any script, bounded because texts repeat names often.
const CHARS_MAX: usize = 64;

/// The display name in a field of a request; `None` if the field is empty.
pub(crate) fn parse(field: &'static str, name: &str) -> Result<Option<String>, Error> {
    if name.is_empty() {
        return Ok(None);
    }
    let is_line = !name.contains(['\n', '\r', '\t']);
    if is_line && name.chars().count() <= CHARS_MAX && Text::of(name).is_ok() {
        return Ok(Some(name.to_owned()));
    }
    let message = format!(
        "a display name is a line of plain text of 1 to {CHARS_MAX} characters that shows something: \
         it has no line breaks, tabs, control characters or invisible ones"
    );
    Err(Error::invalid(field, message))
}

/// The field of a request that creates a match.
const FIELD: &str = "display_names";

/// The display names of a new match with these players, by seat.
pub(crate) fn parse_all(
    names: &[String],
    players: &[Option<String>],
) -> Result<Vec<Option<String>>, Error> {
    let invalid = |seat, rule: String| Err(Error::invalid(FIELD, rule).at(seat));
    let mut parsed: Vec<Option<String>> = Vec::new();
    for (seat, name) in names.iter().enumerate() {
        let name = parse(FIELD, name).map_err(|error| error.at(seat))?;
        if name.is_some() && !matches!(players.get(seat), Some(Some(_))) {
            return invalid(seat, format!("seat {seat} has a display name but nobody who has it"));
        }
        parsed.push(name);
    }
    parsed.resize(players.len(), None);
    let seated = players.iter().zip(&parsed).enumerate();
    let seated: Vec<_> = seated
        .filter_map(|(seat, (player, name))| Some((seat, (player.as_deref()?, name.as_deref()))))
        .collect();
    for (nth, &(seat, one)) in seated.iter().enumerate() {
        if let Some((other, _)) = seated[..nth].iter().find(|(_, other)| look_alike(one, *other)) {
            let rule = format!(
                "seats {other} and {seat} would show the same name, or one the other's player id"
            );
            return invalid(seat, rule);
        }
    }
    Ok(parsed)
}

/// The refusal of display names without players.
pub(crate) fn without_players() -> Error {
    let message = "display names are given in the order of `players`: give the players, too";
    Error::invalid(FIELD, message)
}

/// The display names that these players had in the match before, in the order of `players`.
pub(crate) fn taken_over(before: &[Option<SeatedPlayer>], players: &[String]) -> Vec<String> {
    let name_of = |player: &String| {
        let seated = before.iter().flatten().find(|it| it.player == *player);
        seated.and_then(|it| it.display_name.clone()).unwrap_or_default()
    };
    players.iter().map(name_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&it| it.to_owned()).collect()
    }

    #[test]
    fn a_display_name_is_a_line_of_plain_text() {
        let parse = |name: &str| parse("display_name", name);
        for name in
            ["A", "Zo\u{eb} \u{1f40d}", "\u{5f20}\u{4f1f}", "O'Neil <b>&amp;", &"\u{fc}".repeat(64)]
        {
            assert_eq!(parse(name).expect("it is plain").as_deref(), Some(name));
        }
        assert_eq!(parse("").expect("no name is given"), None);
        let long = "a".repeat(65);
        for name in [
            " ",
            "a\nb",
            "a\tb",
            "a\rb",
            "\u{7}",
            "a\u{202e}b",
            "\u{200b}",
            "\u{2028}",
            "\u{3164}",
            &long,
        ] {
            assert!(
                matches!(parse(name), Err(Error::Invalid { field: "display_name", .. })),
                "{name:?}"
            );
        }
    }

    #[test]
    fn players_who_look_alike_are_refused() {
        let players = [Some("u1".to_owned()), None, Some("u2".to_owned())];
        let parse = |names: &[&str]| parse_all(&texts(names), &players).ok();
        let (ann, bob) = (Some("Ann".to_owned()), Some("Bob".to_owned()));
        assert_eq!(parse(&[]), Some(vec![None; 3]));
        assert_eq!(parse(&["Ann"]), Some(vec![ann.clone(), None, None]));
        assert_eq!(parse(&["Ann", "", "Bob"]), Some(vec![ann, None, bob]));
        assert_eq!(parse(&["u1"]), Some(vec![Some("u1".to_owned()), None, None]), "its own id");
        assert_eq!(parse(&["Ann", "", "ANN"]), None, "the same name");
        assert_eq!(parse(&["U2"]), None, "the id of another");
        assert_eq!(parse(&["", "Bob"]), None, "an open seat");
        assert_eq!(parse(&["", "", "", "Bob"]), None, "no seat");
        assert_eq!(parse(&["Ann\n"]), None, "a line break");
    }
}
