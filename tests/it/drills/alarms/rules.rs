//! The rules of `deploy/alerts.yml`, an hour of which passes in a minute.

use std::collections::BTreeSet;

pub const RULES: &str = include_str!("../../../../deploy/alerts.yml");

/// How many times as fast a drill goes.
const TIMES: u64 = 60;

/// Units of durations in milliseconds; `ms` before `m`.
const UNITS: [(&str, u64); 6] = [
    ("ms", 1),
    ("s", 1_000),
    ("m", 60_000),
    ("h", 3_600_000),
    ("d", 86_400_000),
    ("w", 604_800_000),
];

/// The names of the alerts.
pub fn alerts(rules: &str) -> BTreeSet<&str> {
    rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect()
}

/// The same rules with shorter durations: of ranges, offsets, predictions, and `for`. Limits stay
/// as they are.
pub fn hastened(rules: &str) -> String {
    let hasten = |line: &str| match line.trim_start() {
        prose if prose.starts_with('#') || prose.starts_with("summary:") => line.to_owned(),
        _ => predicting_less(&with_durations(line)),
    };
    rules.lines().map(|line| hasten(line) + "\n").collect()
}

/// A line with shorter durations such as `5m`.
fn with_durations(line: &str) -> String {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let pieces = line.split_inclusive(|c| !is_of_word(c));
    let shorter = |piece: &str| {
        let (word, rest) = piece.split_at(piece.trim_end_matches(|c| !is_of_word(c)).len());
        match milliseconds(word) {
            Some(duration) => format!("{}ms{rest}", duration / TIMES),
            None => piece.to_owned(),
        }
    };
    pieces.map(shorter).collect()
}

/// A line whose predictions look less far ahead: by seconds, the second argument.
fn predicting_less(line: &str) -> String {
    let Some((before, call)) = line.split_once("predict_linear(") else { return line.to_owned() };
    let (range, rest) = call.split_once("], ").expect("its first argument is a range");
    let (seconds, rest) = rest.split_once(')').expect("it has two arguments");
    let rest = predicting_less(rest);
    format!("{before}predict_linear({range}], {seconds} / {TIMES}){rest}")
}

/// A duration as Prometheus writes it, such as `1h30m`; `None` if the word is none.
fn milliseconds(word: &str) -> Option<u64> {
    let (mut rest, mut sum) = (word, 0);
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
        let (unit, milliseconds) = UNITS.iter().find(|(unit, _)| after.starts_with(unit))?;
        sum += number.parse::<u64>().ok()? * milliseconds;
        rest = &after[unit.len()..];
    }
    (sum > 0).then_some(sum)
}

#[test]
fn durations_are_shorter_and_limits_stay() {
    for (rule, expected) in [
        ("        for: 10m", "        for: 10000ms"),
        ("        for: 1h30m", "        for: 90000ms"),
        ("rate(a_total[5m]) > 10", "rate(a_total[5000ms]) > 10"),
        ("expr: a > 60", "expr: a > 60"),
        ("max by (job) (a offset 1h)", "max by (job) (a offset 60000ms)"),
        ("b{le=\"0.5\"} < 0.05 * a_5m", "b{le=\"0.5\"} < 0.05 * a_5m"),
        ("predict_linear(a[6h], 24 * 3600) < 0", "predict_linear(a[360000ms], 24 * 3600 / 60) < 0"),
        ("  # Within 10m", "  # Within 10m"),
        ("  summary: \"for 30m\"", "  summary: \"for 30m\""),
    ] {
        assert_eq!(hastened(rule), format!("{expected}\n"));
    }
    let hastened = hastened(RULES);
    assert_eq!(alerts(&hastened), alerts(RULES));
    assert!(alerts(RULES).len() > 20);
    for left in ["m]", "h]", "for: 1h\n", "offset 1h"] {
        let is_left = hastened.replace("ms]", "]").contains(left);
        assert!(!is_left, "{left}");
    }
}
