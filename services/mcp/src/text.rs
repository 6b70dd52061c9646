//! Texts of limited size.

/// The most bytes of an answer. A token of a model is three bytes or more of such texts, so an
/// answer has at most 2,000 tokens.
pub const ANSWER_BYTES_MAX: usize = 6_000;

/// The part of a text up to a limit in bytes, by whole lines where it has any, and how it was cut.
pub fn fit(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let note = |left_out: usize| format!("\n[cut: {left_out} of {} bytes left out]", text.len());
    let room = bytes_max.saturating_sub(note(text.len()).len());
    let end = (0..=room.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let end = text[..end].rfind('\n').filter(|it| *it > 0).unwrap_or(end);
    format!("{}{}", &text[..end], note(text.len() - end))
}

/// How many of these lines, from the first on, fit into so many bytes with their line feeds.
pub fn fitting<'a>(lines: impl IntoIterator<Item = &'a String>, bytes_max: usize) -> usize {
    let mut bytes = 0;
    let fits = |line: &&String| {
        bytes += line.len() + 1;
        bytes <= bytes_max
    };
    lines.into_iter().take_while(fits).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_a_line_and_says_so() {
        assert_eq!(fit("short", 5), "short");
        let long = "a line of words\n".repeat(100);
        for bytes_max in [60, 300, 1_000] {
            let cut = fit(&long, bytes_max);
            assert!(cut.len() <= bytes_max, "{} > {bytes_max}", cut.len());
            let (kept, note) = cut.split_once("\n[cut: ").expect("it says so");
            assert!(kept.ends_with("words") && note.ends_with("left out]"), "{cut}");
        }
        let symbols = fit(&"♠".repeat(1_000), 500);
        assert!(symbols.len() <= 500 && symbols.starts_with('♠'), "{symbols}");
    }

    #[test]
    fn lines_fit_with_their_line_feeds() {
        let lines = ["one".to_owned(), "two".to_owned(), "three".to_owned()];
        assert_eq!([0, 4, 8, 13, 14].map(|bytes| fitting(&lines, bytes)), [0, 1, 2, 2, 3]);
    }
}
