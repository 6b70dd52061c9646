//! Origins of web pages, from the command line.

pub fn cors_origin(text: &str) -> Result<String, String> {
    let is_any = text == "*";
    let named = if is_any { Ok(text.to_owned()) } else { origin(text) };
    named.map_err(|_| "an origin is * or like https://play.example, without a path".to_owned())
}

/// Checks that this is an origin as browsers send it. It becomes part of a header.
pub fn origin(text: &str) -> Result<String, String> {
    let is_host = |it: char| it.is_ascii_alphanumeric() || "-.:[]_".contains(it);
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && host.chars().all(is_host) => Ok(text.to_owned()),
        _ => Err("an origin is like https://play.example, without a path".to_owned()),
    }
}
