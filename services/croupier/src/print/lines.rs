//! Lines of the output, without control characters, and how they are wrapped and aligned.

use std::io::{self, Write};

use indicatif::HumanCount;
use prost::Message;

/// The maximum width of a line of prose in columns, and the width if the output is not a terminal.
const WIDTH_MAX: usize = 100;
/// The minimum width of a line of prose in columns, even on a narrower terminal.
const WIDTH_MIN: usize = 40;

/// The width of a line of prose in columns.
pub fn width() -> usize {
    let terminal = rustix::termios::tcgetwinsize(io::stdout());
    let columns = terminal.map_or(0, |size| usize::from(size.ws_col));
    if columns == 0 { WIDTH_MAX } else { columns.clamp(WIDTH_MIN, WIDTH_MAX) }
}

/// Writes one or more lines. Fails with `BrokenPipe` once the reader has closed the output.
pub fn line(text: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{}", printable(text))
}

/// The text without control characters, which could control the terminal: platforms choose the
/// names of players freely.
pub fn printable(text: &str) -> String {
    text.replace(|it: char| it.is_control() && it != '\n', "\u{fffd}")
}

/// A number and what it counts, such as `1 match` or `1,200 matches`.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", HumanCount(number), if number == 1 { one } else { many })
}

/// The contents of a file or an archive, such as `2 matches, 131 entries`.
pub fn matches_and_entries(matches: u64, entries: u64) -> String {
    format!("{}, {}", count(matches, "match", "matches"), count(entries, "entry", "entries"))
}

/// Writes bytes for programs.
pub fn raw(bytes: &[u8]) -> io::Result<()> {
    io::stdout().write_all(bytes)
}

/// Writes a message as a line of JSON, byte for byte as the REST interface does: fields that are
/// zero or empty are included. `name` is the name of the message in `croupier.v1`.
pub fn json<M: Message>(name: &str, message: &M) -> io::Result<()> {
    line(&contract::json_of(name, message))
}

/// Wraps prose: the first line follows `head`, and the others are indented by its width. Line
/// breaks of the text are kept.
pub fn wrap(head: &str, text: &str) -> String {
    wrap_to(width(), head, text)
}

/// Wraps lines of two columns, separated by two or more spaces: text that does not fit continues in
/// the second column.
pub fn columns(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let name = line.len() - line.trim_start().len();
        let end = line[name..].find("  ").map_or(0, |end| name + end);
        let start = end + (line.len() - end - line[end..].trim_start().len());
        match (name, end) {
            (0, _) | (_, 0) => wrap("", line),
            _ => wrap(&line[..start], &line[start..]),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn wrap_to(columns: usize, head: &str, text: &str) -> String {
    let indent = head.chars().count();
    let mut lines = String::from(head);
    let mut column = indent;
    for (n, line) in text.split('\n').enumerate() {
        if n > 0 {
            column = begin_line(&mut lines, indent);
        }
        for word in line.split(' ') {
            let width = word.chars().count();
            if column > indent && column + 1 + width > columns {
                column = begin_line(&mut lines, indent);
            } else if column > indent {
                lines.push(' ');
                column += 1;
            }
            lines.push_str(word);
            column += width;
        }
    }
    lines
}

/// The column at which the new line begins.
fn begin_line(lines: &mut String, indent: usize) -> usize {
    lines.push('\n');
    lines.extend(std::iter::repeat_n(' ', indent));
    indent
}

/// Aligns rows in columns as wide as their widest cell, two spaces apart.
pub fn table(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let align = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(align).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_prose_is_indented_after_the_first_line() {
        let text = ["twelve chars"; 10].join(" ");
        let lines = wrap_to(WIDTH_MAX, "  1  ", &text);
        let lines: Vec<_> = lines.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("  1  twelve"));
        assert!(lines[1].starts_with("     "));
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH_MAX));
    }

    #[test]
    fn the_second_column_continues_below_itself() {
        let hand = ["twelve chars,"; 10].join(" ");
        let text = format!("You, seat 0\n  Winnings  3 tokens\n  Hand      {hand}");
        let lines = columns(&text);
        let lines: Vec<_> = lines.lines().collect();
        assert_eq!(lines[..2], ["You, seat 0", "  Winnings  3 tokens"]);
        assert!(lines[2].starts_with("  Hand      twelve"));
        assert!(
            lines[3].starts_with("            twelve") || lines[3].starts_with("            chars")
        );
    }

    #[test]
    fn lines_of_the_text_stay_lines() {
        assert_eq!(
            wrap_to(20, "- ", "one two three four five\nsix"),
            "- one two three four\n  five\n  six"
        );
    }

    #[test]
    fn control_characters_in_names_do_not_reach_the_terminal() {
        assert_eq!(printable("ada\x1b[2J\nbruno"), "ada\u{fffd}[2J\nbruno");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let row = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        assert_eq!(table(&[row("NAME", "GAME"), row("m", "g")]), ["NAME  GAME", "m     g"]);
    }
}
