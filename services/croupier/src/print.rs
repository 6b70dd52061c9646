//! Writing for people and for programs: every line to standard output goes through here.

use std::io::{self, Write};

use prost::Message;

/// Columns after which prose is broken.
const WIDTH: usize = 100;

/// Writes a line, or several. Fails with `BrokenPipe` once nobody reads any more.
pub fn line(text: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{}", harmless(text))
}

/// Without what would command a terminal: the names of players are whatever a platform says.
fn harmless(text: &str) -> String {
    text.replace(|it: char| it.is_control() && it != '\n', "\u{fffd}")
}

/// Writes a message as a line of JSON, byte for byte as the REST interface does: fields that are
/// zero or empty are written too. `name` is the message's, within `croupier.v1`.
pub fn json<M: Message>(name: &str, message: &M) -> io::Result<()> {
    line(&api::json_of(name, message))
}

/// Breaks prose into lines, the first after `head`, the others under its end.
pub fn wrap(head: &str, text: &str) -> String {
    let indent = head.chars().count();
    let mut lines = String::from(head);
    let mut column = indent;
    for word in text.split(' ') {
        let width = word.chars().count();
        if column > indent && column + 1 + width > WIDTH {
            lines.push('\n');
            lines.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if column > indent {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += width;
    }
    lines
}

/// Lays rows out in columns as wide as their widest cell, two blanks apart.
pub fn table(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let lay = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(lay).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_prose_continues_under_its_beginning() {
        let text = ["twelve chars"; 10].join(" ");
        let lines = wrap("  1  ", &text);
        let lines: Vec<_> = lines.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("  1  twelve"));
        assert!(lines[1].starts_with("     "));
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH));
    }

    #[test]
    fn nobody_s_name_commands_the_terminal() {
        assert_eq!(harmless("ada\x1b[2J\nbruno"), "ada\u{fffd}[2J\nbruno");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let row = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        assert_eq!(table(&[row("NAME", "GAME"), row("m", "g")]), ["NAME  GAME", "m     g"]);
    }
}
