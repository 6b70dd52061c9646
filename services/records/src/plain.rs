//! The JSON of a record's lines: stricter than JSON, so that no two parsers read one differently.

use crate::code::{Code, Problem, ensure};

/// How deep objects and lists nest at most.
const DEPTH_MAX: usize = 32;

/// The largest number: programs that keep numbers as 64-bit floats know each up to it.
const NUMBER_MAX: u64 = (1 << 53) - 1;

/// Refuses white space between tokens, names that an object has twice, texts with half a surrogate
/// pair, numbers that are not whole or are too large, and deep nesting. What is not JSON at all is
/// left to the parser.
pub(crate) fn check_plain(text: &str) -> Result<(), Problem> {
    let invalid = |reason: &str| Code::LineInvalid.because(reason);
    let bytes = text.as_bytes();
    // The names that each open object has so far; `None` for a list.
    let mut open: Vec<Option<Vec<String>>> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => return Err(invalid("it has white space")),
            b'{' | b'[' => {
                ensure(open.len() < DEPTH_MAX, Code::LineInvalid, || {
                    format!("it nests deeper than {DEPTH_MAX} levels")
                })?;
                open.push((byte == b'{').then(Vec::new));
                at += 1;
            }
            b'}' | b']' => {
                if let Some(Some(names)) = open.pop() {
                    check_names(names)?;
                }
                at += 1;
            }
            b'"' => {
                let end = text_end(bytes, at).ok_or_else(|| invalid("it is not JSON"))?;
                let token = &text[at..end];
                let is_name = bytes.get(end) == Some(&b':');
                // The parser does not look into the texts of fields that it skips.
                if is_name || token.contains('\\') {
                    let read = serde_json::from_str(token);
                    let read = read.map_err(|_| invalid("it has a text that is not Unicode"))?;
                    if let Some(Some(names)) = open.last_mut().filter(|_| is_name) {
                        names.push(read);
                    }
                }
                at = end;
            }
            b'-' | b'0'..=b'9' => {
                let length = bytes[at..].iter().take_while(|it| is_of_number(**it)).count();
                check_number(&text[at..at + length])?;
                at += length;
            }
            _ => at += 1,
        }
    }
    Ok(())
}

fn check_names(mut names: Vec<String>) -> Result<(), Problem> {
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            Err(Code::LineInvalid.because(format!("the field {:?} is there twice", pair[0])))
        }
        None => Ok(()),
    }
}

/// The index after the text that begins at `at`; `None` if it does not end.
fn text_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
}

fn check_number(text: &str) -> Result<(), Problem> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_whole = digits.bytes().all(|it| it.is_ascii_digit()) && text != "-0";
    let fits = digits.parse().is_ok_and(|number: u64| number <= NUMBER_MAX);
    ensure(is_whole && fits, Code::LineInvalid, || {
        format!("{:?} is not a whole number of at most 2^53 - 1", short(text))
    })
}

/// The beginning of a text, for a message.
pub(crate) fn short(text: &str) -> &str {
    let end = text.char_indices().nth(80).map_or(text.len(), |(end, _)| end);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_one_spelling_of_each_value() {
        for plain in [
            r#"{"entry":{"verb":"a \" b\\","seat":0,"n":-7,"list":[1,{"a":null,"b":{"a":1}}]}}"#,
            r#"{"number":9007199254740991,"other":-9007199254740991}"#,
            r#"["\ud83c\udfb2","\\ud800"]"#,
            &("[".repeat(32) + &"]".repeat(32)),
        ] {
            assert_eq!(check_plain(plain), Ok(()), "{plain}");
        }
        for (text, reason) in [
            (r#"{"entry": {}}"#, "white space"),
            ("{\"entry\":{}}\r", "white space"),
            ("{\"entry\"\t:{}}", "white space"),
            (r#"{"a":1,"b":{"c":1,"d":2,"c":3}}"#, "the field \"c\" is there twice"),
            (r#"{"a":1,"\u0061":2}"#, "the field \"a\" is there twice"),
            (r#"[1.0]"#, "\"1.0\" is not a whole number"),
            (r#"[1e2]"#, "\"1e2\" is not a whole number"),
            (r#"[-0]"#, "\"-0\" is not a whole number"),
            (r#"[9007199254740992]"#, "is not a whole number"),
            (r#"[123456789012345678901234567890]"#, "is not a whole number"),
            (&("[".repeat(33) + &"]".repeat(33)), "deeper than 32"),
            (r#"{"a"#, "not JSON"),
            (r#"{"\q":1}"#, "not Unicode"),
            (r#"{"a":["\ud800"]}"#, "not Unicode"),
            (r#"{"a":"\udc00\ud800"}"#, "not Unicode"),
        ] {
            let problem = check_plain(text).expect_err(text);
            assert_eq!(problem.code, Code::LineInvalid);
            assert!(problem.reason.contains(reason), "{text}: {problem}");
        }
    }
}
